/* engine/js_object_test.c -- objects, properties, calls, references, classes. */
#include "engine/js_testing.h"

TEST(js_properties)
{
    Js *js = test_js();
    JsVal o = js_object(js);
    bool has;
    test_global(js, "o", o);
    REQUIRE(js_set(js, o, "a", js_int(js, 1)));
    REQUIRE(js_set_key(js, o, js_str(js, S("b\xc3\xa9")), js_int(js, 2)));
    REQUIRE(js_set_index(js, o, 7, js_int(js, 3)));
    CHECK_EVAL(js, "JSON.stringify(o)", "{\"7\":3,\"a\":1,\"b\xc3\xa9\":2}");
    CHECK_INT(js_get_i32(js, js_get(js, o, "a")), 1);
    CHECK_INT(js_get_i32(js, js_get_index(js, o, 7)), 3);
    CHECK(js_is_undefined(js_get(js, o, "none")));
    CHECK(js_has(js, o, "a", &has) && has);
    CHECK(js_has(js, o, "toString", &has) && has);
    CHECK(js_has(js, o, "none", &has) && !has);
    CHECK(js_delete(js, o, "a"));
    CHECK(js_has(js, o, "a", &has) && !has);
    REQUIRE(js_define(js, o, "hidden", js_int(js, 4), false));
    REQUIRE(js_define(js, o, "shown", js_int(js, 5), true));
    CHECK_EVAL(js, "Object.keys(o) + ' ' + o.hidden + o.shown", "7,b\xc3\xa9,shown 45");
    CHECK_EVAL(
        js, "const d = Object.getOwnPropertyDescriptor(o, 'shown'); d.writable && d.configurable",
        "true");
    js_free(js);
}

TEST(js_accessors_may_throw)
{
    Js *js = test_js();
    JsVal o = js_eval(js, S("({get x() { throw 1 }, set x(v) { throw 2 }})"), S("t"), 1);
    REQUIRE(o);
    CHECK(!js_get(js, o, "x"));
    CHECK_INT(js_get_i32(js, js_catch(js)), 1);
    CHECK(!js_set(js, o, "x", JS_NULL));
    CHECK_INT(js_get_i32(js, js_catch(js)), 2);
    CHECK(!js_get(js, JS_UNDEFINED, "x"));
    CHECK(js_is_error(js, js_catch(js)));
    CHECK_INT(js_get_i32(js, js_get(js, js_str(js, S("four")), "length")), 4);
    js_free(js);
}

TEST(js_arrays_keys_and_prototypes)
{
    Js *js = test_js();
    JsVal at[] = {js_int(js, 1), js_str(js, S("two")), JS_NULL};
    JsVal array = js_array(js, at, 3);
    u32 len;
    REQUIRE(array && js_array_len(js, array, &len));
    CHECK_INT(len, 3);
    CHECK(js_is_null(js_get_index(js, array, 2)));
    JsVal empty = js_array(js, NULL, 0);
    REQUIRE(empty && js_array_len(js, empty, &len));
    CHECK_INT(len, 0);
    JsVal o = js_eval(js, S("({b: 1, a: 2, [Symbol()]: 3})"), S("t"), 1);
    test_global(js, "k", js_keys(js, o));
    CHECK_EVAL(js, "k.join()", "b,a");
    JsVal bare = js_object_null_proto(js);
    CHECK(js_is_null(js_proto(js, bare)));
    js_set_proto(js, bare, array);
    CHECK(js_proto(js, bare) == array);
    js_free(js);
}

