let all = null;
for (let i = 0; i < 400_000_000; i++) all = { next: all, i };
console.log("never");
