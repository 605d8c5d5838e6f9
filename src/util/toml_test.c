/* util/toml_test.c -- tests of the TOML parser. */
#include "util/toml.h"

#include "util/buf.h"
#include "util/test.h"

static const TomlNode *parse(Arena *a, Str text)
{
    const TomlNode *n = NULL;
    TomlError e;
    if (!toml_parse(a, text, &n, &e)) test_fail(__FILE__, __LINE__, e.what);
    return n;
}

/* "line:column what", or "" when the text is fine. */
static Str error_of(Arena *a, Str text)
{
    const TomlNode *n;
    TomlError e;
    if (toml_parse(a, text, &n, &e)) return S("");
    return str_fmt(a, "%u:%u %s", e.line, e.column, e.what);
}

TEST(toml_reads_every_kind)
{
    AUTO(Arena) a = {0};
    const TomlNode *n = parse(&a, S("s = 'x'\ni = -1_000\nh = 0xff\nf = 1.5e1\nb = true\n"
                                    "d = 1979-05-27 07:32z\nt = 07:32:00.5\nl = 1979-05-27\n"
                                    "a = [1, [2], {x = 3},\n # comment\n]\n"));
    REQUIRE(n);
    CHECK_STR(toml_find(n, S("s"))->str, "x");
    CHECK_INT(toml_find(n, S("i"))->integer, -1000);
    CHECK_INT(toml_find(n, S("h"))->integer, 255);
    CHECK(toml_find(n, S("f"))->number == 15.0);
    CHECK(toml_find(n, S("b"))->boolean);
    CHECK_INT(toml_find(n, S("d"))->kind, TOML_DATETIME);
    CHECK_STR(toml_find(n, S("d"))->str, "1979-05-27T07:32:00Z");
    CHECK_STR(toml_find(n, S("t"))->str, "07:32:00.5");
    CHECK_STR(toml_find(n, S("l"))->str, "1979-05-27");
    const TomlNode *list = toml_find(n, S("a"));
    REQUIRE(list->kind == TOML_ARRAY && list->len == 3);
    CHECK_INT(toml_find(list->items[2], S("x"))->integer, 3);
    CHECK(!toml_find(n, S("none")));
    CHECK(!toml_find(list, S("x")));
    CHECK(!toml_find(NULL, S("x")));
}

TEST(toml_reads_strings)
{
    AUTO(Arena) a = {0};
    const TomlNode *n = parse(&a, S("a = \"\\t\\u00e9\\x41\\e\\\"\"\nb = '''\nx\n'y''''\n"
                                    "c = \"\"\"one \\\n   two\"\"\"\nd = ''\n\"k y\" = 1\n"));
    REQUIRE(n);
    CHECK_STR(toml_find(n, S("a"))->str, "\t\xc3\xa9"
                                         "A\x1b\"");
    CHECK_STR(toml_find(n, S("b"))->str, "x\n'y'");
    CHECK_STR(toml_find(n, S("c"))->str, "one two");
    CHECK_STR(toml_find(n, S("d"))->str, "");
    CHECK(toml_find(n, S("k y")));
}

TEST(toml_builds_tables)
{
    AUTO(Arena) a = {0};
    const TomlNode *n = parse(&a, S("[a.b]\nx.y = 1\nx.z = 2\n[a]\nc = 3\n[[l]]\ni = 1\n[l.sub]\n"
                                    "k = 1\n[[l]]\ni = 2\n"));
    REQUIRE(n);
    const TomlNode *x = toml_find(toml_find(toml_find(n, S("a")), S("b")), S("x"));
    CHECK_INT(toml_find(x, S("z"))->integer, 2);
    CHECK_INT(toml_find(toml_find(n, S("a")), S("c"))->integer, 3);
    const TomlNode *list = toml_find(n, S("l"));
    CHECK_INT(list->len, 2);
    CHECK_INT(toml_find(toml_find(list->items[0], S("sub")), S("k"))->integer, 1);
}

TEST(toml_says_what_is_wrong)
{
    AUTO(Arena) a = {0};
    CHECK_STR(error_of(&a, S("a = \n")), "1:5 missing value after '='");
    CHECK_STR(error_of(&a, S("a = 1\na = 2")), "2:1 this key has a value already");
    CHECK_STR(error_of(&a, S("a 1")), "1:3 expected '=' after a key");
    CHECK_STR(error_of(&a, S("[a]\n[a]")), "2:2 this table is defined already");
    CHECK_STR(error_of(&a, S("a = {b = 1}\na.c = 1")), "2:1 this key has a value already");
    CHECK_STR(error_of(&a, S("a = 1 2")), "1:7 expected the end of the line");
    CHECK_STR(error_of(&a, S("a = yes")), "1:5 expected a value: strings need quotes");
    CHECK_STR(error_of(&a, S("a = 01")), "1:5 no valid number");
    CHECK_STR(error_of(&a, S("a = 2023-02-29")), "1:5 no valid date or time");
    CHECK_STR(error_of(&a, S("x = [1,\n2")), "2:2 unexpected end of file");
    CHECK_STR(error_of(&a, S("x = 'a")), "1:5 a string that is not closed");
    CHECK_STR(error_of(&a, S("x = '\xff'")), "1:6 text that is not UTF-8");
    CHECK_STR(error_of(&a, S("x = \"\\ud800\"")), "1:8 an escape that is no character");
    CHECK_STR(error_of(&a, S("")), "");
    CHECK_STR(error_of(&a, S("\xef\xbb\xbf# only a comment")), "");
}

TEST(toml_limits_depth)
{
    AUTO(Arena) a = {0};
    AUTO(Buf) text = {0};
    (void)buf_push(&text, S("a = "));
    (void)buf_push_fill(&text, '[', 100000);
    CHECK_STR(error_of(&a, buf_str(&text)), "1:505 nested too deeply");
    buf_clear(&text);
    for (u32 i = 0; i < 100000; i++) (void)buf_push(&text, S("a."));
    CHECK(error_of(&a, buf_str(&text)).n > 0);
}

TEST(toml_finds_keys_of_large_tables)
{
    AUTO(Arena) a = {0};
    AUTO(Buf) text = {0};
    for (u32 i = 0; i < 20000; i++) (void)buf_fmt(&text, "k%u = %u\n", i, i);
    const TomlNode *n = parse(&a, buf_str(&text));
    REQUIRE(n);
    CHECK_INT(n->len, 20000);
    CHECK_INT(toml_find(n, S("k12345"))->integer, 12345);
    (void)buf_push(&text, S("k77 = 1\n"));
    CHECK_STR(error_of(&a, buf_str(&text)), "20001:1 this key has a value already");
}
