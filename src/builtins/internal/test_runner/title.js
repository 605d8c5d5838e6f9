// internal/test_runner/title -- titles of test.each: printf formats and $paths.
const { bunInspect } = require("internal/inspect");

/** One value as a title shows it. */
const show = (value) => bunInspect(value, { depth: 4 });
const oneLine = (value) =>
  typeof value === "object" && value !== null ? show(value).replace(/\s*\n\s*/g, " ") : show(value);

const numberOf = (v) => (typeof v === "symbol" ? NaN : Number(v));

/** As JSON; what has none as the title shows it. */
function json(v) {
  try {
    return JSON.stringify(v) ?? "";
  } catch {
    return oneLine(v);
  }
}

// Bun puts in what is no text for %s and no number for %d, %i, %f unchanged; here it is as in Jest.
const formats = {
  __proto__: null,
  s: (v) => (typeof v === "object" && v !== null ? oneLine(v) : String(v)),
  d: (v) => String(typeof v === "bigint" ? v : numberOf(v)),
  i: (v) => String(typeof v === "bigint" ? v : Math.trunc(numberOf(v))),
  f: (v) => String(numberOf(v)),
  j: json,
  o: json,
  p: show,
};

function lookUp(row, path) {
  let value = row;
  for (const key of path.split(".")) {
    if (value === null || value === undefined || !(key in Object(value))) return undefined;
    value = value[key];
  }
  return { value };
}

/**
 * @param {string} title @param {unknown[]} args of this row @param {number} index of the row
 */
exports.formatTitle = function formatTitle(title, args, index) {
  let next = 0;
  let text = title.replace(/%([%sdifjop#])/g, (whole, letter) => {
    if (letter === "%") return "%";
    if (letter === "#") return `${index}`;
    return next < args.length ? formats[letter](args[next++]) : whole;
  });
  const row = args[0];
  if (text.includes("$") && typeof row === "object" && row !== null) {
    text = text.replace(/\$([A-Za-z_$][\w$]*(?:\.[\w$]+)*|#)/g, (whole, path) => {
      if (path === "#") return `${index}`;
      const found = lookUp(row, path);
      if (found === undefined) return whole;
      return typeof found.value === "string" ? found.value : show(found.value);
    });
  }
  return text;
};

/** Rows of a tagged template: each`a | b \n ${1} | ${2}`. */
exports.tableRows = function tableRows(strings, values) {
  const names = strings[0].trim().split("|").map((name) => name.trim());
  const rows = [];
  for (let i = 0; i + names.length <= values.length; i += names.length) {
    rows.push(Object.fromEntries(names.map((name, k) => [name, values[i + k]])));
  }
  return rows;
};
