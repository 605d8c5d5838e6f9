/* node/crypto/kdf.c -- keys from passwords and secrets, and random bytes: at once or on the pool.
 */
#include "builtins/node/crypto/openssl.h"

#include "sys/sys.h"
#include "util/mem.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/kdf.h>
#include <openssl/rand.h>
#include <string.h>

typedef enum { KDF_PBKDF2, KDF_SCRYPT, KDF_HKDF, KDF_RANDOM } KdfKind;

/* All that a derivation needs; owns its memory, so that any thread may do it. */
typedef struct {
    LoopReq req;
    Vm *vm;
    KdfKind kind;
    Arena arena;
    Str secret, salt, info;
    EVP_MD *md;
    u64 n[4]; /* PBKDF2: iterations; scrypt: N, r, p, memory limit */
    u8 *out;
    usize out_len;
    bool ok;
    unsigned long error;
    JsRef callback;
} Kdf;

static void kdf_free(Kdf *k)
{
    if (k->vm) js_ref_clear(k->vm->js, &k->callback);
    EVP_MD_free(k->md);
    if (k->secret.n) OPENSSL_cleanse((void *)(uintptr_t)k->secret.p, k->secret.n);
    mem_free(k->out);
    arena_deinit(&k->arena);
    mem_free(k);
}

static bool run_hkdf(Kdf *k)
{
    EVP_KDF *kdf = EVP_KDF_fetch(NULL, "HKDF", NULL);
    EVP_KDF_CTX *ctx = kdf ? EVP_KDF_CTX_new(kdf) : NULL;
    char *digest = (char *)(uintptr_t)EVP_MD_get0_name(k->md);
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest, 0),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, (void *)(uintptr_t)k->secret.p,
                                          k->secret.n),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, (void *)(uintptr_t)k->salt.p,
                                          k->salt.n),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, (void *)(uintptr_t)k->info.p,
                                          k->info.n),
        OSSL_PARAM_construct_end(),
    };
    bool ok = ctx && EVP_KDF_derive(ctx, k->out, k->out_len, params) > 0;
    EVP_KDF_CTX_free(ctx);
    EVP_KDF_free(kdf);
    return ok;
}

static i64 kdf_run(LoopReq *req)
{
    Kdf *k = CONTAINER(Kdf, req, req);
    if (!k->out_len && k->kind != KDF_SCRYPT) {
        k->ok = true;
        return 0;
    }
    switch (k->kind) {
    case KDF_PBKDF2:
        k->ok = PKCS5_PBKDF2_HMAC(k->secret.p, (int)k->secret.n, crypto_bytes(k->salt),
                                  (int)k->salt.n, (int)k->n[0], k->md, (int)k->out_len, k->out);
        break;
    case KDF_SCRYPT:
        k->ok = EVP_PBE_scrypt(k->secret.p, k->secret.n, crypto_bytes(k->salt), k->salt.n, k->n[0],
                               k->n[1], k->n[2], k->n[3], k->out_len ? k->out : NULL, k->out_len);
        break;
    case KDF_HKDF: k->ok = run_hkdf(k); break;
    case KDF_RANDOM:
        sys_random(k->out, k->out_len);
        k->ok = true;
        break;
    }
    if (!k->ok) k->error = ERR_peek_last_error();
    ERR_clear_error();
    return 0;
}

static void free_out(void *p, void *data)
{
    (void)data;
    mem_free(p);
}

static JsVal kdf_result(Js *js, Kdf *k)
{
    if (!k->ok) {
        /* Back into the queue, to be told like any other. */
        if (k->error) ERR_raise(ERR_GET_LIB(k->error), ERR_GET_REASON(k->error));
        return crypto_failure(js, "The key could not be derived");
    }
    u8 *out = k->out;
    k->out = NULL;
    return js_array_buffer_take(js, out, k->out_len, free_out, NULL);
}

static void kdf_done(LoopReq *req, i64 rc)
{
    Kdf *k = CONTAINER(Kdf, req, req);
    Vm *vm = k->vm;
    JsVal callback = js_ref_get(vm->js, &k->callback);
    if (rc < 0) k->ok = false;
    JsVal result = kdf_result(vm->js, k);
    kdf_free(k);
    vm_call(vm, callback, JS_ARGS(result));
}

static Kdf *kdf_new(KdfKind kind, usize out_len)
{
    Kdf *k = MEM_NEW(Kdf);
    k->kind = kind;
    k->out_len = out_len;
    k->out = mem_new(out_len);
    return k;
}

