/* napi/napi_async.c -- work on the thread pool, asynchronous contexts, callback scopes. */
#include "napi/napi_env.h"

#include "util/mem.h"

/* ---- Work ----------------------------------------------------------------------------------- */

typedef enum { WORK_IDLE, WORK_QUEUED, WORK_RUNNING, WORK_CANCELLED } WorkState;

struct napi_async_work__ {
    LoopReq req;
    napi_env env;
    napi_async_execute_callback execute;
    napi_async_complete_callback complete;
    void *data;
    u32 state; /* WorkState; changed by both threads */
    bool is_pending, is_deleted;
    napi_async_work prev, next; /* queued ones of the host */
};

static bool change_state(napi_async_work work, WorkState from, WorkState to)
{
    u32 expected = from;
    return __atomic_compare_exchange_n(&work->state, &expected, (u32)to, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_ACQUIRE);
}

static i64 run_work(LoopReq *req)
{
    napi_async_work work = req->data;
    if (change_state(work, WORK_QUEUED, WORK_RUNNING)) work->execute(work->env, work->data);
    return 0;
}

static void unlink_work(napi_async_work work)
{
    NapiHost *host = work->env->host;
    if (work->prev)
        work->prev->next = work->next;
    else
        host->works = work->next;
    if (work->next) work->next->prev = work->prev;
    work->prev = work->next = NULL;
}

static void on_work_done(LoopReq *req, i64 res)
{
    napi_async_work work = req->data;
    napi_env env = work->env;
    bool is_cancelled =
        res < 0 || __atomic_load_n(&work->state, __ATOMIC_ACQUIRE) == WORK_CANCELLED;
    unlink_work(work);
    work->is_pending = false;
    __atomic_store_n(&work->state, WORK_IDLE, __ATOMIC_RELEASE);
    if (work->is_deleted) {
        mem_free(work);
        return;
    }
    if (!work->complete) return;
    NapiScope scope = napi_scope_begin(env);
    work->complete(env, is_cancelled ? napi_cancelled : napi_ok, work->data); /* may delete it */
    napi_scope_end(env, scope);
    napi_report(env);
}

napi_status napi_create_async_work(napi_env env, napi_value async_resource,
                                   napi_value async_resource_name,
                                   napi_async_execute_callback execute,
                                   napi_async_complete_callback complete, void *data,
                                   napi_async_work *result)
{
    (void)async_resource, (void)async_resource_name;
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, execute);
    NAPI_CHECK_ARG(env, result);
    napi_async_work work = MEM_NEW(struct napi_async_work__);
    work->env = env;
    work->execute = execute;
    work->complete = complete;
    work->data = data;
    *result = work;
    return napi_done(env, napi_ok);
}

napi_status napi_delete_async_work(napi_env env, napi_async_work work)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, work);
    if (work->is_pending)
        work->is_deleted = true;
    else
        mem_free(work);
    return napi_done(env, napi_ok);
}

napi_status napi_queue_async_work(napi_env env, napi_async_work work)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, work);
    NAPI_CHECK(env, !work->is_pending && !env->host->is_closing, napi_generic_failure);
    NapiHost *host = env->host;
    work->is_pending = true;
    work->state = WORK_QUEUED;
    work->req = (LoopReq){.on_done = on_work_done, .data = work};
    work->next = host->works;
    if (work->next) work->next->prev = work;
    host->works = work;
    loop_req_work(host->vm->loop, &work->req, run_work);
    return napi_done(env, napi_ok);
}

napi_status napi_cancel_async_work(napi_env env, napi_async_work work)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, work);
    NAPI_CHECK(env, change_state(work, WORK_QUEUED, WORK_CANCELLED), napi_generic_failure);
    loop_req_cancel(&work->req);
    return napi_done(env, napi_ok);
}

/* The Vm ends: what has not begun does not begin.  The loop waits for the rest when it is freed,
 * and calls back; a process that exits does not wait. */
void napi_works_close(NapiHost *host)
{
    for (napi_async_work work = host->works; work; work = work->next)
        if (change_state(work, WORK_QUEUED, WORK_CANCELLED)) work->complete = NULL;
}

