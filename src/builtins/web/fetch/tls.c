/* web/fetch/tls.c -- native half of web/fetch/tls: contexts for the option `tls`. */
#include "builtins/web/fetch/fetch.h"
#include "util/vec.h"

static void unref_context(void *native)
{
    tls_context_unref(native);
}

static const JsClass context_class = {.name = "TlsContext", .finalize = unref_context};

TlsContext *web_fetch_tls_of(Js *js, JsVal wrapper)
{
    return js_unwrap(js, wrapper, &context_class);
}

/* An array of texts, or nothing. */
static bool take_texts(Js *js, Arena *a, JsVal options, const char *name, Str **ret, u32 *ret_n)
{
    JsVal list = js_get(js, options, name);
    if (!list) return false;
    if (!js_is_array(js, list)) return true;
    if (!js_array_len(js, list, ret_n)) return false;
    *ret = ARENA_ARRAY(a, Str, *ret_n + 1);
    for (u32 i = 0; i < *ret_n; i++) {
        JsVal v = js_get_index(js, list, i);
        if (!v || !js_to_str(js, a, v, &(*ret)[i])) return false;
    }
    return true;
}

static bool take_text(Js *js, Arena *a, JsVal options, const char *name, Str *ret)
{
    JsVal v = js_get(js, options, name);
    if (!v) return false;
    return js_is_nullish(v) || js_to_str(js, a, v, ret);
}

static bool take_options(Js *js, Arena *a, JsVal v, TlsOptions *o)
{
    Str *ca = NULL, *certs = NULL, *keys = NULL, passphrase = {0};
    u32 n_certs = 0, n_keys = 0;
    bool ok = take_texts(js, a, v, "ca", &ca, &o->n_ca) &&
              take_texts(js, a, v, "cert", &certs, &n_certs) &&
              take_texts(js, a, v, "key", &keys, &n_keys) &&
              take_text(js, a, v, "passphrase", &passphrase) &&
              take_text(js, a, v, "ciphers", &o->ciphers);
    if (!ok) return false;
    o->ca = ca;
    o->has_ca = ca != NULL;
    u32 n = MAX(n_certs, n_keys);
    TlsKeyPair *pairs = ARENA_ARRAY(a, TlsKeyPair, n + 1);
    for (u32 i = 0; i < n; i++) {
        if (i < n_certs) pairs[i].cert = certs[i];
        if (i < n_keys) pairs[i].key = keys[i];
        pairs[i].passphrase = passphrase;
        pairs[i].has_passphrase = passphrase.p;
    }
    o->pairs = pairs;
    o->n_pairs = n;
    return true;
}

/* context({ ca, cert, key, passphrase, ciphers }) -> wrapper, or the array [code, text]. */
JS_NATIVE(fetch_tls_context)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    TlsOptions o = {0};
    TlsError error;
    TlsContext *context;
    if (!take_options(js, s.arena, js_arg(args, 0), &o)) return NULL;
    if (tls_context_new(&o, &error, &context) < 0) {
        JsVal at[] = {js_str(js, str_z(error.code)), js_str(js, str_z(error.text))};
        return js_array(js, at, COUNT(at));
    }
    return js_wrap(js, &context_class, context);
}

static const JsFn fns[] = {JS_FN("context", fetch_tls_context)};
BUILTIN_NATIVE(web_fetch_tls, fns)
