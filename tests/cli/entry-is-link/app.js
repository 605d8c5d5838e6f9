console.log(__filename.slice(process.cwd().length + 1), require("./dep"));
