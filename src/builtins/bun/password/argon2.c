/* bun/password/argon2.c -- filling the memory and what goes in and comes out (RFC 9106, 3.2-3.4).
 *
 * Not libsodium's: that has no Argon2d, only salts of 16 bytes, and a minimum of passes. */
#include "builtins/bun/password/argon2.h"

#include <errno.h>
#include <openssl/crypto.h>
#include <sodium/crypto_generichash_blake2b.h>
#include <string.h>

enum { SLICES = 4, SEED_LEN = 64, HALF = 32, VERSION_10 = 0x10 };

typedef crypto_generichash_blake2b_state Blake;

static void put_u32(Blake *state, u32 n)
{
    u8 bytes[] = {(u8)n, (u8)(n >> 8), (u8)(n >> 16), (u8)(n >> 24)};
    (void)crypto_generichash_blake2b_update(state, bytes, sizeof bytes);
}

static void put_str(Blake *state, Str s)
{
    put_u32(state, (u32)s.n);
    if (s.n) (void)crypto_generichash_blake2b_update(state, (const u8 *)s.p, s.n);
}

static void begin(Blake *state, usize n)
{
    (void)crypto_generichash_blake2b_init(state, NULL, 0, n);
}

/* H': a hash of any length. */
static void long_hash(const u8 *p, usize len, u8 *out, usize n)
{
    Blake state;
    u8 v[SEED_LEN];
    begin(&state, MIN(n, (usize)SEED_LEN));
    put_u32(&state, (u32)n);
    (void)crypto_generichash_blake2b_update(&state, p, len);
    (void)crypto_generichash_blake2b_final(&state, v, MIN(n, (usize)SEED_LEN));
    while (n > SEED_LEN) {
        memcpy(out, v, HALF);
        out += HALF;
        n -= HALF;
        usize next = MIN(n, (usize)SEED_LEN);
        u8 from[SEED_LEN];
        memcpy(from, v, sizeof from);
        (void)crypto_generichash_blake2b(v, next, from, sizeof from, NULL, 0);
    }
    memcpy(out, v, n);
    OPENSSL_cleanse(v, sizeof v);
}

typedef struct {
    const Argon2 *a;
    Argon2Block *memory;        /* lane by lane */
    u32 blocks, columns, slice; /* all, of a lane, of a segment */
} Fill;

typedef struct {
    u32 pass, lane, slice, index;
} Place;

static void seed(const Argon2 *a, usize tag_len, u8 *ret)
{
    Blake state;
    begin(&state, SEED_LEN);
    put_u32(&state, a->lanes);
    put_u32(&state, (u32)tag_len);
    put_u32(&state, a->memory_kib);
    put_u32(&state, a->passes);
    put_u32(&state, a->version);
    put_u32(&state, a->kind);
    put_str(&state, a->password);
    put_str(&state, a->salt);
    put_str(&state, (Str){0}); /* no secret */
    put_str(&state, (Str){0}); /* no associated data */
    (void)crypto_generichash_blake2b_final(&state, ret, SEED_LEN);
}

static void first_blocks(Fill *f, const u8 *hash)
{
    u8 from[SEED_LEN + 8] = {0};
    memcpy(from, hash, SEED_LEN);
    for (u32 lane = 0; lane < f->a->lanes; lane++) {
        from[SEED_LEN + 4] = (u8)lane;
        for (u32 i = 0; i < 2; i++) {
            from[SEED_LEN] = (u8)i;
            /* Little endian, as x86-64 and AArch64 are. */
            long_hash(from, sizeof from, (u8 *)f->memory[lane * f->columns + i].v,
                      sizeof(Argon2Block));
        }
    }
    OPENSSL_cleanse(from, sizeof from);
}

/* The 128 numbers from `index` on, for the variants that do not look at the data. */
static void make_addresses(const Fill *f, const Place *at, Argon2Block *ret)
{
    static const Argon2Block zero;
    Argon2Block input = {.v = {at->pass, at->lane, at->slice, f->blocks, f->a->passes, f->a->kind,
                               at->index / ARGON2_WORDS + 1}};
    argon2_compress(&zero, &input, ret, false);
    argon2_compress(&zero, ret, ret, false);
}

