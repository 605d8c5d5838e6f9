import def, { type T, a as renamed, nested } from "./lib/kinds.ts";
import * as all from "./lib/kinds.ts";
import later from "./lib/later.ts";
import { kind } from "./lib/c";
type Local = T & { kind: typeof kind };
const value: Local = { n: 1, kind };
console.log(def.name, renamed, nested.value, Object.keys(all).join(), later, value.n, import.meta.file);
console.log(await import("./lib/b.cjs").then((m) => m.default as number));
