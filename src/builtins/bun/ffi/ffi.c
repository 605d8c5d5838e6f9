/* bun/ffi/ffi.c -- native half of bun:ffi: libraries, functions, memory.
 *
 * Addresses are what the program says they are: a wrong one ends the process, as in C. */
#include "builtins/bun/ffi/ffi_value.h"
#include "sys/sys.h"
#include "util/mem.h"

#include <dlfcn.h>
#include <string.h>

typedef struct {
    FfiSignature signature;
    void *address; /* NULL: the library is closed */
} Function;

static void function_free(void *native)
{
    mem_free(native);
}

static const JsClass function_class = {.name = "FfiFunction", .finalize = function_free};
/* Not closed with the object: its functions may still be called. */
static const JsClass library_class = {.name = "FfiLibrary"};

static void *address_of(Js *js, JsVal v)
{
    void *p = NULL;
    bool ok = ffi_address(js, v, &p);
    ASSERT(ok);
    return p;
}

/* open(path | null) -> library, or the linker's text */
JS_NATIVE(ffi_open)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str path = {0};
    const char *error;
    bool has_path = js_is_string(js, js_arg(args, 0));
    if (has_path && !js_to_str(js, s.arena, js_arg(args, 0), &path)) return NULL;
    void *handle = sys_dl_open(has_path ? path.p : NULL, RTLD_LAZY, &error);
    if (!handle) return js_str(js, str_z(error));
    return js_wrap(js, &library_class, handle);
}

JS_NATIVE(ffi_close)
{
    sys_dl_close(js_unwrap_take(js, js_arg(args, 0), &library_class));
    return JS_UNDEFINED;
}

/* find(library, name) -> address or null */
JS_NATIVE(ffi_find)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str name;
    void *library = js_unwrap(js, js_arg(args, 0), &library_class);
    if (!library) return JS_NULL;
    if (!js_to_str(js, s.arena, js_arg(args, 1), &name)) return NULL;
    void *address = sys_dl_find(library, name.p);
    return address ? js_number(js, (f64)(uintptr_t)address) : JS_NULL;
}

/* prepare(address, kinds, result) -> function */
JS_NATIVE(ffi_prepare)
{
    Function *f = MEM_NEW(Function);
    if (!ffi_signature_init(js, js_arg(args, 1), js_get_i32(js, js_arg(args, 2)), &f->signature)) {
        mem_free(f);
        return NULL;
    }
    f->address = address_of(js, js_arg(args, 0));
    return js_wrap(js, &function_class, f);
}

/* forget(function): calls throw from now on. */
JS_NATIVE(ffi_forget)
{
    Function *f = js_unwrap(js, js_arg(args, 0), &function_class);
    if (f) f->address = NULL;
    return JS_UNDEFINED;
}

/* call(function, ...args) */
JS_NATIVE(ffi_call_function)
{
    const Function *f = js_unwrap(js, js_arg(args, 0), &function_class);
    if (!f || !f->address) return js_throw_type_error(js, "The library is closed");
    return ffi_invoke(js, &f->signature, f->address, args);
}

JS_NATIVE(ffi_open_callback)
{
    return ffi_callback_open(js, args);
}

JS_NATIVE(ffi_close_callback)
{
    return ffi_callback_close(js, args);
}

/* ---- Memory ------------------------------------------------------------------------------------
 */

/* ptr(view, offset) -> address; null: no view; -1: empty; -2: beyond its end */
JS_NATIVE(ffi_ptr)
{
    JsBytes bytes;
    if (!js_bytes_lasting(js, js_arg(args, 0), &bytes)) return JS_NULL;
    if (!bytes.n) return js_int(js, -1);
    i64 offset = js_get_i64(js, js_arg(args, 1));
    if (offset < 0 || (u64)offset > bytes.n) return js_int(js, -2);
    return js_number(js, (f64)(uintptr_t)(bytes.p + offset));
}

/* read(kind, address, offset) */
JS_NATIVE(ffi_read)
{
    static const u8 sizes[] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 8, 4, 1, 8};
    i32 kind = js_get_i32(js, js_arg(args, 0));
    JS_EXPECT(js, kind >= 0 && kind < (i32)COUNT(sizes));
    const char *p = address_of(js, js_arg(args, 1));
    FfiValue value = {0};
    memcpy(&value, p + js_get_i64(js, js_arg(args, 2)), sizes[kind]);
    return kind == FFI_PTR ? js_number(js, (f64)value.u64) : ffi_value_js(js, (u8)kind, &value);
}

/* cstring(address, offset, length | undefined) */
JS_NATIVE(ffi_cstring)
{
    const char *p = address_of(js, js_arg(args, 0));
    if (!p) return js_str(js, S(""));
    p += js_get_i64(js, js_arg(args, 1));
    JsVal n = js_arg(args, 2);
    return js_str(js, js_is_undefined(n) ? str_z(p) : (Str){p, (usize)js_get_i64(js, n)});
}

typedef void Release(void *bytes, void *context);

typedef struct {
    Release *fn;
    void *context;
} Owner;

static void release(void *p, void *data)
{
    Owner *owner = data;
    if (owner->fn) owner->fn(p, owner->context);
    mem_free(owner);
}

/* view(address, offset, length | undefined, context, deallocator) -> ArrayBuffer over the memory */
JS_NATIVE(ffi_view)
{
    char *p = address_of(js, js_arg(args, 0));
    p += js_get_i64(js, js_arg(args, 1));
    JsVal n = js_arg(args, 2);
    usize len = js_is_undefined(n) ? strlen(p) : (usize)js_get_i64(js, n);
    Owner *owner = MEM_NEW(Owner);
    owner->context = address_of(js, js_arg(args, 3));
    owner->fn = (Release *)(uintptr_t)address_of(js, js_arg(args, 4));
    return js_array_buffer_take(js, p, len, release, owner);
}

static const JsFn fns[] = {
    JS_FN("open", ffi_open),
    JS_FN("close", ffi_close),
    JS_FN("find", ffi_find),
    JS_FN("prepare", ffi_prepare),
    JS_FN("forget", ffi_forget),
    JS_FN("call", ffi_call_function),
    JS_FN("openCallback", ffi_open_callback),
    JS_FN("closeCallback", ffi_close_callback),
    JS_FN("ptr", ffi_ptr),
    JS_FN("read", ffi_read),
    JS_FN("cstring", ffi_cstring),
    JS_FN("view", ffi_view),
};
BUILTIN_NATIVE(bun_ffi, fns)
