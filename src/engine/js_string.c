/* engine/js_string.c -- strings in and out.
 *
 * With the engine's layout known, a string value is made from a StringImpl filled in place and read
 * by looking at its characters; the C API would copy twice each way. */
#include "engine/js_internal.h"

#include <string.h>

#include "codec/utf.h"
#include "engine/js_private.h"
#include "util/mem.h"

/* Longest string the engine makes (String::MaxLength). */
enum { STRING_LEN_MAX = 0x7fffffff };

/* ---- StringImpl
 * ------------------------------------------------------------------------------------- */

static bool has_impl(void)
{
    return LIKELY(jsc.has_layout && jsc_string_uninitialized8 && jsc_string_uninitialized16 &&
                  jsc_string_value && jsc_string_destroy && jsc_string_ref);
}

void js_drop_impl(JscStringImpl *impl)
{
    if (__atomic_sub_fetch(&impl->ref_count, 2, __ATOMIC_ACQ_REL) == 0) jsc_string_destroy(impl);
}

static JscStringImpl *impl_of_utf8(Str utf8, UtfMeasure m)
{
    JscStringImpl *impl;
    JscSpan data;
    if (m.is_latin1) {
        jsc_string_uninitialized8(&impl, m.n_units, &data);
        if (m.is_ascii && utf8.n)
            memcpy(data.p, utf8.p, utf8.n);
        else
            utf8_to_latin1(utf8, data.p);
    } else {
        jsc_string_uninitialized16(&impl, m.n_units, &data);
        utf8_to_utf16(utf8, data.p);
    }
    return impl;
}

JscStringImpl *js_make_impl(Str utf8)
{
    UtfMeasure m = utf8_measure(utf8);
    if (m.n_units > STRING_LEN_MAX) bug_oom(m.n_units);
    return impl_of_utf8(utf8, m);
}

static JsVal take_impl(Js *js, JscStringImpl *impl)
{
    void *cell = jsc_string_value(js->vm, impl);
    js_drop_impl(impl);
    return (JsVal)cell;
}

/* ---- In
 * --------------------------------------------------------------------------------------------- */

