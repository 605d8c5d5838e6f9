/* engine/js_context.c -- further global objects of a machine, for node:vm.
 *
 * Such a global looks names up in an object of the program (the sandbox) first and writes there;
 * only what the sandbox does not have, and the built-ins, it keeps itself.  Its entries
 * (js_global.h) do that, with Node's rules: reading sees what the sandbox inherits, `in` and
 * descriptors see what it has itself, getters and setters get the sandbox as `this`, and who reads
 * the sandbox gets the global.
 *
 * What a script declares with `var` or `function` the engine would keep in slots of the global that
 * scripts read without asking anybody.  It does not when the global has a property of that name: so
 * one is put there before the script runs (js_context_declare).  It is writable and cannot be
 * deleted, which no property of a global object is otherwise; the entries do not see those.  And
 * the class of the object is marked as one whose properties must not be cached. */
#include "engine/js_global.h"

#include <string.h>

/* A Structure: the flags of the type beyond the first eight, and those that we set and expect. */
enum {
    STRUCTURE_FLAGS = 12,
    FLAG_NO_CACHING = 1 << 3,
    FLAG_IMPURE = 1 << 4,
    FLAG_FIXED_PROTO = 1 << 6,
    FLAG_IMPURE_ABSENCE = 1 << 7,
    FLAG_INDEX = 1 << 8,
    FLAG_PUT = 1 << 10,
};
/* Of a VM: the exception that is on its way.  Of a PutPropertySlot: `this`, caching. */
enum { VM_EXCEPTION = 0x10, PUT_THIS = 8, PUT_FLAGS = 20, PUT_IS_CACHEABLE = 23, PUT_STRICT = 1 };
enum { PROTO_DEPTH_MAX = 10000 };

extern u64 jsc_slot_getter(const void *slot, void *global)
    JSC_SYMBOL("_ZNK3JSC12PropertySlot14functionGetterEPNS_14JSGlobalObjectE");
extern u64 jsc_slot_custom(const void *slot, void *vm, const JscStringImpl *name)
    JSC_SYMBOL("_ZNK3JSC12PropertySlot12customGetterERNS_2VMENS_12PropertyNameE");

extern void jsc_atom_add(JscStringImpl **ret, JscStringImpl *impl)
    JSC_SYMBOL("_ZN3WTF14AtomStringImpl11addSlowCaseERNS_10StringImplE");

/* A context is the global object itself; scripts see a proxy of it, JSContextGetGlobalObject.
 *
 * Says where the context is; its property `global` keeps it alive. */
static const JsClass handle_class = {.name = "Context"};

/* false: the machine is told to stop. */
static bool hook(Js *js, JSGlobalContextRef ctx)
{
    (void)js_promise_hook(ctx);
    return js_async_add(js, ctx);
}

static const JscStringImpl *sandbox_key(void)
{
    return (const JscStringImpl *)(const void *)jsc_context_name;
}

bool js_context_find(Js *js, void *obj, JsContextAt *ret)
{
    if (!js->has_contexts) return false;
    _Alignas(u64) u8 slot[SLOT_SIZE];
    if (!js_global_own(obj, sandbox_key(), slot, SLOT_INSPECT)) return false;
    *ret = (JsContextAt){.global = obj};
    memcpy(&ret->sandbox, slot + SLOT_VALUE, sizeof ret->sandbox);
    return true;
}

/* ---- Reading
 * ------------------------------------------------------------------------------------------ */

static const uintptr_t *table_of(const void *cell)
{
    return js_private_class_info(cell);
}

static bool has_thrown(const Js *js)
{
    return *(void *const *)(const void *)((const char *)js->vm + VM_EXCEPTION) != NULL;
}

/* The own property of the global itself, without those that stand for declarations. */
static bool get_own(JsContextAt at, const JscStringImpl *name, u8 *slot)
{
    bool is_found = js_global_original.get_slot(at.global, at.global, name, slot);
    slot[SLOT_IS_CACHEABLE] = 0;
    if (!is_found || slot[SLOT_METHOD] == SLOT_INSPECT) return is_found;
    u32 attributes;
    memcpy(&attributes, slot + SLOT_ATTRIBUTES, sizeof attributes);
    if ((attributes & (ATTRIBUTE_DONT_DELETE | ATTRIBUTE_READ_ONLY)) != ATTRIBUTE_DONT_DELETE)
        return true;
    memset(slot + SLOT_VALUE, 0, sizeof(u64));
    memset(slot + SLOT_BASE, 0, sizeof(u64));
    slot[SLOT_TYPE] = SLOT_IS_UNSET;
    return false;
}

