// Tests of Bun.Archive.
const fs = require("node:fs");
const { spawnSync } = require("node:child_process");

const dir = fs.mkdtempSync("/tmp/cob-archive-");
process.on("exit", () => fs.rmSync(dir, { recursive: true, force: true }));
const LONG = `${"n".repeat(120)}.txt`;
const DEEP = `${"d".repeat(90)}/${"e".repeat(90)}`;
const CONTENT = {
  "a/b.txt": "hello", c: new Uint8Array([1, 2]), d: new Blob(["x"]), "e/": "", [LONG]: "long",
  [DEEP]: "deep", "\u00e9.txt": "u",
};
const read = (name) => fs.readFileSync(`${dir}/${name}`, "utf8");
const tar = (...args) => `${spawnSync("tar", args, { cwd: dir }).stdout}`;
const names = async (archive, glob) => [...(await archive.files(glob)).keys()];

test("what it packs, it and others read", async () => {
  const archive = new Bun.Archive(CONTENT);
  const bytes = await archive.bytes();
  expect([bytes.length % 10240, (await archive.blob()).size]).toEqual([0, bytes.length]);
  const files = await new Bun.Archive(bytes).files();
  expect([...files.keys()]).toEqual(Object.keys(CONTENT).filter((name) => name !== "e/"));
  const file = files.get("a/b.txt");
  expect([file instanceof File, file.name, file.size, await file.text()]).toEqual([true, "a/b.txt", 5, "hello"]);
  expect(Math.abs(Date.now() - file.lastModified) < 60_000).toBe(true);
  await Bun.write(`${dir}/own.tar`, archive);
  expect(tar("tf", "own.tar", "--quoting-style=literal").trim().split("\n")).toEqual(Object.keys(CONTENT));
  await Bun.Archive.write(`${dir}/own.tar.gz`, CONTENT, { compress: "gzip", level: 12 });
  expect(tar("tzf", "own.tar.gz").split("\n").length).toBe(Object.keys(CONTENT).length + 1);
  const packed = await new Bun.Archive(CONTENT, { compress: "gzip" }).bytes();
  expect([packed[0], packed[1], (await names(new Bun.Archive(packed))).length]).toEqual([0x1f, 0x8b, 6]);
  expect(await names(new Bun.Archive(Bun.file(`${dir}/own.tar.gz`)))).toEqual([...files.keys()]);
});

test("extract", async () => {
  expect(await new Bun.Archive(CONTENT).extract(`${dir}/out`)).toBe(7);
  expect([read("out/a/b.txt"), read(`out/${LONG}`), read(`out/${DEEP}`), read("out/\u00e9.txt")]).toEqual(
    ["hello", "long", "deep", "u"],
  );
  expect(fs.statSync(`${dir}/out/e`).isDirectory()).toBe(true);
  expect(await new Bun.Archive({ "a/b.txt": "new" }).extract(`${dir}/out`)).toBe(1);
  expect(read("out/a/b.txt")).toBe("new");
});

test("globs", async () => {
  const archive = new Bun.Archive({ "a.ts": "", "b/c.ts": "", "d.js": "" });
  for (const [glob, expected] of [
    ["*.ts", ["a.ts"]], [["**/*.ts", "!b/**"], ["a.ts"]], ["!**/*.ts", ["d.js"]], [[], ["a.ts", "b/c.ts", "d.js"]],
    ["none", []],
  ]) {
    expect(await names(archive, glob)).toEqual(expected);
  }
  expect(await archive.extract(`${dir}/globs`, { glob: "**/*.ts" })).toBe(2);
});

test("nothing is written outside", async () => {
  const archive = new Bun.Archive({ "/abs/x": "1", "../../up": "2", "a//b": "3", "./c": "4" });
  expect(await archive.extract(`${dir}/names/in`)).toBe(4);
  expect(fs.readdirSync(`${dir}/names/in`).sort()).toEqual(["a", "abs", "c", "up"]);
  expect(fs.readdirSync(`${dir}/names`)).toEqual(["in"]);

  fs.mkdirSync(`${dir}/src`);
  fs.writeFileSync(`${dir}/src/f`, "f");
  for (const [name, target] of [["ok", "f"], ["abs", "/etc"], ["up", "../../x"], ["sly", "f/../../../x"]]) {
    fs.symlinkSync(target, `${dir}/src/${name}`);
  }
  fs.linkSync(`${dir}/src/f`, `${dir}/src/hard`);
  tar("cf", "links.tar", "src/f", "src/ok", "src/abs", "src/up", "src/sly", "src/hard");
  const links = new Bun.Archive(fs.readFileSync(`${dir}/links.tar`));
  expect(await links.extract(`${dir}/links`)).toBe(3);
  expect(fs.readdirSync(`${dir}/links/src`).sort()).toEqual(["f", "hard", "ok"]);

  // A link that was there before leads out: not through it.
  fs.mkdirSync(`${dir}/trap`);
  fs.symlinkSync(dir, `${dir}/trap/link`);
  await expect(new Bun.Archive({ "link/evil": "x" }).extract(`${dir}/trap`)).rejects.toThrow("leads outside");
  expect(fs.existsSync(`${dir}/evil`)).toBe(false);
});

test("what is wrong", async () => {
  for (const data of [undefined, 5, "x", null]) expect(() => new Bun.Archive(data)).toThrow("Expected an object");
  for (const [options, message] of [
    [{ compress: "zip" }, 'must be "gzip"'], [{ compress: "gzip", level: 13 }, "between 1 and 12"], [5, "must be an object"],
  ]) {
    expect(() => new Bun.Archive({}, options)).toThrow(message);
  }
  const bytes = await new Bun.Archive(CONTENT).bytes();
  for (const data of [Buffer.alloc(0), Buffer.from("x".repeat(1000)), bytes.subarray(0, 514)]) {
    await expect(new Bun.Archive(data).files()).rejects.toThrow();
  }
  await expect(new Bun.Archive({}).files(5)).rejects.toThrow("glob must be a string");
  await expect(new Bun.Archive({}).extract()).rejects.toThrow("path argument");
  await expect(Bun.Archive.write()).rejects.toThrow("string path");
});

test("archives that are cut or changed anywhere do no harm", async () => {
  const bytes = await new Bun.Archive({ a: "x".repeat(600), [LONG]: "y" }).bytes();
  for (let i = 0; i < 3000; i += 37) {
    const broken = Buffer.from(bytes);
    broken[i] ^= 0xff;
    for (const data of [broken, bytes.subarray(0, i)]) {
      await new Bun.Archive(data).files().catch((error) => expect(error instanceof Error).toBe(true));
    }
  }
});
