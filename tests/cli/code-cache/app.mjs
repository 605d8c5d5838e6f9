import { value, fail } from "./lib/a.mjs";
import data from "./lib/b.cjs";
import { kind } from "./lib/c.ts";
console.log(value, data, kind, String(fail).length);
try {
  fail();
} catch (e) {
  console.log(e.stack.split("\n").slice(0, 3).join("|").replaceAll(import.meta.dirname, ""));
}
