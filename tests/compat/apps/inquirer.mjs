// inquirer and @inquirer/prompts on a terminal: input, password, select, checkbox, confirm,
// validation, search, the cursor keys, and ctrl-c.
import assert from "node:assert";
import fs from "node:fs";
import path from "node:path";
import { folder, Terminal } from "./run.mjs";

const dir = folder({
  "ask.mjs": `
    import inquirer from ${JSON.stringify(import.meta.resolve("inquirer"))};
    import { search, password, editor, number } from ${JSON.stringify(import.meta.resolve("@inquirer/prompts"))};
    const answers = await inquirer.prompt([
      { type: "input", name: "name", message: "Name?", validate: (v) => v.length > 2 || "Too short" },
      { type: "select", name: "color", message: "Color?", choices: ["red", "green", "blue"] },
      { type: "checkbox", name: "tags", message: "Tags?", choices: ["a", "b", "c"] },
      { type: "confirm", name: "sure", message: "Sure?", default: false },
      { type: "input", name: "never", message: "Never?", when: (a) => !a.sure },
    ]);
    answers.secret = await password({ message: "Secret?", mask: "*" });
    answers.count = await number({ message: "Count?", min: 1 });
    answers.found = await search({ message: "Search?", source: async (term) =>
      ["apple", "banana", "cherry"].filter((v) => v.includes(term ?? "")) });
    console.log("ANSWERS " + JSON.stringify(answers));
    try {
      await password({ message: "Stop?" });
    } catch (err) {
      console.log("STOPPED " + err.name);
      process.exitCode = 3;
    }`,
});
const DOWN = "\x1b[B";
const UP = "\x1b[A";
const LEFT = "\x1b[D";

const terminal = new Terminal(path.join(dir, "ask.mjs"));
await terminal.see(/Name\?/);
terminal.type("x\r");
await terminal.see(/Too short/);
terminal.type("yzz\x7f" + LEFT + "-\r");
await terminal.see(/Color\?[^]*red[^]*green[^]*blue/);
terminal.type(DOWN + DOWN + UP + "\r");
await terminal.see(/Tags\?[^]*c/);
terminal.type(" " + DOWN + DOWN + " \r");
await terminal.see(/Sure\?/);
terminal.type("y\r");
await terminal.see(/Secret\?/);
terminal.type("hidden");
await terminal.see(/\*{6}/);
terminal.type("\r");
await terminal.see(/Count\?/);
terminal.type("12\r");
await terminal.see(/Search\?[^]*cherry/);
terminal.type("b");
await terminal.see(/❯ banana/);
terminal.type("\r");
const [, answers] = await terminal.see(/ANSWERS (\{.*\})[^]*Stop\?/);
assert.deepEqual(JSON.parse(answers), {
  name: "xy-z", color: "green", tags: ["a", "c"], sure: true, secret: "hidden", count: 12, found: "banana",
});
terminal.type("\x03");
await terminal.see(/STOPPED ExitPromptError/);
assert.equal(await terminal.end(), 3);
console.log("ok");
