/* engine/js_vm_test.c -- machines, evaluation, threads, memory. */
#include <pthread.h>
#include <unistd.h>

#include "engine/js_testing.h"

TEST(js_evaluates_scripts)
{
    Js *js = test_js();
    CHECK(js_current() == js);
    CHECK_EVAL(js, "1 + 1", "2");
    CHECK_EVAL(js, "throw new TypeError('no')", "throws TypeError: no");
    CHECK_EVAL(js, "throw null", "throws null");
    CHECK_EVAL(js, "'caf\xc3\xa9 \xf0\x9f\x98\x80'.length", "7");
    js_free(js);
    CHECK(!js_current());
}

TEST(js_evaluates_static_text)
{
    Js *js = test_js();
    AUTO(Arena) a = {0};
    JsVal v = js_eval_static(js, S("(function () { return 'x'.repeat(3) })()"), S("internal/t"), 1);
    Str text;
    REQUIRE(v && js_to_str(js, &a, v, &text));
    CHECK_STR(text, "xxx");
    REQUIRE(!js_eval_static(js, S("("), S("internal/t"), 1));
    CHECK(js_is_error(js, js_catch(js)));
    js_free(js);
}

TEST(js_check_syntax_does_not_run)
{
    Js *js = test_js();
    CHECK(js_check_syntax(js, S("globalThis.ran = 1"), S("/a.js"), 1));
    CHECK_EVAL(js, "typeof ran", "undefined");
    CHECK(!js_check_syntax(js, S("let let = 1"), S("/a.js"), 1));
    CHECK(js_is_pending(js));
    CHECK(js_is_error(js, js_catch(js)));
    CHECK(!js_is_pending(js));
    js_free(js);
}

TEST(js_syntax_errors_have_a_place)
{
    Js *js = test_js();
    AUTO(Arena) a = {0};
    JsPosition pos;
    REQUIRE(!js_eval(js, S("let a = 1;\nlet b = ;\n"), S("/app/bad.js"), 1));
    REQUIRE(js_error_position(js, js_catch(js), &a, &pos));
    CHECK_STR(pos.url, "/app/bad.js");
    CHECK_INT(pos.line, 2);
    js_free(js);
}

TEST(js_has_the_language_level_we_promise)
{
    Js *js = test_js();
    CHECK_EVAL(js, "typeof SharedArrayBuffer", "function");
    CHECK_EVAL(js, "typeof DisposableStack", "function");
    CHECK_EVAL(js, "typeof Iterator.concat", "function");
    CHECK_EVAL(js, "typeof WebAssembly", "object");
    CHECK_EVAL(js, "Error.stackTraceLimit", "10");
    js_free(js);
}

TEST(js_leaves_the_environment_alone)
{
    Js *js = test_js();
    for (char **at = environ; *at; at++) CHECK(strncmp(*at, "JSC_", 4) != 0);
    js_free(js);
}

TEST(js_stack_overflow_can_be_caught)
{
    Js *js = test_js();
    CHECK_EVAL(js, "function f() { f() } try { f() } catch (e) { e instanceof RangeError }",
               "true");
    CHECK_EVAL(js, "f()", "throws RangeError: Maximum call stack size exceeded.");
    CHECK_EVAL(js, "(function g(a) { return a ? 1 + g(a - 1) : 0 })(5000)", "5000");
    js_free(js);
}

TEST(js_huge_strings_are_range_errors)
{
    Js *js = test_js();
    CHECK_EVAL(js, "try { 'x'.repeat(2 ** 32) } catch (e) { e instanceof RangeError }", "true");
    CHECK_EVAL(js, "let s = 'x'.repeat(2 ** 29); try { for (;;) s += s } catch (e) { e.name }",
               "RangeError");
    js_free(js);
}

TEST(js_crash_reason_is_none_while_there_is_memory)
{
    CHECK(!js_crash_reason());
}

TEST(js_smol_machines_work)
{
    JsOptions options = test_options();
    options.smol = true;
    Js *js = js_new(&options);
    CHECK_EVAL(js, "let n = 0; for (let i = 0; i < 1e5; i++) n += [i].length; n", "100000");
    js_release_memory(js);
    js_free(js);
}

TEST(js_user_data)
{
    Js *js = test_js();
    int x;
    CHECK(!js_user_data(js));
    js_set_user_data(js, &x);
    CHECK(js_user_data(js) == &x);
    js_free(js);
}

