// Tests of node:worker_threads, and of the ports and the Worker of the Web.
const wt = require("node:worker_threads");
const { once } = require("node:events");
const { Worker } = wt;

const exitOf = (worker) => new Promise((resolve) => worker.on("exit", resolve));

test("this thread", () => {
  expect([wt.isMainThread, wt.threadId, wt.parentPort, wt.workerData]).toEqual([
    true, 0, null, null,
  ]);
});

test("data, messages, environment, exit", async () => {
  const worker = new Worker(
    `const { parentPort, workerData, threadId, isMainThread } = require("worker_threads");
     parentPort.on("message", (m) => {
       parentPort.postMessage([m, workerData, isMainThread, process.env.A, process.argv.slice(2)]);
       parentPort.close();
     });`,
    { eval: true, workerData: new Map([["k", [1n]]]), env: { A: "b" }, argv: ["x"] },
  );
  const exited = exitOf(worker);
  worker.postMessage({ date: new Date(5) });
  const [message] = await once(worker, "message");
  expect(message).toEqual([{ date: new Date(5) }, new Map([["k", [1n]]]), false, "b", ["x"]]);
  expect(await exited).toBe(0);
  expect(worker.threadId).toBe(-1);
});

test("errors, codes, the end of a loop", async () => {
  const failing = new Worker("throw new TypeError('no')", { eval: true });
  const exited = exitOf(failing);
  const [error] = await once(failing, "error");
  expect([error instanceof TypeError, error.message, await exited]).toEqual([true, "no", 1]);
  const rejecting = new Worker("Promise.reject(new Error('r'))", { eval: true });
  expect((await once(rejecting, "error"))[0].message).toBe("r");
  expect(await exitOf(new Worker("process.exit(7); for (;;);", { eval: true }))).toBe(7);
  expect(await exitOf(new Worker("process.exitCode = 3", { eval: true }))).toBe(3);
  const endless = new Worker("for (;;);", { eval: true });
  await once(endless, "online");
  expect(await endless.terminate()).toBe(1);
});

test("terminate at any moment", async () => {
  const endlessAwait = "(async () => { for (;;) await 1; })()";
  const bodies = ["for (;;);", "setInterval(() => {}, 1)", endlessAwait, ""];
  const codes = await Promise.all(
    Array.from({ length: 4 }, async (_, i) => {
      const worker = new Worker(bodies[i % 4], { eval: true });
      await new Promise((resolve) => setTimeout(resolve, i * 3));
      return (await worker.terminate()) ?? 0;
    }),
  );
  expect(codes.every((code) => code === 0 || code === 1)).toBe(true);
});

test("buffers and ports move", async () => {
  const worker = new Worker(
    `require("worker_threads").parentPort.once("message", ({ port, bytes }) => {
       bytes[0]++;
       port.postMessage(bytes, [bytes.buffer]);
       port.close();
     });`,
    { eval: true },
  );
  const { port1, port2 } = new MessageChannel();
  const bytes = new Uint8Array([1, 2]);
  const answer = once(port1, "message");
  worker.postMessage({ port: port2, bytes }, [port2, bytes.buffer]);
  expect(bytes.length).toBe(0);
  expect((await answer)[0]).toEqual(new Uint8Array([2, 2]));
  expect(() => worker.postMessage(() => {})).toThrow("could not be cloned");
  expect(() => worker.postMessage(port2, [port2])).toThrow("detached");
});

test("receiveMessageOnPort, untransferable objects", () => {
  const { port1, port2 } = new MessageChannel();
  expect(wt.receiveMessageOnPort(port2)).toBe(undefined);
  port1.postMessage({ a: "\u4e2d\u00e9", b: [1.5, -0, undefined, null, true] });
  port1.postMessage(2);
  expect(wt.receiveMessageOnPort(port2)).toEqual({
    message: { a: "\u4e2d\u00e9", b: [1.5, -0, undefined, null, true] },
  });
  expect(wt.receiveMessageOnPort(port2)).toEqual({ message: 2 });
  const buffer = new ArrayBuffer(1);
  wt.markAsUntransferable(buffer);
  expect(() => port1.postMessage(0, [buffer])).toThrow("untransferable");
  port1.close();
});

test("channels", async () => {
  const [a, b] = [new BroadcastChannel("t"), new BroadcastChannel("t")];
  const other = new BroadcastChannel("other");
  other.onmessage = () => { throw new Error("not for me"); };
  const worker = new Worker(
    `const c = new BroadcastChannel("t");
     c.onmessage = (e) => { c.postMessage([e.data]); c.close(); };
     require("worker_threads").parentPort.postMessage("ready");`,
    { eval: true },
  );
  await once(worker, "message");
  const got = [];
  const both = new Promise((resolve) => {
    b.onmessage = (event) => got.push(event.data) === 2 && resolve();
  });
  a.postMessage("x");
  await both;
  expect(got).toEqual(["x", ["x"]]);
  for (const channel of [a, b, other]) channel.close();
});

