const rel = (p) => p.slice(__dirname.length + 1);
console.log(rel(require.resolve("./lib")), rel(require.resolve("dep")), require.resolve("events"), require.resolve("node:events"));
console.log(rel(require.resolve("dep", { paths: [`${__dirname}/other`] })));
console.log(require.resolve.paths("./lib").map(rel), require.resolve.paths("events"));
console.log(require.resolve.paths("dep").slice(0, 1).map(rel));
for (const id of [1, undefined, ""]) {
  try {
    require(id);
  } catch (error) {
    console.log(error.name, error.code);
  }
}
