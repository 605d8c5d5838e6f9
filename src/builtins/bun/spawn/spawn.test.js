// Tests of Bun.spawn and Bun.spawnSync.
test("streams, codes, usage", async () => {
  let seen;
  const child = Bun.spawn(["sh", "-c", "cat; echo e >&2; exit 2"], {
    stdin: "pipe",
    stderr: "pipe",
    onExit: (...args) => (seen = args),
  });
  child.stdin.write("in ");
  child.stdin.write(new TextEncoder().encode("put"));
  child.stdin.end();
  expect([await child.stdout.text(), await child.stderr.text()]).toEqual(["in put", "e\n"]);
  expect([await child.exited, child.exitCode, child.signalCode]).toEqual([2, 2, null]);
  expect(seen).toEqual([child, 2, null, undefined]);
  expect(child.resourceUsage().cpuTime.total >= 0).toBe(true);
});

test("stdin of every kind", async () => {
  const stream = new ReadableStream({
    start(controller) {
      controller.enqueue("stre");
      controller.enqueue(new TextEncoder().encode("am"));
      controller.close();
    },
  });
  for (const [stdin, text] of [
    [new TextEncoder().encode("bytes"), "bytes"],
    [new Blob(["blob"]), "blob"],
    [new Response("response"), "response"],
    [stream, "stream"],
    [null, ""],
    ["ignore", ""],
  ]) {
    expect(await Bun.spawn(["cat"], { stdin }).stdout.text()).toBe(text);
  }
});

test("much data", async () => {
  const data = new Uint8Array(2_000_000).fill(97);
  const child = Bun.spawn(["cat"], { stdin: data });
  expect((await new Response(child.stdout).bytes()).length).toBe(data.length);
});

test("timeout, kill, abort, maxBuffer", async () => {
  const late = Bun.spawn(["sleep", "100"], { timeout: 5, killSignal: "SIGKILL" });
  expect([await late.exited, late.signalCode]).toEqual([137, "SIGKILL"]);
  const killed = Bun.spawn(["sleep", "100"]);
  killed.kill(2);
  expect([await killed.exited, killed.killed]).toEqual([130, true]);
  const signal = AbortSignal.timeout(5);
  expect(await Bun.spawn(["sleep", "100"], { signal }).exited).toBe(143);
  expect(await Bun.spawn(["yes"], { maxBuffer: 1000 }).exited).toBe(143);
});

test("ipc", async () => {
  const text = "process.on('message', (m) => { process.send(m * 2); process.disconnect(); })";
  const { promise, resolve } = Promise.withResolvers();
  const child = Bun.spawn([process.execPath, "-e", text], {
    serialization: "json",
    ipc: (message, self) => resolve([message, self]),
  });
  child.send(21);
  expect(await promise).toEqual([42, child]);
  expect(await child.exited).toBe(0);
  expect(() => Bun.spawn(["true"]).send(1)).toThrow("IPC channel");
});

test("spawnSync", () => {
  const done = Bun.spawnSync(["sh", "-c", "cat; exit 1"], { stdin: Buffer.from("x") });
  expect([`${done.stdout}`, done.exitCode, done.success]).toEqual(["x", 1, false]);
  expect(Bun.spawnSync({ cmd: ["sleep", "9"], timeout: 5 }).exitedDueToTimeout).toBe(true);
  expect(() => Bun.spawnSync(["cob-no-such-program"])).toThrow("not found in $PATH");
  expect(() => Bun.spawnSync([])).toThrow("empty");
});

test("no descriptor is left", async () => {
  const count = () => require("node:fs").readdirSync("/proc/self/fd").length;
  const run = async () => {
    const child = Bun.spawn(["echo", "x"], { stderr: "pipe", stdin: "pipe" });
    await Promise.all([child.stdout.text(), child.stderr.text()]);
    await child.exited;
  };
  await run();
  const before = count();
  for (let i = 0; i < 20; i++) await run();
  await new Promise((resolve) => setTimeout(resolve, 1));
  expect(count() <= before).toBe(true);
});

test("output at once, in pieces, never looked at", async () => {
  const script = ["sh", "-c", "head -c 300000 /dev/zero; sleep 0.01; echo end"];
  const all = await Bun.spawn(script).stdout.bytes();
  expect([all.length, all.at(-2)]).toEqual([300004, 100]);
  let size = 0;
  for await (const chunk of Bun.spawn(script).stdout) size += chunk.length;
  expect(size).toBe(300004);
  expect(await new Response(Bun.spawn(["true"]).stdout).text()).toBe("");
  const child = Bun.spawn(script);
  const reader = child.stdout.getReader();
  expect((await reader.read()).value.length > 0).toBe(true);
  await reader.cancel();
  expect(await child.exited > 0).toBe(true);
  expect(await Bun.spawn(["true"], { stderr: "pipe" }).exited).toBe(0);
  expect(typeof Bun.spawn(["true"]).pid).toBe("number");
});

test("what signals mean nothing, and spawnSync with a signal", async () => {
  for (const signal of [null, "", NaN, undefined]) {
    const child = Bun.spawn(["sleep", "100"]);
    child.kill(signal);
    expect([await child.exited, child.signalCode]).toEqual([143, "SIGTERM"]);
  }
  for (const signal of [AbortSignal.timeout(5), AbortSignal.any([AbortSignal.timeout(5)]), AbortSignal.abort()]) {
    const done = Bun.spawnSync(["sleep", "100"], { signal });
    expect([done.success, done.signalCode, done.exitedDueToTimeout]).toEqual([false, "SIGTERM", undefined]);
  }
  expect(Bun.spawnSync(["true"], { signal: new AbortController().signal }).success).toBe(true);
  expect(() => Bun.spawnSync(["true"], { signal: 5 })).toThrow("signal");
});
