/* node/crypto/cipher.c -- symmetric ciphers: state of a Cipheriv or Decipheriv.
 *
 * The rules about tags and lengths are Node's.  A refusal is returned as a number that
 * node:crypto/cipher has a coded error for (enum Refusal), a failure of OpenSSL as an array. */
#include "builtins/node/crypto/openssl.h"

#include "util/mem.h"

#include <openssl/err.h>
#include <string.h>

enum Refusal {
    UNKNOWN_CIPHER,
    BAD_KEY_LENGTH,
    BAD_IV,
    BAD_TAG_LENGTH,
    TAG_LENGTH_NEEDED,
    BAD_STATE,
    NOT_AUTHENTIC,
    NO_PLAINTEXT_LENGTH,
    MESSAGE_TOO_LONG,
};

enum {
    TAG_MAX = 16,
    POLY_IV_MAX = 12,
    CCM_NONCE_AND_LENGTH = 15,
    NO_LENGTH = -1,
    CHUNK_MAX = 1 << 30, /* EVP counts in int */
};

typedef struct {
    EVP_CIPHER_CTX *ctx; /* NULL once final() was called */
    bool is_encrypt, is_aead, is_poly, has_tag, was_tag_set, is_ccm_failed;
    i32 mode;
    i64 tag_len; /* NO_LENGTH: not known yet */
    i64 message_max;
    u8 tag[TAG_MAX];
} Cipher;

static void cipher_free(void *native)
{
    Cipher *c = native;
    EVP_CIPHER_CTX_free(c->ctx);
    mem_free(c);
}

static const JsClass cipher_class = {"CipherHandle", cipher_free};

static JsVal refuse(Js *js, enum Refusal why)
{
    ERR_clear_error();
    return js_int(js, (i32)why);
}

static EVP_CIPHER *fetch(Js *js, JsVal name)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str text;
    if (!js_to_str(js, s.arena, name, &text)) {
        (void)js_catch(js);
        return NULL;
    }
    const EVP_CIPHER *known = EVP_get_cipherbyname(text.p);
    EVP_CIPHER *c = EVP_CIPHER_fetch(NULL, known ? EVP_CIPHER_get0_name(known) : text.p, NULL);
    if (!c) ERR_clear_error();
    return c;
}

static bool is_gcm_tag_length(i64 n)
{
    return n == 4 || n == 8 || (n >= 12 && n <= TAG_MAX);
}

/* The options of an authenticated mode; the refusal, or a number below 0 for none. */
static i32 init_aead(Cipher *c, i32 iv_len)
{
    if (EVP_CIPHER_CTX_ctrl(c->ctx, EVP_CTRL_AEAD_SET_IVLEN, iv_len, NULL) <= 0) return BAD_IV;
    if (c->mode == EVP_CIPH_GCM_MODE) {
        bool is_fine = c->tag_len == NO_LENGTH || is_gcm_tag_length(c->tag_len);
        return is_fine ? -1 : BAD_TAG_LENGTH;
    }
    if (c->tag_len == NO_LENGTH) {
        if (!c->is_poly) return TAG_LENGTH_NEEDED;
        c->tag_len = TAG_MAX;
    }
    if (c->tag_len > TAG_MAX) return BAD_TAG_LENGTH;
    if (EVP_CIPHER_CTX_ctrl(c->ctx, EVP_CTRL_AEAD_SET_TAG, (int)c->tag_len, NULL) <= 0)
        return BAD_TAG_LENGTH;
    /* CCM: what the nonce leaves of 15 bytes holds the length of the message. */
    if (c->mode == EVP_CIPH_CCM_MODE) {
        i32 bytes = CCM_NONCE_AND_LENGTH - iv_len;
        c->message_max = bytes >= 4 ? INT32_MAX : ((i64)1 << (8 * bytes)) - 1;
    }
    return -1;
}

