/* engine/js_value_test.c -- values, conversions, classes of values. */
#include <math.h>

#include "engine/js_testing.h"

static JsVal eval(Js *js, const char *source)
{
    JsVal v = js_eval(js, str_z(source), S("/t.js"), 1);
    if (!v) test_fail(__FILE__, __LINE__, source);
    return v ? v : JS_UNDEFINED;
}

TEST(js_types_of_every_kind)
{
    static const struct {
        const char *source;
        JsType type;
        bool is_function, is_array, is_error;
    } cases[] = {
        {"undefined", JS_TYPE_UNDEFINED, 0, 0, 0},
        {"null", JS_TYPE_NULL, 0, 0, 0},
        {"true", JS_TYPE_BOOLEAN, 0, 0, 0},
        {"false", JS_TYPE_BOOLEAN, 0, 0, 0},
        {"0", JS_TYPE_NUMBER, 0, 0, 0},
        {"-0.5", JS_TYPE_NUMBER, 0, 0, 0},
        {"NaN", JS_TYPE_NUMBER, 0, 0, 0},
        {"1e300", JS_TYPE_NUMBER, 0, 0, 0},
        {"'s'", JS_TYPE_STRING, 0, 0, 0},
        {"'' + Math.random() + 'rope rope rope'", JS_TYPE_STRING, 0, 0, 0},
        {"Symbol('x')", JS_TYPE_SYMBOL, 0, 0, 0},
        {"10n ** 30n", JS_TYPE_BIGINT, 0, 0, 0},
        {"5n", JS_TYPE_BIGINT, 0, 0, 0},
        {"({})", JS_TYPE_OBJECT, 0, 0, 0},
        {"[1]", JS_TYPE_OBJECT, 0, 1, 0},
        {"new Proxy([], {})", JS_TYPE_OBJECT, 0, 1, 0},
        {"(() => 1)", JS_TYPE_OBJECT, 1, 0, 0},
        {"class A {}; A", JS_TYPE_OBJECT, 1, 0, 0},
        {"Math.max", JS_TYPE_OBJECT, 1, 0, 0},
        {"Map", JS_TYPE_OBJECT, 1, 0, 0},
        {"(function () {}).bind()", JS_TYPE_OBJECT, 1, 0, 0},
        {"new Proxy(() => 1, {})", JS_TYPE_OBJECT, 1, 0, 0},
        {"new Error('x')", JS_TYPE_OBJECT, 0, 0, 1},
        {"class E extends RangeError {}; new E", JS_TYPE_OBJECT, 0, 0, 1},
        {"Object.create(Error.prototype)", JS_TYPE_OBJECT, 0, 0, 0},
        {"new Proxy(new Error, {})", JS_TYPE_OBJECT, 0, 0, 0},
        {"globalThis", JS_TYPE_OBJECT, 0, 0, 0},
        {"new Date(0)", JS_TYPE_OBJECT, 0, 0, 0},
        {"Object('s')", JS_TYPE_OBJECT, 0, 0, 0},
    };
    Js *js = test_js();
    for (u32 i = 0; i < COUNT(cases); i++) {
        JsVal v = eval(js, cases[i].source);
        CHECK_INT(js_type(js, v), cases[i].type);
        CHECK_INT(js_is_undefined(v), cases[i].type == JS_TYPE_UNDEFINED);
        CHECK_INT(js_is_null(v), cases[i].type == JS_TYPE_NULL);
        CHECK_INT(js_is_nullish(v), cases[i].type <= JS_TYPE_NULL);
        CHECK_INT(js_is_number(js, v), cases[i].type == JS_TYPE_NUMBER);
        CHECK_INT(js_is_string(js, v), cases[i].type == JS_TYPE_STRING);
        CHECK_INT(js_is_object(js, v), cases[i].type == JS_TYPE_OBJECT);
        CHECK_INT(js_is_function(js, v), cases[i].is_function);
        CHECK_INT(js_is_array(js, v), cases[i].is_array);
        CHECK_INT(js_is_error(js, v), cases[i].is_error);
    }
    js_free(js);
}

TEST(js_class_names)
{
    static const char *const cases[][2] = {
        {"Promise.resolve()", "Promise"},
        {"new Map().entries()", "Map Iterator"},
        {"new Set().values()", "Set Iterator"},
        {"({})", "Object"},
        {"[]", "Array"},
        {"new TypeError", "Error"},
        {"() => 1", "Function"},
        {"new Proxy({}, {})", "ProxyObject"},
        {"new Uint8Array(1)", "Uint8Array"},
        {"(function () { return arguments })()", "Arguments"},
        {"class A {}; new A", "Object"},
        {"({[Symbol.toStringTag]: 'Fake'})", "Object"},
        {"(function* () {})()", "Generator"},
        {"new WeakMap", "WeakMap"},
        {"/x/", "RegExp"},
        {"new Date", "Date"},
        {"Object(Symbol())", "Symbol"},
    };
    Js *js = test_js();
    for (u32 i = 0; i < COUNT(cases); i++) {
        Str name = js_class_name(js, eval(js, cases[i][0]));
        if (!str_eq(name, str_z(cases[i][1])))
            test_fail_str(__FILE__, __LINE__, name, str_z(cases[i][1]));
    }
    js_free(js);
}

