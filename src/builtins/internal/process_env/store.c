/* internal/process_env/store.c -- environments that several threads have at once (SHARE_ENV).
 *
 * A store is a list of names and values in the order of setting, with a lock.  The threads that
 * have it hold a reference each, by a wrapper; they tell each other its number. */
#include "builtins/builtins.h"
#include "sys/sys.h"
#include "util/mem.h"

typedef struct Variable {
    struct Variable *next;
    Str name, value; /* of mem_dup */
} Variable;

typedef struct Store {
    struct Store *next;
    u64 id;
    u32 n_refs;
    SysMutex lock; /* of the variables */
    Variable *first;
} Store;

/* All of the process; the lock is for the list and the counts. */
static struct {
    SysMutex lock;
    Store *first;
    u64 last_id;
} stores;

static Str keep(Str text)
{
    return (Str){mem_dup(text.p, text.n), text.n};
}

static void variable_free(Variable *v)
{
    mem_free((void *)(uintptr_t)v->name.p);
    mem_free((void *)(uintptr_t)v->value.p);
    mem_free(v);
}

/* On any thread. */
static void store_unref(void *native)
{
    Store *store = native;
    sys_mutex_lock(&stores.lock);
    bool is_last = --store->n_refs == 0;
    for (Store **at = &stores.first; is_last && *at; at = &(*at)->next) {
        if (*at != store) continue;
        *at = store->next;
        break;
    }
    sys_mutex_unlock(&stores.lock);
    if (!is_last) return;
    for (Variable *v = store->first, *next; v; v = next) {
        next = v->next;
        variable_free(v);
    }
    mem_free(store);
}

static const JsClass store_class = {.name = "EnvStore", .finalize = store_unref};

/* NULL with an exception: the first argument is no store. */
static Store *store_of(Js *js, JsArgs args)
{
    return js_unwrap_handle(js, js_arg(args, 0), &store_class);
}

/* The place where a pointer to the variable stands, or the one behind the last. */
static Variable **place_of(Store *store, Str name)
{
    Variable **at = &store->first;
    while (*at && !str_eq((*at)->name, name)) at = &(*at)->next;
    return at;
}

/* make() -> store, with nothing in it */
JS_NATIVE(store_make)
{
    Store *store = MEM_NEW(Store);
    store->n_refs = 1;
    sys_mutex_lock(&stores.lock);
    store->id = ++stores.last_id;
    store->next = stores.first;
    stores.first = store;
    sys_mutex_unlock(&stores.lock);
    return js_wrap(js, &store_class, store);
}

/* open(id) -> store of another thread, or undefined when nobody has it any more */
JS_NATIVE(store_open)
{
    f64 id = js_get_number(js, js_arg(args, 0));
    sys_mutex_lock(&stores.lock);
    Store *store = stores.first;
    while (store && (f64)store->id != id) store = store->next;
    if (store) store->n_refs++;
    sys_mutex_unlock(&stores.lock);
    return store ? js_wrap(js, &store_class, store) : JS_UNDEFINED;
}

/* id(store) -> number */
JS_NATIVE(store_id)
{
    const Store *store = store_of(js, args);
    return store ? js_number(js, (f64)store->id) : NULL;
}

/* get(store, name) -> string | undefined */
JS_NATIVE(store_get)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Store *store = store_of(js, args);
    if (!store) return NULL;
    Str name, value = {0};
    if (!js_to_str(js, s.arena, js_arg(args, 1), &name)) return NULL;
    sys_mutex_lock(&store->lock);
    const Variable *v = *place_of(store, name);
    if (v) value = str_dup(s.arena, v->value);
    sys_mutex_unlock(&store->lock);
    return v ? js_str(js, value) : JS_UNDEFINED;
}

/* set(store, name, value) */
JS_NATIVE(store_set)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Store *store = store_of(js, args);
    if (!store) return NULL;
    Str name, value;
    if (!js_to_str(js, s.arena, js_arg(args, 1), &name)) return NULL;
    if (!js_to_str(js, s.arena, js_arg(args, 2), &value)) return NULL;
    Str kept = keep(value), old = {0};
    sys_mutex_lock(&store->lock);
    Variable **at = place_of(store, name);
    if (*at) {
        old = (*at)->value;
    } else {
        *at = MEM_NEW(Variable);
        (*at)->name = keep(name);
    }
    (*at)->value = kept;
    sys_mutex_unlock(&store->lock);
    mem_free((void *)(uintptr_t)old.p);
    return JS_UNDEFINED;
}

/* delete(store, name) */
JS_NATIVE(store_delete)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Store *store = store_of(js, args);
    if (!store) return NULL;
    Str name;
    if (!js_to_str(js, s.arena, js_arg(args, 1), &name)) return NULL;
    sys_mutex_lock(&store->lock);
    Variable **at = place_of(store, name), *v = *at;
    if (v) *at = v->next;
    sys_mutex_unlock(&store->lock);
    if (v) variable_free(v);
    return JS_UNDEFINED;
}

/* names(store) -> string[] */
JS_NATIVE(store_names)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Store *store = store_of(js, args);
    if (!store) return NULL;
    Vec(Str) names = {0};
    sys_mutex_lock(&store->lock);
    for (const Variable *v = store->first; v; v = v->next)
        vec_push(s.arena, &names, str_dup(s.arena, v->name));
    sys_mutex_unlock(&store->lock);
    JsVal out = js_array(js, NULL, 0);
    for (u32 i = 0; i < names.len; i++)
        if (!js_set_index(js, out, i, js_str(js, names.at[i]))) return NULL;
    return out;
}

static const JsFn fns[] = {
    JS_FN("make", store_make),   JS_FN("open", store_open), JS_FN("id", store_id),
    JS_FN("get", store_get),     JS_FN("set", store_set),   JS_FN("delete", store_delete),
    JS_FN("names", store_names),
};
BUILTIN_NATIVE(internal_process_env_store, fns)
