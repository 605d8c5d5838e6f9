/* engine/js.h -- everything the rest of Cob sees of the JavaScript engine.
 *
 * A Js is one virtual machine with one global object; it belongs to the thread that made it.  A
 * JsVal is an engine value as it is (NaN-boxed), so it costs nothing to pass around.
 *
 * Three rules hold everywhere:
 *  1. NULL (or false) means an exception is pending in the Js: return at once, let the caller
 * return too.  Anything that takes a Js may run JavaScript, throw and collect garbage, unless its
 * comment says "cannot throw".
 *  2. A JsVal in a local variable or argument is safe from the collector (it scans the C stack); a
 *     JsVal in heap memory is not: keep a JsRef there.
 *  3. Finalisers run on any thread and may not touch a Js: they free native memory and nothing
 * else.
 *
 * Strings: JavaScript's are Latin-1 or UTF-16; ours are UTF-8.  Lone surrogates become U+FFFD on
 * the way out; ill-formed UTF-8 becomes U+FFFD on the way in (WHATWG "maximal subpart"). */
#pragma once

#include "util/arena.h"
#include "util/base.h"
#include "util/buf.h"
#include "util/str.h"

typedef struct Js Js;
typedef const struct JsValOpaque *JsVal;
typedef struct JsArgs {
    JsVal self;
    const JsVal *at;
    u32 len;
} JsArgs;

/* ---- Machine ------------------------------------------------------------------------------- */

typedef struct JsOptions {
    bool smol;             /* small JIT reservation and heap, memory given back early */
    bool is_brief;         /* much code that runs once: the optimising compiler and the first
                              collection come later */
    bool no_fast_natives;  /* tests: use the C API for native functions */
    bool gc_stress;        /* tests: collect after every native call */
    u32 stack_trace_limit; /* frames in error.stack; 0 = 10 */
} JsOptions;

/* Creates the machine on this thread.  Process-wide engine options are fixed by the first call (so
 * `smol` of later machines only tunes their heap).  Never NULL. */
Js *js_new(const JsOptions *options);
/* Drops every JsRef still registered, collects, frees.  NULL is fine.  For the main program at exit
 * the runtime simply skips this: the kernel is faster. */
void js_free(Js *js);
/* For a crash handler (async-signal-safe): "out of memory" when that seems to be why the engine
 * aborted, else NULL. */
const char *js_crash_reason(void);
/* The machine of this thread, or NULL.  Cannot throw. */
Js *js_current(void);
void *js_user_data(Js *js);
void js_set_user_data(Js *js, void *data);
JsVal js_global(Js *js);

/* A machine is entered (its lock held) from js_new on, so that microtasks run only in
 * js_drain_microtasks: after each callback the runtime runs its nextTick queue, then drains. Before
 * the thread sleeps it leaves, so that the collector may work meanwhile, and enters again
 * afterwards. Nests; leaving for the last time drains what microtasks are left.  Nothing but
 * js_enter, js_terminate_mt and js_run_loop_wait may be called while outside. */
void js_enter(Js *js);
void js_leave(Js *js);

/* Compiles and runs `source` as a classic script and returns its completion value.  `url` appears
 * in stacks; `line` is the number of its first line (1 for a whole file).  `source` is UTF-8. */
NODISCARD JsVal js_eval(Js *js, Str source, Str url, u32 line);
/* The same for a string value, whose characters the engine shares. */
NODISCARD JsVal js_eval_value(Js *js, JsVal source, Str url, u32 line);
/* The same for source text that stays valid and unchanged for the life of the process and is pure
 * ASCII (embedded built-ins): not copied. */
NODISCARD JsVal js_eval_static(Js *js, Str ascii, Str url, u32 line);
/* Parses without running.  On a syntax error: false and the SyntaxError pending. */
NODISCARD bool js_check_syntax(Js *js, Str source, Str url, u32 line);

/* ---- Further global objects (node:vm) ------------------------------------------------------- */

/* A global object of its own, with built-ins of its own, that looks names up in `sandbox` first and
 * writes there (undefined: it has none).  The result is a handle; its property `global` is the
 * global object. */
NODISCARD JsVal js_context_new(Js *js, JsVal sandbox);
/* To be called before a script runs that declares `names` with `var` or `function`: the sandbox
 * gets those that it does not have. */
