/* engine/js_inside.c -- what printing wants to know and the language does not tell.
 *
 * Proxies and iterators keep their state in internal fields, words that follow the object's header.
 */
#include "engine/js_internal.h"
#include "engine/js_private.h"

#include <string.h>

enum {
    FIRST_FIELD = 2, /* words: cell header, butterfly */
    PROXY_TARGET = FIRST_FIELD,
    PROXY_HANDLER,
    ITERATOR_FIELDS = 4, /* entry, iterated object, storage, kind */
    ITERATOR_KIND = FIRST_FIELD + 3,
};

static JsVal *fields_of(JsVal v)
{
    return (JsVal *)(uintptr_t)v;
}

static bool is_class(Js *js, JsVal v, const char *name)
{
    return js_is_object(js, v) && str_eq(js_class_name(js, v), str_z(name));
}

bool js_proxy_parts(Js *js, JsVal v, JsVal *ret_target, JsVal *ret_handler)
{
    if (!jsc.has_layout || !is_class(js, v, "ProxyObject")) return false;
    *ret_target = fields_of(v)[PROXY_TARGET];
    *ret_handler = fields_of(v)[PROXY_HANDLER];
    return true;
}

/* The fields are cells that `source` keeps alive until this returns and `fresh` from then on; it
 * was made a moment ago, so the collector has not looked at it yet. */
bool js_iterator_copy(Js *js, JsVal source, JsVal fresh, bool *ret_is_pairs)
{
    if (!jsc.has_layout) return false;
    Str name = js_is_object(js, source) ? js_class_name(js, source) : (Str){0};
    bool is_known = str_eq(name, S("Map Iterator")) || str_eq(name, S("Set Iterator"));
    if (!is_known || !js_is_object(js, fresh) || !str_eq(js_class_name(js, fresh), name))
        return false;
    JsVal kind = fields_of(source)[ITERATOR_KIND];
    if (!js_is_number(js, kind)) return false;
    *ret_is_pairs = js_get_i32(js, kind) == 2;
    memcpy(&fields_of(fresh)[FIRST_FIELD], &fields_of(source)[FIRST_FIELD],
           ITERATOR_FIELDS * sizeof(JsVal));
    return true;
}

/* JSC::JSFunction::name(VM &), a WTF::String. */
extern void jsc_function_name(JscStringImpl **ret, void *function, void *vm)
    JSC_SYMBOL("_ZN3JSC10JSFunction4nameERNS_2VME");

JsVal js_source_name(Js *js, JsVal v)
{
    /* Not every callable: constructors of the engine are another kind of cell. */
    bool is_known = jsc.has_layout && jsc_function_name && js_is_object(js, v) &&
                    ((const u8 *)v)[CELL_TYPE] == TYPE_FUNCTION;
    if (!is_known) return js_str(js, S(""));
    JscStringImpl *impl = NULL;
    jsc_function_name(&impl, (void *)(uintptr_t)v, js->vm);
    if (!impl) return js_str(js, S(""));
    bool is_8bit = impl->hash_and_flags & STRING_IS_8BIT;
    JsVal text = is_8bit ? js_str_latin1(js, impl->data, impl->len)
                         : js_str_utf16(js, impl->data, impl->len);
    js_drop_impl(impl);
    return text;
}

u32 js_shape(Js *js, JsVal obj)
{
    if (!jsc.has_layout || !js_is_object(js, obj)) return 0;
    return *(const u32 *)(const void *)obj; /* the structure's id is the first word of a cell */
}
