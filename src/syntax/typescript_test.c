/* syntax/typescript_test.c -- TypeScript: types vanish, the rest is lowered; the fast path agrees.
 */
#include "syntax/test_syntax.h"

TEST(ts_types_vanish)
{
    CHECK_MIN("let a: string | number = 1, b!: T, c = d as any as E;", TS, "let a=1,b,c=d;");
    CHECK_MIN("function f<T extends A<B>>(this: X, a?: T, ...b: T[]): a is string {}", TS,
              "function f(a,...b){}");
    CHECK_MIN("let f = <T,>(a: T): T => a, g = async <T>(x: T) => x;", TS,
              "let f=a=>a,g=async x=>x;");
    CHECK_MIN("f<A, B<C>>(x); new G<T>(); h<T>`x`; a < b > c;", TS, "f(x);new G();h`x`;a<b>c;");
    CHECK_MIN("x ? (a) : b => c; x ? (a): b => c : d;", TS, "x?a:b=>c;x?a=>c:d;");
    CHECK_MIN("interface A { (x: number): void; new <T>(): A; [k: string]: B; get x(): C; m?<T>(): "
              "void }",
              TS, "");
    CHECK_MIN("type A = { readonly [K in keyof T as `x${K}`]-?: T[K] } extends infer U extends B ? "
              "C : D;",
              TS, "");
    CHECK_MIN("abstract class A<T> extends B<T> implements C { declare x; private y?: T; abstract "
              "z(): void; "
              "constructor(); constructor() { super() } }",
              TS, "class A extends B{y;constructor(){super()}}");
    CHECK_MIN("declare module 'x' { export const a: 1 } declare global {} declare let z: 1", TS,
              "");
    CHECK_MIN("a!.b!(c)!; <T>d; e satisfies F", TS, "a.b(c);d;e;");
    CHECK_MIN("type T = [a: A, b?: B, ...c: C[]]; let x: (a: A) => asserts a is B", TS, "let x;");
    CHECK_MIN("const a = <const T,>(x: T) => x; let y = <const>['a'];", TS,
              "const a=x=>x;let y=[\"a\"];");
}

/* Those that lex_plain_type runs over, and where it stops. */
TEST(ts_plain_types)
{
    CHECK_MIN("let a: A.B<C, D[] | E.F>[] & G | H = 1, b: A <B> [], c: $.typeof", TS,
              "let a=1,b,c;");
    CHECK_MIN("let a: A | (b) | undefined, c: A<B | null, (d: e) => f, [G]>[H]['i']", TS,
              "let a,c;");
    CHECK_MIN("let a: A | keyof B & readonly C[], b: D<typeof e, infer> = 1, c: F<\n G,\n H> ", TS,
              "let a,b=1,c;");
    CHECK_MIN("let a: A<B<C<D>>>= 1; let b: A<B>\n(c)", TS, "let a=1;let b;c;");
    CHECK_MIN("let a: A\n<B>(c)", TS, "let a;c;");
    CHECK_MIN("let a: \\u0061.b<c\\u0064>, e: \xc3\xa9.f<g\xc3\xa9> | h", TS, "let a,e;");
    CHECK_MIN("a = b as C<D> || e, f as G<H> > 1, i as J & K && 1", TS, "a=b||e,f>1,i&&1;");
    CHECK_MIN("type A = B<C> extends D ? E<F>.G : H", TS, "error: Expected \":\" but found \".\"");
    CHECK_MIN("let a: string extends B ? C : D", TS, "let a;");
    CHECK_MIN("function a(b): b is C<D> {} function e(f): f /**/ is G {} let h: i \n is", TS,
              "function a(b){}function e(f){}let h;is;");
    CHECK_ERROR("let a: A<B>.C", TS);
    CHECK_ERROR("let a: A[]<B>", TS);
    CHECK_ERROR("let a: A<B,>", TS);
    CHECK_ERROR("let a: A<B,,C>", TS);
    CHECK_ERROR("let a: A.", TS);
    CHECK_ERROR("let a: A..B", TS);
    CHECK_ERROR("let a: A | ", TS);
    CHECK_ERROR("let a: A<if>", TS);
    CHECK_ERROR("let a: A<B", TS);
}

