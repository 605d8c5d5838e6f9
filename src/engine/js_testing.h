/* engine/js_testing.h -- for the tests of this folder.
 *
 * COB_TEST_JS chooses a mode for every machine: "slow" takes the C API for native functions, "gc"
 * collects after every native call. */
#pragma once

#include <stdlib.h>
#include <string.h>

#include "engine/js.h"
#include "util/test.h"

static inline JsOptions test_options(void)
{
    const char *mode = getenv("COB_TEST_JS");
    JsOptions options = {0};
    options.no_fast_natives = mode && strstr(mode, "slow");
    options.gc_stress = mode && strstr(mode, "gc");
    return options;
}

static inline Js *test_js(void)
{
    JsOptions options = test_options();
    return js_new(&options);
}

/* What hangs on fast natives: error.stack in V8's form, calls with any `this`. */
static inline bool test_is_fast(void)
{
    const char *mode = getenv("COB_TEST_JS");
    return !(mode && strstr(mode, "slow"));
}

/* ToString of the script's result, or "throws " and that of the exception. */
static inline Str test_eval(Js *js, Arena *a, const char *source)
{
    Str text = {0};
    JsVal v = js_eval(js, str_z(source), S("/app/test.js"), 1);
    if (v && js_to_str(js, a, v, &text)) return text;
    JsVal exception = js_catch(js);
    if (js_to_str(js, a, exception, &text)) return str_concat(a, S("throws "), text);
    (void)js_catch(js);
    return S("throws something without a text");
}

#define CHECK_EVAL(js, source, want)                                                               \
    do {                                                                                           \
        AUTO(Arena) arena_ = {0};                                                                  \
        CHECK_STR(test_eval(js, &arena_, source), want);                                           \
    } while (0)

/* Sets a global; the test fails when that throws. */
static inline void test_global(Js *js, const char *name, JsVal v)
{
    if (!v || !js_set(js, js_global(js), name, v)) test_fail(__FILE__, __LINE__, name);
}
