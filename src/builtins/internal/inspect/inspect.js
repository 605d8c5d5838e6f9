// internal/inspect -- front of the formatter: Bun.inspect, the text of console.log, util.inspect
// and util.format. What is behind it is loaded when it is first used.
//
//   bun_props.js bun_print.js bun_array.js           the Bun flavour: plain objects, arrays, lines
//   bun_values.js bun_collections.js bun_error.js    its other values
//   bun_element.js bun_event.js
//   bun_format.js bun_table.js                       % formats and Bun.inspect; tables
//   node_*.js                                        the Node flavour
//   kinds.js slots.js kinds_fallback.js              shared: what a value is, what is in it
//   string_width.js highlight.js
//
// A built-in class decides how the Bun flavour prints it by a method under Symbol.for("cob.print"):
// see the section "for built-in classes" in bun_print.js.

/** Text of a console call: (args, options) => string; see bun_print.js. */
exports.formatLog = (args, options) =>
  require("internal/inspect/bun_print").formatLog(args, options);

/** Bun.inspect(value, options). */
exports.bunInspect = (value, options, colors) =>
  require("internal/inspect/bun_format").bunInspect(value, options, colors);

/** Bun.inspect.table(data, properties, options). */
exports.inspectTable = (data, properties, options) =>
  require("internal/inspect/bun_table").inspectTable(data, properties, options);

/** The text of console.table; see bun_table.js. */
exports.tableText = (data, properties, options) =>
  require("internal/inspect/bun_table").tableText(data, properties, options);

/** The lines of the stack of an error, each ending in a newline (console.trace). */
exports.stackText = (error, colors) =>
  require("internal/inspect/bun_error").stackText(error, colors);

/** Tells the printer where the frames and source lines of errors come from; see bun_error.js. */
exports.setErrorFrameHook = (hook) => require("internal/inspect/bun_error").setErrorFrameHook(hook);

/** util.inspect; see node_print.js. A getter, so that the console does not load it. */
Object.defineProperty(exports, "inspect", {
  get: () => require("internal/inspect/node_print").inspect,
  enumerable: true,
});

/** util.format and util.formatWithOptions. */
exports.format = (...args) => require("internal/inspect/node_format").format(undefined, args);
exports.formatWithOptions = (options, ...args) =>
  require("internal/inspect/node_format").formatWithOptions(options, args);
