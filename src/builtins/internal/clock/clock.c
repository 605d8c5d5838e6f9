/* internal/clock -- the clock of performance.now(), event time stamps and process.uptime().
 *
 * It counts from the start of the process: both clocks are read once, before main. */
#include "builtins/builtins.h"
#include "sys/sys.h"

static u64 start_ns, start_real_ns;

__attribute__((constructor)) static void read_start(void)
{
    start_ns = sys_monotonic_ns();
    start_real_ns = sys_realtime_ns();
}

/* Milliseconds since the start, with what a double keeps of the nanoseconds. */
JS_NATIVE(clock_now)
{
    return js_number(js, (f64)(sys_monotonic_ns() - start_ns) / 1e6);
}

/* Milliseconds since the Unix epoch at the start. */
JS_NATIVE(clock_origin)
{
    return js_number(js, (f64)start_real_ns / 1e6);
}

static const JsFn fns[] = {
    JS_FN("now", clock_now),
    JS_FN("origin", clock_origin),
};
BUILTIN_NATIVE(internal_clock, fns)
