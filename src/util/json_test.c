/* util/json_test.c -- tests of the JSON parser and writer. */
#include "util/json.h"

#include "util/test.h"

#include <string.h>

static bool parses(Str text, JsonFlags flags)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    JsonNode n;
    JsonError e;
    return json_parse(s.arena, text, flags, &n, &e);
}

static JsonNode parse(Arena *a, Str text, JsonFlags flags)
{
    JsonNode n = {0};
    JsonError e;
    if (!json_parse(a, text, flags, &n, &e)) test_fail(__FILE__, __LINE__, e.what);
    return n;
}

TEST(json_reads_every_kind)
{
    AUTO(Arena) a = {0};
    JsonNode n = parse(&a, S(" {\"a\": [1, -2.5e3, true, false, null, \"x\"], \"b\": {}} "), 0);
    CHECK_INT(n.kind, JSON_OBJECT);
    CHECK_INT(n.len, 2);
    const JsonNode *arr = json_find(&n, S("a"));
    REQUIRE(arr && arr->kind == JSON_ARRAY && arr->len == 6);
    CHECK_STR(json_text(&arr->items[1]), "-2.5e3");
    CHECK(json_number(&arr->items[1]) == -2500.0);
    CHECK_INT(arr->items[2].kind, JSON_TRUE);
    CHECK_INT(arr->items[3].kind, JSON_FALSE);
    CHECK_INT(arr->items[4].kind, JSON_NULL);
    CHECK_STR(json_str(&a, &arr->items[5]), "x");
    CHECK_INT(json_find(&n, S("b"))->len, 0);
    CHECK(!json_find(&n, S("c")));
    CHECK(!json_find(arr, S("a")));
    CHECK(!json_find(NULL, S("a")));
}

TEST(json_last_of_equal_keys_wins)
{
    AUTO(Arena) a = {0};
    JsonNode n = parse(&a, S("{\"a\":1,\"b\":2,\"\\u0061\":3}"), 0);
    CHECK_INT(n.len, 3);
    CHECK_STR(json_text(json_find(&n, S("a"))), "3");
}

TEST(json_decodes_escapes)
{
    AUTO(Arena) a = {0};
    JsonNode n = parse(&a, S("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00\\ud800x\""), 0);
    CHECK_STR(json_str(&a, &n), "\"\\/\b\f\n\r\t\xc3\xa9\xf0\x9f\x98\x80\xef\xbf\xbdx");
    CHECK(json_is(&n, json_str(&a, &n)));
    CHECK(!json_is(&n, S("x")));
    JsonNode nul = parse(&a, S("\"a\\u0000b\""), 0);
    CHECK(str_eq(json_str(&a, &nul), (Str){"a\0b", 3}));
    CHECK(!parses(S("\"\\x41\""), 0));
    CHECK(!parses(S("\"\\u12g4\""), 0));
    CHECK(!parses(S("\"\\"), 0));
}

TEST(json_strings_longer_than_a_block)
{
    AUTO(Arena) a = {0};
    for (usize n = 0; n < 70; n++) {
        char text[96];
        memset(text, 'a', sizeof(text));
        text[0] = '"';
        text[n + 1] = '"';
        JsonNode node = parse(&a, (Str){text, n + 2}, 0);
        CHECK_INT(json_str(&a, &node).n, n);
        text[n + 1] = '\n';
        CHECK(!parses((Str){text, sizeof(text)}, 0));
    }
}

TEST(json_refuses_what_is_not_json)
{
    static const char *const bad[] = {
        "",
        "{",
        "[",
        "[1",
        "[1,]",
        "{\"a\":1,}",
        "[,1]",
        "01",
        "1.",
        ".5",
        "+1",
        "1e",
        "-",
        "tru",
        "nul",
        "truex",
        "{a:1}",
        "'a'",
        "[1] 2",
        "\"a",
        "\"\t\"",
        "// c\n1",
        "NaN",
        "-Infinity",
        "0x10",
        "{\"a\"}",
        "{\"a\":}",
        "[1 2]",
        "{1:2}",
        "\v1",
        "1a",
        "\xc2\xa0"
        "1",
    };
    for (u32 i = 0; i < COUNT(bad); i++)
        if (parses(str_z(bad[i]), 0)) test_fail(__FILE__, __LINE__, bad[i]);
}