NODISCARD bool js_context_declare(Js *js, JsVal handle, const Str *names, u32 len);
typedef struct {
    Str url;
    i32 line; /* of the text's first line */
} JsContextScript;
/* Runs a classic script there and returns its completion value. */
NODISCARD JsVal js_context_eval(Js *js, JsVal handle, JsVal source, JsContextScript script);

/* ---- Values (none of these can throw) ------------------------------------------------------- */

extern const JsVal JS_UNDEFINED, JS_NULL, JS_TRUE, JS_FALSE;

typedef enum {
    JS_TYPE_UNDEFINED,
    JS_TYPE_NULL,
    JS_TYPE_BOOLEAN,
    JS_TYPE_NUMBER,
    JS_TYPE_STRING,
    JS_TYPE_SYMBOL,
    JS_TYPE_BIGINT,
    JS_TYPE_OBJECT,
} JsType;

JsType js_type(Js *js, JsVal v);
JsVal js_boolean(bool b);
JsVal js_number(Js *js, f64 n);
JsVal js_int(Js *js, i32 n);
bool js_is_undefined(JsVal v);
bool js_is_null(JsVal v);
bool js_is_nullish(JsVal v);
bool js_is_number(Js *js, JsVal v);
bool js_is_string(Js *js, JsVal v);
bool js_is_object(Js *js, JsVal v);
bool js_is_function(Js *js, JsVal v);
bool js_is_array(Js *js, JsVal v);
bool js_is_error(Js *js, JsVal v);
bool js_same(Js *js, JsVal a, JsVal b); /* === */
bool js_truthy(Js *js, JsVal v);
/* Argument `i`, or undefined when fewer were passed. */
JsVal js_arg(JsArgs args, u32 i);
/* Is it a number that the engine keeps as a 32-bit integer?  Inline, for natives that are called
 * often; false says nothing about other numbers. */
static inline bool js_peek_i32(JsVal v, i32 *ret)
{
    u64 bits = (u64)(uintptr_t)v;
    *ret = (i32)(u32)bits;
    return bits >> 49 == 0x7fff;
}

/* Conversions as the language does them; may run user code. */
NODISCARD bool js_to_number(Js *js, JsVal v, f64 *ret);
NODISCARD bool js_to_i32(Js *js, JsVal v, i32 *ret);
/* For values that JS halves have checked already.  Cannot throw: what is no number is NaN. */
f64 js_get_number(Js *js, JsVal v);
i32 js_get_i32(Js *js, JsVal v); /* ToInt32 of the number; NaN gives 0 */
i64 js_get_i64(Js *js, JsVal v); /* truncated, clamped to +-2^53; NaN gives 0 */
NODISCARD bool js_to_bigint_i64(Js *js, JsVal v, i64 *ret, bool *ret_exact);
JsVal js_bigint_i64(Js *js, i64 n);
JsVal js_bigint_u64(Js *js, u64 n);

/* ---- Strings ------------------------------------------------------------------------------- */

JsVal js_str(Js *js, Str utf8);
JsVal js_str_latin1(Js *js, const u8 *p, usize n);
JsVal js_str_utf16(Js *js, const u16 *p, usize n);
/* A string of `n` characters that the caller writes to *ret_chars at once, before anything else
 * runs.  false: not with this engine or so short a string; make it from a copy. */
bool js_str_latin1_unfilled(Js *js, usize n, JsVal *ret, u8 **ret_chars);
/* No copy: the engine reads `p` until the string dies, then calls free_fn(p, data) on any thread.
 */
JsVal js_str_external_latin1(Js *js, const u8 *p, usize n, void (*free_fn)(void *p, void *data),
                             void *data);
JsVal js_str_external_utf16(Js *js, const u16 *p, usize n, void (*free_fn)(void *p, void *data),
                            void *data);
/* ToString, copied into the arena as UTF-8 (a NUL stands behind it). */
NODISCARD bool js_to_str(Js *js, Arena *a, JsVal v, Str *ret);

/* ToString. */
NODISCARD JsVal js_to_string(Js *js, JsVal v);
/* The raw characters of a string value (flattened); valid while `v` is alive and nothing else runs.
 */
typedef struct {
    union {
        const u8 *latin1;
        const u16 *utf16;
    };
    usize len; /* in units */
    bool is_latin1;
} JsChars;
/* false with an exception pending: `v` is no string, or flattening ran out of memory. */
NODISCARD bool js_chars(Js *js, JsVal v, JsChars *ret);
usize js_str_len(Js *js, JsVal v);
/* A property key made once and reused: interned, never freed before the Js. */
typedef struct JsName JsName;
JsName *js_name(Js *js, Str name);
/* JSON.parse / JSON.stringify of the engine. */
NODISCARD JsVal js_json_parse(Js *js, Str utf8);