TEST(js_numbers_go_in_and_out)
{
    static const f64 cases[] = {
        0,    -0.0,         1,           -1,     2147483647.0, -2147483648.0, 2147483648.0,
        0.5,  1e21,         1e308,       5e-324, INFINITY,     -INFINITY,     9007199254740993.0,
        -0.1, 4294967295.0, 4294967296.0};
    Js *js = test_js();
    for (u32 i = 0; i < COUNT(cases); i++) {
        JsVal v = js_number(js, cases[i]);
        f64 n;
        REQUIRE(js_to_number(js, v, &n));
        CHECK(n == cases[i] && signbit(n) == signbit(cases[i]));
        CHECK(js_get_number(js, v) == cases[i]);
        test_global(js, "v", v);
        test_global(js, "w", js_eval(js, S("Object.is(v, v) && typeof v === 'number'"), S("t"), 1));
        CHECK_EVAL(js, "w", "true");
    }
    CHECK(isnan(js_get_number(js, js_number(js, NAN))));
    CHECK(isnan(js_get_number(js, js_number(js, -NAN))));
    CHECK(js_number(js, 7) == js_int(js, 7));
    CHECK_INT(js_get_i32(js, js_int(js, -5)), -5);
    js_free(js);
}

TEST(js_integers_as_the_language_converts_them)
{
    Js *js = test_js();
    static const struct {
        f64 n;
        i32 as_i32;
        i64 as_i64;
    } cases[] = {
        {1.9, 1, 1},
        {-1.9, -1, -1},
        {4294967296.0 + 5, 5, 4294967301},
        {2147483648.0, INT32_MIN, 2147483648},
        {-2147483649.0, INT32_MAX, -2147483649},
        {NAN, 0, 0},
        {INFINITY, 0, 9007199254740992},
        {-INFINITY, 0, -9007199254740992},
        {1e300, 0, 9007199254740992},
    };
    for (u32 i = 0; i < COUNT(cases); i++) {
        JsVal v = js_number(js, cases[i].n);
        CHECK_INT(js_get_i32(js, v), cases[i].as_i32);
        CHECK_INT(js_get_i64(js, v), cases[i].as_i64);
        i32 n;
        REQUIRE(js_to_i32(js, v, &n));
        CHECK_INT(n, cases[i].as_i32);
    }
    f64 n;
    CHECK(js_to_number(js, eval(js, "({valueOf() { return '12' }})"), &n) && n == 12);
    CHECK(!js_to_number(js, eval(js, "Symbol()"), &n));
    (void)js_catch(js);
    CHECK(!js_to_number(js, eval(js, "({valueOf() { throw 1 }})"), &n));
    CHECK_INT(js_get_i32(js, js_catch(js)), 1);
    js_free(js);
}

TEST(js_bigints)
{
    Js *js = test_js();
    static const i64 cases[] = {0, 1, -1, INT64_MAX, INT64_MIN, 1ll << 53};
    i64 n;
    bool exact;
    for (u32 i = 0; i < COUNT(cases); i++) {
        REQUIRE(js_to_bigint_i64(js, js_bigint_i64(js, cases[i]), &n, &exact));
        CHECK_INT(n, cases[i]);
        CHECK(exact);
    }
    test_global(js, "big", js_bigint_u64(js, UINT64_MAX));
    CHECK_EVAL(js, "big", "18446744073709551615");
    REQUIRE(js_to_bigint_i64(js, eval(js, "2n ** 64n + 3n"), &n, &exact));
    CHECK_INT(n, 3);
    CHECK(!exact);
    js_free(js);
}

TEST(js_equality_and_truth)
{
    Js *js = test_js();
    CHECK(js_same(js, eval(js, "'ab' + 'c'"), eval(js, "'abc'")));
    CHECK(!js_same(js, eval(js, "NaN"), eval(js, "NaN")));
    CHECK(js_same(js, eval(js, "0"), eval(js, "-0")));
    CHECK(js_same(js, eval(js, "5n"), eval(js, "5n")));
    CHECK(!js_same(js, eval(js, "({})"), eval(js, "({})")));
    CHECK(js_same(js, JS_NULL, JS_NULL));
    CHECK(!js_same(js, JS_NULL, JS_UNDEFINED));
    static const char *const truthy[] = {"1", "-1", "'0'", "({})", "1n", "Symbol()", "0.1", "true"};
    static const char *const falsy[] = {"0", "-0", "''", "null", "undefined", "0n", "NaN", "false"};
    for (u32 i = 0; i < COUNT(truthy); i++) CHECK(js_truthy(js, eval(js, truthy[i])));
    for (u32 i = 0; i < COUNT(falsy); i++) CHECK(!js_truthy(js, eval(js, falsy[i])));
    CHECK(js_boolean(true) == JS_TRUE);
    CHECK(js_boolean(false) == JS_FALSE);
    js_free(js);
}
