setTimeout(() => {}, 25_000);
if (process.argv[2]) process.on("SIGINT", () => process.exit(7));
console.log("ready");
