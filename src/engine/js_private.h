/* engine/js_private.h -- functions that the engine library exports but no header of the C API
 * declares.
 *
 * This is the only place where they are declared.  All are weak: where the library (or the part of
 * it that the single-file build makes visible, tools/so2obj/jsc.exports) lacks one, the address is
 * NULL and the caller has another way.  What depends on more than a signature (the layout of an
 * object) is tried out by js_private_probe before it is used; see docs/internals/engine.md for the
 * list and the fallbacks.
 *
 * C++ facts used in the declarations: references and `this` are pointers; JSValue is one register;
 * std::span is two; Ref<T> and WTF::String results are written through a hidden first pointer. */
#pragma once

#include <JavaScriptCore/JavaScript.h>

#include "util/base.h"

#define JSC_SYMBOL(name) __asm__(name) __attribute__((weak))

/* ---- C functions without a header -------------------------------------------------------------
 */

extern void JSLock(JSContextRef ctx) __attribute__((weak));
extern void JSUnlock(JSContextRef ctx) __attribute__((weak));
extern void JSSynchronousGarbageCollectForDebugging(JSContextRef ctx) __attribute__((weak));
extern void JSReportExtraMemoryCost(JSContextRef ctx, usize size) __attribute__((weak));
extern JSObjectRef JSGetMemoryUsageStatistics(JSContextRef ctx) __attribute__((weak));
extern void JSGlobalContextSetUnhandledRejectionCallback(JSGlobalContextRef ctx,
                                                         JSObjectRef function,
                                                         JSValueRef *exception)
    __attribute__((weak));
extern bool JSObjectSetPrivateProperty(JSContextRef ctx, JSObjectRef object, JSStringRef name,
                                       JSValueRef value);
extern JSValueRef JSObjectGetPrivateProperty(JSContextRef ctx, JSObjectRef object,
                                             JSStringRef name);
typedef struct OpaqueJSWeak *JSWeakRef;
extern JSWeakRef JSWeakCreate(JSContextGroupRef group, JSObjectRef object) __attribute__((weak));
extern void JSWeakRelease(JSContextGroupRef group, JSWeakRef weak) __attribute__((weak));
extern JSObjectRef JSWeakGetObject(JSWeakRef weak) __attribute__((weak));
typedef bool (*JSShouldTerminateCallback)(JSContextRef ctx, void *context);
extern void JSContextGroupSetExecutionTimeLimit(JSContextGroupRef group, double limit_s,
                                                JSShouldTerminateCallback callback, void *context)
    __attribute__((weak));
extern JSStringRef JSContextCreateBacktrace(JSContextRef ctx, unsigned max) __attribute__((weak));

/* ---- C++ ----------------------------------------------------------------------------------------
 */

/* A host function: arguments and `this` are in the frame (see js_native.c). */
typedef u64 JscHostFunction(void *global, void **frame);

/* JSC::JSFunction::create: `name` points to a WTF::String, that is to a StringImpl pointer. */
struct JscStringImpl;
extern void *jsc_function_create(void *vm, void *global, unsigned length,
                                 const struct JscStringImpl *const *name, JscHostFunction *call,
                                 u8 visibility, u8 intrinsic, JscHostFunction *construct,
                                 const void *signature)
    JSC_SYMBOL("_ZN3JSC10JSFunction6createERNS_2VMEPNS_14JSGlobalObjectEjRKN3WTF6StringENS5_"
               "11FunctionPtrILNS5_6PtrTagE1EFlS4_PNS_9CallFrameEELNS5_18FunctionAttributesE2EEE"
               "NS_24ImplementationVisibilityENS_9IntrinsicESF_PKNS_6DOMJIT9SignatureE");
