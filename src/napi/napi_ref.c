/* napi/napi_ref.c -- references, wrapped pointers, externals, type tags, finalizers.
 *
 * An object that an add-on has attached something to has a record, whose number stands in the
 * object's hidden slot, and internal/napi has registered the object, so that we hear of its
 * death in a turn of the loop, after the collection.  The record has the wrapped pointer, the tag,
 * and a list of the references with finalizers.  Objects without a slot (Proxies, frozen ones) have
 * theirs in a WeakMap of internal/napi. */
#include "napi/napi_env.h"

#include "util/mem.h"

typedef struct NapiRecord NapiRecord;

struct napi_ref__ {
    napi_env env;
    JsRef value;
    u32 count;
    bool is_owned; /* the add-on does not have it: it goes with the object */
    bool can_be_weak;
    napi_finalize finalize;
    void *data, *hint;
    NapiRecord *record; /* on its list; NULL: on none */
    napi_ref prev, next;
    napi_ref env_prev, env_next; /* of those with a finalizer */
};

struct NapiRecord {
    JsVal owner; /* compared, never used: says that the slot is not that of a prototype */
    u32 id;      /* its place in the host's table */
    napi_ref refs;
    napi_ref wrap;
    napi_type_tag tag;
    bool has_tag;
};

/* ---- Records -------------------------------------------------------------------------------- */

/* The record with a number, if it is that of `obj`. */
static NapiRecord *record_at(const NapiHost *host, JsVal number, JsVal obj)
{
    i32 id;
    if (!js_peek_i32(number, &id) || (u32)id >= host->n_records) return NULL;
    NapiRecord *record = host->records[id];
    return record && record->owner == obj ? record : NULL;
}

static JsVal add_record(NapiHost *host, NapiRecord *record)
{
    if (host->free_record == host->n_records) {
        host->n_records = MAX(host->n_records * 2, 64u);
        host->records = mem_resize(host->records, host->n_records * sizeof(NapiRecord *));
        for (u32 i = host->free_record; i < host->n_records; i++) host->records[i] = NULL;
    }
    record->id = host->free_record;
    host->records[record->id] = record;
    while (host->free_record < host->n_records && host->records[host->free_record])
        host->free_record++;
    return js_int(host->js, (i32)record->id);
}

static void free_record(NapiHost *host, NapiRecord *record)
{
    host->records[record->id] = NULL;
    host->free_record = MIN(host->free_record, record->id);
    mem_free(record);
}

/* NULL: there is none. */
static NapiRecord *find_record(NapiHost *host, JsVal obj)
{
    JsVal guess = js_hidden_peek(host->js, obj);
    NapiRecord *record = guess ? record_at(host, guess, obj) : NULL;
    if (LIKELY(record != NULL)) return record;
    record = record_at(host, js_hidden_get(host->js, obj), obj);
    if (record || !host->has_kept) return record;
    JsVal v = napi_js_call(host, NAPI_JS_KEPT, JS_ARGS(obj));
    if (!v) (void)js_catch(host->js);
    return v ? record_at(host, v, obj) : NULL;
}

/* NULL: an exception is pending. */
static NapiRecord *need_record(NapiHost *host, JsVal obj)
{
    NapiRecord *record = find_record(host, obj);
    if (record) return record;
    record = MEM_NEW(NapiRecord);
    record->owner = obj;
    JsVal id = add_record(host, record);
    bool ok = true;
    if (!js_hidden_set(host->js, obj, id)) {
        host->has_kept = true;
        ok = napi_js_call(host, NAPI_JS_KEEP, JS_ARGS(obj, id));
    }
    if (ok && napi_js_call(host, NAPI_JS_REGISTER, JS_ARGS(obj, id))) return record;
    free_record(host, record);
    return NULL;
}

/* ---- Lists ---------------------------------------------------------------------------------- */

static void link_ref(NapiRecord *record, napi_ref ref)
{
    ref->record = record;
    ref->next = record->refs;
    if (ref->next) ref->next->prev = ref;
    record->refs = ref;
    if (!ref->finalize) return;
    ref->env_next = ref->env->refs;
    if (ref->env_next) ref->env_next->env_prev = ref;
    ref->env->refs = ref;
}

