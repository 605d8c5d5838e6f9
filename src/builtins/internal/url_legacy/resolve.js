// internal/url_legacy/resolve -- Url.prototype.resolveObject: a reference against a base, by rules
// older than the standard.

const { Url, isSlashed, isHostless } = require("internal/url_legacy");

const pathOf = (url) => `${url.pathname ? url.pathname : ""}${url.search ? url.search : ""}`;

function finish(result) {
  result.href = result.format();
  return result;
}

/** "//host/path": all but the scheme is new. */
function takeAllButProtocol(result, relative) {
  for (let i = 0, all = Object.keys(relative); i < all.length; i++) {
    const key = all[i];
    if (key !== "protocol") result[key] = relative[key];
  }
  if (isSlashed(result.protocol) && result.hostname && !result.pathname) {
    result.path = result.pathname = "/";
  }
  return finish(result);
}

/** "http:/a/b" against another scheme: the first segment is the host. */
function hostFromPath(relative) {
  const parts = (relative.pathname || "").split("/");
  while (parts.length > 0) {
    relative.host = parts.shift();
    if (relative.host) break;
  }
  relative.host ||= "";
  relative.hostname ||= "";
  if (parts[0] !== "") parts.unshift("");
  if (parts.length < 2) parts.unshift("");
  return parts.join("/");
}

function takeOtherProtocol(result, relative) {
  if (!isSlashed(relative.protocol)) {
    Object.assign(result, relative);
    return finish(result);
  }
  result.protocol = relative.protocol;
  const needsHost =
    !relative.host && !/^file:?$/.test(relative.protocol) && !isHostless(relative.protocol);
  result.pathname = needsHost ? hostFromPath(relative) : relative.pathname;
  result.search = relative.search;
  result.query = relative.query;
  result.host = relative.host || "";
  result.auth = relative.auth;
  result.hostname = relative.hostname || relative.host;
  result.port = relative.port;
  if (result.pathname || result.search) result.path = pathOf(result);
  result.slashes ||= relative.slashes;
  return finish(result);
}

/** "user@host" in a place for a host. */
function splitAuth(result) {
  if (!result.host || result.host.indexOf("@") <= 0) return;
  const parts = result.host.split("@");
  result.auth = parts.shift();
  result.host = result.hostname = parts.shift();
}

/** In schemes without slashes the host is the first segment of the path. */
function hostIntoPath(url, path) {
  if (url.host) {
    if (path[0] === "") path[0] = url.host;
    else path.unshift(url.host);
  }
}

/** Takes ".", ".." and what ".." goes up from out of `path`; how many ".." were left. */
function removeDots(path) {
  let up = 0;
  for (let i = path.length - 1; i >= 0; i--) {
    if (path[i] === ".") {
      path.splice(i, 1);
    } else if (path[i] === "..") {
      path.splice(i, 1);
      up++;
    } else if (up > 0) {
      path.splice(i, 1);
      up--;
    }
  }
  return up;
}

function takeHost(result, relative) {
  if (relative.host || relative.host === "") {
    if (result.host !== relative.host) result.auth = null;
    result.host = relative.host;
    result.port = relative.port;
  }
  if (relative.hostname || relative.hostname === "") {
    if (result.hostname !== relative.hostname) result.auth = null;
    result.hostname = relative.hostname;
  }
}

function takeQuery(result, relative) {
  result.search = relative.search;
  result.query = relative.query;
}

/** Paths of both, and whether the result has to be absolute. */
function prepare(result, relative) {
  const sourceIsAbsolute = result.pathname?.[0] === "/";
  const isAbsolute = Boolean(relative.host || relative.pathname?.[0] === "/");
  const path = result.pathname ? result.pathname.split("/") : [];
  const relativePath = relative.pathname ? relative.pathname.split("/") : [];
  const isFlat = Boolean(result.protocol) && !isSlashed(result.protocol);
  const removesAll = isAbsolute || sourceIsAbsolute || Boolean(result.host && relative.pathname);
  let mustBeAbsolute = removesAll;
  if (isFlat) {
    result.hostname = "";
    result.port = null;
    hostIntoPath(result, path);
    result.host = "";
    if (relative.protocol) {
      relative.hostname = null;
      relative.port = null;
      result.auth = null;
      hostIntoPath(relative, relativePath);
      relative.host = null;
    }
    mustBeAbsolute &&= relativePath[0] === "" || path[0] === "";
  }
  return { path, relativePath, isAbsolute, isFlat, removesAll, mustBeAbsolute };
}

/** Only a query (or nothing but it) in the reference. */
function takeSearchOnly(result, relative, { path, isFlat }) {
  if (isFlat) {
    result.hostname = result.host = path.shift();
    splitAuth(result);
  }
  takeQuery(result, relative);
  if (result.pathname !== null || result.search !== null) result.path = pathOf(result);
  return finish(result);
}

function withoutPath(result) {
  result.pathname = null;
  result.path = result.search ? `/${result.search}` : null;
  return finish(result);
}

/** The segments of the result; changes `path`. */
function cleanPath(result, relative, path, { removesAll, mustBeAbsolute }) {
  const last = path[path.length - 1];
  const isFolder =
    last === "" ||
    ((last === "." || last === "..") &&
      Boolean(result.host || relative.host || path.length > 1));
  let up = removeDots(path);
  if (!mustBeAbsolute && !removesAll) while (up-- > 0) path.unshift("..");
  if (mustBeAbsolute && path[0] !== "" && (!path[0] || path[0][0] !== "/")) path.unshift("");
  if (isFolder && !path.join("/").endsWith("/")) path.push("");
}

exports.resolveObject = function resolveObject(base, reference) {
  const relative =
    typeof reference === "string" ? new Url().parse(reference, false, true) : reference;
  const result = Object.assign(new Url(), base);
  result.hash = relative.hash;
  if (relative.href === "") return finish(result);
  if (relative.slashes && !relative.protocol) return takeAllButProtocol(result, relative);
  if (relative.protocol && relative.protocol !== result.protocol) {
    return takeOtherProtocol(result, relative);
  }
  const plan = prepare(result, relative);
  let { path } = plan;
  if (plan.isAbsolute) {
    takeHost(result, relative);
    takeQuery(result, relative);
    path = plan.relativePath;
  } else if (plan.relativePath.length > 0) {
    path.pop();
    path = path.concat(plan.relativePath);
    takeQuery(result, relative);
  } else if (relative.search !== null && relative.search !== undefined) {
    return takeSearchOnly(result, relative, plan);
  }
  if (path.length === 0) return withoutPath(result);
  cleanPath(result, relative, path, plan);
  return finishPath(result, relative, path, plan);
};

function finishPath(result, relative, path, { isFlat, mustBeAbsolute }) {
  const isAbsolute = path[0] === "" || path[0]?.[0] === "/";
  if (isFlat) {
    result.hostname = result.host = isAbsolute || path.length === 0 ? "" : path.shift();
    splitAuth(result);
  }
  if ((mustBeAbsolute || (result.host && path.length > 0)) && !isAbsolute) path.unshift("");
  if (path.length === 0) {
    result.pathname = null;
    result.path = null;
  } else {
    result.pathname = path.join("/");
  }
  if (result.pathname !== null || result.search !== null) result.path = pathOf(result);
  result.auth = relative.auth || result.auth;
  result.slashes ||= relative.slashes;
  return finish(result);
}