typedef struct {
    const JscStringImpl *name; /* NULL: the index */
    u32 index;
} Key;

static bool get_own_of(void *obj, void *global, Key key, u8 *slot)
{
    const uintptr_t *table = table_of(obj);
    if (key.name) return ((JscGetSlot *)table[INFO_GET_SLOT])(obj, global, key.name, slot);
    return ((JscGetSlotIndex *)table[INFO_GET_SLOT_INDEX])(obj, global, key.index, slot);
}

/* A Proxy finds every name.  One that has no trap for it finds what its target does; NULL for the
 * others, and for what is no Proxy. */
static void *untrapped_target(Js *js, void *obj)
{
    JsVal target, handler;
    if (!js_proxy_parts(js, (JsVal)obj, &target, &handler) || !js_is_cell(target)) return NULL;
    JsVal trap = js_get(js, handler, "get");
    if (!trap) (void)js_catch(js);
    return trap && js_is_nullish(trap) ? (void *)(uintptr_t)target : NULL;
}

static bool is_undefined(const u8 *slot)
{
    u64 v;
    memcpy(&v, slot + SLOT_VALUE, sizeof v);
    return slot[SLOT_TYPE] == SLOT_IS_VALUE && v == (u64)(uintptr_t)JS_UNDEFINED;
}

/* What reading gets from the sandbox and what it inherits. */
static bool find_in_chain(Js *js, JsContextAt at, Key key, u8 *slot)
{
    void *obj = at.sandbox;
    for (u32 depth = 0; depth < PROTO_DEPTH_MAX; depth++) {
        bool is_found = get_own_of(obj, at.global, key, slot);
        if (has_thrown(js)) return false;
        void *target = is_found && is_undefined(slot) ? untrapped_target(js, obj) : NULL;
        if (is_found && !target) return true;
        if (target) {
            obj = target;
            continue;
        }
        JsVal proto = js_from_bits(((JscProto *)table_of(obj)[INFO_PROTO])(obj, at.global));
        if (has_thrown(js) || !js_is_cell(proto)) return false;
        obj = (void *)(uintptr_t)proto;
    }
    return false;
}

/* Makes the slot a plain value of the global object. */
static bool settle(Js *js, JsContextAt at, Key key, u8 *slot)
{
    u64 v;
    memcpy(&v, slot + SLOT_VALUE, sizeof v);
    if (slot[SLOT_TYPE] == SLOT_IS_GETTER)
        v = jsc_slot_getter(slot, at.global);
    else if (slot[SLOT_TYPE] != SLOT_IS_VALUE)
        v = jsc_slot_custom(slot, js->vm, key.name);
    if (has_thrown(js)) return false;
    if (v == (u64)(uintptr_t)at.sandbox) v = (u64)(uintptr_t)JSContextGetGlobalObject(at.global);
    const i32 no_offset = -1;
    memcpy(slot + SLOT_VALUE, &v, sizeof v);
    memset(slot + SLOT_ATTRIBUTES, 0, sizeof(u32));
    memcpy(slot + SLOT_OFFSET, &no_offset, sizeof no_offset);
    memcpy(slot + SLOT_THIS, &at.global, sizeof at.global);
    memcpy(slot + SLOT_BASE, &at.global, sizeof at.global);
    slot[SLOT_TYPE] = SLOT_IS_VALUE;
    slot[SLOT_IS_CACHEABLE] = 0;
    return true;
}

static bool get_any(Js *js, JsContextAt at, Key key, u8 *slot)
{
    if (slot[SLOT_METHOD] == SLOT_GET) {
        u64 receiver;
        memcpy(&receiver, slot + SLOT_THIS, sizeof receiver);
        memcpy(slot + SLOT_THIS, &at.sandbox, sizeof at.sandbox);
        if (find_in_chain(js, at, key, slot)) return settle(js, at, key, slot);
        memcpy(slot + SLOT_THIS, &receiver, sizeof receiver);
        return false;
    }
    bool is_found = get_own_of(at.sandbox, at.global, key, slot);
    slot[SLOT_IS_CACHEABLE] = 0;
    return is_found;
}

bool js_context_get_slot(Js *js, JsContextAt at, const JscStringImpl *name, u8 *slot)
{
    if (slot[SLOT_METHOD] == SLOT_INSPECT || name == sandbox_key()) return get_own(at, name, slot);
    if (get_any(js, at, (Key){.name = name}, slot)) return true;
    return !has_thrown(js) && get_own(at, name, slot);
}

