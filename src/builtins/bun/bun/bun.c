/* bun/bun/bun.c -- native half of the Bun object. */
#include "builtins/builtins.h"
#include "sys/sys.h"

#define BUN_API_VERSION "1.4.5"

JS_NATIVE(bun_versions)
{
    JsVal list[] = {js_str(js, S(BUN_API_VERSION)), js_str(js, vm_version()),
                    js_str(js, vm_revision())};
    return js_array(js, list, COUNT(list));
}

JS_NATIVE(bun_nanoseconds)
{
    return js_number(js, (f64)(sys_monotonic_ns() - vm_of(js)->start_ns));
}

JS_NATIVE(bun_sleep_sync)
{
    f64 ms = js_get_number(js, js_arg(args, 0));
    static const f64 ms_max = 1e12;
    sys_sleep_ns((u64)(MIN(ms, ms_max) * 1e6));
    return JS_UNDEFINED;
}

JS_NATIVE(bun_gc)
{
    js_gc(js, js_truthy(js, js_arg(args, 0)));
    return js_number(js, (f64)js_memory(js).heap_size);
}

JS_NATIVE(bun_shrink)
{
    js_gc(js, true);
    js_release_memory(js);
    sys_mem_trim();
    return JS_UNDEFINED;
}

static const JsFn fns[] = {
    JS_FN("versions", bun_versions),    JS_FN("nanoseconds", bun_nanoseconds),
    JS_FN("sleepSync", bun_sleep_sync), JS_FN("gc", bun_gc),
    JS_FN("shrink", bun_shrink),
};
BUILTIN_NATIVE(bun_bun, fns)
