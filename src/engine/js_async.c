/* engine/js_async.c -- the asynchronous context: a value that follows a program across promises.
 *
 * An engine for AsyncLocalStorage remembers with every reaction of a promise, and with every await,
 * which value was current when it was registered, and makes that value current again while the
 * reaction runs.  This library does not.  But the steps of its promises are themselves JavaScript,
 * whose text stands at the beginning of the library's constants; so, before the first machine is
 * made, eight of these functions get another text of the same length.  The current value stands in
 * the property `frame` of an object that the machine's Promise constructor has under a private
 * symbol (`@context` in the text); programs cannot see it.
 *
 * A reaction registered while there is a value has `{ @generatorFrame: value, @context: context }`
 * for its context; the job that runs it puts the value in place and takes it away again.  As long
 * as a program uses no value (`isUsed`) that is a load and a branch more for each reaction.
 *
 * Every text is compared (by its hash) with what is expected before anything is written.  With
 * another version of the library nothing is changed, and js_async_is_complete says so. */
#include "engine/js_internal.h"

#include <link.h>
#include <string.h>
#include <sys/mman.h>

#include "engine/js_private.h"

typedef struct {
    u32 offset, len; /* in the text of all functions */
    u64 hash;        /* FNV-1a of what stands there */
    const char *name;
    const char *text; /* at most `len` characters, ends in TAIL */
} Edit;

/* The function's end: blanks are put before it. */
#define TAIL "})\n"
/* How the text of all functions begins. */
#define TEXT_HEAD "(function (executor)\n"

