/* syntax/define_test.c -- --define, --drop and the dead branches behind them. */
#include "syntax/test_transpile.h"

typedef struct {
    const char *key, *value;
} Pair;

static Str defined(const char *text, const Pair *pairs, u32 n)
{
    static Arena a;
    static Defines d;
    const char *what;
    defines_init(&d, &a);
    for (u32 i = 0; i < n; i++) {
        bool ok = pairs[i].value
                      ? defines_add(&d, str_z(pairs[i].key), str_z(pairs[i].value), &what)
                      : defines_drop(&d, str_z(pairs[i].key), &what);
        CHECK(ok);
    }
    TranspileOptions o = {
        .parse = {.goal = GOAL_MODULE, .jsx = true}, .defines = &d, .minify_whitespace = true};
    return transpiled(text, &o);
}

#define DEFINED(text, pairs, want) CHECK_STR(defined(text, pairs, COUNT(pairs)), want)

TEST(define_replaces_free_names_and_members)
{
    static const Pair p[] = {{"A", "1"},           {"B.c", "\"x\\n\""},
                             {"B.c.d", "null"},    {"import.meta.env.MODE", "\"test\""},
                             {"N", "-2"},          {"O", "{\"a\":[1]}"},
                             {"G", "globalThis.g"}};
    DEFINED("f(A, B.c, B['c'], B.c.d, B.c.e, x.A, {A}, {A: 1});", p,
            "f(1,\"x\\n\",\"x\\n\",null,\"x\\n\".e,x.A,{A:1},{A:1});");
    DEFINED("import.meta.env.MODE; N ** 2; f(O, G)", p,
            "(\"test\");(-2)**2;f({\"a\":[1]},globalThis.g);");
    DEFINED("function f(A, B) { return A + B.c } { let A; A }", p,
            "function f(A,B){return A+B.c}{let A;A}");
    DEFINED("A = 2; A++; delete A.x; [A] = y; G = 3; for (A of y);", p,
            "A=2;A++;delete 1 .x;[A]=y;globalThis.g=3;for(A of y);");
    DEFINED("typeof A; A?.b", p, "(\"number\");1 ?.b;");
}

TEST(define_removes_dead_branches)
{
    static const Pair p[] = {{"process.env.NODE_ENV", "\"production\""}};
    DEFINED("if (process.env.NODE_ENV !== 'production') { dev() } else prod();", p, "prod();");
    DEFINED("if (process.env.NODE_ENV !== 'production') { var a = 1; }", p, "var a;");
    DEFINED("x = process.env.NODE_ENV === 'development' ? a : b; y = false ? 1 : 2;", p,
            "x=b;y=2;");
    DEFINED("process.env.NODE_ENV === 'production' && f();", p, "f();");
}

TEST(define_nothing_to_replace_changes_nothing)
{
    static const Pair p[] = {{"X", "1"}};
    DEFINED("if (false) a(); 1 + 1;", p, "if(false)a();1+1;");
}

TEST(define_drop)
{
    static const Pair p[] = {{"console", NULL}, {"debugger", NULL}, {"a.b", NULL}};
    DEFINED("console.log(f()); x = console.error(1); debugger; a.b(1); a.b.c(2); a.d(3); console;",
            p, "void 0;x=void 0;void 0;void 0;a.d(3);console;");
    DEFINED("(console => console.log(1))", p, "console=>console.log(1);");
}

static bool is_refused(const char *key, const char *value)
{
    AUTO(Arena) a = {0};
    Defines d;
    const char *what = NULL;
    defines_init(&d, &a);
    return !defines_add(&d, str_z(key), str_z(value), &what) && what;
}

TEST(define_refuses_what_is_malformed)
{
    CHECK(is_refused("a b", "1"));
    CHECK(is_refused("", "1"));
    CHECK(is_refused("a..b", "1"));
    CHECK(is_refused("a", "f()"));
    CHECK(!is_refused("a", "'x'"));
    CHECK(is_refused("a", "'x\\'"));
    CHECK(!is_refused("a.b", "c.d"));
}
