/* tests/napi/async.c -- promises, work, other threads, contexts, the end of an environment. */
#include "addon.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

/* ---- Promises ---- */

static napi_deferred deferred;

FN(promise)
{
    ARGS(0);
    OK(napi_create_promise(env, &deferred, &out));
    return out;
}
FN(settle)
{
    ARGS(2);
    bool rejects;
    OK(napi_get_value_bool(env, arg[1], &rejects));
    if (rejects)
        OK(napi_reject_deferred(env, deferred, arg[0]));
    else
        OK(napi_resolve_deferred(env, deferred, arg[0]));
    return NULL;
}
FN(isPromise)
{
    ARGS(1);
    bool b;
    OK(napi_is_promise(env, arg[0], &b));
    return boolean(env, b);
}

/* ---- Work ---- */

typedef struct {
    napi_async_work work;
    napi_ref callback;
    pthread_t thread;
    double n;
} Work;

static void square(napi_env env, void *p)
{
    (void)env;
    Work *w = p;
    w->thread = pthread_self();
    w->n *= w->n;
}

static void work_done(napi_env env, napi_status status, void *p)
{
    Work *w = p;
    napi_value fn, undefined, args[3];
    napi_get_reference_value(env, w->callback, &fn);
    napi_get_undefined(env, &undefined);
    args[0] = number(env, status);
    args[1] = number(env, w->n);
    args[2] = boolean(env, pthread_equal(w->thread, pthread_self()) != 0);
    napi_delete_async_work(env, w->work);
    napi_delete_reference(env, w->callback);
    free(w);
    napi_call_function(env, undefined, fn, 3, args, NULL);
}

static Work *start_work(napi_env env, double n, napi_value callback)
{
    Work *w = calloc(1, sizeof(*w));
    napi_value name;
    w->n = n;
    napi_create_string_utf8(env, "square", NAPI_AUTO_LENGTH, &name);
    napi_create_reference(env, callback, 1, &w->callback);
    napi_create_async_work(env, NULL, name, square, work_done, w, &w->work);
    napi_queue_async_work(env, w->work);
    return w;
}

FN(work)
{
    ARGS(2);
    double n;
    OK(napi_get_value_double(env, arg[0], &n));
    start_work(env, n, arg[1]);
    return NULL;
}

/* Starts more than the pool has threads and cancels the last: 1 when that was in time. */
FN(cancelled)
{
    ARGS(2);
    Work *last = NULL;
    for (int i = 0; i < 200; i++) last = start_work(env, i, arg[1]);
    return number(env, napi_cancel_async_work(env, last->work) == napi_ok);
}

/* ---- Thread-safe functions ---- */

enum { THREADS_MAX = 8 };

typedef struct {
    napi_threadsafe_function fn;
    int calls, id;
    bool blocks;
} Caller;

static Caller callers[THREADS_MAX];
static int n_full, n_closing, n_dropped, n_ends;
static char context[] = "context";

static void *call_many(void *p)
{
    Caller *c = p;
    for (int i = 0; i < c->calls; i++) {
        napi_status status =
            napi_call_threadsafe_function(c->fn, (void *)(intptr_t)(c->id * 100000 + i),
                                          c->blocks ? napi_tsfn_blocking : napi_tsfn_nonblocking);
        if (status == napi_queue_full) {
            __atomic_fetch_add(&n_full, 1, __ATOMIC_RELAXED);
            i--;
            usleep(100);
        } else if (status == napi_closing) {
            __atomic_fetch_add(&n_closing, 1, __ATOMIC_RELAXED);
            return NULL;
        }
    }
    napi_release_threadsafe_function(c->fn, napi_tsfn_release);
    return NULL;
}

static void call_js(napi_env env, napi_value fn, void *ctx, void *data)
{
    if (!env) {
        n_dropped++;
        return;
    }
    napi_value undefined, v = number(env, (double)(intptr_t)data);
    napi_get_undefined(env, &undefined);
    if (ctx == context) napi_call_function(env, undefined, fn, 1, &v, NULL);
}

static void on_end(napi_env env, void *data, void *ctx)
{
    (void)env, (void)ctx;
    n_ends++;
    if (data) *(bool *)data = true;
}

/* (callback, threads, calls each, limit of the queue, blocking) */
FN(fromThreads)
{
    ARGS(5);
    uint32_t threads, calls, limit;
    bool blocks;
    void *ctx;
    napi_value name;
    napi_threadsafe_function fn;
    OK(napi_get_value_uint32(env, arg[1], &threads));
    OK(napi_get_value_uint32(env, arg[2], &calls));
    OK(napi_get_value_uint32(env, arg[3], &limit));
    OK(napi_get_value_bool(env, arg[4], &blocks));
    OK(napi_create_string_utf8(env, "fromThreads", NAPI_AUTO_LENGTH, &name));
    OK(napi_create_threadsafe_function(env, arg[0], NULL, name, limit, 1, NULL, on_end, context,
                                       call_js, &fn));
    OK(napi_get_threadsafe_function_context(fn, &ctx));
    for (uint32_t i = 0; i < threads && i < THREADS_MAX; i++) {
        pthread_t t;
        OK(napi_acquire_threadsafe_function(fn));
        callers[i] = (Caller){fn, (int)calls, (int)i, blocks};
        if (pthread_create(&t, NULL, call_many, &callers[i])) return NULL;
        pthread_detach(t);
    }
    OK(napi_release_threadsafe_function(fn, napi_tsfn_release));
    return boolean(env, ctx == context);
}

