// @internal
// bun:color -- Bun.color: colours of CSS in other forms.
//
// Read are names, #hex, rgb(), hsl(), hwb(), numbers, objects and arrays.  What needs other colour
// spaces (lab, lch, oklab, oklch, color(), color-mix, light-dark) is not there.
const { ERR_INVALID_ARG_TYPE, notImplemented } = require("internal/errors");
const { printers } = require("bun:color/print");

const OTHER_SPACES = /^(?:lab|lch|oklab|oklch|color|color-mix|light-dark)\(/;

// Bun computes in floats of 32 bits.
const { fround } = Math;
const clampByte = (n) => Math.min(255, Math.max(0, n));
const byteOf = (n) => clampByte(Math.round(n));
const byteOfUnit = (n) => byteOf(fround(n * 255));

/** Numbers are 0xrrggbb, and above that 0xaarrggbb. */
function fromNumber(number) {
  const n = number >>> 0;
  const alpha = number >= 0 && number <= 0xffffff ? 255 : n >>> 24;
  return [(n >> 16) & 255, (n >> 8) & 255, n & 255, Number.isNaN(number) ? 255 : alpha];
}

function integerOf(value, name) {
  if (typeof value === "number") return clampByte(Math.trunc(value) || 0);
  const error = new TypeError(`Expected ${name} to be a integer for 'color'.`);
  throw Object.assign(error, { code: "ERR_INVALID_ARG_TYPE" });
}

function fromObject(value) {
  if (Array.isArray(value)) {
    if (value.length !== 3 && value.length !== 4) throw new Error("Expected array length 3 or 4");
    const list = value.map((part, i) => integerOf(part, `[${i}]`));
    return list.length === 3 ? [...list, 255] : list;
  }
  const list = [integerOf(value.r, "r"), integerOf(value.g, "g"), integerOf(value.b, "b")];
  const { a } = value;
  list.push(typeof a === "number" ? clampByte(Math.trunc(a * 255) || 0) : 255);
  return list;
}

function fromHex(digits) {
  if (!/^[\da-f]+$/.test(digits)) return null;
  const { length } = digits;
  if (length === 3 || length === 4) digits = digits.replace(/./g, "$&$&");
  else if (length !== 6 && length !== 8) return null;
  const n = parseInt(digits.padEnd(8, "f"), 16);
  return [n >>> 24, (n >> 16) & 255, (n >> 8) & 255, n & 255];
}

const NUMBER = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(%|deg|grad|rad|turn|)$/;

/** { value, unit } of one argument; "none" is 0 of any unit. */
function parseNumber(text) {
  if (text === "none") return { value: 0, unit: "none" };
  const match = NUMBER.exec(text);
  return match === null ? null : { value: Number(match[1]), unit: match[2] };
}

/** Arguments of a function: three and perhaps an alpha. */
function splitArguments(text) {
  let parts;
  if (text.includes(",")) {
    parts = text.split(",");
  } else {
    const [colors, alpha, ...rest] = text.split("/");
    if (rest.length > 0) return null;
    parts = colors.trim().split(/\s+/);
    if (parts.length !== 3) return null;
    if (alpha !== undefined) parts.push(alpha);
  }
  if (parts.length !== 3 && parts.length !== 4) return null;
  const numbers = parts.map((part) => parseNumber(part.trim()));
  return numbers.includes(null) ? null : numbers;
}

function alphaOf(number) {
  if (number === undefined) return 255;
  if (number.unit !== "" && number.unit !== "%" && number.unit !== "none") return null;
  return byteOf((number.unit === "%" ? number.value / 100 : number.value) * 255);
}

const DEGREES = {
  __proto__: null,
  "": 1,
  none: 1,
  deg: 1,
  grad: 0.9,
  rad: 180 / Math.PI,
  turn: 360,
};

const hasUnit = (number, unit) => number.unit === unit || number.unit === "none";

function fromRgb(numbers) {
  const colors = numbers.slice(0, 3);
  if (colors.every((n) => hasUnit(n, ""))) return colors.map((n) => byteOf(n.value));
  if (colors.every((n) => hasUnit(n, "%"))) {
    return colors.map((n) => byteOfUnit(fround(n.value / 100)));
  }
  return null;
}

const unitInterval = (n) => fround(Math.min(1, Math.max(0, n.value / 100)));

/** Red, green and blue of a hue at full saturation, as of hsl(). */
function hslToRgb(hue, saturation, lightness) {
  const a = saturation * Math.min(lightness, 1 - lightness);
  return [0, 8, 4].map((n) => {
    const k = (n + hue / 30) % 12;
    return fround(lightness - a * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  });
}

function fromHue(name, [angle, second, third]) {
  const factor = DEGREES[angle.unit];
  if (factor === undefined || !hasUnit(second, "%") || !hasUnit(third, "%")) return null;
  const hue = (((angle.value * factor) % 360) + 360) % 360;
  let [x, y] = [unitInterval(second), unitInterval(third)];
  if (name !== "hwb") return hslToRgb(hue, x, y).map(byteOfUnit);
  if (x + y > 1) [x, y] = [x / (x + y), y / (x + y)];
  const room = fround(fround(1 - x) - y);
  return hslToRgb(hue, 1, 0.5).map((c) => byteOfUnit(fround(fround(c * room) + x)));
}

function fromFunction(text) {
  const match = /^(rgba?|hsla?|hwb)\(([^()]*)\)$/.exec(text);
  if (match === null) return null;
  const numbers = splitArguments(match[2]);
  if (numbers === null) return null;
  const colors = match[1].startsWith("rgb") ? fromRgb(numbers) : fromHue(match[1], numbers);
  const alpha = alphaOf(numbers[3]);
  return colors === null || alpha === null ? null : [...colors, alpha];
}

function fromText(value) {
  const text = value.replace(/\/\*[^]*?\*\//g, " ").trim().toLowerCase();
  if (text.startsWith("#")) return fromHex(text.slice(1));
  if (text === "transparent") return [0, 0, 0, 0];
  if (text === "currentcolor") return "currentColor";
  if (OTHER_SPACES.test(text)) {
    throw notImplemented(`Bun.color of ${text.slice(0, text.indexOf("("))}()`);
  }
  const named = require("bun:color/names").colors[text];
  return named === undefined ? fromFunction(text) : fromNumber(named);
}

function parse(input) {
  if (typeof input === "number") return fromNumber(input);
  if ((typeof input === "object" && input !== null) || typeof input === "function") {
    return fromObject(input);
  }
  return fromText(`${input}`);
}

function badFormat() {
  const names = Object.keys(printers).map((name) => `'${name}'`);
  const text = `format must be one of ${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
  return Object.assign(new TypeError(text), { code: "ERR_INVALID_ARG_TYPE" });
}

/** The colour in that format; null when it is none. */
exports.color = function color(input, format) {
  if (input === undefined) {
    const text = "Expected input to be a string, number, or object for 'color'.";
    throw Object.assign(new TypeError(text), { code: "ERR_INVALID_ARG_TYPE" });
  }
  format ??= "css";
  if (typeof format !== "string") throw new ERR_INVALID_ARG_TYPE("format", "string", format);
  const print = printers[format];
  if (print === undefined) {
    throw badFormat();
  }
  const parsed = parse(input);
  return Array.isArray(parsed) ? print(parsed) : parsed;
};
