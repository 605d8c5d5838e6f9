// Small registries with projects that use them, made from a seed: ranges that overlap and ranges
// that do not, cycles, peers, optional dependencies, aliases, overrides.

export function random(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return {
    below: (n) => Math.floor(next() * n),
    chance: (p) => next() < p,
    pick: (list) => list[Math.floor(next() * list.length)],
  };
}

const byVersion = (a, b) => {
  const x = a.split(".").map(Number), y = b.split(".").map(Number);
  return x[0] - y[0] || x[1] - y[1] || x[2] - y[2];
};

function versionsOf(r) {
  const found = new Set();
  const n = 1 + r.below(5);
  for (let i = 0; i < n; i++) found.add(`${1 + r.below(3)}.${r.below(3)}.${r.below(2)}`);
  return [...found].sort(byVersion);
}

function rangeFor(r, versions) {
  const version = r.pick(versions), [major] = version.split(".");
  return r.pick([`^${version}`, `~${version}`, version, `>=${version}`, "*", `${major}.x`,
    `^${version}`, `<=${version}`, `${version} || ${r.pick(versions)}`]);
}

// { registry: { name: { version: manifest } }, project: manifest } with names "PREFIX0", ...
// `kinds` switches off what is not wanted: peers, optional, aliases, overrides.
export function generate(seed, prefix, kinds = {}) {
  const r = random(seed), registry = {};
  const names = Array.from({ length: 4 + r.below(6) }, (_, i) => `${prefix}${i}`);
  for (const name of names) {
    registry[name] = {};
    for (const version of versionsOf(r)) registry[name][version] = { name, version };
  }
  const rangeOf = (name) => rangeFor(r, Object.keys(registry[name]));
  const others = (name) => names.filter((other) => other !== name);
  names.forEach((name, index) => {
    for (const manifest of Object.values(registry[name])) {
      for (let n = r.below(4); n > 0; n--) {
        const other = r.pick(others(name));
        // Downwards mostly: cycles are there, and rare.
        if (names.indexOf(other) < index && !r.chance(0.1)) continue;
        const kind = r.chance(0.15) && kinds.peers !== false ? "peerDependencies"
          : r.chance(0.15) && kinds.optional !== false ? "optionalDependencies" : "dependencies";
        const taken = ["dependencies", "optionalDependencies", "peerDependencies"]
          .some((group) => manifest[group]?.[other]);
        if (!taken) (manifest[kind] ??= {})[other] = rangeOf(other);
      }
    }
  });
  const project = { name: `${prefix}project`, dependencies: {} };
  for (let n = 1 + r.below(4); n > 0; n--) {
    const name = r.pick(names);
    const isAlias = r.chance(0.1) && kinds.aliases !== false;
    project.dependencies[isAlias ? `${name}-alias` : name] =
      isAlias ? `npm:${name}@${rangeOf(name)}` : rangeOf(name);
  }
  if (r.chance(0.15) && kinds.overrides !== false) {
    const name = r.pick(names);
    if (!project.dependencies[name]) project.overrides = { [name]: rangeOf(name) };
  }
  return { registry, project };
}
