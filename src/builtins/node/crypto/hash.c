/* node/crypto/hash.c -- digests and message authentication codes. */
#include "builtins/node/crypto/openssl.h"

#include "codec/base64.h"
#include "util/mem.h"

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <stdatomic.h>
#include <string.h>

enum { NO_LENGTH = -1 };

static void digest_free(void *native)
{
    EVP_MD_free(native);
}

static const JsClass digest_class = {"Digest", digest_free};

typedef struct {
    EVP_MD_CTX *md; /* one of the two */
    EVP_MAC_CTX *mac;
    usize size; /* of the result */
    bool is_xof_length;
    u8 *result; /* once the digest was made: a stream makes it, digest() may ask again */
} Hash;

static void hash_free(void *native)
{
    Hash *h = native;
    EVP_MD_CTX_free(h->md);
    EVP_MAC_CTX_free(h->mac);
    mem_free(h->result);
    mem_free(h);
}

static const JsClass hash_class = {"HashHandle", hash_free};

/* fetch(name) -> a digest to give to create(), or undefined */
JS_NATIVE(hash_fetch)
{
    EVP_MD *md = crypto_digest_fetch(js, js_arg(args, 0));
    return md ? js_wrap(js, &digest_class, md) : JS_UNDEFINED;
}

/* The length of the result is the digest's own unless it is extendable. */
static bool set_length(Hash *h, const EVP_MD *md, i64 length)
{
    h->size = (usize)EVP_MD_get_size(md);
    if (length == NO_LENGTH || (usize)length == h->size) return true;
    bool is_xof = EVP_MD_get_flags(md) & EVP_MD_FLAG_XOF;
    if (!is_xof) {
        ERR_raise(ERR_LIB_EVP, EVP_R_NOT_XOF_OR_INVALID_LENGTH);
        return false;
    }
    h->size = (usize)length;
    h->is_xof_length = true;
    return true;
}

/* create(digest, length or -1) -> handle or failure */
JS_NATIVE(hash_create)
{
    const EVP_MD *md = js_unwrap(js, js_arg(args, 0), &digest_class);
    JS_EXPECT(js, md);
    Hash *h = MEM_NEW(Hash);
    h->md = EVP_MD_CTX_new();
    if (set_length(h, md, js_get_i64(js, js_arg(args, 1))) && EVP_DigestInit_ex2(h->md, md, NULL))
        return js_wrap(js, &hash_class, h);
    hash_free(h);
    return crypto_failure(js, "Digest method not supported");
}

/* copy(handle, length or -1) -> handle or failure */
JS_NATIVE(hash_copy)
{
    const Hash *from = js_unwrap(js, js_arg(args, 0), &hash_class);
    JS_EXPECT(js, from && from->md);
    Hash *h = MEM_NEW(Hash);
    h->md = EVP_MD_CTX_new();
    bool ok = EVP_MD_CTX_copy_ex(h->md, from->md) &&
              set_length(h, EVP_MD_CTX_get0_md(from->md), js_get_i64(js, js_arg(args, 1)));
    if (ok) return js_wrap(js, &hash_class, h);
    hash_free(h);
    return crypto_failure(js, "Digest copy error");
}

static bool feed(Hash *h, Str data)
{
    if (h->md) return EVP_DigestUpdate(h->md, data.p, data.n);
    return EVP_MAC_update(h->mac, crypto_bytes(data), data.n);
}

/* update(handle, string or bytes) -> has it worked? */
JS_NATIVE(hash_update)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Hash *h = js_unwrap(js, js_arg(args, 0), &hash_class);
    Str data;
    JS_EXPECT(js, h);
    if (!crypto_take(js, s.arena, js_arg(args, 1), &data)) return NULL;
    return js_boolean(feed(h, data));
}

static bool finish(Hash *h, u8 *out)
{
    usize n = h->size;
    if (h->mac) return EVP_MAC_final(h->mac, out, &n, h->size);
    if (h->is_xof_length) return EVP_DigestFinalXOF(h->md, out, h->size);
    return EVP_DigestFinal_ex(h->md, out, NULL);
}

static JsVal as_text(Js *js, const u8 *p, usize n, JsVal encoding)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    i32 kind = js_get_i32(js, encoding);
    if (kind == 0) {
        char *text = arena_alloc_dirty(s.arena, n * 2 + 1, 1);
        return js_str_latin1(js, (u8 *)text, hex_encode(p, n, text));
    }
    Base64Kind base64 = kind == 1 ? BASE64_STANDARD : BASE64_URL;
    char *text = arena_alloc_dirty(s.arena, base64_encoded_len(n, base64) + 1, 1);
    return js_str_latin1(js, (u8 *)text, base64_encode(p, n, base64, text));
}

