/* internal/test_runner/test_runner.c -- native half of internal/test_runner: the report's text, the
 * clock and the one timer of all tests, loading of test files.
 *
 * Lines are held back and written together: when there is much, before anybody else writes to the
 * same descriptors or a child is started (sys_before_output), before the loop sleeps, and at the
 * end.  On a terminal each is written at once. */
#include "builtins/builtins.h"
#include "builtins/internal/test_runner/test_watch.h"
#include "builtins/web/console/console.h"
#include "runtime/vm.h"
#include "sys/sys.h"
#include "util/buf.h"
#include "util/mem.h"

#include <signal.h>
#include <string.h>

/* Children that run when a test begins; of more those that are left over count as the test's. */
enum { CHILDREN_MAX = 64 };
enum { HELD_MAX = 16 * 1024, HELD_MS_MAX = 50, NS_PER_MS = 1000 * 1000 };

struct VmTests {
    Vm *vm;
    Buf held;
    u64 flushed_ns;
    bool is_tty, is_over;
    LoopTimer deadline, later;
    JsRef on_deadline, on_later, on_exit, interrupted;
    TestWatch watch;
    i32 children[CHILDREN_MAX]; /* that ran before the test */
    u32 n_children, n_killed;
    Str path, text; /* of the file that was looked at; in `arena` */
    Arena arena;
};

static struct VmTests *tests_of(Js *js)
{
    return vm_of(js)->tests;
}

/* ---- Output ------------------------------------------------------------------------------------
 */

static void flush(void *ctx)
{
    struct VmTests *t = ctx;
    if (!t->held.len) return;
    Buf text = t->held;
    t->held = (Buf){0};
    (void)!sys_write_all(2, buf_str(&text));
    buf_clear(&text);
    t->held = text;
    t->flushed_ns = sys_monotonic_ns();
}

static void before_wait(Vm *vm)
{
    test_watch_progress(&vm->tests->watch);
    flush(vm->tests);
}

static void added(struct VmTests *t)
{
    bool is_late = sys_monotonic_ns() - t->flushed_ns > (u64)HELD_MS_MAX * NS_PER_MS;
    if (t->is_tty || t->held.len > HELD_MAX || is_late) flush(t);
}

JS_NATIVE(runner_write)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str text;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &text)) return NULL;
    (void)buf_push(&tests_of(js)->held, text);
    added(tests_of(js));
    return JS_UNDEFINED;
}

/* " [1.25ms]": two digits, as toFixed has them; nothing for what took no time. */
static void put_duration(Buf *b, f64 ms)
{
    if (!(ms >= 0.005)) return;
    if (ms >= 1500) {
        (void)buf_fmt(b, " [%.2fs]", ms / 1000);
        return;
    }
    u32 hundredths = (u32)(ms * 100 + 0.5);
    char text[24] = " [";
    u32 n = 2, whole = hundredths / 100, scale = 1;
    while (whole / scale >= 10) scale *= 10;
    for (; scale; scale /= 10) text[n++] = (char)('0' + whole / scale % 10);
    text[n++] = '.';
    text[n++] = (char)('0' + hundredths / 10 % 10);
    text[n++] = (char)('0' + hundredths % 10);
    memcpy(text + n, "ms]", 3);
    (void)buf_push(b, (Str){text, n + 3});
}

static bool put_text(Js *js, Buf *b, JsVal v)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str text;
    if (!js_to_str(js, s.arena, v, &text)) return false;
    (void)buf_push(b, text);
    return true;
}

/* line(ms, ...texts): the texts, how long it took, a line break. */
JS_NATIVE(runner_line)
{
    struct VmTests *t = tests_of(js);
    usize before = t->held.len;
    for (u32 i = 1; i < args.len; i++) {
        if (put_text(js, &t->held, js_arg(args, i))) continue;
        t->held.len = before;
        return NULL;
    }
    put_duration(&t->held, js_get_number(js, js_arg(args, 0)));
    (void)buf_push_char(&t->held, '\n');
    added(t);
    return JS_UNDEFINED;
}

