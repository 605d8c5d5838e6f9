/* engine/js_context.c -- further global objects of a machine, for node:vm.
 *
 * Such a global looks names up in an object of the program (the sandbox) first, and writes there as
 * well as to itself: the callbacks of a class do that.  What a script declares with `var` or
 * `function` it reads from slots of the global without asking anybody; so, before a script runs,
 * the slots get what the program has put into the sandbox meanwhile. */
#include "engine/js_internal.h"

#include "engine/js_private.h"

#define SANDBOX "sandbox"

/* Says where the context is; its property `global` keeps it alive. */
static const JsClass handle_class = {.name = "Context"};

static JSObjectRef sandbox_of(JSContextRef ctx, JSObjectRef global)
{
    JSStringRef key = JSStringCreateWithUTF8CString(SANDBOX);
    JSValueRef v = JSObjectGetPrivateProperty(ctx, global, key);
    JSStringRelease(key);
    return v && JSValueIsObject(ctx, v) ? js_obj_of(js_val_of(v)) : NULL;
}

static JSValueRef get_property(JSContextRef ctx, JSObjectRef global, JSStringRef name,
                               JSValueRef *exception)
{
    Js *js = js_current();
    js_relock(js);
    JSObjectRef sandbox = js->is_context_open ? NULL : sandbox_of(ctx, global);
    JSValueRef v = NULL;
    if (sandbox && JSObjectHasProperty(ctx, sandbox, name))
        v = JSObjectGetProperty(ctx, sandbox, name, exception);
    js_unlock_again(js);
    return v;
}

/* A property that cannot be written to stays as it is. */
static void set_if_possible(JSContextRef ctx, JSObjectRef object, JSStringRef name, JSValueRef v)
{
    JSValueRef ignored = NULL;
    JSObjectSetProperty(ctx, object, name, v, 0, &ignored);
}

static bool set_property(JSContextRef ctx, JSObjectRef global, JSStringRef name, JSValueRef value,
                         JSValueRef *exception)
{
    Js *js = js_current();
    js_relock(js);
    JSObjectRef sandbox = js->is_context_open ? NULL : sandbox_of(ctx, global);
    if (sandbox) {
        JSObjectSetProperty(ctx, sandbox, name, value, 0, exception);
        /* The slot, too.  The engine would not do it: what our get_property finds it takes for
         * read-only. */
        js->is_context_open = true;
        if (!*exception) set_if_possible(ctx, global, name, value);
        js->is_context_open = false;
    }
    js_unlock_again(js);
    return sandbox != NULL;
}

static bool delete_property(JSContextRef ctx, JSObjectRef global, JSStringRef name,
                            JSValueRef *exception)
{
    Js *js = js_current();
    js_relock(js);
    JSObjectRef sandbox = js->is_context_open ? NULL : sandbox_of(ctx, global);
    if (sandbox && JSObjectHasProperty(ctx, sandbox, name))
        (void)JSObjectDeleteProperty(ctx, sandbox, name, exception);
    js_unlock_again(js);
    return false;
}

static void list_properties(JSContextRef ctx, JSObjectRef global, JSPropertyNameAccumulatorRef list)
{
    Js *js = js_current();
    js_relock(js);
    JSObjectRef sandbox = js->is_context_open ? NULL : sandbox_of(ctx, global);
    if (sandbox) {
        JSPropertyNameArrayRef names = JSObjectCopyPropertyNames(ctx, sandbox);
        for (usize i = 0; i < JSPropertyNameArrayGetCount(names); i++)
            JSPropertyNameAccumulatorAddName(list, JSPropertyNameArrayGetNameAtIndex(names, i));
        JSPropertyNameArrayRelease(names);
    }
    js_unlock_again(js);
}

static JSClassRef context_class(Js *js)
{
    if (js->context_class) return js->context_class;
    JSClassDefinition d = kJSClassDefinitionEmpty;
    d.className = "Object";
    d.getProperty = get_property;
    d.setProperty = set_property;
    d.deleteProperty = delete_property;
    d.getPropertyNames = list_properties;
    js->context_class = JSClassCreate(&d);
    return js->context_class;
}

void js_context_hook(Js *js, JSGlobalContextRef ctx)
{
    (void)js_promise_hook(ctx);
    bool ok = js_async_add(js, ctx);
    ASSERT(ok);
}

JsVal js_context_new(Js *js, JsVal sandbox)
{
    JSGlobalContextRef ctx =
        JSGlobalContextCreateInGroup((JSContextGroupRef)js->vm, context_class(js));
    if (!ctx) return js_throw_error(js, "The context could not be made");
    JSObjectRef global = JSContextGetGlobalObject(ctx);
    JSStringRef key = JSStringCreateWithUTF8CString(SANDBOX);
    bool ok = JSObjectSetPrivateProperty(ctx, global, key, js_ref_of(sandbox));
    JSStringRelease(key);
    js_context_hook(js, ctx);
    /* From here on it lives as long as something refers to it. */
    JsVal handle = js_wrap(js, &handle_class, ctx);
    ok = ok && js_set(js, handle, "global", js_val_of(global));
    JSGlobalContextRelease(ctx);
    if (ok) return handle;
    return js_is_pending(js) ? NULL : js_throw_error(js, "The context could not be made");
}

