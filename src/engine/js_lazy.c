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
#include "engine/js_global.h"

#include <string.h>

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
    JsProperty at = {
        .obj = js->ctx, .name = name, .is_enumerable = js->lazy->globals.is_enumerable(js, i)};
    js_define_value_by(js, js_global_original.define, at, v);
}

static void set_done(struct JsLazy *lazy, u32 i)
{
    if (lazy->state[i] == LAZY_DONE) return;
    lazy->state[i] = LAZY_DONE;
    lazy->n_waiting--;
}

static bool has_own(Js *js, const JscStringImpl *name)
{
    _Alignas(u64) u8 slot[SLOT_SIZE];
    return js_global_own(js->ctx, name, slot, SLOT_INSPECT);
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
            JsProperty at = {
                .obj = js->ctx, .name = name, .is_enumerable = lazy->globals.is_enumerable(js, i)};
            js_define_accessor_by(js, js_global_original.define, at, JS_UNDEFINED, JS_UNDEFINED);
        }
        js_drop_impl(name);
    }
    lazy->is_showing = false;
}

/* ---- The entries
 * -------------------------------------------------------------------------------------- */

/* Is something lazy left, and may it be made? */
static bool is_open(const Js *js)
{
    return js->lazy && !js->pending && js->lazy->n_waiting && !js->lazy->is_showing;
}

/* The index of a lazy global that is not done, or -1. */
static i32 find(Js *js, const JscStringImpl *name)
{
    static const u32 mask = STRING_IS_SYMBOL | STRING_IS_8BIT;
    if (!is_open(js) || !name || (name->hash_and_flags & mask) != STRING_IS_8BIT) return -1;
    i32 i = js->lazy->globals.find(js, (Str){name->data, name->len});
    return i >= 0 && js->lazy->state[i] == LAZY_DONE ? -1 : i;
}

bool js_lazy_get_slot(Js *js, const JscStringImpl *name, u8 *slot)
{
    i32 i = slot[SLOT_METHOD] != SLOT_INSPECT ? find(js, name) : -1;
    bool is_found = js_global_original.get_slot(js->ctx, js->ctx, name, slot);
    if (LIKELY(i < 0)) return is_found;
    if (is_found && (js->lazy->state[i] == LAZY_ABSENT || slot[SLOT_TYPE] != SLOT_IS_GETTER)) {
        set_done(js->lazy, (u32)i); /* defined by the program, past the other entries */
        return true;
    }
    return make(js, name, (u32)i) && js_global_original.get_slot(js->ctx, js->ctx, name, slot);
}

bool js_lazy_put(Js *js, const JscStringImpl *name, u64 value, u8 *slot)
{
    i32 i = find(js, name);
    if (i >= 0) {
        bool must_define = js->lazy->state[i] == LAZY_SHOWN || !has_own(js, name);
        set_done(js->lazy, (u32)i);
        if (must_define) define_value(js, name, (u32)i, JS_UNDEFINED);
    }
    return js_global_original.put(js->ctx, js->ctx, name, value, slot);
}

bool js_lazy_delete(Js *js, const JscStringImpl *name, void *slot)
{
    i32 i = find(js, name);
    if (i >= 0) set_done(js->lazy, (u32)i);
    return js_global_original.delete(js->ctx, js->ctx, name, slot);
}

void js_lazy_names(Js *js, void *list, int mode)
{
    if (is_open(js)) show_all(js);
    js_global_original.names(js->ctx, js->ctx, list, mode);
}

bool js_lazy_prevent_extensions(Js *js)
{
    if (is_open(js)) show_all(js);
    return js_global_original.prevent_extensions(js->ctx, js->ctx);
}

bool js_lazy_globals(Js *js, const JsLazyGlobals *globals)
{
    if (!js_can_define(js) || !js_global_install(js)) return false;
    ASSERT(!js->lazy);
    js->lazy = arena_alloc(&js->arena, sizeof(struct JsLazy) + globals->n, 16);
    js->lazy->globals = *globals;
    js->lazy->n_waiting = globals->n;
    return true;
}
