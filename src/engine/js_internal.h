/* engine/js_internal.h -- what the files of engine/ share; nobody else includes it.
 *
 * A JsVal is the engine's encoded value: the JSValueRef of the C API and the JSValue of the C++
 * side have the same 64 bits.  The casts below are the only places where one turns into the other.
 */
#pragma once

#include <JavaScriptCore/JavaScript.h>

#include "engine/js.h"
#include "util/map.h"

/* Encoding of values (JSCJSValue.h of the engine, checked by js_value_self_test).  A cell is a
 * pointer: none of the NUMBER_TAG bits and not OTHER_TAG. */
#define NUMBER_TAG   0xfffe000000000000ull
#define DOUBLE_SHIFT 0x0002000000000000ull
enum {
    OTHER_TAG = 0x2,
    BITS_NULL = 0x02,
    BITS_FALSE = 0x06,
    BITS_TRUE = 0x07,
    BITS_UNDEFINED = 0x0a,
};

enum { JS_NAMES_MAX = 4096, CHARS_KEPT = 8 };

struct JsName {
    JSStringRef ref;
    JsVal key; /* the same as a string value, protected */
};

/* Where objects of a shape have their hidden slot (js_hidden.c). */
enum { HIDDEN_SLOTS = 64 };
typedef struct {
    u32 shape, word;
} JsHiddenSlot;

struct Js {
    JSGlobalContextRef ctx;
    void *vm; /* JSContextGroupRef, which is the C++ VM */
    void *user_data;
    JsVal pending; /* exception on its way up, protected; NULL: none */
    u32 enter_depth;
    bool has_fast_natives, is_fast_native_tested;
    bool gc_stress, smol, is_host_hooked;
    bool has_engine_call, is_call_tested;
    bool has_elements, is_element_tested; /* js_element.c */
    u32 stop;      /* js_terminate.c; written by other threads: atomic accesses only */
    JsRef *strong; /* the list of strong references, newest first */
    Arena arena;
    StrMap names; /* text -> JsName *, at most JS_NAMES_MAX */
    JSStringRef chars_kept[CHARS_KEPT];
    u32 chars_next;
    IdMap classes; /* JsClass * -> JSClassRef */
    JSClassRef closure_class;
    const uintptr_t *wrap_info; /* the engine's class of all wrapped pointers, when it tells */
    JsRejectionFn *on_rejection;
    JsImportFn *on_import;
    JsMapFn *on_map;
    JsNameAtFn *on_name;
    u32 stack_trace_limit;
    struct JsRunLoop *run_loop;
    struct JsLazy *lazy;        /* globals that are made when they are touched */
    struct JsStackState *stack; /* made at the first access to error.stack */
    JsRef async_context;        /* js_async.c */
    bool has_contexts;          /* js_context.c */
    JsHandles *handles;         /* js_handles.c */
    JSClassRef callback_class;  /* js_callback.c */
    JsVal hidden_key;           /* js_hidden.c; protected */
    JsHiddenSlot hidden_slots[HIDDEN_SLOTS];
    const void *promise_structure;   /* js_promise.c; the global object keeps it */
    struct StaticCode *static_codes; /* js_static.c */
};

static inline u64 js_bits(JsVal v)
{
    return (u64)(uintptr_t)v;
}
static inline JsVal js_from_bits(u64 bits)
{
    return (JsVal)(uintptr_t)bits;
}
static inline JSValueRef js_ref_of(JsVal v)
{
    return (JSValueRef)(const void *)v;
}
static inline JsVal js_val_of(JSValueRef v)
{
    return (JsVal)(const void *)v;
}
static inline JSObjectRef js_obj_of(JsVal v)
{
    return (JSObjectRef)(uintptr_t)v;
}
static inline const JSValueRef *js_refs_of(const JsVal *at)
{
    return (const void *)at;
}
static inline bool js_is_cell(JsVal v)
{
    return v && !(js_bits(v) & (NUMBER_TAG | OTHER_TAG));
}
static inline JsVal js_from_int(i32 n)
{
    return js_from_bits(NUMBER_TAG | (u32)n);
}

/* Makes `exception` pending and returns NULL. */
JsVal js_set_pending(Js *js, JSValueRef exception);
/* The result of a C API call: NULL when it left an exception.  By address, so that the call may
 * stand in the argument list. */
static inline JsVal js_result(Js *js, JSValueRef v, const JSValueRef *exception)
{
    if (UNLIKELY(*exception)) return js_set_pending(js, *exception);
    return js_val_of(v);
}
static inline bool js_result_ok(Js *js, JSValueRef exception)
{
    if (LIKELY(!exception)) return true;
    (void)js_set_pending(js, exception);
    return false;
}
/* Takes the pending exception without the ASSERT of js_catch: NULL when there is none. */
JsVal js_take_pending(Js *js);

/* Options, signals, threads of the engine; the first call counts. */
void js_process_init(const JsOptions *js_options);
/* After the first machine was made: what was put into the environment for it goes away. */
void js_process_clean(void);
/* Gives this thread the main context that the engine's run loop will find; before the VM exists. */
void js_run_loop_init(Js *js);
void js_run_loop_deinit(Js *js);

/* Once for the process, before its first machine (js_async.c). */
void js_async_edit_text(void);
void js_async_init(Js *js);
bool js_async_add(Js *js, JSContextRef ctx);
bool js_promise_hook(JSContextRef ctx);
void js_classes_deinit(Js *js);
void js_handles_deinit(Js *js);
/* Once the machine is gone. */
void js_static_deinit(Js *js);
void js_terminate_init(Js *js);
/* The exception that no script can catch, when the machine was told to stop; else NULL. */
JsVal js_termination(Js *js);
/* When the machine was told to stop: throws that again into the engine and returns true. */
bool js_throw_termination(Js *js, void *global);

/* Native functions (js_native.c). */
bool js_has_fast_natives(Js *js);
JsVal js_function_with_len(Js *js, const JsFn *fn, u32 len);
JsVal js_host_function(Js *js, u64 (*call)(void *global, void **frame));
JsArgs js_frame_args(void **frame);
/* What a native function returned, for the engine: throws what is pending when `v` is NULL. */
u64 js_leave_native(Js *js, void *global, JsVal v);
const void *js_leave_slow(Js *js, JsVal v, const void **exception);
/* The C API gives the lock back around its callbacks; they take it again. */
void js_relock(Js *js);
void js_unlock_again(Js *js);
/* The constructor of native functions: a TypeError. */
u64 js_not_a_constructor(void *global, void **frame);
/* The text of a name as the engine's own string object; lives as long as the Js. */
const struct JscStringImpl *js_name_impl(const JsName *name);

/* Of an object cell: the element if it is known without running anything, else NULL (a hole, an
 * accessor, a Proxy, ...); replaces a 32-bit integer by another; the length of an array. */
JsVal js_element_peek(Js *js, JsVal obj, u32 i);
bool js_element_put(Js *js, JsVal obj, u32 i, JsVal v);
bool js_element_count(Js *js, JsVal obj, u32 *ret);

/* The engine's string objects; only when the layout is known (jsc.has_layout). */
struct JscStringImpl *js_make_impl(Str utf8);
void js_drop_impl(struct JscStringImpl *impl);
Str js_impl_to_str(Arena *a, const struct JscStringImpl *impl);

/* An engine string of UTF-8 text; release it with JSStringRelease. */
JSStringRef js_make_ref(Str utf8);
/* The cached name for property access by C string, or NULL when the cache is full. */
JsName *js_find_name(Js *js, Str text);
