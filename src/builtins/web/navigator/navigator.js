// @global navigator
// web/navigator -- navigator, with what Bun and Node have of it.

const navigator = {};
Object.defineProperty(navigator, Symbol.toStringTag, { value: "Navigator", configurable: true });

const define = (name, get) =>
  Object.defineProperty(navigator, name, { get, enumerable: true, configurable: true });

define("userAgent", () => `Bun/${process.versions.bun}`);
define("platform", () => "Linux x86_64");
define("hardwareConcurrency", () => require("node:os").availableParallelism());
define("language", () => new Intl.DateTimeFormat().resolvedOptions().locale);
define("languages", () => [new Intl.DateTimeFormat().resolvedOptions().locale]);

exports.navigator = navigator;
