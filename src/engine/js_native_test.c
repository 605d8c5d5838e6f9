/* engine/js_native_test.c -- native functions, exceptions through them, errors. */
#include "engine/js_testing.h"

JS_NATIVE(count_args)
{
    return js_int(js, (i32)args.len);
}

JS_NATIVE(get_this)
{
    return args.self;
}

JS_NATIVE(echo)
{
    return js_arg(args, 1);
}

JS_NATIVE(throw_it)
{
    return js_throw(js, js_arg(args, 0));
}

JS_NATIVE(call_it)
{
    return js_call(js, js_arg(args, 0), JS_UNDEFINED, JS_ARGS(js_int(js, 1)));
}

JS_NATIVE(catch_it)
{
    JsVal v = js_call(js, js_arg(args, 0), JS_UNDEFINED, JS_NO_ARGS);
    return v ? v : js_catch(js);
}

JS_NATIVE(make_garbage)
{
    JsVal list = js_array(js, NULL, 0);
    for (u32 i = 0; i < 200; i++) {
        JsVal o = js_object(js);
        if (!js_set(js, o, "text", js_str(js, S("some text that is not short"))) ||
            !js_set_index(js, list, i, o)) {
            return NULL;
        }
    }
    return list;
}

static const JsFn fns[] = {
    JS_FN("countArgs", count_args),     JS_FN("getThis", get_this), JS_FN("echo", echo),
    JS_FN("throwIt", throw_it),         JS_FN("callIt", call_it),   JS_FN("catchIt", catch_it),
    JS_FN("makeGarbage", make_garbage),
};
static const JsFnTable table = {fns, COUNT(fns)};

static Js *js_with_natives(void)
{
    Js *js = test_js();
    test_global(js, "n", js_fn_table(js, &table));
    return js;
}

TEST(js_natives_get_their_arguments)
{
    Js *js = js_with_natives();
    CHECK_EVAL(js, "n.countArgs()", "0");
    CHECK_EVAL(js, "n.countArgs(1, 2, 3)", "3");
    CHECK_EVAL(js, "n.countArgs(...Array(1000))", "1000");
    CHECK_EVAL(js, "n.echo(1)", "undefined");
    CHECK_EVAL(js, "n.echo(1, 'b')", "b");
    CHECK_EVAL(js, "n.getThis() === n", "true");
    CHECK_EVAL(js, "n.echo.call(null, 1, 2)", "2");
    CHECK_EVAL(js, "Reflect.apply(n.countArgs, 0, [1, 2])", "2");
    CHECK_EVAL(js, "[5, 6].map(n.echo).join()", "0,1");
    CHECK_EVAL(js, "typeof n.echo + n.echo.name", "functionecho");
    CHECK_EVAL(js, "Object.keys(n).length", "7");
    CHECK_EVAL(js, "try { new n.echo } catch (e) { e instanceof TypeError }", "true");
    js_free(js);
}

TEST(js_exceptions_pass_through_natives)
{
    Js *js = js_with_natives();
    CHECK_EVAL(js, "try { n.throwIt(5) } catch (e) { 'caught ' + e }", "caught 5");
    CHECK_EVAL(js, "try { n.throwIt(undefined) } catch (e) { 'caught ' + e }", "caught undefined");
    CHECK_EVAL(js, "n.throwIt('out')", "throws out");
    CHECK_EVAL(js, "try { n.callIt(() => { throw 'deep' }) } catch (e) { e }", "deep");
    CHECK_EVAL(js, "n.catchIt(() => { throw 'kept' })", "kept");
    CHECK_EVAL(js, "n.callIt(() => n.callIt(() => n.catchIt(() => n.throwIt(9))))", "9");
    CHECK_EVAL(js, "let o = {}; try { n.throwIt(o) } catch (e) { e === o }", "true");
    CHECK(!js_is_pending(js));
    js_free(js);
}

TEST(js_natives_recurse_until_the_stack_is_full)
{
    const char *mode = getenv("COB_TEST_JS");
    if (mode && strstr(mode, "gc")) return; /* a collection at each level takes minutes */
    Js *js = js_with_natives();
    CHECK_EVAL(js, "function f() { n.callIt(f) } try { f() } catch (e) { e instanceof RangeError }",
               "true");
    js_free(js);
}

TEST(js_natives_compiled_by_every_tier)
{
    Js *js = js_with_natives();
    const char *mode = getenv("COB_TEST_JS");
    bool is_slow = mode && strstr(mode, "gc");
    test_global(js, "count", js_int(js, is_slow ? 200 : 300000));
    CHECK_EVAL(js,
               "let ok = 0; const { echo, catchIt } = n; for (let i = 0; i < count; i++) {"
               "  if (echo(0, i) === i) ok++;"
               "  if (i % 100 === 0 && catchIt(() => { throw i }) !== i) ok = -1;"
               "} ok === count",
               "true");
    CHECK_EVAL(js, "let t = 0; for (let i = 0; i < 50; i++) t += n.makeGarbage().length; t",
               "10000");
    js_free(js);
}

TEST(js_errors_from_native_code)
{
    Js *js = test_js();
    CHECK(!js_throw_error(js, "plain %d", 1));
    test_global(js, "e", js_catch(js));
    CHECK_EVAL(js, "e.constructor === Error && e.message", "plain 1");
    CHECK(!js_throw_type_error(js, "type %s", "x"));
    test_global(js, "e", js_catch(js));
    CHECK_EVAL(js, "e.constructor === TypeError && e.message", "type x");
    CHECK(!js_throw_range_error(js, "range"));
    test_global(js, "e", js_catch(js));
    CHECK_EVAL(js, "e.constructor === RangeError && e.message", "range");
    test_global(js, "e", js_make_error(js, S("caf\xc3\xa9")));
    CHECK_EVAL(js, "e instanceof Error && e.message", "caf\xc3\xa9");
    js_free(js);
}

TEST(js_system_errors_look_like_nodes)
{
    Js *js = test_js();
    CHECK(!js_throw_sys(js, -2, "open", S("/no/such")));
    test_global(js, "e", js_catch(js));
    CHECK_EVAL(js, "String(e)", "Error: ENOENT: no such file or directory, open '/no/such'");
    CHECK_EVAL(js, "JSON.stringify(e)",
               "{\"errno\":-2,\"code\":\"ENOENT\",\"syscall\":\"open\",\"path\":\"/no/such\"}");
    test_global(js, "e", js_make_sys_error(js, -13, "connect", (Str){0}));
    CHECK_EVAL(js, "String(e) + Object.keys(e)",
               "Error: EACCES: permission denied, connecterrno,code,syscall");
    js_free(js);
}

TEST(js_natives_work_when_globals_are_tampered_with)
{
    Js *js = test_js();
    CHECK_EVAL(js,
               "delete globalThis.Error; globalThis.TypeError = null; globalThis.Object = 5;"
               "Array.prototype[Symbol.iterator] = null; 1",
               "1");
    if (!getenv("COB_TEST_JS")) {
        CHECK(!js_throw_type_error(js, "still"));
        CHECK(js_is_error(js, js_catch(js)));
    }
    test_global(js, "n", js_fn_table(js, &table));
    CHECK_EVAL(js, "n.countArgs(1, 2)", "2");
    js_free(js);
}
