// install-trees.mjs COB BUN FOLDER [name...] -- ten projects of different kinds, installed by both from the
// registry of the environment: the same files with the same content, the same links, the same lockfile.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";

const projects = {
  express: { dependencies: { express: "^4", "body-parser": "*", cors: "*", morgan: "*" } },
  "vite-react": { dependencies: { react: "^18", "react-dom": "^18" },
    devDependencies: { vite: "^5", "@vitejs/plugin-react": "^4", typescript: "^5" } },
  vue: { dependencies: { vue: "^3", "vue-router": "^4", pinia: "^2" },
    devDependencies: { vite: "^5", "@vitejs/plugin-vue": "^5" } },
  svelte: { devDependencies: { svelte: "^4", rollup: "^4", "rollup-plugin-svelte": "^7",
    "@rollup/plugin-node-resolve": "^15" } },
  nest: { dependencies: { "@nestjs/common": "^10", "@nestjs/core": "^10", "@nestjs/platform-express": "^10",
    "reflect-metadata": "*", rxjs: "^7" } },
  "eslint-ts": { devDependencies: { eslint: "^8", "@typescript-eslint/parser": "^7",
    "@typescript-eslint/eslint-plugin": "^7", typescript: "~5.4", prettier: "^3" } },
  fastify: { dependencies: { fastify: "^4", "@fastify/cors": "^9", pino: "^9", undici: "^6" } },
  webpack: { devDependencies: { webpack: "^5", "webpack-cli": "^5", "babel-loader": "^9", "@babel/core": "^7",
    "@babel/preset-env": "^7", "css-loader": "^6" } },
  mocha: { devDependencies: { mocha: "^10", chai: "^4", sinon: "^17", nyc: "^15", supertest: "^6" } },
  cli: { dependencies: { commander: "^12", chalk: "^5", inquirer: "^9", ora: "^8", yargs: "^17", glob: "^10" } },
};

function treeOf(dir, found = new Map(), prefix = "") {
  for (const e of fs.readdirSync(dir, { withFileTypes: true })) {
    const full = path.join(dir, e.name);
    if (e.isDirectory()) treeOf(full, found, `${prefix}${e.name}/`);
    else if (e.isSymbolicLink()) found.set(prefix + e.name, `-> ${fs.readlinkSync(full)}`);
    else found.set(prefix + e.name, createHash("sha256").update(fs.readFileSync(full)).digest("hex"));
  }
  return found;
}

function install(kind, program, name, folder) {
  const dir = path.join(folder, kind, name);
  fs.rmSync(dir, { recursive: true, force: true });
  fs.mkdirSync(dir, { recursive: true });
  fs.writeFileSync(path.join(dir, "package.json"), JSON.stringify({ name, ...projects[name] }));
  const env = { ...process.env, BUN_INSTALL_CACHE_DIR: path.join(folder, `cache-${kind}`) };
  const args = ["install", "--linker=hoisted", "--ignore-scripts"];
  const { status, stderr } = spawnSync(program, args, { cwd: dir, env, encoding: "utf8" });
  if (status !== 0) throw new Error(`${kind} ${name}: ${stderr.slice(-500)}`);
  return { tree: treeOf(path.join(dir, "node_modules")), lock: fs.readFileSync(path.join(dir, "bun.lock"), "utf8") };
}

const [cob, bun, folder, ...names] = process.argv.slice(2);
let failed = 0;
for (const name of names.length ? names : Object.keys(projects)) {
  const ours = install("cob", cob, name, folder), theirs = install("bun", bun, name, folder);
  const all = new Set([...ours.tree.keys(), ...theirs.tree.keys()]);
  const other = [...all].filter((file) => ours.tree.get(file) !== theirs.tree.get(file));
  const isSame = !other.length && ours.lock === theirs.lock;
  failed += !isSame;
  console.log(`${isSame ? "same" : "DIFFER"} ${name}: ${all.size} files, ${other.length} differ, lockfile ${
    ours.lock === theirs.lock ? "same" : "differs"}`);
  for (const file of other.slice(0, 5)) console.log(`  ${file}: ${ours.tree.get(file)}, ${theirs.tree.get(file)}`);
}
console.log(`${Object.keys(projects).length - failed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
