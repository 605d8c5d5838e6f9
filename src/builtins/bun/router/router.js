// @internal
// bun:router -- Bun.FileSystemRouter: which file of a folder of pages answers a path.
const { makeCoded } = require("internal/errors");

const ENDINGS = [".tsx", ".jsx", ".ts", ".mjs", ".cjs", ".js", ".mts", ".cts"];
const DEPTH_MAX = 256;
const EXACT = 0;
const DYNAMIC = 1;
const CATCH_ALL = 2;
const OPTIONAL_CATCH_ALL = 3;
const KINDS = ["exact", "dynamic", "catch-all", "optional-catch-all"];
const FORMS = [
  [/^\[\[\.\.\.([^[\]]+)\]\]$/, OPTIONAL_CATCH_ALL],
  [/^\[\.\.\.([^[\]]+)\]$/, CATCH_ALL],
  [/^\[([^[\]]+)\]$/, DYNAMIC],
];

const wrong = (text) => makeCoded("TypeError", "ERR_INVALID_ARG_TYPE", text);

/** { kind, name } of one part of a route; the name is that of the parameter or the text itself. */
function partOf(text) {
  for (const [form, kind] of FORMS) {
    const match = form.exec(text);
    if (match !== null) return { kind, name: match[1] };
  }
  return { kind: EXACT, name: text };
}

/** Paths of files below `dir`, relative, with their ending. */
function* files(dir, prefix, endings, depth = 0) {
  const fs = require("node:fs");
  const entries = fs.readdirSync(dir, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const { name } = entry;
    if (name[0] === "." || name === "node_modules") continue;
    const full = `${dir}/${name}`;
    const isFolder = entry.isSymbolicLink()
      ? fs.statSync(full, { throwIfNoEntry: false })?.isDirectory()
      : entry.isDirectory();
    if (isFolder) {
      if (depth < DEPTH_MAX) yield* files(full, `${prefix}${name}/`, endings, depth + 1);
      continue;
    }
    const ending = endings.find((each) => name.endsWith(each) && name.length > each.length);
    if (ending !== undefined) yield [`${prefix}${name}`, ending];
  }
}

function routeOf(file, ending, dir) {
  const parts = file.slice(0, -ending.length).split("/");
  if (parts.at(-1) === "index") parts.pop();
  const path = parts.map(partOf);
  const kind = path.reduce((most, part) => Math.max(most, part.kind), EXACT);
  return { name: `/${parts.join("/")}`, file, filePath: `${dir}/${file}`, path, kind };
}

/** What is more exact comes first: as a whole, then part by part. */
function compare(a, b) {
  if (a.kind !== b.kind) return a.kind - b.kind;
  for (let i = 0; i < Math.max(a.path.length, b.path.length); i++) {
    const kinds = [a, b].map(({ path }) => path[i]?.kind ?? -1);
    if (kinds[0] !== kinds[1]) return kinds[0] - kinds[1];
  }
  if (a.path.length === 0 || b.path.length === 0) return b.path.length - a.path.length;
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

/** The parameters, or undefined: the route is another. */
function fit(path, parts) {
  const params = {};
  for (let i = 0; i < path.length; i++) {
    const { kind, name } = path[i];
    if (kind >= CATCH_ALL) {
      if (i >= parts.length) return kind === OPTIONAL_CATCH_ALL ? params : undefined;
      params[name] = parts.slice(i).join("/");
      return params;
    }
    if (i >= parts.length || (kind === EXACT && parts[i] !== name)) return undefined;
    if (kind === DYNAMIC) params[name] = parts[i];
  }
  return path.length === parts.length ? params : undefined;
}

function queryOf(search) {
  const query = {};
  for (const [key, value] of new URLSearchParams(search)) {
    if (!Object.hasOwn(query, key)) query[key] = value;
    else if (Array.isArray(query[key])) query[key].push(value);
    else query[key] = [query[key], value];
  }
  return query;
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

class MatchedRoute {
  constructor(route, pathname, params, query, src) {
    this.filePath = route.filePath;
    this.kind = KINDS[route.kind];
    this.name = route.name;
    this.params = params;
    this.pathname = pathname;
    this.query = { ...params, ...query, ...params };
    this.scriptSrc = src;
    this.src = src;
  }
}

class FileSystemRouter {
  #endings;
  #dir;
  #routes;

  constructor(options) {
    if (typeof options !== "object" || options === null) throw wrong("Expected object");
    const { dir, style, origin, assetPrefix, fileExtensions } = options;
    if (style === undefined) throw wrong('Expected \'style\' option (ex: "style": "nextjs")');
    if (style !== "nextjs") throw wrong("Only 'nextjs' style is currently implemented");
    if (typeof dir !== "string") throw wrong("FileSystemRouterOptions.dir is required");
    const isText = (value) => typeof value === "string";
    const isList = Array.isArray(fileExtensions) && fileExtensions.every(isText);
    if (fileExtensions !== undefined && !isList) {
      throw wrong("FileSystemRouterOptions.fileExtensions must be an array of string");
    }
    this.#endings = fileExtensions?.map((each) => (each[0] === "." ? each : `.${each}`)) ?? ENDINGS;
    this.#dir = require("node:path").resolve(dir);
    this.assetPrefix = assetPrefix ?? null;
    this.origin = origin ?? null;
    this.style = style;
    this.reload();
  }

  get routes() {
    return Object.fromEntries(this.#routes.map(({ name, filePath }) => [name, filePath]));
  }

  /** Looks at the folder again. */
  reload() {
    const dir = this.#dir;
    if (!require("node:fs").statSync(dir, { throwIfNoEntry: false })?.isDirectory()) {
      throw new Error(`Unable to find directory: ${dir}`);
    }
    const routes = new Map();
    for (const [file, ending] of files(dir, "", this.#endings)) {
      const route = routeOf(file, ending, dir);
      if (!routes.has(route.name)) routes.set(route.name, route);
    }
    this.#routes = [...routes.values()].sort(compare);
    return this;
  }

  match(input) {
    const isMessage = input instanceof Request || input instanceof Response;
    if (typeof input !== "string" && !isMessage) {
      throw wrong("Expected string, Request or Response");
    }
    let path = isMessage ? input.url || "/" : input;
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path)) {
      path = path.replace(/^[^:]*:\/\/[^/?#]*/, "") || "/";
    }
    if (path[0] !== "/") return null;
    const [whole] = path.split("#");
    const at = whole.indexOf("?");
    const search = at < 0 ? "" : whole.slice(at);
    const pathname = decode(at < 0 ? whole : whole.slice(0, at));
    const parts = pathname.split("/").filter((part) => part !== "");
    if (parts.at(-1) === "index") parts.pop();
    for (const route of this.#routes) {
      const params = fit(route.path, parts);
      if (params === undefined) continue;
      const prefix = (this.assetPrefix ?? "").replace(/^\/+|\/+$/g, "");
      const src = `${this.origin ?? ""}/${prefix === "" ? "" : `${prefix}/`}${route.file}`;
      return new MatchedRoute(route, pathname + search, params, queryOf(search), src);
    }
    return null;
  }
}

exports.FileSystemRouter = FileSystemRouter;
