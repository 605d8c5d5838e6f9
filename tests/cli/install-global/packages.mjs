export default ({ publish, answers }) => {
  const program = "#!/usr/bin/env node\nconsole.log(process.argv.slice(2).join());\n" +
    "process.exitCode = Number(process.argv[2]) || 0;\n";
  publish({ name: "program", version: "1.0.0", bin: "./cli.js" }, { "cli.js": program });
  publish({ name: "program", version: "1.1.0", bin: "./cli.js" },
    { "cli.js": `${program}console.log("the newer one");\n` });
  publish({ name: "engine", version: "1.0.0", bin: "./cli.js" },
    { "cli.js": "#!/usr/bin/env node\nconsole.log(typeof Bun);\n" });
  publish({ name: "several", version: "1.0.0", bin: { first: "./a.sh", second: "./b.sh" } },
    { "a.sh": "#!/bin/sh\necho first \"$@\"\n", "b.sh": "#!/bin/sh\necho second \"$@\"\n" });
  publish({ name: "create-thing", version: "1.0.0", bin: "./cli.sh" },
    { "cli.sh": "#!/bin/sh\necho creating \"$@\"\n" });
  publish({ name: "@me/create", version: "1.0.0", bin: { create: "./cli.sh" } },
    { "cli.sh": "#!/bin/sh\necho creating mine \"$@\"\n" });
  answers.set("/refused", () => [401, "{}"]);
  answers.set("/failing", () => [500, "no"]);
  answers.set("/broken", () => [200, "{\"name\": "]);
};
