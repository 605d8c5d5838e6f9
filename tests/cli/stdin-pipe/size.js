let size = 0;
process.stdin.on("data", (chunk) => (size += chunk.length)).on("end", () => console.log(size));
