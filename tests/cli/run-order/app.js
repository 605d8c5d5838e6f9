console.log("file", process.argv.slice(2));
