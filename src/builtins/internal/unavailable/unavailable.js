// internal/unavailable -- for modules that programs import although they seldom use them, and that
// are not there yet: importing gives the names, using one throws "not implemented: X".

/**
 * Gives `exports` functions of these names that throw. Names that begin with a capital letter are
 * classes: they can be extended and asked for, not constructed.
 */
exports.define = function define(target, module, names) {
  const { notImplemented } = require("internal/errors");
  for (const name of names) {
    const what = `${module}.${name}`;
    const isClass = name[0] >= "A" && name[0] <= "Z";
    target[name] = isClass
      ? { [name]: class { constructor() { throw notImplemented(what); } } }[name]
      : { [name]() { throw notImplemented(what); } }[name];
  }
};
