/* syntax/early_test.c -- what is read too early still fails when minified, and what is not,
 * shrinks. */
#include "syntax/test_transpile.h"
#include "util/test.h"

static const TranspileOptions small = {
    .parse = {.goal = GOAL_AUTO}, .minify_syntax = true, .minify_whitespace = true};

#define SMALL(text, want) CHECK_TRANSPILED(text, &small, want)
#define KEPT(text)        SMALL(text, text)

TEST(early_reads_stay)
{
    KEPT("function o(){a;let a=g();a(a)}o();");
    KEPT("function o(){let a=(a,1);g(a)}o();");
    KEPT("function o(){let[a=(b,1),b]=g();a(b)}o();");
    KEPT("function o(){typeof a;let a=g();a(a)}o();");
    KEPT("for(let a of(a,[]))g(a);");
    KEPT("switch(x){case 0:let a=g();break;case 1:a}");
    KEPT("class A extends (A,B){}");
    KEPT("function o(a=(b,1),b){}o();");
    KEPT("(class A{static [(A,1)];})();");
}

TEST(early_reads_go_when_they_are_not)
{
    SMALL("function o(){let a=g();a;typeof a;return a}o()", "function o(){let a=g();return a}o();");
    SMALL("function o(a,b=(a,1)){}o()", "function o(a,b=1){}o();");
    SMALL("for (let a of b) { a; g(a) }", "for(let a of b)g(a);");
    SMALL("switch(x){case 0:let a=g();a;a(a)}", "switch(x){case 0:let a=g();a(a)}");
    SMALL("let [a, b = (a, 1)] = g(); a(b)", "let[a,b=1]=g();a(b);");
    SMALL("function o(){class A{}A;return A}o()", "function o(){class A{}return A}o();");
    SMALL("(function a() { a; g() })()", "(function a(){g()})();");
}

TEST(early_functions)
{
    /* Made behind the declaration. */
    SMALL("function o(){const a=1;return()=>a}o()", "function o(){return()=>1}o();");
    SMALL("function o(){const a=1;{function i(){'use strict';return a}g(i)}}o()",
          "function o(){{function i(){'use strict';return 1}g(i)}}o();");
    /* Made before it, or called there. */
    KEPT("function o(){const f=()=>a,a=1;return f}o();");
    KEPT("function o(){i();const a=1;function i(){return a}}o();");
    KEPT("function o(){j();const a=1;function i(){return a}function j(){i()}}o();");
    KEPT("function o(){const f=i,a=1;function i(){return a}return f}o();");
    KEPT("export function i(){return a}const a=1;");
    KEPT("switch(x){case 0:const a=1;function i(){return a}case 1:i()}");
    /* Hoisted, but called behind it. */
    SMALL("function o(){const a=1;return i();function i(){return a}}o()",
          "function o(){return i();function i(){return 1}}o();");
    SMALL("function o(){function i(){return a}function j(){i()}const a=1;j()}o()",
          "function o(){function i(){return 1}function j(){i()}j()}o();");
}

/* `let` keeps the function from becoming a variable of the whole function. */
TEST(early_annex_b)
{
    KEPT("function o(){{let f=1;{function f(){}}}g(typeof f)}o();");
    SMALL("'use strict';function o(){{let f=1;{function f(){}f()}}}o()",
          "'use strict';function o(){{function f(){}f()}}o();");
}

/* Many functions that name each other take linear time. */
TEST(early_many_functions)
{
    AUTO(Arena) a = {0};
    AUTO(Buf) b = {0};
    buf_push(&b, S("function o(){f0();const c=1;"));
    for (u32 i = 0; i < 50000; i++) buf_fmt(&b, "function f%u(){f%u();f0();return c}", i, i + 1);
    buf_push(&b, S("function f50000(){}}o()"));
    Log log;
    Transpiled t;
    Source source = {S("/test.js"), lex_pad(&a, buf_str(&b))};
    log_init(&log, &a);
    CHECK(transpile(&source, &small, &a, &log, &t));
    CHECK(str_find_str(buf_str(&t.text), S(",c}")) > 0);
    Transpiled_deinit(&t);
}