JSStringRef js_make_ref(Str utf8)
{
    UtfMeasure m = utf8_measure(utf8);
    if (m.n_units > STRING_LEN_MAX) bug_oom(m.n_units);
    if (has_impl()) {
        JscStringImpl *impl = impl_of_utf8(utf8, m);
        JSStringRef ref;
        jsc_string_ref(&ref, &impl);
        js_drop_impl(impl);
        return ref;
    }
    AUTO(Scratch) s = scratch_begin(NULL);
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

static COLD JsVal throw_too_long(Js *js)
{
    return js_throw_range_error(js, "Invalid string length");
}

JsVal js_str(Js *js, Str utf8)
{
    if (has_impl() && utf8.n > 1) {
        UtfMeasure m = utf8_measure(utf8);
        if (UNLIKELY(m.n_units > STRING_LEN_MAX)) return throw_too_long(js);
        if (LIKELY(m.n_units > 1)) return take_impl(js, impl_of_utf8(utf8, m));
    }
    return take_ref(js, js_make_ref(utf8));
}

JsVal js_str_utf16(Js *js, const u16 *p, usize n)
{
    if (UNLIKELY(n > STRING_LEN_MAX)) return throw_too_long(js);
    if (has_impl() && n > 1 && jsc_string_create16) {
        JscStringImpl *impl;
        jsc_string_create16(&impl, p, n);
        return take_impl(js, impl);
    }
    return take_ref(js, JSStringCreateWithCharacters(p, n));
}

JsVal js_str_latin1(Js *js, const u8 *p, usize n)
{
    if (UNLIKELY(n > STRING_LEN_MAX)) return throw_too_long(js);
    if (has_impl() && n > 1 && jsc_string_create8) {
        JscStringImpl *impl;
        jsc_string_create8(&impl, p, n);
        return take_impl(js, impl);
    }
    AUTO(Scratch) s = scratch_begin(NULL);
    u16 *units = arena_alloc_dirty(s.arena, (n + 1) * sizeof(u16), _Alignof(u16));
    for (usize i = 0; i < n; i++) units[i] = p[i];
    return take_ref(js, JSStringCreateWithCharacters(units, n));
}

bool js_str_latin1_unfilled(Js *js, usize n, JsVal *ret, u8 **ret_chars)
{
    if (!has_impl() || n < 2 || n > STRING_LEN_MAX) return false;
    JscStringImpl *impl;
    JscSpan data;
    jsc_string_uninitialized8(&impl, n, &data);
    *ret_chars = data.p;
    *ret = take_impl(js, impl);
    return true;
}

/* ---- Strings over our own bytes
 * --------------------------------------------------------------------- */

/* The engine's callback object, freed by itself. */
typedef struct {
    JscCallable base;
    void (*free_fn)(void *p, void *data);
    void *p, *data;
} ExternalFree;

static void external_call(JscCallable *self, void *impl, void *data, unsigned size)
{
    (void)impl, (void)data, (void)size;
    ExternalFree *e = (ExternalFree *)(void *)self;
    if (e->free_fn) e->free_fn(e->p, e->data);
    e->free_fn = NULL;
}

static void external_destroy(JscCallable *self)
{
    (void)self;
}
static void external_destroy_and_free(JscCallable *self)
{
    mem_free(self);
}

static JscCallable *external_free(const void *p, void (*free_fn)(void *p, void *data), void *data)
{
    static const struct JscCallableTable table = {external_destroy, external_destroy_and_free,
                                                  external_call};
    ExternalFree *e = MEM_NEW(ExternalFree);
    *e = (ExternalFree){
        .base.table = &table, .free_fn = free_fn, .p = (void *)(uintptr_t)p, .data = data};
    return &e->base;
}

JsVal js_str_external_latin1(Js *js, const u8 *p, usize n, void (*free_fn)(void *p, void *data),
                             void *data)
{
    if (n <= STRING_LEN_MAX && n > 1 && has_impl() && jsc_string_external8) {
        JscStringImpl *impl;
        JscCallable *take = external_free(p, free_fn, data);
        jsc_string_external8(&impl, p, n, &take);
        if (take) take->table->destroy_and_free(take);
        return take_impl(js, impl);
    }
    JsVal v = js_str_latin1(js, p, n);
    if (free_fn) free_fn((void *)(uintptr_t)p, data);
    return v;
}

JsVal js_str_external_utf16(Js *js, const u16 *p, usize n, void (*free_fn)(void *p, void *data),
                            void *data)
{
    if (n <= STRING_LEN_MAX && n > 1 && has_impl() && jsc_string_external16) {
        JscStringImpl *impl;
        JscCallable *take = external_free(p, free_fn, data);
        jsc_string_external16(&impl, p, n, &take);
        if (take) take->table->destroy_and_free(take);
        return take_impl(js, impl);
    }
    JsVal v = js_str_utf16(js, p, n);
    if (free_fn) free_fn((void *)(uintptr_t)p, data);
    return v;
}

/* ---- Out
 * -------------------------------------------------------------------------------------------- */

static JsChars chars_of(const JscStringImpl *impl)
{
    return (JsChars){
        .latin1 = impl->data, .len = impl->len, .is_latin1 = impl->hash_and_flags & STRING_IS_8BIT};
}

static bool is_rope(JsVal v)
{
    return !jsc_string_impl(v);
}

/* Longer ones may be too much memory, which only the C API can tell us. */
enum { ROPE_PLAIN_MAX = 1 << 20 };

/* Flattens; through the C API, asking for the characters resolves the rope, whose memory then
 * counts. */
static bool flatten(Js *js, JsVal v)
{
    if (jsc_rope_resolve && ((const u32 *)(const void *)v)[ROPE_LEN] <= ROPE_PLAIN_MAX) {
        (void)jsc_rope_resolve(v, js->ctx);
        return true;
    }
    JSValueRef exception = NULL;
    JSStringRef ref = JSValueToStringCopy(js->ctx, js_ref_of(v), &exception);
    if (!js_result_ok(js, exception)) return false;
    JSStringRelease(ref);
    return true;
}

/* Without the layout: the characters of a copy, which lives until CHARS_KEPT more were asked for.
 */
static bool chars_by_api(Js *js, JsVal v, JsChars *ret)
{
    JSValueRef exception = NULL;
    JSStringRef ref = JSValueToStringCopy(js->ctx, js_ref_of(v), &exception);
    if (!js_result_ok(js, exception)) return false;
    JSStringRef *slot = &js->chars_kept[js->chars_next++ % CHARS_KEPT];
    if (*slot) JSStringRelease(*slot);
    *slot = ref;
    *ret = (JsChars){.utf16 = JSStringGetCharactersPtr(ref), .len = JSStringGetLength(ref)};
    return true;
}

bool js_chars(Js *js, JsVal v, JsChars *ret)
{
    if (UNLIKELY(!js_is_string(js, v))) return js_throw_illegal(js);
    if (!jsc.has_layout) return chars_by_api(js, v, ret);
    if (is_rope(v) && !flatten(js, v)) return false;
    const JscStringImpl *impl = jsc_string_impl(v);
    ASSERT(impl);
    *ret = chars_of(impl);
    return true;
}

usize js_str_len(Js *js, JsVal v)
{
    if (UNLIKELY(!js_is_string(js, v))) return 0;
    if (jsc.has_layout) {
        const JscStringImpl *impl = jsc_string_impl(v);
        return impl ? impl->len : ((const u32 *)(const void *)v)[ROPE_LEN];
    }
    JSStringRef ref = JSValueToStringCopy(js->ctx, js_ref_of(v), NULL);
    usize n = ref ? JSStringGetLength(ref) : 0;
    if (ref) JSStringRelease(ref);
    return n;
}

static Str utf8_of(Arena *a, JsChars c)
{
    usize n =
        c.is_latin1 ? utf_latin1_to_utf8_len(c.latin1, c.len) : utf16_to_utf8_len(c.utf16, c.len);
    char *dst = arena_alloc_dirty(a, n + 1, 1);
    if (c.is_latin1 && n == c.len && n)
        memcpy(dst, c.latin1, n);
    else if (c.is_latin1)
        (void)utf_latin1_to_utf8(c.latin1, c.len, dst);
    else
        (void)utf16_to_utf8(c.utf16, c.len, dst);
    dst[n] = '\0';
    return (Str){dst, n};
}

Str js_impl_to_str(Arena *a, const JscStringImpl *impl)
{
    return utf8_of(a, chars_of(impl));
}

bool js_to_str(Js *js, Arena *a, JsVal v, Str *ret)
{
    if (LIKELY(jsc.has_layout) && js_is_string(js, v)) {
        JsChars c;
        if (!js_chars(js, v, &c)) return false;
        *ret = utf8_of(a, c);
        return true;
    }
    JSValueRef exception = NULL;
    JSStringRef ref = JSValueToStringCopy(js->ctx, js_ref_of(v), &exception);
    if (!js_result_ok(js, exception)) return false;
    JsChars c = {.utf16 = JSStringGetCharactersPtr(ref), .len = JSStringGetLength(ref)};
    *ret = utf8_of(a, c);
    JSStringRelease(ref);
    return true;
}

JsVal js_to_string(Js *js, JsVal v)
{
    if (js_is_string(js, v)) return v;
    JSValueRef exception = NULL;
    JSStringRef ref = JSValueToStringCopy(js->ctx, js_ref_of(v), &exception);
    if (!js_result_ok(js, exception)) return NULL;
    JSValueRef string = JSValueMakeString(js->ctx, ref);
    JSStringRelease(ref);
    return js_val_of(string);
}

/* ---- Names
 * ------------------------------------------------------------------------------------------ */

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