TEST(ts_imports_without_values_go)
{
    CHECK_MIN(
        "import { a, type B, C } from 'x'; import type D from 'y'; import E from 'z'; a; let q: C",
        TS, "import{a}from\"x\";a;let q;");
    CHECK_MIN("import 'x'; import {} from 'y'; export { A } from 'z'; export type { B } from 'w'",
              TS, "import\"x\";export{A}from\"z\";");
    CHECK_MIN("interface I {} export { I, j }; let j", TS, "export{j};let j;");
    CHECK_MIN("import a = require('x'); import b = a.c; export = b", TS,
              "const a=require(\"x\");const b=a.c;module.exports=b;");
}

TEST(ts_enums)
{
    CHECK_MIN(
        "enum E { A, B = 1 << 2, C, D = 'x', F = A | C, G = f() }", TS,
        "var E=(E=>{E[E[\"A\"]=0]=\"A\";E[E[\"B\"]=4]=\"B\";E[E[\"C\"]=5]=\"C\";E[\"D\"]=\"x\";"
        "E[E[\"F\"]=5]=\"F\";E[E[\"G\"]=f()]=\"G\";return E})(E||{});");
    CHECK_MIN("enum E { A = B, B = 1 }", TS,
              "var E=(E=>{E[E[\"A\"]=E.B]=\"A\";E[E[\"B\"]=1]=\"B\";return E})(E||{});");
    CHECK_MIN(
        "{ enum E { A } } enum F { A } export enum F { B = 1 }", TS,
        "{let E;(E=>{E[E[\"A\"]=0]=\"A\"})(E||(E={}))}var F=(F=>{F[F[\"A\"]=0]=\"A\";return F})"
        "(F||{});(F=>{F[F[\"B\"]=1]=\"B\"})(F||(F={}));");
    CHECK_MIN("declare enum E { A }", TS, "");
}

TEST(ts_enum_members_are_inlined)
{
    AUTO(Arena) a = {0};
    static const char *const uses[][2] = {
        {"f(E.A, E['B'], -E.A, E.A ** 2)", "f(-1,\"x\",- -1,(-1)**2);"},
        {"E.A.toString(), E.B.length", "(-1).toString(),\"x\".length;"},
        {"(E as any).A = 1, E.A++, delete E.A, E?.A", "E.A=1,E.A++,delete E.A,E?.A;"},
        {"(E => E.A)(E)", "(E=>E.A)(E);"},
        {"({ E, a: E.A })", "({E,a:-1});"},
    };
    for (usize i = 0; i < COUNT(uses); i++) {
        Str text = str_fmt(&a, "const enum E { A = -1, B = 'x' } %s%c", uses[i][0], 0);
        CHECK(str_ends(syntax_min(text.p, TS), str_fmt(&a, "(E||{});%s", uses[i][1])));
    }
    CHECK_MIN(
        "namespace N { export enum E { A } export namespace M { export enum F { B = E.A + 5 } } }"
        " f(N.E.A, N.M.F.B, N.E.C)",
        TS,
        "var N;(N=>{let E;(E=>{E[E[\"A\"]=0]=\"A\"})(E=N.E||(N.E={}));let "
        "M;(M=>{let F;(F=>{F[F[\"B\"]=5]=\"B\"})(F=M.F||(M.F={}))})"
        "(M=N.M||(N.M={}))})(N||(N={}));f(0,5,N.E.C);");
}

TEST(ts_namespaces)
{
    CHECK_MIN("namespace A { export const x = 1; export function f() { return x } const y = 2 }",
              TS, "var A;(A=>{A.x=1;function f(){return A.x}A.f=f;const y=2})(A||(A={}));");
    CHECK_MIN("namespace A.B { export let [x, { y }] = z; x = y }", TS,
              "var A;(A=>{let "
              "B;(B=>{[B.x,{y:B.y}]=z;B.x=B.y})(B=A.B||(A.B={}))})(A||(A={}));");
    CHECK_MIN("namespace A { export interface B {} }", TS, "");
}

