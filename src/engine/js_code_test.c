/* engine/js_code_test.c -- code that one machine wrote runs in another. */
#include "engine/js_testing.h"

#include <string.h>

/* At an address as the engine wants it, for the rest of the process. */
static Str keep(const Buf *b)
{
    static char kept[1 << 16] __attribute__((aligned(16)));
    memcpy(kept, b->p, MIN(b->len, sizeof(kept)));
    return (Str){kept, MIN(b->len, sizeof(kept))};
}

static const char program[] = "(function () {\n"
                              "  function used(x) { return x + '\xc3\xa9'; }\n"
                              "  function unused() { return [used(1), (() => new.target)()]; }\n"
                              "  class A { #p = 1; get p() { return this.#p } }\n"
                              "  return used('a') + new A().p + unused.toString().length;\n"
                              "})";

/* The value of the function that the text is. */
static JsVal run(Js *js, JsVal fn)
{
    return fn ? js_call(js, fn, JS_UNDEFINED, JS_NO_ARGS) : NULL;
}

TEST(js_code_of_one_machine_runs_in_another)
{
    AUTO(Buf) b = {0};
    AUTO(Arena) a = {0};
    JsCode *code;
    Str text;
    Js *js = test_js();
    if (!js_code_works()) {
        js_free(js);
        return;
    }
    JsVal fn = js_code_eval(js, js_str(js, str_z(program)), S("/app/a.js"), S(""), &code);
    REQUIRE(fn && code && run(js, fn));
    CHECK(js_code_is_new(code));
    CHECK(js_code_text(code).is_latin1);
    js_gc(js, true);
    REQUIRE(js_code_encode(js, code, &b));
    js_code_drop(js, code);
    js_free(js);

    js = test_js();
    fn = js_code_eval(js, js_str(js, str_z(program)), S("/app/a.js"), keep(&b), &code);
    js_gc(js, true);
    JsVal v = run(js, fn);
    REQUIRE(v && js_to_str(js, &a, v, &text));
    CHECK_STR(text, "a\xc3\xa9"
                    "1"
                    "61");
    CHECK(!js_code_is_new(code));
    CHECK(!js_code_encode(js, code, &b));
    js_code_drop(js, code);
    js_free(js);
}

TEST(js_code_of_another_text_is_refused)
{
    AUTO(Buf) b = {0};
    JsCode *code;
    Js *js = test_js();
    if (js_code_works()) {
        JsVal v = js_code_eval(js, js_str(js, S("1 + 1")), S("/app/a.js"), S(""), &code);
        REQUIRE(v && js_code_encode(js, code, &b));
        js_code_drop(js, code);
        v = js_code_eval(js, js_str(js, S("1 + 2")), S("/app/a.js"), keep(&b), &code);
        CHECK_INT(js_get_i32(js, v), 3);
        CHECK(js_code_is_new(code));
        js_code_drop(js, code);
    }
    js_free(js);
}

TEST(js_code_of_what_cannot_be_compiled)
{
    AUTO(Buf) b = {0};
    JsCode *code;
    Js *js = test_js();
    if (js_code_works()) {
        REQUIRE(!js_code_eval(js, js_str(js, S("let let = 1")), S("/app/a.js"), S(""), &code));
        CHECK(js_is_error(js, js_catch(js)));
        CHECK(code && !js_code_is_new(code) && !js_code_encode(js, code, &b));
        js_code_drop(js, code);
        REQUIRE(!js_code_eval(js, js_str(js, S("throw 1")), S("/app/b.js"), S(""), &code));
        CHECK_INT(js_get_i32(js, js_catch(js)), 1);
        js_code_drop(js, code);
    }
    js_free(js);
}
