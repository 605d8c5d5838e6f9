ôimport { Dep, T } from "x";
interface I {}
@dec() export class A { @p x: string = "1"; @m() method(@param a: Dep, b?: number[]): Promise<void> { return A.make() } static make() { return new A(null as any) } @s static y: I; @f [k()] = 1; constructor(@inj("q") private dep: Dep, private o: T.U) {} @g get z(): boolean { return true } }
@dec export default class {}
{ using a = b(); await using c = d(); for (using e of f) { g(e) } }
