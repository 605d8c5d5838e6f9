import { early, value as seen } from "./plain.mjs";
import * as barrel from "./barrel.mjs";
export const value = 1;
export default function () {}
export { value as "a b", value as __proto__ };
console.log(early(), seen);
console.log(Object.keys(barrel), barrel.Kind.Big, barrel.default);
const self = await import("./self.mjs");
console.log(self.default.name, self.value, self["a b"], Object.keys(self));