test("streams", async () => {
  const worker = new Worker(
    `process.stdin.on("data", (d) => process.stdout.write("got " + d));
     process.stderr.write("e");`,
    { eval: true, stdin: true, stdout: true, stderr: true },
  );
  let out = "";
  worker.stdout.on("data", (data) => (out += data));
  worker.stdin.end("input");
  await exitOf(worker);
  expect(out).toBe("got input");
  expect(`${worker.stderr.read()}`).toBe("e");
});

test("environment data, arguments", async () => {
  wt.setEnvironmentData("k", { v: 1 });
  const worker = new Worker(
    `const w = require("worker_threads"); w.parentPort.postMessage(w.getEnvironmentData("k"))`,
    { eval: true },
  );
  expect((await once(worker, "message"))[0]).toEqual({ v: 1 });
  expect(() => new Worker("relative.js")).toThrow("ERR_WORKER_PATH");
  expect(() => new Worker(1)).toThrow("ERR_INVALID_ARG_TYPE");
  expect(() => new Worker("", { eval: true, argv: 1 })).toThrow("ERR_INVALID_ARG_TYPE");
});

test("the Worker of the Web", async () => {
  const text = "onmessage = (e) => { postMessage(e.data + 1); close(); }";
  const worker = new globalThis.Worker(`data:text/javascript,${encodeURIComponent(text)}`);
  const closed = new Promise((resolve) => worker.addEventListener("close", resolve));
  worker.postMessage(1);
  const event = await new Promise((resolve) => (worker.onmessage = resolve));
  expect([event.data, event instanceof MessageEvent, (await closed).code]).toEqual([2, true, 0]);
});

test("the Worker of the Web runs what a Blob holds", async () => {
  const url = URL.createObjectURL(new Blob(["postMessage", "([1, performance.timeOrigin > 0])"]));
  const worker = new globalThis.Worker(url);
  const event = await new Promise((resolve) => (worker.onmessage = resolve));
  expect(event.data).toEqual([1, true]);
  worker.terminate();
  URL.revokeObjectURL(url);
  expect(() => new globalThis.Worker(url)).toThrow("missing");
});

test("messages from any thread to any other", async () => {
  const { Worker, postMessageToThread, threadId } = require("node:worker_threads");
  const { once } = require("node:events");
  const worker = new Worker(
    `const { Worker, parentPort, postMessageToThread } = require("node:worker_threads");
     process.on("workerMessage", (value, source) => {
       if (value === "throw") throw new Error("x");
       value.port.postMessage([value.n + 1, source]);
     });
     const inner = new Worker(\`
       const { parentPort, postMessageToThread, workerData } = require("node:worker_threads");
       postMessageToThread(0, "from below").then(() => parentPort.postMessage("sent"));
       parentPort.once("message", () => {});
     \`, { eval: true });
     inner.once("message", (m) => { inner.postMessage("end"); parentPort.postMessage(m); });
     parentPort.once("message", () => {});`,
    { eval: true },
  );
  const got = [];
  const listener = (value, source) => got.push(value, source > worker.threadId);
  process.on("workerMessage", listener);
  await once(worker, "message");
  process.off("workerMessage", listener);
  expect(got).toEqual(["from below", true]);
  const { port1, port2 } = new MessageChannel();
  await postMessageToThread(worker.threadId, { n: 1, port: port2 }, [port2]);
  const [answer] = await once(port1, "message");
  expect(answer).toEqual([2, threadId]);
  port1.close();
  const code = (promise) => promise.then(() => "ok", (error) => error.code);
  expect(await code(postMessageToThread(worker.threadId, "throw")))
    .toBe("ERR_WORKER_MESSAGING_ERRORED");
  expect(await code(postMessageToThread(1e9))).toBe("ERR_WORKER_MESSAGING_FAILED");
  expect(await code(postMessageToThread(threadId))).toBe("ERR_WORKER_MESSAGING_SAME_THREAD");
  const usage = await worker.cpuUsage();
  expect(usage.user + usage.system > 0).toBe(true);
  worker.postMessage("end");
  await once(worker, "exit");
  expect(await code(worker.cpuUsage())).toBe("ERR_WORKER_NOT_RUNNING");
});

test("a console whose output the parent reads", async () => {
  const { Worker } = require("node:worker_threads");
  const worker = new Worker("console.log('out'); console.error('err')", {
    eval: true, stdout: true, stderr: true,
  });
  const text = async (stream) => {
    let all = "";
    for await (const chunk of stream) all += chunk;
    return all;
  };
  expect(await Promise.all([text(worker.stdout), text(worker.stderr)])).toEqual(["out\n", "err\n"]);
});

