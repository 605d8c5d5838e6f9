const base = (p) => p.split("/").at(-1);
const parent = (p) => p.slice(0, p.lastIndexOf("/"));
const child = require("./child");
console.log(module.id, base(module.filename), module.loaded, module.children.map((m) => base(m.id)));
console.log(require.main === module, this === module.exports, module.exports === exports);
console.log(base(__filename), __dirname === parent(__filename), module.path === __dirname);
console.log(module.paths[0] === `${__dirname}/node_modules`, module.parent);
console.log(child.parentIsMain, child.isMain, child.loadedInside, require.cache[child.file].loaded);
console.log(typeof require.resolve, typeof require.cache, typeof require.extensions, require.length, require.name);
