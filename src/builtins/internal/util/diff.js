// internal/util/diff -- the shortest edit script between two sequences (E. W. Myers, "An O(ND)
// Difference Algorithm and Its Variations", 1986), as util.diff and the messages of node:assert
// give it.
//
// Level d holds, for every diagonal k = x - y, how far one gets with d edits. Once the end is
// reached, the path is followed back through the levels.

const { ERR_OUT_OF_RANGE } = require("internal/errors");
const { validateString } = require("internal/validators");

const INSERT = 1; // only in `actual`
const DELETE = -1; // only in `expected`
const KEEP = 0;
const SIZE_MAX = 2 ** 31 - 1;
const LEVELS_MAX = 4000; // they take the square of that in memory

/** Is the best way to diagonal k one that drops an element of `expected`? */
const goesDown = (level, k, d) => k === -d || (k !== d && level[d + k] < level[d + k + 2]);

/** Steps from the end to the beginning, each [operation, value]. */
function walkBack(levels, actual, expected, pick) {
  let x = actual.length;
  let y = expected.length;
  const steps = [];
  for (let d = levels.length - 1; d >= 0; d--) {
    const level = levels[d];
    const k = x - y;
    const previousK = goesDown(level, k, d) ? k + 1 : k - 1;
    const previousX = level[d + previousK + 1];
    const previousY = previousX - previousK;
    while (x > previousX && y > previousY) {
      steps.push([KEEP, pick(actual[x - 1], expected[y - 1])]);
      x--;
      y--;
    }
    if (d === 0) break;
    if (x > previousX) steps.push([INSERT, actual[--x]]);
    else steps.push([DELETE, expected[--y]]);
  }
  return steps;
}

/** For what differs too much: everything goes, everything comes. */
function replaceAll(actual, expected) {
  const steps = [];
  for (let x = actual.length - 1; x >= 0; x--) steps.push([INSERT, actual[x]]);
  for (let y = expected.length - 1; y >= 0; y--) steps.push([DELETE, expected[y]]);
  return steps;
}

/**
 * @param {ArrayLike<string>} actual @param {ArrayLike<string>} expected
 * @param {(a: string, b: string) => boolean} same
 * @param {(a: string, b: string) => string} pick what to show of two that are the same
 * @returns {[number, string][]} from the end to the beginning
 */
function myersDiff(actual, expected, same, pick) {
  const max = actual.length + expected.length;
  if (max > SIZE_MAX) throw new ERR_OUT_OF_RANGE("myersDiff input size", "< 2^31", max);
  const levels = [];
  // Each level has its own array, from diagonal -d - 1 to d + 1.
  let level = new Int32Array(3);
  for (let d = 0; d <= LEVELS_MAX; d++) {
    levels.push(level);
    const next = new Int32Array(2 * d + 5);
    for (let k = -d; k <= d; k += 2) {
      let x = goesDown(level, k, d) ? level[d + k + 2] : level[d + k] + 1;
      while (x < actual.length && x - k < expected.length && same(actual[x], expected[x - k])) x++;
      next[d + k + 2] = x;
      if (x >= actual.length && x - k >= expected.length) {
        return walkBack(levels, actual, expected, pick);
      }
    }
    level = next;
  }
  return replaceAll(actual, expected);
}

const isSame = (a, b) => a === b;
const first = (a) => a;

function checkInput(value, name) {
  if (!Array.isArray(value)) return validateString(value, name);
  return value.forEach((item, i) => validateString(item, `${name}[${i}]`));
}

/** util.diff: steps from the beginning, each [operation, value]. */
exports.diff = function diff(actual, expected) {
  if (actual === expected) return [];
  checkInput(actual, "actual");
  checkInput(expected, "expected");
  return myersDiff(actual, expected, isSame, first).reverse();
};
exports.myersDiff = myersDiff;
exports.isSame = isSame;
exports.first = first;
Object.assign(exports, { INSERT, DELETE, KEEP });
