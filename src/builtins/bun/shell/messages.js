// @internal
// bun:shell/messages -- what the system says about errors, in the words of strerror.
const OWN = {
  EEXIST: "File exists",
  EINVAL: "Invalid argument",
  EISDIR: "Is a directory",
  ELOOP: "Too many levels of symbolic links",
  EMFILE: "Too many open files",
  ENAMETOOLONG: "File name too long",
  ENOTDIR: "Not a directory",
  EROFS: "Read-only file system",
  EXDEV: "Invalid cross-device link",
};

/** Of a code like -2 or an error of node:fs. */
exports.messageOf = function messageOf(failure) {
  const { systemErrorName, systemErrorMessage } = require("internal/errors/system");
  const code = typeof failure === "number" ? failure : failure.errno;
  if (code === undefined) return failure.message;
  const name = systemErrorName(code);
  if (OWN[name] !== undefined) return OWN[name];
  const text = systemErrorMessage(code);
  return text[0].toUpperCase() + text.slice(1);
};
