// Tests of node:child_process.
const cp = require("node:child_process");
const { promisify } = require("node:util");
const { once } = require("node:events");

const self = process.execPath;
const script = (text) => [self, ["-e", text]];

function collect(child) {
  return new Promise((resolve) => {
    const result = { out: "", err: "", events: [] };
    child.stdout?.on("data", (data) => (result.out += data));
    child.stderr?.on("data", (data) => (result.err += data));
    for (const name of ["spawn", "error", "exit", "close"]) {
      child.on(name, (...args) => {
        result.events.push(name);
        result[name] = args;
        if (name === "close") resolve(result);
      });
    }
  });
}

test("spawn: streams, events, codes", async () => {
  const child = cp.spawn("sh", ["-c", "cat; echo err >&2; exit 3"]);
  expect(typeof child.pid).toBe("number");
  child.stdin.end("in");
  const result = await collect(child);
  expect([result.out, result.err, result.exit, result.close]).toEqual([
    "in", "err\n", [3, null], [3, null],
  ]);
  expect(result.events).toEqual(["spawn", "exit", "close"]);
  expect([child.exitCode, child.signalCode, child.killed]).toEqual([3, null, false]);
});

test("a program that is not there", async () => {
  const child = cp.spawn("cob-no-such-program", ["a"]);
  const result = await collect(child);
  const [error] = result.error;
  expect([error.code, error.errno, error.syscall, error.path, error.spawnargs]).toEqual([
    "ENOENT", -2, "spawn cob-no-such-program", "cob-no-such-program", ["a"],
  ]);
  expect([result.events, child.pid]).toEqual([["error", "close"], undefined]);
});

test("much data in both directions", async () => {
  const child = cp.spawn("cat");
  const data = Buffer.alloc(3_000_000, "abcdefg");
  const parts = [];
  child.stdout.on("data", (part) => parts.push(part));
  child.stdin.end(data);
  await once(child, "close");
  expect(Buffer.concat(parts).equals(data)).toBe(true);
});

test("kill, timeout, abort", async () => {
  const child = cp.spawn("sleep", ["100"]);
  expect(child.kill("SIGKILL")).toBe(true);
  expect((await collect(child)).exit).toEqual([null, "SIGKILL"]);
  expect(child.kill()).toBe(false);
  expect((await collect(cp.spawn("sleep", ["100"], { timeout: 5 }))).exit).toEqual([null, "SIGTERM"]);
  const controller = new AbortController();
  const aborted = collect(cp.spawn("sleep", ["100"], { signal: controller.signal }));
  controller.abort();
  const result = await aborted;
  expect([result.error[0].name, result.exit[1]]).toEqual(["AbortError", "SIGTERM"]);
});

test("exec and execFile", async () => {
  const exec = promisify(cp.exec);
  expect(await exec("echo $FOO", { env: { FOO: "bar" } })).toEqual({ stdout: "bar\n", stderr: "" });
  const error = await exec("echo oops >&2; exit 4").catch((e) => e);
  expect([error.code, error.stderr, error.killed, error.signal, error.cmd]).toEqual([
    4, "oops\n", false, null, "echo oops >&2; exit 4",
  ]);
  expect(error.message).toBe("Command failed: echo oops >&2; exit 4\noops\n");
  const full = await promisify(cp.execFile)("yes", [], { maxBuffer: 10 }).catch((e) => e);
  expect([full.code, full.stdout.length]).toEqual(["ERR_CHILD_PROCESS_STDIO_MAXBUFFER", 10]);
});

test("the synchronous forms", () => {
  const done = cp.spawnSync("sh", ["-c", "cat; echo e >&2; exit 2"], { input: "x", encoding: "utf8" });
  expect([done.status, done.signal, done.stdout, done.stderr]).toEqual([2, null, "x", "e\n"]);
  expect(cp.execFileSync("echo", ["a", "b"]).toString()).toBe("a b\n");
  expect(() => cp.execSync("exit 3", { stdio: "pipe" })).toThrow("Command failed: exit 3");
  expect(cp.spawnSync("cob-no-such-program").error.code).toBe("ENOENT");
  const late = cp.spawnSync("sleep", ["100"], { timeout: 5 });
  expect([late.error.code, late.signal]).toEqual(["ETIMEDOUT", "SIGTERM"]);
  expect(cp.spawnSync("yes", { maxBuffer: 100 }).error.code).toBe("ENOBUFS");
});

