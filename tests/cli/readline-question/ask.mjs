import { createInterface } from "node:readline/promises";
import { stdin as input, stdout as output } from "node:process";

const rl = createInterface({ input, output });
console.log(await rl.question("name? "));
rl.once("line", (line) => {
  console.log("line", line);
  rl.close();
});
