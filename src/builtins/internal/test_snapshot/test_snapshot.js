// internal/test_snapshot -- snapshots: the files beside the tests, and texts inside them (Bun:
// docs/test/snapshots).
//
//   format.js  values as text;  inline.js  changing a test file;  obsolete.js  what is left over
const state = require("internal/test_runner/state");
const { format } = require("internal/test_snapshot/format");
const { MARK, diffLines } = require("internal/test_expect/message");

const HEADER = "// Bun Snapshot v1, https://bun.sh/docs/test/snapshots\n";
const { counts } = state;
let store; // of the file that runs

const fs = () => require("node:fs");

/** Text between backticks. */
const escape = (text) => text.replace(/[\\`]|\$\{/g, "\\$&");

const isDigit = (c) => c >= "0" && c <= "9";

/** Names in the order of Jest: runs of digits count as numbers. */
function compareNaturally(a, b) {
  let i = 0;
  let k = 0;
  while (i < a.length && k < b.length) {
    if (isDigit(a[i]) && isDigit(b[k])) {
      const left = /^\d+/.exec(a.slice(i))[0];
      const right = /^\d+/.exec(b.slice(k))[0];
      if (Number(left) !== Number(right)) return Number(left) - Number(right);
      i += left.length;
      k += right.length;
    } else if (a[i] !== b[k]) return a.charCodeAt(i) - b.charCodeAt(k);
    else {
      i++;
      k++;
    }
  }
  return a.length - i - (b.length - k);
}

class Store {
  constructor(file) {
    const path = require("node:path");
    this.file = file;
    this.dir = path.join(path.dirname(file), "__snapshots__");
    this.path = path.join(this.dir, `${path.basename(file)}.snap`);
    this.entries = new Map();
    this.numbers = new Map(); // of the next snapshot of a name
    this.seen = new Set();
    this.isChanged = false;
    this.header = HEADER; // that of a file which Jest has written stays
    this.inline = [];
    this.read();
  }

  read() {
    let text;
    try {
      text = fs().readFileSync(this.path, "utf8");
    } catch (error) {
      if (error.code === "ENOENT") return;
      throw error;
    }
    if (text.startsWith("// Jest Snapshot")) this.header = text.slice(0, text.indexOf("\n") + 1);
    const exported = {};
    try {
      new Function("exports", text)(exported);
    } catch (error) {
      throw new Error(`Failed to parse snapshot file: ${this.path}: ${error.message}`);
    }
    for (const name of Object.keys(exported)) this.entries.set(name, `${exported[name]}`);
  }

  write() {
    let text = this.header;
    const entries = [...this.entries];
    if (this.header !== HEADER) entries.sort((a, b) => compareNaturally(a[0], b[0]));
    for (const [name, value] of entries) {
      text += `\nexports[\`${escape(name)}\`] = \`${escape(value)}\`;\n`;
    }
    fs().mkdirSync(this.dir, { recursive: true });
    fs().writeFileSync(this.path, text);
  }

  nameOf(hint) {
    const { test } = state.current();
    const base = hint === undefined ? state.nameOf(test) : `${state.nameOf(test)}: ${hint}`;
    const n = (this.numbers.get(base) ?? 0) + 1;
    this.numbers.set(base, n);
    this.seen.add(`${base} ${n}`);
    return `${base} ${n}`;
  }
}

function storeOf() {
  if (state.current()?.test === undefined) {
    throw new Error("Snapshot matchers cannot be used outside of a test");
  }
  if (store?.file !== state.file) {
    store = new Store(state.file);
    state.snapshots = { endFile };
  }
  return store;
}

/** Checks the property matchers; the value with them in place. */
function withProperties(value, properties) {
  if (properties === undefined) return value;
  if (typeof value !== "object" || value === null) {
    throw new Error("received value must be an object when the matcher has properties");
  }
  const { matches } = require("internal/test_expect/equal");
  if (!matches(value, properties)) {
    throw new Error(
      "expect(received).toMatchSnapshot(properties, hint)\n\n" +
        "Expected properties to match properties from received object\n",
    );
  }
  return merge(value, properties);
}

function merge(value, properties) {
  const copy = Array.isArray(value) ? [...value] : { ...value };
  for (const key of Object.keys(properties)) {
    const wanted = properties[key];
    const isPlain = typeof wanted === "object" && wanted !== null && wanted.$$typeof === undefined;
    copy[key] = isPlain && typeof value[key] === "object" && value[key] !== null
      ? merge(value[key], wanted)
      : wanted;
  }
  return copy;
}

/** Several lines stand between line breaks. */
const framed = (text) => (text.includes("\n") ? `\n${text}\n` : text);

