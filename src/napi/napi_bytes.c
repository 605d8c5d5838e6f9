/* napi/napi_bytes.c -- ArrayBuffer, Buffer, typed arrays, DataView. */
#include "napi/napi_env.h"

#include <string.h>

#include "util/mem.h"

enum { BYTES_MAX = INT32_MAX };

/* In the order of napi_typedarray_type. */
static const struct {
    JsBytesKind kind;
    u8 size;
    const char *name;
} typed_arrays[] = {
    {JS_BYTES_I8, 1, "Int8Array"},
    {JS_BYTES_U8, 1, "Uint8Array"},
    {JS_BYTES_U8_CLAMPED, 1, "Uint8ClampedArray"},
    {JS_BYTES_I16, 2, "Int16Array"},
    {JS_BYTES_U16, 2, "Uint16Array"},
    {JS_BYTES_I32, 4, "Int32Array"},
    {JS_BYTES_U32, 4, "Uint32Array"},
    {JS_BYTES_F32, 4, "Float32Array"},
    {JS_BYTES_F64, 8, "Float64Array"},
    {JS_BYTES_I64, 8, "BigInt64Array"},
    {JS_BYTES_U64, 8, "BigUint64Array"},
    {JS_BYTES_F16, 2, "Float16Array"},
};

/* ---- Memory of the add-on ------------------------------------------------------------------- *
 * The engine drops such a buffer on any thread; the finalizer runs on that of the environment, in
 * the next turn of its loop.  When the loop is gone the environment is still there, and this is
 * the thread that frees its machine: then at once. */

typedef struct NapiExternal External;
struct NapiExternal {
    napi_env env;
    LoopMail *mail;
    napi_finalize finalize;
    void *data, *hint;
    External *prev, *next; /* of the environment, until the finalizer is called */
};

static void finish_external(External *e)
{
    napi_finalize finalize = TAKE(e->finalize);
    if (e->prev)
        e->prev->next = e->next;
    else if (e->env->externals == e)
        e->env->externals = e->next;
    if (e->next) e->next->prev = e->prev;
    e->prev = e->next = NULL;
    if (finalize) napi_call_finalizer(e->env, finalize, e->data, e->hint);
}

static void run_external(void *data)
{
    finish_external(data);
    mem_free(data);
}

void napi_external_freed(void *p, void *external)
{
    (void)p;
    External *e = external;
    LoopMail *mail = TAKE(e->mail);
    if (loop_mail_post_mt(mail, run_external, e) < 0) run_external(e);
    (void)loop_mail_unref_mt(mail);
}

/* The Vm ends; no JavaScript looks at the buffers any more, and none was transferred. */
void napi_externals_close(napi_env env)
{
    while (env->externals) finish_external(env->externals);
}

struct NapiExternal *napi_external_new(napi_env env, void *data, napi_finalize finalize, void *hint)
{
    External *e = MEM_NEW(External);
    *e = (External){
        .env = env, .mail = env->host->mail, .finalize = finalize, .data = data, .hint = hint};
    loop_mail_ref_mt(e->mail);
    e->next = env->externals;
    if (e->next) e->next->prev = e;
    env->externals = e;
    return e;
}

static JsVal external_buffer(napi_env env, void *data, usize n, napi_finalize finalize, void *hint)
{
    External *e = napi_external_new(env, data, finalize, hint);
    JsVal buffer = js_array_buffer_take(env->js, data, n, napi_external_freed, e);
    if (!buffer || !napi_js_call(env->host, NAPI_JS_PIN, JS_ARGS(buffer))) return NULL;
    /* V8 takes one without memory for detached. */
    return data || napi_js_call(env->host, NAPI_JS_DETACH, JS_ARGS(buffer)) ? buffer : NULL;
}

static void free_bytes(void *p, void *data)
{
    (void)data;
    mem_free(p);
}

static JsVal own_buffer(napi_env env, usize n, void **ret_data)
{
    void *p = mem_new(n);
    JsVal v = js_array_buffer_take(env->js, p, n, free_bytes, NULL);
    if (v && ret_data) *ret_data = p;
    return v;
}

static JsVal buffer_over(napi_env env, JsVal buffer, usize offset, usize n)
{
    Js *js = env->js;
    return napi_js_call(env->host, NAPI_JS_BUFFER,
                        JS_ARGS(buffer, js_number(js, (f64)offset), js_number(js, (f64)n)));
}

/* ---- ArrayBuffer ---------------------------------------------------------------------------- */