JS_NATIVE(runner_has_colors)
{
    return js_boolean(console_has_colors(vm_of(js), 2));
}

/* ---- Time --------------------------------------------------------------------------------------
 */

JS_NATIVE(runner_now)
{
    return js_number(js, (f64)sys_monotonic_ns() / NS_PER_MS);
}

static void on_deadline(LoopTimer *timer)
{
    struct VmTests *t = CONTAINER(struct VmTests, deadline, timer);
    test_watch_loop(&t->watch, -1);
    test_watch_progress(&t->watch);
    vm_call(t->vm, js_ref_get(t->vm->js, &t->on_deadline), JS_NO_ARGS);
}

/* deadline(ms): calls onDeadline then; it keeps the loop alive.  -1: never. */
JS_NATIVE(runner_deadline)
{
    struct VmTests *t = tests_of(js);
    f64 ms = js_get_number(js, js_arg(args, 0));
    test_watch_loop(&t->watch, ms);
    if (ms < 0)
        loop_timer_stop(&t->deadline);
    else {
        loop_update_now(t->vm->loop);
        loop_timer_start(&t->deadline, (u64)ms, 0, on_deadline);
    }
    return JS_UNDEFINED;
}

static void on_later(LoopTimer *timer)
{
    struct VmTests *t = CONTAINER(struct VmTests, later, timer);
    vm_call(t->vm, js_ref_get(t->vm->js, &t->on_later), JS_NO_ARGS);
}

/* later(): calls onLater in the loop's next turn. */
JS_NATIVE(runner_later)
{
    loop_timer_start(&tests_of(js)->later, 0, 0, on_later);
    return JS_UNDEFINED;
}

/* ---- Children ----------------------------------------------------------------------------------
 */

static LoopChild *running_child(LoopHandle *h)
{
    if (h->type != LOOP_CHILD || !loop_handle_is_active(h)) return NULL;
    return CONTAINER(LoopChild, handle, h);
}

static void note_child(LoopHandle *h, void *ctx)
{
    struct VmTests *t = ctx;
    const LoopChild *c = running_child(h);
    if (c && t->n_children < CHILDREN_MAX) t->children[t->n_children++] = c->pid;
}

static void kill_child(LoopHandle *h, void *ctx)
{
    struct VmTests *t = ctx;
    LoopChild *c = running_child(h);
    if (!c) return;
    for (u32 i = 0; i < t->n_children; i++)
        if (t->children[i] == c->pid) return;
    if (loop_child_kill(c, SIGKILL) == 0) t->n_killed++;
}

/* begun(): a test begins; what runs now is not its child. */
JS_NATIVE(runner_begun)
{
    (void)args;
    struct VmTests *t = tests_of(js);
    t->n_children = 0;
    loop_walk(t->vm->loop, note_child, t);
    return JS_UNDEFINED;
}

/* killChildren() -> how many it had started that still ran */
JS_NATIVE(runner_kill_children)
{
    (void)args;
    struct VmTests *t = tests_of(js);
    t->n_killed = 0;
    loop_walk(t->vm->loop, kill_child, t);
    return js_number(js, t->n_killed);
}

/* ---- Calls that end ----------------------------------------------------------------------------
 */

/* call(ms, fn, ...args): what it returns, or the value that `begin` was given when it did not
 * return in time. */
JS_NATIVE(runner_call)
{
    struct VmTests *t = tests_of(js);
    JsArgs inner = {.self = JS_UNDEFINED, .at = args.at + 2, .len = args.len - 2};
    test_watch_begin(&t->watch, js_get_number(js, js_arg(args, 0)));
    JsVal result = js_call(js, js_arg(args, 1), JS_UNDEFINED, inner);
    return test_watch_end(&t->watch) && !result ? js_ref_get(js, &t->interrupted) : result;
}

/* A test loops after an await.  On another thread; the one of JavaScript stays where it is. */
static void on_stuck(void *ctx)
{
    struct VmTests *t = ctx;
    sys_before_output(NULL, NULL);
    (void)!sys_write_all(2, buf_str(&t->held));
    (void)!sys_write_all(
        2, S("\nerror: a test has not come back since its time was over: it loops without "
             "awaiting.\nIt is the one behind the last that is reported above. The tests that "
             "follow have not run.\n"));
    sys_exit_now(1);
}