static i32 init(Cipher *c, const EVP_CIPHER *kind, Str key, const Str *iv)
{
    i32 iv_len = EVP_CIPHER_get_iv_length(kind);
    c->mode = EVP_CIPHER_get_mode(kind);
    c->is_poly = EVP_CIPHER_is_a(kind, "ChaCha20-Poly1305");
    c->is_aead = c->mode == EVP_CIPH_GCM_MODE || c->mode == EVP_CIPH_CCM_MODE ||
                 c->mode == EVP_CIPH_OCB_MODE || c->is_poly;
    if (!iv && iv_len) return BAD_IV;
    if (iv && !c->is_aead && iv->n != (usize)iv_len) return BAD_IV;
    if (iv && c->is_poly && iv->n > POLY_IV_MAX) return BAD_IV;
    c->ctx = EVP_CIPHER_CTX_new();
    if (c->mode == EVP_CIPH_WRAP_MODE)
        EVP_CIPHER_CTX_set_flags(c->ctx, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW);
    if (!EVP_CipherInit_ex2(c->ctx, kind, NULL, NULL, c->is_encrypt, NULL)) return UNKNOWN_CIPHER;
    if (c->is_aead) {
        i32 why = iv ? init_aead(c, (i32)iv->n) : BAD_IV;
        if (why >= 0) return why;
    }
    if (key.n > INT32_MAX || EVP_CIPHER_CTX_set_key_length(c->ctx, (int)key.n) <= 0)
        return BAD_KEY_LENGTH;
    if (!EVP_CipherInit_ex2(c->ctx, NULL, crypto_bytes(key), iv ? crypto_bytes(*iv) : NULL,
                            c->is_encrypt, NULL))
        return BAD_KEY_LENGTH;
    return -1;
}

/* create(is encrypt, name, key bytes, iv bytes or null, tag length or -1) */
JS_NATIVE(cipher_create)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str key, iv;
    JsVal iv_value = js_arg(args, 3);
    bool has_iv = !js_is_nullish(iv_value);
    if (!crypto_take(js, s.arena, js_arg(args, 2), &key)) return NULL;
    if (has_iv && !crypto_take(js, s.arena, iv_value, &iv)) return NULL;
    EVP_CIPHER *kind = fetch(js, js_arg(args, 1));
    if (!kind) return refuse(js, UNKNOWN_CIPHER);
    Cipher *c = MEM_NEW(Cipher);
    c->is_encrypt = js_truthy(js, js_arg(args, 0));
    c->tag_len = js_get_i64(js, js_arg(args, 4));
    c->message_max = INT32_MAX;
    i32 why = init(c, kind, key, has_iv ? &iv : NULL);
    EVP_CIPHER_free(kind);
    if (why < 0) return js_wrap(js, &cipher_class, c);
    cipher_free(c);
    return refuse(js, (enum Refusal)why);
}

/* A tag that setAuthTag() was given is handed on just before the first data. */
static bool pass_tag(Cipher *c)
{
    if (!c->has_tag || c->is_encrypt || c->was_tag_set) return true;
    c->was_tag_set = true;
    return EVP_CIPHER_CTX_ctrl(c->ctx, EVP_CTRL_AEAD_SET_TAG, (int)c->tag_len, c->tag) > 0;
}

/* update(handle, data): bytes, a refusal or a failure */
JS_NATIVE(cipher_update)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Cipher *c = js_unwrap(js, js_arg(args, 0), &cipher_class);
    Str data;
    JS_EXPECT(js, c);
    if (!crypto_take(js, s.arena, js_arg(args, 1), &data)) return NULL;
    if (!c->ctx || data.n > CHUNK_MAX) return refuse(js, BAD_STATE);
    if (c->mode == EVP_CIPH_CCM_MODE && (i64)data.n > c->message_max)
        return refuse(js, MESSAGE_TOO_LONG);
    if (!pass_tag(c)) return refuse(js, BAD_STATE);
    int n = (int)data.n + EVP_CIPHER_CTX_get_block_size(c->ctx);
    if (c->mode == EVP_CIPH_WRAP_MODE) n += TAG_MAX;
    u8 *out = mem_new((usize)n);
    int ok = EVP_CipherUpdate(c->ctx, out, &n, crypto_bytes(data), (int)data.n);
    /* CCM finds out here whether the text is authentic, and final() says so. */
    if (ok <= 0 && c->mode == EVP_CIPH_CCM_MODE && !c->is_encrypt) {
        ERR_clear_error();
        c->is_ccm_failed = true;
        ok = 1;
        n = 0;
    }
    JsVal result = ok > 0 ? js_u8array(js, out, (usize)n) : NULL;
    mem_free(out);
    return result ? result : crypto_failure(js, "Trying to add data in unsupported state");
}

static bool finish(Cipher *c, u8 *out, int *n)
{
    *n = 0;
    if (c->mode == EVP_CIPH_CCM_MODE) return !c->is_ccm_failed;
    bool ok = EVP_CipherFinal_ex(c->ctx, out, n) > 0;
    if (!ok || !c->is_encrypt || !c->is_aead) return ok;
    if (c->tag_len == NO_LENGTH) c->tag_len = TAG_MAX;
    return true;
}