napi_status napi_is_arraybuffer(napi_env env, napi_value value, bool *result)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, value);
    NAPI_CHECK_ARG(env, result);
    JsVal v = napi_in(value);
    *result = js_bytes_kind(env->js, v) == JS_BYTES_BUFFER && !js_shared_is(env->js, v);
    return napi_done(env, napi_ok);
}

napi_status node_api_is_sharedarraybuffer(napi_env env, napi_value value, bool *result)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, value);
    NAPI_CHECK_ARG(env, result);
    *result = js_shared_is(env->js, napi_in(value));
    return napi_done(env, napi_ok);
}

napi_status napi_create_arraybuffer(napi_env env, size_t byte_length, void **data,
                                    napi_value *result)
{
    NAPI_ENTER(env);
    NAPI_CHECK_ARG(env, result);
    if (byte_length > BYTES_MAX) {
        js_throw_range_error(env->js, "Array buffer allocation failed");
        return napi_thrown(env);
    }
    return napi_give(env, own_buffer(env, byte_length, data), result);
}

napi_status napi_create_external_arraybuffer(napi_env env, void *external_data, size_t byte_length,
                                             napi_finalize finalize_cb, void *finalize_hint,
                                             napi_value *result)
{
    NAPI_ENTER(env);
    NAPI_CHECK_ARG(env, result);
    return napi_give(
        env, external_buffer(env, external_data, byte_length, finalize_cb, finalize_hint), result);
}

napi_status node_api_create_sharedarraybuffer(napi_env env, size_t byte_length, void **data,
                                              napi_value *result)
{
    NAPI_ENTER(env);
    NAPI_CHECK_ARG(env, result);
    JsVal n = js_number(env->js, (f64)byte_length);
    JsVal v = napi_js_call(env->host, NAPI_JS_SHARED_BUFFER, JS_ARGS(n));
    JsBytes bytes = {0};
    if (v && data && js_bytes(env->js, v, &bytes)) *data = bytes.p;
    return napi_give(env, v, result);
}

napi_status node_api_create_external_sharedarraybuffer(napi_env env, void *external_data,
                                                       size_t byte_length,
                                                       node_api_noenv_finalize finalize_cb,
                                                       void *finalize_hint, napi_value *result)
{
    /* The engine makes its shared memory itself. */
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, result);
    (void)external_data, (void)byte_length, (void)finalize_cb, (void)finalize_hint;
    return napi_done(env, napi_no_external_buffers_allowed);
}

napi_status napi_get_arraybuffer_info(napi_env env, napi_value arraybuffer, void **data,
                                      size_t *byte_length)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, arraybuffer);
    JsBytes bytes;
    NAPI_CHECK(env, js_bytes_kind(env->js, napi_in(arraybuffer)) == JS_BYTES_BUFFER,
               napi_invalid_arg);
    if (!js_bytes(env->js, napi_in(arraybuffer), &bytes))
        return napi_done(env, napi_generic_failure);
    if (data) *data = bytes.p;
    if (byte_length) *byte_length = bytes.n;
    return napi_done(env, napi_ok);
}

napi_status napi_detach_arraybuffer(napi_env env, napi_value arraybuffer)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, arraybuffer);
    JsVal v = napi_in(arraybuffer);
    NAPI_CHECK(env, js_is_object(env->js, v), napi_object_expected);
    NAPI_CHECK(env, js_bytes_kind(env->js, v) == JS_BYTES_BUFFER && !js_shared_is(env->js, v),
               napi_arraybuffer_expected);
    JsVal ok = napi_js_call(env->host, NAPI_JS_DETACH, JS_ARGS(v));
    if (!ok) return napi_thrown(env);
    NAPI_CHECK(env, ok == JS_TRUE, napi_detachable_arraybuffer_expected);
    return napi_done(env, napi_ok);
}

napi_status napi_is_detached_arraybuffer(napi_env env, napi_value value, bool *result)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, value);
    NAPI_CHECK_ARG(env, result);
    JsVal v = napi_in(value);
    *result = js_bytes_kind(env->js, v) == JS_BYTES_BUFFER && js_is_detached(env->js, v);
    return napi_done(env, napi_ok);
}

/* ---- Buffer --------------------------------------------------------------------------------- */

napi_status napi_create_buffer(napi_env env, size_t length, void **data, napi_value *result)
{
    NAPI_ENTER(env);
    NAPI_CHECK_ARG(env, result);
    if (length > BYTES_MAX) {
        js_throw_range_error(env->js, "Array buffer allocation failed");
        return napi_thrown(env);
    }
    JsVal buffer = js_u8array(env->js, NULL, length);
    JsBytes bytes;
    if (!buffer || !js_bytes_lasting(env->js, buffer, &bytes)) return napi_thrown(env);
    js_make_alike(env->js, buffer, js_ref_get(env->js, &env->host->fns[NAPI_JS_BUFFER_SAMPLE]));
    if (data) *data = bytes.p;
    return napi_give(env, buffer, result);
}