/* ---- Between tests -----------------------------------------------------------------------------
 */

JS_NATIVE(runner_drain)
{
    js_drain_microtasks(js);
    return JS_UNDEFINED;
}

/* settle(drains): runs microtasks first, if so; are there rejections that nobody has handled? */
JS_NATIVE(runner_settle)
{
    if (js_truthy(js, js_arg(args, 0))) js_drain_microtasks(js);
    test_watch_progress(&tests_of(js)->watch);
    return js_boolean(vm_of(js)->n_rejections > 0);
}

/* ---- Files -------------------------------------------------------------------------------------
 */

enum { SAYS_MOCK = 1, SAYS_TIME = 2 };

static bool says(Str text, const char *const *words)
{
    for (; *words; words++)
        if (str_find_str(text, str_z(*words)) >= 0) return true;
    return false;
}

/* look(path): reads a test file ahead of its loading.  What it says, as bits: 1, it replaces
 * modules, so that imports have to stay live; 2, it sets the clock. */
JS_NATIVE(runner_look)
{
    static const char *const mocking[] = {"mock.module", "jest.mock",  "jest.doMock", "vi.mock",
                                          "vi.doMock",   "vi.hoisted", "spyOn",       NULL};
    static const char *const timing[] = {"setSystemTime", "useFakeTimers", NULL};
    struct VmTests *t = tests_of(js);
    arena_clear(&t->arena);
    vm_give_text(t->vm, S(""), S(""));
    if (!js_to_str(js, &t->arena, js_arg(args, 0), &t->path)) return NULL;
    if (!vm_read_text(t->vm, &t->arena, t->path, &t->text)) {
        (void)js_catch(js); /* who loads it will say so */
        return js_int(js, 0);
    }
    vm_give_text(t->vm, t->path, t->text);
    i32 bits = (says(t->text, mocking) ? SAYS_MOCK : 0) | (says(t->text, timing) ? SAYS_TIME : 0);
    return js_int(js, bits);
}

/* load(path): undefined, a promise while it awaits, null when hooks of the loader may want to
 * wait. */
JS_NATIVE(runner_load)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    struct VmTests *t = tests_of(js);
    Str path;
    u32 id;
    if (vm_has_module_hooks(t->vm)) return JS_NULL;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &path)) return NULL;
    if (!vm_esm_load(t->vm, path, path, S(""), &id)) return NULL;
    return vm_esm_evaluate(t->vm, id);
}

JS_NATIVE(runner_keep_modules)
{
    vm_esm_keep(vm_of(js));
    return JS_UNDEFINED;
}

JS_NATIVE(runner_forget_modules)
{
    vm_esm_forget(vm_of(js), js_truthy(js, js_arg(args, 0)));
    return JS_UNDEFINED;
}

/* loaded(id): the exports of a built-in, or undefined while nobody needs it. */
JS_NATIVE(runner_loaded)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str id;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &id)) return NULL;
    i32 i = vm_builtin_find(vm_of(js), id);
    JsVal exports = i < 0 ? NULL : js_ref_get(js, &vm_of(js)->modules[i]);
    return exports ? exports : JS_UNDEFINED;
}

JS_NATIVE(runner_set_live)
{
    vm_esm_set_live(vm_of(js), js_truthy(js, js_arg(args, 0)));
    return JS_UNDEFINED;
}

JS_NATIVE(runner_caller_path)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    return js_str(js, js_caller_url(js, s.arena));
}

/* ---- Coverage ----------------------------------------------------------------------------------
 */

/* [line, count, isFunction, ...] of a file */
static JsVal counters_of(Js *js, const VmCovered *f)
{
    JsVal list = js_array(js, NULL, 0);
    for (u32 i = 0; list && i < f->n; i++) {
        bool ok = js_set_index(js, list, 3 * i, js_number(js, f->at[i].line)) &&
                  js_set_index(js, list, 3 * i + 1, js_number(js, f->counts[i])) &&
                  js_set_index(js, list, 3 * i + 2, js_boolean(f->at[i].is_function));
        if (!ok) return NULL;
    }
    return list;
}

