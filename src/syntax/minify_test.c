/* syntax/minify_test.c -- every transform of the minifier by an example, and what must stay. */
#include "syntax/test_transpile.h"

static const TranspileOptions syntax_only = {
    .parse = {.goal = GOAL_MODULE, .ts = true}, .minify_syntax = true, .minify_whitespace = true};
static const TranspileOptions script = {
    .parse = {.goal = GOAL_SCRIPT}, .minify_syntax = true, .minify_whitespace = true};

#define SMALL(text, want)  CHECK_TRANSPILED(text, &syntax_only, want)
#define SCRIPT(text, want) CHECK_TRANSPILED(text, &script, want)
/* An expression. */
#define EXPR(text, want) CHECK_TRANSPILED("x=" text, &syntax_only, "x=" want ";")

TEST(minify_literals)
{
    EXPR("true", "!0");
    EXPR("false", "!1");
    EXPR("undefined", "void 0");
    EXPR("Infinity", "1/0");
    EXPR("-Infinity", "-(1/0)");
    SMALL("let x = undefined;", "let x;");
    SMALL("const x = undefined;", "const x=void 0;");
    EXPR("10000", "1e4");
    EXPR("1.0", "1");
    EXPR("0.5", ".5");
    EXPR("0xff", "255");
    EXPR("1e21", "1e21");
    EXPR("1000", "1e3");
    EXPR("100", "100");
    EXPR("0.0001", "1e-4");
    EXPR("123456789012345680000", "12345678901234568e4");
    EXPR("'it\\'s'", "\"it's\"");
    EXPR("\"say \\\"hi\\\"\"", "'say \"hi\"'");
    EXPR("`plain`", "\"plain\"");
    EXPR("`two\nlines`", "`two\nlines`");
    EXPR("String.raw`x`", "String.raw`x`");
}

TEST(minify_undefined_may_be_a_variable)
{
    SMALL("function f(undefined){return undefined}f()",
          "function f(undefined){return undefined}f();");
    SCRIPT("undefined = 1;", "undefined=1;");
    SCRIPT("[Infinity] = y;", "[Infinity]=y;");
    EXPR("delete undefined.x", "delete(void 0).x");
}

TEST(minify_boolean_algebra)
{
    SMALL("if (!!x) y;", "x&&y;");
    SMALL("if (x && true) y;", "x&&y;");
    SMALL("if (x || false) y;", "x&&y;");
    EXPR("!true", "!1");
    EXPR("!!!y", "!y");
    EXPR("!!y", "!!y");
    EXPR("!(a === b)", "a!==b");
    EXPR("!(a < b)", "!(a<b)");
    EXPR("!!(a < b)", "a<b");
    EXPR("y ? true : false", "!!y");
    EXPR("y ? false : true", "!y");
    EXPR("a < b ? true : false", "a<b");
    EXPR("!a ? b : c", "a?c:b");
    SMALL("function f(a){return a ? a : b}f()", "function f(a){return a||b}f();");
    EXPR("g ? g : b", "g?g:b"); /* a getter of the global object may count */
}

TEST(minify_equality)
{
    EXPR("y == undefined", "y==null");
    EXPR("y != void 0", "y!=null");
    EXPR("y === undefined", "y===void 0");
    EXPR("typeof y === 'undefined'", "typeof y>\"u\"");
    EXPR("typeof y !== 'undefined'", "typeof y<\"u\"");
    EXPR("typeof y === 'string'", "typeof y==\"string\"");
    EXPR("typeof null", "\"object\"");
    EXPR("typeof 123n", "\"bigint\"");
    EXPR("typeof require", "typeof require");
    EXPR("null === undefined", "!1");
    EXPR("null == undefined", "!0");
    EXPR("a !== null", "a!==null");
}

TEST(minify_arithmetic)
{
    EXPR("1 + 2", "3");
    EXPR("10 / 2", "5");
    EXPR("10 % 3", "1");
    EXPR("2 ** 3", "8");
    EXPR("1 / 3", "1/3");
    EXPR("1 / 0", "1/0");
    EXPR("5 & 3", "1");
    EXPR("8 << 2", "32");
    EXPR("-1 >>> 0", "-1>>>0");
    EXPR("~5", "-6");
    EXPR("3 < 5", "!0");
    EXPR("'a' < 'b'", "!0");
    EXPR("5 >= 6", "!1");
    EXPR("+'123'", "123");
    EXPR("-(-y)", "- -y");
    EXPR("-(a, b)", "(a,-b)");
    EXPR("0 * -1", "-0");
    EXPR("-0 === 0", "!0");
}