TEST(js_calls)
{
    Js *js = test_js();
    JsVal fn = js_eval(
        js, S("(function () { 'use strict'; return String(this) + [...arguments].join('-') })"),
        S("t"), 1);
    test_global(js, "r", js_call(js, fn, js_str(js, S("me")), JS_ARGS(js_int(js, 1), JS_TRUE)));
    CHECK_EVAL(js, "r", "me1-true");
    test_global(js, "r", js_call(js, fn, JS_UNDEFINED, JS_NO_ARGS));
    if (test_is_fast()) CHECK_EVAL(js, "r", "undefined");
    test_global(js, "r", js_call(js, fn, JS_NULL, JS_NO_ARGS));
    if (test_is_fast()) CHECK_EVAL(js, "r", "null");
    test_global(js, "r", js_call(js, fn, js_int(js, 5), JS_NO_ARGS));
    CHECK_EVAL(js, "r", "5");
    CHECK(!js_call(js, js_object(js), JS_UNDEFINED, JS_NO_ARGS));
    CHECK(js_is_error(js, js_catch(js)));
    CHECK(!js_call(js, JS_NULL, JS_UNDEFINED, JS_NO_ARGS));
    CHECK(js_is_error(js, js_catch(js)));
    JsVal date = js_get(js, js_global(js), "Array");
    test_global(js, "r", js_construct(js, date, JS_ARGS(js_int(js, 3))));
    CHECK_EVAL(js, "r.length", "3");
    CHECK(!js_construct(js, js_eval(js, S("() => 1"), S("t"), 1), JS_NO_ARGS));
    CHECK(js_is_error(js, js_catch(js)));
    js_free(js);
}

/* ---- References
 * --------------------------------------------------------------------------------------- */

/* Makes garbage on the stack that the collector would otherwise find the object in. */
static __attribute__((noinline)) void use_stack(void)
{
    volatile char junk[4096];
    for (u32 i = 0; i < sizeof junk; i++) junk[i] = 0;
}

static __attribute__((noinline)) void make_refs(Js *js, JsRef *refs, u32 n)
{
    for (u32 i = 0; i < n; i++) {
        JsVal o = js_object(js);
        if (!js_set(js, o, "i", js_int(js, (i32)i))) test_fail(__FILE__, __LINE__, "js_set");
        if (i % 2)
            js_ref_set_weak(js, &refs[i], o);
        else
            js_ref_set_strong(js, &refs[i], o);
    }
}

TEST(js_refs_keep_or_let_go)
{
    enum { N = 200 };
    Js *js = test_js();
    JsRef refs[N] = {0};
    make_refs(js, refs, N);
    use_stack();
    js_gc(js, true);
    u32 n_dead = 0;
    for (u32 i = 0; i < N; i++) {
        JsVal v = js_ref_get(js, &refs[i]);
        if (i % 2) {
            n_dead += !v;
        } else {
            REQUIRE(v);
            CHECK_INT(js_get_i32(js, js_get(js, v, "i")), i);
        }
    }
    CHECK(n_dead > N / 2 - 5); /* the stack may keep a few */
    for (u32 i = 0; i < N; i += 2) js_ref_make_weak(js, &refs[i]);
    use_stack();
    js_gc(js, true);
    u32 n_alive = 0;
    for (u32 i = 0; i < N; i++) n_alive += js_ref_get(js, &refs[i]) != NULL;
    CHECK(n_alive < 10);
    for (u32 i = 0; i < N; i++) js_ref_clear(js, &refs[i]);
    js_free(js);
}

TEST(js_refs_change_state)
{
    Js *js = test_js();
    JsRef ref = {0};
    CHECK(!js_ref_get(js, &ref));
    js_ref_make_strong(js, &ref);
    js_ref_make_weak(js, &ref);
    CHECK_INT(ref.state, JS_REF_DEAD);
    JsVal o = js_object(js);
    js_ref_set_weak(js, &ref, o);
    js_ref_make_strong(js, &ref);
    CHECK_INT(ref.state, JS_REF_STRONG);
    CHECK(js_ref_get(js, &ref) == o);
    js_ref_set_strong(js, &ref, js_int(js, 7));
    CHECK_INT(js_get_i32(js, js_ref_get(js, &ref)), 7);
    js_ref_clear(js, &ref);
    js_ref_clear(js, &ref);
    CHECK(!js_ref_get(js, &ref));
    JsRef many[5] = {0};
    for (u32 i = 0; i < 5; i++) js_ref_set_strong(js, &many[i], o);
    js_ref_clear(js, &many[2]);
    js_ref_clear(js, &many[4]);
    js_ref_clear(js, &many[0]);
    js_free(js); /* drops the rest */
    CHECK_INT(many[1].state, JS_REF_DEAD);
    CHECK_INT(many[3].state, JS_REF_DEAD);
}

/* ---- Classes and closures
 * --------------------------------------------------------------------------------- */

