/* engine/js_define.c -- properties with any attributes, and the engine's own functions taken over.
 *
 * The C API cannot define accessors, nor replace one by a value. */
#include "engine/js_define.h"

#include <string.h>

/* JSC::PropertyDescriptor; the zero value is an empty one. */
extern void jsc_descriptor_set(void *self, u64 value, u32 attributes)
    JSC_SYMBOL("_ZN3JSC18PropertyDescriptor13setDescriptorENS_7JSValueEj");
extern void jsc_descriptor_set_getter(void *self, u64 value)
    JSC_SYMBOL("_ZN3JSC18PropertyDescriptor9setGetterENS_7JSValueE");
extern void jsc_descriptor_set_setter(void *self, u64 value)
    JSC_SYMBOL("_ZN3JSC18PropertyDescriptor9setSetterENS_7JSValueE");
extern void jsc_descriptor_set_enumerable(void *self, bool yes)
    JSC_SYMBOL("_ZN3JSC18PropertyDescriptor13setEnumerableEb");
extern void jsc_descriptor_set_configurable(void *self, bool yes)
    JSC_SYMBOL("_ZN3JSC18PropertyDescriptor15setConfigurableEb");
extern JscDefine
    jsc_object_define JSC_SYMBOL("_ZN3JSC8JSObject17defineOwnPropertyEPS0_PNS_14JSGlobalObjectENS_"
                                 "12PropertyNameERKNS_18PropertyDescriptorEb");
extern void jsc_function_name(JscStringImpl **ret, void *function, void *vm)
    JSC_SYMBOL("_ZN3JSC10JSFunction4nameERNS_2VME");

enum { DESCRIPTOR_WORDS = 8 }; /* more than it has */

bool js_has_descriptors(void)
{
    return jsc.has_layout && jsc_descriptor_set && jsc_descriptor_set_getter &&
           jsc_descriptor_set_setter && jsc_descriptor_set_enumerable &&
           jsc_descriptor_set_configurable && jsc_object_define && jsc_atom_literal;
}

bool js_can_define(Js *js)
{
    return js_has_descriptors() && js_has_fast_natives(js);
}

void js_define_value_by(Js *js, JscDefine *define, JsProperty at, JsVal v)
{
    u64 desc[DESCRIPTOR_WORDS] = {0};
    u32 attributes = (at.is_enumerable ? 0 : ATTRIBUTE_DONT_ENUM) |
                     (at.is_permanent ? ATTRIBUTE_DONT_DELETE : 0);
    jsc_descriptor_set(desc, js_bits(v), attributes);
    (void)define(at.obj, js->ctx, at.name, desc, false);
}

void js_define_accessor_by(Js *js, JscDefine *define, JsProperty at, JsVal getter, JsVal setter)
{
    u64 desc[DESCRIPTOR_WORDS] = {0};
    jsc_descriptor_set_getter(desc, js_bits(getter));
    jsc_descriptor_set_setter(desc, js_bits(setter));
    jsc_descriptor_set_enumerable(desc, at.is_enumerable);
    jsc_descriptor_set_configurable(desc, true);
    (void)define(at.obj, js->ctx, at.name, desc, false);
}

static JsVal make_unnamed(Js *js, const JsFn *fn, u32 len)
{
    JsFn unnamed = *fn;
    unnamed.name = NULL;
    return js_function_with_len(js, &unnamed, len);
}

bool js_define_accessor(Js *js, JsVal obj, const JsFn *getter, const JsFn *setter,
                        bool is_enumerable)
{
    if (!js_can_define(js)) return false;
    Str text = str_z(getter->name);
    JscStringImpl *name;
    jsc_atom_literal(&name, (const u8 *)text.p, text.n);
    JsProperty at = {.obj = (void *)(uintptr_t)obj, .name = name, .is_enumerable = is_enumerable};
    js_define_accessor_by(js, jsc_object_define, at, make_unnamed(js, getter, 0),
                          make_unnamed(js, setter, 1));
    js_drop_impl(name);
    return true;
}

extern void jsc_make_dictionary(void *object, void *vm)
    JSC_SYMBOL("_ZN3JSC8JSObject19convertToDictionaryERNS_2VME");