/* covered() -> [path, counters, path, counters, ...] */
JS_NATIVE(runner_covered)
{
    (void)args;
    VmCovered *const *files = NULL;
    u32 n = vm_covered_list(vm_of(js), &files);
    JsVal list = js_array(js, NULL, 0);
    for (u32 i = 0; list && i < n; i++) {
        JsVal counters = counters_of(js, files[i]);
        if (!counters || !js_set_index(js, list, 2 * i, js_str(js, files[i]->path)) ||
            !js_set_index(js, list, 2 * i + 1, counters))
            return NULL;
    }
    return list;
}

/* ---- The beginning and the end -----------------------------------------------------------------
 */

/* A test ends the process: that is said, and is a failure. */
static int before_exit_now(Vm *vm, int code)
{
    struct VmTests *t = vm->tests;
    if (!t->is_over) {
        t->is_over = true;
        JsVal fn = js_ref_get(vm->js, &t->on_exit);
        if (!js_call(vm->js, fn, JS_UNDEFINED, JS_NO_ARGS)) (void)js_catch(vm->js);
        if (!code) code = 1;
    }
    flush(t);
    return code;
}

/* begin(onDeadline, onLater, onExit, interrupted) */
JS_NATIVE(runner_begin)
{
    Vm *vm = vm_of(js);
    ASSERT(!vm->tests);
    struct VmTests *t = vm->tests = MEM_NEW(struct VmTests);
    t->vm = vm;
    t->is_tty = sys_tty_is(2);
    loop_timer_open(vm->loop, &t->deadline);
    loop_timer_open(vm->loop, &t->later);
    js_ref_set_strong(js, &t->on_deadline, js_arg(args, 0));
    js_ref_set_strong(js, &t->on_later, js_arg(args, 1));
    js_ref_set_strong(js, &t->on_exit, js_arg(args, 2));
    js_ref_set_strong(js, &t->interrupted, js_arg(args, 3));
    t->watch = (TestWatch){.js = js, .on_stuck = on_stuck, .ctx = t};
    test_watch_start(&t->watch);
    vm->before_wait = before_wait;
    vm->before_exit_now = before_exit_now;
    sys_before_output(flush, t);
    return JS_UNDEFINED;
}

/* end(code): all tests have run; 'exit' is emitted if anybody can listen, and the process ends. */
JS_NATIVE(runner_end)
{
    Vm *vm = vm_of(js);
    i32 code = js_get_i32(js, js_arg(args, 0));
    vm->tests->is_over = true;
    JsVal exit = js_ref_get(js, &vm->exit);
    if (exit) {
        JsVal given = js_call(js, exit, JS_UNDEFINED, JS_ARGS(js_int(js, code)));
        if (given) {
            if (!code) code = js_get_i32(js, given) & 0xff;
        } else {
            vm_report_pending(vm);
            code = 1;
        }
    }
    vm_exit(vm, code);
}

static const JsFn fns[] = {
    JS_FN("begin", runner_begin),
    JS_FN("end", runner_end),
    JS_FN("write", runner_write),
    JS_FN("line", runner_line),
    JS_FN("hasColors", runner_has_colors),
    JS_FN("now", runner_now),
    JS_FN("deadline", runner_deadline),
    JS_FN("later", runner_later),
    JS_FN("drain", runner_drain),
    JS_FN("settle", runner_settle),
    JS_FN("call", runner_call),
    JS_FN("begun", runner_begun),
    JS_FN("killChildren", runner_kill_children),
    JS_FN("look", runner_look),
    JS_FN("load", runner_load),
    JS_FN("keepModules", runner_keep_modules),
    JS_FN("forgetModules", runner_forget_modules),
    JS_FN("loaded", runner_loaded),
    JS_FN("setLive", runner_set_live),
    JS_FN("callerPath", runner_caller_path),
    JS_FN("covered", runner_covered),
};
BUILTIN_NATIVE(internal_test_runner, fns)
