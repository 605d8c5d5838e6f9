/* web/fetch/client.c -- native half of web/fetch/client: requests of http/http_client.h.
 *
 * An Op is one fetch.  JavaScript has a task object and, in it, a wrapper that holds the Op.  What
 * is received is kept here until somebody wants it: all of it at the end, or piece by piece.  The
 * task is held strongly only while an answer is owed to it, so that a response that nobody reads
 * can be collected; then the request is aborted. */
#include "builtins/builtins.h"
#include "builtins/web/fetch/fetch.h"
#include "http/http_client.h"
#include "util/err.h"
#include "util/mem.h"

#include <errno.h>
#include <string.h>

enum {
    BUFFER_HIGH = 256 * 1024, /* of a body that nobody reads, before the connection is paused */
    FEW_HEADERS = 32,
    TAKE_MIN = 4096, /* from here on memory is handed over rather than copied */
};
static const usize BODY_MAX = (usize)1 << 32; /* what a Uint8Array can have */

/* What the handler is told; client.js has the same numbers. */
enum { EVENT_HEAD, EVENT_DATA, EVENT_DONE, EVENT_FAIL, EVENT_DRAIN };
enum { HEAD_REDIRECTED = 1, HEAD_HAS_BODY = 2 };
/* Flags of start(). */
enum {
    FLAG_STREAMED = 1,
    FLAG_RAW = 2,
    FLAG_ONCE = 4,
    FLAG_H1 = 8,
    FLAG_DIRECT = 16,
    FLAG_UNVERIFIED = 32,
    FLAG_MANUAL = 64,
    FLAG_ERROR = 128,
};

typedef struct WebFetch {
    HttpClient *client;
    JsRef handler, socket_handler;
} WebFetch;

typedef struct {
    Vm *vm;
    HttpFetch *fetch; /* NULL: over */
    LoopMail *mail;
    JsRef task;
    Arena arena; /* of the request */
    Buf body;
    int rc;
    bool has_head, is_collecting, is_waiting, is_uploading, is_done, is_dropped, is_busy;
    bool is_inside; /* a native function that the task calls: it gives the answer itself */
} Op;

static void on_loop_stops(void *data)
{
    WebFetch *fetch = data;
    http_client_free(fetch->client);
}

/* The references are dropped with the engine. */
static void on_loop_freed(void *data)
{
    (void)data;
}

static WebFetch *web_fetch(Vm *vm)
{
    if (!vm->fetch) vm->fetch = ARENA_NEW(&vm->arena, WebFetch);
    if (vm->fetch->client) return vm->fetch;
    vm->fetch->client = http_client_new(vm->loop);
    loop_slot_put(vm->loop, LOOP_SLOT_FETCH, vm->fetch, on_loop_stops, on_loop_freed);
    return vm->fetch;
}

HttpClient *web_fetch_client(Vm *vm)
{
    return web_fetch(vm)->client;
}

JsRef *web_fetch_socket_handler(Vm *vm)
{
    return &web_fetch(vm)->socket_handler;
}

/* ---- Life of an Op -------------------------------------------------------------------------- */

static void op_free_memory(Op *op)
{
    loop_mail_unref_mt(op->mail);
    Buf_deinit(&op->body);
    arena_deinit(&op->arena);
    mem_free(op);
}

static void op_free(Op *op)
{
    js_ref_clear(op->vm->js, &op->task);
    op_free_memory(op);
}

static void on_dropped(void *data)
{
    Op *op = data;
    op->is_dropped = true;
    if (op->fetch) {
        http_fetch_abort(op->fetch);
        op->fetch = NULL;
    }
    if (!op->is_busy) op_free(op);
}

/* Finaliser of the wrapper; any thread. */
static void drop_mt(void *native)
{
    Op *op = native;
    /* The loop ends before the engine, which has dropped its references when it comes here. */
    if (loop_mail_post_mt(op->mail, on_dropped, op) == -ESHUTDOWN) op_free_memory(op);
}

static const JsClass op_class = {.name = "Fetch", .finalize = drop_mt};

