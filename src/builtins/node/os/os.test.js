// Tests of node:os.
const os = require("node:os");

test("what the machine is", () => {
  expect([os.platform(), os.type(), os.arch(), os.endianness()]).toEqual([
    "linux",
    "Linux",
    "x64",
    "LE",
  ]);
  expect(os.EOL + os.devNull).toBe("\n/dev/null");
  expect(os.cpus().length).toBeGreaterThan(0);
  expect(Object.keys(os.cpus()[0].times)).toEqual(["user", "nice", "sys", "idle", "irq"]);
  expect(os.freemem()).toBeLessThan(os.totalmem());
  expect(os.loadavg().length).toBe(3);
  expect(os.uptime()).toBeGreaterThan(0);
  expect(os.availableParallelism()).toBeGreaterThan(0);
  expect(`${os.hostname}`).toBe(os.hostname());
  expect(+os.totalmem).toBe(os.totalmem());
});

test("folders come from the environment", () => {
  const { HOME, TMPDIR } = process.env;
  process.env.HOME = "/h";
  process.env.TMPDIR = "/t/";
  expect(os.homedir()).toBe("/h");
  expect(os.tmpdir()).toBe("/t");
  delete process.env.HOME;
  delete process.env.TMPDIR;
  expect(os.homedir()).toBe(os.userInfo().homedir);
  if (HOME !== undefined) process.env.HOME = HOME;
  if (TMPDIR !== undefined) process.env.TMPDIR = TMPDIR;
});

test("users, also as bytes", () => {
  const user = os.userInfo();
  expect(user.uid).toBe(process.getuid());
  expect(os.userInfo({ encoding: "buffer" }).username.toString()).toBe(user.username);
});

test("interfaces of the network", () => {
  for (const one of Object.values(os.networkInterfaces()).flat()) {
    expect(["IPv4", "IPv6"]).toContain(one.family);
    expect(one.cidr).toMatch(/\/\d+$/);
    expect(one.mac).toMatch(/^(?:[0-9a-f]{2}:){5}[0-9a-f]{2}$/);
  }
});

test("priorities", () => {
  expect(os.getPriority()).toBe(os.getPriority(process.pid));
  expect(() => os.getPriority(1.5)).toThrow("ERR_OUT_OF_RANGE");
  expect(() => os.setPriority(0, 20)).toThrow("ERR_OUT_OF_RANGE");
  let error;
  try {
    os.getPriority(2 ** 31 - 1);
  } catch (e) {
    error = e;
  }
  expect([error.name, error.code, error.info.code, error.syscall]).toEqual([
    "SystemError",
    "ERR_SYSTEM_ERROR",
    "ESRCH",
    "uv_os_getpriority",
  ]);
});

test("constants cannot be changed", () => {
  const { signals, errno, priority } = os.constants;
  expect([signals.SIGINT, errno.ENOENT, priority.PRIORITY_LOW]).toEqual([2, 2, 19]);
  expect(Object.isFrozen(signals)).toBe(true);
  expect(require("node:constants").SIGTERM).toBe(15);
});
