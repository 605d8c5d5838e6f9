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
