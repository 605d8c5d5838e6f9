setTimeout(() => console.log("never"), 10_000);
process.kill(process.pid, "SIG" + process.argv[2]);
