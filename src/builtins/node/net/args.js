// @internal
// node:net/args -- the forms that connect() and listen() take.
const normalized = Symbol("normalized");

const toNumber = (x) => ((x = Number(x)) >= 0 ? x : false);

function isPipeName(s) {
  return typeof s === "string" && toNumber(s) === false;
}

/** [options, callback | null] of (options, cb), (path, cb) or (port, host, cb). */
function normalizeArgs(args) {
  let list;
  if (args.length === 0) {
    list = [{}, null];
    list[normalized] = true;
    return list;
  }
  const first = args[0];
  let options = {};
  if (typeof first === "object" && first !== null) {
    options = first;
  } else if (isPipeName(first)) {
    options.path = first;
  } else {
    options.port = first;
    if (args.length > 1 && typeof args[1] === "string") options.host = args[1];
  }
  const callback = args[args.length - 1];
  list = [options, typeof callback === "function" ? callback : null];
  list[normalized] = true;
  return list;
}

exports.normalized = normalized;
exports.normalizeArgs = normalizeArgs;
exports.isPipeName = isPipeName;
exports.toNumber = toNumber;
