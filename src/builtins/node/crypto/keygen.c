/* node/crypto/keygen.c -- new key pairs and prime numbers, at once or on the pool. */
#include "builtins/node/crypto/key_handle.h"

#include "util/mem.h"

#include <openssl/core_names.h>
#include <openssl/dh.h>
#include <openssl/dsa.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/rsa.h>
#include <string.h>

enum Kind { KIND_RSA, KIND_RSA_PSS, KIND_DSA, KIND_EC, KIND_DH, KIND_OTHER };
enum Work { WORK_KEYS, WORK_PRIME, WORK_CHECK };

enum { UNSET = -1 };

/* Everything one piece of work needs; owns its memory. */
typedef struct {
    LoopReq req;
    Vm *vm;
    Arena arena;
    enum Work work;
    enum Kind kind;
    Str name; /* of the algorithm, curve or group */
    i32 bits, divisor_bits, salt_len, generator;
    bool is_explicit, is_safe;
    EVP_MD *digest, *mgf1;
    BIGNUM *number, *add, *rem; /* public exponent; prime of DH; what is checked */
    EVP_PKEY *key;
    BIGNUM *prime;
    bool ok, is_prime;
    unsigned long error;
    JsRef callback;
} Keygen;

static void keygen_free(Keygen *k)
{
    if (k->vm) js_ref_clear(k->vm->js, &k->callback);
    EVP_MD_free(k->digest);
    EVP_MD_free(k->mgf1);
    BN_free(k->number);
    BN_free(k->add);
    BN_free(k->rem);
    BN_clear_free(k->prime);
    EVP_PKEY_free(k->key);
    arena_deinit(&k->arena);
    mem_free(k);
}

static bool set_rsa(const Keygen *k, EVP_PKEY_CTX *ctx)
{
    bool ok = EVP_PKEY_CTX_set_rsa_keygen_bits(ctx, k->bits) > 0 &&
              EVP_PKEY_CTX_set1_rsa_keygen_pubexp(ctx, k->number) > 0;
    if (k->kind != KIND_RSA_PSS) return ok;
    if (k->digest) ok = ok && EVP_PKEY_CTX_set_rsa_pss_keygen_md(ctx, k->digest) > 0;
    const EVP_MD *mgf1 = k->mgf1 ? k->mgf1 : k->digest;
    if (mgf1) ok = ok && EVP_PKEY_CTX_set_rsa_pss_keygen_mgf1_md(ctx, mgf1) > 0;
    i32 salt = k->salt_len;
    if (salt == UNSET && k->digest) salt = EVP_MD_get_size(k->digest);
    if (salt != UNSET) ok = ok && EVP_PKEY_CTX_set_rsa_pss_keygen_saltlen(ctx, salt) > 0;
    return ok;
}

static bool set_ec(const Keygen *k, EVP_PKEY_CTX *ctx)
{
    int encoding = k->is_explicit ? OPENSSL_EC_EXPLICIT_CURVE : OPENSSL_EC_NAMED_CURVE;
    return EVP_PKEY_CTX_set_group_name(ctx, k->name.p) > 0 &&
           EVP_PKEY_CTX_set_ec_param_enc(ctx, encoding) > 0;
}

/* DSA and DH draw their parameters first. */
static EVP_PKEY *make_params(const Keygen *k)
{
    EVP_PKEY *params = NULL;
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, k->kind == KIND_DSA ? "DSA" : "DH", NULL);
    bool ok = ctx && EVP_PKEY_paramgen_init(ctx) > 0;
    if (k->kind == KIND_DSA) {
        ok = ok && EVP_PKEY_CTX_set_dsa_paramgen_bits(ctx, k->bits) > 0;
        if (k->divisor_bits != UNSET)
            ok = ok && EVP_PKEY_CTX_set_dsa_paramgen_q_bits(ctx, k->divisor_bits) > 0;
    } else {
        ok = ok && EVP_PKEY_CTX_set_dh_paramgen_prime_len(ctx, k->bits) > 0 &&
             EVP_PKEY_CTX_set_dh_paramgen_generator(ctx, k->generator) > 0;
    }
    if (ok) (void)EVP_PKEY_paramgen(ctx, &params);
    EVP_PKEY_CTX_free(ctx);
    return params;
}

