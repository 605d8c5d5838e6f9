// @internal
// bun:shell/braces -- {a,b} and {1..9}: from one word to several, before anything else is expanded.
const WORDS_MAX = 1 << 16;
const ITEMS_MAX = 1 << 23; // of all words together
const RANGE = /^(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.(-?\d{1,9}))?$/;
const LETTERS = /^([A-Za-z])\.\.([A-Za-z])(?:\.\.(-?\d{1,9}))?$/;

/** Items of a list of parts: characters outside of quotes, and parts as they are. */
function itemsOf(parts) {
  const items = [];
  for (const part of parts) {
    if (part.type === "text" && !part.quoted) items.push(...part.text);
    else items.push(part);
  }
  return items;
}

function partsOf(items) {
  const parts = [];
  for (const item of items) {
    const last = parts.at(-1);
    if (typeof item !== "string") parts.push(item);
    else if (last?.type === "text" && !last.quoted) last.text += item;
    else parts.push({ type: "text", text: item, quoted: false });
  }
  return parts;
}

function numbers([, from, to, step]) {
  const width =
    /^-?0\d/.test(from) || /^-?0\d/.test(to) ? Math.max(from.length, to.length) : 0;
  const list = [];
  const by = Math.abs(Number(step ?? 1)) || 1;
  const [first, last] = [Number(from), Number(to)];
  for (let n = first; first <= last ? n <= last : n >= last; n += first <= last ? by : -by) {
    if (list.length >= WORDS_MAX) throw new RangeError("Brace expansion has too many words");
    const digits = `${Math.abs(n)}`;
    list.push(n < 0 ? `-${digits.padStart(width - 1, "0")}` : digits.padStart(width, "0"));
  }
  return list;
}

function letters([, from, to, step]) {
  const list = [];
  const by = Math.abs(Number(step ?? 1)) || 1;
  const [first, last] = [from.charCodeAt(0), to.charCodeAt(0)];
  for (let n = first; first <= last ? n <= last : n >= last; n += first <= last ? by : -by) {
    list.push(String.fromCharCode(n));
  }
  return list;
}

/** The words of {a..b} as lists of items, or undefined. */
function rangeOf(items) {
  if (items.some((item) => typeof item !== "string")) return undefined;
  const text = items.join("");
  const match = RANGE.exec(text);
  if (match !== null) return numbers(match).map((each) => [...each]);
  const found = LETTERS.exec(text);
  return found === null ? undefined : letters(found).map((each) => [...each]);
}

/** For each "{" the index of its "}" and of the commas between; -1 where it is not closed. */
function findPairs(items) {
  const pairs = new Map();
  const open = [];
  for (let i = 0; i < items.length; i++) {
    if (items[i] === "{") open.push({ at: i, commas: [], end: -1 });
    else if (items[i] === "," && open.length > 0) open.at(-1).commas.push(i);
    else if (items[i] === "}" && open.length > 0) {
      const pair = open.pop();
      pair.end = i;
      pairs.set(pair.at, pair);
    }
  }
  return pairs;
}

class Expander {
  constructor(items, canRange) {
    this.items = items;
    this.pairs = findPairs(items);
    this.canRange = canRange;
  }

  /** All words of items[from, to). */
  expand(from, to) {
    let words = [[]];
    for (let i = from; i < to; i++) {
      const alternatives = this.alternatives(this.pairs.get(i));
      if (alternatives === undefined) {
        for (const word of words) word.push(this.items[i]);
        continue;
      }
      const n = words.length * alternatives.length;
      if (n > WORDS_MAX || n * (to - from) > ITEMS_MAX) {
        throw new RangeError("Brace expansion has too many words");
      }
      words = words.flatMap((word) => alternatives.map((each) => [...word, ...each]));
      i = this.pairs.get(i).end;
    }
    return words;
  }

  alternatives(pair) {
    if (pair === undefined) return undefined;
    if (pair.commas.length === 0) {
      return this.canRange ? rangeOf(this.items.slice(pair.at + 1, pair.end)) : undefined;
    }
    const words = [];
    let start = pair.at + 1;
    for (const end of [...pair.commas, pair.end]) {
      words.push(...this.expand(start, end));
      if (words.length > WORDS_MAX) throw new RangeError("Brace expansion has too many words");
      start = end + 1;
    }
    return words;
  }
}

/** The lists of parts that a word's parts stand for. */
exports.expandParts = function expandParts(parts) {
  const items = itemsOf(parts);
  return new Expander(items, true).expand(0, items.length).map(partsOf);
};

/** $.braces: of a text in which "\" escapes. */
exports.expandText = function expandText(text) {
  const items = [];
  for (let i = 0; i < text.length; i++) {
    if (text[i] === "\\" && i + 1 < text.length) items.push({ text: text.slice(i, ++i + 1) });
    else items.push(text[i]);
  }
  const words = new Expander(items, false).expand(0, items.length);
  return words.map((word) => word.map((item) => item.text ?? item).join(""));
};
