// tests/leaks/run.js -- modules with memory of their own outside the collector's heap do not leak.
//
//   cob tests/leaks/run.js [NAME...]     ends with "N passed, N failed"
//
// A case (cases_*.js) is a function that makes, uses and drops things; one call is a round. After the
// warm-up ten rounds follow, and the process must not have grown by more than GROWTH_MAX; kept, what
// ten rounds allocate outside the heap would be more (of small things, a kilobyte of each). One that
// has grown may have had a bad moment, as the heap grows by steps: it gets more rounds, and a leak
// fails them all.
"use strict";

const fs = require("node:fs");
const path = require("node:path");

const WARM_UP = 3;
const ROUNDS = 10;
const TRIES = 3;
const GROWTH_MAX = 12 << 20;
const COLLECTIONS_MAX = 100;

/** Collects until an object that was dropped before is gone: finalizers have run by then. */
async function settle() {
  let isGone = false;
  const registry = new FinalizationRegistry(() => (isGone = true));
  (() => registry.register({}, 0))();
  for (let i = 0; i < COLLECTIONS_MAX && !isGone; i++) {
    Bun.gc(true);
    await new Promise(setImmediate);
  }
  Bun.gc(true);
}

async function rounds(round, n) {
  for (let i = 0; i < n; i++) {
    await round();
    await settle();
  }
  return process.memoryUsage.rss();
}

/** How much the process grew, in bytes. */
async function growth(round) {
  let before = await rounds(round, WARM_UP);
  let grown = 0;
  for (let i = 0; i < TRIES; i++) {
    const after = await rounds(round, ROUNDS);
    grown = after - before;
    if (grown <= GROWTH_MAX) return grown;
    before = after;
  }
  return grown;
}

async function main(names) {
  let passed = 0;
  let failed = 0;
  for (const file of fs.readdirSync(__dirname).filter((name) => name.startsWith("cases_")).sort()) {
    for (const [name, round] of Object.entries(require(path.join(__dirname, file)))) {
      if (names.length > 0 && !names.includes(name)) continue;
      const begin = performance.now();
      const grown = await growth(round);
      const ok = grown <= GROWTH_MAX;
      if (ok) passed++;
      else failed++;
      const mb = (grown / (1 << 20)).toFixed(1);
      const ms = (performance.now() - begin).toFixed(0);
      console.log(`${ok ? "ok  " : "FAIL"} ${name}: ${mb} MB in ${ROUNDS} rounds (${ms} ms)`);
    }
  }
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

main(process.argv.slice(2));
