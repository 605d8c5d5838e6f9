// internal/errors/system -- errors of system calls, as Node shapes them.
//
// An errno here is negative, as libuv's and the kernel's return values are. Codes of name
// resolution (EAI_*) are libuv's numbers below -3000.

const { defineProperty } = Object;

/** errno: "NAME text". The texts are libuv's. */
const kErrors = {
  __proto__: null,
  1: "EPERM operation not permitted",
  2: "ENOENT no such file or directory",
  3: "ESRCH no such process",
  4: "EINTR interrupted system call",
  5: "EIO i/o error",
  6: "ENXIO no such device or address",
  7: "E2BIG argument list too long",
  8: "ENOEXEC exec format error",
  9: "EBADF bad file descriptor",
  11: "EAGAIN resource temporarily unavailable",
  12: "ENOMEM not enough memory",
  13: "EACCES permission denied",
  14: "EFAULT bad address in system call argument",
  16: "EBUSY resource busy or locked",
  17: "EEXIST file already exists",
  18: "EXDEV cross-device link not permitted",
  19: "ENODEV no such device",
  20: "ENOTDIR not a directory",
  21: "EISDIR illegal operation on a directory",
  22: "EINVAL invalid argument",
  23: "ENFILE file table overflow",
  24: "EMFILE too many open files",
  25: "ENOTTY inappropriate ioctl for device",
  26: "ETXTBSY text file is busy",
  27: "EFBIG file too large",
  28: "ENOSPC no space left on device",
  29: "ESPIPE invalid seek",
  30: "EROFS read-only file system",
  31: "EMLINK too many links",
  32: "EPIPE broken pipe",
  34: "ERANGE result too large",
  36: "ENAMETOOLONG name too long",
  38: "ENOSYS function not implemented",
  39: "ENOTEMPTY directory not empty",
  40: "ELOOP too many symbolic links encountered",
  49: "EUNATCH protocol driver not attached",
  61: "ENODATA no data available",
  64: "ENONET machine is not on the network",
  71: "EPROTO protocol error",
  75: "EOVERFLOW value too large for defined data type",
  84: "EILSEQ illegal byte sequence",
  88: "ENOTSOCK socket operation on non-socket",
  89: "EDESTADDRREQ destination address required",
  90: "EMSGSIZE message too long",
  91: "EPROTOTYPE protocol wrong type for socket",
  92: "ENOPROTOOPT protocol not available",
  93: "EPROTONOSUPPORT protocol not supported",
  94: "ESOCKTNOSUPPORT socket type not supported",
  95: "ENOTSUP operation not supported on socket",
  97: "EAFNOSUPPORT address family not supported",
  98: "EADDRINUSE address already in use",
  99: "EADDRNOTAVAIL address not available",
  100: "ENETDOWN network is down",
  101: "ENETUNREACH network is unreachable",
  103: "ECONNABORTED software caused connection abort",
  104: "ECONNRESET connection reset by peer",
  105: "ENOBUFS no buffer space available",
  106: "EISCONN socket is already connected",
  107: "ENOTCONN socket is not connected",
  108: "ESHUTDOWN cannot send after transport endpoint shutdown",
  110: "ETIMEDOUT connection timed out",
  111: "ECONNREFUSED connection refused",
  112: "EHOSTDOWN host is down",
  113: "EHOSTUNREACH host is unreachable",
  114: "EALREADY connection already in progress",
  121: "EREMOTEIO remote I/O error",
  125: "ECANCELED operation canceled",
  3000: "EAI_ADDRFAMILY address family not supported",
  3001: "EAI_AGAIN temporary failure",
  3002: "EAI_BADFLAGS bad ai_flags value",
  3003: "EAI_CANCELED request canceled",
  3004: "EAI_FAIL permanent failure",
  3005: "EAI_FAMILY ai_family not supported",
  3006: "EAI_MEMORY out of memory",
  3007: "EAI_NODATA no address",
  3008: "EAI_NONAME unknown node or service",
  3009: "EAI_OVERFLOW argument buffer overflow",
  3010: "EAI_SERVICE service not available for socket type",
  3011: "EAI_SOCKTYPE socket type not supported",
  3013: "EAI_BADHINTS invalid value for hints",
  3014: "EAI_PROTOCOL resolved protocol is unknown",
  4028: "EFTYPE inappropriate file type or format",
  4080: "ECHARSET invalid Unicode character",
  4094: "UNKNOWN unknown error",
  4095: "EOF end of file",
};

/** [name, text] of a negative errno, or undefined. */
function lookUp(errno) {
  const row = kErrors[-errno];
  if (row === undefined) return undefined;
  const i = row.indexOf(" ");
  return [row.slice(0, i), row.slice(i + 1)];
}

/** "ENOENT" of -2. */
function systemErrorName(errno) {
  return lookUp(errno)?.[0] ?? `Unknown system error ${errno}`;
}

/** "no such file or directory" of -2. */
function systemErrorMessage(errno) {
  return lookUp(errno)?.[1] ?? `Unknown system error ${errno}`;
}