/* The parameters of DH: a known group, or a prime that the caller has. */
static EVP_PKEY *known_dh(const Keygen *k)
{
    OSSL_PARAM params[4];
    u32 n = 0;
    u8 prime[2048];
    i32 generator = k->generator;
    if (k->name.n) {
        params[n++] = OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME,
                                                       (char *)(uintptr_t)k->name.p, 0);
    } else {
        int len =
            BN_bn2nativepad(k->number, prime, MIN(BN_num_bytes(k->number), (int)sizeof prime));
        if (len < 0) return NULL;
        params[n++] = OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_FFC_P, prime, (usize)len);
        params[n++] = OSSL_PARAM_construct_int(OSSL_PKEY_PARAM_FFC_G, &generator);
    }
    params[n] = OSSL_PARAM_construct_end();
    EVP_PKEY *key = NULL;
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, "DH", NULL);
    if (ctx && EVP_PKEY_fromdata_init(ctx) > 0)
        (void)EVP_PKEY_fromdata(ctx, &key, EVP_PKEY_KEY_PARAMETERS, params);
    EVP_PKEY_CTX_free(ctx);
    return key;
}

static bool make_keys(Keygen *k)
{
    static const char *const names[] = {"RSA", "RSA-PSS", "DSA", "EC", "DH"};
    EVP_PKEY *params = NULL;
    bool needs_params = k->kind == KIND_DSA || k->kind == KIND_DH;
    if (needs_params) {
        bool is_known = k->kind == KIND_DH && (k->name.n || k->number);
        params = is_known ? known_dh(k) : make_params(k);
        if (!params) return false;
    }
    const char *name = k->kind == KIND_OTHER ? k->name.p : names[k->kind];
    EVP_PKEY_CTX *ctx = params ? EVP_PKEY_CTX_new_from_pkey(NULL, params, NULL)
                               : EVP_PKEY_CTX_new_from_name(NULL, name, NULL);
    bool ok = ctx && EVP_PKEY_keygen_init(ctx) > 0;
    if (k->kind <= KIND_RSA_PSS) ok = ok && set_rsa(k, ctx);
    if (k->kind == KIND_EC) ok = ok && set_ec(k, ctx);
    ok = ok && EVP_PKEY_keygen(ctx, &k->key) > 0;
    EVP_PKEY_CTX_free(ctx);
    EVP_PKEY_free(params);
    return ok;
}

static i64 keygen_run(LoopReq *req)
{
    Keygen *k = CONTAINER(Keygen, req, req);
    switch (k->work) {
    case WORK_KEYS: k->ok = make_keys(k); break;
    case WORK_PRIME:
        k->prime = BN_new();
        k->ok = BN_generate_prime_ex(k->prime, k->bits, k->is_safe, k->add, k->rem, NULL);
        break;
    case WORK_CHECK: {
        int rc = BN_check_prime(k->number, NULL, NULL);
        k->ok = rc >= 0;
        k->is_prime = rc > 0;
        break;
    }
    }
    if (!k->ok) k->error = ERR_peek_error();
    ERR_clear_error();
    return 0;
}

static JsVal keygen_result(Js *js, Keygen *k)
{
    if (!k->ok) {
        if (k->error) ERR_raise(ERR_GET_LIB(k->error), ERR_GET_REASON(k->error));
        return crypto_failure(js, "Key generation job failed");
    }
    if (k->work == WORK_CHECK) return js_boolean(k->is_prime);
    if (k->work == WORK_PRIME) return crypto_bn_bytes(js, k->prime, ((usize)k->bits + 7) / 8);
    EVP_PKEY *key = k->key;
    k->key = NULL;
    return crypto_key_wrap(js, key);
}

