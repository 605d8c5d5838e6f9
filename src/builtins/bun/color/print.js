// @internal
// bun:color/print -- colours as [r, g, b, a] (0 to 255 each) in the formats of Bun.color.
const { notImplemented } = require("internal/errors");

// For each of the colours 16 to 255 of a terminal that has 256: the nearest of its first 16.
const TO_16 =
  "0444cc2644cc2264cc2226ccaaaaecaaaaae1544cc3844cc2264cc2226ccaaaaecaaaaae1154cc11" +
  "54cc3384cc2226ccaaaaecaaaaae1115cc1115cc1115cc3337ccaaaaecaaaaae9999dc9999dc9999" +
  "dc9999dcbbbb7caaaaae99999d99999d99999d99999d99999dbbbbbf000000888888777777ffffff";

const { fround } = Math;

/** The shortest text of a 32-bit float. */
function floatText(value) {
  const n = fround(value);
  for (let digits = 1; digits < 10; digits++) {
    const text = n.toPrecision(digits);
    if (fround(Number(text)) === n) return `${Number(text)}`;
  }
  return `${n}`;
}

const hex2 = (n) => n.toString(16).padStart(2, "0");
const hexOf = ([r, g, b]) => `#${hex2(r)}${hex2(g)}${hex2(b)}`;

/** The shortest form of a colour in CSS. */
function cssOf(color) {
  const isOpaque = color[3] === 255;
  const long = isOpaque ? hexOf(color) : hexOf(color) + hex2(color[3]);
  const isDoubled = color.every((n) => n % 17 === 0);
  const hex = isDoubled ? long.replace(/([\da-f])\1/g, "$1") : long;
  if (!isOpaque) return hex;
  const name = require("bun:color/names").shortName((color[0] << 16) | (color[1] << 8) | color[2]);
  return name !== undefined && name.length < hex.length ? name : hex;
}

/** In floats of 32 bits, as Bun computes. */
function hslOf(color) {
  const [r, g, b] = color.map((n) => fround(n / 255));
  const max = Math.max(r, g, b);
  const min = Math.min(r, g, b);
  const lightness = fround(fround(max + min) / 2);
  const range = fround(max - min);
  let hue = 0;
  let saturation = 0;
  if (range !== 0) {
    const room = Math.min(lightness, fround(1 - lightness));
    saturation = fround(fround(max - lightness) / room);
    if (max === r) hue = fround(fround(fround(g - b) / range) + (g < b ? 6 : 0));
    else if (max === g) hue = fround(fround(fround(b - r) / range) + 2);
    else hue = fround(fround(fround(r - g) / range) + 4);
  }
  const percent = (n) => `${floatText(fround(n * 100))}%`;
  return `hsl(${floatText(fround(hue * 60))}, ${percent(saturation)}, ${percent(lightness)})`;
}

const LEVELS = [0, 0x5f, 0x87, 0xaf, 0xd7, 0xff];
const levelOf = (n) => (n < 48 ? 0 : n < 114 ? 1 : Math.trunc((n - 35) / 40));
const distance = (a, b) => a.reduce((sum, n, i) => sum + (n - b[i]) ** 2, 0);

/** The nearest of 256 colours: in the cube of 216, or among the grays. */
function indexOf256([r, g, b]) {
  const color = [r, g, b];
  const at = color.map(levelOf);
  const cube = at.map((level) => LEVELS[level]);
  const average = Math.trunc((r + g + b) / 3);
  const step = average > 238 ? 23 : Math.max(0, Math.trunc((average - 3) / 10));
  const gray = 8 + 10 * step;
  if (distance([gray, gray, gray], color) < distance(cube, color)) return 232 + step;
  return 16 + 36 * at[0] + 6 * at[1] + at[2];
}

function ansi16(color) {
  const n = parseInt(TO_16[indexOf256(color) - 16], 16);
  return `\x1b[${n < 8 ? 30 + n : 82 + n}m`;
}

const ansi256 = (color) => `\x1b[38;5;${indexOf256(color)}m`;
const ansi16m = ([r, g, b]) => `\x1b[38;2;${r};${g};${b}m`;

/** By what the terminal of stdout can do. */
function ansi(color) {
  if (!require("web/console").hasColors(1)) return "";
  const { FORCE_COLOR, COLORTERM, TERM = "" } = process.env;
  if (FORCE_COLOR === "3") return ansi16m(color);
  if (FORCE_COLOR === "2") return ansi256(color);
  if (FORCE_COLOR) return ansi16(color);
  if (COLORTERM === "truecolor" || COLORTERM === "24bit") return ansi16m(color);
  return TERM.includes("256") ? ansi256(color) : ansi16(color);
}

const rgbaArray = (color) => [...color];
const rgbArray = ([r, g, b]) => [r, g, b];
const rgbaObject = ([r, g, b, a]) => ({ r, g, b, a: fround(a / 255) });
const rgbObject = ([r, g, b]) => ({ r, g, b });

exports.printers = {
  __proto__: null,
  "[r,g,b,a]": rgbaArray,
  "[rgb]": rgbArray,
  "[rgba]": rgbaArray,
  "{r,g,b}": rgbObject,
  "{rgb}": rgbObject,
  "{rgba}": rgbaObject,
  ansi_256: ansi256,
  "ansi-256": ansi256,
  ansi_16: ansi16,
  "ansi-16": ansi16,
  ansi_16m: ansi16m,
  "ansi-16m": ansi16m,
  "ansi-24bit": ansi16m,
  "ansi-truecolor": ansi16m,
  ansi,
  ansi256,
  css: cssOf,
  hex: hexOf,
  HEX: (color) => hexOf(color).toUpperCase(),
  hsl: hslOf,
  lab() {
    throw notImplemented("Bun.color in the format lab");
  },
  number: ([r, g, b]) => (r << 16) | (g << 8) | b,
  rgb: ([r, g, b]) => `rgb(${r}, ${g}, ${b})`,
  rgba: ([r, g, b, a]) => `rgba(${r}, ${g}, ${b}, ${floatText(a / 255)})`,
};
