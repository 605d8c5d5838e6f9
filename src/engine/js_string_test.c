/* engine/js_string_test.c -- strings in and out. */
#include "engine/js_testing.h"

static const Str samples[] = {
    {"", 0},
    {"a", 1},
    {"\0", 1},
    {"ab", 2},
    {"hello world, this is plain", 26},
    {"\xc3\xa9", 2},
    {"caf\xc3\xa9", 5},
    {"\xe2\x82\xac 10", 6},
    {"\xf0\x9f\x98\x80", 4},
    {"mixed \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80 end", 21},
};

TEST(js_strings_survive_the_round_trip)
{
    Js *js = test_js();
    AUTO(Arena) a = {0};
    for (u32 i = 0; i < COUNT(samples); i++) {
        Str text;
        JsVal v = js_str(js, samples[i]);
        REQUIRE(v);
        CHECK(js_is_string(js, v));
        REQUIRE(js_to_str(js, &a, v, &text));
        CHECK(str_eq(text, samples[i]));
        CHECK_INT(text.p[text.n], 0);
    }
    js_free(js);
}

TEST(js_ill_formed_utf8_is_replaced)
{
    Js *js = test_js();
    test_global(js, "s", js_str(js, S("a\xff\xe2\x82z\xed\xa0\x80")));
    CHECK_EVAL(js, "[...s].map(c => c.codePointAt().toString(16)).join()",
               "61,fffd,fffd,7a,fffd,fffd,fffd");
    js_free(js);
}

TEST(js_lone_surrogates_are_replaced_on_the_way_out)
{
    Js *js = test_js();
    CHECK_EVAL(js, "'x\\ud800y\\udc00'", "x\xef\xbf\xbdy\xef\xbf\xbd");
    CHECK_EVAL(js, "'\\ud83d\\ude00'", "\xf0\x9f\x98\x80");
    js_free(js);
}

TEST(js_latin1_and_utf16)
{
    Js *js = test_js();
    static const u8 latin1[] = {'c', 'a', 'f', 0xe9};
    static const u16 utf16[] = {'c', 'a', 'f', 0xe9, 0x20ac};
    test_global(js, "a", js_str_latin1(js, latin1, 4));
    test_global(js, "b", js_str_utf16(js, utf16, 5));
    test_global(js, "c", js_str_utf16(js, utf16, 1));
    test_global(js, "d", js_str_latin1(js, latin1, 0));
    CHECK_EVAL(js, "a + b + c + d",
               "caf\xc3\xa9"
               "caf\xc3\xa9\xe2\x82\xac"
               "c");
    CHECK_EVAL(js, "a + b === 'caf\\xe9caf\\xe9\\u20ac'", "true");
    js_free(js);
}

static u32 frees;
static void count_free(void *p, void *data)
{
    CHECK(p);
    __atomic_add_fetch((u32 *)data, 1, __ATOMIC_RELAXED);
}

TEST(js_external_strings_are_not_copied_and_freed_once)
{
    enum { N = 10000 };
    Js *js = test_js();
    static u8 latin1[N];
    static u16 utf16[N];
    for (u32 i = 0; i < N; i++) utf16[i] = latin1[i] = (u8)('a' + i % 26);
    frees = 0;
    for (u32 i = 0; i < 10; i++) {
        test_global(js, "s", js_str_external_latin1(js, latin1, N, count_free, &frees));
        CHECK_EVAL(js, "s.length + s.slice(0, 3) + s[9999]", "10000abcp");
        JsChars c;
        JsVal v = js_get(js, js_global(js), "s");
        REQUIRE(v && js_chars(js, v, &c));
        CHECK(c.len == N);
        test_global(js, "s", js_str_external_utf16(js, utf16, N, count_free, &frees));
        CHECK_EVAL(js, "s.length + s.slice(0, 3) + s[9999]", "10000abcp");
    }
    js_free(js);
    CHECK_INT(frees, 20);
}

