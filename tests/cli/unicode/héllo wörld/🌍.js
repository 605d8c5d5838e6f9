console.log(__filename.split("/").at(-1), process.argv[2]);