TEST(minify_strings)
{
    EXPR("'a' + 'b'", "\"ab\"");
    EXPR("'x' + 123", "\"x123\"");
    EXPR("'x' + 0.5 + 1e21 + null", "\"x0.51e+21null\"");
    EXPR("a + 'b' + 'c'", "a+\"bc\"");
    EXPR("a + (b + 'c')", "a+(b+\"c\")");
    EXPR("1 + 2 + 'a'", "\"3a\"");
    EXPR("'foo'[2]", "\"o\"");
    EXPR("'foo'[3]", "\"foo\"[3]");
    EXPR("'hello'.length", "5");
    EXPR("'h\\u00e9'.length", "\"h\xc3\xa9\".length");
    EXPR("'hello'.charCodeAt(1)", "101");
    EXPR("`a${123}b${true}${null}${undefined}`", "\"a123btruenullundefined\"");
    EXPR("`a${1}b${c}`", "`a${1}b${c}`");
    EXPR("'\\ud83d' + '\\ude00'", "\"\\uD83D\"+\"\\uDE00\"");
}

TEST(minify_members_and_lists)
{
    EXPR("a['b']", "a.b");
    EXPR("a['b-c']", "a[\"b-c\"]");
    EXPR("a['12']", "a[12]");
    EXPR("a['012']", "a[\"012\"]");
    EXPR("a?.['b']", "a?.b");
    EXPR("({'a': 1, ['b']: 2})", "{a:1,b:2}");
    EXPR("({y: y})", "{y}");
    EXPR("({__proto__: __proto__})", "{__proto__:__proto__}");
    EXPR("({['__proto__']: 1})", "{[\"__proto__\"]:1}");
    EXPR("class { ['constructor']() {} }", "class{[\"constructor\"](){}}");
    EXPR("[1, ...[2, 3], 4]", "[1,2,3,4]");
    EXPR("[...[, a]]", "[void 0,a]");
    EXPR("f(...[a, b])", "f(a,b)");
    EXPR("[y][0]", "y");
    EXPR("['a', 'b'][1]", "\"b\"");
    EXPR("[a()][0]", "a()");
    EXPR("[f()][0]()", "[f()][0]()");
    EXPR("({fn: a()}).fn", "a()");
    EXPR("new Object()", "{}");
    EXPR("new Array(a, b)", "[a,b]");
    EXPR("new Array(a)", "new Array(a)");
}

TEST(minify_logical)
{
    EXPR("true && y", "y");
    EXPR("false && y", "!1");
    EXPR("true || y", "!0");
    EXPR("null ?? y", "y");
    EXPR("42 ?? y", "42");
    EXPR("(0, y)", "y");
    EXPR("(123, 'str', y)", "y");
    EXPR("true ? a : b", "a");
    EXPR("f() && false", "f()&&!1");
}

TEST(minify_keeps_references)
{
    SMALL("(0, a.b)()", "(0,a.b)();");
    SMALL("(true && a.b)()", "(!0&&a.b)();");
    SMALL("(1 ? eval : 0)('x')", "(1?eval:0)(\"x\");");
    EXPR("delete (0, a.b)", "delete(0,a.b)");
    EXPR("typeof (0, y)", "typeof(0,y)");
    EXPR("(0, a?.b).c", "(a?.b).c");
}

TEST(minify_assignments)
{
    SMALL("let a = 1; a = a + 2; f(a)", "let a=1;a+=2,f(a);");
    SMALL("g = g + 2;", "g=g+2;");
}

TEST(minify_if)
{
    SMALL("if (true) x(); if (false) y();", "x();");
    SMALL("if (a) { b() }", "a&&b();");
    SMALL("if (a) {} else b()", "a||b();");
    SMALL("if (!a) b()", "a||b();");
    SMALL("if (a) b(); else c();", "a?b():c();");
    SMALL("if (a) if (b) while (c) d();", "if(a&&b)for(;c;)d();");
    SMALL("if (a) { let b = f(); g(b, b) }", "if(a){let b=f();g(b,b)}");
    SMALL("if (a) { }", "a;");
    SMALL("if (a) { for (;;) b() } else { for (;;) c() }", "if(a)for(;;)b();else for(;;)c();");
    SMALL("if (a) { if (b) for (;;) x() } else for (;;) y()",
          "if(a){if(b)for(;;)x()}else for(;;)y();");
    SMALL("if (x) { ; } else { ; }", "x;");
}

TEST(minify_dead_code)
{
    SMALL("if (false) { unreachable() }", "");
    SMALL("if (0) { var a; let b } else c()", "var a;c();");
    SMALL("while (false) never()", "");
    SMALL("function f() { return x; dead(); var y; function g() {} return g } f()",
          "function f(){return x;var y;function g(){}}f();");
    SMALL("f: for (;;) g()", "for(;;)g();");
    SMALL("f: for (;;) break f", "f:for(;;)break f;");
    SMALL("1; 'a'; x => x; f", "f;");
    SMALL("/* @__PURE__ */ f(); /* @__PURE__ */ g(h())", "h();");
    SCRIPT("if (0) { function f() {} }", "if(0){function f(){}}");
}

