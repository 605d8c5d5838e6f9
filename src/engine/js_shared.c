/* engine/js_shared.c -- the memory of a SharedArrayBuffer and the code of a WebAssembly.Module, for
 * other threads.
 *
 * Both are objects of the engine that count their owners, one a buffer or module; the count is
 * their first word.  Whoever sends one to another thread is an owner until the other has made its
 * own. */
#include "engine/js_internal.h"

#include <stdatomic.h>

#include "engine/js_private.h"

/* Words as in js_bytes.c: of a buffer object, and of its implementation. */
enum { BUFFER_IMPL = 2, IMPL_SHARED = 4 };
/* Of a WebAssembly.Module. */
enum { WASM_CODE = 2 };
/* The count of an implementation goes in twos; the low bit says that the collector has it. */
enum { IMPL_REF = 2, IMPL_IS_COLLECTED = 1 };

/* JSC::JSWebAssemblyModule::create, which takes the code. */
extern void *jsc_wasm_module_create(void *vm, const void *structure, void **take_code) JSC_SYMBOL(
    "_ZN3JSC19JSWebAssemblyModule6createERNS_2VMEPNS_9StructureEON3WTF3RefINS_4Wasm6ModuleE"
    "NS5_12RawPtrTraitsIS8_EENS5_21DefaultRefDerefTraitsIS8_EEEE");

static void add_owner(void *counted)
{
    atomic_fetch_add_explicit((_Atomic u32 *)counted, 1, memory_order_relaxed);
}

void *js_shared_take(Js *js, JsVal v)
{
    if (!js_is_object(js, v) || !jsc.has_layout || !jsc_buffer_create_shared ||
        !jsc_buffer_object_create || ((const u8 *)v)[CELL_TYPE] != TYPE_ARRAY_BUFFER) {
        return NULL;
    }
    const u64 *impl = (const u64 *)(uintptr_t)((const u64 *)(const void *)v)[BUFFER_IMPL];
    if (!impl || !impl[IMPL_SHARED]) return NULL;
    void *contents = (void *)(uintptr_t)impl[IMPL_SHARED];
    add_owner(contents);
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

bool js_wasm_is(Js *js, JsVal v)
{
    if (!js_is_object(js, v) || !jsc.has_layout || !jsc_wasm_module_create) return false;
    return str_eq(js_class_name(js, v), S("WebAssembly.Module"));
}

void *js_wasm_take(Js *js, JsVal v)
{
    if (!js_wasm_is(js, v)) return NULL;
    void *code = (void *)(uintptr_t)((const u64 *)(const void *)v)[WASM_CODE];
    add_owner(code);
    return code;
}

JsVal js_wasm_make(Js *js, void *code, JsVal sample)
{
    ASSERT(code && js_wasm_is(js, sample));
    return (JsVal)jsc_wasm_module_create(js->vm, js_private_structure(sample), &code);
}
