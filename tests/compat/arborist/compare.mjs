// The versions that `cob install` chooses beside those of npm's own solver, on random registries.
// Run by run.sh; prints a line for each project where they differ, and counts at the end.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { generate } from "./generate.mjs";
import { KINDS, PROJECTS, SEED } from "./count.mjs";

const require = createRequire(`${process.env.ARBORIST}/package.json`);
const Arborist = require(process.env.ARBORIST);
const registry = process.env.COB_CONFIG_REGISTRY;
const dir = `${process.cwd()}/project`;

async function npm() {
  const arborist = new Arborist({ path: dir, registry, cache: `${process.cwd()}/npm-cache` });
  try {
    const tree = await arborist.buildIdealTree();
    const all = [...tree.inventory.values()].filter((node) => !node.isRoot && !node.extraneous);
    return [...new Set(all.map((node) => `${node.packageName}@${node.version}`))].sort();
  } catch (error) {
    return error.code ?? "error";
  }
}

function cob() {
  const run = spawnSync(process.execPath, ["install", "--lockfile-only"], { cwd: dir, encoding: "utf8" });
  if (run.status !== 0) return "ETARGET";
  const { packages } = Bun.JSONC.parse(readFileSync(`${dir}/bun.lock`, "utf8"));
  return [...new Set(Object.values(packages).map((entry) => entry[0]))].sort();
}

const counts = { same: 0, "both refuse": 0, "npm refuses": 0, "only npm installs": 0, fewer: 0, more: 0, other: 0 };
for (let i = 0; i < PROJECTS; i++) {
  const { project } = generate(SEED + i, `p${i}-`, KINDS);
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir);
  writeFileSync(`${dir}/package.json`, JSON.stringify(project));
  const theirs = await npm(), ours = cob();
  let kind = "other";
  if (typeof theirs === "string") kind = typeof ours === "string" ? "both refuse" : "npm refuses";
  else if (typeof ours === "string") kind = "only npm installs";
  else if (ours.join() === theirs.join()) kind = "same";
  else if (ours.length !== theirs.length) kind = ours.length < theirs.length ? "fewer" : "more";
  counts[kind]++;
  if (kind === "same" || kind === "both refuse") continue;
  const only = (a, b) => a.filter?.((x) => !b.includes(x)).join(" ");
  console.log(`${i}: ${kind}; npm: ${only(theirs, ours) ?? theirs}; cob: ${only(ours, theirs) ?? ours}`);
}
console.log(JSON.stringify(counts));