/* ---- Objects ------------------------------------------------------------------------------- */

JsVal js_object(Js *js);
JsVal js_object_null_proto(Js *js);
NODISCARD JsVal js_get(Js *js, JsVal obj, const char *name);
NODISCARD JsVal js_get_name(Js *js, JsVal obj, JsName *name);
NODISCARD JsVal js_get_index(Js *js, JsVal obj, u32 i);
NODISCARD JsVal js_get_key(Js *js, JsVal obj, JsVal key);
NODISCARD bool js_set(Js *js, JsVal obj, const char *name, JsVal v);
NODISCARD bool js_set_name(Js *js, JsVal obj, JsName *name, JsVal v);
NODISCARD bool js_set_index(Js *js, JsVal obj, u32 i, JsVal v);
NODISCARD bool js_set_key(Js *js, JsVal obj, JsVal key, JsVal v);
/* defineProperty with writable and configurable true. */
NODISCARD bool js_define(Js *js, JsVal obj, const char *name, JsVal v, bool is_enumerable);
NODISCARD bool js_has(Js *js, JsVal obj, const char *name, bool *ret);
NODISCARD bool js_delete(Js *js, JsVal obj, const char *name);
/* `key in v`, and deleting; the key is converted as the language does. */
NODISCARD bool js_has_key(Js *js, JsVal v, JsVal key, bool *ret);
NODISCARD bool js_delete_key(Js *js, JsVal obj, JsVal key, bool *ret);
/* v instanceof fn */
NODISCARD bool js_instance_of(Js *js, JsVal v, JsVal fn, bool *ret);
JsVal js_array(Js *js, const JsVal *at, u32 len);
/* The elements of a dense array of ours from `from` on, `n` of them, which it must have.  `to` must
 * be on the stack, where the collector looks. */
NODISCARD bool js_array_copy(Js *js, JsVal array, u32 from, JsVal *to, u32 n);
NODISCARD bool js_array_len(Js *js, JsVal array, u32 *ret);
/* Own enumerable string keys, as an array of strings. */
NODISCARD JsVal js_keys(Js *js, JsVal obj);
JsVal js_proto(Js *js, JsVal obj);
void js_set_proto(Js *js, JsVal obj, JsVal proto);
/* The engine's class name of an object ("Promise", "Map Iterator", "Object", ...): static text. */
Str js_class_name(Js *js, JsVal obj);
/* A number that two objects share only if they have the same prototype and the same own properties
 * in the same order (the elements of arrays left out); 0 when the engine does not tell.  Cannot
 * throw. */
u32 js_shape(Js *js, JsVal obj);

NODISCARD JsVal js_call(Js *js, JsVal fn, JsVal self, JsArgs args);
NODISCARD JsVal js_construct(Js *js, JsVal fn, JsArgs args);
#define JS_ARGS(...)                                                                               \
    ((JsArgs){.at = (const JsVal[]){__VA_ARGS__},                                                  \
              .len = (u32)(sizeof((const JsVal[]){__VA_ARGS__}) / sizeof(JsVal))})
#define JS_NO_ARGS ((JsArgs){0})

/* Properties of the global object whose values are made when something first looks for them; they
 * cost nothing until then and look like ordinary properties, writable and configurable. */
typedef struct JsLazyGlobals {
    u32 n;
    i32 (*find)(Js *js, Str name); /* index of the name (Latin-1), or -1; cannot throw */
    Str (*name)(Js *js, u32 i);    /* ASCII, stays for the life of the process */
    bool (*is_enumerable)(Js *js, u32 i);
    JsVal (*load)(Js *js,
                  u32 i); /* NULL with an exception: not made, the next lookup tries again */
} JsLazyGlobals;
/* Once for each machine.  false: the engine is another version; nothing has changed. */
NODISCARD bool js_lazy_globals(Js *js, const JsLazyGlobals *globals);

/* ---- Native functions ----------------------------------------------------------------------- *
 *
 *     JS_NATIVE(os_hostname)
 *     {
 *         ... return js_str(js, name);              (parameters: Js *js, JsArgs args)
 *     }
 *     static const JsFn fns[] = {JS_FN("hostname", os_hostname)};
 *     BUILTIN_NATIVE(node_os, fns)                  (builtins/builtins.h)
 *
 * JS_NATIVE defines the function and two entry points, for the fast path (about 5 ns a call) and
 * for the C API (about 80 ns); which one is used is decided once, by the self-test in js_new. */

