// internal/deep_equal/collections -- sets and maps: their members are equal in any order.
//
// What both have by identity is matched at once. The rest of `b` goes into a list, where each
// member of `a` that is left takes away one that is equal to it. In PARTIAL mode one member of `b`
// may fit several of `a`, so what was taken is given to another where that helps (bipartite
// matching).

const { LOOSE, PARTIAL, equal } = require("internal/deep_equal");

const isObject = (v) => typeof v === "object" && v !== null;

/**
 * Could a primitive that is not in the other collection be == to one that is? true, false, or the
 * one other value that it is == to ({ other }).
 */
function looseMatch(v) {
  if (v === undefined) return { other: null };
  if (v === null) return { other: undefined };
  if (typeof v === "symbol") return false;
  const n = typeof v === "string" ? +v : v;
  return n === n;
}

/** Takes the first from `from` on that fits, by moving the one at `from` into its place. */
function take(list, from, isFit) {
  for (let i = from; i < list.length; i++) {
    if (isFit(list[i])) {
      list[i] = list[from];
      return true;
    }
  }
  return false;
}

/** Can each of `wanted` have one of `candidates` for itself? */
function matchAll(wanted, candidates, isFit) {
  const owner = new Array(candidates.length).fill(-1); // index of the wanted one
  const known = new Map();
  const fits = (w, c) => {
    const key = w * candidates.length + c;
    let answer = known.get(key);
    if (answer === undefined) known.set(key, (answer = isFit(candidates[c], wanted[w])));
    return answer;
  };
  function place(w, tried) {
    for (let c = 0; c < candidates.length; c++) {
      if (tried.has(c) || !fits(w, c)) continue;
      tried.add(c);
      if (owner[c] >= 0 && !place(owner[c], tried)) continue;
      owner[c] = w;
      return true;
    }
    return false;
  }
  return wanted.every((_, w) => place(w, new Set()));
}

function mayHaveLoose(a, b, v) {
  const match = looseMatch(v);
  return typeof match === "boolean" ? match : !b.has(match.other) && a.has(match.other);
}

exports.equalSets = function equalSets(a, b, ctx) {
  const { mode } = ctx;
  const pending = [];
  for (const v of b) {
    if (a.has(v)) continue;
    if (!isObject(v) && (mode !== LOOSE || !mayHaveLoose(a, b, v))) return false;
    pending.push(v);
  }
  if (pending.length === 0) return true;
  if (mode === PARTIAL) {
    const rest = [...a].filter((v) => !b.has(v));
    return matchAll(pending, rest, (v, other) => equal(v, other, ctx));
  }
  let from = 0;
  for (const v of a) {
    if (b.has(v)) continue;
    if (!take(pending, from, (other) => equal(v, other, ctx))) return false;
    from++;
  }
  return from === pending.length;
};

function mayHaveLooseEntry(a, b, key, value, ctx) {
  const match = looseMatch(key);
  if (typeof match === "boolean") return match;
  const { other } = match;
  return a.has(other) && !b.has(other) && equal(a.get(other), value, ctx);
}

exports.equalMaps = function equalMaps(a, b, ctx) {
  const { mode } = ctx;
  const pending = [];
  for (const { 0: key, 1: value } of b) {
    if (a.has(key) && equal(a.get(key), value, ctx)) continue;
    if (!isObject(key)) {
      if (mode !== LOOSE || !mayHaveLooseEntry(a, b, key, value, ctx)) return false;
    }
    pending.push(key);
  }
  if (pending.length === 0) return true;
  const isFit = (key, other) => equal(key, other, ctx) && equal(a.get(key), b.get(other), ctx);
  const isTaken = (key) => b.has(key) && equal(a.get(key), b.get(key), ctx);
  if (mode === PARTIAL) {
    return matchAll(
      pending,
      [...a.keys()].filter((key) => !isTaken(key)),
      isFit,
    );
  }
  let from = 0;
  for (const key of a.keys()) {
    if (isTaken(key)) continue;
    if (!take(pending, from, (other) => isFit(key, other))) return false;
    from++;
  }
  return from === pending.length;
};
