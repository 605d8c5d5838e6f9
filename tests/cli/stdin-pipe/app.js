process.stdin.on("data", (chunk) => console.log("chunk", new TextDecoder().decode(chunk).trim()));
process.stdin.on("close", () => console.log("close"));
