// commander: options, arguments, subcommands, help, errors.
import assert from "node:assert";
import { Command, Option } from "commander";

function make() {
  const out = [];
  const program = new Command("tool").version("1.2.3").exitOverride();
  program.configureOutput({ writeOut: (text) => out.push(text), writeErr: (text) => out.push(text) });
  program.option("-d, --debug", "more output");
  program.addOption(new Option("-p, --port <n>", "port").default(80).env("APP_PORT").argParser(Number));
  program.command("copy <from> [to...]").option("--no-links").action((from, to, options) => {
    out.push(JSON.stringify([from, to, options]));
  });
  return { program, out };
}
let { program, out } = make();
await program.parseAsync(["node", "tool", "-d", "--port=8080", "copy", "a", "b", "c", "--no-links"]);
assert.deepEqual(program.opts(), { debug: true, port: 8080 });
assert.equal(out[0], '["a",["b","c"],{"links":false}]');
({ program, out } = make());
assert.throws(() => program.parse(["node", "tool", "--help"]), { code: "commander.helpDisplayed" });
assert.match(out.join(""), /Usage: tool \[options\] \[command\][^]*-p, --port <n> {3,}port \(default: 80, env: APP_PORT\)/);
({ program, out } = make());
assert.throws(() => program.parse(["node", "tool", "cpoy"]), { code: "commander.unknownCommand" });
assert.match(out.join(""), /Did you mean copy\?/);
({ program, out } = make());
process.env.APP_PORT = "9";
program.parse(["copy", "x"], { from: "user" });
assert.equal(program.opts().port, 9);
console.log("ok");
