/* web/structured_clone -- native half: what an object is, whatever the program did to it. */
#include "builtins/builtins.h"

/* The same numbers as in the JS half. */
enum {
    KIND_NONE, /* cannot be cloned */
    KIND_OBJECT,
    KIND_ARRAY,
    KIND_MAP,
    KIND_SET,
    KIND_DATE,
    KIND_REGEXP,
    KIND_ERROR,
    KIND_BOXED,
    KIND_BUFFER,
    KIND_SHARED_BUFFER,
    KIND_VIEW,
    KIND_WASM_MODULE,
};

static const struct {
    Str name;
    i32 kind;
} classes[] = {
    {{"Object", 6}, KIND_OBJECT},
    {{"Array", 5}, KIND_ARRAY},
    {{"Map", 3}, KIND_MAP},
    {{"Set", 3}, KIND_SET},
    {{"Date", 4}, KIND_DATE},
    {{"RegExp", 6}, KIND_REGEXP},
    {{"Error", 5}, KIND_ERROR},
    {{"Boolean", 7}, KIND_BOXED},
    {{"Number", 6}, KIND_BOXED},
    {{"String", 6}, KIND_BOXED},
    {{"BigInt", 6}, KIND_BOXED},
    {{"Arguments", 9}, KIND_OBJECT},
    {{"Math", 4}, KIND_OBJECT},
    {{"JSON", 4}, KIND_OBJECT},
    {{"Reflect", 7}, KIND_OBJECT},
    {{"Intl", 4}, KIND_OBJECT},
    {{"WebAssembly", 11}, KIND_OBJECT},
    {{"WebAssembly.Module", 18}, KIND_WASM_MODULE},
};

/* kindOf(object) -> one of the numbers above. */
JS_NATIVE(clone_native_kind_of)
{
    JsVal v = args.at[0];
    Str name = js_class_name(js, v);
    for (u32 i = 0; i < COUNT(classes); i++) {
        if (str_eq(classes[i].name, name)) return js_int(js, classes[i].kind);
    }
    JsBytes unused;
    if (!js_bytes(js, v, &unused)) return js_int(js, KIND_NONE);
    if (!str_eq(name, S("ArrayBuffer"))) return js_int(js, KIND_VIEW);
    return js_int(js, js_is_shared(js, v) ? KIND_SHARED_BUFFER : KIND_BUFFER);
}

/* shapeOf(object) -> js_shape. */
JS_NATIVE(clone_native_shape_of)
{
    return js_number(js, js_shape(js, args.at[0]));
}

static const JsFn fns[] = {
    JS_FN("kindOf", clone_native_kind_of),
    JS_FN("shapeOf", clone_native_shape_of),
};
BUILTIN_NATIVE(web_structured_clone, fns)
