/* engine/js_lazy.c -- properties of the global object that are made when something looks for them.
 *
 * Nothing is defined at start.  The class of the global object has its own entries for looking up,
 * assigning, deleting and listing properties; they are replaced by ones that know the names of the
 * lazy globals.  A lookup that would miss makes the value, defines an ordinary property and looks
 * again.  Listing shows the names that were not made yet as accessors without functions, which the
 * next lookup replaces; scripts never see one.
 *
 * The engine's compiler looks up globals without these entries.  It finds nothing then and leaves
 * the access to be resolved when it runs, which does come by here. */
#include "engine/js_define.h"

#include <pthread.h>
#include <string.h>

/* Words of the ClassInfo; the method table begins at 6. */
enum {
    INFO_PUT = 9,
    INFO_DELETE = 11,
    INFO_GET_SLOT = 13,
    INFO_NAMES = 15,
    INFO_DEFINE = 18,
    INFO_PREVENT_EXTENSIONS = 19,
    PAGE_SIZE = 4096,
};
/* A PropertySlot: offset of the property, `this`, what was found, why it is asked. */
enum { SLOT_OFFSET = 20, SLOT_THIS = 24, SLOT_TYPE = 49, SLOT_METHOD = 50, SLOT_SIZE = 128 };
enum { SLOT_IS_GETTER = 2, SLOT_INSPECT = 3 };

typedef bool GetSlot(void *obj, void *global, const JscStringImpl *name, u8 *slot);
typedef bool Put(void *obj, void *global, const JscStringImpl *name, u64 value, void *slot);
typedef bool Delete(void *obj, void *global, const JscStringImpl *name, void *slot);
typedef void Names(void *obj, void *global, void *names, int mode);
typedef bool PreventExtensions(void *obj, void *global);

extern uintptr_t jsc_api_global_info[] JSC_SYMBOL("_ZN3JSC17JSAPIGlobalObject6s_infoE");
extern GetSlot
    jsc_global_get_slot JSC_SYMBOL("_ZN3JSC14JSGlobalObject18getOwnPropertySlotEPNS_8JSObjectEPS0_"
                                   "NS_12PropertyNameERNS_12PropertySlotE");
extern Put jsc_global_put JSC_SYMBOL("_ZN3JSC14JSGlobalObject3putEPNS_6JSCellEPS0_NS_12PropertyName"
                                     "ENS_7JSValueERNS_15PutPropertySlotE");
extern Delete jsc_global_delete JSC_SYMBOL(
    "_ZN3JSC19JSSymbolTableObject14deletePropertyEPNS_6JSCellEPNS_14JSGl"
    "obalObjectENS_12PropertyNameERNS_18DeletePropertySlotE");
extern JscDefine
    jsc_global_define JSC_SYMBOL("_ZN3JSC14JSGlobalObject17defineOwnPropertyEPNS_8JSObjectEPS0_NS_"
                                 "12PropertyNameERKNS_18PropertyDescriptorEb");
static struct {
    GetSlot *get_slot;
    Put *put;
    Delete *delete;
    Names *names;
    JscDefine *define;
    PreventExtensions *prevent_extensions;
} original;

typedef enum { LAZY_ABSENT, LAZY_SHOWN, LAZY_DONE } LazyState;

struct JsLazy {
    JsLazyGlobals globals;
    u32 n_waiting; /* not done */
    bool is_all_shown;
    bool is_showing; /* our own lookups: nothing is to be made */
    u8 state[];
};

/* ---- Defining
 * ----------------------------------------------------------------------------------------- */

static void define_value(Js *js, const JscStringImpl *name, u32 i, JsVal v)
{
    JsProperty at = {js->ctx, name, js->lazy->globals.is_enumerable(js, i)};
    js_define_value_by(js, original.define, at, v);
}

static void set_done(struct JsLazy *lazy, u32 i)
{
    if (lazy->state[i] == LAZY_DONE) return;
    lazy->state[i] = LAZY_DONE;
    lazy->n_waiting--;
}

static bool has_own(Js *js, const JscStringImpl *name)
{
    u64 words[SLOT_SIZE / sizeof(u64)] = {0};
    u8 *slot = (u8 *)words;
    const i32 no_offset = -1;
    memcpy(slot + SLOT_OFFSET, &no_offset, sizeof no_offset);
    memcpy(slot + SLOT_THIS, &js->ctx, sizeof js->ctx);
    slot[SLOT_METHOD] = SLOT_INSPECT;
    return original.get_slot(js->ctx, js->ctx, name, slot);
}

/* Makes global `i`.  While its module is being evaluated, a lookup gets what it exports so far. */
static bool make(Js *js, const JscStringImpl *name, u32 i)
{
    struct JsLazy *lazy = js->lazy;
    JsVal v = lazy->globals.load(js, i);
    if (!v) {
        JsVal exception = js_take_pending(js);
        ASSERT(exception);
        (void)jsc_throw(js->vm, js->ctx, js_bits(exception));
        return false;
    }
    if (lazy->state[i] == LAZY_DONE) return true; /* the module itself has touched it */
    set_done(lazy, i);
    define_value(js, name, i, v);
    return true;
}

static void show_all(Js *js)
{
    struct JsLazy *lazy = js->lazy;
    if (lazy->is_all_shown) return;
    lazy->is_all_shown = lazy->is_showing = true;
    for (u32 i = 0; i < lazy->globals.n; i++) {
        if (lazy->state[i] != LAZY_ABSENT) continue;
        Str text = lazy->globals.name(js, i);
        JscStringImpl *name;
        jsc_atom_literal(&name, (const u8 *)text.p, text.n);
        if (has_own(js, name)) {
            set_done(lazy, i);
        } else {
            lazy->state[i] = LAZY_SHOWN;
            JsProperty at = {js->ctx, name, lazy->globals.is_enumerable(js, i)};
            js_define_accessor_by(js, original.define, at, JS_UNDEFINED, JS_UNDEFINED);
        }
        js_drop_impl(name);
    }
    lazy->is_showing = false;
}

