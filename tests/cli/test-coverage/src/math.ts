// a comment
import { helper } from "./helper";

export function add(a: number, b: number): number {
  if (a < 0) {
    return helper(b);
  }
  return a + b;
}

export const sub = (a: number, b: number) => a - b;

export class K {
  x = 1;
  used() {
    return 1;
  }
  unused() {
    const y = 2;
    return y;
  }
}
