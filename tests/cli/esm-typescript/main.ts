import type { Shape } from "./types";
import { type Shape as Again, circle } from "./types.js";
import { OnlyAType, area } from "./types";
import { helper } from "@lib/helper";
import { twin } from "./twin.mjs";
export type { Shape };
export { area } from "./types";

enum Colour {
  Red,
  Green = "green",
  Blue = 1 << 2,
}
const enum Fixed {
  A = 7,
}
declare const unseen: string;
namespace Space {
  export const value = 1;
  export namespace Inner {
    export function twice(n: number) {
      return n * 2 + value;
    }
  }
}
class Point {
  static made = 0;
  declare hidden: string;
  constructor(
    private x: number,
    public readonly y = 2,
  ) {
    Point.made++;
  }
  sum(): number {
    return this.x + this.y;
  }
}
abstract class Base<T> {
  abstract get(): T;
  constructor(protected value?: T) {}
}
class Derived extends Base<string> {
  own = "own";
  constructor() {
    super("given");
  }
  override get() {
    return this.value!;
  }
}
function over(a: string): string;
function over(a: number): number;
function over(a: unknown) {
  return a;
}
const shape: Shape = circle(2);
const other = <Again>shape;
let assertion = shape satisfies Shape as unknown as OnlyAType;
console.log(Colour.Red, Colour[0], Colour.Green, Colour.Blue, Fixed.A);
console.log(Space.Inner.twice(4), new Point(1).sum(), Point.made, Object.keys(new Point(3)));
console.log(new Derived().get(), Object.keys(new Derived()), over(1), area(other), typeof assertion);
console.log(helper, twin, await Promise.resolve<number>(5));
console.log(Object.keys(await import("./types.js")));
