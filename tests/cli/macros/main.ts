import { count, later as soon } from "./macros.ts" with { type: "macro" };
import json from "./macros.ts" with { type: "macro" };
import * as all from "./macros.ts" with { type: "macro" };

const known = "k" + 1;
const second = count();
console.log(count(), second, all.count());
console.log(soon(known, { a: [true, 1.5], b: second }, undefined, count()));
console.log(json(), typeof count);