/* JSC::ArrayBuffer::createShared and JSC::JSArrayBuffer::create: both take what they are given. */
extern void jsc_buffer_create_shared(void **ret_impl, void **take_contents)
    JSC_SYMBOL("_ZN3JSC11ArrayBuffer12createSharedEON3WTF3RefINS_25SharedArrayBufferContentsENS1_12"
               "RawPtrTraitsIS3_EENS1_21DefaultRefDerefTraitsIS3_EEEE");
extern void *jsc_buffer_object_create(void *vm, const void *structure, void **take_impl)
    JSC_SYMBOL("_ZN3JSC13JSArrayBuffer6createERNS_2VMEPNS_9StructureEON3WTF6RefPtrINS_"
               "11ArrayBufferENS5_12RawPtrTraitsIS7_EENS5_21DefaultRefDerefTraitsIS7_EEEE");
/* WTF::Function<long (JSGlobalObject *, CallFrame *)>: a pointer to an object whose table holds two
 * destructors and the call. */
typedef struct JscHostCallable {
    const struct JscHostCallableTable *table;
} JscHostCallable;
struct JscHostCallableTable {
    void (*destroy)(JscHostCallable *self);
    void (*destroy_and_free)(JscHostCallable *self);
    u64 (*call)(JscHostCallable *self, void *global, void **frame);
};
typedef struct JscStringImpl JscStringImpl;
/* JSC::JSNativeStdFunction::create; *take is NULL afterwards. */
extern void *jsc_std_function_create(void *vm, void *global, unsigned length,
                                     const JscStringImpl *const *name, JscHostCallable **take,
                                     u8 intrinsic, JscHostFunction *construct)
    JSC_SYMBOL("_ZN3JSC19JSNativeStdFunction6createERNS_2VMEPNS_14JSGlobalObjectEjRKN3WTF6StringE"
               "ONS5_8FunctionIFlS4_PNS_9CallFrameEEEENS_9IntrinsicENS5_11FunctionPtrILNS5_6PtrTag"
               "E1ESC_LNS5_18FunctionAttributesE2EEE");
/* JSC::CallData, filled by JSFunction::getCallData; and JSC::call, which hands out the Exception it
 * caught. */
typedef struct {
    u64 words[4];
} JscCallData;
struct JscArgList;
extern void jsc_function_call_data(JscCallData *ret, const void *fn)
    JSC_SYMBOL("_ZN3JSC10JSFunction11getCallDataEPNS_6JSCellE");
extern u64 jsc_call(void *global, const void *fn, const JscCallData *data, const void *self,
                    const struct JscArgList *args, void **ret_exception)
    JSC_SYMBOL(
        "_ZN3JSC4callEPNS_14JSGlobalObjectENS_7JSValueERKNS_8CallDataES2_RKNS_7ArgListERN3WTF8N"
        "akedPtrINS_9ExceptionEEE");
/* JSC::VM::throwException(JSGlobalObject *, JSValue) */
extern void *jsc_throw(void *vm, void *global, u64 value)
    JSC_SYMBOL("_ZN3JSC2VM14throwExceptionEPNS_14JSGlobalObjectENS_7JSValueE");
/* JSC::VM::throwException(JSGlobalObject *, Exception *) */
extern void *jsc_throw_exception(void *vm, void *global, void *exception)
    JSC_SYMBOL("_ZN3JSC2VM14throwExceptionEPNS_14JSGlobalObjectEPNS_9ExceptionE");
extern void jsc_ensure_termination(void *vm) JSC_SYMBOL("_ZN3JSC2VM26ensureTerminationExceptionEv");
/* JSC::VMTraps::requestThreadStopIfNeeded: makes compiled code look at the trap bits.  Any thread.
 */
extern void jsc_request_stop(void *traps, unsigned trap)
    JSC_SYMBOL("_ZN3JSC7VMTraps25requestThreadStopIfNeededEj");
extern bool jsc_has_pending_work(const void *deferred_work_timer)
    JSC_SYMBOL("_ZNK3JSC17DeferredWorkTimer26hasImminentlyScheduledWorkEv");
