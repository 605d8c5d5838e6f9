/* bun/ffi/ffi_value.c -- values between JavaScript and C, and calls of C functions. */
#include "builtins/bun/ffi/ffi_value.h"

#include <math.h>
#include <string.h>

static _Thread_local u32 n_calls; /* of C functions that are under way */

static const char *const names[] = {
    "char",     "i8",       "u8",  "i16",  "u16",    "i32",           "u32",     "i64",
    "u64",      "f64",      "f32", "bool", "ptr",    "void",          "cstring", "i64_fast",
    "u64_fast", "function", "",    "",     "buffer", "buffer_length",
};

static ffi_type *type_of(u8 kind)
{
    switch (kind) {
    case FFI_CHAR:
    case FFI_I8: return &ffi_type_sint8;
    case FFI_U8:
    case FFI_BOOL: return &ffi_type_uint8;
    case FFI_I16: return &ffi_type_sint16;
    case FFI_U16: return &ffi_type_uint16;
    case FFI_I32: return &ffi_type_sint32;
    case FFI_U32: return &ffi_type_uint32;
    case FFI_I64:
    case FFI_I64_FAST: return &ffi_type_sint64;
    case FFI_U64:
    case FFI_U64_FAST:
    case FFI_BUFFER_LENGTH: return &ffi_type_uint64;
    case FFI_F64: return &ffi_type_double;
    case FFI_F32: return &ffi_type_float;
    case FFI_VOID: return &ffi_type_void;
    default: return &ffi_type_pointer;
    }
}

bool ffi_signature_init(Js *js, JsVal kinds, i32 result, FfiSignature *ret)
{
    JsBytes bytes;
    if (!js_take_bytes(js, kinds, &bytes)) return false;
    JS_EXPECT(js, result >= 0 && result <= FFI_KIND_MAX);
    if (bytes.n > FFI_ARGS_MAX) {
        (void)js_throw_range_error(js, "more than %d arguments", FFI_ARGS_MAX);
        return false;
    }
    ret->n_args = (u32)bytes.n;
    ret->result = (u8)result;
    for (u32 i = 0; i < ret->n_args; i++) {
        JS_EXPECT(js, bytes.p[i] <= FFI_KIND_MAX);
        ret->kinds[i] = bytes.p[i];
        ret->types[i] = type_of(bytes.p[i]);
    }
    ffi_status status =
        ffi_prep_cif(&ret->cif, FFI_DEFAULT_ABI, ret->n_args, type_of(ret->result), ret->types);
    if (status == FFI_OK) return true;
    (void)js_throw_error(js, "the signature is not one that C functions have");
    return false;
}

/* ---- From JavaScript ---------------------------------------------------------------------------
 */

static bool fail(Js *js, u8 kind)
{
    (void)js_throw_type_error(js, "bun:ffi cannot convert argument to '%s'", names[kind]);
    return false;
}

/* Towards zero, as if C converted it, but modulo 2^64 where C would not say. */
static u64 integer_of(f64 n)
{
    if (!isfinite(n)) return 0;
    n = trunc(n);
    if (n >= -0x1p63 && n < 0x1p63) return (u64)(i64)n;
    f64 rest = fmod(n, 0x1p64);
    if (rest < 0) rest += 0x1p64;
    return rest < 0x1p64 ? (u64)rest : 0;
}

bool ffi_address(Js *js, JsVal v, void **ret)
{
    i64 n;
    bool is_exact;
    switch (js_type(js, v)) {
    case JS_TYPE_UNDEFINED:
    case JS_TYPE_NULL: *ret = NULL; return true;
    case JS_TYPE_NUMBER: *ret = (void *)(uintptr_t)integer_of(js_get_number(js, v)); return true;
    case JS_TYPE_BIGINT:
        if (!js_to_bigint_i64(js, v, &n, &is_exact)) return false;
        *ret = (void *)(uintptr_t)n;
        return true;
    default: return false;
    }
}

static bool read_integer(Js *js, u8 kind, JsVal v, FfiValue *ret)
{
    i64 n;
    bool is_exact, is_wide = kind == FFI_I64 || kind == FFI_U64 || kind == FFI_I64_FAST ||
                             kind == FFI_U64_FAST;
    switch (js_type(js, v)) {
    case JS_TYPE_NUMBER: ret->u64 = integer_of(js_get_number(js, v)); break;
    case JS_TYPE_BIGINT:
        if (!js_to_bigint_i64(js, v, &n, &is_exact)) return false;
        ret->i64 = n;
        break;
    case JS_TYPE_BOOLEAN: ret->u64 = js_truthy(js, v); break;
    case JS_TYPE_UNDEFINED:
    case JS_TYPE_NULL:
        if (is_wide) return fail(js, kind);
        ret->u64 = 0;
        break;
    default: return fail(js, kind);
    }
    if (kind == FFI_BOOL) ret->u64 = ret->u64 != 0;
    return true;
}

static bool read_float(Js *js, u8 kind, JsVal v, FfiValue *ret)
{
    f64 n = 0;
    i64 big;
    bool is_exact;
    JsType type = js_type(js, v);
    if (type == JS_TYPE_BIGINT) {
        if (!js_to_bigint_i64(js, v, &big, &is_exact)) return false;
        n = (f64)big;
    } else if (type == JS_TYPE_NUMBER) {
        n = js_get_number(js, v);
    } else if (type == JS_TYPE_BOOLEAN) {
        n = js_truthy(js, v);
    } else {
        return fail(js, kind);
    }
    if (kind == FFI_F64)
        ret->f64 = n;
    else
        ret->f32 = (float)n;
    return true;
}

