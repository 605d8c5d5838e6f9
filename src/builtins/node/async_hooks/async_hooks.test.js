// Tests of node:async_hooks.
const {
  AsyncLocalStorage,
  AsyncResource,
  createHook,
  executionAsyncId,
  triggerAsyncId,
} = require("node:async_hooks");
const { EventEmitter } = require("node:events");

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

test("a store follows await of every kind", async () => {
  const als = new AsyncLocalStorage();
  const pending = sleep(1);
  const seen = [];
  await als.run("a", async () => {
    seen.push(als.getStore());
    await 1;
    seen.push(als.getStore());
    await pending;
    seen.push(als.getStore());
    try {
      await Promise.reject(new Error("x"));
    } catch {
      seen.push(als.getStore());
    }
    await {
      then(resolve) {
        seen.push(als.getStore());
        setTimeout(() => als.run("other", resolve), 1);
      },
    };
    seen.push(als.getStore());
    await Promise.all([sleep(1), Promise.race([sleep(1), pending])]);
    seen.push(als.getStore());
    for await (const value of [pending, 2]) seen.push(als.getStore() + (value ?? ""));
  });
  expect(seen).toEqual(["a", "a", "a", "a", "a", "a", "a", "a", "a2"]);
  expect(als.getStore()).toBe(undefined);
});

test("two chains at a time do not mix", async () => {
  const als = new AsyncLocalStorage();
  async function work(n) {
    for (let i = 0; i < 20; i++) {
      await (i % 2 ? sleep(0) : null);
      if (als.getStore() !== n) throw new Error(`${als.getStore()} in ${n}`);
    }
    return n;
  }
  const all = await Promise.all([1, 2, 3, 4].map((n) => als.run(n, work, n)));
  expect(all).toEqual([1, 2, 3, 4]);
});

test("then, catch, finally, subclasses, thenables", async () => {
  const als = new AsyncLocalStorage();
  let resolve;
  const later = new Promise((r) => (resolve = r));
  class Own extends Promise {}
  const seen = [];
  const note = (name) => () => seen.push(`${name}:${als.getStore()}`);
  const done = als.run(1, () =>
    Promise.all([
      later.then(note("then")),
      later.finally(note("finally")),
      Promise.reject(1).catch(note("catch")),
      Own.resolve(later).then(note("own")),
      new Promise((r) => r({ then: (f) => (note("thenable")(), f()) })),
    ]),
  );
  als.run(2, resolve);
  await done;
  expect(seen.sort()).toEqual(["catch:1", "finally:1", "own:1", "then:1", "thenable:1"]);
});

test("timers, ticks, microtasks, immediates", async () => {
  const als = new AsyncLocalStorage();
  const seen = [];
  const note = (name, last) => () => {
    seen.push(name + als.getStore());
    last?.();
  };
  await als.run(1, () => {
    process.nextTick(note("tick"));
    queueMicrotask(note("micro"));
    setImmediate(note("immediate"));
    setTimeout(note("timeout"), 1);
    return new Promise((resolve) => {
      const timer = setInterval(
        note("interval", () => (clearInterval(timer), resolve())),
        2,
      );
    });
  });
  expect(seen.sort()).toEqual(["immediate1", "interval1", "micro1", "tick1", "timeout1"]);
});

test("what was queued outside stays outside", async () => {
  const als = new AsyncLocalStorage();
  const seen = [];
  await new Promise((resolve) => {
    process.nextTick(() => seen.push(als.getStore()));
    Promise.resolve().then(() => seen.push(als.getStore()));
    setTimeout(() => {
      seen.push(als.getStore());
      resolve();
    }, 1);
    als.run(0, () => als.enterWith(1));
  });
  expect(seen).toEqual([undefined, undefined, undefined]);
});

test("enterWith lasts in an async function and not beyond", async () => {
  const als = new AsyncLocalStorage();
  async function inner() {
    await 0;
    als.enterWith("in");
    await 0;
    return als.getStore();
  }
  expect(await inner()).toBe("in");
  expect(als.getStore()).toBe(undefined);
});

test("async generators", async () => {
  const als = new AsyncLocalStorage();
  async function* make() {
    await 0;
    yield als.getStore();
    await sleep(1);
    yield als.getStore();
  }
  const got = [];
  await als.run(7, async () => {
    for await (const value of make()) got.push(value, als.getStore());
  });
  expect(got).toEqual([7, 7, 7, 7]);
});

test("exit, disable, bind, snapshot, default values, names", () => {
  const als = new AsyncLocalStorage({ defaultValue: "d", name: "n" });
  expect([als.name, als.getStore()]).toEqual(["n", "d"]);
  const [bound, snapshot] = als.run(1, () => [
    AsyncLocalStorage.bind((a, b) => [als.getStore(), a, b]),
    AsyncLocalStorage.snapshot(),
  ]);
  expect(bound.length).toBe(2);
  expect(bound(2, 3)).toEqual([1, 2, 3]);
  expect(als.run(5, () => snapshot((x) => [als.getStore(), x], 4))).toEqual([1, 4]);
  als.run(1, () => {
    expect(als.exit(() => als.getStore())).toBe(undefined);
    als.disable();
    expect(als.getStore()).toBe("d");
  });
  expect(() => new AsyncLocalStorage(1)).toThrow("ERR_INVALID_ARG_TYPE");
  expect(() => AsyncLocalStorage.bind(1)).toThrow("ERR_INVALID_ARG_TYPE");
});

