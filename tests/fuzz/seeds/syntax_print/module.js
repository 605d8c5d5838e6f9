Cimport def, { a as b, default as q } from "x" with { type: "json" };
import * as ns from './y';
export const { x, y: [z = 1, ...rest] } = foo(1, ...args);
export default async function* gen(a, { b }, ...c) { yield* await a; for await (const x of y) z: for (;;) { continue z; } }
class A extends (B, C) { static #p = 1; get x() { return this.#p } static { foo() } async *m() {} 'quoted' = 2; [computed]() { super.m() } }
let f = async (x) => ({ ...x, a, 'b': 1, get c() { return 1 } }), g = x => x ** -2, h = (a, b = 2) => { };
a ? b : c ? d : e; a ?? (b || c); new (foo())(1); new foo.bar; (a?.b).c; a?.b.c; a?.[x]?.(y); -(-x); +(+y); a - -b; typeof (() => { });
`t${a}u${`n${b}`}`; tag`x${1}`; /re[/]g/gi.test(x); 1..toString(); 1.5.toFixed(); (1).x; 
if (a) b; else if (c) d; else { e }
switch (x) { case 1: foo(); break; default: bar() }
try { a } catch { b } finally { c }
({}).x; (function () { })(); ({ a } = b); [a, b] = [b, a];
label: while (1) { break label }
do x++; while (x < 5) y--
var { async, get, set, of } = x; async = 1;