test("fork: messages in order, disconnect, advanced serialization", async () => {
  const text =
    "process.on('message', (m) => m === 'end' ? process.disconnect() : process.send({ got: m }));";
  const child = cp.spawn(...script(text), { stdio: ["pipe", "pipe", "inherit", "ipc"] });
  const got = [];
  const long = "x".repeat(300_000);
  child.on("message", (message) => got.push(message));
  expect(child.connected).toBe(true);
  for (const message of [1, "two", { three: [3] }, long]) child.send(message);
  child.send("end");
  await Promise.all([once(child, "close"), once(child, "disconnect")]);
  expect(got).toEqual([
    { got: 1 }, { got: "two" }, { got: { three: [3] } }, { got: long },
  ]);
  expect([child.connected, child.exitCode]).toEqual([false, 0]);
  const closed = once(child, "error");
  expect(child.send(1)).toBe(false);
  expect((await closed)[0].code).toBe("ERR_IPC_CHANNEL_CLOSED");
});

test("stdio of every kind", async () => {
  const child = cp.spawn("sh", ["-c", "echo one; echo two >&2; echo three >&3; cat <&4"], {
    stdio: ["ignore", "pipe", "ignore", "pipe", "pipe"],
  });
  expect([child.stdin, child.stderr, child.stdio.length]).toEqual([null, null, 5]);
  let three = "";
  child.stdio[3].on("data", (data) => (three += data));
  child.stdio[4].end("four");
  const result = await collect(child);
  expect([result.out, three]).toEqual(["one\nfour", "three\n"]);
});

test("arguments", () => {
  for (const [call, code] of [
    [() => cp.spawn(), "ERR_INVALID_ARG_TYPE"],
    [() => cp.spawn(""), "ERR_INVALID_ARG_VALUE"],
    [() => cp.spawn("a\0b"), "ERR_INVALID_ARG_VALUE"],
    [() => cp.spawn("a", { stdio: "x" }), "ERR_INVALID_ARG_VALUE"],
    [() => cp.spawn("a", { uid: "x" }), "ERR_INVALID_ARG_TYPE"],
    [() => cp.spawn("a", { cwd: 1 }), "ERR_INVALID_ARG_TYPE"],
    [() => cp.spawnSync("a", { timeout: -1 }), "ERR_OUT_OF_RANGE"],
    [() => cp.spawn("a", { stdio: ["ipc", "ipc"] }), "ERR_IPC_ONE_PIPE"],
    [() => cp.fork("a", { stdio: ["pipe"] }), "ERR_CHILD_PROCESS_IPC_REQUIRED"],
    [() => cp.spawn("true").kill("SIGNO"), "ERR_UNKNOWN_SIGNAL"],
  ]) {
    expect(call).toThrow(code);
  }
});

test("many children leave no descriptors", async () => {
  const { readdirSync } = require("node:fs");
  const run = () => Promise.all(Array.from({ length: 10 }, () => collect(cp.spawn("true"))));
  await run();
  const count = () => readdirSync("/proc/self/fd").length;
  const before = count();
  for (let i = 0; i < 5; i++) await run();
  // Closing a descriptor may end after the event "close"; what is kept stays for good.
  for (let i = 0; i < 2000 && count() > before; i++) await new Promise((go) => setTimeout(go, 1));
  expect(count() <= before).toBe(true);
});

test("arguments need not be texts", () => {
  const { spawnSync } = require("node:child_process");
  expect(spawnSync("echo", ["a", 5]).stdout.toString()).toBe("a 5\n");
  expect(() => spawnSync("echo", ["a\0b"])).toThrow("null bytes");
});
