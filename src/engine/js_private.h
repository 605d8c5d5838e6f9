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
extern void *jsc_function_create(void *vm, void *global, unsigned length, void *const *name,
                                 JscHostFunction *call, u8 visibility, u8 intrinsic,
                                 JscHostFunction *construct, const void *signature)
    JSC_SYMBOL("_ZN3JSC10JSFunction6createERNS_2VMEPNS_14JSGlobalObjectEjRKN3WTF6StringENS5_"
               "11FunctionPtrILNS5_6PtrTagE1EFlS4_PNS_9CallFrameEELNS5_18FunctionAttributesE2EEE"
               "NS_24ImplementationVisibilityENS_9IntrinsicESF_PKNS_6DOMJIT9SignatureE");
/* JSC::VM::throwException(JSGlobalObject *, JSValue) */
extern void *jsc_throw(void *vm, void *global, u64 value)
    JSC_SYMBOL("_ZN3JSC2VM14throwExceptionEPNS_14JSGlobalObjectENS_7JSValueE");
extern void jsc_drain_microtasks(void *vm) JSC_SYMBOL("_ZN3JSC2VM15drainMicrotasksEv");
