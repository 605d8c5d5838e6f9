// @internal
// bun:shell/template -- from a template literal to the { text, values } that bun:shell/words reads.
const { isBytes } = require("bun:shell/redirect");

const UNPAIRED = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

function checkText(text) {
  if (text.includes("\0")) {
    const { ERR_INVALID_ARG_VALUE } = require("internal/errors");
    throw new ERR_INVALID_ARG_VALUE("shell argument", text, "must be a string without null bytes");
  }
  if (UNPAIRED.test(text)) throw new Error("Shell script string contains invalid UTF-16");
  return text;
}

/** The path of a Bun.file, else undefined. */
const fileName = (value) =>
  value instanceof Blob && !(value instanceof File) && typeof value.name === "string"
    ? value.name
    : undefined;

const isSource = (value) =>
  isBytes(value) || value instanceof Blob || value instanceof Response ||
  value instanceof ReadableStream;

class Builder {
  text = "";
  values = new Map();

  put(value) {
    this.values.set(this.text.length, value);
    this.text += "\0";
  }

  add(value) {
    switch (typeof value) {
      case "string":
        return this.put({ text: checkText(value) });
      case "object":
        if (value !== null) return this.addObject(value);
    }
    this.put({ text: checkText(`${value}`) });
  }

  addObject(value) {
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) {
        if (i > 0) this.text += " ";
        this.add(value[i]);
      }
    } else if (isSource(value)) {
      this.put({ object: value, text: fileName(value) });
    } else if ("raw" in value) {
      this.text += checkText(`${value.raw}`);
    } else {
      const text = `${value}`;
      if (/^\[object \w+\]$/.test(text)) {
        throw new Error(
          `Invalid JS object used in shell: ${text}, you might need to call \`.toString()\` on it`,
        );
      }
      this.put({ text: checkText(text) });
    }
  }
}

/** Of the two parts of a call as a template's tag. */
exports.sourceOf = function sourceOf(strings, values) {
  const builder = new Builder();
  const { raw } = strings;
  for (let i = 0; i < raw.length; i++) {
    builder.text += raw[i];
    if (i < values.length) builder.add(values[i]);
  }
  return builder;
};
