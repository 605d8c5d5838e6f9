/* napi/napi_uv.c -- what add-ons wake libuv's loop with: work on the pool, and bells. */
#include "napi/napi_uv.h"

#include <errno.h>

#include "napi/napi_env.h"
#include "util/mem.h"

/* Larger than libuv's; add-ons know of `data` only. */
struct uv_loop_s {
    void *data;
    u8 unused[1016];
    NapiHost *host;
};

enum { TYPE_ASYNC = 1, TYPE_WORK = 8 };

struct NapiBell {
    LoopAsync async;
    NapiHost *host;
    uv_handle_t *handle;
    uv_async_cb cb;
    bool is_closing;
    NapiBell *prev, *next; /* of the host */
};

/* ---- The loop ------------------------------------------------------------------------------- */

static uv_loop_t *need_loop(NapiHost *host)
{
    if (!host->uv) {
        host->uv = MEM_NEW(uv_loop_t);
        host->uv->host = host;
    }
    return host->uv;
}

napi_status napi_get_uv_event_loop(napi_env env, struct uv_loop_s **loop)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, loop);
    *loop = need_loop(env->host);
    return napi_done(env, napi_ok);
}

uv_loop_t *uv_default_loop(void)
{
    Js *js = js_current();
    NapiHost *host = js ? napi_host(vm_of(js)) : NULL;
    return host ? need_loop(host) : NULL;
}

uint64_t uv_now(const uv_loop_t *loop)
{
    return loop_now_ms(loop->host->vm->loop);
}

/* Handles that a callback of the add-on makes live until it ends; what it throws is uncaught. */
static u32 callback_begin(const NapiHost *host)
{
    return host->handles->len;
}

static void callback_end(NapiHost *host, u32 len)
{
    js_handles_drop(host->js, host->handles, len);
    if (!js_is_pending(host->js)) return;
    if (host->is_closing || host->vm->is_stopping)
        (void)js_catch(host->js);
    else
        vm_report_pending(host->vm);
}

/* ---- Work ----------------------------------------------------------------------------------- */

typedef struct {
    LoopReq req;
    NapiHost *host;
    uv_work_t *work;
} Work;

static i64 run_work(LoopReq *req)
{
    uv_work_t *work = ((Work *)req->data)->work;
    work->work_cb(work);
    return 0;
}

static void on_work_done(LoopReq *req, i64 res)
{
    Work *w = req->data;
    NapiHost *host = w->host;
    uv_work_t *work = w->work;
    mem_free(w);
    work->reserved[0] = NULL;
    if (!work->after_work_cb) return;
    u32 len = callback_begin(host);
    work->after_work_cb(work, (int)MIN(res, 0));
    callback_end(host, len);
}

int uv_queue_work(uv_loop_t *loop, uv_work_t *req, uv_work_cb work, uv_after_work_cb after)
{
    if (!work || loop->host->is_closing) return -EINVAL;
    Work *w = MEM_NEW(Work);
    *w = (Work){.req = {.on_done = on_work_done, .data = w}, .host = loop->host, .work = req};
    req->type = TYPE_WORK;
    req->loop = loop;
    req->work_cb = work;
    req->after_work_cb = after;
    req->reserved[0] = w;
    loop_req_work(loop->host->vm->loop, &w->req, run_work);
    return 0;
}

int uv_cancel(uv_work_t *req)
{
    /* Whether it has begun is not known before it is done. */
    (void)req;
    return -EBUSY;
}

/* ---- Bells ---------------------------------------------------------------------------------- */

static void on_rung(LoopAsync *a)
{
    NapiBell *bell = CONTAINER(NapiBell, async, a);
    NapiHost *host = bell->host;
    u32 len = callback_begin(host);
    if (bell->cb) bell->cb(bell->handle);
    callback_end(host, len);
}

static void unlink_bell(NapiBell *bell)
{
    if (bell->prev)
        bell->prev->next = bell->next;
    else
        bell->host->bells = bell->next;
    if (bell->next) bell->next->prev = bell->prev;
}

static void on_closed(LoopHandle *h)
{
    NapiBell *bell = CONTAINER(NapiBell, async.handle, h);
    NapiHost *host = bell->host;
    uv_handle_t *handle = bell->handle;
    unlink_bell(bell);
    mem_free(bell);
    handle->reserved[0] = NULL;
    u32 len = callback_begin(host);
    if (handle->close_cb) handle->close_cb(handle);
    callback_end(host, len);
}

static NapiBell *bell_of(const uv_handle_t *handle)
{
    return handle->reserved[0];
}

int uv_async_init(uv_loop_t *loop, uv_handle_t *async, uv_async_cb cb)
{
    NapiHost *host = loop->host;
    NapiBell *bell = MEM_NEW(NapiBell);
    *bell = (NapiBell){.host = host, .handle = async, .cb = cb, .next = host->bells};
    if (bell->next) bell->next->prev = bell;
    host->bells = bell;
    loop_async_open(host->vm->loop, &bell->async, on_rung);
    async->loop = loop;
    async->type = TYPE_ASYNC;
    async->close_cb = NULL;
    async->reserved[0] = bell;
    return 0;
}

int uv_async_send(uv_handle_t *async)
{
    NapiBell *bell = bell_of(async);
    if (!bell) return -EINVAL;
    loop_async_send_mt(&bell->async);
    return 0;
}

void uv_close(uv_handle_t *handle, uv_close_cb cb)
{
    NapiBell *bell = bell_of(handle);
    if (!bell || bell->is_closing) return;
    bell->is_closing = true;
    handle->close_cb = cb;
    loop_handle_close(&bell->async.handle, on_closed);
}

void uv_ref(uv_handle_t *handle)
{
    if (bell_of(handle)) loop_handle_ref(&bell_of(handle)->async.handle);
}

void uv_unref(uv_handle_t *handle)
{
    if (bell_of(handle)) loop_handle_unref(&bell_of(handle)->async.handle);
}

int uv_has_ref(const uv_handle_t *handle)
{
    return bell_of(handle) && loop_handle_has_ref(&bell_of(handle)->async.handle);
}

int uv_is_active(const uv_handle_t *handle)
{
    return bell_of(handle) && !bell_of(handle)->is_closing;
}

int uv_is_closing(const uv_handle_t *handle)
{
    return !bell_of(handle) || bell_of(handle)->is_closing;
}

void *uv_handle_get_data(const uv_handle_t *handle)
{
    return handle->data;
}

void uv_handle_set_data(uv_handle_t *handle, void *data)
{
    handle->data = data;
}

uv_loop_t *uv_handle_get_loop(const uv_handle_t *handle)
{
    return handle->loop;
}

void napi_uv_free(NapiHost *host)
{
    for (NapiBell *bell; (bell = host->bells);) {
        unlink_bell(bell);
        mem_free(bell);
    }
    mem_free(host->uv);
}
