// Bounded, so that a limit that does not work does no harm.
let all = null;
for (let i = 0; i < 10_000_000; i++) all = { next: all, list: new Array(60).fill(i) };
console.log("never");
