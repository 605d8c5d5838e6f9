// @internal
// bun:transpiler/options -- the options of Bun.Transpiler, checked, and as the native half wants
// them.
const { makeCoded } = require("internal/errors");

const FLAGS = {
  ts: 1 << 0,
  jsx: 1 << 1,
  jsxClassic: 1 << 2,
  jsxPreserve: 1 << 3,
  jsxDev: 1 << 4,
  legacyDecorators: 1 << 5,
  metadata: 1 << 6,
  assignFields: 1 << 7,
  verbatim: 1 << 8,
  trimImports: 1 << 9,
  minifyWhitespace: 1 << 10,
  minifySyntax: 1 << 11,
  minifyIdentifiers: 1 << 12,
  keepNames: 1 << 13,
  deadCode: 1 << 14,
  inline: 1 << 15,
  jsxNoImport: 1 << 16,
};
const LOADERS = { js: "js", jsx: "jsx", ts: "ts", tsx: "tsx" };
const OTHER_LOADERS = [
  "css", "json", "jsonc", "json5", "toml", "yaml", "xml", "text", "wasm", "md", "html",
];
const LOG_LEVELS = ["verbose", "debug", "info", "warn", "error"];

const invalid = (message) => makeCoded("TypeError", "ERR_INVALID_ARG_TYPE", message);

/** js, jsx, ts or tsx; `fallback` for undefined, and for the context object of macros. */
function parseLoader(value, fallback) {
  if (value === undefined || value === null) return fallback;
  if (typeof value === "object" && fallback) return fallback;
  if (typeof value !== "string") throw invalid("loader must be a string");
  const name = value.startsWith(".") ? value.slice(1) : value;
  if (Object.hasOwn(LOADERS, name)) return name;
  if (name === "mjs" || name === "cjs") return "js";
  if (name === "mts" || name === "cts") return "ts";
  if (OTHER_LOADERS.includes(name)) throw invalid("only JavaScript-like loaders supported for now");
  throw invalid(
    "invalid loader - must be js, jsx, tsx, ts, css, json, jsonc, json5, toml, yaml, xml, text, " +
      "wasm, or md",
  );
}

function parseDefine(define) {
  if (define === undefined || define === null) return [];
  if (typeof define !== "object") throw invalid("define must be an object");
  const list = [];
  for (const [key, value] of Object.entries(define)) {
    if (typeof value !== "string") throw invalid(`define "${key}" must be a JSON string`);
    list.push(key, value);
  }
  return list;
}

function literalOf(value) {
  if (value === undefined) return "undefined";
  const type = typeof value;
  if (value === null || type === "string" || type === "boolean") return JSON.stringify(value);
  if (type === "number") return Object.is(value, -0) ? "-0" : String(value);
  throw invalid("exports.replace values can only be string, null, undefined, number or boolean");
}

/** A flat list: kind (0 eliminate, 1 replace), name, new name, value. */
function parseExports(value) {
  const list = [];
  if (value === undefined || value === null) return list;
  if (typeof value !== "object") throw invalid("TranspilerExports must be an object");
  const { eliminate, replace } = value;
  if (eliminate !== undefined) {
    if (!Array.isArray(eliminate)) throw invalid("exports.eliminate must be an array");
    for (const name of eliminate) if (name) list.push(0, String(name), "", "");
  }
  if (replace === undefined) return list;
  if (replace === null || typeof replace !== "object") {
    throw invalid("replace must be an object");
  }
  for (const [name, entry] of Object.entries(replace)) {
    const isRename = Array.isArray(entry);
    if (isRename && (entry.length !== 2 || typeof entry[0] !== "string")) {
      throw invalid("exports.replace arrays must be [name, value]");
    }
    list.push(1, name, isRename ? entry[0] : "", literalOf(isRename ? entry[1] : entry));
  }
  return list;
}

/** JSON with comments and commas behind the last member. */
function parseJsonc(text) {
  const skip = /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[^]*?\*\//g;
  const plain = text.replace(skip, (m) => (m[0] === '"' ? m : " "));
  const commas = /"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/g;
  try {
    return JSON.parse(plain.replace(commas, (m) => (m === "," ? " " : m)));
  } catch (err) {
    const { BuildMessage } = require("internal/build_message");
    throw new BuildMessage(`tsconfig: ${err.message}`);
  }
}

