/* bun/jsc/jsc.c -- native half of bun:jsc. */
#include "builtins/builtins.h"
#include "sys/sys.h"

/* gc(is_sync) -> bytes of the heap afterwards */
JS_NATIVE(jsc_gc)
{
    js_gc(js, js_truthy(js, js_arg(args, 0)));
    return js_number(js, (f64)js_heap_memory(js).heap_size);
}

JS_NATIVE(jsc_heap_size)
{
    return js_number(js, (f64)js_heap_memory(js).heap_size);
}

JS_NATIVE(jsc_heap_stats)
{
    return js_heap_statistics(js);
}

JS_NATIVE(jsc_drain_microtasks)
{
    js_drain_microtasks(js);
    return JS_UNDEFINED;
}

JS_NATIVE(jsc_caller_url)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    return js_str(js, js_caller_url(js, s.arena));
}

/* setTimeZone(name) -> bool */
JS_NATIVE(jsc_set_time_zone)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str zone;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &zone)) return NULL;
    return js_boolean(js_set_time_zone(zone));
}

static const JsFn fns[] = {
    JS_FN("gc", jsc_gc),
    JS_FN("heapSize", jsc_heap_size),
    JS_FN("heapStats", jsc_heap_stats),
    JS_FN("drainMicrotasks", jsc_drain_microtasks),
    JS_FN("callerUrl", jsc_caller_url),
    JS_FN("setTimeZone", jsc_set_time_zone),
};
BUILTIN_NATIVE(bun_jsc, fns)
