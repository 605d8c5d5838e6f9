// The process object (Node: process).
function thrown(fn) {
  try {
    fn();
  } catch (error) {
    return error;
  }
  return undefined;
}

test("identity", () => {
  expect(Object.prototype.toString.call(process)).toBe("[object process]");
  expect(process).toBe(require("node:process"));
  expect(process).toBe(require("process"));
  expect(process.platform).toBe("linux");
  expect(process.arch).toBe("x64");
  expect(process.version).toBe(`v${process.versions.node}`);
  expect(process.versions.bun).toBe("1.4.5");
  expect(process.versions.cob).toMatch(/^\d+\.\d+\.\d+/);
  expect(Object.isFrozen(process.versions)).toBe(true);
  expect(process.release.name).toBe("node");
  expect(process.pid > 0 && process.ppid > 0).toBe(true);
});

test("argv", () => {
  expect(process.argv[0]).toBe(process.execPath);
  expect(process.argv[1]).toBe(__filename);
  expect(process.execArgv).toContain("--expose-internals");
});

describe("env", () => {
  test("values are text", () => {
    process.env.COB_TEST_A = 5;
    expect(process.env.COB_TEST_A).toBe("5");
    process.env.COB_TEST_A = undefined;
    expect(process.env.COB_TEST_A).toBe("undefined");
    process.env.COB_TEST_A = null;
    expect(process.env.COB_TEST_A).toBe("null");
  });

  test("in, delete, keys, assign, spread", () => {
    process.env.COB_TEST_B = "b";
    expect("COB_TEST_B" in process.env).toBe(true);
    expect(Object.keys(process.env)).toContain("COB_TEST_B");
    expect({ ...process.env }.COB_TEST_B).toBe("b");
    expect(Object.hasOwn(process.env, "COB_TEST_B")).toBe(true);
    expect(JSON.parse(JSON.stringify(process.env)).COB_TEST_B).toBe("b");
    expect(delete process.env.COB_TEST_B).toBe(true);
    expect(process.env.COB_TEST_B).toBeUndefined();
    expect("COB_TEST_B" in process.env).toBe(false);
    expect(delete process.env.COB_TEST_NOTHING).toBe(true);
  });

  test("symbols are refused as values", () => {
    expect(thrown(() => { process.env.COB_TEST_C = Symbol("x"); })).toBeInstanceOf(TypeError);
    expect(process.env[Symbol.iterator]).toBeUndefined();
  });
});

describe("time", () => {
  test("hrtime", () => {
    const first = process.hrtime();
    const diff = process.hrtime(first);
    expect(first).toHaveLength(2);
    expect(diff[0]).toBe(0);
    expect(diff[1] >= 0 && diff[1] < 1e9).toBe(true);
    expect(typeof process.hrtime.bigint()).toBe("bigint");
    expect(thrown(() => process.hrtime(1)).code).toBe("ERR_INVALID_ARG_TYPE");
    expect(thrown(() => process.hrtime([1])).code).toBe("ERR_OUT_OF_RANGE");
  });

  test("uptime", () => {
    expect(process.uptime() > 0 && process.uptime() < 60).toBe(true);
  });
});

describe("memory and usage", () => {
  test("memoryUsage", () => {
    const usage = process.memoryUsage();
    expect(Object.keys(usage)).toEqual(["rss", "heapTotal", "heapUsed", "external", "arrayBuffers"]);
    expect(usage.rss > 1e6 && usage.heapUsed > 0 && usage.heapUsed <= usage.heapTotal).toBe(true);
    expect(Math.abs(process.memoryUsage.rss() - usage.rss) < 50e6).toBe(true);
  });

  test("cpuUsage", () => {
    const usage = process.cpuUsage();
    expect(usage.user >= 0 && usage.system >= 0).toBe(true);
    const diff = process.cpuUsage(usage);
    expect(diff.user >= 0 && diff.user < usage.user + 1e6).toBe(true);
    expect(thrown(() => process.cpuUsage(1)).code).toBe("ERR_INVALID_ARG_TYPE");
  });

  test("resourceUsage", () => {
    const usage = process.resourceUsage();
    for (const key of ["userCPUTime", "systemCPUTime", "maxRSS", "minorPageFault", "voluntaryContextSwitches"]) {
      expect(typeof usage[key]).toBe("number");
    }
    expect(usage.maxRSS > 1000).toBe(true);
  });
});