static void update_hold(Op *op)
{
    Js *js = op->vm->js;
    bool is_owed =
        !op->is_done && (!op->has_head || op->is_collecting || op->is_waiting || op->is_uploading);
    if (is_owed)
        js_ref_make_strong(js, &op->task);
    else
        js_ref_make_weak(js, &op->task);
}

/* Calls handler(task, kind, ...). */
static void tell(Op *op, u32 kind, const JsVal *more, u32 n_more)
{
    Js *js = op->vm->js;
    JsVal task = js_ref_get(js, &op->task);
    JsVal handler = js_ref_get(js, &op->vm->fetch->handler);
    JsVal at[8] = {task, js_int(js, (i32)kind)};
    if (!task || !handler) return;
    ASSERT(n_more <= COUNT(at) - 2);
    for (u32 i = 0; i < n_more; i++) at[2 + i] = more[i];
    vm_call(op->vm, handler, (JsArgs){.at = at, .len = 2 + n_more});
}

/* ---- Events --------------------------------------------------------------------------------- */

static void free_body(void *p, void *data)
{
    (void)data;
    mem_free(p);
}

/* What is there, as a Uint8Array of its own. */
static JsVal take_body(Js *js, Op *op)
{
    if (op->body.len < TAKE_MIN) {
        JsVal copy = js_u8array(js, op->body.p, op->body.len);
        buf_clear(&op->body);
        return copy;
    }
    Buf body = TAKE(op->body);
    if (body.cap > body.len + body.len / 4) body.p = mem_resize(body.p, body.len);
    return js_u8array_take(js, body.p, body.len, free_body, NULL);
}

/* A flat array.  Bytes of values are Latin-1 (Fetch Standard, "isomorphic decode"). */
static JsVal make_headers(Js *js, const HttpResponse *r)
{
    JsVal at[2 * FEW_HEADERS];
    u32 n = MIN(r->n_headers, (u32)FEW_HEADERS);
    for (u32 i = 0; i < n; i++) {
        Str value = r->headers[i].value;
        at[2 * i] = js_str(js, r->headers[i].name);
        at[2 * i + 1] = js_str_latin1(js, (const u8 *)value.p, value.n);
    }
    JsVal list = js_array(js, at, 2 * n);
    for (u32 i = n; i < r->n_headers; i++) {
        Str value = r->headers[i].value;
        JsVal name = js_str(js, r->headers[i].name);
        JsVal text = js_str_latin1(js, (const u8 *)value.p, value.n);
        if (!js_set_index(js, list, 2 * i, name) || !js_set_index(js, list, 2 * i + 1, text))
            return NULL;
    }
    return list;
}

static void on_head(HttpFetch *f, const HttpResponse *r)
{
    Op *op = http_fetch_data(f);
    Js *js = op->vm->js;
    op->has_head = true;
    JsVal headers = make_headers(js, r);
    if (!headers) headers = (js_catch(js), js_array(js, NULL, 0));
    if (r->has_body && r->length != UINT64_MAX && r->length < BUFFER_HIGH)
        (void)buf_reserve(&op->body, (usize)r->length);
    i32 flags = (r->n_redirects ? HEAD_REDIRECTED : 0) | (r->has_body ? HEAD_HAS_BODY : 0);
    JsVal more[] = {js_int(js, (i32)r->status),
                    js_str_latin1(js, (const u8 *)r->reason.p, r->reason.n), js_str(js, r->url),
                    headers, js_int(js, flags)};
    tell(op, EVENT_HEAD, more, COUNT(more));
    update_hold(op);
}

static void on_data(HttpFetch *f, Str data)
{
    Op *op = http_fetch_data(f);
    if (op->body.len + data.n > BODY_MAX) {
        http_fetch_abort(f);
        op->fetch = NULL;
        op->is_done = true;
        op->rc = HTTP_CLIENT_ETOO_BIG;
        return;
    }
    buf_push(&op->body, data);
    if (op->is_waiting && !op->is_inside) {
        op->is_waiting = false;
        JsVal bytes = take_body(op->vm->js, op);
        tell(op, EVENT_DATA, &bytes, 1);
        if (op->fetch) update_hold(op);
    }
    if (!op->is_collecting && op->fetch && op->body.len >= BUFFER_HIGH) http_fetch_pause(f);
}

