// internal/process_more/document -- process.report.getReport() (Node: report): what is known about
// the process, for people and for packages that choose a binary by the C library.

/** Paths of the libraries that are mapped. */
function sharedObjects() {
  const found = new Set();
  const text = require("node:fs").readFileSync("/proc/self/maps", "latin1");
  for (let i = 0, all = text.split("\n"); i < all.length; i++) {
    const line = all[i];
    const at = line.indexOf("/");
    if (at >= 0 && /\.so(\.[\d.]+)?$/.test(line)) found.add(line.slice(at));
  }
  return [...found];
}

function header(glibc) {
  const os = require("node:os");
  const now = new Date();
  const { isMainThread, threadId } = require("node:worker_threads");
  return {
    reportVersion: 5,
    event: "JavaScript API",
    trigger: "GetReport",
    filename: null,
    dumpEventTime: now.toISOString().replace(/\.\d+/, ""),
    dumpEventTimeStamp: `${now.getTime()}`,
    processId: process.pid,
    threadId: isMainThread ? 0 : threadId,
    cwd: process.cwd(),
    commandLine: [process.argv0, ...process.execArgv, ...process.argv.slice(1)],
    nodejsVersion: process.version,
    ...(glibc === "" ? {} : { glibcVersionRuntime: glibc }),
    wordSize: 64,
    arch: process.arch,
    platform: process.platform,
    componentVersions: { ...process.versions },
    release: { ...process.release },
    osName: os.type(),
    osRelease: os.release(),
    osVersion: os.version(),
    osMachine: os.machine(),
    cpus: os.cpus().map(({ times, ...cpu }) => ({ ...cpu, ...times })),
    networkInterfaces: Object.entries(os.networkInterfaces()).flatMap(({ 0: name, 1: list }) =>
      list.map(({ address, netmask, family, mac, internal }) => ({
        name, internal, mac, address, netmask, family,
      })),
    ),
    host: os.hostname(),
  };
}

function stackOf(error) {
  const lines = `${error?.stack ?? ""}`.split("\n").map((line) => line.trim());
  const frames = lines.filter((line) => line.startsWith("at "));
  return {
    message: error === undefined ? "Error: JavaScript Callstack" : `${error}`,
    // Without the fast path stacks are the engine's own: frames only, in another form.
    stack: frames.length > 0 ? frames : lines.filter((line) => line !== ""),
    errorProperties: {},
  };
}

/** The report; `error` is the one that it is about, `glibc` the version of the C library. */
exports.getReport = function getReport(error, glibc) {
  const memory = process.memoryUsage();
  const usage = process.resourceUsage();
  const seconds = process.uptime();
  const cpu = (usage.userCPUTime + usage.systemCPUTime) / 1e6;
  return {
    header: header(glibc),
    javascriptStack: stackOf(error ?? new Error("JavaScript Callstack")),
    javascriptHeap: {
      totalMemory: memory.heapTotal, usedMemory: memory.heapUsed,
      externalMemory: memory.external, heapSpaces: {},
    },
    resourceUsage: {
      userCpuSeconds: usage.userCPUTime / 1e6,
      kernelCpuSeconds: usage.systemCPUTime / 1e6,
      cpuConsumptionPercent: seconds > 0 ? (cpu / seconds) * 100 : 0,
      rss: memory.rss,
      maxRss: usage.maxRSS * 1024,
      pageFaults: { IORequired: usage.majorPageFault, IONotRequired: usage.minorPageFault },
      fsActivity: { reads: usage.fsRead, writes: usage.fsWrite },
    },
    libuv: [],
    workers: [],
    environmentVariables: { ...process.env },
    sharedObjects: sharedObjects(),
  };
};
