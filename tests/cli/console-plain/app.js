// Plain values are written by native code, the same ones by JavaScript once a group is open; the
// output must not differ.  The second half is indented by two columns, which cmd takes off.
const long = "x".repeat(70000);
const values = [
  [],
  [""],
  ["a"],
  ["\u00e9\u00ff", "\u0100\u4e2d\u{1f600}", "\ud800 alone", "\udc00"],
  ["a\0b\x7f\x1b"],
  [0, -0, 1, -1, 1.5, 1e21, 1e-7, 2 ** 53, 0.1 + 0.2, NaN, Infinity, -Infinity, 5e-324],
  [true, false, null, undefined],
  [10n, -5n, 123456789012345678901234567890n],
  ["a", 1, true, null, undefined, 2n],
  [1, "%s", 2],
  ["100%"],
  ["a" + "b".repeat(3)],
  [long.slice(0, 100) + "%", "%d"],
  ["%s and %d", "x", 4],
  [undefined, "%s"],
];
function all() {
  for (const method of ["log", "info", "debug", "error", "warn"]) {
    for (const args of values) if (args.length > 0) console[method](...args);
  }
}
all();
console.group();
all();