napi_status napi_create_buffer_copy(napi_env env, size_t length, const void *data,
                                    void **result_data, napi_value *result)
{
    void *p = NULL;
    napi_status status = napi_create_buffer(env, length, &p, result);
    if (status != napi_ok) return status;
    if (length && data) memcpy(p, data, length);
    if (result_data) *result_data = p;
    return status;
}

napi_status napi_create_external_buffer(napi_env env, size_t length, void *data,
                                        napi_finalize finalize_cb, void *finalize_hint,
                                        napi_value *result)
{
    NAPI_ENTER(env);
    NAPI_CHECK_ARG(env, result);
    JsVal buffer = external_buffer(env, data, length, finalize_cb, finalize_hint);
    return napi_give(env, buffer ? buffer_over(env, buffer, 0, length) : NULL, result);
}

napi_status node_api_create_buffer_from_arraybuffer(napi_env env, napi_value arraybuffer,
                                                    size_t byte_offset, size_t byte_length,
                                                    napi_value *result)
{
    NAPI_ENTER(env);
    NAPI_CHECK_ARG(env, arraybuffer);
    NAPI_CHECK_ARG(env, result);
    JsBytes bytes;
    NAPI_CHECK(env, js_bytes_kind(env->js, napi_in(arraybuffer)) == JS_BYTES_BUFFER,
               napi_arraybuffer_expected);
    if (!js_bytes(env->js, napi_in(arraybuffer), &bytes))
        return napi_done(env, napi_generic_failure);
    if (byte_offset > bytes.n || byte_length > bytes.n - byte_offset) {
        return napi_throw_range_error(env, "ERR_OUT_OF_RANGE",
                                      "The byte offset + length is out of range") == napi_ok
                   ? napi_thrown(env)
                   : napi_done(env, napi_generic_failure);
    }
    return napi_give(env, buffer_over(env, napi_in(arraybuffer), byte_offset, byte_length), result);
}

napi_status napi_is_buffer(napi_env env, napi_value value, bool *result)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, value);
    NAPI_CHECK_ARG(env, result);
    *result = js_bytes_kind(env->js, napi_in(value)) > JS_BYTES_BUFFER;
    return napi_done(env, napi_ok);
}

napi_status napi_get_buffer_info(napi_env env, napi_value value, void **data, size_t *length)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, value);
    JsBytes bytes;
    NAPI_CHECK(env, js_bytes_kind(env->js, napi_in(value)) > JS_BYTES_BUFFER, napi_invalid_arg);
    if (!js_bytes_lasting(env->js, napi_in(value), &bytes))
        return napi_done(env, napi_generic_failure);
    if (data) *data = bytes.p;
    if (length) *length = bytes.n;
    return napi_done(env, napi_ok);
}

/* ---- Typed arrays, DataView ----------------------------------------------------------------- */

napi_status napi_is_typedarray(napi_env env, napi_value value, bool *result)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, value);
    NAPI_CHECK_ARG(env, result);
    JsBytesKind kind = js_bytes_kind(env->js, napi_in(value));
    *result = kind > JS_BYTES_BUFFER && kind < JS_BYTES_VIEW;
    return napi_done(env, napi_ok);
}

napi_status napi_is_dataview(napi_env env, napi_value value, bool *result)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, value);
    NAPI_CHECK_ARG(env, result);
    *result = js_bytes_kind(env->js, napi_in(value)) == JS_BYTES_VIEW;
    return napi_done(env, napi_ok);
}

static napi_status out_of_range(napi_env env, const char *code, Str message)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    (void)napi_throw_range_error(env, code, str_dup_z(s.arena, message));
    return napi_done(env, napi_invalid_arg);
}