/* digest(handle, encoding: 0 hex, 1 base64, 2 base64url; or a number below 0 for bytes) */
JS_NATIVE(hash_digest)
{
    Hash *h = js_unwrap(js, js_arg(args, 0), &hash_class);
    JS_EXPECT(js, h);
    if (!h->result) {
        u8 *out = mem_new(MAX(h->size, (usize)EVP_MAX_MD_SIZE));
        if (h->size && !finish(h, out)) {
            mem_free(out);
            return crypto_failure(js, "Digest failed");
        }
        h->result = out;
    }
    if (js_get_i32(js, js_arg(args, 1)) < 0) return js_u8array(js, h->result, h->size);
    return as_text(js, h->result, h->size, js_arg(args, 1));
}

/* whole(digest, data, encoding, length or -1): as create, update and digest. */
JS_NATIVE(hash_whole)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    const EVP_MD *md = js_unwrap(js, js_arg(args, 0), &digest_class);
    Str data;
    JS_EXPECT(js, md);
    if (!crypto_take(js, s.arena, js_arg(args, 1), &data)) return NULL;
    Hash h = {.md = EVP_MD_CTX_new()};
    bool ok = set_length(&h, md, js_get_i64(js, js_arg(args, 3))) &&
              EVP_DigestInit_ex2(h.md, md, NULL) && feed(&h, data);
    u8 *out = arena_alloc_dirty(s.arena, MAX(h.size, (usize)EVP_MAX_MD_SIZE), 1);
    ok = ok && (!h.size || finish(&h, out));
    EVP_MD_CTX_free(h.md);
    if (!ok) return crypto_failure(js, "Digest failed");
    if (js_get_i32(js, js_arg(args, 2)) < 0) return js_u8array(js, out, h.size);
    return as_text(js, out, h.size, js_arg(args, 2));
}

/* HMAC for the whole process: fetching it costs more than a short message. */
static EVP_MAC *hmac(void)
{
    static _Atomic(EVP_MAC *) known;
    EVP_MAC *mac = atomic_load(&known);
    if (mac) return mac;
    mac = EVP_MAC_fetch(NULL, "HMAC", NULL);
    EVP_MAC *other = NULL;
    if (!mac || atomic_compare_exchange_strong(&known, &other, mac)) return mac;
    EVP_MAC_free(mac);
    return other;
}

/* createHmac(digest, key bytes or string) -> handle or failure */
JS_NATIVE(hash_create_hmac)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    const EVP_MD *md = js_unwrap(js, js_arg(args, 0), &digest_class);
    Str key;
    JS_EXPECT(js, md);
    if (!crypto_take(js, s.arena, js_arg(args, 1), &key)) return NULL;
    Hash *h = MEM_NEW(Hash);
    h->size = (usize)EVP_MD_get_size(md);
    h->mac = hmac() ? EVP_MAC_CTX_new(hmac()) : NULL;
    char *name = (char *)(uintptr_t)EVP_MD_get0_name(md);
    OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, name, 0),
                           OSSL_PARAM_construct_end()};
    /* An empty key needs a pointer all the same. */
    const u8 *bytes = key.n ? crypto_bytes(key) : (const u8 *)"";
    if (h->mac && EVP_MAC_init(h->mac, bytes, key.n, params)) return js_wrap(js, &hash_class, h);
    hash_free(h);
    return crypto_failure(js, "Invalid digest");
}

static void add_name(const EVP_MD *md, const char *from, const char *to, void *list)
{
    (void)md;
    (void)to;
    Buf *names = list;
    if (!from) return;
    if (names->len) buf_push_char(names, '\n');
    buf_push(names, str_z(from));
}

/* names() -> the names of digests, one a line */
JS_NATIVE(hash_names)
{
    AUTO(Buf) names = {0};
    EVP_MD_do_all_sorted(add_name, &names);
    return js_str(js, buf_str(&names));
}

static const JsFn fns[] = {
    JS_FN("fetch", hash_fetch),   JS_FN("create", hash_create),          JS_FN("copy", hash_copy),
    JS_FN("update", hash_update), JS_FN("digest", hash_digest),          JS_FN("whole", hash_whole),
    JS_FN("names", hash_names),   JS_FN("createHmac", hash_create_hmac),
};
BUILTIN_NATIVE(node_crypto_hash, fns)