TEST(js_reports_memory)
{
    const char *mode = getenv("COB_TEST_JS");
    if (mode && strstr(mode, "gc")) return; /* there is never much to free */
    Js *js = test_js();
    js_gc(js, true);
    JsMemory before = js_memory(js);
    CHECK(before.heap_size > 0);
    CHECK_EVAL(js,
               "globalThis.keep = null;"
               "(function () { keep = Array.from({length: 100000}, (_, i) => ({i})) })(); 1",
               "1");
    js_gc(js, true);
    JsMemory after = js_memory(js);
    CHECK(after.heap_size > before.heap_size + 1000000);
    CHECK(after.object_count > before.object_count + 100000);
    CHECK_EVAL(js, "keep.length = 0", "0"); /* the stack may still hold the array */
    for (u32 i = 0; i < 5 && js_memory(js).heap_size >= after.heap_size; i++) js_release_memory(js);
    CHECK(js_memory(js).heap_size < after.heap_size);
    js_report_memory(js, 1 << 20);
    js_report_memory(js, -(1 << 20));
    js_free(js);
}

static void *run_one(void *data)
{
    JsOptions options = test_options();
    options.gc_stress = false;
    Js *js = js_new(&options);
    bool *ret_ok = data;
    AUTO(Arena) a = {0};
    *ret_ok = true;
    for (u32 i = 0; i < 20; i++) {
        Str text =
            test_eval(js, &a,
                      "{ let m = new Map(); for (let i = 0; i < 20000; i++) m.set('k' + i, {i});"
                      "let e = new Error('t'); [m.size, String(e)].join() }");
        *ret_ok &= str_eq(text, S("20000,Error: t"));
        *ret_ok &= js_current() == js;
    }
    js_free(js);
    scratch_thread_deinit();
    return NULL;
}

TEST(js_machines_run_on_several_threads)
{
    enum { N = 4 };
    pthread_t threads[N];
    bool ok[N];
    for (u32 i = 0; i < N; i++) REQUIRE(!pthread_create(&threads[i], NULL, run_one, &ok[i]));
    for (u32 i = 0; i < N; i++) {
        REQUIRE(!pthread_join(threads[i], NULL));
        CHECK(ok[i]);
    }
}

TEST(js_one_after_the_other_on_one_thread)
{
    for (u32 i = 0; i < 5; i++) {
        Js *js = test_js();
        CHECK_EVAL(js, "typeof leftover", "undefined");
        CHECK_EVAL(js, "globalThis.leftover = 1", "1");
        js_free(js);
    }
    js_free(NULL);
}

static void *terminate_soon(void *js)
{
    (void)usleep(50000);
    js_terminate_mt(js);
    return NULL;
}

JS_NATIVE(call_back)
{
    return js_call(js, js_arg(args, 0), JS_UNDEFINED, JS_NO_ARGS);
}

TEST(js_terminate_stops_a_loop_and_cannot_be_caught)
{
    static const JsFn fn = JS_FN("callBack", call_back);
    JsOptions options = {0};
    Js *js = js_new(&options);
    pthread_t thread;
    test_global(js, "callBack", js_function(js, &fn));
    CHECK(!js_is_terminating(js));
    REQUIRE(!pthread_create(&thread, NULL, terminate_soon, js));
    JsVal v = js_eval(js,
                      S("globalThis.caught = 0;"
                        "try { callBack(() => { try { for (;;); } catch { caught = 1 } }) }"
                        "catch { caught = 2 }"),
                      S("/a.js"), 1);
    REQUIRE(!pthread_join(thread, NULL));
    CHECK(!v);
    CHECK(js_is_terminating(js));
    (void)js_catch(js);
    JsVal caught = js_get(js, js_global(js), "caught");
    REQUIRE(caught);
    CHECK_INT(js_get_i32(js, caught), 0);
    js_free(js);
}

static void *interrupt_soon(void *js)
{
    (void)usleep(20000);
    js_interrupt_mt(js);
    return NULL;
}

TEST(js_interrupt_stops_a_loop_and_scripts_run_again)
{
    JsOptions options = {0};
    Js *js = js_new(&options);
    for (u32 i = 0; i < 3 && js_can_interrupt(); i++) {
        pthread_t thread;
        REQUIRE(!pthread_create(&thread, NULL, interrupt_soon, js));
        JsVal v = js_eval(js, S("try { for (;;); } catch { }"), S("/a.js"), 1);
        REQUIRE(!pthread_join(thread, NULL));
        CHECK(!v);
        (void)js_catch(js);
        js_interrupt_end(js);
        CHECK(!js_is_terminating(js));
        CHECK_EVAL(js, "var n = 0; for (let i = 0; i < 1000; i++) n++; n", "1000");
    }
    js_free(js);
}