function parseTsconfig(value) {
  if (value === undefined || value === null) return {};
  const config = typeof value === "string" ? parseJsonc(value) : value;
  const isObject = config !== null && typeof config === "object";
  const options = isObject ? config.compilerOptions : undefined;
  return options !== null && typeof options === "object" ? options : {};
}

function parseMinify(o) {
  const { minify } = o;
  const all = minify === true;
  const part = minify !== null && typeof minify === "object" ? minify : {};
  return {
    whitespace: all || Boolean(part.whitespace ?? o.minifyWhitespace),
    syntax: all || Boolean(part.syntax),
    identifiers: all || Boolean(part.identifiers),
    keepNames: Boolean(part.keepNames),
  };
}

/** A flat list: import path, name, module of the macro.  false: macros are off. */
function parseMacro(value) {
  if (value === false) return false;
  if (value === undefined || value === null) return [];
  if (typeof value !== "object") throw invalid("macro must be an object");
  const list = [];
  for (const [path, names] of Object.entries(value)) {
    if (names === null || typeof names !== "object") throw invalid("macro must be an object");
    for (const [name, target] of Object.entries(names)) list.push(path, name, String(target));
  }
  return list;
}

/** What a Transpiler keeps of its options.  Throws TypeErrors with code ERR_INVALID_ARG_TYPE. */
function parseOptions(options) {
  if (options === undefined || options === null) options = {};
  if (typeof options !== "object") throw invalid("Expected an object");
  const { logLevel } = options;
  if (logLevel !== undefined && !LOG_LEVELS.includes(logLevel)) {
    throw invalid('logLevel must be one of "verbose", "debug", "info", "warn", or "error"');
  }
  if (options.replMode) throw new Error("not implemented: Bun.Transpiler replMode");
  return {
    loader: parseLoader(options.loader, undefined) ?? "jsx",
    define: parseDefine(options.define),
    exports: parseExports(options.exports),
    tsconfig: parseTsconfig(options.tsconfig),
    minify: parseMinify(options),
    macro: parseMacro(options.macro),
    trimUnusedImports: Boolean(options.trimUnusedImports),
    deadCodeElimination: options.deadCodeElimination !== false,
    inline: Boolean(options.inline),
    autoImportJSX: options.autoImportJSX !== false,
  };
}

function isProduction(o) {
  const at = o.define.lastIndexOf("process.env.NODE_ENV");
  return at >= 0 && at % 2 === 0 && o.define[at + 1] === '"production"';
}

function jsxFlags(o) {
  const { jsx } = o.tsconfig;
  if (jsx === "react") return FLAGS.jsxClassic;
  if (jsx === "preserve") return FLAGS.jsxPreserve;
  const isDev = jsx !== "react-jsx" && !isProduction(o);
  return (isDev ? FLAGS.jsxDev : 0) | (o.autoImportJSX ? 0 : FLAGS.jsxNoImport);
}

function flagsFor(o, loader) {
  const { minify, tsconfig } = o;
  const eliminates = o.exports.some((kind, i) => i % 4 === 0 && kind === 0);
  const on = {
    ts: loader === "ts" || loader === "tsx",
    jsx: loader !== "ts",
    legacyDecorators: tsconfig.experimentalDecorators === true,
    metadata: tsconfig.emitDecoratorMetadata === true,
    assignFields: tsconfig.useDefineForClassFields === false,
    verbatim: tsconfig.verbatimModuleSyntax === true,
    trimImports: o.trimUnusedImports || eliminates,
    minifyWhitespace: minify.whitespace,
    minifySyntax: minify.syntax,
    minifyIdentifiers: minify.identifiers,
    keepNames: minify.keepNames,
    deadCode: o.deadCodeElimination,
    inline: o.inline,
  };
  let flags = jsxFlags(o);
  for (const name of Object.keys(on)) if (on[name]) flags |= FLAGS[name];
  return flags;
}

/** The array that native.run takes. */
function configFor(o, loader) {
  const { jsxFactory = "", jsxFragmentFactory = "", jsxImportSource = "" } = o.tsconfig;
  const macros = o.macro || [];
  return [
    flagsFor(o, loader),
    `input.${loader}`,
    String(jsxFactory),
    String(jsxFragmentFactory),
    String(jsxImportSource),
    o.define.length / 2,
    ...o.define,
    o.exports.length / 4,
    ...o.exports,
    o.macro === false ? 1 : 0,
    `${process.cwd()}/input.${loader}`,
    macros.length / 3,
    ...macros,
  ];
}

exports.parseLoader = parseLoader;
exports.parseOptions = parseOptions;
exports.configFor = configFor;
