const fs = require("node:fs");
const path = require("node:path");
const os = require("node:os");
const { finished, pipeline } = require("node:stream/promises");

const dir = fs.mkdtempSync(path.join(os.tmpdir(), "cob-fs-streams-"));
const at = (name) => path.join(dir, name);
process.on("exit", () => fs.rmSync(dir, { recursive: true }));

test("reads a range, with encoding and position", async () => {
  fs.writeFileSync(at("a"), "0123456789");
  const r = fs.createReadStream(at("a"), { start: 2, end: 5, highWaterMark: 3, encoding: "utf8" });
  expect((await r.toArray()).join("|")).toBe("234|5");
  expect(r.bytesRead).toBe(4);
  expect(() => fs.createReadStream(at("a"), { start: 5, end: 2 })).toThrow(/out of range/);
});

test("writes at a position, appends, and says how much", async () => {
  const w = fs.createWriteStream(at("b"));
  w.write("one ");
  w.write("two ");
  w.end("three");
  await finished(w);
  expect(w.bytesWritten).toBe(13);
  const middle = fs.createWriteStream(at("b"), { flags: "r+", start: 4 });
  middle.end("TWO");
  await finished(middle);
  const more = fs.createWriteStream(at("b"), { flags: "a", flush: true });
  more.end("!");
  await finished(more);
  expect(fs.readFileSync(at("b"), "utf8")).toBe("one TWO three!");
});

test("events in order, errors of open", async () => {
  const seen = [];
  const r = fs.createReadStream(at("b"));
  for (const name of ["open", "ready", "end", "close"]) r.on(name, () => seen.push(name));
  r.resume();
  await finished(r);
  await new Promise((resolve) => setImmediate(resolve));
  expect(seen).toEqual(["open", "ready", "end", "close"]);
  const missing = fs.createReadStream(at("missing"));
  await expect(finished(missing)).rejects.toThrow(/ENOENT/);
});

test("copies much", async () => {
  const data = Buffer.alloc(1_000_000, "abcdefg");
  fs.writeFileSync(at("big"), data);
  await pipeline(fs.createReadStream(at("big")), fs.createWriteStream(at("copy")));
  expect(fs.readFileSync(at("copy")).equals(data)).toBe(true);
});

test("streams of a FileHandle", async () => {
  const handle = await fs.promises.open(at("b"));
  expect((await handle.createReadStream({ encoding: "utf8" }).toArray()).join("")).toHaveLength(14);
  expect(handle.fd).toBe(-1);
  const other = await fs.promises.open(at("b"));
  expect(await other.readableWebStream({ autoClose: true }).text()).toBe("one TWO three!");
  expect(() => other.readableWebStream()).toThrow(/closed/);
});
