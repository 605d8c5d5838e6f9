// web/console/console_more -- the console methods that most programs never call.

let state;
let host;
let print;
let hasColors;

/** Takes what it shares with console.js. */
exports.attach = (sharedState, sharedNative, sharedPrint, sharedHasColors) => {
    state = sharedState;
    host = sharedNative;
    print = sharedPrint;
    hasColors = sharedHasColors;
};

const inspect = () => require("internal/inspect");
const indentText = () => "  ".repeat(state.indent);

/** Prints arguments of which some are no plain values. */
exports.printObjects = (fd, level, args) => {
    host.writeOut(fd, `${lineOf(fd, level, args)}\n`);
};

function lineOf(fd, level, args, extra) {
    const text = inspect().formatLog(args, {
        level,
        colors: hasColors(fd),
        depth: state.depth,
        indent: state.indent,
        errorLevel: level === "warn" ? "warn" : level === "error" ? "full" : "normal",
        ...extra,
    });
    return indentText() + text;
}

exports.clear = () => {
    const fd = hasColors(2) ? 2 : hasColors(1) ? 1 : 0;
    if (fd !== 0) host.writeOut(fd, "\x1b[2J\x1b[3J\x1b[H");
};

exports.dir = (args) => {
    if (args.length === 0) return;
    const extra = {};
    const options = args[1];
    if (typeof options === "object" && options !== null) {
        const { depth, colors } = options;
        if (depth === null) extra.depth = 65535;
        else if (typeof depth === "number" || typeof depth === "bigint") extra.depth = Number(depth);
        if (typeof colors === "boolean") extra.colors = colors;
    }
    host.writeOut(1, `${lineOf(1, "log", [args[0]], extra)}\n`);
};

exports.dirxml = (args) => {
    if (args.length > 0) print(1, "log", args);
};

exports.failed = (args) => {
    if (args.length > 1) print(2, "error", args.slice(1));
    else {
        const text = "Assertion failed";
        host.writeOut(2, hasColors(2) ? `\x1b[0m\x1b[31m${text}\x1b[0m\n` : `${text}\n`);
    }
};

const counts = new Map();
const labelOf = (label) => (label === undefined ? "default" : `${label}`);

exports.count = (label) => {
    const name = labelOf(label);
    const n = (counts.get(name) ?? 0) + 1;
    counts.set(name, n);
    host.writeOut(
        1,
        hasColors(1)
            ? `\x1b[0m${name}\x1b[2m: \x1b[0m\x1b[33m${n}\x1b[0m\n`
            : `${name}: ${n}\n`,
    );
};

exports.countReset = (label) => {
    const name = labelOf(label);
    if (counts.has(name)) counts.set(name, 0);
};
