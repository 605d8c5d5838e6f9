// A program may delete the iterator of arrays, or put something else in its place: what nearly every
// program uses works on (docs/internals/builtins.md).
const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

const dir = fs.mkdtempSync(path.join(os.tmpdir(), "cob-iterator-"));
process.on("exit", () => fs.rmSync(dir, { recursive: true }));
fs.writeFileSync(path.join(dir, "cjs.js"), "module.exports = [1];");
fs.writeFileSync(path.join(dir, "esm.mjs"),
  "import fs from 'fs'; import { join } from 'path'; export const a = typeof join + typeof fs;");
fs.writeFileSync(path.join(dir, "data.json"), '{ "a": 1 }');

const breakers = {
  deleted: `
    const next = Object.getPrototypeOf([][Symbol.iterator]());
    delete Array.prototype[Symbol.iterator];
    delete next.next;`,
  replaced: "Array.prototype[Symbol.iterator] = () => { throw new Error('iterator of the program') };",
};

const uses = {
  console: "console.log('x', [1, { a: [2] }], new Map(), new Set()); console.table([{ a: 1 }]);",
  error: "console.error(new Error('x')); try { null.x } catch (e) { void e.stack }",
  vm: `const vm = require('vm'); vm.runInThisContext('1'); vm.runInNewContext('a', { a: 1 });
    new vm.Script('1').runInContext(vm.createContext({}));`,
  timers: `setTimeout(() => {}, 1, 1, 2, 3); setImmediate(() => {}, 1, 2);
    process.nextTick(() => {}, 1, 2, 3, 4); queueMicrotask(() => {})`,
  promises: "(async () => { await 1; await Promise.resolve(2) })()",
  events: `const E = require('events'); const e = new E(); e.once('a', () => {}); e.emit('a', 1);
    e.removeAllListeners(); const t = new EventTarget(); t.addEventListener('x', () => {});
    t.dispatchEvent(new Event('x'))`,
  path: "const p = require('path'); p.join('a', 'b'); p.relative('a', 'b'); p.parse('/a/b.c')",
  fs: `const fs = require('fs'); fs.readFileSync(__filename); fs.readdirSync('.'); fs.statSync('.');
    fs.readFile(__filename, (e) => { if (e) throw e }); fs.promises.stat('.');
    fs.opendirSync('.').closeSync();
    fs.open('written', 'w+', (e, fd) => fs.write(fd, Buffer.from('a'), 0, 1, 0, () =>
      fs.read(fd, Buffer.alloc(1), 0, 1, 0, () => fs.closeSync(fd))))`,
  url: "new URL('http://a/b?c=1').searchParams.get('c')",
  util: `const u = require('util'); u.inspect({ a: [1], b: new Map(), c: class {} });
    u.format('%s %j', 'a', {}); u.isDeepStrictEqual([1], [1])`,
  assert: `const a = require('assert'); a.deepStrictEqual({ a: [1] }, { a: [1] });
    a.throws(() => a.strictEqual(1, 2), a.AssertionError)`,
  buffer: "Buffer.concat([Buffer.from('a'), Buffer.from([1, 2])]).toString('hex')",
  modules: "require('module'); require('./cjs.js'); require('./data.json'); import('./esm.mjs')",
  process: `process.emitWarning('x'); ({ ...process.env }); process.memoryUsage();
    process.on('exit', () => {}); process.stdout.write('')`,
  streams: `const { Readable, PassThrough, pipeline } = require('stream');
    pipeline(Readable.from(''), new PassThrough(), new PassThrough().resume(), () => {})`,
  crypto: "const c = require('crypto'); c.createHash('sha1').update('a').digest(); c.randomUUID()",
  processes: "require('child_process').execFileSync('/bin/echo', ['a'])",
  abort: "const a = new AbortController(); a.signal.onabort = () => {}; a.abort()",
  messages: "new (require('worker_threads').MessageChannel)().port1.close(); structuredClone([1])",
};

/** A program that does all of it and says what did not work. */
function programFor(kind) {
  const parts = [breakers[kind], "let part;", "process.on('exit', (c) => c && console.log(part));"];
  for (const name of Object.keys(uses)) {
    if (kind === "replaced" && name === "streams") continue; // Readable.from() asks for it
    parts.push(`part = "${name}";\n{ ${uses[name]} }`);
  }
  return parts.join("\n");
}

for (const kind of Object.keys(breakers)) {
  test(`the iterator of arrays is ${kind}`, () => {
    const file = path.join(dir, `${kind}.js`);
    fs.writeFileSync(file, programFor(kind));
    const { status, stderr } = spawnSync(process.execPath, [file], { cwd: dir, encoding: "utf8" });
    expect(status === 0 ? "" : stderr).toBe("");
  });
}

test("an error that a listener takes", () => {
  const file = path.join(dir, "uncaught.js");
  fs.writeFileSync(file, `${breakers.deleted}
    process.on('uncaughtException', (e) => process.exit(e)); setTimeout(() => { throw 3 }, 1)`);
  expect(spawnSync(process.execPath, [file]).status).toBe(3);
});