typedef JsVal JsNative(Js *js, JsArgs args);
typedef u64 JsFastEntry(void *global, void **frame);
typedef const void *JsSlowEntry(const void *ctx, void *fn, void *self, usize n,
                                const void *const at[], const void **exception);
typedef struct {
    const char *name;
    JsNative *call;
    JsFastEntry *fast;
    JsSlowEntry *slow;
} JsFn;
typedef struct {
    const JsFn *fns;
    u32 len;
} JsFnTable;

u64 js_enter_fast(void *global, void **frame, JsNative *call);
const void *js_enter_slow(const void *ctx, void *self, usize n, const void *const at[],
                          const void **exception, JsNative *call);

#define JS_NATIVE(name)                                                                            \
    static JsVal name(Js *js, JsArgs args);                                                        \
    static u64 name##_fast(void *global, void **frame)                                             \
    {                                                                                              \
        return js_enter_fast(global, frame, name);                                                 \
    }                                                                                              \
    static const void *name##_slow(const void *ctx, void *fn, void *self, usize n,                 \
                                   const void *const at[], const void **exception)                 \
    {                                                                                              \
        (void)fn;                                                                                  \
        return js_enter_slow(ctx, self, n, at, exception, name);                                   \
    }                                                                                              \
    static JsVal name(UNUSED Js *js, UNUSED JsArgs args)
#define JS_FN(js_name, name)                                                                       \
    {                                                                                              \
        js_name, name, name##_fast, name##_slow                                                    \
    }

JsVal js_function(Js *js, const JsFn *fn);
/* A native function that carries one pointer, for callbacks made at run time (C API path). */
typedef JsVal JsClosure(Js *js, void *data, JsArgs args);
JsVal js_closure(Js *js, const char *name, JsClosure *call, void *data,
                 void (*free_fn)(void *data));
/* obj[Symbol.asyncIterator] = fn */
NODISCARD bool js_set_async_iterator(Js *js, JsVal obj, const JsFn *fn);
/* Says that the object is about to get many properties: they cost a tenth when it has no shape in
 * common with others meanwhile.  Cannot throw. */
void js_expect_properties(Js *js, JsVal obj);
/* Configurable, enumerable accessor properties from an array of name, getter, setter, name, ...
 * false: the engine is another version, or a name is none; perhaps some are defined. */
NODISCARD bool js_define_accessors(Js *js, JsVal obj, JsVal list);
/* A configurable accessor property with the name of the getter.  false: the engine is another
 * version; nothing has changed. */
NODISCARD bool js_define_accessor(Js *js, JsVal obj, const JsFn *getter, const JsFn *setter,
                                  bool is_enumerable);
/* Lets the first properties of `obj`, which are functions of the engine with just these names, call
 * ours.  false: they are not, or the engine is another version; nothing has changed. */
NODISCARD bool js_replace_natives(Js *js, JsVal obj, const JsFnTable *table);
/* An object with one property per function. */
JsVal js_fn_table(Js *js, const JsFnTable *table);

/* ---- Classes: objects that carry a native pointer -------------------------------------------- */

typedef struct JsClass {
    const char *name;
    void (*finalize)(void *native); /* any thread, see rule 3; may be NULL */
} JsClass;
/* A new object of the class, holding `native` (taken: finalize gets it when the object dies). */
JsVal js_wrap(Js *js, const JsClass *cls, void *native);
/* The pointer, or NULL when `v` is not an object of that class or was disposed.  Cannot throw. */
void *js_unwrap(Js *js, JsVal v, const JsClass *cls);
/* The same, for a handle that the JS half of a class keeps: NULL is an exception, see JS_EXPECT. */
NODISCARD void *js_unwrap_handle(Js *js, JsVal v, const JsClass *cls);
/* Takes the pointer out of the object early (close, dispose): finalize will not run for it. */
void *js_unwrap_take(Js *js, JsVal v, const JsClass *cls);
/* Tells the collector of `delta` bytes of native memory kept alive by objects (may be negative).
 * Cannot throw; a no-op if the engine lacks it. */
void js_report_memory(Js *js, i64 delta);

/* ---- For Node-API ------------------------------------------------------------------------------
 */

