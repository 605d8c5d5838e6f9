/* engine/js_vm.c -- the machine: creation, entering and leaving, evaluation of source text. */
#include "engine/js_internal.h"

#include "engine/js_private.h"
#include "engine/js_stack.h"
#include "util/mem.h"

static _Thread_local Js *current;

Js *js_current(void)
{
    return current;
}
void *js_user_data(Js *js)
{
    return js->user_data;
}
void js_set_user_data(Js *js, void *data)
{
    js->user_data = data;
}
JsVal js_global(Js *js)
{
    return js_val_of(JSContextGetGlobalObject(js->ctx));
}

void js_enter(Js *js)
{
    ASSERT(js == current);
    if (js->enter_depth++ == 0 && JSLock) JSLock(js->ctx);
}

void js_leave(Js *js)
{
    ASSERT(js == current);
    ASSERT(js->enter_depth > 0);
    if (--js->enter_depth == 0 && JSUnlock) JSUnlock(js->ctx);
}

void js_relock(Js *js)
{
    if (JSLock) JSLock(js->ctx);
}

void js_unlock_again(Js *js)
{
    if (JSUnlock) JSUnlock(js->ctx);
}

Js *js_new(const JsOptions *options)
{
    ASSERT(!current);
    static const JsOptions defaults;
    if (!options) options = &defaults;
    Js *js = MEM_NEW(Js);
    js->gc_stress = options->gc_stress;
    js->smol = options->smol;
    js->has_fast_natives = !options->no_fast_natives;
    js->stack_trace_limit = options->stack_trace_limit ? options->stack_trace_limit : 10;
    js_run_loop_init(js);
    js_process_init(options);
    js->ctx = JSGlobalContextCreateInGroup(NULL, NULL);
    ASSERT(js->ctx);
    js_process_clean();
    js->vm = (void *)(uintptr_t)JSContextGetGroup(js->ctx);
    current = js;
    js_enter(js);
    js_private_probe(js->ctx);
    js_async_init(js);
    js_terminate_init(js);
    js_stack_init(js);
    return js;
}

void js_free(Js *js)
{
    if (!js) return;
    ASSERT(js == current);
    js_stack_deinit(js);
    while (js->strong) js_ref_clear(js, js->strong);
    (void)js_take_pending(js);
    JSGarbageCollect(js->ctx);
    js_leave(js);
    JSGlobalContextRelease(js->ctx);
    js_classes_deinit(js);
    js_handles_deinit(js);
    if (js->callback_class) JSClassRelease(js->callback_class);
    for (u32 i = 0; i < CHARS_KEPT; i++) {
        if (js->chars_kept[i]) JSStringRelease(js->chars_kept[i]);
    }
    u32 pos = 0;
    for (StrMapSlot *slot = str_map_next(&js->names, &pos); slot;
         slot = str_map_next(&js->names, &pos)) {
        JSStringRelease(((JsName *)(uintptr_t)slot->value)->ref);
    }
    js_run_loop_deinit(js);
    js_static_deinit(js);
    arena_deinit(&js->arena);
    current = NULL;
    mem_free(js);
}

JsVal js_eval(Js *js, Str source, Str url, u32 line)
{
    JSStringRef text = js_make_ref(source), name = js_make_ref(url);
    JSValueRef exception = NULL;
    JSValueRef v = JSEvaluateScript(js->ctx, text, NULL, name, (int)line, &exception);
    JSStringRelease(text);
    JSStringRelease(name);
    return js_result(js, v, &exception);
}

JsVal js_eval_value(Js *js, JsVal source, Str url, u32 line)
{
    JSValueRef exception = NULL;
    JSStringRef text = JSValueToStringCopy(js->ctx, js_ref_of(source), &exception);
    if (!text) return js_result(js, NULL, &exception);
    JSStringRef name = js_make_ref(url);
    JSValueRef v = JSEvaluateScript(js->ctx, text, NULL, name, (int)line, &exception);
    JSStringRelease(text);
    JSStringRelease(name);
    return js_result(js, v, &exception);
}

static void keep(UNUSED void *p, UNUSED void *data) {}

JsVal js_eval_static(Js *js, Str ascii, Str url, u32 line)
{
    JsVal source = js_str_external_latin1(js, (const u8 *)ascii.p, ascii.n, keep, NULL);
    return js_eval_value(js, source, url, line);
}

bool js_check_syntax(Js *js, Str source, Str url, u32 line)
{
    JSStringRef text = js_make_ref(source), name = js_make_ref(url);
    JSValueRef exception = NULL;
    bool ok = JSCheckScriptSyntax(js->ctx, text, name, (int)line, &exception);
    JSStringRelease(text);
    JSStringRelease(name);
    if (ok) return true;
    ASSERT(exception);
    return js_result_ok(js, exception);
}