static void unlink_ref(napi_ref ref)
{
    if (!ref->record) return;
    if (ref->prev)
        ref->prev->next = ref->next;
    else
        ref->record->refs = ref->next;
    if (ref->next) ref->next->prev = ref->prev;
    if (ref->record->wrap == ref) ref->record->wrap = NULL;
    if (ref->env_prev)
        ref->env_prev->env_next = ref->env_next;
    else if (ref->env->refs == ref)
        ref->env->refs = ref->env_next;
    if (ref->env_next) ref->env_next->env_prev = ref->env_prev;
    ref->record = NULL;
    ref->prev = ref->next = ref->env_prev = ref->env_next = NULL;
}

/* Takes it off its lists and calls the finalizer, which may delete it. */
static void finalize_ref(napi_ref ref)
{
    napi_env env = ref->env;
    napi_finalize finalize = TAKE(ref->finalize);
    void *data = ref->data, *hint = ref->hint;
    unlink_ref(ref);
    if (ref->is_owned) {
        js_ref_clear(env->js, &ref->value);
        mem_free(ref);
    }
    if (finalize) napi_call_finalizer(env, finalize, data, hint);
}

void napi_ref_died(NapiHost *host, f64 id)
{
    if (host->is_closing) return;
    NapiRecord *record = host->records[(u32)id];
    while (record->refs) finalize_ref(record->refs);
    free_record(host, record);
}

void napi_refs_close(napi_env env)
{
    while (env->refs) finalize_ref(env->refs);
}

void napi_records_free(NapiHost *host)
{
    for (u32 i = 0; i < host->n_records; i++) {
        NapiRecord *record = host->records[i];
        for (napi_ref ref = record ? record->refs : NULL, next; ref; ref = next) {
            next = ref->next;
            if (ref->is_owned) mem_free(ref);
        }
        mem_free(record);
    }
    mem_free(host->records);
}

/* ---- References ----------------------------------------------------------------------------- */

/* Objects, and symbols that nobody can ask for by their name. */
static bool can_be_weak(napi_env env, JsVal v)
{
    if (js_is_object(env->js, v)) return true;
    if (js_type(env->js, v) != JS_TYPE_SYMBOL) return false;
    JsVal key = napi_js_call(env->host, NAPI_JS_KEY_FOR, JS_ARGS(v));
    if (!key) (void)js_catch(env->js);
    return key && js_is_undefined(key);
}

static napi_ref make_ref(napi_env env, JsVal v, u32 count)
{
    napi_ref ref = MEM_NEW(struct napi_ref__);
    *ref = (struct napi_ref__){.env = env, .count = count, .can_be_weak = can_be_weak(env, v)};
    bool is_symbol = js_type(env->js, v) == JS_TYPE_SYMBOL;
    if (count || (is_symbol && !ref->can_be_weak))
        js_ref_set_strong(env->js, &ref->value, v);
    else if (ref->can_be_weak)
        js_ref_set_weak(env->js, &ref->value, v);
    return ref;
}

napi_status napi_create_reference(napi_env env, napi_value value, uint32_t initial_refcount,
                                  napi_ref *result)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, value);
    NAPI_CHECK_ARG(env, result);
    JsVal v = napi_in(value);
    bool is_weakable = js_is_object(env->js, v) || js_type(env->js, v) == JS_TYPE_SYMBOL;
    NAPI_CHECK(env, is_weakable || env->version >= 10, napi_invalid_arg);
    *result = make_ref(env, v, initial_refcount);
    return napi_done(env, napi_ok);
}

napi_status napi_delete_reference(napi_env env, napi_ref ref)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, ref);
    unlink_ref(ref);
    js_ref_clear(env->js, &ref->value);
    mem_free(ref);
    return napi_done(env, napi_ok);
}

napi_status napi_reference_ref(napi_env env, napi_ref ref, uint32_t *result)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, ref);
    if (!js_ref_get(env->js, &ref->value))
        ref->count = 0;
    else if (ref->count++ == 0)
        js_ref_make_strong(env->js, &ref->value);
    if (result) *result = ref->count;
    return napi_done(env, napi_ok);
}