TEST(js_external_strings_of_every_length)
{
    Js *js = test_js();
    static const u8 text[] = "abcdefgh";
    frees = 0;
    for (u32 n = 0; n <= 8; n++) {
        test_global(js, "s", js_str_external_latin1(js, text, n, count_free, &frees));
        CHECK_EVAL(js, "'abcdefgh'.startsWith(s)", "true");
    }
    js_free(js);
    CHECK_INT(frees, 9);
}

TEST(js_chars_of_every_kind)
{
    Js *js = test_js();
    static const struct {
        const char *source;
        usize len;
        bool is_latin1;
    } cases[] = {
        {"''", 0, true},
        {"'x'", 1, true},
        {"'abc' + Math.random().toString().slice(0, 4)", 7, true},
        {"'x'.repeat(1000) + 'y'", 1001, true},
        {"'\\u20ac' + 'abc'", 4, false},
        {"('abcdefghijklmnop' + Math.random()).slice(2, 12)", 10, true},
    };
    for (u32 i = 0; i < COUNT(cases); i++) {
        JsVal v = js_eval(js, str_z(cases[i].source), S("t"), 1);
        JsChars c;
        REQUIRE(v);
        CHECK_INT(js_str_len(js, v), cases[i].len);
        REQUIRE(js_chars(js, v, &c));
        CHECK_INT(c.len, cases[i].len);
        CHECK_INT(js_str_len(js, v), cases[i].len);
        if (!getenv("COB_TEST_JS")) CHECK_INT(c.is_latin1, cases[i].is_latin1);
    }
    js_free(js);
}

TEST(js_to_str_runs_user_code_and_may_throw)
{
    Js *js = test_js();
    AUTO(Arena) a = {0};
    Str text;
    JsVal v = js_eval(js, S("({toString() { return 'mine' }})"), S("t"), 1);
    REQUIRE(v && js_to_str(js, &a, v, &text));
    CHECK_STR(text, "mine");
    v = js_eval(js, S("({toString() { throw 5 }})"), S("t"), 1);
    REQUIRE(v && !js_to_str(js, &a, v, &text));
    CHECK_INT(js_get_i32(js, js_catch(js)), 5);
    v = js_eval(js, S("Symbol('x')"), S("t"), 1);
    REQUIRE(v && !js_to_str(js, &a, v, &text));
    CHECK(js_is_error(js, js_catch(js)));
    js_free(js);
}

TEST(js_names_are_interned)
{
    Js *js = test_js();
    JsName *name = js_name(js, S("status"));
    CHECK(js_name(js, S("status")) == name);
    CHECK(js_name(js, S("other")) != name);
    JsVal obj = js_object(js);
    REQUIRE(js_set_name(js, obj, name, js_int(js, 200)));
    CHECK_INT(js_get_i32(js, js_get_name(js, obj, name)), 200);
    js_free(js);
}

TEST(js_json)
{
    Js *js = test_js();
    test_global(js, "o", js_json_parse(js, S("{\"a\":[1,\"\xc3\xa9\"]}")));
    CHECK_EVAL(js, "o.a[0] + o.a[1]", "1\xc3\xa9");
    CHECK(!js_json_parse(js, S("{")));
    CHECK(js_is_error(js, js_catch(js)));
    js_free(js);
}

TEST(js_strings_are_filled_in_later)
{
    Js *js = test_js();
    JsVal v;
    u8 *chars;
    CHECK(!js_str_latin1_unfilled(js, 1, &v, &chars));
    REQUIRE(js_str_latin1_unfilled(js, 5000, &v, &chars));
    memset(chars, 'x', 5000);
    chars[4999] = 0xe9;
    test_global(js, "filled", v);
    js_gc(js, true);
    CHECK_EVAL(js, "filled.length + filled.slice(-2) + (filled === 'x'.repeat(4999) + '\\xe9')",
               "5000x\xc3\xa9true");
}
