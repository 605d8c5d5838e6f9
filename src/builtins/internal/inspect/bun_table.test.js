// console.table and Bun.inspect.table, as Bun 1.4.5 draws them.

const { inspectTable, tableText } = cobInternal("internal/inspect");
const { nodeTable } = cobInternal("internal/inspect/node_table");

/** Draws with ASCII, so that the expectations can be read. */
const ascii = (text) =>
  text
    .replace(/\u2500/g, "-")
    .replace(/\u2502/g, "|")
    .replace(/[\u250c\u2510\u2514\u2518\u251c\u2524\u252c\u2534\u253c]/g, "+");

const CASES = [
  [[{ a: 1, b: "x" }, { a: 2 }], "|   | a | b |\n+---+---+---+\n| 0 | 1 | x |\n| 1 | 2 |   |\n"],
  [[1, "two", { three: 3 }],
    "|   | three | Values |\n+---+-------+--------+\n| 0 |       | 1      |\n| 1 |       | two    |\n" +
      "| 2 | 3     |        |\n"],
  [new Map([[1, { a: 1 }]]),
    "|   | Key | Values   |\n+---+-----+----------+\n| 0 | 1   | { a: 1 } |\n"],
  [new Set([1]), "|   | Values |\n+---+--------+\n| 0 | 1      |\n"],
  [{ r1: { c: 1 }, r2: 5 },
    "|    | c | Values |\n+----+---+--------+\n| r1 | 1 |        |\n| r2 |   | 5      |\n"],
  [[["\u4e2d", "e"]], "|   | 0  | 1 |\n+---+----+---+\n| 0 | \u4e2d | e |\n"],
  [[], "|   |\n+---+\n"],
];

for (const [data, rows] of CASES) {
  test(`table of ${JSON.stringify(data)}`, () => {
    const lines = ascii(tableText(data)).split("\n");
    expect(lines.slice(1, -2).join("\n") + "\n").toBe(rows);
    expect(lines[0]).toBe(lines[2]);
    expect(lines[lines.length - 2]).toBe(lines[2]);
  });
}

test("columns can be chosen", () => {
  const text = ascii(inspectTable([{ a: 1, b: 2 }, { a: 3 }], ["b", "zz"]));
  expect(text.split("\n")[1]).toBe("|   | b | zz |");
});

test("primitives have no table", () => {
  expect(inspectTable(5)).toBe("");
  expect(inspectTable()).toBe("");
});

test("colours and depth", () => {
  expect(inspectTable([{ a: 1 }], { colors: true }).includes("\x1b[0m\x1b[1ma\x1b[0m")).toBe(true);
  const data = [{ a: { b: { c: 1 } } }];
  expect(inspectTable(data).includes("{ b:  [Object ...] }")).toBe(true);
  expect(tableText(data).includes("{ b: { c: 1 } }")).toBe(true);
});

test("Node's tables", () => {
  expect(ascii(nodeTable([{ a: 1, b: "x" }, 5], undefined, {}))).toBe(
    "+---------+---+-----+--------+\n| (index) | a | b   | Values |\n+---------+---+-----+--------+\n" +
      "| 0       | 1 | 'x' |        |\n| 1       |   |     | 5      |\n+---------+---+-----+--------+",
  );
  expect(ascii(nodeTable(new Map([["a", 1]]), undefined, {})).split("\n")[1]).toBe(
    "| (iteration index) | Key | Values |",
  );
  expect(ascii(nodeTable([{ a: 1, b: 2 }], ["b"], {})).split("\n")[1]).toBe("| (index) | b |");
});

test("columns count code points, by Bun's tables", () => {
  expect(inspectTable(["नि", "\u{302a}", "\u{2630}", "\u{1f6d8}", "é", "\u{890}", "中", "1\ufe0f\u20e3"])).toBe("\u250c\u2500\u2500\u2500\u252c\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2510\n\u2502   \u2502 Values \u2502\n\u251c\u2500\u2500\u2500\u253c\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2524\n\u2502 0 \u2502 \u0928\u093f      \u2502\n\u2502 1 \u2502 \u302a       \u2502\n\u2502 2 \u2502 \u2630     \u2502\n\u2502 3 \u2502 \ud83d\uded8     \u2502\n\u2502 4 \u2502 \u00e9      \u2502\n\u2502 5 \u2502 \u0890      \u2502\n\u2502 6 \u2502 \u4e2d     \u2502\n\u2502 7 \u2502 1\ufe0f\u20e3      \u2502\n\u2514\u2500\u2500\u2500\u2534\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2518\n");
});
