// Random scripts against the parser: each is a tree, or an Error that says where it is wrong.
// Random expressions and patterns against what expands them.  The seed is fixed; COB_FUZZ_SEED and
// COB_FUZZ_RUNS look further.
const { parse } = cobInternal("bun:shell/parse");
const { evaluate } = cobInternal("bun:shell/arith");
const { expandText } = cobInternal("bun:shell/braces");

const PIECES = [
  "a", "b1", "echo", "if", "then", "else", "elif", "fi", "for", "in", "while", "until", "do", "done",
  "case", "esac", "function", "f()", "{", "}", "[[", "]]", "!", "(", ")", "$(", "$((", "))", "${",
  "`", "'", '"', "\\", "$", "$x", "${x:-", "${x//", "#", "|", "||", "|&", "&", "&&", ";", ";;", "\n",
  "<", ">", ">>", "<<E", "<<-'E'", "E\n", "<<<", "2>&1", ">&", "&>", "=", "x=", "x+=", "*", "?", "[a]",
  "!(a|", "{a,", "{1..3}", ",", "~", "/", "-f", "==", "=~", " ", " ", "\t", "\0", "\u00e9", "$'", "%",
];
const MATH = ["1", "0x1f", "x", "y", "+", "-", "*", "/", "%", "**", "(", ")", "?", ":", "=", "+=", "<<",
  "&&", "||", "!", "~", "++", "--", ",", " ", "<", "==", "9".repeat(30), "2#101", "08"];

/** xorshift: the same numbers on every machine. */
function random(seed) {
  let state = seed >>> 0 || 1;
  return (n) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % n;
  };
}

const seed = Number(process.env.COB_FUZZ_SEED ?? 42);
const RUNS = Number(process.env.COB_FUZZ_RUNS ?? 4000);

function textOf(next, pieces, max) {
  let text = "";
  for (let n = next(max) + 1; n > 0; n--) text += pieces[next(pieces.length)];
  return text;
}

/** A source in which every second NUL is a value. */
function sourceOf(text) {
  const values = new Map();
  let n = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === "\0" && n++ % 2 === 0) values.set(i, n % 4 === 1 ? { text: "v" } : { object: {} });
  }
  return { text, values };
}

test("scripts of random pieces", () => {
  const next = random(seed);
  let nTrees = 0;
  for (let i = 0; i < RUNS; i++) {
    const text = textOf(next, PIECES, 40);
    try {
      expect(parse(sourceOf(text)).type).toBe("list");
      nTrees++;
    } catch (error) {
      if (error.position?.line > 0) continue;
      throw new Error(`${JSON.stringify(text)}: ${error.stack}`);
    }
  }
  expect(nTrees > RUNS / 100).toBe(true);
});

test("every head of a script that uses everything", () => {
  const script =
    "for x in a 'b c' $(echo d); do if [[ $x == a* && ! -f \"$x\" ]]; then case $x in (a|b) echo " +
    "${x:-\"q\"} >f 2>&1;; *) f() { local y=$((1+(2*3))); }; esac; fi; done | cat <<E && (a; b) || `c`\n" +
    "text $x\nE\nwhile ! read l; do break; done <<<$'a\\n' # end";
  for (let i = 0; i <= script.length; i++) {
    try {
      parse({ text: script.slice(0, i), values: new Map() });
    } catch (error) {
      if (error.position === undefined) throw error;
    }
  }
  parse({ text: script, values: new Map() });
});

test("deep nesting is an error", () => {
  for (const piece of ["(", "$(", "`$(", '"$(', "${x:-", "if ", "! ", "$((", "{ ", "f() ", "[[ ( "]) {
    expect(() => parse({ text: piece.repeat(20_000), values: new Map() })).toThrow();
  }
});

test("arithmetic of random pieces", () => {
  const next = random(seed + 1);
  for (let i = 0; i < RUNS; i++) {
    const text = textOf(next, MATH, 20);
    const vars = { get: (name) => (name === "x" ? "3" : "x+1"), set() {} };
    try {
      expect(typeof evaluate(text, vars)).toBe("bigint");
    } catch (error) {
      if (error.constructor === Error) continue;
      throw new Error(`${JSON.stringify(text)}: ${error.stack}`);
    }
  }
  expect(() => evaluate("(".repeat(20_000), { get() {}, set() {} })).toThrow("nested too deeply");
  expect(() => evaluate("x", { get: () => "x", set() {} })).toThrow("nested too deeply");
});

test("braces of random pieces", () => {
  const next = random(seed + 2);
  const pieces = ["{", "}", ",", "a", "..", "1", "\\", "{a,b}"];
  for (let i = 0; i < RUNS; i++) {
    const text = textOf(next, pieces, 30);
    try {
      expect(expandText(text).length > 0).toBe(true);
    } catch (error) {
      if (!/too many words/.test(error.message)) throw error;
    }
  }
});
