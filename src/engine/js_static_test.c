/* engine/js_static_test.c -- texts with code that was made before. */
#include "engine/js_testing.h"

#include <string.h>

static const char program[] =
    "(function (x) {'use strict';\n"
    "  function used(y) { return y + 1; }\n"
    "  function shown() { return 'abc'; }\n"
    "  class A { #p = 1; constructor(q) { this.q = q; } get p() { return this.#p + this.q } }\n"
    "  function fail() { throw new Error('here'); }\n"
    "  try { fail(); } catch (e) { return used(x) + shown + new A(2).p + e.stack; }\n"
    "})";

/* The code of a text, at an address as the engine wants it, for the rest of the process. */
static Str compile(const char *text)
{
    static char kept[4][1 << 15] __attribute__((aligned(16)));
    static u32 n_kept;
    AUTO(Buf) b = {0};
    Js *js = test_js();
    bool ok = js_static_compile(js, str_z(text), &b);
    js_free(js);
    if (!ok || b.len > sizeof(kept[0]) || n_kept == COUNT(kept)) return S("");
    char *to = kept[n_kept++];
    memcpy(to, b.p, b.len);
    return (Str){to, b.len};
}

static Str run(Js *js, Arena *a, const char *text, Str code)
{
    Str ret;
    JsVal fn = js_static_eval(js, str_z(text), S("/app/a.js"), code);
    if (!fn) return S("threw");
    js_gc(js, true);
    JsVal v = js_call(js, fn, JS_UNDEFINED, JS_ARGS(js_number(js, 1)));
    return v && js_to_str(js, a, v, &ret) ? ret : S("failed");
}

TEST(js_static_runs_what_another_machine_compiled)
{
    AUTO(Arena) a = {0};
    Str code = compile(program);
    Js *js = test_js();
    if (js_code_works()) {
        CHECK(code.n > 0);
        Str with = run(js, &a, program, code), without = run(js, &a, program, S(""));
        CHECK(str_starts(with, S("2function shown() { return 'abc'; }3")));
        CHECK(str_find_str(with, S(":5:")) >= 0);
        CHECK(str_eq(with, without));
        /* Does it hold the text? */
        CHECK(str_find_str(code, S("return y + 1")) < 0);
    }
    js_free(js);
}

TEST(js_static_evaluates_the_text_when_the_code_is_of_another)
{
    AUTO(Arena) a = {0};
    Str code = compile(program), shorter = compile("(function () { return 'no' })");
    Js *js = test_js();
    if (js_code_works()) {
        const char *text = "(function () { return 'right' + 'ly' })";
        CHECK_STR(run(js, &a, text, code), "rightly");
        CHECK_STR(run(js, &a, text, shorter), "rightly");
    }
    js_free(js);
}

TEST(js_static_evaluates_the_text_when_the_code_is_of_another_library)
{
    static char copy[1 << 15] __attribute__((aligned(16)));
    AUTO(Arena) a = {0};
    Str code = compile(program);
    Js *js = test_js();
    if (js_code_works()) {
        REQUIRE(code.n && code.n <= sizeof(copy));
        memcpy(copy, code.p, code.n);
        copy[0] ^= 1; /* the version */
        Str s = run(js, &a, program, (Str){copy, code.n});
        CHECK(str_starts(s, S("2function shown")));
    }
    js_free(js);
}

TEST(js_static_does_not_compile_what_is_no_program)
{
    AUTO(Buf) b = {0};
    Js *js = test_js();
    CHECK(!js_static_compile(js, S("let let = 1"), &b));
    CHECK(!js_static_compile(js, S(""), &b));
    CHECK_INT(b.len, 0);
    js_free(js);
}