extern void jsc_drain_microtasks(void *vm) JSC_SYMBOL("_ZN3JSC2VM15drainMicrotasksEv");

/* ---- Process-wide start-up and memory
 * ------------------------------------------------------------- */

extern bool JSConfigureSignalForGC(int signal) __attribute__((weak));
extern void jsc_options_init(void) JSC_SYMBOL("_ZN3JSC7Options10initializeEv");
/* Takes "name=value"; true when the option exists and could be read. */
extern bool jsc_option_set(const char *assignment, bool verify)
    JSC_SYMBOL("_ZN3JSC7Options9setOptionEPKcb");
extern void jsc_init(void) JSC_SYMBOL("_ZN3JSC10initializeEv");
/* WTF::RunLoop::initializeMain: makes this thread's run loop the main one.  Without it the first
 * full collection by timer dereferences NULL. */
extern void jsc_main_run_loop_init(void) JSC_SYMBOL("_ZN3WTF7RunLoop14initializeMainEv");
extern void jsc_release_free_memory(void) JSC_SYMBOL("_ZN3WTF27releaseFastMallocFreeMemoryEv");
/* The allocator's page-returning thread: started when there is something to return, ends itself
 * when there was nothing for the time-out. */
extern bool pas_scavenger_is_enabled __attribute__((weak));
extern double pas_scavenger_deep_sleep_timeout_in_milliseconds __attribute__((weak));

/* ---- Cells
 * ------------------------------------------------------------------------------------------ * The
 * layout of a few objects is used directly.  js_private_probe compares it with what the C API says
 * and clears `jsc.has_layout` when the library is another version or anything differs. */

enum {
    CELL_TYPE = 5, /* byte offset of the cell's type */
    TYPE_STRING = 0x02,
    TYPE_BIGINT = 0x03,
    TYPE_SYMBOL = 0x04,
    TYPE_OBJECT_FIRST = 0x17, /* this and all above are objects */
    TYPE_FUNCTION = 0x1a,
    TYPE_ERROR = 0x1f,
    TYPE_ARRAY_BUFFER = 0x26, /* shared ones too */
    TYPE_INT8_ARRAY = 0x27,   /* and the other typed arrays, in the order of the specification */
    TYPE_DATA_VIEW = 0x33,
    TYPE_PROMISE = 0x4c,
    STRING_FIBER = 1, /* word: StringImpl *, or bit 0 set in a rope */
    ROPE_LEN = 4,     /* 32-bit word */
};

/* WTF::StringImpl, a shared immutable string. */
struct JscStringImpl {
    u32 ref_count; /* twice the number of references */
    u32 len;
    const void *data;
    u32 hash_and_flags;
};
enum { STRING_IS_8BIT = 1 << 2, STRING_IS_ATOM = 1 << 4, STRING_IS_SYMBOL = 1 << 5 };

extern void jsc_string_create8(JscStringImpl **ret, const u8 *p, usize n)
    JSC_SYMBOL("_ZN3WTF10StringImpl6createESt4spanIKhLm18446744073709551615EE");
extern void jsc_string_create16(JscStringImpl **ret, const u16 *p, usize n)
    JSC_SYMBOL("_ZN3WTF10StringImpl6createESt4spanIKDsLm18446744073709551615EE");
typedef struct {
    void *p;
    usize n;
} JscSpan;
extern void jsc_string_uninitialized8(JscStringImpl **ret, usize n, JscSpan *ret_data)
    JSC_SYMBOL("_ZN3WTF10StringImpl19createUninitializedEmRSt4spanIhLm18446744073709551615EE");
extern void jsc_string_uninitialized16(JscStringImpl **ret, usize n, JscSpan *ret_data)
    JSC_SYMBOL("_ZN3WTF10StringImpl19createUninitializedEmRSt4spanIDsLm18446744073709551615EE");