napi_status napi_reference_unref(napi_env env, napi_ref ref, uint32_t *result)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, ref);
    NAPI_CHECK(env, ref->count != 0, napi_generic_failure);
    if (--ref->count == 0) {
        JsVal v = js_ref_get(env->js, &ref->value);
        if (ref->can_be_weak)
            js_ref_make_weak(env->js, &ref->value);
        else if (v && js_type(env->js, v) != JS_TYPE_SYMBOL)
            js_ref_clear(env->js, &ref->value);
    }
    if (result) *result = ref->count;
    return napi_done(env, napi_ok);
}

napi_status napi_get_reference_value(napi_env env, napi_ref ref, napi_value *result)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, ref);
    NAPI_CHECK_ARG(env, result);
    JsVal v = js_ref_get(env->js, &ref->value);
    *result = v ? napi_out(env, v) : NULL;
    return napi_done(env, napi_ok);
}

/* ---- Attaching ------------------------------------------------------------------------------ */

typedef struct {
    void *data;
    napi_finalize finalize;
    void *hint;
} Attachment;

/* NULL: an exception is pending. */
static napi_ref attach(napi_env env, JsVal obj, Attachment a, napi_ref *result)
{
    NapiRecord *record = need_record(env->host, obj);
    if (!record) return NULL;
    napi_ref ref;
    if (result) {
        ref = make_ref(env, obj, 0);
    } else {
        ref = MEM_NEW(struct napi_ref__);
        *ref = (struct napi_ref__){.env = env, .is_owned = true, .can_be_weak = true};
    }
    ref->data = a.data;
    ref->hint = a.hint;
    ref->finalize = a.finalize;
    link_ref(record, ref);
    if (result) *result = ref;
    return ref;
}

napi_status napi_add_finalizer(napi_env env, napi_value js_object, void *finalize_data,
                               napi_finalize finalize_cb, void *finalize_hint, napi_ref *result)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, js_object);
    NAPI_CHECK_ARG(env, finalize_cb);
    NAPI_CHECK(env, js_is_object(env->js, napi_in(js_object)), napi_invalid_arg);
    Attachment a = {finalize_data, finalize_cb, finalize_hint};
    if (!attach(env, napi_in(js_object), a, result)) return napi_thrown(env);
    return napi_done(env, napi_ok);
}

napi_status napi_wrap(napi_env env, napi_value js_object, void *native_object,
                      napi_finalize finalize_cb, void *finalize_hint, napi_ref *result)
{
    NAPI_ENTER(env);
    NAPI_CHECK_ARG(env, js_object);
    JsVal obj = napi_in(js_object);
    NAPI_CHECK(env, js_is_object(env->js, obj), napi_object_expected);
    NapiRecord *record = find_record(env->host, obj);
    NAPI_CHECK(env, !record || !record->wrap, napi_invalid_arg);
    Attachment a = {native_object, finalize_cb, finalize_hint};
    napi_ref ref = attach(env, obj, a, result);
    if (!ref) return napi_thrown(env);
    ref->record->wrap = ref;
    return napi_done(env, napi_ok);
}

/* The reference that wraps, or NULL. */
static napi_ref find_wrap(napi_env env, napi_value js_object)
{
    NapiRecord *record = find_record(env->host, napi_in(js_object));
    return record ? record->wrap : NULL;
}

napi_status napi_unwrap(napi_env env, napi_value js_object, void **result)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, js_object);
    NAPI_CHECK_ARG(env, result);
    NAPI_CHECK(env, js_is_object(env->js, napi_in(js_object)), napi_object_expected);
    napi_ref ref = find_wrap(env, js_object);
    NAPI_CHECK(env, ref, napi_invalid_arg);
    *result = ref->data;
    return napi_done(env, napi_ok);
}

