/* bun/crypto/crypto.c -- the hash functions of Bun.CryptoHasher, plain and as HMAC (RFC 2104).
 *
 * OpenSSL has most of them; BLAKE2b of 256 bits is libsodium's, and MD4 is outside of what OpenSSL
 * gives by name.  An algorithm is its index in the table below, which bun:crypto shares. */
#define OPENSSL_SUPPRESS_DEPRECATED

#include "builtins/builtins.h"

#include "codec/base64.h"
#include "util/mem.h"

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/md4.h>
#include <sodium/crypto_generichash_blake2b.h>
#include <stdatomic.h>
#include <string.h>

enum { DIGEST_MAX = 64, BLOCK_MAX = 144 };

typedef enum { BY_OPENSSL, BY_SODIUM, BY_MD4 } Maker;

typedef struct {
    const char *name; /* OpenSSL's */
    u8 size, block;
    Maker maker;
} Algorithm;

static const Algorithm algorithms[] = {
    {"", 32, 128, BY_SODIUM},
    {"BLAKE2B-512", 64, 128, BY_OPENSSL},
    {"BLAKE2S-256", 32, 64, BY_OPENSSL},
    {"", 16, 64, BY_MD4},
    {"MD5", 16, 64, BY_OPENSSL},
    {"RIPEMD160", 20, 64, BY_OPENSSL},
    {"SHA1", 20, 64, BY_OPENSSL},
    {"SHA2-224", 28, 64, BY_OPENSSL},
    {"SHA2-256", 32, 64, BY_OPENSSL},
    {"SHA2-384", 48, 128, BY_OPENSSL},
    {"SHA2-512", 64, 128, BY_OPENSSL},
    {"SHA2-512/224", 28, 128, BY_OPENSSL},
    {"SHA2-512/256", 32, 128, BY_OPENSSL},
    {"SHA3-224", 28, 144, BY_OPENSSL},
    {"SHA3-256", 32, 136, BY_OPENSSL},
    {"SHA3-384", 48, 104, BY_OPENSSL},
    {"SHA3-512", 64, 72, BY_OPENSSL},
    {"SHAKE-128", 16, 168, BY_OPENSSL},
    {"SHAKE-256", 32, 136, BY_OPENSSL},
};

/* One for the process: fetching costs more than hashing a short text. */
static const EVP_MD *openssl_md(u32 index)
{
    static _Atomic(EVP_MD *) known[COUNT(algorithms)];
    EVP_MD *md = atomic_load(&known[index]);
    if (md) return md;
    md = EVP_MD_fetch(NULL, algorithms[index].name, NULL);
    EVP_MD *other = NULL;
    if (!md || atomic_compare_exchange_strong(&known[index], &other, md)) return md;
    EVP_MD_free(md);
    return other;
}

typedef struct {
    const Algorithm *algorithm;
    EVP_MD_CTX *md; /* owned */
    union {
        crypto_generichash_blake2b_state blake2b;
        MD4_CTX md4;
    };
} State;

static bool state_init(State *s, const Algorithm *algorithm)
{
    s->algorithm = algorithm;
    switch (algorithm->maker) {
    case BY_SODIUM: return !crypto_generichash_blake2b_init(&s->blake2b, NULL, 0, algorithm->size);
    case BY_MD4: return MD4_Init(&s->md4);
    case BY_OPENSSL: break;
    }
    const EVP_MD *md = openssl_md((u32)(algorithm - algorithms));
    if (!s->md) s->md = EVP_MD_CTX_new();
    return md && s->md && EVP_DigestInit_ex2(s->md, md, NULL);
}

static bool state_update(State *s, const void *p, usize n)
{
    if (!n) return true;
    switch (s->algorithm->maker) {
    case BY_SODIUM: return !crypto_generichash_blake2b_update(&s->blake2b, p, n);
    case BY_MD4: return MD4_Update(&s->md4, p, n);
    case BY_OPENSSL: break;
    }
    return EVP_DigestUpdate(s->md, p, n);
}

static bool state_final(State *s, u8 *out)
{
    usize size = s->algorithm->size;
    switch (s->algorithm->maker) {
    case BY_SODIUM: return !crypto_generichash_blake2b_final(&s->blake2b, out, size);
    case BY_MD4: return MD4_Final(out, &s->md4);
    case BY_OPENSSL: break;
    }
    bool is_xof = EVP_MD_get_flags(EVP_MD_CTX_get0_md(s->md)) & EVP_MD_FLAG_XOF;
    return is_xof ? EVP_DigestFinalXOF(s->md, out, size) : EVP_DigestFinal_ex(s->md, out, NULL);
}

static bool state_copy(State *to, const State *from)
{
    *to = *from;
    if (!from->md) return true;
    to->md = EVP_MD_CTX_new();
    return to->md && EVP_MD_CTX_copy_ex(to->md, from->md);
}

static void state_deinit(State *s)
{
    EVP_MD_CTX_free(s->md);
    OPENSSL_cleanse(s, sizeof *s);
}

/* ---- Hashers -------------------------------------------------------------------------------- */

typedef struct {
    State state;
    bool is_hmac;
    u8 key[BLOCK_MAX]; /* filled up to the block */
} Hasher;

static void hasher_free(void *native)
{
    Hasher *h = native;
    state_deinit(&h->state);
    OPENSSL_cleanse(h->key, sizeof h->key);
    mem_free(h);
}

static const JsClass hasher_class = {"CryptoHasherHandle", hasher_free};

static Hasher *hasher_arg(Js *js, JsVal v)
{
    return js_unwrap_handle(js, v, &hasher_class);
}

