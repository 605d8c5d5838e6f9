/* engine/js_shared.c -- the memory of a SharedArrayBuffer, for other threads.
 *
 * The memory is an object of the engine that counts its owners, one a buffer; the count is its
 * first word.  Whoever sends it to another thread is an owner until the other has made a buffer. */
#include "engine/js_internal.h"

#include <stdatomic.h>

#include "engine/js_private.h"

/* Words as in js_bytes.c: of a buffer object, and of its implementation. */
enum { BUFFER_IMPL = 2, IMPL_SHARED = 4 };
/* The count of an implementation goes in twos; the low bit says that the collector has it. */
enum { IMPL_REF = 2, IMPL_IS_COLLECTED = 1 };

void *js_shared_take(Js *js, JsVal v)
{
    if (!js_is_object(js, v) || !jsc.has_layout || !jsc_buffer_create_shared ||
        !jsc_buffer_object_create || ((const u8 *)v)[CELL_TYPE] != TYPE_ARRAY_BUFFER) {
        return NULL;
    }
    const u64 *impl = (const u64 *)(uintptr_t)((const u64 *)(const void *)v)[BUFFER_IMPL];
    if (!impl || !impl[IMPL_SHARED]) return NULL;
    void *contents = (void *)(uintptr_t)impl[IMPL_SHARED];
    atomic_fetch_add_explicit((_Atomic u32 *)contents, 1, memory_order_relaxed);
    return contents;
}

JsVal js_shared_make(Js *js, void *contents, JsVal sample)
{
    ASSERT(contents && js_shared_is(js, sample));
    void *impl = NULL;
    jsc_buffer_create_shared(&impl, &contents);
    void *obj = jsc_buffer_object_create(js->vm, js_private_structure(sample), &impl);
    /* The object has a reference of its own; ours is left when the engine did not move it. */
    if (impl && *(u32 *)impl & IMPL_IS_COLLECTED) *(u32 *)impl -= IMPL_REF;
    return (JsVal)obj;
}

bool js_shared_is(Js *js, JsVal v)
{
    if (!js_is_object(js, v) || !jsc.has_layout) return false;
    return ((const u8 *)v)[CELL_TYPE] == TYPE_ARRAY_BUFFER && js_is_shared(js, v);
}
