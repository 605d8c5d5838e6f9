// internal/inspect/bun_web -- how the Bun flavour shows instances of the interfaces of the web.
//
// Their attributes are accessors of a class here and properties of the engine's kind in Bun, which
// shows them by value: attributes first, then methods, then constants. Some classes have a format
// of their own.

const k = require("internal/inspect/kinds");
const { getPrototypeOf, getOwnPropertyDescriptor, ownKeys, hasOwn, className } = k;

const kTag = Symbol.toStringTag;

const split = k.uncurry(String.prototype.split);

/** First members of an interface in Bun's order, where the order of the class is another one. */
const ORDER = {
  __proto__: null,
  Crypto: "getRandomValues randomUUID timingSafeEqual subtle",
  Event:
    "type target currentTarget eventPhase cancelBubble bubbles cancelable defaultPrevented " +
    "composed timeStamp srcElement returnValue composedPath stopPropagation " +
    "stopImmediatePropagation preventDefault initEvent",
  MessagePort: "onmessage onmessageerror",
  MessageEvent: "origin lastEventId source data ports",
  Performance:
    "now timeOrigin timing onresourcetimingbufferfull toJSON getEntries getEntriesByType " +
    "getEntriesByName clearResourceTimings setResourceTimingBufferSize mark clearMarks measure " +
    "clearMeasures markResourceTiming",
  TextDecoder: "decode encoding fatal ignoreBOM",
  WebSocket:
    "URL url readyState bufferedAmount onopen onmessage onerror onclose protocol extensions " +
    "binaryType send close ping pong terminate pause resume isPaused CONNECTING OPEN CLOSING " +
    "CLOSED",
};

/** The name that an object gives to its instances as the prototype of an interface. */
function interfaceName(o) {
  const d = getOwnPropertyDescriptor(o, kTag);
  if (d === undefined || typeof d.value !== "string" || d.enumerable || d.writable)
    return undefined;
  const { isPlatformObject } = require("internal/webidl/interface");
  return isPlatformObject({ __proto__: o }) ? d.value : undefined;
}

/** Whether a value is an instance of a class of the web, or inherits from one. */
function isInstance(v) {
  return require("internal/webidl/interface").isPlatformObject(v);
}

/** The members of an interface in the order in which Bun shows them. */
function membersOf(o, name) {
  const all = ownKeys(o);
  const first = split(ORDER[name] ?? "", " ");
  const done = { __proto__: null, isTrusted: true, constructor: true };
  const out = [];
  const take = (key) => {
    done[key] = true;
    out[out.length] = key;
  };
  for (let i = 0; i < first.length; i++) if (hasOwn(o, first[i])) take(first[i]);
  for (let k = 0, list = ["accessor", "function", "constant"]; k < list.length; k++) {
    const rank = list[k];
    for (let i = 0; i < all.length; i++) {
      const key = all[i];
      if (typeof key === "string" && !done[key] && rankOf(o, key) === rank) take(key);
    }
  }
  return out;
}

function rankOf(o, key) {
  const d = getOwnPropertyDescriptor(o, key);
  if (!hasOwn(d, "value")) return "accessor";
  return typeof d.value === "function" ? "function" : "constant";
}

/** Value of an own accessor where the engine would have none; undefined for others. */
function ownAttribute(v, key, d) {
  if (key === "isTrusted" && !d.configurable) return { value: trustOf(v) };
  if (!hasOwn(v, kTag) || interfaceName(v) === undefined) return undefined;
  return { value: readAttribute(v, key) };
}

/** What an attribute gives; undefined for an object that only inherits it. */
function readAttribute(v, key) {
  try {
    return v[key];
  } catch {
    return undefined;
  }
}

/** `isTrusted` of an Event, which is the first of its own properties. */
function trustOf(v) {
  const value = readAttribute(v, "isTrusted");
  return typeof value === "boolean" ? value : undefined;
}

// ---- formats of their own

// Bun's have toJSON: an object of the values by name, arrays where there are several.

function printParams(p, v) {
  if (p.depth > p.depthMax) p.objectEllipsis("URLSearchParams");
  else printJson(p, v.toJSON(), "URLSearchParams", "");
}

