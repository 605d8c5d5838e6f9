// The names of CommonJS in ES modules, unless the module has its own.
import own from "./own.mjs";
import awaits from "./awaits.ts";
import cycle from "./cycle.mjs";
import { fileURLToPath } from "node:url";
console.log(__filename === fileURLToPath(import.meta.url), __dirname === import.meta.dirname);
console.log(own, awaits, cycle);