/* Objects that carry an address: JSCallback, functions of ours. */
static bool read_carrier(Js *js, u8 kind, JsVal v, FfiValue *ret)
{
    if (js_type(js, v) != JS_TYPE_OBJECT) return fail(js, kind);
    JsVal ptr = js_get(js, v, "ptr");
    if (!ptr) return false;
    if (js_is_nullish(ptr) || !ffi_address(js, ptr, &ret->ptr))
        return !js_is_pending(js) && fail(js, kind);
    return true;
}

static bool read_pointer(Js *js, Arena *a, u8 kind, JsVal v, FfiValue *ret)
{
    JsBytes bytes;
    if (js_bytes_lasting(js, v, &bytes)) {
        ret->ptr = bytes.p;
        return true;
    }
    if (kind == FFI_BUFFER) {
        (void)js_throw_type_error(js, "bun:ffi 'buffer' argument must be a TypedArray or DataView");
        return false;
    }
    if (kind == FFI_CSTRING && js_is_string(js, v)) {
        Str text;
        if (!js_to_str(js, a, v, &text)) return false;
        ret->ptr = (void *)(uintptr_t)text.p;
        return true;
    }
    if (ffi_address(js, v, &ret->ptr)) return true;
    return !js_is_pending(js) && read_carrier(js, kind, v, ret);
}

bool ffi_value_read(Js *js, Arena *a, u8 kind, JsVal v, FfiValue *ret)
{
    JsBytes bytes;
    switch (kind) {
    case FFI_F64:
    case FFI_F32: return read_float(js, kind, v, ret);
    case FFI_PTR:
    case FFI_CSTRING:
    case FFI_FUNCTION:
    case FFI_BUFFER: return read_pointer(js, a, kind, v, ret);
    case FFI_BUFFER_LENGTH:
        if (!js_bytes(js, v, &bytes)) return fail(js, kind);
        ret->u64 = bytes.n;
        return true;
    case FFI_VOID: ret->u64 = 0; return true;
    default: return read_integer(js, kind, v, ret);
    }
}

/* ---- To JavaScript -----------------------------------------------------------------------------
 */

static JsVal fast_i64(Js *js, i64 n)
{
    bool is_safe = n >= -(1LL << 53) + 1 && n <= (1LL << 53) - 1;
    return is_safe ? js_number(js, (f64)n) : js_bigint_i64(js, n);
}

JsVal ffi_value_js(Js *js, u8 kind, const FfiValue *v)
{
    switch (kind) {
    case FFI_CHAR:
    case FFI_I8: return js_int(js, v->i8);
    case FFI_U8: return js_int(js, v->u8);
    case FFI_I16: return js_int(js, v->i16);
    case FFI_U16: return js_int(js, v->u16);
    case FFI_I32: return js_int(js, v->i32);
    case FFI_U32: return js_number(js, v->u32);
    case FFI_I64: return js_bigint_i64(js, v->i64);
    case FFI_U64:
    case FFI_BUFFER_LENGTH: return js_bigint_u64(js, v->u64);
    case FFI_I64_FAST: return fast_i64(js, v->i64);
    case FFI_U64_FAST:
        return v->u64 < 1ULL << 53 ? js_number(js, (f64)v->u64) : js_bigint_u64(js, v->u64);
    case FFI_F64: return js_number(js, v->f64);
    case FFI_F32: return js_number(js, v->f32);
    case FFI_BOOL: return js_boolean(v->u8 != 0);
    case FFI_VOID: return JS_UNDEFINED;
    case FFI_CSTRING: return v->ptr ? js_str(js, str_z(v->ptr)) : JS_NULL;
    default: return v->ptr ? js_number(js, (f64)(uintptr_t)v->ptr) : JS_NULL;
    }
}

void ffi_value_widen(u8 kind, FfiValue *v)
{
    switch (kind) {
    case FFI_CHAR:
    case FFI_I8: v->wide = (ffi_arg)(ffi_sarg)v->i8; break;
    case FFI_I16: v->wide = (ffi_arg)(ffi_sarg)v->i16; break;
    case FFI_I32: v->wide = (ffi_arg)(ffi_sarg)v->i32; break;
    case FFI_U8:
    case FFI_BOOL: v->wide = v->u8; break;
    case FFI_U16: v->wide = v->u16; break;
    case FFI_U32: v->wide = v->u32; break;
    default: break;
    }
}

/* ---- Calls -------------------------------------------------------------------------------------
 */

bool ffi_is_calling(void)
{
    return n_calls > 0;
}

JsVal ffi_invoke(Js *js, const FfiSignature *s, void *address, JsArgs args)
{
    AUTO(Scratch) scratch = scratch_begin(NULL);
    FfiValue values[FFI_ARGS_MAX], result = {0};
    void *at[FFI_ARGS_MAX];
    for (u32 i = 0; i < s->n_args; i++) {
        if (!ffi_value_read(js, scratch.arena, s->kinds[i], js_arg(args, i + 1), &values[i]))
            return NULL;
        at[i] = &values[i];
    }
    n_calls++;
    /* libffi keeps the types, which it does not change, without const. */
    ffi_call((ffi_cif *)(uintptr_t)&s->cif, (void (*)(void))(uintptr_t)address, &result, at);
    n_calls--;
    if (js_is_pending(js)) return NULL; /* of a callback */
    return ffi_value_js(js, s->result, &result);
}