/* Values that native code holds without a JsRef while it is called: one stack a machine, which the
 * collector sees.  Whoever pushes remembers `len` before and drops what is above it afterwards.
 * The first members are the engine's MarkedVector; numbers and the like need no place. */
typedef struct JsHandles {
    u32 len, cap;
    JsVal *at;
    void *lists; /* NULL until the engine knows of it */
    JsVal first[8];
    bool is_protected; /* the engine is another version: every value is protected by itself */
} JsHandles;
JsHandles *js_handles(Js *js);
void js_handles_push_slow(Js *js, JsHandles *h, JsVal v);
static inline void js_handles_push(Js *js, JsHandles *h, JsVal v)
{
    if (LIKELY(h->lists && h->len < h->cap))
        h->at[h->len++] = v;
    else
        js_handles_push_slow(js, h, v);
}
/* Replaces the value at `i`. */
void js_handles_put(Js *js, JsHandles *h, u32 i, JsVal v);
void js_handles_drop_slow(Js *js, JsHandles *h, u32 len);
static inline void js_handles_drop(Js *js, JsHandles *h, u32 len)
{
    if (LIKELY(!h->is_protected))
        h->len = len;
    else
        js_handles_drop_slow(js, h, len);
}

/* A function that carries a pointer and can be called with `new`: then `new_target` is not NULL,
 * `self` means nothing, and the result must be an object. */
typedef JsVal JsCallback(Js *js, void *data, JsArgs args, JsVal new_target);
/* Takes `data`: free_fn gets it, on any thread, when the function died. */
JsVal js_callback(Js *js, Str name, JsCallback *call, void *data, void (*free_fn)(void *data));

/* One slot of an object that programs do not see.  js_hidden_get: what is there, or undefined; may
 * be that of a prototype.  js_hidden_set: false when the object takes none (a Proxy, a frozen
 * object, an engine of another version).  Neither throws or runs JavaScript. */
JsVal js_hidden_get(Js *js, JsVal obj);
/* A guess of what js_hidden_get gives, for objects of a shape that was learned: cheap, and may be
 * another property's value.  NULL: no guess.  Only what js_object made may be learned from. */
JsVal js_hidden_peek(Js *js, JsVal obj);
void js_hidden_learn(Js *js, JsVal obj);
bool js_hidden_set(Js *js, JsVal obj, JsVal v);
/* Gives a new object without properties the prototype of `sample`, an object of the same class
 * without properties, which stays alive. */
void js_make_alike(Js *js, JsVal obj, JsVal sample);

/* ---- References from the heap ----------------------------------------------------------------- *
 * A JsRef is strong while native work is pending, weak while idle, and dead after the object was
 * finalised.  The zero value is dead.  Strong ones are on the machine's list, newest first. */

typedef enum { JS_REF_DEAD, JS_REF_WEAK, JS_REF_STRONG } JsRefState;
typedef struct JsRef {
    JsRefState state;
    JsVal value; /* strong only; use js_ref_get */
    void *weak;
    struct JsRef *prev, *next;
} JsRef;

void js_ref_set_strong(Js *js, JsRef *ref, JsVal v); /* any value; replaces what was held */
void js_ref_set_weak(Js *js, JsRef *ref, JsVal obj); /* objects and symbols only */
void js_ref_make_strong(Js *js, JsRef *ref);         /* weak -> strong; no-op when dead */
void js_ref_make_weak(Js *js, JsRef *ref);
JsVal js_ref_get(Js *js, const JsRef *ref); /* NULL when dead (no exception) */
void js_ref_clear(Js *js, JsRef *ref);      /* dead afterwards; fine when it is already */

/* ---- Bytes ------------------------------------------------------------------------------------
 */

typedef struct {
    u8 *p;
    usize n;
} JsBytes;
/* The memory of an ArrayBuffer, SharedArrayBuffer, typed array or DataView (detached: p NULL, n 0);
 * false (no exception) when `v` is none of them.  Valid until JavaScript runs again. */