function printHeaders(p, v) {
  if (p.depth > p.depthMax) {
    p.text("Headers ");
    p.objectEllipsis("Object");
  } else printJson(p, v.toJSON(), "Headers");
}

function printFormData(p, v) {
  const json = v.toJSON();
  const isEmpty = ownKeys(json).length === 0;
  if (p.depth > p.depthMax) p.objectEllipsis(isEmpty ? "Object" : "FormData");
  else if (isEmpty) p.text("{}");
  else printJson(p, json, "FormData", "");
}

function printJson(p, json, name, lead) {
  const keys = ownKeys(json);
  const values = [];
  for (let i = 0; i < keys.length; i++) values[i] = json[keys[i]];
  p.quoted(name, keys, values, lead);
}

/** Not in the format of errors. */
function printException(p, v) {
  if (p.depth > p.depthMax) {
    p.objectEllipsis("DOMException");
    return;
  }
  const keys = [];
  const values = [];
  const take = (o, names) => {
    for (let i = 0; i < names.length; i++) {
      keys[keys.length] = names[i];
      values[values.length] = readAttribute(o, names[i]);
    }
  };
  const own = ownKeys(v);
  const shown = [];
  for (let i = 0; i < own.length; i++) {
    if (getOwnPropertyDescriptor(v, own[i]).enumerable) shown[shown.length] = own[i];
  }
  take(v, shown);
  if (p.isSorted) {
    if (keys.length > 0) p.object(`${className(v)} `, keys, values);
    else p.text(`${className(v)} {}`);
    return;
  }
  take(v, ["code", "name", "message"]);
  let o = getPrototypeOf(v);
  while (interfaceName(o) !== "DOMException") o = getPrototypeOf(o);
  const members = membersOf(o, "DOMException");
  const constants = [];
  for (let i = 0; i < members.length; i++) {
    if (rankOf(o, members[i]) === "constant") constants[constants.length] = members[i];
  }
  take(o, constants);
  take(v, ["toString"]);
  p.object(`${className(v)} `, keys, values);
}

const ofFetch = (name) => (p, v) => require("internal/inspect/bun_fetch")[name](p, v);

const FORMATS = {
  __proto__: null,
  Blob: ofFetch("printBlob"),
  DOMException: printException,
  File: ofFetch("printBlob"),
  FormData: printFormData,
  Headers: printHeaders,
  Request: ofFetch("printRequest"),
  Response: ofFetch("printResponse"),
  URLSearchParams: printParams,
};

/** Immediates have no number of their own. */
const numbers = new WeakMap();
let lastNumber = 0;

function printTimer(p, v) {
  const { r, d, blue, yellow } = p.c;
  const isTimeout = hasOwn(v, "_onTimeout");
  let id;
  if (isTimeout) id = +v;
  else {
    id = numbers.get(v) ?? ++lastNumber;
    numbers.set(v, id);
  }
  const tail = isTimeout && v._repeat !== null ? `${d}, repeats)${r}` : `${d})${r}`;
  const name = isTimeout ? "Timeout" : "Immediate";
  p.text(`${r}${blue}${name}${r} ${d}(#${yellow}${id}${r}${tail}`, name.length + 5);
}

const isTimer = (v) => {
  const name = hasOwn(v, "_onTimeout") ? "Timeout" : hasOwn(v, "_onImmediate") ? "Immediate" : "";
  return name !== "" && className(v) === name && v instanceof require("node:timers")[name];
};

/**
 * How an object is printed that is none of the language.
 * @param {object} v
 * @param {string | undefined} tag Its class string.
 * @returns {((p: object, v: object) => void) | undefined}
 */
function formatOf(v, tag) {
  if (tag === undefined) return isTimer(v) ? printTimer : undefined;
  const print = FORMATS[tag];
  return print !== undefined && isInstance(v) && !isPrototype(v) ? print : undefined;
}

const isPrototype = (v) => interfaceName(v) !== undefined;

Object.assign(exports, {
  formatOf,
  interfaceName,
  membersOf,
  ownAttribute,
  readAttribute,
  trustOf,
});
