/* engine/js_promise_test.c -- promises, microtasks, rejections, import(), the run loop. */
#include <poll.h>

#include "engine/js_testing.h"

JS_NATIVE(drain)
{
    js_drain_microtasks(js);
    return JS_UNDEFINED;
}

JS_NATIVE(call_it)
{
    return js_call(js, js_arg(args, 0), JS_UNDEFINED, JS_NO_ARGS);
}

static const JsFn fns[] = {JS_FN("drain", drain), JS_FN("callIt", call_it)};
static const JsFnTable table = {fns, COUNT(fns)};

static Js *js_with_log(void)
{
    Js *js = test_js();
    test_global(js, "n", js_fn_table(js, &table));
    CHECK_EVAL(js,
               "globalThis.seen = []; const log = (x) => { seen.push(x) }; globalThis.log = log; 1",
               "1");
    return js;
}

TEST(js_microtasks_wait_for_the_drain)
{
    Js *js = js_with_log();
    CHECK_EVAL(js,
               "Promise.resolve().then(() => log('micro')); n.callIt(() => log('in')); seen.join()",
               "in");
    CHECK_EVAL(js, "seen.join()", "in");
    js_drain_microtasks(js);
    CHECK_EVAL(js, "seen.join()", "in,micro");
    js_drain_microtasks(js);
    js_free(js);
}

TEST(js_microtasks_drain_inside_a_native)
{
    Js *js = js_with_log();
    CHECK_EVAL(
        js,
        "Promise.resolve().then(() => { log(1); return Promise.resolve().then(() => log(2)) });"
        "log(0); n.drain(); log(3); seen.join()",
        "0,1,2,3");
    js_free(js);
}

TEST(js_leaving_drains_what_is_left)
{
    Js *js = js_with_log();
    CHECK_EVAL(js, "Promise.resolve().then(() => log('late')); seen.length", "0");
    js_enter(js);
    js_leave(js);
    CHECK_EVAL(js, "seen.length", "0");
    js_leave(js);
    js_enter(js);
    CHECK_EVAL(js, "seen.join()", "late");
    js_free(js);
}

TEST(js_promises_from_native_code)
{
    Js *js = js_with_log();
    JsPromise p;
    JsPromiseState state;
    JsVal result;
    REQUIRE(js_promise(js, &p));
    test_global(js, "p", p.promise);
    CHECK_EVAL(js, "p.then(v => log('got ' + v)); p instanceof Promise", "true");
    REQUIRE(js_promise_peek(js, p.promise, &state, &result));
    CHECK_INT(state, JS_PROMISE_PENDING);
    REQUIRE(js_call(js, p.resolve, JS_UNDEFINED, JS_ARGS(js_int(js, 5))));
    REQUIRE(js_promise_peek(js, p.promise, &state, &result));
    CHECK_INT(state, JS_PROMISE_FULFILLED);
    CHECK_INT(js_get_i32(js, result), 5);
    js_drain_microtasks(js);
    CHECK_EVAL(js, "seen.join()", "got 5");
    JsVal rejected =
        js_eval(js, S("const r = Promise.reject('no'); r.catch(() => 0); r"), S("t"), 1);
    REQUIRE(rejected && js_promise_peek(js, rejected, &state, &result));
    CHECK_INT(state, JS_PROMISE_REJECTED);
    CHECK(js_is_string(js, result));
    CHECK(!js_promise_peek(js, js_object(js), &state, &result));
    CHECK(!js_promise_peek(js, JS_NULL, &state, &result));
    js_free(js);
}

static u32 n_rejected, n_handled;
static void on_rejection(Js *js, JsVal promise, JsVal reason, bool is_handled)
{
    JsPromiseState state;
    JsVal result;
    CHECK(js_promise_peek(js, promise, &state, &result) && state == JS_PROMISE_REJECTED);
    CHECK(result == reason);
    if (is_handled)
        n_handled++;
    else
        n_rejected++;
}