static void on_drain(HttpFetch *f)
{
    tell(http_fetch_data(f), EVENT_DRAIN, NULL, 0);
}

static JsVal code_of(Js *js, int rc, const TlsError *tls)
{
    if (tls) return js_str(js, str_z(tls->code));
    Str own = http_client_error_name(rc);
    return js_str(js, own.n ? own : str_z(err_name(rc)));
}

static void tell_failure(Op *op, const TlsError *tls, int detail)
{
    Js *js = op->vm->js;
    int rc = op->rc;
    Str own = http_client_error_text(rc);
    Str text = tls ? str_z(tls->text) : own.n ? own : str_z(err_text(rc));
    JsVal more[] = {js_int(js, rc), code_of(js, rc, tls), js_str(js, text), js_int(js, detail),
                    js_boolean(tls != NULL)};
    tell(op, EVENT_FAIL, more, COUNT(more));
}

static void on_done(HttpFetch *f, int rc)
{
    Op *op = http_fetch_data(f);
    op->is_busy = true;
    op->fetch = NULL;
    op->rc = rc;
    op->is_done = true;
    op->is_uploading = false;
    if (rc < 0) {
        tell_failure(op, http_fetch_tls_error(f), http_fetch_detail(f));
    } else if (!op->is_inside) {
        JsVal bytes = op->is_collecting ? take_body(op->vm->js, op) : JS_UNDEFINED;
        tell(op, EVENT_DONE, &bytes, 1);
    }
    op->is_collecting = op->is_waiting = false;
    update_hold(op);
    op->is_busy = false;
    if (op->is_dropped) op_free(op);
}

static const HttpFetchEvents events = {
    .on_head = on_head,
    .on_data = on_data,
    .on_drain = on_drain,
    .on_done = on_done,
};

/* ---- Starting ------------------------------------------------------------------------------- */

bool web_fetch_take_pairs(Js *js, Arena *a, JsVal list, HttpPair **ret, u32 *ret_n)
{
    u32 n = 0;
    if (!js_is_array(js, list)) return true;
    if (!js_array_len(js, list, &n)) return false;
    HttpPair *pairs = ARENA_ARRAY(a, HttpPair, n / 2 + 1);
    for (u32 i = 0; i + 1 < n; i += 2) {
        JsVal name = js_get_index(js, list, i);
        JsVal value = name ? js_get_index(js, list, i + 1) : NULL;
        if (!value || !js_to_str(js, a, name, &pairs[i / 2].name)) return false;
        /* Back to one byte a character. */
        JsChars c;
        if (!js_is_string(js, value) || !js_chars(js, value, &c)) return false;
        u8 *out = arena_alloc_dirty(a, c.len + 1, 1);
        for (usize k = 0; k < c.len; k++)
            out[k] = c.is_latin1 ? c.latin1[k] : (u8)MIN(c.utf16[k], 255);
        pairs[i / 2].value = (Str){(const char *)out, c.len};
    }
    *ret = pairs;
    *ret_n = n / 2;
    return true;
}

static bool take_text(Js *js, Arena *a, JsVal options, const char *name, Str *ret)
{
    JsVal v = js_get(js, options, name);
    if (!v) return false;
    return js_is_nullish(v) || js_to_str(js, a, v, ret);
}

static bool take_ms(Js *js, JsVal options, const char *name, u32 *ret)
{
    JsVal v = js_get(js, options, name);
    if (!v) return false;
    static const f64 ms_max = 4294967295.0;
    if (js_is_number(js, v)) *ret = (u32)MAX(0.0, MIN(js_get_number(js, v), ms_max));
    return true;
}

