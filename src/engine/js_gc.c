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

/* The heap inside the C++ VM, whose exported functions take it. */
enum { VM_HEAP = 0xc0 };
/* A heap that holds less is not worth a collection, which costs more than the program's start and
 * leaves two threads behind for ten seconds. */
enum { WORTH_COLLECTING = 4 << 20 };

/* Of a small heap, cancels the collections by timer too, which would wake a process that sleeps;
 * the next allocations set them again. */
static bool leave_small_heap(Js *js)
{
    bool is_known = jsc.has_layout && jsc_heap_capacity && jsc_heap_full_timer &&
                    jsc_heap_eden_timer && jsc_gc_timer_cancel;
    if (!is_known) return false;
    void *heap = (char *)js->vm + VM_HEAP;
    if (jsc_heap_capacity(heap) >= WORTH_COLLECTING) return false;
    void *timers[] = {jsc_heap_full_timer(heap), jsc_heap_eden_timer(heap)};
    for (u32 i = 0; i < COUNT(timers); i++)
        if (timers[i]) jsc_gc_timer_cancel(timers[i]);
    return true;
}

void js_release_memory(Js *js)
{
    if (!leave_small_heap(js)) js_gc(js, true);
    if (!jsc_release_free_memory) return;
    /* What it frees would start the allocator's thread, which then has nothing left to do. */
    bool has_switch = &pas_scavenger_is_enabled,
         was_enabled = has_switch && pas_scavenger_is_enabled;
    if (has_switch) pas_scavenger_is_enabled = false;
    jsc_release_free_memory();
    if (has_switch) pas_scavenger_is_enabled = was_enabled;
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

JsVal js_heap_statistics(Js *js)
{
    if (!JSGetMemoryUsageStatistics) return JS_UNDEFINED;
    JsVal statistics = js_val_of(JSGetMemoryUsageStatistics(js->ctx));
    return statistics ? statistics : JS_UNDEFINED;
}

/* Four counters are read and added, without a lock: one may be that of a moment ago. */
usize js_heap_capacity_mt(Js *js)
{
    if (!jsc.has_layout || !jsc_heap_capacity) return 0;
    return jsc_heap_capacity((char *)js->vm + VM_HEAP);
}

JsMemory js_heap_memory(Js *js)
{
    bool is_known = jsc.has_layout && jsc_heap_capacity && jsc_heap_size && jsc_heap_extra;
    if (!is_known) return js_memory(js);
    void *heap = (char *)js->vm + VM_HEAP;
    return (JsMemory){.heap_size = jsc_heap_size(heap),
                      .heap_capacity = jsc_heap_capacity(heap),
                      .extra_memory = jsc_heap_extra(heap)};
}
