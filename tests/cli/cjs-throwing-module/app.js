for (let i = 0; i < 2; i++) {
  try {
    require("./bad");
  } catch (error) {
    console.log(error.message, globalThis.count);
  }
}
console.log(Object.keys(require.cache).length, module.children.length);
