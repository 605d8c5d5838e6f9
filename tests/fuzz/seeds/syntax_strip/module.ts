import React, { type X, y, Z } from "r";
import * as ns from "n";
import type { Q } from "q";
export interface Foo<T> { a: T; b?(x: number): void }
type A = string | number
let v = <T>(x: T, y?: Z): x is string => x!; 
foo
type B = 1;
(bar)()
export const c = y as any as Z
(ns.foo as any).bar = 1
abstract class Ab<T> extends Base<T> implements I, J { abstract foo(): void; declare x: number; private readonly y?: string; static z!: number = 1; get: string; foo(): void {} constructor(a: string) { super() } method<K extends keyof T>(this: Foo, k: K): T[K] { return f<K>(k) } [key: string]: any }
function over(a: string): void; function over(a): asserts a is string {}
export default function (x: number) { return import("z"), import.meta.url }
export { v as w }; export * from "star"; export { default as dd } from 'dd'
let { a, b }: { a: string, b: number } = obj, [d]: [number] = [1 as const];
for (const x of <any>y) { x satisfies Foo }
try {} catch (e: unknown) {}
const fn = async <T,>(x: T): Promise<T> => await x;
declare global { interface Window { x: number } }
declare module 'foo';