TEST(js_rejections_are_tracked)
{
    Js *js = js_with_log();
    n_rejected = n_handled = 0;
    js_on_rejection(js, on_rejection);
    CHECK_EVAL(js, "Promise.reject(1); 1", "1");
    CHECK_INT(n_rejected, 1);
    CHECK_EVAL(js, "const p = Promise.reject(2); p.catch(() => 0); 1", "1");
    CHECK_INT(n_rejected, 2);
    CHECK_INT(n_handled, 1);
    CHECK_EVAL(js, "Promise.resolve().then(() => { throw 3 }).catch(() => 0); 1", "1");
    js_drain_microtasks(js);
    CHECK_INT(n_rejected, 2);
    CHECK_EVAL(js, "(async () => { await null; throw 4 })(); 1", "1");
    js_drain_microtasks(js);
    CHECK_INT(n_rejected, 3);
    CHECK_INT(n_handled, 1);
    js_free(js);
}

static JsVal on_import(Js *js, JsVal specifier, JsVal attributes, Str referrer)
{
    (void)attributes;
    CHECK_STR(referrer, "/app/test.js");
    CHECK(js_is_string(js, specifier));
    if (js_str_len(js, specifier) == 3) return js_throw_error(js, "cannot");
    JsPromise p;
    if (!js_promise(js, &p)) return NULL;
    return js_call(js, p.resolve, JS_UNDEFINED, JS_ARGS(specifier)) ? p.promise : NULL;
}

TEST(js_dynamic_import_comes_to_us)
{
    Js *js = js_with_log();
    js_on_import(js, on_import);
    CHECK_EVAL(
        js,
        "eval(\"import('good').then(log)\"); new Function(\"return import('other')\")().then(log);"
        "import('bad').catch(e => log(e.message)); 1",
        "1");
    js_drain_microtasks(js);
    CHECK_EVAL(js, "seen.sort().join()", "cannot,good,other");
    js_free(js);
}

TEST(js_import_without_a_handler_rejects)
{
    Js *js = js_with_log();
    CHECK_EVAL(js, "import('x').catch(e => log(e instanceof Error)); 1", "1");
    js_drain_microtasks(js);
    CHECK_EVAL(js, "seen.join()", "true");
    js_free(js);
}

static void turn(Js *js, int max_ms)
{
    js_drain_microtasks(js);
    js_leave(js);
    JsRunLoopWait wait = js_run_loop_wait(js);
    bool is_short = wait.timeout_ms >= 0 && wait.timeout_ms < max_ms;
    struct pollfd fd = {.fd = wait.fd, .events = POLLIN};
    (void)poll(&fd, 1, is_short ? wait.timeout_ms : max_ms);
    js_enter(js);
    js_run_loop_turn(js);
    js_drain_microtasks(js);
}

TEST(js_run_loop_finishes_webassembly)
{
    Js *js = js_with_log();
    CHECK(!js_has_pending_work(js));
    CHECK_EVAL(js,
               "WebAssembly.instantiate(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])).then("
               "  (r) => log(r.instance instanceof WebAssembly.Instance), log); 1",
               "1");
    js_drain_microtasks(js);
    CHECK(js_has_pending_work(js));
    for (u32 i = 0; i < 1000 && js_has_pending_work(js); i++) turn(js, 1000);
    CHECK_EVAL(js, "seen.join()", "true");
    CHECK(!js_has_pending_work(js));
    js_free(js);
}

TEST(js_run_loop_calls_finalization_registries)
{
    Js *js = js_with_log();
    CHECK_EVAL(js,
               "globalThis.registry = new FinalizationRegistry(log);"
               "(function () { for (let i = 0; i < 50; i++) registry.register({}, i) })(); 1",
               "1");
    js_gc(js, true);
    for (u32 i = 0; i < 100 && js_has_pending_work(js); i++) turn(js, 100);
    CHECK_EVAL(js, "seen.length > 40", "true");
    js_free(js);
}

TEST(js_run_loop_does_not_spin)
{
    Js *js = js_with_log();
    turn(js, 10);
    turn(js, 10);
    u32 n_ready = 0;
    for (u32 i = 0; i < 20; i++) {
        JsRunLoopWait wait = js_run_loop_wait(js);
        n_ready += wait.timeout_ms == 0;
        js_run_loop_turn(js);
    }
    CHECK(n_ready < 3);
    js_free(js);
}