bool js_context_get_slot_index(Js *js, JsContextAt at, u32 i, u8 *slot)
{
    return slot[SLOT_METHOD] != SLOT_INSPECT && get_any(js, at, (Key){.index = i}, slot);
}

/* ---- Writing
 * ------------------------------------------------------------------------------------------ */

/* Attributes of the global's own property; false: it has none. */
static bool own_attributes(JsContextAt at, const JscStringImpl *name, u32 *ret)
{
    _Alignas(u64) u8 slot[SLOT_SIZE];
    memset(slot, 0, sizeof slot);
    memcpy(slot + SLOT_THIS, &at.global, sizeof at.global);
    slot[SLOT_METHOD] = SLOT_GET_OWN;
    if (!get_own(at, name, slot)) return false;
    memcpy(ret, slot + SLOT_ATTRIBUTES, sizeof *ret);
    return true;
}

static bool has_in_sandbox(JsContextAt at, const JscStringImpl *name)
{
    _Alignas(u64) u8 slot[SLOT_SIZE];
    memset(slot, 0, sizeof slot);
    memcpy(slot + SLOT_THIS, &at.sandbox, sizeof at.sandbox);
    slot[SLOT_METHOD] = SLOT_HAS;
    return get_own_of(at.sandbox, at.global, (Key){.name = name}, slot);
}

bool js_context_put(JsContextAt at, const JscStringImpl *name, u64 value, u8 *slot)
{
    u32 attributes = 0;
    bool is_own = own_attributes(at, name, &attributes);
    bool is_symbol = name->hash_and_flags & STRING_IS_SYMBOL;
    if (attributes & ATTRIBUTE_READ_ONLY || (is_symbol && !is_own && !has_in_sandbox(at, name)))
        return js_global_original.put(at.global, at.global, name, value, slot);
    memcpy(slot + PUT_THIS, &at.sandbox, sizeof at.sandbox);
    JscPut *put = (JscPut *)table_of(at.sandbox)[INFO_PUT];
    bool ok = put(at.sandbox, at.global, name, value, slot);
    memcpy(slot + PUT_THIS, &at.global, sizeof at.global);
    slot[PUT_IS_CACHEABLE] = 0;
    return ok;
}

bool js_context_put_index(JsContextAt at, u32 i, u64 value, bool throws)
{
    JscPutIndex *put = (JscPutIndex *)table_of(at.sandbox)[INFO_PUT_INDEX];
    return put(at.sandbox, at.global, i, value, throws);
}

/* Does a property stand for a declaration? */
static bool is_declared(JsContextAt at, const JscStringImpl *name)
{
    _Alignas(u64) u8 slot[SLOT_SIZE];
    u32 attributes;
    if (!js_global_own(at.global, name, slot, SLOT_GET_OWN)) return false;
    memcpy(&attributes, slot + SLOT_ATTRIBUTES, sizeof attributes);
    return (attributes & (ATTRIBUTE_DONT_DELETE | ATTRIBUTE_READ_ONLY)) == ATTRIBUTE_DONT_DELETE;
}

bool js_context_delete(JsContextAt at, const JscStringImpl *name, void *slot)
{
    if (is_declared(at, name)) return false;
    JscDelete *delete = (JscDelete *)table_of(at.sandbox)[INFO_DELETE];
    if (!delete (at.sandbox, at.global, name, slot)) return false;
    u32 attributes = 0;
    if (!own_attributes(at, name, &attributes)) return true;
    return js_global_original.delete(at.global, at.global, name, slot);
}

bool js_context_delete_index(JsContextAt at, u32 i)
{
    JscDeleteIndex *delete = (JscDeleteIndex *)table_of(at.sandbox)[INFO_DELETE_INDEX];
    return delete (at.sandbox, at.global, i);
}

void js_context_names(JsContextAt at, void *names, int mode)
{
    ((JscNames *)table_of(at.sandbox)[INFO_NAMES])(at.sandbox, at.global, names, mode);
    js_global_original.names(at.global, at.global, names, mode);
}

bool js_context_define(JsContextAt at, const JscStringImpl *name, const void *desc, bool throws)
{
    u32 attributes = 0;
    const u32 fixed = ATTRIBUTE_DONT_DELETE | ATTRIBUTE_READ_ONLY;
    if (own_attributes(at, name, &attributes) && (attributes & fixed) == fixed)
        return js_global_original.define(at.global, at.global, name, desc, throws);
    JscDefine *define = (JscDefine *)table_of(at.sandbox)[INFO_DEFINE];
    return define(at.sandbox, at.global, name, desc, throws);
}

/* ---- Making and running
 * ------------------------------------------------------------------------------- */

