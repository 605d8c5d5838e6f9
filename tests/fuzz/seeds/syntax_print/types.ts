Dimport React, { type X, y, Z } from "r";
import type { Q } from "q";
import fs = require("fs");
enum E { A, B = 5, C, D = "x", F = A | C, G = foo(), H = G + 1 }
export const enum CE { a = `t` }
namespace N.M { export const x = 1, { y: [q] } = z; export function f() { return x + q } let loc = 2; export class C {} ; export enum EE { P } console.log(x, loc) }
namespace N.M { f(); x; }
namespace T { export interface I {} }
class A extends B { constructor(private a: string, public b = 1) { super(); foo() } }
class D { constructor(readonly q) {} }
let v = <T>(x: T): x is string => x!; 
y satisfies Z; fs.x;
function over(a: string): void; function over(a) {}
abstract class Ab { abstract foo(): void; declare x: number; y?: string; static z! = 1 }
let x1 = a ? (b) : c => d;
export { X, y, T };
export type { E };