/* A run: the names that sandbox and global both have, and the values they had before. */
typedef struct {
    JSContextRef ctx;
    JSObjectRef global, sandbox;
    JSPropertyNameArrayRef names; /* of the sandbox */
    JsVal before;                 /* an array, by place in `names` */
} Run;

/* Gives the slots what is in the sandbox. */
static bool fill_slots(Js *js, Run *r)
{
    JSValueRef exception = NULL;
    for (usize i = 0; i < JSPropertyNameArrayGetCount(r->names) && !exception; i++) {
        JSStringRef name = JSPropertyNameArrayGetNameAtIndex(r->names, i);
        if (!JSObjectHasProperty(r->ctx, r->global, name)) continue;
        JSValueRef v = JSObjectGetProperty(r->ctx, r->sandbox, name, &exception);
        if (exception) break;
        set_if_possible(r->ctx, r->global, name, v);
        JSObjectSetPropertyAtIndex(r->ctx, js_obj_of(r->before), (unsigned)i, v, &exception);
    }
    return js_result_ok(js, exception);
}

/* What was deleted from the sandbox. */
static bool drop_slots(Js *js, Run *r)
{
    JSValueRef exception = NULL;
    JSPropertyNameArrayRef names = JSObjectCopyPropertyNames(r->ctx, r->global);
    for (usize i = 0; i < JSPropertyNameArrayGetCount(names) && !exception; i++) {
        JSStringRef name = JSPropertyNameArrayGetNameAtIndex(names, i);
        if (!JSObjectHasProperty(r->ctx, r->sandbox, name))
            (void)JSObjectDeleteProperty(r->ctx, r->global, name, &exception);
    }
    JSPropertyNameArrayRelease(names);
    return js_result_ok(js, exception);
}

/* Compiled code writes to slots that it knows without asking, too: what has changed there. */
static bool take_slots(Js *js, Run *r)
{
    JSValueRef exception = NULL;
    for (usize i = 0; i < JSPropertyNameArrayGetCount(r->names) && !exception; i++) {
        JSStringRef name = JSPropertyNameArrayGetNameAtIndex(r->names, i);
        if (!JSObjectHasProperty(r->ctx, r->global, name)) continue;
        JSValueRef v = JSObjectGetProperty(r->ctx, r->global, name, &exception);
        if (exception) break;
        JSValueRef old =
            JSObjectGetPropertyAtIndex(r->ctx, js_obj_of(r->before), (unsigned)i, &exception);
        if (exception || JSValueIsStrictEqual(r->ctx, v, old)) continue;
        set_if_possible(r->ctx, r->sandbox, name, v);
    }
    return js_result_ok(js, exception);
}

static bool begin_run(Js *js, Run *r, JSContextRef ctx, JsVal sandbox)
{
    *r = (Run){.ctx = ctx,
               .global = JSContextGetGlobalObject(ctx),
               .sandbox = js_obj_of(sandbox),
               .before = js_array(js, NULL, 0)};
    r->names = JSObjectCopyPropertyNames(ctx, r->sandbox);
    js->is_context_open = true;
    bool ok = fill_slots(js, r) && drop_slots(js, r);
    js->is_context_open = false;
    return ok;
}

static void end_run(Js *js, Run *r)
{
    js->is_context_open = true;
    JsVal pending = js_take_pending(js);
    if (!take_slots(js, r) && pending) (void)js_take_pending(js);
    if (pending) (void)js_throw(js, pending);
    js->is_context_open = false;
    JSPropertyNameArrayRelease(r->names);
}

JsVal js_context_eval(Js *js, JsVal handle, JsVal sandbox, JsVal source, JsContextScript script)
{
    JSContextRef ctx = js_unwrap(js, handle, &handle_class);
    if (!ctx) return js_throw_type_error(js, "not a context");
    JSValueRef exception = NULL;
    JSStringRef text = JSValueToStringCopy(ctx, js_ref_of(source), &exception);
    if (!text) return js_result(js, NULL, &exception);
    Run r;
    JsVal result = NULL;
    if (begin_run(js, &r, ctx, sandbox)) {
        JSStringRef name = js_make_ref(script.url);
        JSValueRef v = JSEvaluateScript(ctx, text, NULL, name, script.line, &exception);
        JSStringRelease(name);
        result = js_result(js, v, &exception);
    }
    JSStringRelease(text);
    end_run(js, &r);
    return js_is_pending(js) ? NULL : result;
}