bool web_fetch_take_options(Js *js, Arena *a, JsVal v, HttpFetchOptions *o)
{
    if (!js_is_object(js, v)) return true;
    HttpPair *pairs = NULL;
    JsVal list = js_get(js, v, "proxyHeaders"), tls = list ? js_get(js, v, "context") : NULL;
    if (!tls || !web_fetch_take_pairs(js, a, list, &pairs, &o->n_proxy_headers)) return false;
    o->proxy_headers = pairs;
    o->tls = web_fetch_tls_of(js, tls);
    return take_text(js, a, v, "unix", &o->unix_path) && take_text(js, a, v, "proxy", &o->proxy) &&
           take_text(js, a, v, "serverName", &o->server_name) &&
           take_ms(js, v, "connectTimeout", &o->connect_ms) &&
           take_ms(js, v, "idleTimeout", &o->idle_ms) && take_ms(js, v, "timeout", &o->total_ms);
}

static bool take_request_body(Js *js, Arena *a, JsVal v, HttpFetchOptions *o)
{
    JsBytes bytes;
    if (js_is_nullish(v)) return true;
    if (js_is_number(js, v)) {
        f64 length = js_get_number(js, v);
        o->body_len = length >= 0 ? (u64)length : UINT64_MAX;
        return true;
    }
    o->is_borrowed = true;
    if (js_is_string(js, v)) return js_to_str(js, a, v, &o->body);
    if (!js_take_bytes(js, v, &bytes)) return false;
    o->body = str_dup(a, (Str){(const char *)bytes.p, bytes.n});
    if (!o->body.p) o->body.p = "";
    return true;
}

static void take_flags(i32 flags, HttpFetchOptions *o)
{
    o->is_streamed = flags & FLAG_STREAMED;
    o->is_raw = flags & FLAG_RAW;
    o->is_once = flags & FLAG_ONCE;
    o->is_h1_only = flags & FLAG_H1;
    o->is_direct = flags & FLAG_DIRECT;
    o->is_unverified = flags & FLAG_UNVERIFIED;
    if (flags & FLAG_MANUAL) o->redirect = HTTP_REDIRECT_MANUAL;
    if (flags & FLAG_ERROR) o->redirect = HTTP_REDIRECT_ERROR;
}

/* start(task, method, url, headers, body, flags, options) -> wrapper, or a code that is negative.
 */
JS_NATIVE(client_start)
{
    Vm *vm = vm_of(js);
    Op *op = MEM_NEW(Op);
    op->vm = vm;
    op->mail = loop_mail(vm->loop);
    Arena *a = &op->arena;
    HttpFetchOptions o = {0};
    HttpPair *pairs = NULL;
    int rc = 0;
    take_flags(js_get_i32(js, js_arg(args, 5)), &o);
    bool ok = js_to_str(js, a, js_arg(args, 1), &o.method) &&
              js_to_str(js, a, js_arg(args, 2), &o.url) &&
              web_fetch_take_pairs(js, a, js_arg(args, 3), &pairs, &o.n_headers) &&
              take_request_body(js, a, js_arg(args, 4), &o) &&
              web_fetch_take_options(js, a, js_arg(args, 6), &o);
    o.headers = pairs;
    if (ok) op->fetch = http_fetch_start(web_fetch(vm)->client, &o, &events, op, &rc);
    if (!op->fetch) {
        op_free(op);
        return ok ? js_int(js, rc) : NULL;
    }
    op->is_uploading = o.is_streamed;
    js_ref_set_strong(js, &op->task, js_arg(args, 0));
    return js_wrap(js, &op_class, op);
}

/* setup(handler): once. */
JS_NATIVE(client_setup)
{
    js_ref_set_strong(js, &web_fetch(vm_of(js))->handler, js_arg(args, 0));
    return JS_UNDEFINED;
}

static Op *op_of(Js *js, JsArgs args)
{
    return js_unwrap(js, js_arg(args, 0), &op_class);
}

JS_NATIVE(client_abort)
{
    Op *op = op_of(js, args);
    if (!op || !op->fetch) return JS_UNDEFINED;
    http_fetch_abort(op->fetch);
    op->fetch = NULL;
    op->is_done = true;
    op->is_collecting = op->is_waiting = op->is_uploading = false;
    Buf_deinit(&op->body);
    update_hold(op);
    return JS_UNDEFINED;
}

