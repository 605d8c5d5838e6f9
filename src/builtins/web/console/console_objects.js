// web/console/console_objects -- console lines that hold objects or % formats.

const { formatLog } = require("internal/inspect/bun_print");

const DEPTH_MAX = 65535;
const ERROR_LEVELS = { __proto__: null, warn: "warn", error: "full", log: "normal" };

/** Option --console-depth, where 0 means everything. */
function depthOf({ state, native }) {
  const depth = state.depth ?? native.depth();
  return depth === 0 ? DEPTH_MAX : depth;
}

/**
 * The line for a call, indented by the open groups.
 * @param {object} shared What console.js shares: state, native, hasColors.
 * @param {1|2} fd
 * @param {"log"|"error"|"warn"} level
 * @param {unknown[]} args At least one.
 * @param {object} [extra] Options for the printer that take precedence.
 */
function lineOf(shared, { fd, level }, args, extra) {
  const { indent } = shared.state;
  const text = formatLog(args, {
    level,
    colors: shared.hasColors(fd),
    depth: depthOf(shared),
    indent,
    errorLevel: ERROR_LEVELS[level],
    ...extra,
  });
  let start = "";
  for (let i = 0; i < indent; i++) start += "  ";
  return start + text;
}

/** The line where console.js is not needed: no group is open, nobody has set a depth. */
function firstLineOf(level, colors, depth, args) {
  return formatLog(args, {
    level,
    colors,
    depth: depth === 0 ? DEPTH_MAX : depth,
    indent: 0,
    errorLevel: ERROR_LEVELS[level],
  });
}

Object.assign(exports, { lineOf, firstLineOf, depthOf, DEPTH_MAX });
