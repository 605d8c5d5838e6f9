import * as ns from "./lib.mjs";
import * as empty from "./empty.mjs";
console.log(ns);
console.log({ ns });
console.log([empty]);
console.log(`${Object.prototype.toString.call(ns)}`);