/* Events may come from inside. */
static void resume(Op *op)
{
    if (!op->fetch) return;
    op->is_inside = true;
    http_fetch_resume(op->fetch);
    op->is_inside = false;
    update_hold(op);
}

/* collect(wrapper) -> Uint8Array when all is there; else it comes with EVENT_DONE.  A negative
 * number: it has failed. */
JS_NATIVE(client_collect)
{
    Op *op = op_of(js, args);
    if (!op->is_done) {
        op->is_collecting = true;
        resume(op);
    }
    if (op->is_done) return op->rc < 0 ? js_int(js, op->rc) : take_body(js, op);
    return JS_UNDEFINED;
}

/* next(wrapper) -> Uint8Array; null at the end; undefined: it comes with EVENT_DATA or EVENT_DONE;
 * a negative number: it has failed. */
JS_NATIVE(client_next)
{
    Op *op = op_of(js, args);
    if (!op->body.len && !op->is_done) op->is_waiting = true;
    if (op->body.len) {
        JsVal bytes = take_body(js, op);
        resume(op);
        return bytes;
    }
    if (op->is_waiting) resume(op);
    if (op->body.len) {
        op->is_waiting = false;
        update_hold(op);
        return take_body(js, op);
    }
    if (op->is_done) return op->rc < 0 ? js_int(js, op->rc) : JS_NULL;
    return JS_UNDEFINED;
}

/* write(wrapper, bytes or string) -> may more follow at once? */
JS_NATIVE(client_write)
{
    Op *op = op_of(js, args);
    JsBytes bytes;
    if (!op || !op->fetch) return JS_TRUE;
    if (js_bytes(js, js_arg(args, 1), &bytes))
        return js_boolean(http_fetch_write(op->fetch, (Str){(const char *)bytes.p, bytes.n}));
    AUTO(Scratch) s = scratch_begin(NULL);
    Str text;
    if (!js_to_str(js, s.arena, js_arg(args, 1), &text)) return NULL;
    return js_boolean(http_fetch_write(op->fetch, text));
}

JS_NATIVE(client_end)
{
    Op *op = op_of(js, args);
    if (!op || !op->fetch) return JS_UNDEFINED;
    op->is_uploading = false;
    http_fetch_end(op->fetch);
    update_hold(op);
    return JS_UNDEFINED;
}

/* preconnect(url, flags, options) -> 0 or a code */
JS_NATIVE(client_preconnect)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    HttpFetchOptions o = {0};
    take_flags(js_get_i32(js, js_arg(args, 1)), &o);
    if (!js_to_str(js, s.arena, js_arg(args, 0), &o.url)) return NULL;
    if (!web_fetch_take_options(js, s.arena, js_arg(args, 2), &o)) return NULL;
    return js_int(js, http_client_preconnect(web_fetch(vm_of(js))->client, &o));
}

JS_NATIVE(client_set_max)
{
    http_client_set_max(web_fetch(vm_of(js))->client, (u32)js_get_i32(js, js_arg(args, 0)));
    return JS_UNDEFINED;
}

/* stats() -> [connections, idle, fetches, waiting, opened] */
JS_NATIVE(client_stats)
{
    HttpClientStats st = http_client_stats(web_fetch(vm_of(js))->client);
    JsVal at[] = {js_number(js, st.n_conns), js_number(js, st.n_idle), js_number(js, st.n_fetches),
                  js_number(js, st.n_waiting), js_number(js, (f64)st.n_opened)};
    return js_array(js, at, COUNT(at));
}

static const JsFn fns[] = {
    JS_FN("setup", client_setup),    JS_FN("start", client_start),
    JS_FN("abort", client_abort),    JS_FN("collect", client_collect),
    JS_FN("next", client_next),      JS_FN("write", client_write),
    JS_FN("end", client_end),        JS_FN("preconnect", client_preconnect),
    JS_FN("setMax", client_set_max), JS_FN("stats", client_stats),
};
BUILTIN_NATIVE(web_fetch_client, fns)
