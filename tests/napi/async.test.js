// Node-API: promises, work, other threads, contexts, loading, the end of an environment.
const { AsyncLocalStorage } = require("node:async_hooks");
const { spawnSync } = require("node:child_process");
const { pathToFileURL } = require("node:url");
const { Worker } = require("node:worker_threads");
const { load, file, statuses } = require("./load.js");
const addon = load("async");

const required = `const addon = require(${JSON.stringify(file("async"))});`;
const run = (code) => spawnSync(process.execPath, ["-e", required + code], { encoding: "utf8" });

test("promises", async () => {
  for (let i = 0; i < 2; i++) {
    const promise = addon.promise();
    expect(addon.isPromise(promise)).toBe(true);
    addon.settle(5, false);
    expect(await promise).toBe(5);
  }
  const rejected = addon.promise();
  addon.settle(new Error("no"), true);
  expect(await rejected.catch((e) => e.message)).toBe("no");
  const chained = addon.promise();
  addon.settle(Promise.resolve("inner"), false);
  expect(await chained).toBe("inner");
  expect(addon.isPromise({ then() {} })).toBe(false);
});

test("work on the pool", async () => {
  const found = await new Promise((resolve) => addon.work(12, (...args) => resolve(args)));
  expect(found).toEqual([0, 144, false]);
  const states = [];
  const wasCancelled = await new Promise((resolve) => {
    const inTime = addon.cancelled(0, (status) => {
      states.push(status);
      if (states.length === 200) resolve(inTime);
    });
  });
  expect(states.filter((s) => s === statuses.cancelled).length).toBe(wasCancelled);
});

test("what a callback of work throws is uncaught", () => {
  const { stdout } = run(`process.on("uncaughtException", (e) => console.log("caught", e.message));
    addon.work(2, () => { throw new Error("late"); });`);
  expect(stdout).toBe("caught late\n");
});

test("calls from many threads arrive, each thread's in order", async () => {
  for (const [limit, blocks] of [[0, false], [3, true], [3, false]]) {
    const last = [-1, -1, -1, -1];
    const before = addon.counts()[3];
    await new Promise((resolve) => {
      let left = 4 * 250;
      const ok = addon.fromThreads((n) => {
        const thread = Math.floor(n / 100000);
        expect(n % 100000).toBe(last[thread] + 1);
        last[thread]++;
        if (--left === 0) resolve();
      }, 4, 250, limit, blocks);
      expect(ok).toBe(true);
    });
    while (addon.counts()[3] === before) await new Promise(setImmediate);
  }
});

test("ticks and microtasks run between two calls", async () => {
  const seen = [];
  await new Promise((resolve) => {
    addon.hold((n) => {
      seen.push(n);
      Promise.resolve().then(() => seen.push(-n));
      if (n === 2) setImmediate(resolve);
    });
    addon.callHeld(1);
    addon.callHeld(2);
  });
  expect(seen).toEqual([1, -1, 2, -2]);
  addon.callHeld(3);
  expect(addon.abortHeld()).toBe(0);
  expect(addon.callHeld(4)).toBe(statuses.invalidArg);
  const before = addon.counts()[3];
  while (addon.counts()[3] === before) await new Promise(setImmediate);
  expect(addon.counts()[2]).toBe(1);
  expect(seen.length).toBe(4);
});

test("a thread-safe function keeps the program, or not", () => {
  expect(run(`addon.hold(() => 0); addon.refHeld(false); console.log("ends")`).stdout).toBe("ends\n");
  const kept = run(`addon.hold(() => { console.log("called"); addon.abortHeld(); });
    addon.refHeld(false); addon.refHeld(true); setTimeout(() => addon.callHeld(1), 20).unref();`);
  expect(kept.stdout).toBe("called\n");
});

test("callbacks have the asynchronous context of their maker", () => {
  const storage = new AsyncLocalStorage();
  storage.run("maker", () => addon.makeContext({}));
  const ask = function () { return [storage.getStore(), this.name]; };
  storage.run("other", () => {
    expect(addon.callIn({ name: "self" }, ask)).toEqual(["maker", "self"]);
    expect(addon.scopeIn({ name: "self" }, ask)).toEqual(["maker", "self"]);
    expect(() => addon.callIn({}, () => { throw new Error("inside"); })).toThrow("inside");
    expect(storage.getStore()).toBe("other");
  });
  addon.destroyContext();
});

test("hooks and finalizers run at the end, newest first", () => {
  const ended = run(`addon.hooks(); addon.instanceData(true); globalThis.kept = addon.finalizeAtEnd();
    process.on("exit", () => console.log("exit"));`);
  expect(ended.stdout).toBe("exit\nasync hook\nsecond\nfirst\ndata of an object\ndata of the instance\n");
  expect(run("addon.hooks(); process.exit(3)").stdout).toBe("async hook\nsecond\nfirst\n");
});

test("each worker has an environment of its own", async () => {
  const code = `const addon = require(${JSON.stringify(file("async"))});
    const { parentPort } = require("node:worker_threads");
    addon.hold(() => 0);
    addon.refHeld(false);
    addon.work(3, (status, n) => parentPort.postMessage([addon.instanceData(), n]));`;
  expect(addon.instanceData()).toBe(true);
  expect(addon.instanceData()).toBe(false);
  const rounds = process.env.COB_GC_STRESS ? 1 : 2;
  for (let i = 0; i < rounds; i++) {
    const worker = new Worker(code, { eval: true });
    const message = await new Promise((resolve, reject) => {
      worker.on("message", resolve);
      worker.on("error", reject);
    });
    expect(message).toEqual([true, 9]);
    await worker.terminate();
  }
});

test("posted finalizers, names", async () => {
  const before = addon.post();
  while (addon.posted() === before) await new Promise(setImmediate);
  expect(addon.posted()).toBe(before + 1);
  expect(addon.fileName()).toBe(pathToFileURL(file("async")).href);
  expect(addon.hasLoop()).toBe(statuses.ok);
});

test("loading", async () => {
  expect(load("register")).toBe("instead of exports");
  delete require.cache[file("register")];
  expect(load("register")).toBe("instead of exports");
  const imported = await import(file("values"));
  expect(typeof imported.numbers).toBe("function");
  expect(imported.default === load("values")).toBe(true);
  const own = { exports: {} };
  process.dlopen(own, file("values"));
  expect(typeof own.exports.numbers).toBe("function");
  expect(own.exports === load("values")).toBe(false);
  const failure = (name) => {
    try {
      load(name);
    } catch (error) {
      return [error.code, error.message];
    }
  };
  expect(failure("broken")[0]).toBe("ERR_DLOPEN_FAILED");
  expect(failure("broken")[1]).toContain("file too short");
  expect(failure("needs_v8")[1]).toContain("the C++ interface of V8 (_ZN2v87Isolate10GetCurrentEv)");
  expect(() => process.dlopen({ exports: {} }, 5)).toThrow("filename");
});