test("several storages, exceptions", () => {
  const a = new AsyncLocalStorage();
  const b = new AsyncLocalStorage();
  a.run(1, () =>
    b.run(2, () => {
      expect([a.getStore(), b.getStore()]).toEqual([1, 2]);
      expect(() => a.run(3, () => { throw new Error("out"); })).toThrow("out");
      expect(a.getStore()).toBe(1);
    }),
  );
  expect([a.getStore(), b.getStore()]).toEqual([undefined, undefined]);
});

test("resources and their hooks", () => {
  const events = [];
  const hook = createHook({
    init: (id, type, trigger) => events.push(["init", type, trigger]),
    before: () => events.push("before"),
    after: () => events.push("after"),
    destroy: () => events.push("destroy"),
  }).enable();
  const als = new AsyncLocalStorage();
  const resource = als.run("r", () => new AsyncResource("Thing"));
  const self = {};
  const result = resource.runInAsyncScope(
    function (x) {
      return [this === self, x, als.getStore(), executionAsyncId() === resource.asyncId()];
    },
    self,
    9,
  );
  expect(result).toEqual([true, 9, "r", true]);
  expect([executionAsyncId(), triggerAsyncId()]).toEqual([1, 0]);
  resource.emitDestroy();
  hook.disable();
  new AsyncResource("Unseen");
  expect(events).toEqual([["init", "Thing", 1], "before", "after", "destroy"]);
  expect(() => new AsyncResource("x", { triggerAsyncId: "a" })).toThrow("ERR_INVALID_ASYNC_ID");
  expect(() => createHook({ init: 1 })).toThrow("ERR_ASYNC_CALLBACK");
});

test("an emitter calls in the context of who emits", () => {
  const als = new AsyncLocalStorage();
  const emitter = new EventEmitter();
  const seen = [];
  als.run(1, () => emitter.on("x", () => seen.push(als.getStore())));
  als.run(2, () => emitter.emit("x"));
  expect(seen).toEqual([2]);
});

test("callbacks of work that is done elsewhere run where they were handed over", async () => {
  const als = new AsyncLocalStorage();
  const fs = require("node:fs");
  const crypto = require("node:crypto");
  const zlib = require("node:zlib");
  const { spawn } = require("node:child_process");
  const { Worker } = require("node:worker_threads");
  const starts = {
    stat: (done) => fs.stat(__filename, done),
    readFile: (done) => fs.readFile(__filename, done),
    exists: (done) => fs.exists(__filename, done),
    opendir: (done) => fs.opendir(__dirname, done),
    watch(done) {
      const dir = fs.mkdtempSync(`${require("node:os").tmpdir()}/cob-context-`);
      const watcher = fs.watch(dir, () => {
        watcher.close();
        fs.rmSync(dir, { recursive: true, force: true });
        done();
      });
      fs.writeFileSync(`${dir}/x`, "");
    },
    watchFile(done) {
      const file = `${__filename}.none`;
      fs.watchFile(file, { interval: 1 }, () => {
        fs.unwatchFile(file);
        done();
      });
    },
    message(done) {
      const { port1, port2 } = new MessageChannel();
      port1.on("message", () => {
        port1.close();
        done();
      });
      port2.postMessage(1);
    },
    close: (done) => fs.open(__filename, (err, fd) => fs.close(fd, done)),
    streamEnd: (done) => fs.createReadStream(__filename).on("end", done).resume(),
    streamClose: (done) => fs.createReadStream(__filename).on("close", done).resume(),
    gzip: (done) => zlib.gzip("x", done),
    gzipData: (done) => zlib.createGzip().once("data", done).end("x"),
    randomBytes: (done) => crypto.randomBytes(8, done),
    pbkdf2: (done) => crypto.pbkdf2("a", "b", 1, 8, "sha1", done),
    keys: (done) => crypto.generateKeyPair("ec", { namedCurve: "P-256" }, done),
    lookup: (done) => require("node:dns").lookup("localhost", done),
    exit: (done) => spawn("true").on("exit", done),
    childData: (done) => spawn("echo", ["x"]).stdout.once("data", done),
    childEnd: (done) => spawn("true").stdout.on("end", done).resume(),
    childInput: (done) => spawn("cat").stdin.on("close", done).end("x"),
    childClose: (done) => spawn("true").on("close", done),
    worker: (done) => new Worker("", { eval: true }).on("exit", done),
  };
  for (const [name, start] of Object.entries(starts)) {
    const store = await new Promise((resolve) => {
      als.run(name, () => start(() => resolve(als.getStore())));
    });
    expect(store).toBe(name);
  }
});

test("nested runs in a chain of timers keep no memory", async () => {
  const als = new AsyncLocalStorage();
  let depth = 0;
  await new Promise((resolve) => {
    const step = () => (++depth === 200 ? resolve() : als.run(depth, () => setImmediate(step)));
    step();
  });
  expect(cobInternal("internal/async_context").frame).toBe(undefined);
});

test("run() leaves alone what other storages have entered", () => {
  const { AsyncLocalStorage } = require("node:async_hooks");
  const one = new AsyncLocalStorage();
  const two = new AsyncLocalStorage();
  one.run(1, () => {
    two.run("inner", () => {});
    two.enterWith(2);
    expect([one.getStore(), two.getStore()]).toEqual([1, 2]);
  });
  expect([one.getStore(), two.getStore()]).toEqual([undefined, 2]);
  one.run(3, () => {
    one.enterWith(4);
    two.run(5, () => one.disable());
    expect([one.getStore(), two.getStore()]).toEqual([undefined, 2]);
  });
  expect(one.getStore()).toBe(undefined);
  two.disable();
});
