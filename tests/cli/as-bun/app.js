console.log(process.argv.slice(2), process.versions.bun, Bun.version);