static const Edit edits[] = {
    {160717, 1169, 0xa28d233b7fe81d51ull, "performPromiseThen",
     "(function (promise, onFulfilled, onRejected, promiseOrCapability, context)\n"
     "{\n"
     "\"use strict\";\n"
     "if (!@isCallable(onFulfilled)) onFulfilled = @promiseEmptyOnFulfilled;\n"
     "if (!@isCallable(onRejected)) onRejected = @promiseEmptyOnRejected;\n"
     "var frame = @Promise.@context.frame;\n"
     "if (frame) context = { @generatorFrame: frame, @context: context };\n"
     "var result = @getPromiseInternalField(promise, @promiseFieldReactionsOrResult);\n"
     "var flags = @getPromiseInternalField(promise, @promiseFieldFlags);\n"
     "var state = flags & @promiseStateMask;\n"
     "if (state === @promiseStatePending)\n"
     "@pushNewPromiseReaction(promise, result, promiseOrCapability, onFulfilled, "
     "onRejected, context);\n"
     "else {\n"
     "var isRejected = state === @promiseStateRejected;\n"
     "if (isRejected && !(flags & @promiseFlagsIsHandled))\n"
     "@hostPromiseRejectionTracker(promise, @promiseRejectionHandle);\n"
     "@enqueueJob(@promiseReactionJob, promiseOrCapability, isRejected ? onRejected : "
     "onFulfilled, result, context);\n"
     "}\n"
     "@putPromiseInternalField(promise, @promiseFieldFlags, "
     "@getPromiseInternalField(promise, @promiseFieldFlags) | @promiseFlagsIsHandled);\n"
     "})\n"},
    {171508, 1206, 0x1fe7cf02ebfe7ba1ull, "promiseReactionJob",
     "(function (promiseOrCapability, handler, argument, contextOrState)\n"
     "{\n"
     "\"use strict\";\n"
     "if (@isUndefinedOrNull(handler)) {\n"
     "try {\n"
     "if (contextOrState === @promiseStateFulfilled) "
     "@resolvePromise(promiseOrCapability, argument);\n"
     "else @rejectPromise(promiseOrCapability, argument);\n"
     "} catch { }\n"
     "return;\n"
     "}\n"
     "var current = @Promise.@context, outer = current.frame;\n"
     "if (current.isUsed && (current.frame = contextOrState?.@generatorFrame)) "
     "contextOrState = contextOrState.@context;\n"
     "if (!promiseOrCapability) {\n"
     "@promiseReactionJobWithoutPromise(handler, argument, contextOrState);\n"
     "current.frame = outer;\n"
     "return;\n"
     "}\n"
     "try {\n"
     "var result = contextOrState ? handler(argument, contextOrState) : "
     "handler(argument);\n"
     "} catch (error) {\n"
     "current.frame = outer;\n"
     "if (@isPromise(promiseOrCapability)) return @rejectPromise(promiseOrCapability, "
     "error);\n"
     "return promiseOrCapability.reject.@call(@undefined, error);\n"
     "}\n"
     "if (@isPromise(promiseOrCapability)) {\n"
     "@resolvePromise(promiseOrCapability, result);\n"
     "current.frame = outer;\n"
     "return;\n"
     "}\n"
     "current.frame = outer;\n"
     "promiseOrCapability.resolve.@call(@undefined, result);\n"
     "})\n"},
    {173810, 268, 0xb46761afa5124a07ull, "promiseResolveThenableJob",
     "(function (thenable, then, functions, frame)\n"
     "{\n"
     "\"use strict\";\n"
     "var c = @Promise.@context, outer = c.frame;\n"
     "c.frame = frame;\n"
     "try { then.@call(thenable, functions.resolve, functions.reject) }\n"
     "catch (e) { functions.reject.@call(@undefined, e) }\n"
     "c.frame = outer;\n"
     "})\n"},
    {118808, 157, 0x1abec74851f4a354ull, "fulfillWithoutPromise",
     "(function (value, onFulfilled, onRejected, context)\n"
     "{\n"
     "\"use strict\";\n"
     "@enqueueJob(@promiseReactionJob, @undefined, onFulfilled, value, context);\n"
     "})\n"},
    {186164, 158, 0x463cbec7afb324c3ull, "rejectWithoutPromise",
     "(function (reason, onFulfilled, onRejected, context)\n"
     "{\n"
     "\"use strict\";\n"
     "@enqueueJob(@promiseReactionJob, @undefined, onRejected, reason, context);\n"
     "})\n"},
    {198095, 782, 0x056363d652473185ull, "resolvePromise",
     "(function (promise, resolution)\n"
     "{\n"
     "\"use strict\";\n"
     "if (resolution === promise)\n"
     "return @rejectPromise(promise, @makeTypeError(\"Cannot resolve a promise with "
     "itself\"));\n"
     "if (!@isObject(resolution))\n"
     "return @fulfillPromise(promise, resolution);\n"
     "var then;\n"
     "try {\n"
     "then = resolution.then;\n"
     "} catch (error) {\n"
     "return @rejectPromise(promise, error);\n"
     "}\n"
     "if (@isPromise(resolution) && then === @defaultPromiseThen) {\n"
     "@enqueueJob(@promiseResolveThenableJobFast, resolution, promise);\n"
     "return;\n"
     "}\n"
     "if (!@isCallable(then))\n"
     "return @fulfillPromise(promise, resolution);\n"
     "@enqueueJob(@promiseResolveThenableJob, resolution, then, "
     "@createResolvingFunctions(promise), @Promise.@context.frame);\n"
     "})\n"},
    {199266, 867, 0xe848cef82f6cd82full, "resolveWithoutPromise",
     "(function (resolution, onFulfilled, onRejected, context)\n"
     "{\n"
     "\"use strict\";\n"
     "if (!@isObject(resolution)) {\n"
     "@fulfillWithoutPromise(resolution, onFulfilled, onRejected, context);\n"
     "return;\n"
     "}\n"
     "var then;\n"
     "try {\n"
     "then = resolution.then;\n"
     "} catch (error) {\n"
     "@rejectWithoutPromise(error, onFulfilled, onRejected, context);\n"
     "return;\n"
     "}\n"
     "if (@isPromise(resolution) && then === @defaultPromiseThen)\n"
     "@enqueueJob(@promiseResolveThenableJobWithoutPromiseFast, resolution, "
     "onFulfilled, onRejected, context);\n"
     "else if (!@isCallable(then))\n"
     "@fulfillWithoutPromise(resolution, onFulfilled, onRejected, context);\n"
     "else\n"
     "@enqueueJob(@promiseResolveThenableJob, resolution, then, "
     "@createResolvingFunctionsWithoutPromise(onFulfilled, onRejected, context), "
     "@Promise.@context.frame);\n"
     "})\n"},
    {200133, 532, 0x0f6221d515ba52a8ull, "resolveWithoutPromiseForAsyncAwait",
     "(function (resolution, onFulfilled, onRejected, context)\n"
     "{\n"
     "\"use strict\";\n"
     "if (@isPromise(resolution)) {\n"
     "try {\n"
     "var { constructor } = resolution;\n"
     "} catch (e) {\n"
     "onRejected(e, context);\n"
     "return;\n"
     "}\n"
     "if (constructor === @Promise || constructor === @InternalPromise)\n"
     "return @performPromiseThen(resolution, onFulfilled, onRejected, @undefined, "
     "context);\n"
     "}\n"
     "var f = @Promise.@context.frame;\n"
     "if (f) context = { @generatorFrame: f, @context: context };\n"
     "@resolveWithoutPromise(resolution, onFulfilled, onRejected, context);\n"
     "})\n"},
};

