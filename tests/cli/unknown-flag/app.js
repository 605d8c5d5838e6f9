console.log("ran", process.argv.length);
