/*! kept */
import { type T, value } from "./b";
enum E { A = 1, B }
export const sum = (x: number): number => {
  debugger;
  console.log("dropped", x);
  if (DEBUG) return value;
  return x + E.B + FLAG.level;
};
