process.stdout.on("error", (error) => console.error("error", error.code));
for (let i = 0; i < 20000; i++) process.stdout.write(`line ${i}\n`);
setTimeout(() => console.error("finished"), 50);
