const fs = require("fs");
const os = require("os");
const path = require("path");

const root = fs.mkdtempSync(path.join(os.tmpdir(), "cob-fs-"));
process.on("exit", () => fs.rmSync(root, { recursive: true, force: true }));
let count = 0;
const fresh = () => path.join(root, `n${count++}`);

function errorOf(fn) {
  try {
    fn();
  } catch (error) {
    return error;
  }
  return undefined;
}

test("writes and reads back", () => {
  const file = fresh();
  fs.writeFileSync(file, "h\u00e4llo");
  expect(fs.readFileSync(file, "utf8")).toBe("h\u00e4llo");
  expect(fs.readFileSync(file).length).toBe(6);
  expect(fs.readFileSync(file, "latin1")).toBe("h\u00c3\u00a4llo");
  fs.appendFileSync(file, new Uint8Array([33]));
  expect(fs.readFileSync(file, { encoding: "utf-8" })).toBe("h\u00e4llo!");
  fs.writeFileSync(file, new Uint8Array([104, 105]).buffer);
  expect(fs.readFileSync(file, "utf8")).toBe("hi");
  fs.writeFileSync(file, "414243", "hex");
  expect(fs.readFileSync(file, "utf8")).toBe("ABC");
  fs.truncateSync(file, 1);
  expect(fs.statSync(file).size).toBe(1);
  expect(fs.readFileSync("/proc/self/stat", "utf8").length > 10).toBe(true);
});

test("errors have code, errno, syscall, path and dest", () => {
  const error = errorOf(() => fs.readFileSync("/nope/x"));
  expect(error.message).toBe("ENOENT: no such file or directory, open '/nope/x'");
  expect(Object.keys(error).join()).toBe("errno,code,syscall,path");
  expect(error.errno).toBe(-2);
  const rename = errorOf(() => fs.renameSync("/nope/x", "/nope/y"));
  expect(rename.message).toBe("ENOENT: no such file or directory, rename '/nope/x' -> '/nope/y'");
  expect(rename.dest).toBe("/nope/y");
  expect(errorOf(() => fs.readFileSync("/")).message).toBe(
    "EISDIR: illegal operation on a directory, read",
  );
  expect(errorOf(() => fs.realpathSync("/nope/x")).message).toBe(
    "ENOENT: no such file or directory, lstat '/nope'",
  );
  expect(errorOf(() => fs.rmSync(root)).code).toBe("ERR_FS_EISDIR");
  expect(errorOf(() => fs.closeSync(12345)).code).toBe("EBADF");
});

test("arguments are checked", () => {
  const codes = [
    [() => fs.readFileSync(null), "ERR_INVALID_ARG_TYPE"],
    [() => fs.readFileSync("a\0b"), "ERR_INVALID_ARG_VALUE"],
    [() => fs.readFileSync("a", "nix"), "ERR_INVALID_ARG_VALUE"],
    [() => fs.readFileSync("a", 5), "ERR_INVALID_ARG_TYPE"],
    [() => fs.openSync("a", "q"), "ERR_INVALID_ARG_VALUE"],
    [() => fs.openSync("a", "r", "9"), "ERR_INVALID_ARG_VALUE"],
    [() => fs.closeSync(-1), "ERR_OUT_OF_RANGE"],
    [() => fs.closeSync("1"), "ERR_INVALID_ARG_TYPE"],
    [() => fs.accessSync("a", 8), "ERR_OUT_OF_RANGE"],
    [() => fs.writeFileSync("a", {}), "ERR_INVALID_ARG_TYPE"],
    [() => fs.readFile("a"), "ERR_INVALID_ARG_TYPE"],
    [() => fs.stat("a", 5), "ERR_INVALID_ARG_TYPE"],
    [() => fs.utimesSync("a", {}, 0), "ERR_INVALID_ARG_TYPE"],
    [() => fs.readSync(0, new Uint8Array(4), 2, 4), "ERR_OUT_OF_RANGE"],
    [() => fs.writeSync(1, new Uint8Array(4), 5), "ERR_OUT_OF_RANGE"],
    [() => fs.mkdirSync("a", { recursive: 1 }), "ERR_INVALID_ARG_TYPE"],
    [() => fs.readFileSync(new URL("http://a/b")), "ERR_INVALID_URL_SCHEME"],
  ];
  for (const [fn, code] of codes) expect(errorOf(fn)?.code).toBe(code);
});