TEST(json_comments_and_trailing_commas_by_flag)
{
    Str text = S("// head\n{ /* a */ \"a\": [1, 2, ], // tail\n \"b\": 2, } // end");
    CHECK(parses(text, JSON_JSONC));
    CHECK(!parses(text, JSON_COMMENTS));
    CHECK(!parses(text, JSON_TRAILING_COMMAS));
    CHECK(!parses(S("[1,,]"), JSON_JSONC));
    CHECK(!parses(S("[,]"), JSON_JSONC));
    CHECK(!parses(S("/* 1"), JSON_JSONC));
    CHECK(!parses(S("/ 1"), JSON_JSONC));
    CHECK(parses(S("\xef\xbb\xbf{}"), 0));
}

TEST(json5_reads_its_extensions)
{
    AUTO(Arena) a = {0};
    JsonNode n = parse(&a,
                       S("{un$quoted_: 'single \"quote\" \\x41\\\n\\v', \"h\": 0xFf, p: +1, f: .5, "
                         "l: 5., i: -Infinity, n: NaN,\f \xc2\xa0 \\u0061b: 1,}"),
                       JSON_JSON5);
    CHECK_STR(json_find_str(&a, &n, S("un$quoted_")), "single \"quote\" A\v");
    CHECK(json_number(json_find(&n, S("h"))) == 255);
    CHECK(json_number(json_find(&n, S("p"))) == 1);
    CHECK(json_number(json_find(&n, S("f"))) == 0.5);
    CHECK(json_number(json_find(&n, S("l"))) == 5);
    CHECK(json_number(json_find(&n, S("i"))) < -1e308);
    CHECK(json_number(json_find(&n, S("n"))) != json_number(json_find(&n, S("n"))));
    CHECK(json_find(&n, S("ab")) != NULL);
    AUTO(Buf) b = {0};
    json_write(&b, &n, (Str){0});
    CHECK_STR(buf_str(&b),
              "{\"un$quoted_\":\"single \\\"quote\\\" A\\u000b\",\"h\":255,\"p\":1,\"f\":0.5,"
              "\"l\":5,\"i\":null,\"n\":null,\"ab\":1}");
}

TEST(json_errors_say_where)
{
    AUTO(Arena) a = {0};
    JsonNode n;
    JsonError e;
    CHECK(!json_parse(&a, S("{\n  \"a\": 1\n  \"b\": 2\n}"), 0, &n, &e));
    CHECK_INT(e.line, 3);
    CHECK_INT(e.column, 3);
    CHECK_INT(e.offset, 13);
    CHECK_STR(str_z(e.what), "expected ',' or '}' after a member");
    CHECK(!json_parse(&a, S("[1"), 0, &n, &e));
    CHECK_STR(str_z(e.what), "unexpected end of file");
}

TEST(json_nesting_has_a_limit)
{
    AUTO(Arena) a = {0};
    AUTO(Buf) b = {0};
    buf_push_fill(&b, '[', 200000);
    CHECK(!parses(buf_str(&b), 0));
    buf_clear(&b);
    buf_push_fill(&b, '[', JSON_DEPTH_MAX);
    buf_push_fill(&b, ']', JSON_DEPTH_MAX);
    CHECK(parses(buf_str(&b), 0));
}

TEST(json_spans_cover_the_source)
{
    AUTO(Arena) a = {0};
    Str text = S(" { \"key\" : [ 1 , 2 ] } ");
    JsonNode n = parse(&a, text, 0);
    CHECK_STR(json_text(&n), "{ \"key\" : [ 1 , 2 ] }");
    CHECK_STR(json_text(&n.items[0]), "\"key\"");
    CHECK_STR(json_text(&n.items[1]), "[ 1 , 2 ]");
}

TEST(json_writes_like_stringify)
{
    AUTO(Arena) a = {0};
    AUTO(Buf) b = {0};
    JsonNode n =
        parse(&a, S("{\"a\":[1,{\"b\":null}],\"e\":{},\"f\":[],\"s\":\"x\\u0001\\n\"}"), 0);
    json_write(&b, &n, S("  "));
    CHECK_STR(buf_str(&b), "{\n  \"a\": [\n    1,\n    {\n      \"b\": null\n    }\n  ],\n"
                           "  \"e\": {},\n  \"f\": [],\n  \"s\": \"x\\u0001\\n\"\n}");
    CHECK_STR(json_indent_of(buf_str(&b)), "  ");
    CHECK_STR(json_indent_of(S("{\n\t\"a\": 1\n}")), "\t");
    CHECK_STR(json_indent_of(S("{}")), "");
    buf_clear(&b);
    json_write_str(&b, S("\xff"
                         "a\xc3\xa9\xed\xa0\x80"));
    CHECK_STR(buf_str(&b), "\"\xef\xbf\xbd"
                           "a\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
}
