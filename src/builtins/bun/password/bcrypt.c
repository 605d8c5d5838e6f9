/* bun/password/bcrypt.c -- Blowfish with an expensive key schedule.
 *
 * Not libcrypt's: passwords there end at the first NUL, and Bun's bcrypt of long passwords is one
 * of their SHA-512, which has NULs. */
#include "builtins/bun/password/bcrypt.h"
#include "builtins/bun/password/bcrypt_pi.h"

#include <openssl/crypto.h>
#include <string.h>

enum { ROUNDS = 16, KEYS = ROUNDS + 2, BOX = 256, TAG_TIMES = 64, SALT_TEXT = 22 };

typedef struct {
    u32 p[KEYS];
    u32 s[4][BOX];
} Blowfish;

_Static_assert(sizeof(Blowfish) == sizeof bcrypt_pi, "the digits fill the state");

static u32 f(const Blowfish *b, u32 x)
{
    return ((b->s[0][x >> 24] + b->s[1][x >> 16 & 0xff]) ^ b->s[2][x >> 8 & 0xff]) +
           b->s[3][x & 0xff];
}

static void encrypt(const Blowfish *b, u32 *left, u32 *right)
{
    u32 l = *left ^ b->p[0], r = *right;
    for (u32 i = 1; i <= ROUNDS; i += 2) {
        r ^= f(b, l) ^ b->p[i];
        l ^= f(b, r) ^ b->p[i + 1];
    }
    *left = r ^ b->p[KEYS - 1];
    *right = l;
}

/* `salt`: four words, or zeros. */
static void expand(Blowfish *b, const u32 key[KEYS], const u32 salt[4])
{
    u32 l = 0, r = 0, at = 0;
    for (u32 i = 0; i < KEYS; i++) b->p[i] ^= key[i];
    for (u32 i = 0; i < KEYS; i += 2, at ^= 2) {
        l ^= salt[at], r ^= salt[at + 1];
        encrypt(b, &l, &r);
        b->p[i] = l, b->p[i + 1] = r;
    }
    for (u32 i = 0; i < 4 * BOX; i += 2, at ^= 2) {
        u32 *box = b->s[i / BOX];
        l ^= salt[at], r ^= salt[at + 1];
        encrypt(b, &l, &r);
        box[i % BOX] = l, box[i % BOX + 1] = r;
    }
}

/* As many words as the schedule takes, of the bytes again and again. */
static void cycle(const u8 *p, usize n, u32 ret[KEYS])
{
    usize at = 0;
    for (u32 i = 0; i < KEYS; i++) {
        ret[i] = 0;
        for (u32 k = 0; k < 4; k++, at = at + 1 == n ? 0 : at + 1) ret[i] = ret[i] << 8 | p[at];
    }
}

void bcrypt_hash(Str password, const u8 salt[BCRYPT_SALT], u32 cost, u8 ret[BCRYPT_TAG])
{
    static const u32 zeros[4];
    u8 key[BCRYPT_KEY_MAX] = {0};
    u32 key_words[KEYS], salt_words[KEYS];
    usize n = MIN(password.n, (usize)BCRYPT_KEY_MAX);
    if (n) memcpy(key, password.p, n);
    cycle(key, MIN(n + 1, (usize)BCRYPT_KEY_MAX), key_words);
    cycle(salt, BCRYPT_SALT, salt_words);

    Blowfish b;
    memcpy(&b, bcrypt_pi, sizeof b);
    expand(&b, key_words, salt_words);
    for (u64 i = (u64)1 << cost; i; i--) {
        expand(&b, key_words, zeros);
        expand(&b, salt_words, zeros);
    }
    static const u8 text[24] = "OrpheanBeholderScryDoubt";
    u32 words[KEYS];
    cycle(text, sizeof text, words);
    u8 tag[24];
    for (u32 i = 0; i < 6; i += 2) {
        for (u32 k = 0; k < TAG_TIMES; k++) encrypt(&b, &words[i], &words[i + 1]);
    }
    for (u32 i = 0; i < sizeof tag; i++) tag[i] = (u8)(words[i / 4] >> (24 - i % 4 * 8));
    memcpy(ret, tag, BCRYPT_TAG);
    OPENSSL_cleanse(&b, sizeof b);
    OPENSSL_cleanse(key, sizeof key);
    OPENSSL_cleanse(key_words, sizeof key_words);
}

/* ---- Text: base64 with an alphabet of its own ------------------------------------------------ */

static const char alphabet[] = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

static char *write_bytes(const u8 *p, usize n, char *dst)
{
    for (usize bit = 0; bit < n * 8; bit += 6) {
        u32 pair = (u32)p[bit / 8] << 8 | (bit / 8 + 1 < n ? p[bit / 8 + 1] : 0);
        *dst++ = alphabet[pair >> (10 - bit % 8) & 63];
    }
    return dst;
}

static bool read_bytes(const char *p, usize n, u8 *dst)
{
    u32 bits = 0, have = 0;
    while (n) {
        const char *found = *p ? strchr(alphabet, *p) : NULL;
        if (!found) return false;
        p++;
        bits = bits << 6 | (u32)(found - alphabet);
        have += 6;
        if (have < 8) continue;
        have -= 8;
        *dst++ = (u8)(bits >> have);
        n--;
    }
    return true;
}

void bcrypt_write(u32 cost, const u8 salt[BCRYPT_SALT], const u8 tag[BCRYPT_TAG], char *ret)
{
    memcpy(ret, "$2b$00$", 7);
    ret[4] = (char)('0' + cost / 10);
    ret[5] = (char)('0' + cost % 10);
    (void)write_bytes(tag, BCRYPT_TAG, write_bytes(salt, BCRYPT_SALT, ret + 7));
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool bcrypt_read(Str text, u32 *ret_cost, u8 ret_salt[BCRYPT_SALT], u8 ret_tag[BCRYPT_TAG])
{
    const char *p = text.p;
    if (text.n != BCRYPT_TEXT || p[0] != '$' || p[1] != '2' || p[3] != '$' || p[6] != '$')
        return false;
    if (!memchr("abxy", p[2], 4)) return false;
    if (!is_digit(p[4]) || !is_digit(p[5])) return false;
    u32 cost = (u32)(p[4] - '0') * 10 + (u32)(p[5] - '0');
    if (cost < BCRYPT_COST_MIN || cost > BCRYPT_COST_MAX) return false;
    *ret_cost = cost;
    return read_bytes(p + 7, BCRYPT_SALT, ret_salt) &&
           read_bytes(p + 7 + SALT_TEXT, BCRYPT_TAG, ret_tag);
}
