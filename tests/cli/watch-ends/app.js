console.log("exits"); process.exit(3);