static bool is_text_edited;

static u64 hash_of(const char *p, usize n)
{
    u64 h = 0xcbf29ce484222325ull;
    for (usize i = 0; i < n; i++) h = (h ^ (u8)p[i]) * 0x100000001b3ull;
    return h;
}

/* The end of the last function that is edited. */
static usize text_size(void)
{
    usize end = 0;
    for (u32 i = 0; i < COUNT(edits); i++) end = MAX(end, edits[i].offset + edits[i].len);
    return end;
}

/* A segment of constants that begins with the text of the engine's functions. */
static int find_text(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    for (u32 i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
        if (ph->p_type != PT_LOAD || ph->p_flags & PF_X || !(ph->p_flags & PF_R)) continue;
        if (ph->p_memsz < text_size()) continue;
        char *start = (char *)(info->dlpi_addr + ph->p_vaddr);
        if (memcmp(start, TEXT_HEAD, sizeof TEXT_HEAD - 1) != 0) continue;
        *(char **)data = start;
        return 1;
    }
    return 0;
}

static bool is_text_known(const char *text)
{
    for (u32 i = 0; i < COUNT(edits); i++) {
        if (hash_of(text + edits[i].offset, edits[i].len) != edits[i].hash) return false;
    }
    return true;
}

static void write_edit(char *text, const Edit *e)
{
    usize n = strlen(e->text), tail = sizeof TAIL - 1, body = n - tail;
    ASSERT(n <= e->len);
    char *at = text + e->offset;
    memcpy(at, e->text, body);
    memset(at + body, ' ', e->len - n);
    memcpy(at + e->len - tail, TAIL, tail);
}

/* One call for all pages; they stay writable.  What is not written to is not copied. */
static bool make_writable(char *text)
{
    usize page = 4096;
    uintptr_t first = UINTPTR_MAX, last = 0;
    for (u32 i = 0; i < COUNT(edits); i++) {
        first = MIN(first, (uintptr_t)text + edits[i].offset);
        last = MAX(last, (uintptr_t)text + edits[i].offset + edits[i].len);
    }
    first = first / page * page;
    return mprotect((void *)first, last - first, PROT_READ | PROT_WRITE) == 0;
}

void js_async_edit_text(void)
{
    char *text = NULL;
    if (!dl_iterate_phdr(find_text, (void *)&text) || !is_text_known(text)) return;
    if (!make_writable(text)) return;
    for (u32 i = 0; i < COUNT(edits); i++) write_edit(text, &edits[i]);
    is_text_edited = true;
}

bool js_async_is_complete(Js *js)
{
    (void)js;
    return is_text_edited;
}

/* Gives the Promise constructor of a global object the machine's holder. */
bool js_async_add(Js *js, JSContextRef ctx)
{
    if (!is_text_edited) return true;
    JSValueRef exception = NULL;
    JSStringRef name = JSStringCreateWithUTF8CString("Promise");
    JSValueRef promise = JSObjectGetProperty(ctx, JSContextGetGlobalObject(ctx), name, &exception);
    JSStringRelease(name);
    if (exception) return false;
    JSValueRef key = jsc_symbol_create(js->vm, jsc_context_name);
    JSObjectSetPropertyForKey(ctx, js_obj_of(js_val_of(promise)), key,
                              js_ref_of(js_ref_get(js, &js->async_context)),
                              kJSPropertyAttributeDontEnum, &exception);
    return !exception;
}

void js_async_init(Js *js)
{
    JsVal holder = js_object_null_proto(js);
    /* Twice: compilers shall not take what is always written for a constant. */
    bool ok = js_set(js, holder, "frame", JS_NULL) && js_set(js, holder, "frame", JS_UNDEFINED) &&
              js_set(js, holder, "isUsed", JS_FALSE);
    ASSERT(ok);
    js_ref_set_strong(js, &js->async_context, holder);
    ok = js_async_add(js, js->ctx);
    ASSERT(ok);
}

JsVal js_async_context(Js *js)
{
    return js_ref_get(js, &js->async_context);
}