napi_status napi_remove_wrap(napi_env env, napi_value js_object, void **result)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, js_object);
    NAPI_CHECK(env, js_is_object(env->js, napi_in(js_object)), napi_object_expected);
    napi_ref ref = find_wrap(env, js_object);
    NAPI_CHECK(env, ref, napi_invalid_arg);
    if (result) *result = ref->data;
    unlink_ref(ref);
    ref->finalize = NULL;
    if (ref->is_owned) mem_free(ref);
    return napi_done(env, napi_ok);
}

/* ---- Externals ------------------------------------------------------------------------------ */

static const JsClass external_class = {.name = "Object"};

/* So that NULL is a pointer like any other. */
static char null_data;

void *napi_external_find(Js *js, JsVal v, bool *ret_is_external)
{
    void *data = js_unwrap(js, v, &external_class);
    *ret_is_external = data != NULL;
    return data == &null_data ? NULL : data;
}

napi_status napi_create_external(napi_env env, void *data, napi_finalize finalize_cb,
                                 void *finalize_hint, napi_value *result)
{
    NAPI_ENTER(env);
    NAPI_CHECK_ARG(env, result);
    JsVal v = js_wrap(env->js, &external_class, data ? data : &null_data);
    Attachment a = {data, finalize_cb, finalize_hint};
    if (finalize_cb && !attach(env, v, a, NULL)) return napi_thrown(env);
    return napi_give(env, v, result);
}

napi_status napi_get_value_external(napi_env env, napi_value value, void **result)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, value);
    NAPI_CHECK_ARG(env, result);
    bool is_external;
    void *data = napi_external_find(env->js, napi_in(value), &is_external);
    NAPI_CHECK(env, is_external, napi_invalid_arg);
    *result = data;
    return napi_done(env, napi_ok);
}

/* ---- Type tags ------------------------------------------------------------------------------ */

napi_status napi_type_tag_object(napi_env env, napi_value value, const napi_type_tag *type_tag)
{
    NAPI_ENTER(env);
    NAPI_CHECK_ARG(env, value);
    NAPI_CHECK(env, js_is_object(env->js, napi_in(value)), napi_object_expected);
    NAPI_CHECK_ARG(env, type_tag);
    NapiRecord *record = need_record(env->host, napi_in(value));
    if (!record) return napi_thrown(env);
    NAPI_CHECK(env, !record->has_tag, napi_invalid_arg);
    record->tag = *type_tag;
    record->has_tag = true;
    return napi_done(env, napi_ok);
}

napi_status napi_check_object_type_tag(napi_env env, napi_value value,
                                       const napi_type_tag *type_tag, bool *result)
{
    NAPI_ENTER(env);
    NAPI_CHECK_ARG(env, value);
    NAPI_CHECK(env, js_is_object(env->js, napi_in(value)), napi_object_expected);
    NAPI_CHECK_ARG(env, type_tag);
    NAPI_CHECK_ARG(env, result);
    const NapiRecord *record = find_record(env->host, napi_in(value));
    *result = record && record->has_tag && record->tag.lower == type_tag->lower &&
              record->tag.upper == type_tag->upper;
    return napi_done(env, napi_ok);
}

/* ---- Finalizers that run in the next turn --------------------------------------------------- */

typedef struct NapiPosted NapiPosted;
struct NapiPosted {
    napi_finalize finalize;
    void *data, *hint;
    NapiPosted *next;
};

void napi_run_posted(napi_env env)
{
    for (NapiPosted *p; (p = env->posted);) {
        env->posted = p->next;
        napi_call_finalizer(env, p->finalize, p->data, p->hint);
        mem_free(p);
    }
}

static void on_posted(void *data)
{
    napi_env env = data;
    env->is_post_queued = false;
    napi_run_posted(env);
}

napi_status node_api_post_finalizer(napi_env env, napi_finalize finalize_cb, void *finalize_data,
                                    void *finalize_hint)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, finalize_cb);
    NapiPosted *posted = MEM_NEW(NapiPosted), **end = &env->posted;
    *posted = (NapiPosted){finalize_cb, finalize_data, finalize_hint, NULL};
    while (*end) end = &(*end)->next;
    *end = posted;
    if (!env->is_post_queued)
        env->is_post_queued = loop_mail_post_mt(env->host->mail, on_posted, env) == 0;
    return napi_done(env, napi_ok);
}
