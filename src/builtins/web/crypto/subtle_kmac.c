/* web/crypto/subtle_kmac -- native half: KMAC (NIST SP 800-185, section 4), which is Keccak over
 * pieces that say their own lengths. */
#include "builtins/builtins.h"

#include "builtins/web/crypto/keccak.h"

enum { SUFFIX_CSHAKE = 0x04, LENGTH_MAX = 9 };

/* The bytes of `n` without leading zeros, at least one, highest first. */
static u32 put_number(u64 n, u8 *out)
{
    u32 len = 1;
    while (len < 8 && n >> (8 * len)) len++;
    for (u32 i = 0; i < len; i++) out[i] = (u8)(n >> (8 * (len - 1 - i)));
    return len;
}

/* left_encode: how many bytes, then they. */
static usize absorb_left(Keccak *k, u64 n)
{
    u8 bytes[LENGTH_MAX];
    u32 len = put_number(n, bytes + 1);
    bytes[0] = (u8)len;
    keccak_absorb(k, bytes, len + 1);
    return len + 1;
}

/* right_encode: the same with the count behind. */
static void absorb_right(Keccak *k, u64 n)
{
    u8 bytes[LENGTH_MAX];
    u32 len = put_number(n, bytes);
    bytes[len] = (u8)len;
    keccak_absorb(k, bytes, len + 1);
}

/* encode_string: its length in bits, then it. */
static usize absorb_string(Keccak *k, const u8 *p, usize n)
{
    usize head = absorb_left(k, (u64)n * 8);
    keccak_absorb(k, p, n);
    return head + n;
}

/* bytepad: zeros up to a whole block, after `n` bytes. */
static void pad(Keccak *k, usize n)
{
    static const u8 zeros[SHAKE128_RATE];
    usize rest = n % k->rate;
    if (rest) keccak_absorb(k, zeros, k->rate - rest);
}

/* mac(is256, key, customization, data, out) */
JS_NATIVE(kmac_mac)
{
    JsBytes key, custom, data, out;
    bool ok = js_bytes(js, js_arg(args, 1), &key) && js_bytes(js, js_arg(args, 2), &custom) &&
              js_bytes(js, js_arg(args, 3), &data) && js_bytes(js, js_arg(args, 4), &out);
    JS_EXPECT(js, ok);
    Keccak k;
    if (js_truthy(js, js_arg(args, 0)))
        shake256_begin(&k);
    else
        shake128_begin(&k);
    k.suffix = SUFFIX_CSHAKE;
    static const u8 name[] = {'K', 'M', 'A', 'C'};
    usize n = absorb_left(&k, k.rate);
    n += absorb_string(&k, name, sizeof name);
    n += absorb_string(&k, custom.p, custom.n);
    pad(&k, n);
    n = absorb_left(&k, k.rate);
    n += absorb_string(&k, key.p, key.n);
    pad(&k, n);
    keccak_absorb(&k, data.p, data.n);
    absorb_right(&k, (u64)out.n * 8);
    keccak_finish(&k);
    keccak_squeeze(&k, out.p, out.n);
    return JS_UNDEFINED;
}

static const JsFn fns[] = {JS_FN("mac", kmac_mac)};
BUILTIN_NATIVE(web_crypto_subtle_kmac, fns)
