// @internal
// bun:transpiler -- Bun.Transpiler (bun-types bun.d.ts).
//
// native: run(mode, code, config, callback); see transpiler.c.
const { makeCoded } = require("internal/errors");
const { parseOptions, parseLoader, configFor } = require("bun:transpiler/options");

const TRANSFORM = 0;
const SCAN = 1;
const IMPORT_KINDS = ["import-statement", "require-call", "require-resolve", "dynamic-import"];

function codeOf(code, method) {
  if (typeof code === "string" || ArrayBuffer.isView(code)) return code;
  if (code instanceof ArrayBuffer || code instanceof SharedArrayBuffer) return code;
  const text = `Expected code to be a string or Uint8Array for '${method}'.`;
  throw makeCoded("TypeError", "ERR_INVALID_ARG_TYPE", text);
}

function throwMessages(messages, config) {
  throw require("internal/build_message").fromMessages(messages, config[1]);
}

class Transpiler {
  #options;
  #configs = new Map(); // by loader

  constructor(options = undefined) {
    this.#options = parseOptions(options);
    /* Only the native half can tell whether the values are right. */
    if (this.#options.define.length) native.run(TRANSFORM, "", this.#config("js"));
  }

  #config(loader) {
    let config = this.#configs.get(loader);
    if (!config) this.#configs.set(loader, (config = configFor(this.#options, loader)));
    return config;
  }

  /** The code as JavaScript. */
  transformSync(code, loader) {
    const text = codeOf(code, "transformSync");
    const config = this.#config(parseLoader(loader, this.#options.loader));
    const result = native.run(TRANSFORM, text, config);
    return typeof result === "string" ? result : throwMessages(result, config);
  }

  /** Macros run on this thread. */
  #mayHaveMacros(text) {
    if (this.#options.macro.length > 0) return true;
    return (typeof text === "string" ? text : Buffer.from(text.buffer ?? text)).includes("macro");
  }

  /** The same on another thread. */
  transform(code, loader) {
    const text = codeOf(code, "transform");
    if (this.#mayHaveMacros(text)) {
      return new Promise((resolve) => resolve(this.transformSync(code, loader)));
    }
    const config = this.#config(parseLoader(loader, this.#options.loader));
    return new Promise((resolve, reject) => {
      native.run(TRANSFORM, text, config, (result) => {
        if (typeof result === "string") resolve(result);
        else if (!Array.isArray(result)) reject(result ?? new Error("no thread for the work"));
        else reject(require("internal/build_message").fromMessages(result, config[1]));
      });
    });
  }

  #scan(code, loader, method) {
    const text = codeOf(code, method);
    const config = this.#config(parseLoader(loader, this.#options.loader));
    const result = native.run(SCAN, text, config);
    if (!Array.isArray(result[0]) || typeof result[0][0] === "number") {
      throwMessages(result, config);
    }
    const imports = [];
    for (let i = 1; i < result.length; i += 2) {
      imports.push({ kind: IMPORT_KINDS[result[i]], path: result[i + 1] });
    }
    return { exports: result[0], imports };
  }

  scan(code, loader) {
    return this.#scan(code, loader, "scan");
  }

  scanImports(code, loader) {
    return this.#scan(code, loader, "scanImports").imports;
  }
}
Object.defineProperty(Transpiler.prototype, Symbol.toStringTag, {
  value: "Transpiler",
  configurable: true,
});

exports.Transpiler = Transpiler;
