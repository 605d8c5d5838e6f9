/* engine/js_gc.c -- the collector and memory figures. */
#include "engine/js_internal.h"

#include "engine/js_private.h"

void js_gc(Js *js, bool is_sync)
{
    if (is_sync && JSSynchronousGarbageCollectForDebugging) {
        JSSynchronousGarbageCollectForDebugging(js->ctx);
    } else {
        JSGarbageCollect(js->ctx);
    }
}

void js_release_memory(Js *js)
{
    js_gc(js, true);
    if (jsc_release_free_memory) jsc_release_free_memory();
}

static usize take_figure(Js *js, JsVal statistics, const char *name)
{
    f64 n = 0;
    JsVal v = js_get(js, statistics, name);
    if (!v || !js_to_number(js, v, &n)) (void)js_take_pending(js);
    return n > 0 ? (usize)n : 0;
}

JsMemory js_memory(Js *js)
{
    JsMemory memory = {0};
    if (!JSGetMemoryUsageStatistics) return memory;
    JsVal statistics = js_val_of(JSGetMemoryUsageStatistics(js->ctx));
    if (!statistics) return memory;
    memory.heap_size = take_figure(js, statistics, "heapSize");
    memory.heap_capacity = take_figure(js, statistics, "heapCapacity");
    memory.extra_memory = take_figure(js, statistics, "extraMemorySize");
    memory.object_count = take_figure(js, statistics, "objectCount");
    memory.protected_count = take_figure(js, statistics, "protectedObjectCount");
    return memory;
}
