// internal/data -- Bun.TOML, YAML, JSONC, JSON5 and XML, and what files of these kinds are as
// modules.
//
// native: parseToml(text), parseYaml(text), parseJsonc(text), parseJson5(text): the value, or a
//         SyntaxError with `line` and `column`

/** Text of what the parsers take: strings, and bytes in UTF-8. */
function textOf(input) {
  if (typeof input === "string") return input;
  if (ArrayBuffer.isView(input) || input instanceof ArrayBuffer) {
    return new TextDecoder().decode(input);
  }
  return `${input}`;
}

function group(name, members) {
  const object = { __proto__: Object.prototype };
  for (const key of Object.keys(members)) object[key] = members[key];
  return object;
}

exports.TOML = group("TOML", {
  parse(input) {
    return native.parseToml(textOf(input));
  },
  stringify(value) {
    return require("internal/data/toml_text").stringify(value);
  },
});

exports.YAML = group("YAML", {
  parse(input) {
    return native.parseYaml(textOf(input));
  },
  stringify(value, replacer, space) {
    return require("internal/data/yaml_text").stringify(value, replacer, space);
  },
});

exports.JSONC = group("JSONC", {
  parse(input) {
    return native.parseJsonc(textOf(input));
  },
});

exports.JSON5 = group("JSON5", {
  parse(input) {
    return native.parseJson5(textOf(input));
  },
  stringify(value, replacer, space) {
    return require("internal/data/json5_text").stringify(value, replacer, space);
  },
});

function isBytes(value) {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer ||
    value instanceof SharedArrayBuffer;
}

/** What XML can be read from: the text, or bytes whose encoding the document names. */
function xmlInput(input) {
  if (isBytes(input)) {
    return ArrayBuffer.isView(input)
      ? new Uint8Array(input.buffer, input.byteOffset, input.byteLength) : new Uint8Array(input);
  }
  if (input === undefined || input === null) {
    throw new TypeError("input must be a string, ArrayBuffer, ArrayBufferView or Blob");
  }
  const { isBlob, partsOf } = require("web/blob");
  if (!isBlob(input)) return `${input}`;
  const parts = partsOf(input);
  if (parts.every(ArrayBuffer.isView)) return new Uint8Array(Buffer.concat(parts));
  throw new TypeError("not implemented: XML.parse of a file that is not read yet");
}

exports.XML = group("XML", {
  parse(input, options) {
    return require("internal/data/xml").parse(xmlInput(input), options);
  },
  stringify(value, replacer, space) {
    return require("internal/data/xml_text").stringify(value, space);
  },
});

const parsers = {
  __proto__: null,
  xml: (input) => require("internal/data/xml").parse(input),
  toml: native.parseToml,
  yaml: native.parseYaml,
  jsonc: native.parseJsonc,
  json5: native.parseJson5,
};

/** The value of a file's text, by the name of its loader; errors name the file and the place. */
exports.parseAs = function parseAs(loader, text, path) {
  try {
    return parsers[loader](text);
  } catch (error) {
    const hasPlace = loader !== "xml" && error.line !== undefined;
    const place = hasPlace ? `${path}:${error.line}:${error.column}` : path;
    error.message = `${place}: ${error.message}`;
    throw error;
  }
};

/** What a module of this loader is, from its text: for plugins, which name the loader. */
exports.valueOf = function valueOf(loader, text, path) {
  if (loader === "text") return text;
  if (loader === "file") return path;
  if (loader === "css") return {};
  if (loader === "json") return JSON.parse(text);
  if (parsers[loader] === undefined) throw new TypeError(`Loader "${loader}" is not known`);
  return exports.parseAs(loader, text, path);
};