extern void jsc_string_static8(JscStringImpl **ret, const u8 *p, usize n) JSC_SYMBOL(
    "_ZN3WTF10StringImpl28createWithoutCopyingNonEmptyESt4spanIKhLm18446744073709551615EE");
extern void jsc_string_destroy(JscStringImpl *impl) JSC_SYMBOL("_ZN3WTF10StringImpl7destroyEPS0_");
/* WTF::Function: a pointer to an object whose table holds two destructors and the call. */
typedef struct JscCallable {
    const struct JscCallableTable *table;
} JscCallable;
struct JscCallableTable {
    void (*destroy)(JscCallable *self);
    void (*destroy_and_free)(JscCallable *self);
    void (*call)(JscCallable *self, void *impl, void *data, unsigned size);
};
extern void jsc_string_external8(JscStringImpl **ret, const u8 *p, usize n, JscCallable **take_free)
    JSC_SYMBOL(
        "_ZN3WTF18ExternalStringImpl6createESt4spanIKhLm18446744073709551615EEONS_8FunctionIFv"
        "PS0_PvjEEE");
extern void jsc_string_external16(JscStringImpl **ret, const u16 *p, usize n,
                                  JscCallable **take_free)
    JSC_SYMBOL(
        "_ZN3WTF18ExternalStringImpl6createESt4spanIKDsLm18446744073709551615EEONS_8FunctionIFv"
        "PS0_PvjEEE");
/* A new string value over `impl` (which gets another reference). */
extern void *jsc_string_value(void *vm, JscStringImpl *impl)
    JSC_SYMBOL("_ZN3JSC25jsStringWithCacheSlowCaseERNS_2VMERN3WTF10StringImplE");
/* Flattens a rope in place. */
extern void *jsc_rope_resolve(const void *rope, void *global)
    JSC_SYMBOL("_ZNK3JSC12JSRopeString11resolveRopeEPNS_14JSGlobalObjectE");
/* The elements of a JSArray from `from` on, `n` of them; holes are undefined. */
extern void jsc_array_copy(const void *array, void *global, void *to, unsigned from, unsigned n)
    JSC_SYMBOL("_ZN3JSC7JSArray15copyToArgumentsEPNS_14JSGlobalObjectEPNS_7JSValueEjj");
/* OpaqueJSString::tryCreate(const String &): the string of the C API with the text of `*impl`. */
extern void jsc_string_ref(JSStringRef *ret, JscStringImpl *const *impl)
    JSC_SYMBOL("_ZN14OpaqueJSString9tryCreateERKN3WTF6StringE");

/* JSC::createError and others: `message` points to a WTF::String. */
typedef void *JscCreateError(void *global, JscStringImpl *const *message);
extern JscCreateError
    jsc_create_error JSC_SYMBOL("_ZN3JSC11createErrorEPNS_14JSGlobalObjectERKN3WTF6StringE");
extern JscCreateError jsc_create_type_error
    JSC_SYMBOL("_ZN3JSC15createTypeErrorEPNS_14JSGlobalObjectERKN3WTF6StringE");
extern JscCreateError jsc_create_range_error
    JSC_SYMBOL("_ZN3JSC16createRangeErrorEPNS_14JSGlobalObjectERKN3WTF6StringE");

/* ClassInfo of ErrorInstance and JSObject, as words: name, name length, base, ..., method table. */
extern uintptr_t jsc_error_info[] JSC_SYMBOL("_ZN3JSC13ErrorInstance6s_infoE");
extern uintptr_t jsc_object_info[] JSC_SYMBOL("_ZN3JSC8JSObject6s_infoE");

/* JSC::Symbol::create(VM &, SymbolImpl &), and the private symbol `@context` of built-in code. */
extern const void *jsc_symbol_create(void *vm, void *impl)
    JSC_SYMBOL("_ZN3JSC6Symbol6createERNS_2VMERN3WTF10SymbolImplE");
