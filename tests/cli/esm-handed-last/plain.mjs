import { peek } from "./peek.cjs";
export const value = peek(() => value);
export function early() { return "hoisted"; }
