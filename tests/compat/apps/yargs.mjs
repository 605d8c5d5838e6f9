// yargs: types, commands, demands, help, completions; `$0` in its help.
import assert from "node:assert";
import yargs from "yargs";
import { hideBin } from "yargs/helpers";

const argv = await yargs(["--a", "1", "b", "--no-c", "-d", "x", "--e.f", "g"])
  .option("d", { type: "array" }).parse();
assert.deepEqual([argv.a, argv._, argv.c, argv.d, argv.e], [1, ["b"], false, ["x"], { f: "g" }]);
let got;
await yargs(["serve", "--port", "5"]).command(
  "serve [dir]", "serves", (y) => y.option("port", { type: "number" }).default("dir", "."),
  (args) => {
    got = [args.dir, args.port];
  },
).parse();
assert.deepEqual(got, [".", 5]);
const failure = await new Promise((resolve) => {
  yargs([]).demandOption("name").fail((message) => resolve(message)).exitProcess(false).parse();
});
assert.equal(failure, "Missing required argument: name");
const help = await yargs([]).scriptName("tool").option("size", { choices: ["s", "m"] }).getHelp();
assert.match(help, /--size +\[choices: "s", "m"\]/);
assert.deepEqual(hideBin(["a", "b", "c"]), ["c"]);
console.log("ok");