static JsVal fail(Js *js)
{
    ERR_clear_error();
    return js_throw_error(js, "The hash function failed");
}

static const Algorithm *algorithm_arg(Js *js, JsVal v)
{
    i32 index = js_get_i32(js, v);
    if (index >= 0 && index < (i32)COUNT(algorithms)) return &algorithms[index];
    (void)js_throw_illegal(js);
    return NULL;
}

static bool take(Js *js, Arena *a, JsVal v, JsBytes *ret)
{
    if (js_bytes(js, v, ret)) return true;
    Str text;
    if (!js_to_str(js, a, v, &text)) return false;
    *ret = (JsBytes){(u8 *)(uintptr_t)text.p, text.n};
    return true;
}

static bool push_pad(State *s, const Hasher *h, u8 mask)
{
    u8 pad[BLOCK_MAX];
    for (u32 i = 0; i < h->state.algorithm->block; i++) pad[i] = h->key[i] ^ mask;
    bool ok = state_update(s, pad, h->state.algorithm->block);
    OPENSSL_cleanse(pad, sizeof pad);
    return ok;
}

static bool set_key(Hasher *h, JsBytes key)
{
    const Algorithm *algorithm = h->state.algorithm;
    h->is_hmac = true;
    ASSERT(algorithm->block <= BLOCK_MAX);
    if (key.n <= algorithm->block) {
        if (key.n) memcpy(h->key, key.p, key.n);
    } else {
        if (!state_update(&h->state, key.p, key.n) || !state_final(&h->state, h->key)) return false;
        if (!state_init(&h->state, algorithm)) return false;
    }
    return push_pad(&h->state, h, 0x36);
}

static bool finish(Hasher *h, u8 *out)
{
    const Algorithm *algorithm = h->state.algorithm;
    if (!state_final(&h->state, out)) return false;
    if (!h->is_hmac) return true;
    return state_init(&h->state, algorithm) && push_pad(&h->state, h, 0x5c) &&
           state_update(&h->state, out, algorithm->size) && state_final(&h->state, out);
}

/* create(algorithm, key: string, bytes or undefined) -> handle */
JS_NATIVE(crypto_create)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    const Algorithm *algorithm = algorithm_arg(js, js_arg(args, 0));
    if (!algorithm) return NULL;
    bool is_hmac = !js_is_undefined(js_arg(args, 1));
    JsBytes key = {0};
    if (is_hmac && !take(js, s.arena, js_arg(args, 1), &key)) return NULL;
    Hasher *h = MEM_NEW(Hasher);
    if (state_init(&h->state, algorithm) && (!is_hmac || set_key(h, key)))
        return js_wrap(js, &hasher_class, h);
    hasher_free(h);
    return fail(js);
}

/* copy(handle) -> handle */
JS_NATIVE(crypto_copy)
{
    const Hasher *from = hasher_arg(js, js_arg(args, 0));
    if (!from) return NULL;
    Hasher *h = MEM_NEW(Hasher);
    *h = *from;
    if (state_copy(&h->state, &from->state)) return js_wrap(js, &hasher_class, h);
    hasher_free(h);
    return fail(js);
}

/* update(handle, string or bytes) */
JS_NATIVE(crypto_update)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Hasher *h = hasher_arg(js, js_arg(args, 0));
    if (!h) return NULL;
    JsBytes data;
    if (!take(js, s.arena, js_arg(args, 1), &data)) return NULL;
    return state_update(&h->state, data.p, data.n) ? JS_UNDEFINED : fail(js);
}

/* `form`: 0 hex, 1 base64, 2 base64url, below 0 a Uint8Array, or memory to write to. */
static JsVal give(Js *js, const u8 *p, usize n, JsVal form)
{
    JsBytes into;
    char text[2 * DIGEST_MAX + 1];
    if (js_bytes(js, form, &into)) {
        JS_EXPECT(js, into.n >= n);
        memcpy(into.p, p, n);
        return form;
    }
    i32 kind = js_get_i32(js, form);
    if (kind < 0) return js_u8array(js, p, n);
    if (kind == 0) return js_str_latin1(js, (u8 *)text, hex_encode(p, n, text));
    Base64Kind base64 = kind == 1 ? BASE64_STANDARD : BASE64_URL;
    return js_str_latin1(js, (u8 *)text, base64_encode(p, n, base64, text));
}

/* digest(handle, form): a plain hasher begins again. */
JS_NATIVE(crypto_digest)
{
    Hasher *h = hasher_arg(js, js_arg(args, 0));
    if (!h) return NULL;
    u8 out[DIGEST_MAX];
    bool ok = finish(h, out) && (h->is_hmac || state_init(&h->state, h->state.algorithm));
    return ok ? give(js, out, h->state.algorithm->size, js_arg(args, 1)) : fail(js);
}

/* whole(algorithm, data, form) */
JS_NATIVE(crypto_whole)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    const Algorithm *algorithm = algorithm_arg(js, js_arg(args, 0));
    if (!algorithm) return NULL;
    JsBytes data;
    u8 out[DIGEST_MAX];
    if (!take(js, s.arena, js_arg(args, 1), &data)) return NULL;
    State state = {0};
    bool ok = state_init(&state, algorithm) && state_update(&state, data.p, data.n) &&
              state_final(&state, out);
    state_deinit(&state);
    return ok ? give(js, out, algorithm->size, js_arg(args, 2)) : fail(js);
}

static const JsFn fns[] = {
    JS_FN("create", crypto_create), JS_FN("copy", crypto_copy),   JS_FN("update", crypto_update),
    JS_FN("digest", crypto_digest), JS_FN("whole", crypto_whole),
};
BUILTIN_NATIVE(bun_crypto, fns)