bool js_bytes(Js *js, JsVal v, JsBytes *ret);
/* The same for bytes that a JS half has checked: false is an exception, see JS_EXPECT. */
NODISCARD bool js_take_bytes(Js *js, JsVal v, JsBytes *ret);
bool js_is_detached(Js *js, JsVal v);
/* What kind of bytes, in the order of JsBytesKind; JS_BYTES_NONE when `v` has none. */
typedef enum {
    JS_BYTES_NONE,
    JS_BYTES_BUFFER, /* an ArrayBuffer or SharedArrayBuffer */
    JS_BYTES_I8,
    JS_BYTES_U8,
    JS_BYTES_U8_CLAMPED,
    JS_BYTES_I16,
    JS_BYTES_U16,
    JS_BYTES_I32,
    JS_BYTES_U32,
    JS_BYTES_F16,
    JS_BYTES_F32,
    JS_BYTES_F64,
    JS_BYTES_I64,
    JS_BYTES_U64,
    JS_BYTES_VIEW, /* a DataView */
} JsBytesKind;
JsBytesKind js_bytes_kind(Js *js, JsVal v);
/* As js_bytes, but the address stays while the object lives and is not detached: a small typed
 * array, whose elements the engine moves when somebody asks for its buffer, gets the buffer now. */
bool js_bytes_lasting(Js *js, JsVal v, JsBytes *ret);
/* May another thread change the bytes while they are read?  (A SharedArrayBuffer or a view of one;
 * true as well when the engine does not tell.)  Copy them first then.  Cannot throw. */
bool js_is_shared(Js *js, JsVal v);
/* The memory of a SharedArrayBuffer, for js_shared_make in another thread: it stays until that has
 * been called, once.  NULL when `v` is no such buffer or this engine cannot. */
void *js_shared_take(Js *js, JsVal v);
bool js_shared_is(Js *js, JsVal v);
/* Takes `contents`.  A buffer over the same memory; `sample` is any SharedArrayBuffer of `js`. */
JsVal js_shared_make(Js *js, void *contents, JsVal sample);
/* The same for the compiled code of a WebAssembly.Module. */
void *js_wasm_take(Js *js, JsVal v);
bool js_wasm_is(Js *js, JsVal v);
JsVal js_wasm_make(Js *js, void *code, JsVal sample);
/* A Uint8Array / ArrayBuffer over a copy of the bytes. */
JsVal js_u8array(Js *js, const void *p, usize n);
JsVal js_array_buffer(Js *js, const void *p, usize n);
/* No copy: takes `p`; free_fn(p, data) runs on any thread when the buffer dies. */
JsVal js_u8array_take(Js *js, void *p, usize n, void (*free_fn)(void *p, void *data), void *data);
JsVal js_array_buffer_take(Js *js, void *p, usize n, void (*free_fn)(void *p, void *data),
                           void *data);
/* A typed array over existing memory that native code and JavaScript share for the life of the Js.
 */
JsVal js_u32array_shared(Js *js, u32 *p, usize len);
JsVal js_f64array_shared(Js *js, f64 *p, usize len);

/* ---- Promises, microtasks ----------------------------------------------------------------------
 */

typedef struct {
    JsVal promise, resolve, reject;
} JsPromise;
NODISCARD bool js_promise(Js *js, JsPromise *ret);
typedef enum { JS_PROMISE_PENDING, JS_PROMISE_FULFILLED, JS_PROMISE_REJECTED } JsPromiseState;
/* false when `v` is not a promise.  Cannot throw, does not mark the promise as handled. */
bool js_promise_peek(Js *js, JsVal v, JsPromiseState *ret_state, JsVal *ret_result);
/* A promise that native code settles, once; lighter than JsPromise. */
typedef struct {
    JsRef promise, resolve, reject; /* the latter two with another version of the engine */
} JsDeferred;
NODISCARD bool js_deferred_init(Js *js, JsDeferred *d);
/* Settles it and lets it go.  false with an exception: not done, only let go. */
NODISCARD bool js_deferred_settle(Js *js, JsDeferred *d, JsVal v, bool is_rejected);
/* Runs microtasks until none is left; also from inside a native function.  Exceptions of microtasks
 * become rejections by nature; this cannot throw. */
void js_drain_microtasks(Js *js);
/* Called at once, from inside the running script, when a promise is rejected that has no handler,
 * and again with `is_handled` when it gets its first handler later.  Whoever wants to know which
 * rejections stay unhandled keeps a list (JsRefs), takes out what got handled and looks at it after
 * the drain, as Node does.  The function must not run scripts.  (An engine without the hook calls
 * it after a drain and never with `is_handled`.) */
typedef void JsRejectionFn(Js *js, JsVal promise, JsVal reason, bool is_handled);
void js_on_rejection(Js *js, JsRejectionFn *fn);
/* The asynchronous context: an object with the properties `frame`, the value that is current and
 * that reactions of promises and continuations of await find again, and `isUsed`, which must be
 * true before `frame` is set for the first time.  The same object for the life of the Js. */