TEST(ts_namespaces_merge)
{
    CHECK_MIN("namespace A { export let [x, y] = z } namespace A { x = y }", TS,
              "var A;(A=>{[A.x,A.y]=z})(A||(A={}));(A=>{A.x=A.y})(A||(A={}));");
    /* namespace A.B, twice: the inner ones are one namespace as well. */
    CHECK_MIN("namespace A.B { export const x = 1 } namespace A.B { f(x) }", TS,
              "var A;(A=>{let B;(B=>{B.x=1})(B=A.B||(A.B={}))})(A||(A={}));"
              "(A=>{let B;(B=>{f(B.x)})(B=A.B||(A.B={}))})(A||(A={}));");
    CHECK_MIN("namespace A.B { export function f() {} } namespace A { export namespace B { f() } "
              "B.f(); export const g = 1 } namespace A.C { g }",
              TS,
              "var A;(A=>{let B;(B=>{function f(){}B.f=f})(B=A.B||(A.B={}))})"
              "(A||(A={}));(A=>{let B;(B=>{B.f()})(B=A.B||(A.B={}));B.f();A.g=1})"
              "(A||(A={}));(A=>{let C;(C=>{A.g})(C=A.C||(A.C={}))})(A||(A={}));");
    /* A local of the same name comes first. */
    CHECK_MIN("namespace A { export let x } namespace A { let x = 1; f(x) }", TS,
              "var A;(A=>{})(A||(A={}));(A=>{let x=1;f(x)})(A||(A={}));");
}

TEST(ts_parameter_properties)
{
    CHECK_MIN("class A extends B { constructor(private a, public b = 1) { super(); f() } }", TS,
              "class A extends B{a;b;constructor(a,b=1){super();this.a=a;this.b=b;f()}}");
    CHECK_ERROR("class A { m(private a) {} }", TS);
}

TEST(jsx_names_have_no_escapes)
{
    CHECK_ERROR("<\\u0061/>", TSX);
    CHECK_ERROR("<a-\\u0063></a-c>", JSX);
    CHECK_ERROR("<a \\u0061='x'/>", JSX);
    CHECK_ERROR("<a.\\u0061/>", JSX);
}

TEST(ts_errors)
{
    CHECK_ERROR("let a: ;", TS);
    CHECK_ERROR("type A = ;", TS);
    CHECK_ERROR("f<>()", TS);
    CHECK_ERROR("function f<>() {}", TS);
    CHECK_ERROR("let a: string", JS);
    CHECK_ERROR("import type A, { B } from 'x'", TS);
    CHECK_ERROR("super<T>()", TS);
    CHECK_ERROR("x = y as T = z", TS);
}

TEST(jsx_automatic_and_classic)
{
    LowerOptions classic = {.jsx = JSX_CLASSIC}, automatic = {0};
    Str text = S("x = <a b='&amp;' {...c}>t <D.E/>\n  {f}</a>");
    CHECK_STR(
        syntax_run(text, JSX, &classic, true),
        "x=React.createElement(\"a\",{b:\"&\",...c},\"t \",React.createElement(D.E,null),f);");
    CHECK_STR(syntax_run(text, JSX, &automatic, true),
              "const{jsx:_jsx,jsxs:_jsxs}=require(\"react/jsx-runtime\");"
              "x=_jsxs(\"a\",{b:\"&\",...c,children:[\"t \",_jsx(D.E,{}),f]});");
    CHECK_ERROR("<a></b>", JSX);
    CHECK_ERROR("<a/><b/>", JSX);
    CHECK_OK("<T,>(x: T) => <A<T> />", TSX);
}