describe("folders", () => {
  test("cwd and chdir", () => {
    const before = process.cwd();
    process.chdir("/");
    expect(process.cwd()).toBe("/");
    process.chdir(before);
    expect(process.cwd()).toBe(before);
  });

  test("chdir to nowhere", () => {
    const error = thrown(() => process.chdir("/no/such/folder"));
    expect(error.code).toBe("ENOENT");
    expect(error.syscall).toBe("chdir");
    expect(thrown(() => process.chdir(5)).code).toBe("ERR_INVALID_ARG_TYPE");
  });

  test("umask", () => {
    const before = process.umask();
    expect(process.umask(0o27)).toBe(before);
    expect(process.umask("22")).toBe(0o27);
    expect(process.umask(before)).toBe(0o22);
    expect(thrown(() => process.umask({})).code).toBe("ERR_INVALID_ARG_TYPE");
    expect(thrown(() => process.umask("9")).code).toBe("ERR_INVALID_ARG_VALUE");
  });
});

describe("kill", () => {
  test("signal 0 asks whether a process exists", () => {
    expect(process.kill(process.pid, 0)).toBe(true);
  });

  test("errors", () => {
    expect(thrown(() => process.kill(2 ** 22 + 1, 0)).code).toBe("ESRCH");
    expect(thrown(() => process.kill("no")).code).toBe("ERR_INVALID_ARG_TYPE");
    expect(thrown(() => process.kill(process.pid, "SIGNOTHING")).code).toBe("ERR_UNKNOWN_SIGNAL");
    expect(thrown(() => process.kill(process.pid, 1000)).code).toMatch(/EINVAL|ERR_UNKNOWN_SIGNAL/);
  });
});

describe("nextTick", () => {
  test("passes arguments", async () => {
    const seen = await new Promise((resolve) => process.nextTick((...args) => resolve(args), 1, "b"));
    expect(seen).toEqual([1, "b"]);
  });

  test("wants a function", () => {
    expect(thrown(() => process.nextTick("x")).code).toBe("ERR_INVALID_ARG_TYPE");
  });

  test("comes before microtasks, and starves nothing but them", async () => {
    const order = [];
    await new Promise((resolve) => {
      setImmediate(() => {
        queueMicrotask(() => order.push("microtask"));
        process.nextTick(() => {
          order.push("tick 1");
          process.nextTick(() => order.push("tick 2"));
        });
        setImmediate(resolve);
      });
    });
    expect(order).toEqual(["tick 1", "tick 2", "microtask"]);
  });
});

describe("events", () => {
  test("is an EventEmitter", () => {
    const EventEmitter = require("node:events");
    expect(process).toBeInstanceOf(EventEmitter);
    let got;
    process.once("own", (value) => { got = value; });
    expect(process.emit("own", 5)).toBe(true);
    expect(got).toBe(5);
    expect(process.emit("own", 6)).toBe(false);
  });

  test("a signal with a listener is an event", async () => {
    const got = await new Promise((resolve) => {
      process.once("SIGUSR2", (...args) => resolve(args));
      process.kill(process.pid, "SIGUSR2");
    });
    expect(got[0]).toBe("SIGUSR2");
    expect(got[1]).toBe(12);
    expect(process.listenerCount("SIGUSR2")).toBe(0);
  });

  test("emitWarning", async () => {
    const got = new Promise((resolve) => process.once("warning", resolve));
    const quiet = process.noDeprecation;
    process.emitWarning("text of it", { type: "OwnWarning", code: "OWN1", detail: "more" });
    const warning = await got;
    process.noDeprecation = quiet;
    expect(warning).toBeInstanceOf(Error);
    expect(warning.name).toBe("OwnWarning");
    expect(warning.code).toBe("OWN1");
    expect(warning.message).toBe("text of it");
    expect(thrown(() => process.emitWarning(5)).code).toBe("ERR_INVALID_ARG_TYPE");
  });
});

describe("ids", () => {
  for (const name of ["getuid", "geteuid", "getgid", "getegid"]) {
    test(name, () => {
      expect(Number.isInteger(process[name]())).toBe(true);
      expect(process[name].name).toBe(name);
    });
  }
});

test("title can be set", () => {
  const before = process.title;
  process.title = "cob test";
  expect(process.title).toBe("cob test");
  process.title = before;
});

test("stdout and stderr are streams of files", () => {
  expect(process.stdout.fd).toBe(1);
  expect(process.stderr.fd).toBe(2);
  expect(typeof process.stdout.write).toBe("function");
  expect(process.stdout.writable).toBe(true);
  expect(process.stdout).toBe(process.stdout);
});

test("exit codes are checked", () => {
  expect(thrown(() => { process.exitCode = 1.5; }).code).toBe("ERR_OUT_OF_RANGE");
  expect(thrown(() => { process.exitCode = {}; }).code).toBe("ERR_INVALID_ARG_TYPE");
  expect(thrown(() => process.exit({})).code).toBe("ERR_INVALID_ARG_TYPE");
  expect(process.exitCode).toBeUndefined();
});

test("getBuiltinModule", () => {
  expect(process.getBuiltinModule("events")).toBe(require("events"));
  expect(process.getBuiltinModule("node:events")).toBe(require("events"));
  expect(process.getBuiltinModule("no-such-module")).toBeUndefined();
});