/* final(handle): bytes, a refusal or a failure */
JS_NATIVE(cipher_final)
{
    Cipher *c = js_unwrap(js, js_arg(args, 0), &cipher_class);
    JS_EXPECT(js, c);
    if (!c->ctx) return refuse(js, BAD_STATE);
    u8 out[EVP_MAX_BLOCK_LENGTH];
    int n;
    bool is_checked = c->is_aead && !c->is_encrypt;
    bool ok = (!is_checked || c->has_tag) && pass_tag(c) && finish(c, out, &n);
    if (ok && c->is_aead && c->is_encrypt) {
        if (c->tag_len == NO_LENGTH) c->tag_len = TAG_MAX;
        ok = EVP_CIPHER_CTX_ctrl(c->ctx, EVP_CTRL_AEAD_GET_TAG, (int)c->tag_len, c->tag) > 0;
        c->has_tag = ok;
    }
    EVP_CIPHER_CTX_free(c->ctx);
    c->ctx = NULL;
    if (ok) return js_u8array(js, out, (usize)n);
    if (is_checked) return refuse(js, NOT_AUTHENTIC);
    return crypto_failure(js, "Unsupported state or unable to authenticate data");
}

/* getTag(handle) -> bytes, or a refusal */
JS_NATIVE(cipher_get_tag)
{
    const Cipher *c = js_unwrap(js, js_arg(args, 0), &cipher_class);
    JS_EXPECT(js, c);
    if (c->ctx || !c->is_encrypt || !c->has_tag) return refuse(js, BAD_STATE);
    return js_u8array(js, c->tag, (usize)c->tag_len);
}

/* setTag(handle, bytes) -> undefined or a refusal */
JS_NATIVE(cipher_set_tag)
{
    Cipher *c = js_unwrap(js, js_arg(args, 0), &cipher_class);
    JsBytes tag;
    JS_EXPECT(js, c);
    if (!c->ctx || c->is_encrypt || !c->is_aead || c->has_tag) return refuse(js, BAD_STATE);
    if (!js_bytes(js, js_arg(args, 1), &tag)) return refuse(js, BAD_TAG_LENGTH);
    bool is_same = (i64)tag.n == c->tag_len;
    bool is_fine = c->mode == EVP_CIPH_GCM_MODE
                       ? (c->tag_len == NO_LENGTH || is_same) && is_gcm_tag_length((i64)tag.n)
                       : is_same;
    if (!is_fine || tag.n > TAG_MAX) return refuse(js, BAD_TAG_LENGTH);
    memcpy(c->tag, tag.p, tag.n);
    c->tag_len = (i64)tag.n;
    c->has_tag = true;
    return JS_UNDEFINED;
}

/* setAad(handle, bytes, length of the plaintext or -1) -> undefined or a refusal */
JS_NATIVE(cipher_set_aad)
{
    Cipher *c = js_unwrap(js, js_arg(args, 0), &cipher_class);
    JsBytes aad;
    int n;
    i64 plain = js_get_i64(js, js_arg(args, 2));
    JS_EXPECT(js, c);
    bool is_ready = c->ctx && c->is_aead && js_bytes(js, js_arg(args, 1), &aad);
    if (!is_ready || aad.n > CHUNK_MAX) return refuse(js, BAD_STATE);
    if (c->mode == EVP_CIPH_CCM_MODE) {
        if (plain < 0) return refuse(js, NO_PLAINTEXT_LENGTH);
        if (plain > c->message_max) return refuse(js, MESSAGE_TOO_LONG);
        if (!c->is_encrypt && !pass_tag(c)) return refuse(js, BAD_STATE);
        if (EVP_CipherUpdate(c->ctx, NULL, &n, NULL, (int)plain) <= 0) return refuse(js, BAD_STATE);
    }
    if (EVP_CipherUpdate(c->ctx, NULL, &n, aad.p, (int)aad.n) <= 0) return refuse(js, BAD_STATE);
    return JS_UNDEFINED;
}

/* setPadding(handle, on) -> has it worked? */
JS_NATIVE(cipher_set_padding)
{
    Cipher *c = js_unwrap(js, js_arg(args, 0), &cipher_class);
    JS_EXPECT(js, c);
    if (!c->ctx) return JS_FALSE;
    return js_boolean(EVP_CIPHER_CTX_set_padding(c->ctx, js_truthy(js, js_arg(args, 1))) > 0);
}

