/* bench/native_call.c -- nanoseconds of a call from compiled JavaScript to a native function.
 *
 * usage: native_call [MAX_NS]
 * Measures both ways that engine/ can make a native function, the fast one and the C API, less an
 * empty loop, best of ROUNDS. Exit code 1 when the fast one costs more than MAX_NS. */
#include "engine/js.h"

#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 7, CALLS = 2000000 };

JS_NATIVE(native_nothing)
{
    return JS_UNDEFINED;
}

JS_NATIVE(native_add)
{
    return js_number(js, js_get_number(js, js_arg(args, 0)) + js_get_number(js, js_arg(args, 1)));
}

static const char program[] =
    "(function (nothing, add, now, rounds, calls) {\n"
    "  const empty = (n) => { let x = 0; for (let i = 0; i < n; i++) x += i & 3; return x; };\n"
    "  const first = (n) => { let x = 0; for (let i = 0; i < n; i++) { nothing(); x += i & 3; } "
    "return x; };\n"
    "  const second = (n) => { let x = 0; for (let i = 0; i < n; i++) x = add(x, i & 3); return x; "
    "};\n"
    "  const best = (fn) => {\n"
    "    let least = Infinity;\n"
    "    for (let r = 0; r < rounds; r++) {\n"
    "      const begin = now();\n"
    "      fn(calls);\n"
    "      least = Math.min(least, now() - begin);\n"
    "    }\n"
    "    return least;\n"
    "  };\n"
    "  const loop = best(empty);\n"
    "  return [best(first) - loop, best(second) - loop].map((ms) => ms * 1e6 / calls);\n"
    "})\n";

JS_NATIVE(native_now)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return js_number(js, (f64)t.tv_sec * 1e3 + (f64)t.tv_nsec / 1e6);
}

static bool measure(bool is_slow, f64 ret_ns[2])
{
    static const JsFn nothing = JS_FN("nothing", native_nothing), add = JS_FN("add", native_add),
                      now = JS_FN("now", native_now);
    JsOptions options = {.no_fast_natives = is_slow};
    Js *js = js_new(&options);
    JsVal fn = js_eval(js, str_z(program), S("native_call"), 1);
    JsVal result =
        fn ? js_call(js, fn, JS_UNDEFINED,
                     JS_ARGS(js_function(js, &nothing), js_function(js, &add),
                             js_function(js, &now), js_int(js, ROUNDS), js_int(js, CALLS)))
           : NULL;
    for (u32 i = 0; result && i < 2; i++) {
        JsVal v = js_get_index(js, result, i);
        if (!v || !js_to_number(js, v, &ret_ns[i])) return false;
    }
    return result != NULL;
}

/* Each way in a process of its own: the engine decides once. */
static bool measure_apart(const char *name, bool is_slow, f64 max_ns)
{
    (void)fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        f64 ns[2];
        bool ok = measure(is_slow, ns);
        if (ok)
            (void)printf("%s: %.1f ns without arguments, %.1f ns with two numbers\n", name, ns[0],
                         ns[1]);
        (void)fflush(stdout);
        _exit(ok && (max_ns <= 0 || ns[0] <= max_ns) ? 0 : 1);
    }
    int status;
    return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

int main(int argc, char **argv)
{
    u64 max_ns = 0;
    if (argc > 1 && !str_to_u64(str_z(argv[1]), &max_ns)) return 2;
    bool ok = measure_apart("fast path", false, (f64)max_ns);
    ok &= measure_apart("C API", true, 0);
    if (!ok) (void)printf("a native call costs more than %llu ns\n", (unsigned long long)max_ns);
    return ok ? 0 : 1;
}
