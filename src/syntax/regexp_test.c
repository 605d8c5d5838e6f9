/* syntax/regexp_test.c -- what the regular-expression grammar accepts and refuses. */
#include "syntax/lex.h"
#include "util/test.h"

static bool check(const char *pattern, const char *flags)
{
    const char *msg = NULL;
    u32 at;
    bool ok = regexp_check(str_z(pattern), str_z(flags), &msg, &at);
    if (!ok) CHECK(msg != NULL);
    return ok;
}

static void check_all(const char *const *cases, usize n, const char *flags, bool want)
{
    for (usize i = 0; i < n; i++)
        if (check(cases[i], flags) != want) test_fail("regexp", (int)i, cases[i]);
}

TEST(regexp_accepts)
{
    static const char *const sloppy[] = {
        "a|b*?",
        "(?=a)*",
        "{",
        "a{",
        "a{1",
        "}",
        "]",
        "\\c",
        "[\\d-a]",
        "\\1",
        "\\8",
        "\\k",
        "(?<a>.)\\k<a>",
        "(?<a>x)|(?<a>y)",
        "(?i:a)",
        "(?-s:a)",
        "[\\c]",
        "\\u{1}",
        "\\p{L}",
        "(?<=a)b",
        "[^]",
        "\\07",
    };
    static const char *const unicode[] = {
        "\\u{10ffff}",
        "\\p{L}",
        "\\p{Script=Greek}",
        "\\p{gc=Lu}",
        "[\\w]",
        "\\0",
        "\\/",
        "(?<\\u{61}>.)",
        "\xf0\x9f\x98\x80{2}",
        "[\xf0\x9f\x98\x80-\xf0\x9f\x98\x81]",
    };
    static const char *const sets[] = {
        "[a--b]",         "[a&&b]", "[[a-z]--[aeiou]]", "[\\q{ab|c}]",
        "\\p{RGI_Emoji}", "[^a]",   "[\\p{L}a-z]",
    };
    check_all(sloppy, COUNT(sloppy), "", true);
    check_all(unicode, COUNT(unicode), "u", true);
    check_all(sets, COUNT(sets), "v", true);
    CHECK(check("a", "dgimsuy"));
}

TEST(regexp_refuses)
{
    static const char *const sloppy[] = {
        "*",
        "a**",
        "(",
        ")",
        "[",
        "a{2,1}",
        "[b-a]",
        "(?<a>.)(?<a>.)",
        "(?<a",
        "(?<1>.)",
        "\\k<a>(?<b>.)",
        "(?<=a)*",
        "(?-:a)",
        "(?ii:a)",
        "(?i-i:a)",
        "\\",
        "{1}",
        "(?a)",
        "[\xf0\x9f\x98\x80-\xf0\x9f\x98\x81]",
    };
    static const char *const unicode[] = {
        "{",       "}",   "]",      "\\c",  "\\1", "\\u{110000}", "\\p{Nope}", "\\p{Script=Nope}",
        "[\\d-a]", "\\-", "(?=a)*", "\\00",
    };
    static const char *const sets[] = {
        "[a--b&&c]", "[(]", "[^\\p{RGI_Emoji}]", "\\P{RGI_Emoji}", "[a&&&b]", "[b-a]", "[!!]",
    };
    check_all(sloppy, COUNT(sloppy), "", false);
    check_all(unicode, COUNT(unicode), "u", false);
    check_all(sets, COUNT(sets), "v", false);
    CHECK(!check("a", "gg"));
    CHECK(!check("a", "uv"));
    CHECK(!check("a", "x"));
}

TEST(regexp_depth_is_limited)
{
    char deep[8001];
    for (int i = 0; i < 4000; i++) deep[i] = '(';
    for (int i = 4000; i < 8000; i++) deep[i] = ')';
    deep[8000] = 0;
    CHECK(!check(deep, ""));
}
