/* napi/napi_tsfn.c -- thread-safe functions: calls that any thread may ask for and the
 * environment's thread makes.
 *
 * A queue under a lock, and a bell of the loop.  The struct lives until the bell is closed and
 * every thread has let go of it. */
#include "napi/napi_env.h"

#include "util/mem.h"

/* So many calls in one turn, then others have theirs. */
enum { CALLS_A_TURN = 1000 };

typedef struct Call Call;
struct Call {
    void *data;
    Call *next;
};

struct napi_threadsafe_function__ {
    LoopAsync bell;
    napi_env env;
    SysMutex lock; /* over what follows */
    SysCond has_room;
    Call *first, **last;
    usize n_calls, n_calls_max; /* 0: no limit */
    usize n_threads;
    bool is_closing; /* nothing is queued any more */
    bool is_closed;  /* the bell is gone, the finalizer was called */
    /* On the environment's thread only. */
    bool is_ending;
    void *context;
    napi_threadsafe_function_call_js call_js;
    napi_finalize finalize;
    void *finalize_data;
    JsRef fn;
    napi_threadsafe_function prev, next;
};

static void free_calls(napi_threadsafe_function t)
{
    for (Call *call; (call = t->first);) {
        t->first = call->next;
        mem_free(call);
    }
}

static void free_tsfn(napi_threadsafe_function t)
{
    free_calls(t);
    mem_free(t);
}

static void call_default(napi_env env, napi_value fn)
{
    if (fn && !js_call(env->js, napi_in(fn), JS_UNDEFINED, JS_NO_ARGS)) (void)napi_thrown(env);
}

static void call_one(napi_threadsafe_function t, void *data)
{
    napi_env env = t->env;
    NapiScope scope = napi_scope_begin(env);
    JsVal fn = js_ref_get(env->js, &t->fn);
    napi_value callback = fn ? napi_out(env, fn) : NULL;
    if (t->call_js)
        t->call_js(env, callback, t->context, data);
    else
        call_default(env, callback);
    napi_scope_end(env, scope);
    napi_report(env);
}

/* ---- The end -------------------------------------------------------------------------------- */

static void on_closed(LoopHandle *h)
{
    napi_threadsafe_function t = CONTAINER(struct napi_threadsafe_function__, bell.handle, h);
    sys_mutex_lock(&t->lock);
    t->is_closed = true;
    bool is_last = t->n_threads == 0;
    sys_mutex_unlock(&t->lock);
    if (is_last) free_tsfn(t);
}

static void unlink_tsfn(napi_threadsafe_function t)
{
    if (t->prev)
        t->prev->next = t->next;
    else
        t->env->host->tsfns = t->next;
    if (t->next) t->next->prev = t->prev;
}

/* What is still queued is given back with a NULL environment. */
static void drop_calls(napi_threadsafe_function t)
{
    for (;;) {
        sys_mutex_lock(&t->lock);
        Call *call = t->first;
        if (call) t->first = call->next;
        if (!t->first) t->last = &t->first;
        sys_mutex_unlock(&t->lock);
        if (!call) return;
        if (t->call_js) t->call_js(NULL, NULL, t->context, call->data);
        mem_free(call);
    }
}

static void end_tsfn(napi_threadsafe_function t)
{
    napi_env env = t->env;
    if (t->is_ending) return;
    t->is_ending = true;
    sys_mutex_lock(&t->lock);
    t->is_closing = true;
    sys_cond_broadcast(&t->has_room);
    sys_mutex_unlock(&t->lock);
    unlink_tsfn(t);
    drop_calls(t);
    js_ref_clear(env->js, &t->fn);
    if (t->finalize) {
        NapiScope scope = napi_scope_begin(env);
        t->finalize(env, t->finalize_data, t->context);
        napi_scope_end(env, scope);
        napi_report(env);
    }
    loop_handle_close(&t->bell.handle, on_closed);
}

void napi_tsfns_close(NapiHost *host)
{
    while (host->tsfns) end_tsfn(host->tsfns);
}

/* ---- The turn ------------------------------------------------------------------------------- */

typedef enum { TAKE_CALL, TAKE_NOTHING, TAKE_END } Taken;

static Taken take_call(napi_threadsafe_function t, void **ret_data)
{
    Taken taken = TAKE_NOTHING;
    sys_mutex_lock(&t->lock);
    Call *call = t->is_closing ? NULL : t->first;
    if (call) {
        taken = TAKE_CALL;
        *ret_data = call->data;
        t->first = call->next;
        if (!t->first) t->last = &t->first;
        t->n_calls--;
        sys_cond_signal(&t->has_room);
    } else if (t->is_closing || t->n_threads == 0) {
        t->is_closing = true;
        taken = TAKE_END;
    }
    sys_mutex_unlock(&t->lock);
    mem_free(call);
    return taken;
}

static void on_bell(LoopAsync *a)
{
    napi_threadsafe_function t = CONTAINER(struct napi_threadsafe_function__, bell, a);
    Vm *vm = t->env->host->vm;
    for (u32 i = 0; i < CALLS_A_TURN; i++) {
        void *data = NULL;
        Taken taken = take_call(t, &data);
        if (taken == TAKE_NOTHING) return;
        if (taken == TAKE_END) {
            end_tsfn(t);
            return;
        }
        call_one(t, data);
        if (t->is_ending || vm->is_stopping) return;
        vm_after_callback(vm);
    }
    loop_async_send_mt(&t->bell);
}