/* ---- The entries
 * -------------------------------------------------------------------------------------- */

/* The machine whose global object this is, when something lazy is left in it. */
static Js *owner(const void *obj)
{
    Js *js = js_current();
    if (!js || obj != js->ctx || !js->lazy || js->pending) return NULL;
    return js->lazy->n_waiting && !js->lazy->is_showing ? js : NULL;
}

/* The index of a lazy global that is not done, or -1. */
static i32 find(Js *js, const JscStringImpl *name)
{
    static const u32 mask = STRING_IS_SYMBOL | STRING_IS_8BIT;
    if (!name || (name->hash_and_flags & mask) != STRING_IS_8BIT) return -1;
    i32 i = js->lazy->globals.find(js, (Str){name->data, name->len});
    return i >= 0 && js->lazy->state[i] == LAZY_DONE ? -1 : i;
}

static bool get_slot(void *obj, void *global, const JscStringImpl *name, u8 *slot)
{
    Js *js = owner(obj);
    i32 i = js && slot[SLOT_METHOD] != SLOT_INSPECT ? find(js, name) : -1;
    bool is_found = original.get_slot(obj, global, name, slot);
    if (LIKELY(i < 0)) return is_found;
    if (is_found && (js->lazy->state[i] == LAZY_ABSENT || slot[SLOT_TYPE] != SLOT_IS_GETTER)) {
        set_done(js->lazy, (u32)i); /* defined by the program, past the other entries */
        return true;
    }
    return make(js, name, (u32)i) && original.get_slot(obj, global, name, slot);
}

static bool put(void *obj, void *global, const JscStringImpl *name, u64 value, void *slot)
{
    Js *js = owner(obj);
    i32 i = js ? find(js, name) : -1;
    if (i >= 0) {
        bool must_define = js->lazy->state[i] == LAZY_SHOWN || !has_own(js, name);
        set_done(js->lazy, (u32)i);
        if (must_define) define_value(js, name, (u32)i, JS_UNDEFINED);
    }
    return original.put(obj, global, name, value, slot);
}

static bool delete_property(void *obj, void *global, const JscStringImpl *name, void *slot)
{
    Js *js = owner(obj);
    i32 i = js ? find(js, name) : -1;
    if (i >= 0) set_done(js->lazy, (u32)i);
    return original.delete(obj, global, name, slot);
}

static void names(void *obj, void *global, void *list, int mode)
{
    Js *js = owner(obj);
    if (js) show_all(js);
    original.names(obj, global, list, mode);
}

static bool prevent_extensions(void *obj, void *global)
{
    Js *js = owner(obj);
    if (js) show_all(js);
    return original.prevent_extensions(obj, global);
}

/* ---- Installing
 * --------------------------------------------------------------------------------------- */

static bool check_info(const uintptr_t *own, const uintptr_t *base)
{
    if (own[INFO_GET_SLOT] != (uintptr_t)jsc_global_get_slot) return false;
    if (own[INFO_PUT] != (uintptr_t)jsc_global_put) return false;
    if (own[INFO_DEFINE] != (uintptr_t)jsc_global_define) return false;
    if (own[INFO_DELETE] != (uintptr_t)jsc_global_delete) return false;
    static const u32 same[] = {INFO_NAMES, INFO_PREVENT_EXTENSIONS};
    for (u32 i = 0; i < COUNT(same); i++)
        if (!own[same[i]] || own[same[i]] != base[same[i]]) return false;
    return true;
}

static bool install(void)
{
    uintptr_t *info = jsc_api_global_info;
    if (!info || !jsc_object_info) return false;
    if (!check_info(info, jsc_object_info)) return false;
    uintptr_t start = (uintptr_t)info & ~(uintptr_t)(PAGE_SIZE - 1);
    uintptr_t end = ALIGN_UP((uintptr_t)(info + INFO_PREVENT_EXTENSIONS), (uintptr_t)PAGE_SIZE);
    if (!js_make_writable(start, end)) return false;
    original.get_slot = (GetSlot *)info[INFO_GET_SLOT];
    original.put = (Put *)info[INFO_PUT];
    original.delete = (Delete *)info[INFO_DELETE];
    original.names = (Names *)info[INFO_NAMES];
    original.define = (JscDefine *)info[INFO_DEFINE];
    original.prevent_extensions = (PreventExtensions *)info[INFO_PREVENT_EXTENSIONS];
    info[INFO_GET_SLOT] = (uintptr_t)get_slot;
    info[INFO_PUT] = (uintptr_t)put;
    info[INFO_DELETE] = (uintptr_t)delete_property;
    info[INFO_NAMES] = (uintptr_t)names;
    info[INFO_PREVENT_EXTENSIONS] = (uintptr_t)prevent_extensions;
    return true;
}

bool js_lazy_globals(Js *js, const JsLazyGlobals *globals)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static int state; /* 0: not tried, 1: installed, -1: cannot */
    if (!js_can_define(js)) return false;
    pthread_mutex_lock(&lock);
    if (!state) state = install() ? 1 : -1;
    bool is_installed = state > 0;
    pthread_mutex_unlock(&lock);
    if (!is_installed || js_private_class_info(js->ctx) != jsc_api_global_info) return false;
    ASSERT(!js->lazy);
    js->lazy = arena_alloc(&js->arena, sizeof(struct JsLazy) + globals->n, 16);
    js->lazy->globals = *globals;
    js->lazy->n_waiting = globals->n;
    return true;
}
