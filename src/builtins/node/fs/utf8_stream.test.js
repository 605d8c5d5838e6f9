const fs = require("node:fs");
const path = require("node:path");
const os = require("node:os");
const { once } = require("node:events");
const { Utf8Stream } = fs;

const dir = fs.mkdtempSync(path.join(os.tmpdir(), "cob-utf8-stream-"));
const at = (name) => path.join(dir, name);
process.on("exit", () => fs.rmSync(dir, { recursive: true }));

for (const sync of [true, false]) {
  const kind = sync ? "synchronous" : "asynchronous";

  test(`${kind}: what is written is kept until there is enough`, async () => {
    const dest = at(`keep-${sync}`);
    const stream = new Utf8Stream({ dest, sync, minLength: 20 });
    await once(stream, "ready");
    expect(stream.write("hello ")).toBe(true);
    expect(fs.readFileSync(dest, "utf8")).toBe("");
    stream.flushSync();
    expect(fs.readFileSync(dest, "utf8")).toBe("hello ");
    stream.write("and more than twenty");
    await once(stream, "drain");
    expect(fs.readFileSync(dest, "utf8")).toBe("hello and more than twenty");
    stream.write("!");
    stream.end();
    await once(stream, "close");
    expect(fs.readFileSync(dest, "utf8")).toBe("hello and more than twenty!");
    expect(() => stream.write("x")).toThrow("Utf8Stream is destroyed");
  });

  test(`${kind}: a short write continues at a whole character`, async () => {
    const chunks = [];
    const sizes = [2, 3, undefined];
    const take = (fd, text, encoding, done) => {
      chunks.push(text);
      const n = sizes.shift();
      if (!sync) process.nextTick(done, null, n);
      return n;
    };
    const own = sync ? { writeSync: take } : { write: take };
    const stream = new Utf8Stream({ dest: at(`short-${sync}`), sync, fs: own });
    await once(stream, "ready");
    stream.write("a\u4e2db");
    stream.end();
    await once(stream, "finish");
    expect(chunks).toEqual(["a\u4e2db", "\u4e2db", "b"]);
  });
}

test("a busy destination is tried again if the program says so", async () => {
  const asked = [];
  let n = 0;
  const stream = new Utf8Stream({
    dest: at("busy"),
    retryEAGAIN(error, length, rest) {
      asked.push([error.code, length, rest]);
      return asked.length < 2;
    },
    fs: {
      write(fd, text, encoding, done) {
        if (n++ < 2) process.nextTick(done, Object.assign(new Error("busy"), { code: "EBUSY" }));
        else fs.write(fd, text, encoding, done);
      },
    },
  });
  await once(stream, "ready");
  stream.write("text");
  const [error] = await once(stream, "error");
  expect(error.code).toBe("EBUSY");
  expect(asked).toEqual([["EBUSY", 4, 0], ["EBUSY", 4, 0]]);
  stream.end();
  await once(stream, "finish");
  expect(fs.readFileSync(at("busy"), "utf8")).toBe("text");
});

test("buffers, files that are opened again, what is dropped", async () => {
  const options = { dest: at("deep/one"), mkdir: true, contentMode: "buffer", sync: true };
  const stream = new Utf8Stream(options);
  stream.write(Buffer.from("one"));
  stream.reopen(at("two"));
  stream.write(Buffer.from("two"));
  stream.end();
  await once(stream, "close");
  expect(fs.readFileSync(at("deep/one"), "utf8")).toBe("one");
  expect(fs.readFileSync(at("two"), "utf8")).toBe("two");
  const small = new Utf8Stream({ dest: at("small"), sync: true, minLength: 3, maxLength: 5 });
  const dropped = [];
  small.on("drop", (data) => dropped.push(data));
  small.write("ab");
  small.write("cdef");
  expect(dropped).toEqual(["cdef"]);
  small.destroy();
});

for (const ends of [false, true]) {
  test(`destroyed while it writes${ends ? " its end" : ""}: nothing more is written, one close`, async () => {
    const calls = [];
    let finish;
    const stream = new Utf8Stream({
      dest: at("destroyed"),
      maxWrite: 4,
      fs: {
        write(fd, text, encoding, done) {
          calls.push(text);
          finish = () => done(null, 2);
        },
        close(fd, done) {
          calls.push("close");
          fs.close(fd, done);
        },
      },
    });
    await once(stream, "ready");
    stream.write("abcd");
    stream.write("efgh");
    if (ends) stream.end();
    stream.destroy();
    stream.destroy();
    await once(stream, "close");
    finish();
    expect(stream.writing).toBe(false);
    expect(calls).toEqual(["abcd", "close"]);
  });
}

test("arguments", () => {
  const codeOf = (fn) => {
    try {
      fn();
    } catch (error) {
      return error.code;
    }
    return undefined;
  };
  expect(codeOf(() => new Utf8Stream())).toBe("ERR_INVALID_ARG_TYPE");
  expect(codeOf(() => new Utf8Stream({ fd: 1, minLength: 16384 }))).toBe("ERR_INVALID_ARG_VALUE");
  expect(codeOf(() => new Utf8Stream({ fd: 1, contentMode: "x" }))).toBe("ERR_INVALID_ARG_VALUE");
  expect(codeOf(() => new Utf8Stream({ fd: 1, sync: 1 }))).toBe("ERR_INVALID_ARG_TYPE");
  expect(codeOf(() => new Utf8Stream({ fd: 1 }).write(5))).toBe("ERR_INVALID_ARG_TYPE");
  expect(codeOf(() => new Utf8Stream({ fd: 1 }).reopen())).toBe("ERR_OPERATION_FAILED");
});
