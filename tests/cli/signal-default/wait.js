setTimeout(() => console.log("never"), 25_000);
process.kill(process.pid, "SIG" + process.argv[2]);
