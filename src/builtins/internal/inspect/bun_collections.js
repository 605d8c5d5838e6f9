// internal/inspect/bun_collections -- how the Bun flavour prints collections, iterators and bytes.

const k = require("internal/inspect/slots");
const { quote, spaces } = require("internal/inspect/bun_print");

const TYPED_ITEMS_MAX = 513;

/** How each tag is printed: (printer, value). */
const PRINTERS = { __proto__: null };

// ---- collections

/** Opens a scope of quoted strings one level in, runs `body`, closes the scope. */
function inside(p, body) {
  const quoteStrings = p.quoteStrings;
  p.quoteStrings = true;
  p.indent++;
  p.depth++;
  body();
  p.depth--;
  p.indent--;
  p.quoteStrings = quoteStrings;
}

const sizeOf = (v) => (+v.size || 0) | 0;

function collection(name, each) {
  return (p, v) => {
    const size = sizeOf(v);
    if (size === 0) {
      p.text(`${name} {}`);
      return;
    }
    if (p.depth > p.depthMax) {
      p.ellipsis(name);
      return;
    }
    p.out += `${name}(${size}) {`;
    let count = 0;
    inside(p, () => {
      each(v, (value, key) => {
        if (p.isCompact) p.out += " ";
        else p.newline();
        if (count++ > 0 && p.isCompact) p.out = `${k.slice(p.out, 0, -1)}`;
        entry(p, name, key, value, count);
      });
    });
    if (p.isCompact) p.out += " }";
    else {
      p.newline();
      p.out += "}";
    }
  };
}

function entry(p, name, key, value, count) {
  if (p.isCompact && count > 1) {
    p.comma();
    p.out += " ";
  }
  if (name === "Map") {
    p.value(key);
    p.out += ": ";
  }
  p.value(value);
  if (!p.isCompact) p.comma();
}

function iterator(name) {
  return (p, v) => {
    if (p.depth > p.depthMax) {
      p.ellipsis(name);
      return;
    }
    const { 0: items, 1: isPairs } = k.previewIterator(v);
    const list = isPairs ? pairsOf(items) : items;
    p.out += `${name} { `;
    inside(p, () => {
      for (let i = 0; i < list.length; i++) {
        if (!p.isCompact) p.newline();
        else if (i > 0) {
          p.comma();
          p.out += " ";
        }
        p.value(list[i]);
        if (!p.isCompact) p.comma();
      }
    });
    if (list.length > 0) {
      if (!p.isCompact) p.newline();
      else if (name === "MapIterator") p.out += " ";
    } else if (!p.isCompact) p.out += spaces(p.indent);
    p.out += "}";
  };
}

function pairsOf(items) {
  const out = [];
  for (let i = 0; i + 1 < items.length; i += 2) out[out.length] = [items[i], items[i + 1]];
  return out;
}

Object.assign(PRINTERS, {
  Map: collection("Map", k.mapForEach),
  Set: collection("Set", k.setForEach),
  WeakMap: (p) => p.text("WeakMap {}"),
  WeakSet: (p) => p.text("WeakSet {}"),
  "Map Iterator": iterator("MapIterator"),
  "Set Iterator": iterator("SetIterator"),
});

// ---- bytes

function printElements(p, name, items, suffix) {
  if (items.length === 0) {
    p.text(`${name}(0) []`);
    return;
  }
  p.out += `${name}(${items.length}) [ `;
  const end = items.length < TYPED_ITEMS_MAX ? items.length : TYPED_ITEMS_MAX;
  for (let i = 0; i < end; i++) {
    if (i > 0) {
      p.comma();
      p.text(" ", 1);
    }
    p.out += `${p.c.r}${p.c.yellow}${items[i]}${suffix}${p.c.r}`;
  }
  if (end < items.length) {
    const more = `${suffix}, ... ${items.length - end} more`;
    p.out += `${p.c.r}${p.c.d}${more}${p.c.r}`;
  }
  p.out += " ]";
}

function printTypedArray(p, v) {
  const name = k.typedArrayTag(v);
  const text = p.isPlain && name === "Uint8Array" ? utf8Text(v) : undefined;
  if (text !== undefined) {
    p.out += `${p.c.r}${p.c.green}${quote(text)}${p.c.r}`;
    return;
  }
  const suffix = name === "BigInt64Array" || name === "BigUint64Array" ? "n" : "";
  printElements(p, name, v, suffix);
}

/** Bytes as text, undefined when they are none. */
function utf8Text(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function printBuffer(p, v) {
  const isShared = !k.hasSlot(k.bufferLength, v);
  printElements(p, isShared ? "SharedArrayBuffer" : "ArrayBuffer", bytesOf(v), "");
}

const bytesOf = (buffer) => {
  try {
    return new Uint8Array(buffer);
  } catch {
    return new Uint8Array(0); // detached
  }
};

function printDataView(p, v) {
  let bytes;
  try {
    bytes = new Uint8Array(k.viewBuffer(v), k.viewOffset(v), k.viewLength(v));
  } catch {
    bytes = new Uint8Array(0);
  }
  printElements(p, "DataView", bytes, "");
}

Object.assign(PRINTERS, {
  TypedArray: printTypedArray,
  ArrayBuffer: printBuffer,
  DataView: printDataView,
});

exports.PRINTERS = PRINTERS;
