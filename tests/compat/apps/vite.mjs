// vite: a build with CSS, assets and a lazy chunk; its development server with transforms and hot
// updates over its WebSocket; rollup and its plugins.
import assert from "node:assert";
import fs from "node:fs";
import path from "node:path";
import { rollup } from "rollup";
import { build, createServer, preview } from "vite";
import { fileOf, folder, run } from "./run.mjs";

const dir = folder({
  "index.html": '<!doctype html><div id="app"></div><script type="module" src="/src/main.ts"></script>',
  "src/main.ts": `
    import "./style.css";
    import logo from "./logo.svg?url";
    import { shout } from "./shout";
    const text: string = shout("hello");
    document.querySelector("#app")!.textContent = text + logo + import.meta.env.MODE;
    import("./later").then((later) => later.run());`,
  "src/shout.ts": "export const shout = (text: string) => text.toUpperCase() + '!';",
  "src/later.ts": "export function run() { console.log('later chunk'); }",
  "src/style.css": "#app { color: red; & b { color: blue } }",
  "src/logo.svg": `<svg xmlns="http://www.w3.org/2000/svg">${"<g/>".repeat(2000)}</svg>`,
});
const options = { root: dir, configFile: false, logLevel: "silent" };

const output = await build({ ...options, build: { manifest: true } });
assert.ok(output.output.length >= 4);
const html = fs.readFileSync(path.join(dir, "dist/index.html"), "utf8");
const [, script] = /src="(\/assets\/index-[^"]+\.js)"/.exec(html);
const text = fs.readFileSync(path.join(dir, "dist", script), "utf8");
assert.match(text, /toUpperCase/);
assert.match(text, /\/assets\/logo-[^"]+\.svg/);
const manifest = JSON.parse(fs.readFileSync(path.join(dir, "dist/.vite/manifest.json"), "utf8"));
assert.ok(manifest["src/later.ts"].isDynamicEntry);
const served = await preview({ ...options, preview: { port: 0, host: "127.0.0.1" } });
assert.equal(await (await fetch(new URL(script, served.resolvedUrls.local[0]))).text(), text);
await served.close();

const server = await createServer({ ...options, server: { port: 0, host: "127.0.0.1", ws: undefined } });
await server.listen();
const [base] = server.resolvedUrls.local;
assert.match(await (await fetch(base)).text(), /@vite\/client/);
assert.match(await (await fetch(new URL("src/shout.ts", base))).text(), /const shout = \(text\) =>/);
const css = await (await fetch(new URL("src/style.css", base), { headers: { accept: "*/*" } })).text();
assert.match(css, /updateStyle/);
const client = await (await fetch(new URL("@vite/client", base))).text();
const [, token] = /wsToken = "([^"]+)"/.exec(client);
const socket = new WebSocket(base.replace("http", "ws") + "?token=" + token, "vite-hmr");
const messages = [];
const update = new Promise((resolve) => {
  socket.onmessage = ({ data }) => {
    messages.push(JSON.parse(data));
    if (messages.at(-1).type === "update" || messages.at(-1).type === "full-reload") resolve(messages.at(-1));
  };
});
await new Promise((resolve) => (socket.onopen = resolve));
await (await fetch(new URL("src/main.ts", base))).text();
fs.writeFileSync(path.join(dir, "src/style.css"), "#app { color: green }");
const { type, updates } = await update;
assert.equal(type, "update");
assert.equal(updates[0].path, "/src/style.css");
socket.close();
await server.close();

const bundle = await rollup({
  input: path.join(dir, "src/entry.js"),
  plugins: [{
    name: "virtual",
    resolveId: (id) => (id.endsWith("entry.js") || id === "virtual" ? id : null),
    load: (id) => (id === "virtual" ? "export const a = 1; export const unused = 2;" : "import { a } from 'virtual'; export default a;"),
  }],
});
const { output: [chunk] } = await bundle.generate({ format: "cjs", sourcemap: true });
assert.match(chunk.code, /const a = 1;\s+module\.exports = a;/);
assert.doesNotMatch(chunk.code, /unused/);
assert.equal(chunk.map.version, 3);
await bundle.close();

const cli = run(fileOf("vite", "bin/vite.js"), ["build", "--outDir", "cli"], { cwd: dir });
assert.equal(cli.status, 0, cli.err);
assert.match(cli.out, /modules transformed/);
console.log("ok");
process.exitCode = 0;