static void keygen_done(LoopReq *req, i64 rc)
{
    Keygen *k = CONTAINER(Keygen, req, req);
    Vm *vm = k->vm;
    JsVal callback = js_ref_get(vm->js, &k->callback);
    if (rc < 0) k->ok = false;
    JsVal result = keygen_result(vm->js, k);
    keygen_free(k);
    vm_call(vm, callback, JS_ARGS(result));
}

static JsVal keygen_start(Js *js, Keygen *k, JsVal callback)
{
    if (js_is_undefined(callback)) {
        (void)keygen_run(&k->req);
        JsVal result = keygen_result(js, k);
        keygen_free(k);
        return result;
    }
    k->vm = vm_of(js);
    js_ref_set_strong(js, &k->callback, callback);
    k->req.on_done = keygen_done;
    loop_req_work(k->vm->loop, &k->req, keygen_run);
    return JS_UNDEFINED;
}

static i32 int_or_unset(Js *js, JsVal v)
{
    return js_is_number(js, v) ? js_get_i32(js, v) : UNSET;
}

/* keys(kind, name, bits, number bytes, divisor bits, salt length, generator, is explicit, digest,
 * digest of MGF1, callback or undefined): a handle, a failure, or the index (8, 9) of a digest that
 * is unknown, or 1 for an unknown curve */
JS_NATIVE(keygen_keys)
{
    Keygen *k = MEM_NEW(Keygen);
    k->kind = (enum Kind)js_get_i32(js, js_arg(args, 0));
    i32 unknown = 0;
    bool ok = true;
    if (!js_is_undefined(js_arg(args, 1))) ok = js_to_str(js, &k->arena, js_arg(args, 1), &k->name);
    k->bits = int_or_unset(js, js_arg(args, 2));
    k->number = crypto_bn_take(js, js_arg(args, 3));
    k->divisor_bits = int_or_unset(js, js_arg(args, 4));
    k->salt_len = int_or_unset(js, js_arg(args, 5));
    k->generator = int_or_unset(js, js_arg(args, 6));
    k->is_explicit = js_truthy(js, js_arg(args, 7));
    EVP_MD **digests[] = {&k->digest, &k->mgf1};
    for (u32 i = 0; i < COUNT(digests); i++) {
        if (js_is_undefined(js_arg(args, 8 + i))) continue;
        *digests[i] = crypto_digest_fetch(js, js_arg(args, 8 + i));
        if (!*digests[i]) unknown = (i32)(8 + i);
    }
    if (ok && k->kind == KIND_EC && OBJ_txt2nid(k->name.p) == NID_undef &&
        EC_curve_nist2nid(k->name.p) == NID_undef)
        unknown = 1;
    ERR_clear_error();
    if (ok && !unknown) return keygen_start(js, k, js_arg(args, 10));
    keygen_free(k);
    return ok ? js_int(js, unknown) : NULL;
}

/* prime(bits, is safe, add bytes, rem bytes, callback or undefined) -> bytes or failure */
JS_NATIVE(keygen_prime)
{
    Keygen *k = MEM_NEW(Keygen);
    k->work = WORK_PRIME;
    k->bits = js_get_i32(js, js_arg(args, 0));
    k->is_safe = js_truthy(js, js_arg(args, 1));
    k->add = crypto_bn_take(js, js_arg(args, 2));
    k->rem = crypto_bn_take(js, js_arg(args, 3));
    return keygen_start(js, k, js_arg(args, 4));
}

/* checkPrime(bytes, callback or undefined) -> boolean or failure */
JS_NATIVE(keygen_check)
{
    Keygen *k = MEM_NEW(Keygen);
    k->work = WORK_CHECK;
    k->number = crypto_bn_take(js, js_arg(args, 0));
    if (!k->number) k->number = BN_new();
    return keygen_start(js, k, js_arg(args, 1));
}

static const JsFn fns[] = {
    JS_FN("keys", keygen_keys),
    JS_FN("prime", keygen_prime),
    JS_FN("checkPrime", keygen_check),
};
BUILTIN_NATIVE(node_crypto_keygen, fns)