function differenceText(received, expected) {
  if (received.includes("\n") || expected.includes("\n")) return diffLines(received, expected);
  return `Expected: ${MARK}g${expected}${MARK}r\nReceived: ${MARK}R${received}${MARK}r\n`;
}

function refuse(text) {
  throw new Error(
    `Snapshot creation is disabled in CI environments unless --update-snapshots is used\n` +
      `To override, set the environment variable CI=false.\n\nReceived: ${text}`,
  );
}

/** Template literals know only one kind of line break. */
const lineBreaks = (text) => (text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text);

/** Undefined when it matches or was written; else what to say. */
exports.match = function match(value, properties, hint) {
  const s = storeOf();
  if (hint !== undefined && typeof hint !== "string") {
    throw new TypeError("Matcher error: Expected first argument to be a string or object");
  }
  const name = s.nameOf(hint);
  const isJest = s.header !== HEADER;
  const text = framed(lineBreaks(format(withProperties(value, properties), isJest)));
  const known = s.entries.get(name);
  const { updateSnapshots, ci } = state.options;
  if (known === text) return passed();
  if (known !== undefined && !updateSnapshots) return failed(differenceText(text, known));
  if (known === undefined && ci && !updateSnapshots) refuse(text);
  s.entries.set(name, text);
  s.isChanged = true;
  counts.snapshotsAdded = (counts.snapshotsAdded ?? 0) + 1;
  return undefined;
};

function passed() {
  counts.snapshots++;
  return undefined;
}

function failed(text) {
  counts.snapshotsFailed = (counts.snapshotsFailed ?? 0) + 1;
  return text;
}

/** The text of an inline snapshot without the indentation that it has in the file. */
function withoutIndent(text) {
  if (!text.includes("\n")) return text;
  const lines = text.split("\n");
  if (lines[0].trim() !== "" || lines.at(-1).trim() !== "") return text;
  const indent = /^[ \t]*/.exec(lines[1])[0];
  const inner = lines.slice(1, -1);
  if (inner.some((line) => line !== "" && !line.startsWith(indent))) return text;
  return `\n${inner.map((line) => line.slice(Math.min(indent.length, line.length))).join("\n")}\n`;
}

/** `error`: what was thrown, whose message is the value; Vitest shows it whole. */
exports.matchInline = function matchInline(value, properties, given, name, above, error) {
  const s = storeOf();
  const text = framed(lineBreaks(format(withProperties(value, properties))));
  const { updateSnapshots, ci } = state.options;
  if (given !== undefined) {
    // Suites of Jest and Vitest have the text without Bun's oddities.
    const known = withoutIndent(`${given}`);
    const jestText = () => framed(lineBreaks(format(withProperties(value, properties), true)));
    if (known === text || known === jestText()) return passed();
    if (error !== undefined && known === framed(format(error, true))) return passed();
  }
  if (given !== undefined && !updateSnapshots) {
    return failed(differenceText(text, withoutIndent(`${given}`)));
  }
  if (given === undefined && ci && !updateSnapshots) refuse(text);
  const place = require("internal/test_snapshot/inline").placeOf(above, s.file);
  s.inline.push({ ...place, name, text, hasProperties: properties !== undefined });
  counts.snapshotsAdded = (counts.snapshotsAdded ?? 0) + 1;
  return undefined;
};

/** Counts what no test has asked for; with -u it goes, and with the last one the file. */
function dropObsolete(s) {
  if (s.entries.size <= s.seen.size && [...s.entries.keys()].every((name) => s.seen.has(name))) {
    return;
  }
  const names = require("internal/test_snapshot/obsolete").find(s.seen, s.entries.keys());
  if (names.length === 0) return;
  if (!state.options.updateSnapshots) {
    (counts.obsolete ??= []).push(...names.map((name) => [s.file, name]));
    return;
  }
  for (const name of names) s.entries.delete(name);
  counts.snapshotsRemoved = (counts.snapshotsRemoved ?? 0) + names.length;
  if (s.entries.size === 0) fs().rmSync(s.path, { force: true });
  s.isChanged = s.entries.size > 0;
}

function endFile() {
  const s = store;
  store = undefined;
  state.snapshots = undefined;
  if (s === undefined) return;
  dropObsolete(s);
  if (s.isChanged) s.write();
  if (s.inline.length === 0) return;
  require("internal/test_snapshot/inline").rewrite(s.file, s.inline, escape);
}

/** With -u: a file of snapshots whose tests ask for none. */
exports.endUnusedFile = function endUnusedFile() {
  if (require("internal/test_snapshot/obsolete").unusedStore() !== undefined) {
    const s = new Store(state.file);
    dropObsolete(s);
    if (s.isChanged) s.write();
  }
};
