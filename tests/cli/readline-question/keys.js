const readline = require("readline");
const fs = require("fs");
const rl = readline.createInterface({ input: process.stdin, output: process.stdout });
const seen = [process.stdin.isRaw];
rl.question("> ", (first) => {
  rl.question("> ", (second) => {
    rl.close();
    seen.push(first, second, process.stdin.isRaw);
    fs.writeFileSync("result", JSON.stringify(seen) + "\n");
  });
});
