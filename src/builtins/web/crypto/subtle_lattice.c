/* web/crypto/subtle_lattice -- native half.  The JS half has checked kinds and sizes; results go
 * into arrays that it made. */
#include "builtins/builtins.h"

#include "builtins/web/crypto/ml_dsa.h"
#include "builtins/web/crypto/ml_kem.h"

/* Nothing when the argument has no bytes: its size is then wrong. */
static JsBytes bytes_at(Js *js, JsArgs args, u32 i)
{
    JsBytes b;
    return js_bytes(js, js_arg(args, i), &b) ? b : (JsBytes){0};
}

static u32 kind_at(Js *js, JsArgs args, u32 count)
{
    u32 kind = (u32)js_get_i32(js, js_arg(args, 0));
    return MIN(kind, count - 1);
}

static Str str_of(JsBytes b)
{
    return (Str){(const char *)b.p, b.n};
}

/* kemPublic(kind, seed, out) */
JS_NATIVE(lattice_kem_public)
{
    MlKemKind kind = kind_at(js, args, ML_KEM_COUNT);
    JsBytes seed = bytes_at(js, args, 1), out = bytes_at(js, args, 2);
    JS_EXPECT(js, seed.n == ML_KEM_SEED && out.n == ml_kem_public_size(kind));
    ml_kem_public(kind, seed.p, out.p);
    return JS_UNDEFINED;
}

/* kemIsPublic(kind, publicKey) -> bool */
JS_NATIVE(lattice_kem_is_public)
{
    MlKemKind kind = kind_at(js, args, ML_KEM_COUNT);
    JsBytes key = bytes_at(js, args, 1);
    JS_EXPECT(js, key.n == ml_kem_public_size(kind));
    return js_boolean(ml_kem_check_public(kind, key.p));
}

/* kemEncapsulate(kind, publicKey, random, shared, cipher) */
JS_NATIVE(lattice_kem_encapsulate)
{
    MlKemKind kind = kind_at(js, args, ML_KEM_COUNT);
    JsBytes key = bytes_at(js, args, 1), random = bytes_at(js, args, 2);
    JsBytes shared = bytes_at(js, args, 3), cipher = bytes_at(js, args, 4);
    JS_EXPECT(js, key.n == ml_kem_public_size(kind) && random.n == ML_KEM_RANDOM);
    JS_EXPECT(js, shared.n == ML_KEM_SHARED && cipher.n == ml_kem_cipher_size(kind));
    ml_kem_encapsulate(kind, key.p, random.p, shared.p, cipher.p);
    return JS_UNDEFINED;
}

/* kemDecapsulate(kind, seed, cipher, shared) */
JS_NATIVE(lattice_kem_decapsulate)
{
    MlKemKind kind = kind_at(js, args, ML_KEM_COUNT);
    JsBytes seed = bytes_at(js, args, 1), cipher = bytes_at(js, args, 2);
    JsBytes shared = bytes_at(js, args, 3);
    JS_EXPECT(js, seed.n == ML_KEM_SEED && shared.n == ML_KEM_SHARED);
    JS_EXPECT(js, cipher.n == ml_kem_cipher_size(kind));
    ml_kem_decapsulate(kind, seed.p, cipher.p, shared.p);
    return JS_UNDEFINED;
}

/* dsaPublic(kind, seed, out) */
JS_NATIVE(lattice_dsa_public)
{
    MlDsaKind kind = kind_at(js, args, ML_DSA_COUNT);
    JsBytes seed = bytes_at(js, args, 1), out = bytes_at(js, args, 2);
    JS_EXPECT(js, seed.n == ML_DSA_SEED && out.n == ml_dsa_public_size(kind));
    ml_dsa_public(kind, seed.p, out.p);
    return JS_UNDEFINED;
}

/* dsaSign(kind, seed, context, message, random, signature) */
JS_NATIVE(lattice_dsa_sign)
{
    MlDsaKind kind = kind_at(js, args, ML_DSA_COUNT);
    JsBytes seed = bytes_at(js, args, 1), context = bytes_at(js, args, 2);
    JsBytes message = bytes_at(js, args, 3), random = bytes_at(js, args, 4);
    JsBytes out = bytes_at(js, args, 5);
    JS_EXPECT(js, seed.n == ML_DSA_SEED && context.n <= ML_DSA_CONTEXT_MAX);
    JS_EXPECT(js, random.n == ML_DSA_RANDOM && out.n == ml_dsa_signature_size(kind));
    ml_dsa_sign(kind, seed.p, str_of(context), str_of(message), random.p, out.p);
    return JS_UNDEFINED;
}

/* dsaVerify(kind, publicKey, context, message, signature) -> bool */
JS_NATIVE(lattice_dsa_verify)
{
    MlDsaKind kind = kind_at(js, args, ML_DSA_COUNT);
    JsBytes key = bytes_at(js, args, 1), context = bytes_at(js, args, 2);
    JsBytes message = bytes_at(js, args, 3), signature = bytes_at(js, args, 4);
    JS_EXPECT(js, key.n == ml_dsa_public_size(kind) && context.n <= ML_DSA_CONTEXT_MAX);
    return js_boolean(
        ml_dsa_verify(kind, key.p, str_of(context), str_of(message), str_of(signature)));
}

static const JsFn fns[] = {
    JS_FN("kemPublic", lattice_kem_public),
    JS_FN("kemIsPublic", lattice_kem_is_public),
    JS_FN("kemEncapsulate", lattice_kem_encapsulate),
    JS_FN("kemDecapsulate", lattice_kem_decapsulate),
    JS_FN("dsaPublic", lattice_dsa_public),
    JS_FN("dsaSign", lattice_dsa_sign),
    JS_FN("dsaVerify", lattice_dsa_verify),
};
BUILTIN_NATIVE(web_crypto_subtle_lattice, fns)
