// internal/util/legacy -- functions of util that Node has dropped and that old packages call.

const types = () => require("internal/util/types").types;

exports.isArray = Array.isArray;
exports.isBoolean = (arg) => typeof arg === "boolean";
exports.isBuffer = (arg) => require("node:buffer").Buffer.isBuffer(arg);
exports.isNull = (arg) => arg === null;
exports.isNullOrUndefined = (arg) => arg === null || arg === undefined;
exports.isNumber = (arg) => typeof arg === "number";
exports.isString = (arg) => typeof arg === "string";
exports.isSymbol = (arg) => typeof arg === "symbol";
exports.isUndefined = (arg) => arg === undefined;
exports.isRegExp = (arg) => types().isRegExp(arg);
exports.isObject = (arg) => arg !== null && typeof arg === "object";
exports.isDate = (arg) => types().isDate(arg);
exports.isError = (arg) => types().isNativeError(arg) || arg instanceof Error;
exports.isFunction = (arg) => typeof arg === "function";
exports.isPrimitive = (arg) =>
  arg === null || (typeof arg !== "object" && typeof arg !== "function");

const kMonths = [
  "Jan",
  "Feb",
  "Mar",
  "Apr",
  "May",
  "Jun",
  "Jul",
  "Aug",
  "Sep",
  "Oct",
  "Nov",
  "Dec",
];
const twoDigits = (n) => `${n}`.padStart(2, "0");

/** A line with the time in front. */
exports.log = (...args) => {
  const now = new Date();
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map(twoDigits).join(":");
  const { format } = require("internal/inspect");
  console.log("%s - %s", `${now.getDate()} ${kMonths[now.getMonth()]} ${time}`, format(...args));
};
