// Installs each project twice, the second time with nothing left of the first, and looks at
// node_modules as Node would: what is asked for is found, in a version that satisfies; nothing is
// below a package that could be at the root; both times are the same.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { generate } from "./generate.mjs";
import { KINDS, PROJECTS, SEED } from "./count.mjs";

const read = (path) => JSON.parse(readFileSync(path, "utf8"));
const satisfies = (version, range) =>
  range.startsWith("npm:") ? satisfies(version, range.slice(range.indexOf("@", 5) + 1))
    : Bun.semver.satisfies(version, range);

function packagesBelow(dir, all = []) {
  const modules = `${dir}/node_modules`;
  if (!existsSync(modules)) return all;
  for (const name of readdirSync(modules).sort()) {
    if (name.startsWith(".")) continue;
    all.push({ dir: `${modules}/${name}`, up: dir, name });
    packagesBelow(`${modules}/${name}`, all);
  }
  return all;
}

function find(dir, name) {
  for (;;) {
    const path = `${dir}/node_modules/${name}`;
    if (existsSync(path)) return read(`${path}/package.json`);
    const at = dir.lastIndexOf("/node_modules/");
    if (at < 0) return undefined;
    dir = dir.slice(0, at);
  }
}

function checkEdges(dir, manifest, overrides, say) {
  for (const group of ["dependencies", "optionalDependencies", "peerDependencies"]) {
    for (const [name, range] of Object.entries(manifest[group] ?? {})) {
      const found = find(dir, name);
      const wanted = overrides[name] ?? range;
      // Optional ones may be missing; peers take what is there.
      if (!found && group !== "optionalDependencies") say(`${dir}: no ${name}`);
      if (found && group !== "peerDependencies" && !satisfies(found.version, wanted))
        say(`${dir}: ${name}@${found.version} is not ${wanted}`);
    }
  }
}

function checkPlaces(root, all, say) {
  for (const { dir, up, name } of all) {
    if (up === root || read(`${dir}/package.json`).peerDependencies) continue;
    const above = `${root}/node_modules/${name}/package.json`;
    if (!existsSync(above)) say(`${dir} could be at the root`);
    else if (read(above).version === read(`${dir}/package.json`).version && !shadowed(root, up, name))
      say(`${dir} is at the root, too`);
  }
}

// Is there another version on the way from `up` to the root?
function shadowed(root, up, name) {
  while (up !== root) {
    up = up.slice(0, up.lastIndexOf("/node_modules/"));
    if (up !== root && existsSync(`${up}/node_modules/${name}`)) return true;
  }
  return false;
}

function install(dir, manifest) {
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir);
  writeFileSync(`${dir}/package.json`, JSON.stringify(manifest));
  const run = spawnSync(process.execPath, ["install"], { cwd: dir, encoding: "utf8" });
  const lock = run.status === 0 ? readFileSync(`${dir}/bun.lock`, "utf8") : "";
  const all = packagesBelow(dir);
  return { run, lock, all, list: all.map((p) => `${p.dir}@${read(`${p.dir}/package.json`).version}`) };
}

let good = 0, refused = 0;
for (let i = 0; i < PROJECTS; i++) {
  const { project } = generate(SEED + i, `p${i}-`, KINDS);
  const dir = `${process.cwd()}/project`, say = (text) => console.log(`project ${i}: ${text}`);
  const first = install(dir, project);
  if (first.run.status !== 0) {
    refused++;
    if (!/^error: .* does not exist: no version satisfies it/m.test(first.run.stderr)) say(first.run.stderr);
    continue;
  }
  checkEdges(dir, project, project.overrides ?? {}, say);
  for (const p of first.all) checkEdges(p.dir, read(`${p.dir}/package.json`), project.overrides ?? {}, say);
  checkPlaces(dir, first.all, say);
  const second = install(dir, project);
  if (first.lock !== second.lock || first.list.join() !== second.list.join())
    say("the second install is another");
  good++;
}
console.log(good + refused === PROJECTS, good > PROJECTS / 2);
