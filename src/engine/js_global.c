/* engine/js_global.c -- the entries of the class of global objects; see js_global.h. */
#include "engine/js_global.h"

#include <pthread.h>
#include <string.h>

enum { PAGE_SIZE = 4096 };

extern uintptr_t jsc_api_global_info[] JSC_SYMBOL("_ZN3JSC17JSAPIGlobalObject6s_infoE");
extern JscGetSlot
    jsc_global_get_slot JSC_SYMBOL("_ZN3JSC14JSGlobalObject18getOwnPropertySlotEPNS_8JSObjectEPS0_"
                                   "NS_12PropertyNameERNS_12PropertySlotE");
extern JscPut jsc_global_put JSC_SYMBOL("_ZN3JSC14JSGlobalObject3putEPNS_6JSCellEPS0_NS_"
                                        "12PropertyNameENS_7JSValueERNS_15PutPropertySlotE");
extern JscDelete jsc_global_delete JSC_SYMBOL(
    "_ZN3JSC19JSSymbolTableObject14deletePropertyEPNS_6JSCellEPNS_14JSGl"
    "obalObjectENS_12PropertyNameERNS_18DeletePropertySlotE");
extern JscDefine
    jsc_global_define JSC_SYMBOL("_ZN3JSC14JSGlobalObject17defineOwnPropertyEPNS_8JSObjectEPS0_NS_"
                                 "12PropertyNameERKNS_18PropertyDescriptorEb");

JsGlobalEntries js_global_original;
static JscGetSlotIndex *original_get_slot_index;
static JscPutIndex *original_put_index;
static JscDeleteIndex *original_delete_index;

bool js_global_own(void *global, const JscStringImpl *name, u8 slot[SLOT_SIZE], u8 method)
{
    const i32 no_offset = -1;
    memset(slot, 0, SLOT_SIZE);
    memcpy(slot + SLOT_OFFSET, &no_offset, sizeof no_offset);
    memcpy(slot + SLOT_THIS, &global, sizeof global);
    slot[SLOT_METHOD] = method;
    return js_global_original.get_slot(global, global, name, slot);
}

/* ---- The entries
 * -------------------------------------------------------------------------------------- */

typedef enum { OWNER_ENGINE, OWNER_LAZY, OWNER_CONTEXT } Owner;

static inline Owner find_owner(Js *js, void *obj, JsContextAt *ret)
{
    if (!js) return OWNER_ENGINE;
    if (LIKELY(obj == js->ctx)) return OWNER_LAZY;
    return js_context_find(js, obj, ret) ? OWNER_CONTEXT : OWNER_ENGINE;
}

static bool get_slot(void *obj, void *global, const JscStringImpl *name, u8 *slot)
{
    Js *js = js_current();
    JsContextAt at;
    Owner owner = find_owner(js, obj, &at);
    if (LIKELY(owner == OWNER_LAZY)) return js_lazy_get_slot(js, name, slot);
    if (owner == OWNER_CONTEXT) return js_context_get_slot(js, at, name, slot);
    return js_global_original.get_slot(obj, global, name, slot);
}

static bool get_slot_index(void *obj, void *global, u32 i, u8 *slot)
{
    Js *js = js_current();
    JsContextAt at;
    if (find_owner(js, obj, &at) == OWNER_CONTEXT)
        return js_context_get_slot_index(js, at, i, slot);
    return original_get_slot_index(obj, global, i, slot);
}

static bool put(void *obj, void *global, const JscStringImpl *name, u64 value, u8 *slot)
{
    Js *js = js_current();
    JsContextAt at;
    Owner owner = find_owner(js, obj, &at);
    if (LIKELY(owner == OWNER_LAZY)) return js_lazy_put(js, name, value, slot);
    if (owner == OWNER_CONTEXT) return js_context_put(at, name, value, slot);
    return js_global_original.put(obj, global, name, value, slot);
}

static bool put_index(void *obj, void *global, u32 i, u64 value, bool throws)
{
    JsContextAt at;
    if (find_owner(js_current(), obj, &at) == OWNER_CONTEXT)
        return js_context_put_index(at, i, value, throws);
    return original_put_index(obj, global, i, value, throws);
}

static bool delete_property(void *obj, void *global, const JscStringImpl *name, void *slot)
{
    Js *js = js_current();
    JsContextAt at;
    Owner owner = find_owner(js, obj, &at);
    if (LIKELY(owner == OWNER_LAZY)) return js_lazy_delete(js, name, slot);
    if (owner == OWNER_CONTEXT) return js_context_delete(at, name, slot);
    return js_global_original.delete(obj, global, name, slot);
}