TEST(minify_statements)
{
    SMALL("a(); b(); c()", "a(),b(),c();");
    SMALL("let a = f(); let b = g(); export { a, b }", "let a=f(),b=g();export{a,b};");
    SMALL("var a = f(); const b = g(); export { a, b }", "var a=f();const b=g();export{a,b};");
    SMALL("function f() { a(); return b } f()", "function f(){return a(),b}f();");
    SMALL("function f() { a(); throw b } f()", "function f(){throw a(),b}f();");
    SMALL("function f() { if (a) return b; return c } f()", "function f(){return a?b:c}f();");
    SMALL("function f() { if (a) { return b } else { return c } } f()",
          "function f(){return a?b:c}f();");
    SMALL("function f() { if (a) return b; x(); if (c) return d; return e } f()",
          "function f(){return a?b:(x(),c)?d:e}f();");
    SMALL("function f() { a(); return } f()", "function f(){a()}f();");
    SMALL("a(); if (b) for (;;) c()", "if(a(),b)for(;;)c();");
    SMALL("var i = 0; for (; i < 3;) f(i)", "for(var i=0;i<3;)f(i);");
    SMALL("a(); for (let b of c) d(b)", "a();for(let b of c)d(b);");
    SMALL("() => { return y }; f(() => { return { a } })", "f(()=>({a}));");
    SMALL("{ { a() } b() }", "a(),b();");
    SMALL("'use strict'; 'not one'.length", "'use strict';");
    SMALL("for (;true;) a()", "for(;;)a();");
}

TEST(minify_constants_and_unused_names)
{
    SMALL("function f() { const a = 1, b = 'abc'; return a + b } f()",
          "function f(){return\"1abc\"}f();");
    SMALL("function f() { return a; const a = 1 } f()", "function f(){return a;const a=1}f();");
    SMALL("function f() { const a = 1; return eval('a') } f()",
          "function f(){const a=1;return eval(\"a\")}f();");
    SMALL(
        "function f() { let used = g(), not = 1; function gone() { return gone } return used } f()",
        "function f(){let used=g();function gone(){return gone}return used}f();");
    SMALL("function f() { function gone() {} var no = {}; } f()", "function f(){}f();");
    SMALL("export const a = 1; f(a)", "export const a=1;f(a);");
    SMALL("const a = 1; export { a }; f(a)", "const a=1;export{a};f(a);");
}

TEST(minify_enums)
{
    static const TranspileOptions ts = {.parse = {.goal = GOAL_MODULE, .ts = true},
                                        .minify_syntax = true,
                                        .minify_whitespace = true,
                                        .minify_identifiers = true};
    Str out = transpiled("enum Color { Red, Green } f(Color.Red, Color)", &ts);
    CHECK(str_find_str(out, S("Color")) < 0);
}

/* The length of what a long program becomes. */
static usize length_of(Str text, const TranspileOptions *o)
{
    AUTO(Arena) a = {0};
    Log log;
    Transpiled t;
    Source source = {S("/test.ts"), lex_pad(&a, text)};
    log_init(&log, &a);
    CHECK(transpile(&source, o, &a, &log, &t));
    usize len = t.text.len;
    CHECK(arena_size(&a) < 512U << 20);
    Transpiled_deinit(&t);
    return len;
}

/* Deep and long programs take neither stack nor quadratic time. */
TEST(minify_long_chains)
{
    AUTO(Buf) b = {0};
    buf_push(&b, S("x="));
    for (u32 i = 0; i < 100000; i++) buf_push(&b, S("'a'+b&&"));
    buf_push(&b, S("1;"));
    for (u32 i = 0; i < 100000; i++) buf_push(&b, S("var a=1;"));
    for (u32 i = 0; i < 100000; i++) buf_push(&b, S("if(a)b();"));
    buf_push(&b, S("y="));
    for (u32 i = 0; i < 100000; i++) buf_push(&b, S("'abc'+"));
    buf_push(&b, S("1;"));
    CHECK(length_of(buf_str(&b), &syntax_only) > 1000);
}

/* What is in a dead branch is not looked for again by every link around it. */
TEST(minify_long_chains_of_dead_branches)
{
    static const TranspileOptions dead_code = {
        .parse = {.goal = GOAL_MODULE}, .dead_code = true, .minify_whitespace = true};
    static const struct {
        const char *link;
        const TranspileOptions *options;
        usize max;
    } cases[] = {
        {"if(1)a();else ", &dead_code, 10},
        {"if(1)a();else ", &syntax_only, 10},
        {"if(1){var a}else ", &syntax_only, 1 << 22},
        {"if(1){function a(){}}else ", &script, 1 << 22},
    };
    for (u32 i = 0; i < COUNT(cases); i++) {
        AUTO(Buf) b = {0};
        for (u32 k = 0; k < 50000; k++) buf_push(&b, str_z(cases[i].link));
        buf_push(&b, S("b();"));
        CHECK(length_of(buf_str(&b), cases[i].options) <= cases[i].max);
    }
}