/* Adds to a MarkedVector, and the vector to the lists that the collector looks at; true: full. */
extern bool jsc_vector_append(void *vector, u64 value)
    JSC_SYMBOL("_ZN3JSC16MarkedVectorBase10slowAppendENS_7JSValueE");
extern void jsc_fast_free(void *p) JSC_SYMBOL("_ZN3WTF8fastFreeEPv");
/* A private symbol that built-in code has for a function only, never on an object. */
extern char jsc_hidden_name[] JSC_SYMBOL("_ZN3JSC7Symbols30moveFunctionToRealmPrivateNameE");
extern char jsc_context_name[] JSC_SYMBOL("_ZN3JSC7Symbols18contextPrivateNameE");

/* JSC::JSPromise::create, resolve, reject. */
extern void *jsc_promise_create(void *vm, const void *structure)
    JSC_SYMBOL("_ZN3JSC9JSPromise6createERNS_2VMEPNS_9StructureE");
extern void jsc_promise_resolve(void *promise, void *global, u64 value)
    JSC_SYMBOL("_ZN3JSC9JSPromise7resolveEPNS_14JSGlobalObjectENS_7JSValueE");
extern void jsc_promise_reject(void *promise, void *global, u64 value)
    JSC_SYMBOL("_ZN3JSC9JSPromise6rejectEPNS_14JSGlobalObjectENS_7JSValueE");
extern unsigned jsc_promise_status(const void *promise, void *vm)
    JSC_SYMBOL("_ZNK3JSC9JSPromise6statusERNS_2VME");
extern u64 jsc_promise_result(const void *promise, void *vm)
    JSC_SYMBOL("_ZNK3JSC9JSPromise6resultERNS_2VME");
extern usize jsc_heap_capacity(void *heap) JSC_SYMBOL("_ZN3JSC4Heap8capacityEv");
/* The timers that collect: GCActivityCallback pointers, or NULL. */
extern void *jsc_heap_full_timer(void *heap) JSC_SYMBOL("_ZN3JSC4Heap20fullActivityCallbackEv");
extern void *jsc_heap_eden_timer(void *heap) JSC_SYMBOL("_ZN3JSC4Heap20edenActivityCallbackEv");
extern void jsc_gc_timer_cancel(void *timer) JSC_SYMBOL("_ZN3JSC18GCActivityCallback6cancelEv");
extern usize jsc_heap_size(void *heap) JSC_SYMBOL("_ZN3JSC4Heap4sizeEv");
extern usize jsc_heap_extra(void *heap) JSC_SYMBOL("_ZN3JSC4Heap15extraMemorySizeEv");

extern unsigned jsc_get_major_version(void) __attribute__((weak));
extern unsigned jsc_get_minor_version(void) __attribute__((weak));

typedef struct {
    bool is_known_version; /* offsets inside the engine's objects may be used */
    bool has_layout;       /* cells and strings look as described above */
} JscFacts;
extern JscFacts jsc;

/* Fills `jsc`; called once, with the first machine. */
void js_private_probe(JSContextRef ctx);
/* The Structure of an object cell, or NULL when it cannot be found. */
const void *js_private_structure(const void *cell);
/* The engine's ClassInfo of a cell, or NULL when it cannot be told. */
const uintptr_t *js_private_class_info(const void *cell);
/* Makes the pages from `start` to `end` writable, which those of a shared library's tables are not
 * once it is loaded. */
bool js_make_writable(uintptr_t start, uintptr_t end);
/* The engine's class name of a cell, or NULL when it cannot be told. */
const char *js_private_class_name(const void *cell);
/* Is the string value's text in one piece?  `ret` gets it. */
static inline JscStringImpl *jsc_string_impl(const void *cell)
{
    u64 fiber = ((const u64 *)cell)[STRING_FIBER];
    return fiber & 1 ? NULL : (JscStringImpl *)(uintptr_t)fiber;
}