test("paths may be bytes and file URLs", () => {
  const file = fresh();
  fs.writeFileSync(Buffer.from(file), "x");
  expect(fs.readFileSync(new URL(`file://${file}`), "utf8")).toBe("x");
  expect(fs.readdirSync(root, "buffer").every((name) => Buffer.isBuffer(name))).toBe(true);
  expect(fs.readdirSync(root, "hex").length).toBe(fs.readdirSync(root).length);
});

test("directories", () => {
  const dir = fresh();
  expect(fs.mkdirSync(path.join(dir, "a/b"), { recursive: true })).toBe(dir);
  expect(fs.mkdirSync(path.join(dir, "a/b"), { recursive: true })).toBe(undefined);
  fs.writeFileSync(path.join(dir, "a/f"), "");
  fs.symlinkSync("a", path.join(dir, "link"));
  expect(fs.readdirSync(dir, { recursive: true }).sort().join()).toBe("a,a/b,a/f,link");
  const kinds = fs.readdirSync(dir, { withFileTypes: true, recursive: true })
    .map((d) => `${d.name}:${d.isDirectory() ? "d" : d.isSymbolicLink() ? "l" : "f"}`);
  expect(kinds.sort().join()).toBe("a:d,b:d,f:f,link:l");
  expect(errorOf(() => fs.rmdirSync(dir)).code).toBe("ENOTEMPTY");
  fs.cpSync(dir, `${dir}2`, { recursive: true });
  expect(fs.readdirSync(`${dir}2`).length).toBe(2);
  expect(errorOf(() => fs.cpSync(dir, path.join(dir, "a/c"), { recursive: true })).code).toBe(
    "ERR_FS_CP_EINVAL",
  );
  fs.rmSync(dir, { recursive: true });
  fs.rmSync(dir, { force: true });
  expect(fs.existsSync(dir)).toBe(false);
});

test("stats", () => {
  const file = fresh();
  fs.writeFileSync(file, "abc", { mode: 0o640 });
  const stats = fs.statSync(file);
  expect(stats.isFile() && !stats.isDirectory()).toBe(true);
  expect(stats.mode & 0o777).toBe(0o640 & ~process.umask());
  fs.utimesSync(file, 10.25, 20.5);
  expect(fs.statSync(file).mtimeMs).toBe(20500);
  expect(fs.statSync(file).atime.getTime()).toBe(10250);
  expect(fs.statSync(file, { bigint: true }).mtimeNs).toBe(20500000000n);
  expect(fs.statSync("/nope", { throwIfNoEntry: false })).toBe(undefined);
  fs.chmodSync(file, "600");
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
});

test("descriptors", () => {
  const file = fresh();
  const fd = fs.openSync(file, "w+");
  expect(fs.writeSync(fd, "hello")).toBe(5);
  expect(fs.writeSync(fd, Buffer.from("HELLO"), 1, 2, 0)).toBe(2);
  const bytes = Buffer.alloc(8);
  expect(fs.readSync(fd, bytes, 0, 8, 0)).toBe(5);
  expect(bytes.toString("latin1", 0, 5)).toBe("ELllo");
  expect(fs.readSync(fd, bytes, { position: 4n })).toBe(1);
  expect(fs.writevSync(fd, [Buffer.from("12"), Buffer.from("3")], 0)).toBe(3);
  const parts = [Buffer.alloc(1), Buffer.alloc(3)];
  expect(fs.readvSync(fd, parts, 0)).toBe(4);
  expect(Buffer.concat(parts).toString()).toBe("123l");
  fs.ftruncateSync(fd, 1);
  expect(fs.fstatSync(fd).size).toBe(1);
  fs.closeSync(fd);
});