static const char *mode_name(i32 mode)
{
    switch (mode) {
    case EVP_CIPH_CBC_MODE: return "cbc";
    case EVP_CIPH_CCM_MODE: return "ccm";
    case EVP_CIPH_CFB_MODE: return "cfb";
    case EVP_CIPH_CTR_MODE: return "ctr";
    case EVP_CIPH_ECB_MODE: return "ecb";
    case EVP_CIPH_GCM_MODE: return "gcm";
    case EVP_CIPH_OCB_MODE: return "ocb";
    case EVP_CIPH_OFB_MODE: return "ofb";
    case EVP_CIPH_WRAP_MODE: return "wrap";
    case EVP_CIPH_XTS_MODE: return "xts";
    case EVP_CIPH_STREAM_CIPHER: return "stream";
    case EVP_CIPH_SIV_MODE: return "siv";
    default: return "";
    }
}

/* Would the cipher take a key or an iv of that length?  -1: not asked. */
static bool takes(const EVP_CIPHER *kind, i64 key_len, i64 iv_len)
{
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    bool ok = EVP_CipherInit_ex2(ctx, kind, NULL, NULL, 1, NULL) > 0;
    if (ok && key_len >= 0)
        ok = key_len <= INT32_MAX && EVP_CIPHER_CTX_set_key_length(ctx, (int)key_len) > 0;
    if (ok && iv_len >= 0) {
        i32 mode = EVP_CIPHER_get_mode(kind), own = EVP_CIPHER_get_iv_length(kind);
        bool is_free = mode == EVP_CIPH_CCM_MODE || mode == EVP_CIPH_GCM_MODE ||
                       mode == EVP_CIPH_OCB_MODE || EVP_CIPHER_is_a(kind, "ChaCha20-Poly1305");
        if (is_free)
            ok = iv_len <= INT32_MAX &&
                 EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_IVLEN, (int)iv_len, NULL) > 0;
        else
            ok = iv_len == own;
    }
    EVP_CIPHER_CTX_free(ctx);
    ERR_clear_error();
    return ok;
}

/* info(name or nid, key length or -1, iv length or -1): [mode, name, nid, block size, iv length,
 * key length], or undefined */
JS_NATIVE(cipher_info)
{
    JsVal which = js_arg(args, 0);
    EVP_CIPHER *kind = NULL;
    if (js_is_number(js, which)) {
        const EVP_CIPHER *known = EVP_get_cipherbynid(js_get_i32(js, which));
        if (known) kind = EVP_CIPHER_fetch(NULL, EVP_CIPHER_get0_name(known), NULL);
    } else {
        kind = fetch(js, which);
    }
    ERR_clear_error();
    if (!kind) return JS_UNDEFINED;
    JsVal result = JS_UNDEFINED;
    i32 key_asked = js_get_i32(js, js_arg(args, 1)), iv_asked = js_get_i32(js, js_arg(args, 2));
    if (takes(kind, key_asked, iv_asked)) {
        i32 nid = EVP_CIPHER_get_nid(kind), iv = EVP_CIPHER_get_iv_length(kind);
        const char *name = nid ? OBJ_nid2sn(nid) : EVP_CIPHER_get0_name(kind);
        JsVal parts[] = {
            js_str(js, str_z(mode_name(EVP_CIPHER_get_mode(kind)))),
            js_str(js, str_z(name)),
            js_int(js, nid),
            js_int(js, EVP_CIPHER_get_block_size(kind)),
            js_int(js, iv_asked >= 0 ? iv_asked : iv),
            js_int(js, key_asked >= 0 ? key_asked : EVP_CIPHER_get_key_length(kind)),
        };
        result = js_array(js, parts, COUNT(parts));
    }
    EVP_CIPHER_free(kind);
    return result;
}

static void add_name(const EVP_CIPHER *kind, const char *from, const char *to, void *list)
{
    (void)to;
    Buf *names = list;
    if (!from || !kind) return;
    EVP_CIPHER *fetched = EVP_CIPHER_fetch(NULL, from, NULL);
    if (!fetched) return;
    EVP_CIPHER_free(fetched);
    if (names->len) buf_push_char(names, '\n');
    buf_push(names, str_z(from));
}

/* names() -> the names of ciphers, one a line */
JS_NATIVE(cipher_names)
{
    AUTO(Buf) names = {0};
    EVP_CIPHER_do_all_sorted(add_name, &names);
    ERR_clear_error();
    return js_str(js, buf_str(&names));
}

static const JsFn fns[] = {
    JS_FN("create", cipher_create),
    JS_FN("update", cipher_update),
    JS_FN("final", cipher_final),
    JS_FN("getTag", cipher_get_tag),
    JS_FN("setTag", cipher_set_tag),
    JS_FN("setAad", cipher_set_aad),
    JS_FN("setPadding", cipher_set_padding),
    JS_FN("info", cipher_info),
    JS_FN("names", cipher_names),
};
BUILTIN_NATIVE(node_crypto_cipher, fns)