static bool delete_index(void *obj, void *global, u32 i)
{
    JsContextAt at;
    if (find_owner(js_current(), obj, &at) == OWNER_CONTEXT) return js_context_delete_index(at, i);
    return original_delete_index(obj, global, i);
}

static void names(void *obj, void *global, void *list, int mode)
{
    Js *js = js_current();
    JsContextAt at;
    Owner owner = find_owner(js, obj, &at);
    if (LIKELY(owner == OWNER_LAZY))
        js_lazy_names(js, list, mode);
    else if (owner == OWNER_CONTEXT)
        js_context_names(at, list, mode);
    else
        js_global_original.names(obj, global, list, mode);
}

static bool define(void *obj, void *global, const JscStringImpl *name, const void *desc,
                   bool throws)
{
    JsContextAt at;
    if (find_owner(js_current(), obj, &at) == OWNER_CONTEXT)
        return js_context_define(at, name, desc, throws);
    return js_global_original.define(obj, global, name, desc, throws);
}

static bool prevent_extensions(void *obj, void *global)
{
    Js *js = js_current();
    JsContextAt at;
    if (find_owner(js, obj, &at) == OWNER_LAZY) return js_lazy_prevent_extensions(js);
    return js_global_original.prevent_extensions(obj, global);
}

/* ---- Installing
 * --------------------------------------------------------------------------------------- */

static bool check_info(const uintptr_t *own, const uintptr_t *base)
{
    if (own[INFO_GET_SLOT] != (uintptr_t)jsc_global_get_slot) return false;
    if (own[INFO_PUT] != (uintptr_t)jsc_global_put) return false;
    if (own[INFO_DEFINE] != (uintptr_t)jsc_global_define) return false;
    if (own[INFO_DELETE] != (uintptr_t)jsc_global_delete) return false;
    static const u32 same[] = {INFO_NAMES,          INFO_PREVENT_EXTENSIONS, INFO_PUT_INDEX,
                               INFO_GET_SLOT_INDEX, INFO_DELETE_INDEX,       INFO_PROTO};
    for (u32 i = 0; i < COUNT(same); i++)
        if (!own[same[i]] || own[same[i]] != base[same[i]]) return false;
    return true;
}

static void take_over(uintptr_t *info)
{
    js_global_original = (JsGlobalEntries){
        .get_slot = (JscGetSlot *)info[INFO_GET_SLOT],
        .put = (JscPut *)info[INFO_PUT],
        .delete = (JscDelete *)info[INFO_DELETE],
        .names = (JscNames *)info[INFO_NAMES],
        .define = (JscDefine *)info[INFO_DEFINE],
        .prevent_extensions = (JscPreventExtensions *)info[INFO_PREVENT_EXTENSIONS],
    };
    original_get_slot_index = (JscGetSlotIndex *)info[INFO_GET_SLOT_INDEX];
    original_put_index = (JscPutIndex *)info[INFO_PUT_INDEX];
    original_delete_index = (JscDeleteIndex *)info[INFO_DELETE_INDEX];
    info[INFO_GET_SLOT] = (uintptr_t)get_slot;
    info[INFO_PUT] = (uintptr_t)put;
    info[INFO_DELETE] = (uintptr_t)delete_property;
    info[INFO_NAMES] = (uintptr_t)names;
    info[INFO_DEFINE] = (uintptr_t)define;
    info[INFO_PREVENT_EXTENSIONS] = (uintptr_t)prevent_extensions;
    info[INFO_GET_SLOT_INDEX] = (uintptr_t)get_slot_index;
    info[INFO_PUT_INDEX] = (uintptr_t)put_index;
    info[INFO_DELETE_INDEX] = (uintptr_t)delete_index;
}

static bool install(void)
{
    uintptr_t *info = jsc_api_global_info;
    if (!info || !jsc_object_info || !jsc.has_layout) return false;
    if (!check_info(info, jsc_object_info)) return false;
    uintptr_t start = (uintptr_t)info & ~(uintptr_t)(PAGE_SIZE - 1);
    uintptr_t end = ALIGN_UP((uintptr_t)(info + INFO_PREVENT_EXTENSIONS), (uintptr_t)PAGE_SIZE);
    if (!js_make_writable(start, end)) return false;
    take_over(info);
    return true;
}

bool js_global_install(Js *js)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static int state; /* 0: not tried, 1: installed, -1: cannot */
    pthread_mutex_lock(&lock);
    if (!state) state = install() ? 1 : -1;
    bool is_installed = state > 0;
    pthread_mutex_unlock(&lock);
    return is_installed && js_private_class_info(js->ctx) == jsc_api_global_info;
}