static Str strip_text(const char *text, const char **ret_reason)
{
    static char result[4096];
    Arena a = {0};
    AUTO(Buf) b = {0};
    Interner atoms;
    Log log;
    Source source = {S("t"), lex_pad(&a, str_z(text))};
    StripOptions so = {.names = MODULE_NAMES};
    StripResult r;
    log_init(&log, &a);
    interner_init(&atoms, &a, 0);
    lex_seed(&atoms);
    bool ok = strip(&source, TS, &so, &a, &atoms, &log, &r);
    *ret_reason = r.reason;
    if (ok && !r.reason) {
        for (u32 i = 0; i < r.info.imports.len; i++) {
            const ModuleImport *im = &r.info.imports.at[i];
            buf_fmt(&b, "<%.*s=%u.%.*s>", STR_ARG(im->local), im->request, STR_ARG(im->imported));
        }
        for (u32 i = 0; i < r.info.exports.len; i++) {
            const ModuleExport *e = &r.info.exports.at[i];
            buf_fmt(&b, "<%d %.*s:%.*s>", e->kind, STR_ARG(e->name), STR_ARG(e->local));
        }
        buf_push(&b, r.text);
    } else if (!ok) {
        buf_push(&b, S("error"));
    }
    usize n = MIN(b.len, sizeof(result));
    for (usize i = 0; i < n; i++) result[i] = b.p[i];
    arena_deinit(&a);
    return (Str){result, n};
}

#define CHECK_STRIP(text, want)                                                                    \
    do {                                                                                           \
        const char *reason_;                                                                       \
        CHECK_STR(strip_text(text, &reason_), want);                                               \
        CHECK(!reason_);                                                                           \
    } while (0)
#define CHECK_FULL(text)                                                                           \
    do {                                                                                           \
        const char *reason_;                                                                       \
        (void)strip_text(text, &reason_);                                                          \
        CHECK(reason_ != NULL);                                                                    \
    } while (0)

TEST(strip_keeps_every_column)
{
    CHECK_STRIP("let a: A = b as C;", "let a    = b     ;");
    CHECK_STRIP("f<T>(x!)", "f   (x )");
    CHECK_STRIP("let a: '\xf0\x9f\x98\x80' = 1", "let a       = 1");
    CHECK_STRIP("function f(this: A, b?: B): C {}", "function f(         b    )    {}");
}

TEST(strip_guards_semicolons)
{
    CHECK_STRIP("a = b as C\n(d)", "a = b ;   \n(d)");
    CHECK_STRIP("a\ntype B = C\n(d)", "a\n;         \n(d)");
    CHECK_STRIP("class A { x = 1\n readonly [y] = 2 }", "class A { x = 1\n ;        [y] = 2 }");
    CHECK_STRIP("class A { get: B\n m() {} }", "class A { get;  \n m() {} }");
    CHECK_STRIP("x = (a): A<\nB> => a", "x = (a     \n ) => a");
    CHECK_STRIP("async function f() { return async <\nT>(a) => a }",
                "async function f() { return async (\n   a) => a }");
}

TEST(strip_modules)
{
    CHECK_STRIP("import a, { B } from 'x';\nexport default a(import('y')) as B",
                "<a=0.default><0 default:_default>"
                ";                        \nlet _default=  a($cob.i('y'))     ");
    CHECK_STRIP("export default function () {}",
                "<0 default:_default>function _default       () {}");
    CHECK_STRIP("export default class A {}\nexport { a as b } from 'c'",
                "<0 default:A><1 b:a>               class A {}\n;                         ");
    CHECK_STRIP("export const a = import.meta.url; export * from 'd'; export { a as 'e f' }",
                "<0 a:a><3 :><0 e f:a>       const a = $cob.meta  .url; "
                ";                  ;                    ");
    CHECK_STRIP("import a from 'x'; export { a }",
                "<a=0.default><1 a:default>;                  ;           ");
}

TEST(strip_refuses_with_a_reason)
{
    CHECK_FULL("enum A {}");
    CHECK_FULL("namespace A { x }");
    CHECK_FULL("class A { constructor(private a) {} }");
    CHECK_FULL("import a = require('x')");
    CHECK_FULL("@d class A {}");
    CHECK_FULL("using a = b");
    CHECK_FULL("let $cob");
    CHECK_FULL("interface T {} export default T");
    /* Is it the import or the parameter that is used? */
    CHECK_FULL("import { a } from 'b'; let c: a; function d(a) { a }");
    CHECK_FULL("import { a } from 'b'; let c: e<f.a>; function d(a) { a }");
    CHECK_FULL("import { ab } from 'b'; let c: \\u0061b; function d(ab) { ab }");
    CHECK_STRIP("import { a } from 'b'; let c: ab; function d(a) { a }",
                "<a=0.a>;                      let c    ; function d(a) { a }");
}
