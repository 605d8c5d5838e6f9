// internal/inspect/bun_element -- JSX elements, printed as they would be written.

const k = require("internal/inspect/slots");
const { hasOwn, isArray, keysOf } = k;

const repeat = k.uncurry(String.prototype.repeat);

const KEY_MAX = 128;
const TEXT_MAX = 128; // longer text gets lines of its own
const PROPS_ON_LINE = 3;

/** What stands between the brackets: the name and whether it is an intrinsic element. */
function nameOf(element) {
  const { type } = element;
  if (type === undefined) return { name: "unknown", isText: false };
  if (typeof type === "symbol") return { name: "", isText: false };
  if (typeof type === "string") return { name: type, isText: true };
  if ((typeof type === "object" && type !== null) || typeof type === "function") {
    return { name: componentName(type) || "NoName", isText: false };
  }
  return { name: `${type}`, isText: false };
}

const DECLARED = /^(?:async\s+)?(?:function\s*\*?|class)\s*([\w$]+)/;

/** Only the name that a function or class is declared with; a variable gives it none. */
function componentName(type) {
  if (typeof type !== "function" || k.kindOf(type) === "Proxy") return "";
  const m = k.regexpExec(DECLARED, k.fnToString(type));
  return m === null || m[1] === "extends" ? "" : m[1];
}

/** Prints `<name key="..." prop=...>children</name>`. */
function printElement(p, element) {
  const { c } = p;
  const { name, isText } = nameOf(element);
  p.out += `${c.r}<${isText ? c.green : c.cyan}${name}${c.r}`;
  const { key, props } = element;
  if (key !== undefined && key !== null) {
    p.out += " key=";
    quoted(p, () => p.value(key));
  }
  if (typeof props === "object" && props !== null) {
    const isClosed = printProps(p, props, { name, isText });
    if (isClosed) return;
  }
  p.out += " />";
}

function quoted(p, body) {
  const { quoteStrings } = p;
  p.quoteStrings = true;
  body();
  p.quoteStrings = quoteStrings;
}

/** Returns whether the element is complete, because it had children. */
function printProps(p, props, tag) {
  const names = keysOf(props);
  const children = props.children;
  const hasChildren = children !== undefined;
  let isClosed = false;
  quoted(p, () => {
    p.indent++;
    printAttributes(p, props, names, hasChildren);
    p.indent--;
    if (hasChildren && names.length > 0 && !p.isCompact) {
      isClosed = printChildren(p, children, tag);
    }
  });
  return isClosed;
}

function printAttributes(p, props, names, hasChildren) {
  const { c } = p;
  const count = names.length - (hasChildren ? 1 : 0);
  let needsSpace = true;
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    if (name === "children" || name === "") continue;
    const value = props[name];
    if (needsSpace) p.text(" ", 1);
    needsSpace = false;
    const label = name.length > KEY_MAX ? k.slice(name, 0, KEY_MAX) : name;
    p.out += `${c.r}${c.blue}${label}${c.d}=${c.r}`;
    const tag = p.tagOf(value);
    const isString = tag === "string" || tag === "String";
    if (isString) p.out += c.r + c.green;
    p.tagged(tag, value);
    if (isString) p.out += c.r;
    if (i + 1 >= count) continue;
    if (i > PROPS_ON_LINE && !p.isCompact) p.newline();
    else p.text(" ", 1);
  }
}

/** Text, an element or a list of them; anything else is not shown. */
function printChildren(p, children, tag) {
  const kind = p.tagOf(children, false);
  if (kind === "string" || kind === "String" || kind === "RegExp") {
    const text = kind === "string" ? children : `${children}`;
    if (text !== "") printText(p, text);
  } else if (kind === "Element") {
    printInner(p, () => p.tagged("Element", children));
  } else if (kind === "Array") {
    if (children.length > 0) printInner(p, () => printList(p, children));
  } else return false;
  const isEmpty = kind === "Element" ? false : children.length === 0;
  if (!isEmpty) closeTag(p, tag);
  return true;
}

function printText(p, text) {
  p.out += `${p.c.r}>`;
  if (text.length < TEXT_MAX) {
    p.out += text;
    return;
  }
  const indent = repeat("  ", p.indent);
  p.out += `\n  ${indent}${text}\n${indent}`;
}

function printInner(p, body) {
  p.out += ">";
  p.indent++;
  p.newline();
  body();
  p.indent--;
  p.newline();
}

function printList(p, children) {
  const { quoteStrings } = p;
  p.quoteStrings = false;
  for (let i = 0; i < children.length; i++) {
    if (i > 0) p.newline();
    p.value(hasOwn(children, i) || isArray(children) ? children[i] : undefined);
  }
  p.quoteStrings = quoteStrings;
}

function closeTag(p, { name, isText }) {
  const { c } = p;
  p.out += `</${c.r}${isText ? c.green : c.cyan}${name}${c.r}>`;
}

exports.printElement = printElement;