/* ---- Contexts ------------------------------------------------------------------------------- *
 * What a callback runs in: the asynchronous context (AsyncLocalStorage) of the place that made it.
 */

struct napi_async_context__ {
    JsRef resource, frame;
};

static JsVal current_frame(Js *js)
{
    JsVal v = js_get(js, js_async_context(js), "frame");
    return v ? v : js_catch(js);
}

static void set_frame(Js *js, JsVal frame)
{
    JsVal holder = js_async_context(js);
    bool ok = js_set(js, holder, "frame", frame);
    if (ok && !js_is_undefined(frame)) ok = js_set(js, holder, "isUsed", JS_TRUE);
    if (!ok) (void)js_catch(js);
}

napi_status napi_async_init(napi_env env, napi_value async_resource, napi_value async_resource_name,
                            napi_async_context *result)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, async_resource_name);
    NAPI_CHECK_ARG(env, result);
    NAPI_CHECK(env, !async_resource || js_is_object(env->js, napi_in(async_resource)),
               napi_object_expected);
    NAPI_CHECK(env, js_is_string(env->js, napi_in(async_resource_name)), napi_string_expected);
    napi_async_context context = MEM_NEW(struct napi_async_context__);
    if (async_resource) js_ref_set_weak(env->js, &context->resource, napi_in(async_resource));
    js_ref_set_strong(env->js, &context->frame, current_frame(env->js));
    *result = context;
    return napi_done(env, napi_ok);
}

napi_status napi_async_destroy(napi_env env, napi_async_context async_context)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, async_context);
    js_ref_clear(env->js, &async_context->resource);
    js_ref_clear(env->js, &async_context->frame);
    mem_free(async_context);
    return napi_done(env, napi_ok);
}

napi_status napi_make_callback(napi_env env, napi_async_context async_context, napi_value recv,
                               napi_value func, size_t argc, const napi_value *argv,
                               napi_value *result)
{
    NAPI_ENTER(env);
    NAPI_CHECK_ARG(env, recv);
    NAPI_CHECK(env, !argc || argv, napi_invalid_arg);
    NAPI_CHECK(env, js_is_object(env->js, napi_in(recv)), napi_object_expected);
    NAPI_CHECK_ARG(env, func);
    NAPI_CHECK(env, js_is_function(env->js, napi_in(func)), napi_function_expected);
    Js *js = env->js;
    JsVal before = async_context ? current_frame(js) : NULL;
    if (before) set_frame(js, js_ref_get(js, &async_context->frame));
    JsArgs args = {.at = (const JsVal *)(const void *)argv, .len = (u32)argc};
    JsVal v = js_call(js, napi_in(func), napi_in(recv), args);
    if (before) {
        JsVal thrown = v ? NULL : js_catch(js);
        set_frame(js, before);
        if (thrown) js_throw(js, thrown);
    }
    if (!v) return napi_thrown(env);
    if (result) *result = napi_out(env, v);
    return napi_done(env, napi_ok);
}

struct napi_callback_scope__ {
    JsRef before;
};

napi_status napi_open_callback_scope(napi_env env, napi_value resource_object,
                                     napi_async_context context, napi_callback_scope *result)
{
    (void)resource_object;
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, result);
    napi_callback_scope scope = MEM_NEW(struct napi_callback_scope__);
    js_ref_set_strong(env->js, &scope->before, current_frame(env->js));
    if (context) set_frame(env->js, js_ref_get(env->js, &context->frame));
    env->n_callbacks++;
    *result = scope;
    return napi_done(env, napi_ok);
}

napi_status napi_close_callback_scope(napi_env env, napi_callback_scope scope)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, scope);
    NAPI_CHECK(env, env->n_callbacks != 0, napi_callback_scope_mismatch);
    env->n_callbacks--;
    if (!js_is_pending(env->js)) set_frame(env->js, js_ref_get(env->js, &scope->before));
    js_ref_clear(env->js, &scope->before);
    mem_free(scope);
    return napi_done(env, napi_ok);
}
