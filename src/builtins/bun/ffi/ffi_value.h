/* bun/ffi/ffi_value.h -- values between JavaScript and C, and the types they can have. */
#pragma once

#include <ffi.h>

#include "builtins/builtins.h"

/* FFIType of bun:ffi (https://bun.com/docs/runtime/ffi): programs use the numbers. */
typedef enum {
    FFI_CHAR,
    FFI_I8,
    FFI_U8,
    FFI_I16,
    FFI_U16,
    FFI_I32,
    FFI_U32,
    FFI_I64,
    FFI_U64,
    FFI_F64,
    FFI_F32,
    FFI_BOOL,
    FFI_PTR,
    FFI_VOID,
    FFI_CSTRING,
    FFI_I64_FAST, /* a number where it fits */
    FFI_U64_FAST,
    FFI_FUNCTION,
    FFI_BUFFER = 20,
    FFI_BUFFER_LENGTH = 21,
    FFI_KIND_MAX = 21,
} FfiKind;

/* Room for any of them.  libffi widens small results to a register. */
typedef union {
    i8 i8;
    u8 u8;
    i16 i16;
    u16 u16;
    i32 i32;
    u32 u32;
    i64 i64;
    u64 u64;
    f64 f64;
    float f32;
    void *ptr;
    ffi_arg wide;
} FfiValue;

enum { FFI_ARGS_MAX = 128 };

/* A signature that libffi knows. */
typedef struct {
    ffi_cif cif;
    ffi_type *types[FFI_ARGS_MAX];
    u8 kinds[FFI_ARGS_MAX];
    u8 result;
    u32 n_args;
} FfiSignature;

/* From the bytes of a Uint8Array of kinds and the kind of the result.  false: an exception is
 * pending. */
NODISCARD bool ffi_signature_init(Js *js, JsVal kinds, i32 result, FfiSignature *ret);
/* What an argument is for C; texts are copied into `a`.  false: an exception is pending. */
NODISCARD bool ffi_value_read(Js *js, Arena *a, u8 kind, JsVal v, FfiValue *ret);
/* Makes a small value as wide as libffi wants results of callbacks. */
void ffi_value_widen(u8 kind, FfiValue *v);
JsVal ffi_value_js(Js *js, u8 kind, const FfiValue *v);
/* A number, a BigInt, null or undefined as an address.  false, without exception: none of them. */
bool ffi_address(Js *js, JsVal v, void **ret);
/* Calls the function at `address`; `args` are those behind the first one. */
JsVal ffi_invoke(Js *js, const FfiSignature *s, void *address, JsArgs args);
/* Whether a call of ffi_invoke is under way in this thread: then an exception of a callback goes to
 * its caller. */
bool ffi_is_calling(void);
/* fn, kinds, result, is_threadsafe -> [callback, address]; then closed with ffi_callback_close. */
JsVal ffi_callback_open(Js *js, JsArgs args);
JsVal ffi_callback_close(Js *js, JsArgs args);