void js_expect_properties(Js *js, JsVal obj)
{
    ASSERT(js_is_object(js, obj));
    if (jsc.has_layout && jsc_make_dictionary) jsc_make_dictionary((void *)(uintptr_t)obj, js->vm);
}

bool js_define_accessors(Js *js, JsVal obj, JsVal list)
{
    enum { PARTS = 3 };
    JsVal parts[PARTS];
    u32 len;
    if (!js_can_define(js) || !js_element_count(js, list, &len)) return false;
    for (u32 i = 0; i + PARTS <= len; i += PARTS) {
        if (!js_array_copy(js, list, i, parts, PARTS)) return false;
        const JscStringImpl *name = js_is_string(js, parts[0]) ? jsc_string_impl(parts[0]) : NULL;
        if (!name || !(name->hash_and_flags & STRING_IS_ATOM)) return false;
        JsProperty at = {.obj = (void *)(uintptr_t)obj, .name = name, .is_enumerable = true};
        js_define_accessor_by(js, jsc_object_define, at, parts[1], parts[2]);
    }
    return true;
}

/* JSC::Symbols::asyncIteratorSymbol: getting it from the global `Symbol` would make that first. */
extern const JscStringImpl jsc_async_iterator JSC_SYMBOL("_ZN3JSC7Symbols19asyncIteratorSymbolE");

bool js_set_async_iterator(Js *js, JsVal obj, const JsFn *fn)
{
    JsVal v = js_function(js, fn);
    if (!v) return false;
    if (js_can_define(js) && &jsc_async_iterator) {
        JsProperty at = {
            .obj = (void *)(uintptr_t)obj, .name = &jsc_async_iterator, .is_enumerable = true};
        js_define_value_by(js, jsc_object_define, at, v);
        return true;
    }
    JsVal symbol = js_get(js, js_global(js), "Symbol");
    JsVal key = symbol ? js_get(js, symbol, "asyncIterator") : NULL;
    return key && js_set_key(js, obj, key, v);
}

/* ---- Functions of the engine
 * -------------------------------------------------------------------------- */

/* Words of a function and of its executable; properties of an object grow downwards from its
 * butterfly, behind one word. */
enum { FUNCTION_EXECUTABLE = 3, EXECUTABLE_CALL = 5, OBJECT_BUTTERFLY = 1, FIRST_PROPERTY = -2 };

static uintptr_t *executable_of(JsVal fn)
{
    uintptr_t word = ((const uintptr_t *)(const void *)fn)[FUNCTION_EXECUTABLE];
    return word & 1 ? NULL : (uintptr_t *)word;
}

static bool is_function_cell(JsVal v)
{
    return js_is_cell(v) && ((const u8 *)(const void *)v)[CELL_TYPE] == TYPE_FUNCTION;
}

static bool is_named(Js *js, JsVal fn, const char *name)
{
    JscStringImpl *impl = NULL;
    jsc_function_name(&impl, (void *)(uintptr_t)fn, js->vm);
    if (!impl) return false;
    bool ok =
        impl->hash_and_flags & STRING_IS_8BIT && str_eq((Str){impl->data, impl->len}, str_z(name));
    js_drop_impl(impl);
    return ok;
}

bool js_replace_natives(Js *js, JsVal obj, const JsFnTable *table)
{
    if (!js_can_define(js) || !jsc_function_name || !js_is_object(js, obj) || !table->len)
        return false;
    JsVal sample = js_function(js, &table->fns[0]);
    const uintptr_t *known = sample ? executable_of(sample) : NULL;
    if (!known || known[EXECUTABLE_CALL] != (uintptr_t)table->fns[0].fast) return false;
    const JsVal *at = ((const JsVal *const *)(const void *)obj)[OBJECT_BUTTERFLY];
    if (!at) return false;
    for (u32 i = 0; i < table->len; i++) {
        JsVal fn = at[FIRST_PROPERTY - (i64)i];
        if (!is_function_cell(fn) || !executable_of(fn)) return false;
        if (!is_named(js, fn, table->fns[i].name)) return false;
    }
    for (u32 i = 0; i < table->len; i++)
        executable_of(at[FIRST_PROPERTY - (i64)i])[EXECUTABLE_CALL] = (uintptr_t)table->fns[i].fast;
    return true;
}
