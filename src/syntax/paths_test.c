/* syntax/paths_test.c -- the fast path and the full path make the same program.  The same over
 * whole trees of sources: tests/compat/paths.sh. */
#include "syntax/test_paths.h"
#include "util/test.h"

static void check_same(const char *text, const ParseOptions *o)
{
    if (paths_compare(str_z(text), o) != PATHS_AGREE) test_fail(__FILE__, __LINE__, text);
}

TEST(paths_agree_on_javascript)
{
    static const char *const texts[] = {
        "#!/usr/bin/env cob\n'use strict'\nvar a = 1;",
        "const a = require('b');\nmodule.exports = { a, c: import('./d.js') };",
        "import a, { b as c, default as d } from 'e';\nimport * as f from \"g\" with { type: "
        "'json' };\n"
        "c(a, d, f.h)",
        "import 'a'\nexport * from 'b'\nexport * as c from 'd'\nexport { e, f as 'g h' } from 'i'",
        "export const a = 1, { b, c: [d] } = e;\nexport let f\nf = 2;\nexport function g() {}\n"
        "export class H {}\nexport { a as i, H as default }",
        "export default function () {}",
        "export default class A extends B {}",
        "export default [1, 2].map(a => a * 2)\n;[3].forEach(b)",
        "await a;\nfor await (const b of c) import.meta.url;\nconst d = await import('e', {})",
        "export async function* a() { yield* b }\nlabel: for (;;) { continue label }",
        "import { a } from 'b'\n/* c */ export { a }\nexport { a as d }",
        "n = '\\t\xed\xff\xfe'", /* no surrogate, although it begins like one */
        "var a = `x${b}y`, c = /[/]/g, d = 1_000n;\na?.b?.[c]?.(d) ?? e",
        "import a from 'b';\nconst c = { a, get d() { return a }, [a]: a }; a.b = 1; a.e++",
    };
    const ParseOptions o = {.goal = GOAL_AUTO};
    for (usize i = 0; i < COUNT(texts); i++) check_same(texts[i], &o);
}

TEST(paths_agree_on_typescript)
{
    static const char *const texts[] = {
        "let a: string | number = <any>b, c!: T;\nconst d = a as const satisfies E;",
        "import { A, type B, c } from 'd';\nimport type { E } from 'f';\nimport G from 'g';\n"
        "let h: A = c; export type { E }; export { h, type B as I }",
        "export { type A } from 'a'\nexport { type B, type C as D, } from 'b'\nexport { type E, f "
        "} "
        "from 'e'\nexport {} from 'g'",
        "export interface A<T> { b: T; c(): void }\nexport type D = A<string>\n(function () {})()",
        "declare const a: number;\ndeclare module 'b' { export let c: 1 }\ndeclare global {}\na",
        "abstract class A<T> extends B<T> implements C, D {\n  private readonly a: T = 1;\n"
        "  static b?: string\n  declare c: number;\n  abstract d(): void\n  constructor(e?: T) { "
        "super() }\n"
        "  override f(this: A<T>, ...g: T[]): asserts g is T[] { return g! }\n  [key: string]: "
        "any\n}",
        "function a(b: string): void\nfunction a(b: number): void\nfunction a(b: any) { return b }",
        "const a = <T,>(b: T): T => b, c = async <T>(d: T): Promise<T> => d\nlet e = "
        "a<string>('f')",
        "const a = (b: number, c = 1): b is 1 =>\n  b\nx ? (y) : z => 1;\nx < y > z",
        "for (const a of b as C[]) d(a!)\nif (<any>e) f\ndo g<H>(); while (i as any)",
        "export default function a<T>(b: T): T;\nexport default function a(b: any) { return b }",
        "let a = b\ntype C = 1\n;(d as any).e()\nlet f = g as any\n[h]",
        "namespace A { export type B = 1 }\nexport abstract class C { protected abstract d: A.B }",
        "let a: typeof import('b'), c: unique symbol, d: `x${string}`, e: new () => F, g: [h?: I]",
        "try { a } catch (b: unknown) { c(b as Error) }\nvar { d, e }: { d: F; e: G } = h",
    };
    const ParseOptions o = {.goal = GOAL_AUTO, .ts = true};
    for (usize i = 0; i < COUNT(texts); i++) check_same(texts[i], &o);
}
