import { state } from "./count";
import common from "./common.cjs";

export interface Shape {
  n: number;
}
export * from "./text";
export const next = (): number => ++state.n;
export const fail = (shape: Shape): never => {
  throw new Error(`fail ${shape.n} ${common.n++}`);
};
