console.error("is about to end");
process.kill(process.pid, "SIGKILL");