napi_status napi_create_typedarray(napi_env env, napi_typedarray_type type, size_t length,
                                   napi_value arraybuffer, size_t byte_offset, napi_value *result)
{
    NAPI_ENTER(env);
    NAPI_CHECK_ARG(env, arraybuffer);
    NAPI_CHECK_ARG(env, result);
    AUTO(Scratch) s = scratch_begin(NULL);
    Js *js = env->js;
    JsBytes bytes;
    JsVal buffer = napi_in(arraybuffer);
    NAPI_CHECK(env, js_bytes_kind(js, buffer) == JS_BYTES_BUFFER, napi_invalid_arg);
    NAPI_CHECK(env, (u32)type < COUNT(typed_arrays), napi_invalid_arg);
    if (!js_bytes(js, buffer, &bytes)) return napi_done(env, napi_generic_failure);
    usize size = typed_arrays[type].size;
    if (byte_offset % size) {
        Str text = str_fmt(s.arena, "start offset of %s should be a multiple of %zu",
                           typed_arrays[type].name, size);
        return out_of_range(env, "ERR_NAPI_INVALID_TYPEDARRAY_ALIGNMENT", text);
    }
    if (length > BYTES_MAX || byte_offset > bytes.n || length * size > bytes.n - byte_offset)
        return out_of_range(env, "ERR_NAPI_INVALID_TYPEDARRAY_LENGTH",
                            S("Invalid typed array length"));
    JsVal v = napi_js_call(env->host, NAPI_JS_TYPED_ARRAY,
                           JS_ARGS(js_int(js, (i32)type), buffer, js_number(js, (f64)byte_offset),
                                   js_number(js, (f64)length)));
    return napi_give(env, v, result);
}

napi_status napi_create_dataview(napi_env env, size_t length, napi_value arraybuffer,
                                 size_t byte_offset, napi_value *result)
{
    NAPI_ENTER(env);
    NAPI_CHECK_ARG(env, arraybuffer);
    NAPI_CHECK_ARG(env, result);
    Js *js = env->js;
    JsBytes bytes;
    JsVal buffer = napi_in(arraybuffer);
    NAPI_CHECK(env, js_bytes_kind(js, buffer) == JS_BYTES_BUFFER, napi_invalid_arg);
    if (!js_bytes(js, buffer, &bytes)) return napi_done(env, napi_generic_failure);
    if (byte_offset > bytes.n || length > bytes.n - byte_offset) {
        (void)napi_throw_range_error(env, "ERR_NAPI_INVALID_DATAVIEW_ARGS",
                                     "byte_offset + byte_length should be less than or equal to "
                                     "the size in bytes of the array passed in");
        return napi_thrown(env);
    }
    JsVal v =
        napi_js_call(env->host, NAPI_JS_DATA_VIEW,
                     JS_ARGS(buffer, js_number(js, (f64)byte_offset), js_number(js, (f64)length)));
    return napi_give(env, v, result);
}

/* Buffer and offset of a view, where they are asked for. */
static napi_status view_place(napi_env env, JsVal view, napi_value *arraybuffer,
                              size_t *byte_offset)
{
    if (arraybuffer) {
        JsVal buffer = napi_js_call(env->host, NAPI_JS_BUFFER_OF, JS_ARGS(view));
        if (!buffer) return napi_thrown(env);
        *arraybuffer = napi_out(env, buffer);
    }
    if (byte_offset) {
        JsVal offset = napi_js_call(env->host, NAPI_JS_OFFSET_OF, JS_ARGS(view));
        if (!offset) return napi_thrown(env);
        *byte_offset = (usize)js_get_number(env->js, offset);
    }
    return napi_done(env, napi_ok);
}

napi_status napi_get_typedarray_info(napi_env env, napi_value typedarray,
                                     napi_typedarray_type *type, size_t *length, void **data,
                                     napi_value *arraybuffer, size_t *byte_offset)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, typedarray);
    JsVal v = napi_in(typedarray);
    JsBytesKind kind = js_bytes_kind(env->js, v);
    u32 i = 0;
    while (i < COUNT(typed_arrays) && typed_arrays[i].kind != kind) i++;
    NAPI_CHECK(env, i < COUNT(typed_arrays), napi_invalid_arg);
    JsBytes bytes;
    if (!js_bytes_lasting(env->js, v, &bytes)) return napi_done(env, napi_generic_failure);
    if (type) *type = (napi_typedarray_type)i;
    if (length) *length = bytes.n / typed_arrays[i].size;
    if (data) *data = bytes.p;
    return view_place(env, v, arraybuffer, byte_offset);
}

napi_status napi_get_dataview_info(napi_env env, napi_value dataview, size_t *bytelength,
                                   void **data, napi_value *arraybuffer, size_t *byte_offset)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, dataview);
    JsVal v = napi_in(dataview);
    JsBytes bytes;
    NAPI_CHECK(env, js_bytes_kind(env->js, v) == JS_BYTES_VIEW, napi_invalid_arg);
    if (!js_bytes_lasting(env->js, v, &bytes)) return napi_done(env, napi_generic_failure);
    if (bytelength) *bytelength = bytes.n;
    if (data) *data = bytes.p;
    return view_place(env, v, arraybuffer, byte_offset);
}
