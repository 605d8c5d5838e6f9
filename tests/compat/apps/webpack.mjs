// webpack: loaders, plugins, code splitting, hashes, source maps; its command; watching.
import assert from "node:assert";
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import MiniCssExtractPlugin from "mini-css-extract-plugin";
import webpack from "webpack";
import { fileOf, folder, run } from "./run.mjs";

const require = createRequire(import.meta.url);
const dir = folder({
  "src/index.js": `
    import "./style.css";
    import { twice } from "./lib";
    import data from "./data.json";
    import text from "./note.txt";
    export const later = () => import(/* webpackChunkName: "later" */ "./later.js");
    export const all = [twice(21), data.a, text, new URL("./logo.svg", import.meta.url).href];
    class Hidden { #x = 1; get x() { return this.#x ?? 2; } }
    export const hidden = new Hidden().x;`,
  "src/lib.js": "export const twice = (x) => x * 2; export const unused = () => 'UNUSED-EXPORT';",
  "src/later.js": "module.exports = { late: true };",
  "src/data.json": '{ "a": [1, 2] }',
  "src/note.txt": "a note",
  "src/logo.svg": "<svg/>",
  "src/style.css": "@import './other.css'; body { background: url('./logo.svg') }",
  "src/other.css": ".other { color: red }",
});

function options(more) {
  return {
    context: dir, entry: "./src/index.js", mode: "production", target: "node", devtool: "source-map",
    output: {
      path: path.join(dir, "out"), filename: "[name].js", chunkFilename: "[name].[contenthash].js",
      library: { type: "commonjs2" }, publicPath: "/", clean: true,
    },
    module: {
      rules: [
        { test: /\.css$/, use: [MiniCssExtractPlugin.loader, require.resolve("css-loader")] },
        { test: /\.txt$/, type: "asset/source" },
        {
          test: /\.js$/,
          use: {
            loader: require.resolve("babel-loader"),
            options: { presets: [[require.resolve("@babel/preset-env"), { targets: "ie 11", modules: false }]] },
          },
        },
      ],
    },
    plugins: [new MiniCssExtractPlugin(), new webpack.DefinePlugin({ VERSION: "1" })],
    ...more,
  };
}

function build(config) {
  return new Promise((resolve, reject) => {
    const compiler = webpack(config);
    compiler.run((err, stats) => compiler.close(() => (err ? reject(err) : resolve(stats))));
  });
}

const stats = await build(options());
assert.deepEqual(stats.toJson().errors, []);
const names = fs.readdirSync(path.join(dir, "out"));
assert.ok(names.includes("main.css") && names.includes("main.js.map"), String(names));
assert.ok(names.some((name) => /^later\.[0-9a-f]{20}\.js$/.test(name)), String(names));
const text = fs.readFileSync(path.join(dir, "out/main.js"), "utf8");
assert.doesNotMatch(text, /UNUSED-EXPORT|class Hidden/);
assert.match(fs.readFileSync(path.join(dir, "out/main.css"), "utf8"), /\.other[^]*url\(\/[0-9a-f]+\.svg\)/);
const made = require(path.join(dir, "out/main.js"));
assert.deepEqual(made.all.slice(0, 3), [42, [1, 2], "a note"]);
assert.equal(made.hidden, 1);
assert.equal((await made.later()).late, true);

fs.writeFileSync(path.join(dir, "src/bad.js"), "import './none'; let x = ;");
const broken = await build(options({ entry: "./src/bad.js" }));
assert.ok(broken.hasErrors());
assert.match(broken.toString({ colors: false }), /bad\.js[^]*Unexpected token/);

// Watching: one build, a change, another build.
const compiler = webpack(options({ mode: "development", devtool: false, cache: { type: "memory" } }));
const builds = [];
await new Promise((resolve, reject) => {
  const watching = compiler.watch({ aggregateTimeout: 10 }, (err, result) => {
    if (err || result.hasErrors()) return reject(err ?? new Error(result.toString()));
    builds.push(result.hash);
    if (builds.length === 1) fs.writeFileSync(path.join(dir, "src/note.txt"), "another note");
    else if (builds[0] !== result.hash) watching.close(resolve);
  });
});
await new Promise((resolve) => compiler.close(resolve));
assert.match(fs.readFileSync(path.join(dir, "out/main.js"), "utf8"), /another note/);

fs.writeFileSync(
  path.join(dir, "webpack.config.js"),
  "module.exports = { mode: 'development', entry: './src/lib.js', cache: { type: 'filesystem' } };",
);
for (let i = 0; i < 2; i++) {
  const { status, out, err } = run(fileOf("webpack", "bin/webpack.js"), ["--no-color"], { cwd: dir });
  assert.equal(status, 0, out + err);
  assert.match(out, /compiled successfully/);
}
console.log("ok");