JsVal js_async_context(Js *js);
/* Do promises and await carry it?  false: the engine is another version. */
bool js_async_is_complete(Js *js);
/* import() in code our transpiler did not see (eval, new Function): returns the promise or NULL
 * with an exception.  `referrer` is the URL of the calling script.  Not available: import()
 * rejects. */
typedef JsVal JsImportFn(Js *js, JsVal specifier, JsVal attributes, Str referrer);
void js_on_import(Js *js, JsImportFn *fn);

/* ---- Exceptions
 * ---------------------------------------------------------------------------------- */

/* All return NULL, so that `return js_throw_...` reads well. */
JsVal js_throw(Js *js, JsVal value);
JsVal js_throw_error(Js *js, const char *fmt, ...) PRINTF(2, 3);
JsVal js_throw_type_error(Js *js, const char *fmt, ...) PRINTF(2, 3);
JsVal js_throw_range_error(Js *js, const char *fmt, ...) PRINTF(2, 3);
/* An Error as Node makes it from a failed system call: message "ENOENT: no such file or directory,
 * open 'x'", errno (negative), code, syscall, path (left out when empty).  `rc` is -errno. */
JsVal js_throw_sys(Js *js, int rc, const char *syscall, Str path);
/* TypeError "Illegal invocation". */
JsVal js_throw_illegal(Js *js);
/* In a native: what its JS half promises about the arguments.  A program can break the promise: it
 * calls a method on an object of another class, or detaches a buffer while an argument is being
 * converted.  So that is an exception, never the end of the process as with ASSERT. */
#define JS_EXPECT(js, c)                                                                           \
    do {                                                                                           \
        if (UNLIKELY(!(c))) return js_throw_illegal(js);                                           \
    } while (0)
JsVal js_make_sys_error(Js *js, int rc, const char *syscall, Str path);
JsVal js_make_error(Js *js, Str message);
typedef enum { JS_ERROR, JS_TYPE_ERROR, JS_RANGE_ERROR } JsErrorKind;
JsVal js_make_error_of(Js *js, JsErrorKind kind, Str message);
bool js_is_pending(Js *js);
/* Takes the pending exception; ASSERTs that there is one. */
JsVal js_catch(Js *js);
/* Asks a running script to stop: it throws an uncatchable termination at the next check.
 * Thread-safe (used by worker.terminate and the watchdog). */
void js_terminate_mt(Js *js);
bool js_is_terminating(Js *js);
/* The same for the scripts that run now, so that whoever limits their time can go on: what they
 * throw no script can catch, until js_interrupt_end.  That is called by the native function that
 * began the limited run, on the machine's own thread, after no other thread can interrupt it.  A
 * machine that terminates goes on doing so. */
bool js_can_interrupt(void);
void js_interrupt_mt(Js *js);
void js_interrupt_end(Js *js);

/* ---- Stacks
 * ---------------------------------------------------------------------------------------- *
 * error.stack has V8's form.  The map hook sees every frame position before it is printed. */

typedef struct {
    Str url; /* in: as given to js_eval; out: may be replaced (memory must live until the next call)
              */
    u32 line;   /* 1-based */
    u32 column; /* 1-based */
} JsPosition;
typedef bool JsMapFn(Js *js, JsPosition *pos); /* true: changed */
void js_on_map_position(Js *js, JsMapFn *fn);
/* The variable that the program's text names at a position, unmapped and just behind it as the
 * engine gives it; for the messages of errors.  false: not known for certain. */
typedef bool JsNameAtFn(Js *js, Arena *a, const JsPosition *pos, Str *ret);
void js_on_name_at(Js *js, JsNameAtFn *fn);
/* Where the innermost JavaScript frame of `error` is, unmapped and mapped.  false: unknown. */
bool js_error_position(Js *js, JsVal error, Arena *a, JsPosition *ret);
/* The stack of the current point, as text, without a header; for warnings and the crash report. */
Str js_stack(Js *js, Arena *a);
/* URL of the closest JavaScript caller that is not a built-in ("" if none). */
Str js_caller_url(Js *js, Arena *a);

/* ---- Collector, run loop
 * ------------------------------------------------------------------------------ */

