// Tests of the members of process that few programs touch.
const util = require("node:util");

test("the report says which C library runs", () => {
  const report = process.report.getReport();
  expect(report.header.processId).toBe(process.pid);
  expect(typeof report.header.cwd).toBe("string");
  const libc = report.sharedObjects.find((path) => path.includes("libc"));
  if (libc?.endsWith("libc.so.6")) expect(report.header.glibcVersionRuntime).toMatch(/^\d+\.\d+/);
  expect(report.javascriptStack.stack.length > 0).toBe(true);
  expect(process.report.getReport(new Error("mine")).javascriptStack.message).toBe("Error: mine");
  expect(() => process.report.getReport(5)).toThrow();
});

test("process.binding has the tables that packages ask for", () => {
  expect(process.binding("util").isPromise(Promise.resolve())).toBe(true);
  expect(process.binding("uv").UV_ENOENT).toBe(-2);
  expect(process.binding("uv").errname(-2)).toBe("ENOENT");
  expect(process.binding("constants").os.signals.SIGINT).toBe(2);
  expect(() => process.binding("nothing")).toThrow("No such module: nothing");
  expect(() => process.binding("toString")).toThrow("No such module: toString");
  expect(() => process._linkedBinding("x")).toThrow("No such binding: x");
});

test("old names of constants are on the modules", () => {
  expect(require("node:zlib").Z_SYNC_FLUSH).toBe(2);
  expect(Object.keys(require("node:zlib")).includes("Z_SYNC_FLUSH")).toBe(false);
  expect(require("node:fs").W_OK).toBe(2);
  expect(require("node:constants").RSA_PKCS1_PADDING).toBe(1);
  expect(util.types.isProxy(new Proxy({}, {}))).toBe(true);
});

test("what is marked as uncloneable is not cloned", () => {
  const { markAsUncloneable } = require("node:worker_threads");
  const plain = { a: 1 };
  markAsUncloneable(plain);
  markAsUncloneable(5);
  expect(() => structuredClone([plain])).toThrow("#<Object> could not be cloned.");
  const bytes = new Uint8Array(2);
  markAsUncloneable(bytes);
  expect(structuredClone(bytes).length).toBe(2);
});

test("a program starts and ends in a folder that is gone", () => {
  const { spawnSync } = require("node:child_process");
  const script = `d=$(mktemp -d) && cd $d && rmdir $d && exec "${process.execPath}" -p ` +
    `"let m; try { process.cwd() } catch (e) { m = e.message } m"`;
  const { stdout, status } = spawnSync("sh", ["-c", script], { encoding: "utf8" });
  expect(stdout).toMatch(/^ENOENT: process\.cwd failed with error no such file or directory/);
  expect(status).toBe(0);
});

test("an error of an 'exit' listener that a listener takes is no failure", () => {
  const { spawnSync } = require("node:child_process");
  const text = "process.on('uncaughtException', () => {}); " +
    "process.on('exit', () => { throw new Error('x') })";
  expect(spawnSync(process.execPath, ["-e", text]).status).toBe(0);
});

test("warnings that are switched off or go to a file; process._fatalException", () => {
  const { spawnSync } = require("node:child_process");
  const text = "process.emitWarning('one', { code: 'A' }); process.emitWarning('two', 'B')";
  const run = (...flags) =>
    spawnSync(process.execPath, [...flags, "-e", text], { encoding: "utf8" }).stderr;
  expect(run("--disable-warning=A", "--disable-warning=B")).toBe("");
  expect(run("--disable-warning=B")).toMatch(/^\(\w+:\d+\) \[A\] Warning: one\n/);
  const file = `${require("node:os").tmpdir()}/cob-warnings-${process.pid}`;
  expect(run(`--redirect-warnings=${file}`)).toBe("");
  const fs = require("node:fs");
  expect(fs.readFileSync(file, "utf8")).toMatch(/Warning: one(?:.|\n)*B: two/);
  fs.rmSync(file);
  const lost = "process._fatalException = 1; throw 2";
  expect(spawnSync(process.execPath, ["-e", lost]).status).toBe(6);
});