static bool can_make(Js *js)
{
    return js_has_descriptors() && jsc_symbol_create && jsc_slot_getter && jsc_slot_custom &&
           jsc_atom_add && js_global_install(js);
}

/* false: its class is not what we know. */
static bool forbid_caching(JSGlobalContextRef global)
{
    char *structure = (char *)(uintptr_t)js_private_structure(global);
    if (!structure) return false;
    u16 flags;
    memcpy(&flags, structure + STRUCTURE_FLAGS, sizeof flags);
    const u16 known = FLAG_FIXED_PROTO | FLAG_PUT;
    if ((flags & known) != known) return false;
    flags |= FLAG_NO_CACHING | FLAG_IMPURE | FLAG_IMPURE_ABSENCE | FLAG_INDEX;
    memcpy(structure + STRUCTURE_FLAGS, &flags, sizeof flags);
    return true;
}

static bool add_sandbox(Js *js, JSGlobalContextRef ctx, JsVal sandbox)
{
    if (!forbid_caching(ctx)) return false;
    JSValueRef exception = NULL;
    JSValueRef key = jsc_symbol_create(js->vm, jsc_context_name);
    JSObjectSetPropertyForKey(ctx, (JSObjectRef)ctx, key, js_ref_of(sandbox),
                              kJSPropertyAttributeDontEnum, &exception);
    js->has_contexts = true;
    return !exception;
}

JsVal js_context_new(Js *js, JsVal sandbox)
{
    if (!can_make(js)) return js_throw_error(js, "not implemented: vm contexts with this engine");
    JSGlobalContextRef ctx = JSGlobalContextCreateInGroup((JSContextGroupRef)js->vm, NULL);
    if (!ctx) return js_throw_error(js, "The context could not be made");
    bool ok = hook(js, ctx) && (js_is_undefined(sandbox) || add_sandbox(js, ctx, sandbox));
    /* From here on it lives as long as something refers to it. */
    JsVal handle = js_wrap(js, &handle_class, ctx);
    ok = ok && js_set(js, handle, "global", js_val_of(JSContextGetGlobalObject(ctx)));
    JSGlobalContextRelease(ctx);
    if (ok) return handle;
    return js_is_pending(js) ? NULL : js_throw_error(js, "The context could not be made");
}

static void add_placeholder(Js *js, JsContextAt at, const JscStringImpl *name)
{
    _Alignas(u64) u8 slot[SLOT_SIZE];
    if (js_global_own(at.global, name, slot, SLOT_GET_OWN)) return;
    JsProperty property = {
        .obj = at.global, .name = name, .is_enumerable = true, .is_permanent = true};
    js_define_value_by(js, js_global_original.define, property, JS_UNDEFINED);
}

static bool declare(Js *js, JsContextAt at, Str name)
{
    JscStringImpl *plain = js_make_impl(name), *impl = NULL;
    jsc_atom_add(&impl, plain);
    js_drop_impl(plain);
    u32 attributes;
    bool is_there = has_in_sandbox(at, impl) || own_attributes(at, impl, &attributes);
    bool ok = !has_thrown(js);
    if (ok) add_placeholder(js, at, impl);
    js_drop_impl(impl);
    if (!ok || is_there) return ok;
    JSValueRef exception = NULL;
    JSStringRef ref = js_make_ref(name);
    JSObjectSetProperty(js->ctx, at.sandbox, ref, js_ref_of(JS_UNDEFINED), 0, &exception);
    JSStringRelease(ref);
    return js_result_ok(js, exception);
}

bool js_context_declare(Js *js, JsVal handle, const Str *names, u32 len)
{
    JSContextRef ctx = js_unwrap(js, handle, &handle_class);
    JsContextAt at;
    if (!ctx || !js_context_find(js, (JSObjectRef)(uintptr_t)ctx, &at)) return true;
    for (u32 i = 0; i < len; i++)
        if (!declare(js, at, names[i])) return false;
    return true;
}

JsVal js_context_eval(Js *js, JsVal handle, JsVal source, JsContextScript script)
{
    JSContextRef ctx = js_unwrap(js, handle, &handle_class);
    if (!ctx) return js_throw_type_error(js, "not a context");
    JSValueRef exception = NULL;
    JSStringRef text = JSValueToStringCopy(ctx, js_ref_of(source), &exception);
    if (!text) return js_result(js, NULL, &exception);
    JSStringRef name = js_make_ref(script.url);
    JSValueRef v = JSEvaluateScript(ctx, text, NULL, name, script.line, &exception);
    JSStringRelease(name);
    JSStringRelease(text);
    return js_result(js, v, &exception);
}