void js_gc(Js *js, bool is_sync);
/* Gives unused pages back to the system; called when idle. */
void js_release_memory(Js *js);
typedef struct {
    usize heap_size, heap_capacity, extra_memory, object_count, protected_count;
} JsMemory;
JsMemory js_memory(Js *js);
/* The engine's own object of such figures, with counts of objects by their class; undefined when it
 * gives none.  Looks at every object. */
JsVal js_heap_statistics(Js *js);
/* The same without the counts of objects, for which the whole heap is walked (2 ms and more). */
JsMemory js_heap_memory(Js *js);
/* Bytes that the heap takes with what hangs off it, garbage too; while `js` lives, from any thread.
 * 0: this engine does not tell. */
usize js_heap_capacity_mt(Js *js);

/* The engine's own run loop (timers of the collector, asynchronous WebAssembly,
 * FinalizationRegistry). It never spins: poll `fd` for reading together with everything else, and
 * call js_run_loop_turn when it is readable or `timeout_ms` (-1 = none) has passed.  Cannot throw;
 * may run JavaScript. */
typedef struct {
    int fd;
    i32 timeout_ms;
} JsRunLoopWait;
JsRunLoopWait js_run_loop_wait(Js *js);
void js_run_loop_turn(Js *js);
/* Is there work in the engine that should keep the program alive (an unfinished WebAssembly
 * compile)? */
bool js_has_pending_work(Js *js);

/* Sets the time zone of Date and Intl for the process ("Europe/Berlin"; empty: that of the system).
 * false: no such zone, nothing changes. */
bool js_set_time_zone(Str zone);

/* ---- Looking inside, for printing (none runs JavaScript or throws) ------- */

/* Target and handler of a Proxy, both null once it is revoked; false when `v` is none. */
bool js_proxy_parts(Js *js, JsVal v, JsVal *ret_target, JsVal *ret_handler);
/* A Map or Set iterator that stands where `source` stands.  `fresh` is an iterator of the same
 * class that nobody else has; it is changed.  *ret_is_pairs: it gives [key, value].  false when the
 * engine is another version or either is no such iterator. */
bool js_iterator_copy(Js *js, JsVal source, JsVal fresh, bool *ret_is_pairs);
/* The name that a function has in its source; empty when it has none or `v` is no plain function.
 */
JsVal js_source_name(Js *js, JsVal v);

/* ---- Kept code (js_code.c) ------------------------------------------------------------------
 *
 * The engine can write what it has compiled as bytes and take such bytes instead of parsing.  They
 * hold for one text and one build of the library; the engine trusts them, so whoever keeps them
 * must see to it that they are what js_code_encode gave (docs/internals/code-cache.md). */

/* One evaluated text, from js_code_eval to js_code_drop. */
typedef struct JsCode JsCode;

/* Is the library one whose code can be kept?  Cannot throw. */
bool js_code_works(void);
/* Evaluates the string `source` as js_eval_value does, first line 1.  `code` is what js_code_encode
 * gave for exactly this text, or empty; it is aligned to 16 bytes and stays where it is, unchanged,
 * as long as the process lives.  Sets *ret, also when it throws; NULL when this text is nothing to
 * keep. */
NODISCARD JsVal js_code_eval(Js *js, JsVal source, Str url, Str code, JsCode **ret);
/* Did the engine compile the text, rather than take what it was given? */
bool js_code_is_new(const JsCode *c);
/* The text, as long as `c` is there. */
JsChars js_code_text(const JsCode *c);
/* Appends the code of the text and of those of its functions that have run so far.  false: there is
 * none.  Cannot throw. */
bool js_code_encode(Js *js, const JsCode *c, Buf *ret);
/* Frees it, but for code that was given: the engine may still read it.  NULL is fine. */
void js_code_drop(Js *js, JsCode *c);

/* ---- Static code (js_static.c) ----------------------------------------------------------------
 *
 * Texts in the executable whose code was made when it was built.  As above, the engine trusts the
 * bytes; what says that they are of this text and this library is up to the caller. */

/* Compiles the program `ascii` and all functions in it, and appends their code.  false: it cannot
 * be compiled, or the library is not one that can.  Cannot throw. */
bool js_static_compile(Js *js, Str ascii, Buf *ret);
/* Evaluates the program as js_eval_static does, whose value is not undefined.  `code`: what
 * js_static_compile gave for this text, aligned to 16 bytes and there as long as the process, or
 * empty.  Code that the engine refuses is as good as none. */
NODISCARD JsVal js_static_eval(Js *js, Str ascii, Str url, Str code);
