/* engine/js_lazy_test.c -- globals made at first touch, accessors, the engine's functions replaced.
 */
#include "engine/js_testing.h"

static u32 n_loads;

static const char *const names[] = {"alpha", "beta", "gamma", "broken"};

static i32 find(Js *js, Str name)
{
    (void)js;
    for (u32 i = 0; i < COUNT(names); i++)
        if (str_eq(name, str_z(names[i]))) return (i32)i;
    return -1;
}

static Str name_of(Js *js, u32 i)
{
    (void)js;
    return str_z(names[i]);
}

static bool is_enumerable(Js *js, u32 i)
{
    (void)js;
    return i != 1;
}

static JsVal load(Js *js, u32 i)
{
    n_loads++;
    if (i == 3) return js_throw_error(js, "cannot be made");
    return js_int(js, (i32)i + 1);
}

static Js *lazy_js(void)
{
    static const JsLazyGlobals globals = {.n = COUNT(names),
                                          .find = find,
                                          .name = name_of,
                                          .is_enumerable = is_enumerable,
                                          .load = load};
    Js *js = test_js();
    n_loads = 0;
    if (js_lazy_globals(js, &globals)) return js;
    CHECK(!test_is_fast());
    js_free(js);
    return NULL;
}

TEST(js_lazy_globals_are_made_once)
{
    Js *js = lazy_js();
    if (!js) return;
    CHECK_INT(n_loads, 0);
    CHECK_EVAL(js, "alpha + alpha + globalThis.alpha", "3");
    CHECK_INT(n_loads, 1);
    CHECK_EVAL(js, "typeof delta + ('delta' in globalThis)", "undefinedfalse");
    CHECK_EVAL(js, "'beta' in globalThis", "true");
    CHECK_EVAL(js, "JSON.stringify(Object.getOwnPropertyDescriptor(globalThis, 'beta'))",
               "{\"value\":2,\"writable\":true,\"enumerable\":false,\"configurable\":true}");
    CHECK_INT(n_loads, 2);
    js_free(js);
}

TEST(js_lazy_globals_are_listed_unmade)
{
    Js *js = lazy_js();
    if (!js) return;
    CHECK_EVAL(js, "Object.keys(globalThis).join()", "alpha,gamma,broken");
    CHECK_EVAL(js, "Object.getOwnPropertyNames(globalThis).includes('beta')", "true");
    CHECK_INT(n_loads, 0);
    CHECK_EVAL(js, "JSON.stringify(Object.getOwnPropertyDescriptor(globalThis, 'gamma'))",
               "{\"value\":3,\"writable\":true,\"enumerable\":true,\"configurable\":true}");
    CHECK_INT(n_loads, 1);
    js_free(js);
}

TEST(js_lazy_globals_assigned_and_deleted)
{
    Js *js = lazy_js();
    if (!js) return;
    CHECK_EVAL(js, "delete globalThis.alpha && typeof alpha", "undefined");
    CHECK_EVAL(js, "globalThis.beta = 7; beta + ' ' + Object.keys(globalThis)", "7 gamma,broken");
    CHECK_EVAL(js, "globalThis.gamma = 8; delete globalThis.gamma && typeof gamma", "undefined");
    CHECK_INT(n_loads, 0);
    CHECK_EVAL(js, "function broken() { return 9 }; broken()", "9");
    js_free(js);
}

TEST(js_lazy_globals_may_throw)
{
    Js *js = lazy_js();
    if (!js) return;
    CHECK_EVAL(js, "broken", "throws Error: cannot be made");
    CHECK_EVAL(js, "try { typeof broken } catch (e) { e.message }", "cannot be made");
    CHECK_INT(n_loads, 2);
    CHECK_EVAL(js, "Object.freeze(globalThis.Math); Object.preventExtensions(globalThis); alpha",
               "1");
    js_free(js);
}

JS_NATIVE(get_answer)
{
    return js_int(js, 42);
}
JS_NATIVE(set_answer)
{
    return JS_UNDEFINED;
}

TEST(js_accessors_are_defined)
{
    static const JsFn getter = JS_FN("answer", get_answer), setter = JS_FN("answer", set_answer);
    Js *js = test_js();
    JsVal o = js_object(js);
    test_global(js, "o", o);
    if (js_define_accessor(js, o, &getter, &setter, false)) {
        CHECK_EVAL(js, "o.answer = 1; o.answer + Object.keys(o).length", "42");
        CHECK_EVAL(js, "delete o.answer && typeof o.answer", "undefined");
    } else {
        CHECK(!test_is_fast());
    }
    js_free(js);
}

TEST(js_natives_of_the_engine_are_replaced)
{
    static const JsFn fns[] = {JS_FN("debug", get_answer), JS_FN("error", get_answer)};
    static const JsFn others[] = {JS_FN("debug", get_answer), JS_FN("log", get_answer)};
    Js *js = test_js();
    JsVal console = js_get(js, js_global(js), "console");
    REQUIRE(console);
    CHECK(!js_replace_natives(js, console, &(JsFnTable){others, COUNT(others)}));
    CHECK(!js_replace_natives(js, js_object(js), &(JsFnTable){fns, COUNT(fns)}));
    if (js_replace_natives(js, console, &(JsFnTable){fns, COUNT(fns)})) {
        CHECK_EVAL(js, "console.error('x') + console.debug()", "84");
        CHECK_EVAL(js, "const f = console.error; f() + f.name + f.length", "42error0");
    } else {
        CHECK(!test_is_fast());
    }
    js_free(js);
}
