// internal/serve/routes -- the routes of a server, and finding the one that a path means.
//
// Exact paths win over parameters, parameters over wildcards; among those the one with the longer
// beginning wins. A value is a function, a Response, a file, false (the fetch handler), or an
// object
// of these by method.

const { isResponse } = require("web/fetch/response");
const { isBlob } = require("web/blob");

const kMethodNames = new Set([
  "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "CONNECT", "TRACE",
]);

function bad(path, text) {
  return require("internal/errors").makeCoded(
    "TypeError", "ERR_INVALID_ARG_TYPE", `route "${path}" ${text}`,
  );
}

/** What answers a path, whatever the method is, or by method. */
function toTarget(path, value) {
  if (typeof value === "function") return { handler: value };
  if (value === false) return { isSkipped: true };
  if (isResponse(value)) return { response: value };
  if (isBlob(value)) return { file: value };
  if (value === null || typeof value !== "object") {
    throw bad(path, "must be a function, a Response, a file, false, or an object by method");
  }
  if (value instanceof require("internal/esm").HTMLBundle) {
    throw new Error(`not implemented: HTML files as routes ("${path}")`);
  }
  if (typeof value.dir === "string") {
    if (!path.endsWith("/*")) throw bad(path, "must end in /* to serve a directory");
    return { directory: value.dir, depth: path.split("/").length - 1 };
  }
  const methods = { __proto__: null };
  let n = 0;
  for (const key of Object.keys(value)) {
    if (!kMethodNames.has(key)) continue;
    methods[key] = toTarget(path, value[key]);
    n++;
  }
  if (n === 0) throw bad(path, "has no method that is known");
  return { methods };
}

class Node {
  constructor() {
    this.names = new Map();
    this.param = null;
    this.wildcard = null;
    this.end = null;
  }
}

class Routes {
  constructor(table) {
    this.exact = new Map();
    this.root = new Node();
    this.hasPatterns = false;
    for (const path of Object.keys(table)) this.#add(path, table[path]);
  }

  #add(path, value) {
    if (!path.startsWith("/") && path !== "*") {
      throw bad(path, "must start with a slash");
    }
    const target = toTarget(path, value);
    const isPattern = path.includes("/:") || path.includes("*");
    if (!isPattern) {
      this.exact.set(path, target);
      return;
    }
    this.hasPatterns = true;
    const names = [];
    let node = this.root;
    for (const part of path === "*" ? ["*"] : path.slice(1).split("/")) {
      if (part === "*") {
        node.wildcard ??= { target, names };
        return;
      }
      if (part.startsWith(":")) {
        names.push(part.slice(1));
        node = node.param ??= new Node();
      } else {
        if (!node.names.has(part)) node.names.set(part, new Node());
        node = node.names.get(part);
      }
    }
    node.end = { target, names };
  }

  /** The target of a path, or undefined; writes names and values of parameters into `parts`. */
  find(path, parts) {
    const target = this.exact.get(path);
    if (target !== undefined || !this.hasPatterns) return target;
    const pieces = path.slice(1).split("/");
    const values = [];
    const found = walk(this.root, pieces, 0, values);
    if (found === null) return undefined;
    parts.names = found.names;
    parts.values = values;
    return found.target;
  }
}

/** Depth is that of the routes, not of the path. */
function walk(node, pieces, i, values) {
  if (i === pieces.length) return node.end ?? null;
  const piece = pieces[i];
  const child = node.names.get(piece);
  if (child !== undefined) {
    const found = walk(child, pieces, i + 1, values);
    if (found !== null) return found;
  }
  if (node.param !== null && piece !== "") {
    values.push(piece);
    const found = walk(node.param, pieces, i + 1, values);
    if (found !== null) return found;
    values.pop();
  }
  return node.wildcard;
}

exports.Routes = Routes;
