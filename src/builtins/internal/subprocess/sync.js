// internal/subprocess/sync -- spawnSync, execFileSync, execSync (Node: child_process).
const errors = require("internal/errors");
const child = require("internal/subprocess");
const options_ = require("internal/subprocess/options");
const stdioOption = require("internal/subprocess/stdio");

const MAX_BUFFER = 1024 * 1024;
const ETIMEDOUT = -110;
const ENOBUFS = -105;
const SIGTERM = 15;

function inputBytes(input, name) {
  if (input === undefined || input === null) return null;
  if (ArrayBuffer.isView(input)) return input;
  if (typeof input === "string") return Buffer.from(input);
  const types = ["Buffer", "TypedArray", "DataView", "string"];
  throw new errors.ERR_INVALID_ARG_TYPE(name, types, input);
}

/** Runs what normalizeSpawn made; `options.input` is for descriptor 0. */
function runSpec(spec) {
  const { slots } = stdioOption.parse(spec.stdio ?? "pipe", true);
  const input = inputBytes(spec.input, "options.stdio[0]");
  if (input !== null && slots[0].kind !== child.CHILD_READS) {
    slots[0] = { type: "pipe", kind: child.CHILD_READS };
  }
  const inputs = slots.map((slot, i) => (i === 0 ? input : null));
  const max = spec.maxBuffer ?? MAX_BUFFER;
  const result = child.run(
    {
      file: spec.file,
      args: spec.args,
      env: spec.envPairs,
      cwd: spec.cwd || undefined,
      stdio: stdioOption.kindsOf(slots),
      detached: spec.detached,
      uid: spec.uid,
      gid: spec.gid,
      timeout: spec.timeout,
      killSignal: spec.killSignal ?? SIGTERM,
      maxBuffer: max === Infinity ? 0 : max,
    },
    inputs,
  );
  return shape(spec, result);
}

function shape(spec, { 0: code, 1: pid, 2: end, 3: exit, 4: outputs }) {
  const failed =
    code !== 0 ? code : end === child.TIMED_OUT ? ETIMEDOUT : end === child.TOO_MUCH ? ENOBUFS : 0;
  let output = null;
  if (code === 0) {
    output = outputs.map((bytes) => {
      if (bytes === null) return null;
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
      const { encoding } = spec;
      return encoding && encoding !== "buffer" ? buffer.toString(encoding) : buffer;
    });
  }
  const signal = code === 0 ? child.signalName(exit[1]) : null;
  const result = {};
  if (failed !== 0) {
    const { errnoException } = require("internal/errors/system");
    result.error = errnoException(failed, `spawnSync ${spec.file}`);
    result.error.path = spec.file;
    result.error.spawnargs = spec.args.slice(1);
  }
  result.status = code !== 0 || signal !== null ? null : exit[0];
  result.signal = signal;
  result.output = output;
  result.pid = code === 0 ? pid : 0;
  result.stdout = output?.[1] ?? null;
  result.stderr = output?.[2] ?? null;
  return result;
}

function spawnSync(file, args, options) {
  const spec = {
    __proto__: null,
    maxBuffer: MAX_BUFFER,
    ...options_.normalizeSpawn(file, args, options),
  };
  options_.checkTimeout(spec.timeout);
  options_.checkMaxBuffer(spec.maxBuffer);
  spec.killSignal = options_.killSignalOf(spec.killSignal);
  return runSpec(spec);
}

function checkResult(result, args, command) {
  if (result.error) {
    const error = result.error;
    Object.assign(error, result, { error });
    return error;
  }
  if (result.status === 0) return undefined;
  let message = `Command failed: ${command ?? args.join(" ")}`;
  if (result.stderr && result.stderr.length > 0) message += `\n${result.stderr.toString()}`;
  return Object.assign(new Error(message), result);
}

/** Without a word about it, what the program writes to its stderr goes to ours. */
function passStderr(result, inherits) {
  if (inherits && result.stderr !== null) process.stderr.write(result.stderr);
}

exports.spawnSync = spawnSync;

exports.execFileSync = function execFileSync(file, args, options) {
  const normal = options_.normalizeExecFile(file, args, options);
  const inherits = !normal.options.stdio;
  const result = spawnSync(normal.file, normal.args, normal.options);
  passStderr(result, inherits);
  const error = checkResult(result, [normal.options.argv0 || normal.file].concat(normal.args));
  if (error) throw error;
  return result.stdout;
};

exports.execSync = function execSync(command, options) {
  const normal = options_.normalizeExec(command, options, null);
  const inherits = !normal.options.stdio;
  const result = spawnSync(normal.file, normal.options);
  passStderr(result, inherits);
  const error = checkResult(result, undefined, command);
  if (error) throw error;
  return result.stdout;
};