/* ---- What add-ons call ---------------------------------------------------------------------- */

napi_status napi_create_threadsafe_function(napi_env env, napi_value func,
                                            napi_value async_resource,
                                            napi_value async_resource_name, size_t max_queue_size,
                                            size_t initial_thread_count, void *thread_finalize_data,
                                            napi_finalize thread_finalize_cb, void *context,
                                            napi_threadsafe_function_call_js call_js_cb,
                                            napi_threadsafe_function *result)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, async_resource_name);
    NAPI_CHECK(env, initial_thread_count > 0, napi_invalid_arg);
    NAPI_CHECK_ARG(env, result);
    NAPI_CHECK(env, func || call_js_cb, napi_invalid_arg);
    NAPI_CHECK(env, !func || js_is_function(env->js, napi_in(func)), napi_invalid_arg);
    NAPI_CHECK(env, !async_resource || js_is_object(env->js, napi_in(async_resource)),
               napi_object_expected);
    NAPI_CHECK(env, !env->host->is_closing, napi_generic_failure);
    NapiHost *host = env->host;
    napi_threadsafe_function t = MEM_NEW(struct napi_threadsafe_function__);
    t->env = env;
    t->last = &t->first;
    t->n_calls_max = max_queue_size;
    t->n_threads = initial_thread_count;
    t->context = context;
    t->call_js = call_js_cb;
    t->finalize = thread_finalize_cb;
    t->finalize_data = thread_finalize_data;
    if (func) js_ref_set_strong(env->js, &t->fn, napi_in(func));
    loop_async_open(host->vm->loop, &t->bell, on_bell);
    t->next = host->tsfns;
    if (t->next) t->next->prev = t;
    host->tsfns = t;
    *result = t;
    return napi_done(env, napi_ok);
}

napi_status napi_get_threadsafe_function_context(napi_threadsafe_function func, void **result)
{
    if (!func || !result) return napi_invalid_arg;
    *result = func->context;
    return napi_ok;
}

/* With the lock held; the lock is free afterwards.  A thread that is told "closing" has let go. */
static napi_status let_go(napi_threadsafe_function t)
{
    if (t->n_threads) t->n_threads--;
    bool is_last = t->is_closed && t->n_threads == 0;
    sys_mutex_unlock(&t->lock);
    if (is_last) free_tsfn(t);
    return napi_closing;
}

napi_status napi_call_threadsafe_function(napi_threadsafe_function func, void *data,
                                          napi_threadsafe_function_call_mode is_blocking)
{
    if (!func) return napi_invalid_arg;
    Call *call = MEM_NEW(Call);
    call->data = data;
    sys_mutex_lock(&func->lock);
    while (func->n_calls_max && func->n_calls >= func->n_calls_max && !func->is_closing) {
        if (is_blocking == napi_tsfn_nonblocking) {
            sys_mutex_unlock(&func->lock);
            mem_free(call);
            return napi_queue_full;
        }
        sys_cond_wait(&func->has_room, &func->lock);
    }
    if (func->is_closing) {
        mem_free(call);
        if (func->n_threads == 0) {
            sys_mutex_unlock(&func->lock);
            return napi_invalid_arg;
        }
        return let_go(func);
    }
    *func->last = call;
    func->last = &call->next;
    func->n_calls++;
    loop_async_send_mt(&func->bell);
    sys_mutex_unlock(&func->lock);
    return napi_ok;
}

napi_status napi_acquire_threadsafe_function(napi_threadsafe_function func)
{
    if (!func) return napi_invalid_arg;
    sys_mutex_lock(&func->lock);
    bool is_closing = func->is_closing;
    if (!is_closing) func->n_threads++;
    sys_mutex_unlock(&func->lock);
    return is_closing ? napi_closing : napi_ok;
}

napi_status napi_release_threadsafe_function(napi_threadsafe_function func,
                                             napi_threadsafe_function_release_mode mode)
{
    if (!func) return napi_invalid_arg;
    sys_mutex_lock(&func->lock);
    if (func->n_threads == 0) {
        sys_mutex_unlock(&func->lock);
        return napi_invalid_arg;
    }
    if (func->is_closing) {
        (void)let_go(func);
        return napi_ok;
    }
    func->n_threads--;
    if (mode == napi_tsfn_abort) {
        func->is_closing = true;
        sys_cond_broadcast(&func->has_room);
    }
    if (func->n_threads == 0 || func->is_closing) loop_async_send_mt(&func->bell);
    sys_mutex_unlock(&func->lock);
    return napi_ok;
}

napi_status napi_unref_threadsafe_function(napi_env env, napi_threadsafe_function func)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, func);
    if (!func->is_ending) loop_handle_unref(&func->bell.handle);
    return napi_done(env, napi_ok);
}

napi_status napi_ref_threadsafe_function(napi_env env, napi_threadsafe_function func)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, func);
    if (!func->is_ending) loop_handle_ref(&func->bell.handle);
    return napi_done(env, napi_ok);
}
