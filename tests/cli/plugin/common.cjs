Bun.plugin({
  name: "sync",
  setup(build) {
    build.onLoad({ filter: /\.shout$/ }, () => ({ contents: "module.exports = { cjs: __filename.slice(-11), main: require.main === module };", loader: "js" }));
    build.onLoad({ filter: /\.conf$/ }, async () => { await new Promise(setImmediate); return { contents: "" }; });
  },
});
console.log(require("./text.shout"), require.main === module);
try { require("./x.conf"); } catch (e) { console.log(e.code); }
