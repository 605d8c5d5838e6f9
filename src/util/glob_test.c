/* util/glob_test.c -- tests of glob patterns; expectations are Bun's. */
#include "util/glob.h"

#include "util/test.h"

#include <stdio.h>
#include <string.h>

static bool matches(const char *pattern, const char *path)
{
    AUTO(Arena) a = {0};
    const Glob *g = glob_new(&a, str_z(pattern), 0);
    return g && glob_match(g, str_z(path));
}

/* "pattern", then paths that match, then NULL, then paths that do not. */
static void check(const char *pattern, const char *const *yes, const char *const *no)
{
    char what[256];
    for (; *yes; yes++) {
        (void)snprintf(what, sizeof(what), "%s should match %s", pattern, *yes);
        if (!matches(pattern, *yes)) test_fail(__FILE__, __LINE__, what);
    }
    for (; *no; no++) {
        (void)snprintf(what, sizeof(what), "%s should not match %s", pattern, *no);
        if (matches(pattern, *no)) test_fail(__FILE__, __LINE__, what);
    }
}

#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

TEST(glob_stars)
{
    check("*", LIST("a", "", ".a", "a\\b"), LIST("a/b"));
    check("**", LIST("", "a", "a/b", "/a", "a/"), ((const char *const[]){NULL}));
    check("**/*.js", LIST("a.js", "x/a.js", "/a.js", "x/y/a.js", ".js"), LIST("a.jsx", "x/ajs"));
    check("a/**", LIST("a/", "a/b", "a/b/c"), LIST("a", "ab"));
    check("a/**/b", LIST("a/b", "a/x/b", "a/x/y/b", "a//b"), LIST("ab", "a/bx"));
    check("a**b", LIST("ab", "axb"), LIST("a/b", "ax/yb"));
    check("*/**", LIST("a/b", "a/"), LIST("a"));
    check("**/", LIST("a/", "", "a/b/"), LIST("a"));
    check("***", LIST("a"), LIST("a/b"));
    check("a*b*c", LIST("abc", "aXbYc"), LIST("ac", "a/bc"));
    check("**/**", LIST("a", "a/b"), ((const char *const[]){NULL}));
    check("", LIST(""), LIST("a"));
}

TEST(glob_single_characters_and_classes)
{
    check("?", LIST("a", "\xc3\xa9", "\xf0\x9f\x98\x80", "\xff"), LIST("", "ab", "/"));
    check("[a-c]", LIST("b"), LIST("d", "-"));
    check("[!a]", LIST("b", "/"), LIST("a"));
    check("[^a]", LIST("b"), LIST("a"));
    check("[]a]", LIST("]", "a"), LIST("b"));
    check("[a-]", LIST("a", "-"), LIST("b"));
    check("[\\]]", LIST("]"), LIST("\\"));
    check("[\xc3\xa9-\xc3\xbc]", LIST("\xc3\xb6"), LIST("z"));
    check("[a", LIST("[a"), LIST("a"));
    check("[]", LIST("[]"), LIST(""));
    check("[z-a]", ((const char *const[]){NULL}), LIST("m", "z", "a"));
}

TEST(glob_braces)
{
    check("{a,{b,c}}", LIST("a", "b", "c"), LIST("{a,b}"));
    check("x{a,b/c}y", LIST("xay", "xb/cy"), LIST("xy"));
    check("{a,}", LIST("a", ""), LIST("b"));
    check("{}", LIST(""), LIST("{}"));
    check("{a", LIST("{a"), LIST("a"));
    check("{**/a,b}", LIST("x/a", "a", "b"), LIST("x/b"));
    check("b{a,**}", LIST("ba", "bx"), LIST("b/"));
    check("{1..3}", LIST("1", "2", "3"), LIST("4", "1..3"));
    check("{3..1}", LIST("1", "2", "3"), LIST("4"));
    check("{01..10}", LIST("01", "10"), LIST("1", "11"));
    check("{1..9..2}", LIST("1", "9"), LIST("2"));
    check("{a..e}", LIST("c"), LIST("f"));
    check("src/**/*.{ts,tsx}", LIST("src/a.ts", "src/x/b.tsx"), LIST("src/c.js"));
}

TEST(glob_extended)
{
    check("?(a|b)c", LIST("c", "ac", "bc"), LIST("abc"));
    check("*(a|b)c", LIST("c", "abac"), LIST("dc"));
    check("+(a|b)c", LIST("ac", "abac"), LIST("c"));
    check("@(a|b)", LIST("a", "b"), LIST("ab", "@(a|b)"));
    check("!(*.test).ts", LIST("index.ts"), LIST("index.test.ts", "x/index.ts"));
    check("!(a)+(a|b)", LIST("ba"), LIST("ab"));
    check("app/(marketing)/**", LIST("app/(marketing)/x"), LIST("app/marketing/x"));
    check("@(a", LIST("@(a"), LIST("a"));
}

TEST(glob_negation_and_escapes)
{
    check("!a", LIST("b", "!a"), LIST("a"));
    check("!!a", LIST("a"), LIST("b"));
    check("!**", ((const char *const[]){NULL}), LIST("a", "a/b"));
    check("\\!a", LIST("!a"), LIST("a"));
    check("\\*", LIST("*"), LIST("a"));
    check("a\\", LIST("a\\"), LIST("a"));
    check("{a\\,b,c}", LIST("a,b", "c"), LIST("a"));
}

TEST(glob_hostile_patterns_end)
{
    AUTO(Arena) a = {0};
    char path[2001];
    memset(path, 'a', 2000);
    path[2000] = 0;
    CHECK(!matches("*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b", path));
    CHECK(!matches("{a,aa}{a,aa}{a,aa}{a,aa}{a,aa}{a,aa}*{a,aa}*{a,aa}*c", path));
    CHECK(!matches("*(*(*(*(a)))b)c", path));
    CHECK(!matches("*(!(b)c)d", path));
    char deep[20001];
    memset(deep, '{', 20000);
    deep[20000] = 0;
    (void)matches(deep, path);
    memset(deep, '}', 20000);
    memset(deep, '{', 10000);
    (void)matches(deep, path);
    CHECK(!glob_new(&a, S("{1..1000000000}"), 0));
}

TEST(glob_dots_and_walks)
{
    AUTO(Arena) a = {0};
    const Glob *g = glob_new(&a, S("**/*.js"), GLOB_NO_DOT);
    CHECK(glob_match(g, S("a/b.js")));
    CHECK(!glob_match(g, S(".a/b.js")));
    CHECK(!glob_match(g, S("a/.b.js")));
    CHECK(glob_can_enter(g, S("a")));
    CHECK(!glob_can_enter(g, S("a/.git")));
    g = glob_new(&a, S("src/{x,y}/*.ts"), 0);
    CHECK(glob_can_enter(g, S("")));
    CHECK(glob_can_enter(g, S("src")));
    CHECK(glob_can_enter(g, S("src/x")));
    CHECK(!glob_can_enter(g, S("src/z")));
    CHECK(!glob_can_enter(g, S("src/x/y")));
    CHECK(!glob_can_enter(g, S("lib")));
    CHECK(glob_is_magic(S("a/*.js")));
    CHECK(!glob_is_magic(S("a/b(c).js")));
}