static napi_threadsafe_function held;

FN(hold)
{
    ARGS(1);
    napi_value name;
    OK(napi_create_string_utf8(env, "hold", NAPI_AUTO_LENGTH, &name));
    OK(napi_create_threadsafe_function(env, arg[0], NULL, name, 0, 1, NULL, on_end, context,
                                       call_js, &held));
    return NULL;
}
FN(callHeld)
{
    ARGS(1);
    int32_t n;
    OK(napi_get_value_int32(env, arg[0], &n));
    return status_value(
        env, napi_call_threadsafe_function(held, (void *)(intptr_t)n, napi_tsfn_nonblocking));
}
FN(refHeld)
{
    ARGS(1);
    bool refs;
    OK(napi_get_value_bool(env, arg[0], &refs));
    if (refs)
        OK(napi_ref_threadsafe_function(env, held));
    else
        OK(napi_unref_threadsafe_function(env, held));
    return NULL;
}
FN(abortHeld)
{
    ARGS(0);
    return status_value(env, napi_release_threadsafe_function(held, napi_tsfn_abort));
}
FN(counts)
{
    ARGS(0);
    int list[] = {n_full, n_closing, n_dropped, n_ends};
    OK(napi_create_array(env, &out));
    for (uint32_t i = 0; i < 4; i++) OK(napi_set_element(env, out, i, number(env, list[i])));
    return out;
}

/* ---- Contexts ---- */

static napi_async_context made;

FN(makeContext)
{
    ARGS(1);
    napi_value name;
    OK(napi_create_string_utf8(env, "made", NAPI_AUTO_LENGTH, &name));
    OK(napi_async_init(env, arg[0], name, &made));
    return NULL;
}
FN(callIn)
{
    ARGS(2);
    OK(napi_make_callback(env, made, arg[0], arg[1], 0, NULL, &out));
    return out;
}
FN(scopeIn)
{
    ARGS(2);
    napi_callback_scope scope;
    OK(napi_open_callback_scope(env, arg[0], made, &scope));
    OK(napi_call_function(env, arg[0], arg[1], 0, NULL, &out));
    OK(napi_close_callback_scope(env, scope));
    return out;
}
FN(destroyContext)
{
    ARGS(0);
    OK(napi_async_destroy(env, made));
    return NULL;
}

/* ---- The environment ---- */

static void say(void *p)
{
    printf("%s\n", (const char *)p);
}
static void say_data(napi_env env, void *p, void *hint)
{
    (void)env, (void)hint;
    printf("data %s\n", (const char *)p);
}
static void say_async(napi_async_cleanup_hook_handle handle, void *p)
{
    (void)p;
    printf("async hook\n");
    napi_remove_async_cleanup_hook(handle);
}

FN(hooks)
{
    ARGS(0);
    static char first[] = "first", second[] = "second", removed[] = "removed";
    napi_async_cleanup_hook_handle handle;
    OK(napi_add_env_cleanup_hook(env, say, first));
    OK(napi_add_env_cleanup_hook(env, say, second));
    OK(napi_add_env_cleanup_hook(env, say, removed));
    OK(napi_remove_env_cleanup_hook(env, say, removed));
    OK(napi_add_async_cleanup_hook(env, say_async, NULL, NULL));
    OK(napi_add_async_cleanup_hook(env, say_async, NULL, &handle));
    OK(napi_remove_async_cleanup_hook(handle));
    return NULL;
}
FN(instanceData)
{
    ARGS(1);
    static char text[] = "of the instance";
    void *p;
    OK(napi_get_instance_data(env, &p));
    bool had = p != NULL;
    OK(napi_set_instance_data(env, text, argc ? say_data : NULL, NULL));
    OK(napi_get_instance_data(env, &p));
    return boolean(env, !had && p == text);
}
FN(finalizeAtEnd)
{
    ARGS(0);
    static char text[] = "of an object";
    OK(napi_create_object(env, &out));
    OK(napi_wrap(env, out, text, say_data, NULL, NULL));
    return out;
}

static int n_posted;
static void count_posted(napi_env env, void *p, void *hint)
{
    (void)env, (void)p, (void)hint;
    n_posted++;
}
FN(post)
{
    ARGS(0);
    OK(node_api_post_finalizer(env, count_posted, NULL, NULL));
    return number(env, n_posted);
}
FN(posted)
{
    ARGS(0);
    return number(env, n_posted);
}
FN(fileName)
{
    ARGS(0);
    const char *name;
    OK(node_api_get_module_file_name(env, &name));
    OK(napi_create_string_utf8(env, name, NAPI_AUTO_LENGTH, &out));
    return out;
}
FN(hasLoop)
{
    ARGS(0);
    struct uv_loop_s *loop;
    return status_value(env, napi_get_uv_event_loop(env, &loop));
}

ADDON(EXPORT(promise), EXPORT(settle), EXPORT(isPromise), EXPORT(work), EXPORT(cancelled),
      EXPORT(fromThreads), EXPORT(hold), EXPORT(callHeld), EXPORT(refHeld), EXPORT(abortHeld),
      EXPORT(counts), EXPORT(makeContext), EXPORT(callIn), EXPORT(scopeIn), EXPORT(destroyContext),
      EXPORT(hooks), EXPORT(instanceData), EXPORT(finalizeAtEnd), EXPORT(post), EXPORT(posted),
      EXPORT(fileName), EXPORT(hasLoop))
