for (const file of ["toml", "yaml", "jsonc", "json5", "txt"]) console.log(require(`./data.${file}`));
console.log(require("./data.toml") === require("./data.toml"));