/* Which block of the lane a number means (3.4.2). */
static u32 reference(const Fill *f, const Place *at, u32 random, bool is_same_lane)
{
    u32 area = at->pass ? f->columns - f->slice : at->slice * f->slice;
    if (is_same_lane)
        area += at->index - 1;
    else if (at->index == 0)
        area--;
    u64 x = (u64)random * random >> 32;
    u32 place = area - 1 - (u32)((u64)area * x >> 32);
    u32 start = at->pass && at->slice + 1 < SLICES ? (at->slice + 1) * f->slice : 0;
    return (start + place) % f->columns;
}

static void fill_segment(const Fill *f, Place at)
{
    Argon2Block addresses;
    const Argon2 *a = f->a;
    bool is_blind =
        a->kind == ARGON2_I || (a->kind == ARGON2_ID && at.pass == 0 && at.slice < SLICES / 2);
    bool is_first = at.pass == 0 && at.slice == 0;
    Argon2Block *lane = f->memory + (usize)at.lane * f->columns;
    for (at.index = 0; at.index < f->slice; at.index++) {
        if (is_blind && at.index % ARGON2_WORDS == 0) make_addresses(f, &at, &addresses);
        if (is_first && at.index < 2) continue;
        u32 column = at.slice * f->slice + at.index;
        const Argon2Block *prev = &lane[column ? column - 1 : f->columns - 1];
        u64 random = is_blind ? addresses.v[at.index % ARGON2_WORDS] : prev->v[0];
        u32 other = is_first ? at.lane : (u32)(random >> 32) % a->lanes;
        u32 from = reference(f, &at, (u32)random, other == at.lane);
        argon2_compress(prev, &f->memory[(usize)other * f->columns + from], &lane[column],
                        at.pass && a->version != VERSION_10);
    }
}

static void fill_memory(const Fill *f)
{
    for (u32 pass = 0; pass < f->a->passes; pass++) {
        for (u32 slice = 0; slice < SLICES; slice++) {
            for (u32 lane = 0; lane < f->a->lanes; lane++)
                fill_segment(f, (Place){.pass = pass, .lane = lane, .slice = slice});
        }
    }
}

int argon2_hash(const Argon2 *a, u8 *tag, usize n)
{
    if (a->lanes < 1 || a->lanes > ARGON2_LANES_MAX || a->passes < 1) return -EINVAL;
    if (a->memory_kib < ARGON2_MEMORY_MIN_KIB * a->lanes) return -EINVAL;
    if (a->memory_kib > ARGON2_MEMORY_MAX_KIB || a->salt.n < ARGON2_SALT_MIN) return -EINVAL;
    if (n < ARGON2_TAG_MIN || n > ARGON2_TAG_MAX) return -EINVAL;
    if (a->password.n > UINT32_MAX || a->salt.n > UINT32_MAX) return -EINVAL;
    Fill f = {.a = a, .slice = a->memory_kib / (SLICES * a->lanes)};
    f.columns = f.slice * SLICES;
    f.blocks = f.columns * a->lanes;
    usize size = (usize)f.blocks * sizeof(Argon2Block);
    /* Not mem_new: so much may not be there, and that is no reason to end. */
    f.memory = OPENSSL_malloc(size);
    if (!f.memory) return -ENOMEM;
    u8 hash[SEED_LEN];
    seed(a, n, hash);
    first_blocks(&f, hash);
    fill_memory(&f);
    Argon2Block last = f.memory[f.columns - 1];
    for (u32 lane = 1; lane < a->lanes; lane++) {
        const Argon2Block *other = &f.memory[(usize)(lane + 1) * f.columns - 1];
        for (u32 i = 0; i < ARGON2_WORDS; i++) last.v[i] ^= other->v[i];
    }
    long_hash((const u8 *)last.v, sizeof last, tag, n);
    OPENSSL_cleanse(hash, sizeof hash);
    OPENSSL_cleanse(&last, sizeof last);
    OPENSSL_free(f.memory);
    return 0;
}
