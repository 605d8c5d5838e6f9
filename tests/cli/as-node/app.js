console.log(process.argv.slice(2), process.version, process.versions.bun);