/** Map of errno to [name, text], as util.getSystemErrorMap() gives it. */
function systemErrorMap() {
  const map = new Map();
  for (let i = 0, all = Object.keys(kErrors); i < all.length; i++) {
    const errno = all[i];
    map.set(-errno, lookUp(-errno));
  }
  return map;
}

/** fs style: "ENOENT: no such file or directory, open 'x' -> 'y'" from { errno, syscall, ... }. */
function uvException(ctx) {
  const { 0: code, 1: text } = lookUp(ctx.errno) || ["UNKNOWN", "unknown error"];
  let message = `${code}: ${ctx.message || text}, ${ctx.syscall}`;
  const path = ctx.path === undefined ? undefined : String(ctx.path);
  const dest = ctx.dest === undefined ? undefined : String(ctx.dest);
  if (path !== undefined) message += ` '${path}'`;
  if (dest !== undefined) message += ` -> '${dest}'`;
  const err = new Error(message);
  for (let i = 0, all = Object.keys(ctx); i < all.length; i++) {
    const name = all[i];
    if (name !== "message" && name !== "path" && name !== "dest") err[name] = ctx[name];
  }
  err.code = code;
  if (path !== undefined) err.path = path;
  if (dest !== undefined) err.dest = dest;
  return err;
}

/** net style: "connect ECONNREFUSED 127.0.0.1:1 - Local (...)". */
function exceptionWithHostPort(errno, syscall, address, port, additional) {
  const code = systemErrorName(errno);
  let details = "";
  if (port && port > 0) details = ` ${address}:${port}`;
  else if (address) details = ` ${address}`;
  if (additional) details += ` - Local (${additional})`;
  const err = new Error(`${syscall} ${code}${details}`);
  err.errno = errno;
  err.code = code;
  err.syscall = syscall;
  err.address = address;
  if (port) err.port = port;
  return err;
}

/** listen style: "listen EADDRINUSE: address already in use :::3000". */
function uvExceptionWithHostPort(errno, syscall, address, port) {
  const { 0: code, 1: text } = lookUp(errno) || ["UNKNOWN", "unknown error"];
  let details = "";
  if (port && port > 0) details = ` ${address}:${port}`;
  else if (address) details = ` ${address}`;
  const err = new Error(`${syscall} ${code}: ${text}${details}`);
  err.code = code;
  err.errno = errno;
  err.syscall = syscall;
  err.address = address;
  if (port) err.port = port;
  return err;
}

/** child_process and os style: "spawn ENOENT". */
function errnoException(errno, syscall, original) {
  const code = systemErrorName(errno);
  const err = new Error(original ? `${syscall} ${code} ${original}` : `${syscall} ${code}`);
  err.errno = errno;
  err.code = code;
  err.syscall = syscall;
  return err;
}

/** dns style: "getaddrinfo ENOTFOUND host". `code` is an errno or a c-ares name. */
function dnsException(code, syscall, hostname) {
  let errno;
  let name = code;
  if (typeof code === "number") {
    errno = code;
    name = code === -3008 || code === -3007 ? "ENOTFOUND" : systemErrorName(code);
  }
  const err = new Error(`${syscall} ${name}${hostname ? ` ${hostname}` : ""}`);
  err.errno = errno;
  err.code = name;
  err.syscall = syscall;
  if (hostname) err.hostname = hostname;
  return err;
}

/** "read ECONNRESET" without an errno, for connections that Cob itself gives up. */
class ConnResetException extends Error {
  constructor(message) {
    super(message);
    this.code = "ECONNRESET";
  }
  get ["constructor"]() {
    return Error;
  }
}

/**
 * Node's SystemError (`ERR_FS_EISDIR`, `ERR_SYSTEM_ERROR`, ...): `info` keeps the context, and its
 * parts are own enumerable properties.
 */
class SystemError extends Error {
  constructor(key, prefix, ctx) {
    let message = `${prefix}: ${ctx.syscall} returned ${ctx.code} (${ctx.message})`;
    if (ctx.path !== undefined) message += ` ${ctx.path}`;
    if (ctx.dest !== undefined) message += ` => ${ctx.dest}`;
    super(message);
    const info = { ...ctx };
    this.code = key;
    defineProperty(this, "name", {
      value: "SystemError", configurable: true, writable: true, enumerable: false,
    });
    defineProperty(this, "info", { value: info, configurable: true, enumerable: true });
    for (let i = 0, all = ["errno", "syscall", "path", "dest"]; i < all.length; i++) {
      const name = all[i];
      if (ctx[name] === undefined) continue;
      defineProperty(this, name, {
        get: () => info[name],
        set: (value) => {
          info[name] = value;
        },
        configurable: true,
        enumerable: true,
      });
    }
  }
  toString() {
    return `${this.name} [${this.code}]: ${this.message}`;
  }
}

exports.uvException = uvException;
exports.exceptionWithHostPort = exceptionWithHostPort;
exports.uvExceptionWithHostPort = uvExceptionWithHostPort;
exports.errnoException = errnoException;
exports.dnsException = dnsException;
exports.systemErrorName = systemErrorName;
exports.systemErrorMessage = systemErrorMessage;
exports.systemErrorMap = systemErrorMap;
exports.SystemError = SystemError;
exports.ConnResetException = ConnResetException;
