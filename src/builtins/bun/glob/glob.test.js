// Tests of Bun.Glob, Bun.semver, Bun.peek.
const fs = require("node:fs");
const path = require("node:path");

test("match", () => {
  for (const [pattern, text, result] of [
    ["**/*.{ts,js}", "a/b/c.ts", true],
    ["src/*.ts", "src/x/y.ts", false],
    ["[ab]?.js", "ax.js", true],
    ["!*.js", "a.ts", true],
  ]) {
    expect(new Bun.Glob(pattern).match(text)).toBe(result);
  }
  expect(() => new Bun.Glob(1)).toThrow("not a string");
});

test("scan", async () => {
  const root = fs.mkdtempSync(path.join(require("node:os").tmpdir(), "cob-glob-"));
  try {
    fs.mkdirSync(path.join(root, "a/b"), { recursive: true });
    for (const name of ["x.js", "a/y.js", "a/b/z.js", "a/b/.dot.js", "a/t.txt"]) {
      fs.writeFileSync(path.join(root, name), "");
    }
    fs.symlinkSync(root, path.join(root, "a/loop"));
    const scan = (pattern, options) =>
      [...new Bun.Glob(pattern).scanSync({ cwd: root, ...options })].sort();
    expect(scan("**/*.js")).toEqual(["a/b/z.js", "a/y.js", "x.js"]);
    expect(scan("**/*.js", { dot: true })).toEqual(["a/b/.dot.js", "a/b/z.js", "a/y.js", "x.js"]);
    expect(scan("*", { onlyFiles: false })).toEqual(["a", "x.js"]);
    expect(scan("x.js", { absolute: true })).toEqual([path.join(root, "x.js")]);
    expect(scan("**/z.js", { followSymlinks: true }).length >= 1).toBe(true);
    const names = await Array.fromAsync(new Bun.Glob("a/*").scan(root));
    expect(names.sort()).toEqual(["a/loop", "a/t.txt", "a/y.js"]);
  } finally {
    fs.rmSync(root, { recursive: true });
  }
});

test("semver", () => {
  expect(Bun.semver.satisfies("1.2.3", "^1.0.0 || 3")).toBe(true);
  expect(Bun.semver.satisfies("2.0.0", "^1.0.0")).toBe(false);
  expect(["1.0.0", "1.0.0-a", "0.9.0"].sort(Bun.semver.order)).toEqual([
    "0.9.0", "1.0.0-a", "1.0.0",
  ]);
});

test("peek", async () => {
  const pending = new Promise(() => {});
  expect([Bun.peek(Promise.resolve(1)), Bun.peek(pending) === pending, Bun.peek(2)]).toEqual([
    1, true, 2,
  ]);
  const rejected = Promise.reject(3);
  rejected.catch(() => {});
  expect([Bun.peek.status(pending), Bun.peek.status(rejected), Bun.peek(rejected)]).toEqual([
    "pending", "rejected", 3,
  ]);
});

test("where a scan begins, and what it looks for", () => {
  const fs = require("node:fs");
  const dir = fs.mkdtempSync("/tmp/cob-glob-");
  try {
    fs.mkdirSync(`${dir}/a/b`, { recursive: true });
    for (const name of ["x.md", "a/y.md", "a/b/z.md"]) fs.writeFileSync(`${dir}/${name}`, "");
    fs.symlinkSync("nowhere", `${dir}/broken`);
    const scan = (pattern, options) =>
      [...new Bun.Glob(pattern).scanSync({ cwd: `${dir}/a`, ...options })].sort();
    expect(scan("./*.md")).toEqual(["./y.md"]);
    expect(scan("../*.md")).toEqual(["../x.md"]);
    expect(scan("../**/*.md")).toEqual(["../a/b/z.md", "../a/y.md", "../x.md"]);
    expect(scan("../*.md", { absolute: true })).toEqual([`${dir}/x.md`]);
    expect(scan("*/", { onlyFiles: false })).toEqual(["b"]);
    expect(scan(`${dir}/*/`, { onlyFiles: false })).toEqual([`${dir}/a`]);
    const strict = { followSymlinks: true, throwErrorOnBrokenSymlink: true };
    expect(() => scan("../*", strict)).toThrow("ENOENT");
    for (const options of [5, { cwd: true }]) {
      expect(() => new Bun.Glob("*").scan(options)).toThrow(TypeError);
    }
  } finally {
    fs.rmSync(dir, { recursive: true });
  }
});