test("objects of ours go to another thread", async () => {
  const { subtle } = globalThis.crypto;
  const key = await subtle.generateKey({ name: "HMAC", hash: "SHA-256" }, true, ["sign"]);
  const pair = require("node:crypto").generateKeyPairSync("ec", { namedCurve: "P-256" });
  const kem = await subtle.generateKey("ML-KEM-512", true, ["encapsulateBits", "decapsulateBits"]);
  const raw = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);
  const module = new WebAssembly.Module(raw);
  const rules = new (require("node:net").BlockList)();
  rules.addSubnet("10.0.0.0", 8);
  const worker = new Worker(`
    const { parentPort } = require("node:worker_threads");
    parentPort.once("message", async (m) => {
      const jwk = await crypto.subtle.exportKey("jwk", m.key);
      new WebAssembly.Instance(m.module);
      parentPort.postMessage({
        k: jwk.k, pem: m.pair.privateKey.export({ type: "pkcs8", format: "pem" }),
        kem: m.kem.publicKey.algorithm.name, text: await m.blob.text(), name: m.file.name,
        check: m.rules.check("10.1.2.3"), error: m.error instanceof DOMException && m.error.name,
        back: m.key,
      });
    });`, { eval: true });
  const blob = new Blob(["some ", "text"]);
  const file = new File(["x"], "f.txt");
  const error = new DOMException("m", "AbortError");
  worker.postMessage({ key, pair, kem, module, rules, blob, file, error });
  const [got] = await once(worker, "message");
  expect(got.k).toBe((await subtle.exportKey("jwk", key)).k);
  expect(got.pem).toBe(pair.privateKey.export({ type: "pkcs8", format: "pem" }));
  expect(got.back.usages).toEqual(["sign"]);
  const { kem: name, text, name: fileName, check, error: errorName } = got;
  expect([name, text, fileName, check, errorName])
    .toEqual(["ML-KEM-512", "some text", "f.txt", true, "AbortError"]);
});

test("SHARE_ENV: one environment for both", async () => {
  process.env.SHARED_BEFORE = "1";
  const worker = new Worker(`
    const { parentPort } = require("node:worker_threads");
    const before = process.env.SHARED_BEFORE;
    process.env.SHARED_BY_CHILD = 5;
    delete process.env.SHARED_GONE;
    parentPort.once("message", () => {
      parentPort.postMessage([before, process.env.SHARED_LATER, "SHARED_LATER" in process.env,
        Object.keys(process.env).includes("SHARED_BY_CHILD"),
        require("node:child_process").execFileSync("/usr/bin/env").includes("SHARED_LATER=2")]);
    });
    parentPort.postMessage("ready");`, { eval: true, env: wt.SHARE_ENV });
  process.env.SHARED_GONE = "x";
  process.env[""] = "no such variable";
  expect("" in process.env).toBe(false);
  await once(worker, "message");
  process.env.SHARED_LATER = "2";
  worker.postMessage(0);
  expect((await once(worker, "message"))[0]).toEqual(["1", "2", true, true, true]);
  expect(process.env.SHARED_BY_CHILD).toBe("5");
  await once(worker, "exit");
  expect({ ...process.env }.SHARED_LATER).toBe("2");
});

test("what comes while nobody listens waits", async () => {
  const { port1, port2 } = new MessageChannel();
  const nobody = () => {};
  port2.on("message", nobody);
  port2.off("message", nobody);
  port1.postMessage("kept");
  await new Promise((resolve) => { setTimeout(resolve, 5); });
  expect((await once(port2, "message"))[0]).toBe("kept");
  port1.close();
});

test("resourceLimits: a heap that grows too large ends the thread, nothing else", async () => {
  const worker = new Worker("const a = []; for (;;) a.push(new Array(1000).fill(1.5));", {
    eval: true, resourceLimits: { maxOldGenerationSizeMb: 16 },
  });
  const exited = exitOf(worker);
  const [error] = await once(worker, "error");
  expect(error.code).toBe("ERR_WORKER_OUT_OF_MEMORY");
  expect(await exited).toBe(1);
  const depthOf = async (stackSizeMb) => {
    // Frames of a thousand arguments are of one size, compiled or not.
    const text = `let n = 0; const list = new Array(1000).fill(0);
      const f = (...args) => { n++; f(...args); }; try { f(...list); } catch {}
      require("node:worker_threads").parentPort.postMessage(n);`;
    const deep = new Worker(text, { eval: true, resourceLimits: { stackSizeMb } });
    return (await once(deep, "message"))[0];
  };
  const shallow = await depthOf(0.001);
  expect(shallow > 0 && (await depthOf(64)) > shallow).toBe(true);
});