static u32 finalized;
static void count_finalize(void *native)
{
    __atomic_add_fetch((u32 *)native, 1, __ATOMIC_RELAXED);
}

static const JsClass counted = {"Counted", count_finalize};
static const JsClass other = {"Other", NULL};

TEST(js_wrapped_pointers)
{
    Js *js = test_js();
    finalized = 0;
    JsVal v = js_wrap(js, &counted, &finalized);
    CHECK(js_is_object(js, v));
    CHECK(js_unwrap(js, v, &counted) == &finalized);
    CHECK(!js_unwrap(js, v, &other));
    CHECK(!js_unwrap(js, js_object(js), &counted));
    CHECK(!js_unwrap(js, JS_NULL, &counted));
    CHECK(!js_unwrap(js, js_str(js, S("x")), &counted));
    CHECK(js_unwrap(js, js_wrap(js, &other, &finalized), &other) == &finalized);
    JsVal taken = js_wrap(js, &counted, &finalized);
    CHECK(js_unwrap_take(js, taken, &counted) == &finalized);
    CHECK(!js_unwrap_take(js, taken, &counted));
    CHECK(!js_unwrap(js, taken, &counted));
    test_global(js, "w", v);
    CHECK_EVAL(js, "w.x = 5; Object.getPrototypeOf(w) === Object.prototype && w.x", "5");
    js_free(js);
    CHECK_INT(finalized, 1);
}

TEST(js_wrapped_pointers_are_finalized_when_unreachable)
{
    Js *js = test_js();
    finalized = 0;
    for (u32 i = 0; i < 1000; i++) (void)js_wrap(js, &counted, &finalized);
    use_stack();
    js_gc(js, true);
    CHECK(finalized > 900);
    js_free(js);
    CHECK_INT(finalized, 1000);
}

static JsVal add_data(Js *js, void *data, JsArgs args)
{
    if (!args.len) return js_throw_type_error(js, "need an argument");
    return js_int(js, *(i32 *)data + js_get_i32(js, js_arg(args, 0)));
}

static void count_closure(void *data)
{
    *(i32 *)data += 1000;
}

TEST(js_closures_carry_a_pointer)
{
    Js *js = test_js();
    i32 base = 40;
    test_global(js, "f", js_closure(js, "addData", add_data, &base, count_closure));
    CHECK_EVAL(js, "f(2)", "42");
    CHECK_EVAL(js, "typeof f + f.name", "functionaddData");
    CHECK_EVAL(js, "[1, 2].map(f).join()", "41,42");
    CHECK_EVAL(js, "try { f() } catch (e) { e.message }", "need an argument");
    js_free(js);
    CHECK_INT(base, 1040);
}

TEST(js_array_copy_takes_no_more_than_was_asked_for)
{
    Js *js = test_js();
    JsVal array = js_eval(js, S("Array.from({length: 100}, (_, i) => i)"), S("/a.js"), 1);
    JsVal at[4] = {JS_NULL, JS_NULL, JS_NULL, JS_NULL};
    REQUIRE(array && js_array_copy(js, array, 96, at, 3));
    CHECK_INT(js_get_i32(js, at[0]), 96);
    CHECK_INT(js_get_i32(js, at[2]), 98);
    CHECK(js_is_null(at[3]));
    REQUIRE(js_array_copy(js, array, 96, at, 4));
    CHECK_INT(js_get_i32(js, at[3]), 99);
    js_free(js);
}

TEST(js_define_accessors_makes_many_at_once)
{
    Js *js = test_js();
    JsVal list = js_eval(js, S("['a', () => 1, (v) => { got = v }, 'b', () => 2, undefined]"),
                         S("/a.js"), 1);
    JsVal o = js_object(js);
    REQUIRE(list);
    js_expect_properties(js, o);
    if (js_define_accessors(js, o, list)) {
        test_global(js, "o", o);
        CHECK_EVAL(js, "var got; o.a = 7; `${got} ${o.a} ${o.b} ${Object.keys(o)}`", "7 1 2 a,b");
        CHECK_EVAL(js, "Object.getOwnPropertyDescriptor(o, 'a').configurable", "true");
    }
    js_free(js);
}