/* A copy: what the caller has may change while the pool works. */
static bool take_copy(Js *js, Kdf *k, JsVal v, Str *ret)
{
    Str text;
    if (!crypto_take(js, &k->arena, v, &text)) return false;
    *ret = str_dup(&k->arena, text);
    return true;
}

/* Now, or later when there is a callback.  Takes `k`. */
static JsVal kdf_start(Js *js, Kdf *k, JsVal callback)
{
    if (js_is_undefined(callback)) {
        (void)kdf_run(&k->req);
        JsVal result = kdf_result(js, k);
        kdf_free(k);
        return result;
    }
    k->vm = vm_of(js);
    js_ref_set_strong(js, &k->callback, callback);
    k->req.on_done = kdf_done;
    loop_req_work(k->vm->loop, &k->req, kdf_run);
    return JS_UNDEFINED;
}

/* pbkdf2(password, salt, iterations, length, digest name, callback or undefined): an ArrayBuffer, a
 * failure, or false for an unknown digest */
JS_NATIVE(kdf_pbkdf2)
{
    Kdf *k = kdf_new(KDF_PBKDF2, (usize)js_get_i64(js, js_arg(args, 3)));
    k->n[0] = (u64)js_get_i64(js, js_arg(args, 2));
    k->md = crypto_digest_fetch(js, js_arg(args, 4));
    bool ok = k->md && take_copy(js, k, js_arg(args, 0), &k->secret) &&
              take_copy(js, k, js_arg(args, 1), &k->salt);
    if (ok) return kdf_start(js, k, js_arg(args, 5));
    bool is_unknown = !k->md;
    kdf_free(k);
    return is_unknown ? JS_FALSE : NULL;
}

/* scrypt(password, salt, length, N, r, p, memory limit, callback or undefined) */
JS_NATIVE(kdf_scrypt)
{
    Kdf *k = kdf_new(KDF_SCRYPT, (usize)js_get_i64(js, js_arg(args, 2)));
    for (u32 i = 0; i < COUNT(k->n); i++) k->n[i] = (u64)js_get_i64(js, js_arg(args, 3 + i));
    bool ok = take_copy(js, k, js_arg(args, 0), &k->secret) &&
              take_copy(js, k, js_arg(args, 1), &k->salt);
    if (ok) return kdf_start(js, k, js_arg(args, 7));
    kdf_free(k);
    return NULL;
}

/* scryptCheck(N, r, p, memory limit) -> undefined or a failure: parameters only */
JS_NATIVE(kdf_scrypt_check)
{
    u64 n[4];
    for (u32 i = 0; i < COUNT(n); i++) n[i] = (u64)js_get_i64(js, js_arg(args, i));
    if (EVP_PBE_scrypt(NULL, 0, NULL, 0, n[0], n[1], n[2], n[3], NULL, 0) == 1) return JS_UNDEFINED;
    return crypto_failure(js, "");
}

/* hkdf(digest name, key, salt, info, length, callback or undefined): false for an unknown digest,
 * true for a length that is too large */
JS_NATIVE(kdf_hkdf)
{
    enum { HKDF_BLOCKS_MAX = 255 };
    usize len = (usize)js_get_i64(js, js_arg(args, 4));
    EVP_MD *md = crypto_digest_fetch(js, js_arg(args, 0));
    if (!md) return JS_FALSE;
    if (len > HKDF_BLOCKS_MAX * (usize)EVP_MD_get_size(md)) {
        EVP_MD_free(md);
        return JS_TRUE;
    }
    Kdf *k = kdf_new(KDF_HKDF, len);
    k->md = md;
    bool ok = take_copy(js, k, js_arg(args, 1), &k->secret) &&
              take_copy(js, k, js_arg(args, 2), &k->salt) &&
              take_copy(js, k, js_arg(args, 3), &k->info);
    if (ok) return kdf_start(js, k, js_arg(args, 5));
    kdf_free(k);
    return NULL;
}

/* random(length, callback or undefined) -> an ArrayBuffer */
JS_NATIVE(kdf_random)
{
    return kdf_start(js, kdf_new(KDF_RANDOM, (usize)js_get_i64(js, js_arg(args, 0))),
                     js_arg(args, 1));
}

static const JsFn fns[] = {
    JS_FN("pbkdf2", kdf_pbkdf2),
    JS_FN("scrypt", kdf_scrypt),
    JS_FN("hkdf", kdf_hkdf),
    JS_FN("random", kdf_random),
    JS_FN("scryptCheck", kdf_scrypt_check),
};
BUILTIN_NATIVE(node_crypto_kdf, fns)
