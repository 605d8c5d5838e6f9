/* engine/js_string.c -- strings in and out. */
#include "engine/js_internal.h"

#include <string.h>

#include "codec/utf.h"
#include "engine/js_private.h"
#include "util/mem.h"

JSStringRef js_make_ref(Str utf8)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    UtfMeasure m = utf8_measure(utf8);
    u16 *units = arena_alloc_dirty(s.arena, (m.n_units + 1) * sizeof(u16), _Alignof(u16));
    utf8_to_utf16(utf8, units);
    return JSStringCreateWithCharacters(units, m.n_units);
}

static JsVal take_ref(Js *js, JSStringRef ref)
{
    JSValueRef v = JSValueMakeString(js->ctx, ref);
    JSStringRelease(ref);
    return js_val_of(v);
}

JsVal js_str(Js *js, Str utf8)
{
    return take_ref(js, js_make_ref(utf8));
}

JsVal js_str_utf16(Js *js, const u16 *p, usize n)
{
    return take_ref(js, JSStringCreateWithCharacters(p, n));
}

JsVal js_str_latin1(Js *js, const u8 *p, usize n)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    u16 *units = arena_alloc_dirty(s.arena, (n + 1) * sizeof(u16), _Alignof(u16));
    for (usize i = 0; i < n; i++) units[i] = p[i];
    return js_str_utf16(js, units, n);
}

bool js_to_str(Js *js, Arena *a, JsVal v, Str *ret)
{
    JSValueRef exception = NULL;
    JSStringRef ref = JSValueToStringCopy(js->ctx, js_ref_of(v), &exception);
    if (!js_result_ok(js, exception)) return false;
    const u16 *p = JSStringGetCharactersPtr(ref);
    usize n = JSStringGetLength(ref), len = utf16_to_utf8_len(p, n);
    char *dst = arena_alloc_dirty(a, len + 1, 1);
    (void)utf16_to_utf8(p, n, dst);
    dst[len] = '\0';
    JSStringRelease(ref);
    *ret = (Str){dst, len};
    return true;
}

JsName *js_find_name(Js *js, Str text)
{
    u64 *slot = str_map_find(&js->names, text);
    if (LIKELY(slot != NULL)) return (JsName *)(uintptr_t)*slot;
    return js->names.len < JS_NAMES_MAX ? js_name(js, text) : NULL;
}

JsName *js_name(Js *js, Str text)
{
    bool is_new;
    u64 *slot = str_map_find(&js->names, text);
    if (slot) return (JsName *)(uintptr_t)*slot;
    JsName *name = ARENA_NEW(&js->arena, JsName);
    name->ref = js_make_ref(text);
    name->key = js_val_of(JSValueMakeString(js->ctx, name->ref));
    JSValueProtect(js->ctx, js_ref_of(name->key));
    slot = str_map_put(&js->arena, &js->names, str_dup(&js->arena, text), &is_new);
    *slot = (u64)(uintptr_t)name;
    return name;
}

JsVal js_json_parse(Js *js, Str utf8)
{
    JsVal text = js_str(js, utf8);
    JsVal json = js_get(js, js_global(js), "JSON");
    JsVal parse = json ? js_get(js, json, "parse") : NULL;
    return parse ? js_call(js, parse, json, JS_ARGS(text)) : NULL;
}