test("callbacks come later, with null for no error", async () => {
  const file = fresh();
  let isLater = false;
  const args = await new Promise((resolve) => {
    fs.writeFile(file, "x", (...list) => resolve([isLater, ...list]));
    isLater = true;
  });
  expect(args.length).toBe(2);
  expect(args[0] && args[1] === null).toBe(true);
  const read = await new Promise((resolve) => fs.readFile(file, "utf8", (...a) => resolve(a)));
  expect(read.join()).toBe(",x");
  const error = await new Promise((resolve) => fs.stat("/nope", resolve));
  expect(error.code).toBe("ENOENT");
});

test("a buffer that goes away while it is read into", async () => {
  const file = fresh();
  fs.writeFileSync(file, "0123456789");
  const fd = fs.openSync(file);
  const bytes = new Uint8Array(10);
  const done = new Promise((resolve) => fs.read(fd, bytes, 0, 10, 0, (e, n) => resolve(n)));
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  expect(await done).toBe(10);
  fs.closeSync(fd);
});

test("promises and FileHandle", async () => {
  const file = fresh();
  const handle = await fs.promises.open(file, "w+");
  await handle.write("abc");
  await handle.appendFile("def");
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(10), 0, 10, 0);
  expect(buffer.toString("utf8", 0, bytesRead)).toBe("abcdef");
  expect((await handle.stat()).size).toBe(6);
  await handle.truncate(2);
  await handle.close();
  expect(handle.fd).toBe(-1);
  expect(await fs.promises.readFile(file, "utf8")).toBe("ab");
  expect((await handle.stat().catch((e) => e)).code).toBe("EBADF");
  expect((await fs.promises.readFile("/nope").catch((e) => e)).code).toBe("ENOENT");
  await fs.promises.writeFile(file, (function* () { yield "1"; yield "2"; })());
  expect(await fs.promises.readFile(file, "utf8")).toBe("12");
  const signal = AbortSignal.abort();
  expect((await fs.promises.readFile(file, { signal }).catch((e) => e)).name).toBe("AbortError");
});

test("watch reports and stops", async () => {
  const dir = fresh();
  fs.mkdirSync(dir);
  const seen = await new Promise((resolve) => {
    const watcher = fs.watch(dir, (type, name) => {
      watcher.close();
      resolve(`${type} ${name}`);
    });
    fs.writeFileSync(path.join(dir, "f"), "");
  });
  expect(seen).toBe("rename f");
  expect(errorOf(() => fs.watch("/nope")).message).toBe(
    "ENOENT: no such file or directory, watch '/nope'",
  );
});

test("glob", async () => {
  const dir = fresh();
  fs.mkdirSync(path.join(dir, "a/b"), { recursive: true });
  for (const name of ["x.js", "a/y.js", "a/b/z.js", "a/b/z.ts"]) {
    fs.writeFileSync(path.join(dir, name), "");
  }
  expect(fs.globSync("*.js", { cwd: dir }).join()).toBe("x.js");
  expect(fs.globSync("**/*.js", { cwd: dir }).sort().join()).toBe("a/b/z.js,a/y.js,x.js");
  const found = await Array.fromAsync(fs.promises.glob("a/*/z.{js,ts}", { cwd: dir }));
  expect(found.sort().join()).toBe("a/b/z.js,a/b/z.ts");
});

test("watch: what is ignored is not told", async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "cob-fs-ignore-"));
  const seen = [];
  await new Promise((resolve) => {
    const ignore = ["*.log", /\.tmp$/, (name) => name.startsWith(".")];
    const watcher = fs.watch(folder, { ignore }, (event, name) => {
      seen.push(name);
      if (name === "keep") watcher.close();
    });
    watcher.on("close", resolve);
    for (const name of ["a.log", "b.tmp", ".c", "keep"]) fs.writeFileSync(`${folder}/${name}`, "");
  });
  fs.rmSync(folder, { recursive: true });
  expect([...new Set(seen)]).toEqual(["keep"]);
  expect(() => fs.watch(".", { ignore: [""] })).toThrow("must be a non-empty string");
});
