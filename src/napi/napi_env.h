/* napi/napi_env.h -- what the files of napi/ share; nobody else includes it.
 *
 * A napi_value is the JsVal itself; values of the heap are kept alive by pushing them onto the
 * machine's JsHandles, which a handle scope (and every call of an add-on) takes back to where it
 * was.  An exception that is pending is pending in the Js.
 *
 * One NapiHost a Vm, one napi_env for each add-on that it has loaded. */
#pragma once

#include "engine/js.h"
#include "loop/loop.h"
#include "napi/node_api.h"
#include "runtime/vm.h"
#include "util/base.h"

/* Functions of internal/napi, in the order of its array `helpers`. */
typedef enum {
    NAPI_JS_DEFINE,
    NAPI_JS_DEFINE_ACCESSOR,
    NAPI_JS_KEYS,
    NAPI_JS_HAS_OWN,
    NAPI_JS_FREEZE,
    NAPI_JS_SEAL,
    NAPI_JS_SYMBOL,
    NAPI_JS_SYMBOL_FOR,
    NAPI_JS_ERROR,
    NAPI_JS_TYPED_ARRAY,
    NAPI_JS_DATA_VIEW,
    NAPI_JS_BUFFER,
    NAPI_JS_BUFFER_OF,
    NAPI_JS_OFFSET_OF,
    NAPI_JS_DETACH,
    NAPI_JS_BIGINT,
    NAPI_JS_BIGINT_HEX,
    NAPI_JS_DATE,
    NAPI_JS_DATE_VALUE,
    NAPI_JS_REGISTER,
    NAPI_JS_KEEP,
    NAPI_JS_KEPT,
    NAPI_JS_TO_OBJECT,
    NAPI_JS_NEW_ARRAY,
    NAPI_JS_NEW_OBJECT,
    NAPI_JS_SHARED_BUFFER,
    NAPI_JS_PIN,
    NAPI_JS_KEY_FOR,
    NAPI_JS_BUFFER_SAMPLE, /* no function: an empty Buffer */
    NAPI_JS_LEN,
} NapiJs;

typedef struct NapiHook NapiHook;
typedef struct NapiBell NapiBell; /* napi_uv.c */

typedef struct NapiHost {
    Vm *vm;
    Js *js;
    JsHandles *handles;
    LoopMail *mail;
    JsRef fns[NAPI_JS_LEN];
    napi_env envs;                   /* newest first */
    NapiHook *hooks;                 /* what runs when the Vm ends, newest first */
    u32 n_async_hooks;               /* asynchronous ones that have not said that they are done */
    struct napi_async_work__ *works; /* queued */
    struct napi_threadsafe_function__ *tsfns; /* open */
    struct NapiRecord **records;              /* napi_ref.c; by number */
    u32 n_records, free_record;               /* the first that is free */
    struct uv_loop_s *uv;                     /* napi_uv.c; made when an add-on asks for it */
    NapiBell *bells;
    bool has_kept;   /* objects without a hidden slot have one in internal/napi */
    bool is_closing; /* the Vm ends: nothing may run JavaScript any more */
} NapiHost;

struct napi_env__ {
    NapiHost *host;
    Js *js;
    JsHandles *handles;
    napi_extended_error_info last;
    i32 version;        /* that the add-on asks for */
    u32 n_scopes;       /* open handle scopes */
    u32 n_callbacks;    /* open callback scopes */
    bool is_finalizing; /* a finalizer runs during a collection */
    char *filename;     /* "file:///..." */
    void *instance_data;
    napi_finalize instance_finalize;
    void *instance_hint;
    napi_ref refs; /* with a finalizer first to last */
    i64 external_bytes;
    struct NapiSample *samples;     /* napi_function.c */
    struct NapiExternal *externals; /* napi_bytes.c */
    struct NapiPosted *posted;      /* finalizers that run in the next turn */
    bool is_post_queued;
    napi_env next;
};

/* ---- Results ---- */

/* Remembers `status` for napi_get_last_error_info, and returns it. */
static inline napi_status napi_done(napi_env env, napi_status status)
{
    env->last.error_code = status;
    env->last.engine_error_code = 0;
    env->last.engine_reserved = NULL;
    return status;
}

