const show = (value) => console.log(`${value}`.replaceAll(import.meta.dir, "."));
show(Bun.resolveSync("./lib", import.meta.dir));
show(Bun.resolveSync("./index", `${import.meta.dir}/lib/index.js`));
show(Bun.resolveSync("fs", "."));
show(Bun.resolveSync("bun", "."));
show(await Bun.resolve("./app.mjs", import.meta.url));
for (const args of [[], ["x"], ["./none", "."]]) {
  try {
    Bun.resolveSync(...args);
  } catch (error) {
    show(`${error.name} ${error.code} ${error.message}`);
  }
}
show(await Bun.resolve("./none", ".").catch((error) => error.code));
show(import.meta.resolveSync("./lib"));
// Nothing is looked for, as in Node.
for (const name of ["./lib", "./none?q=1", "/abs", "https://a.b/c", "fs", "file:///x"]) show(import.meta.resolve(name));
show(Object.keys((await import("node:module")).createRequire(import.meta.url).extensions).join());
