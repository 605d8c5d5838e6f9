const { stripTypeScriptTypes } = require("node:module");
console.log(stripTypeScriptTypes("const a: number = 1 as any;").trim());
console.log(stripTypeScriptTypes("enum A { B }", { mode: "transform", sourceUrl: "a.ts" }).includes("sourceURL=a.ts"));
for (const bad of [[1], ["", { mode: "x" }]]) try { stripTypeScriptTypes(...bad); } catch (e) { console.log(e.code); }