#define NAPI_CHECK_ENV(env)                                                                        \
    do {                                                                                           \
        if (UNLIKELY(!(env))) return napi_invalid_arg;                                             \
    } while (0)
#define NAPI_CHECK(env, condition, status)                                                         \
    do {                                                                                           \
        if (UNLIKELY(!(condition))) return napi_done(env, status);                                 \
    } while (0)
#define NAPI_CHECK_ARG(env, arg) NAPI_CHECK(env, (arg) != NULL, napi_invalid_arg)
/* At the start of what may run JavaScript. */
#define NAPI_ENTER(env)                                                                            \
    do {                                                                                           \
        NAPI_CHECK_ENV(env);                                                                       \
        napi_status enter_status = napi_enter(env);                                                \
        if (UNLIKELY(enter_status != napi_ok)) return enter_status;                                \
    } while (0)
napi_status napi_enter(napi_env env);
/* When something threw: napi_pending_exception. */
napi_status napi_thrown(napi_env env);

/* ---- Values ---- */

static inline JsVal napi_in(napi_value v)
{
    return (JsVal)(const void *)v;
}
static inline napi_value napi_raw(JsVal v)
{
    return (napi_value)(uintptr_t)v;
}
/* Is it an object of the heap, which the collector could take? */
static inline bool napi_is_cell(JsVal v)
{
    return v && !((u64)(uintptr_t)v & 0xfffe000000000002ull);
}
/* A value for the add-on, alive until the scope ends. */
static inline napi_value napi_out(napi_env env, JsVal v)
{
    if (napi_is_cell(v)) js_handles_push(env->js, env->handles, v);
    return napi_raw(v);
}
/* *ret = v, or the pending exception. */
static inline napi_status napi_give(napi_env env, JsVal v, napi_value *ret)
{
    if (UNLIKELY(!v)) return napi_thrown(env);
    *ret = napi_out(env, v);
    return napi_done(env, napi_ok);
}

/* Calls a function of internal/napi. */
NODISCARD JsVal napi_js_call(NapiHost *host, NapiJs which, JsArgs args);
/* Length of a text that an add-on gives; false when it is too long. */
bool napi_text(const char *text, usize len, Str *ret);
/* A string value from an add-on's UTF-8. */
napi_status napi_text_value(napi_env env, const char *text, usize len, JsVal *ret);

/* ---- Environments ---- */

NapiHost *napi_host(Vm *vm);
napi_env napi_env_new(NapiHost *host, Str filename, i32 version);
/* Runs a callback of the add-on from the loop or from a finalizer: a scope around it, what it
 * throws is reported as uncaught. */
typedef struct {
    u32 len, n_scopes;
} NapiScope;
NapiScope napi_scope_begin(napi_env env);
void napi_scope_end(napi_env env, NapiScope scope);
/* Reports what is pending as an uncaught exception. */
void napi_report(napi_env env);
void napi_call_finalizer(napi_env env, napi_finalize fn, void *data, void *hint);

/* ---- Parts ---- */

/* A function value that calls `cb`. */
NODISCARD JsVal napi_function_new(napi_env env, Str name, napi_callback cb, void *data);
/* After the machine is gone. */
void napi_samples_free(napi_env env);
/* NULL when `v` is no external. */
void *napi_external_find(Js *js, JsVal v, bool *ret_is_external);
/* References with finalizers, at the end of the environment. */
void napi_refs_close(napi_env env);
void napi_uv_free(NapiHost *host);
void napi_records_free(NapiHost *host);
/* internal/napi says that the object of a reference died. */
void napi_ref_died(NapiHost *host, f64 id);
void napi_run_posted(napi_env env);
/* Memory of the add-on that buffers and strings use: when the engine drops it, on any thread, it
 * calls napi_external_freed with the record, and the finalizer runs in the next turn. */
struct NapiExternal *napi_external_new(napi_env env, void *data, napi_finalize finalize,
                                       void *hint);
void napi_external_freed(void *p, void *external);
void napi_externals_close(napi_env env);
void napi_hooks_run(NapiHost *host);
void napi_works_close(NapiHost *host);
void napi_tsfns_close(NapiHost *host);
