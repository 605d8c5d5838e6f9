/* web/crypto/keccak.c -- the permutation Keccak-f[1600] and its sponge. */
#include "builtins/web/crypto/keccak.h"

#include <string.h>

static u64 rotate(u64 v, u32 n)
{
    return v << n | v >> (64 - n);
}

static void step_theta(u64 *a)
{
    u64 c[5];
    for (u32 x = 0; x < 5; x++) c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
    for (u32 x = 0; x < 5; x++) {
        u64 d = c[(x + 4) % 5] ^ rotate(c[(x + 1) % 5], 1);
        for (u32 y = 0; y < 25; y += 5) a[y + x] ^= d;
    }
}

/* The steps rho and pi: lanes move along one cycle and turn by the triangular numbers. */
static void step_rho_pi(u64 *a)
{
    static const u8 to[24] = {10, 7,  11, 17, 18, 3, 5,  16, 8,  21, 24, 4,
                              15, 23, 19, 13, 12, 2, 20, 14, 22, 9,  6,  1};
    u64 moved = a[1];
    u32 turn = 0;
    for (u32 i = 0; i < 24; i++) {
        turn = (turn + i + 1) % 64;
        u64 next = a[to[i]];
        a[to[i]] = rotate(moved, turn);
        moved = next;
    }
}

static void step_chi(u64 *a)
{
    for (u32 y = 0; y < 25; y += 5) {
        u64 row[5];
        memcpy(row, a + y, sizeof row);
        for (u32 x = 0; x < 5; x++) a[y + x] = row[x] ^ (~row[(x + 1) % 5] & row[(x + 2) % 5]);
    }
}

static void permute(u64 *a)
{
    static const u64 constants[24] = {
        0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000,
        0x000000000000808b, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
        0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
        0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003,
        0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
        0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
    };
    for (u32 round = 0; round < 24; round++) {
        step_theta(a);
        step_rho_pi(a);
        step_chi(a);
        a[0] ^= constants[round];
    }
}

static void begin(Keccak *k, u32 rate, u8 suffix)
{
    *k = (Keccak){.rate = rate, .suffix = suffix};
}

void shake128_begin(Keccak *k)
{
    begin(k, SHAKE128_RATE, 0x1f);
}

void shake256_begin(Keccak *k)
{
    begin(k, SHAKE256_RATE, 0x1f);
}

static void mix_byte(Keccak *k, u32 at, u8 byte)
{
    k->lanes[at / 8] ^= (u64)byte << at % 8 * 8;
}

void keccak_absorb(Keccak *k, const u8 *p, usize n)
{
    for (usize i = 0; i < n; i++) {
        mix_byte(k, k->at++, p[i]);
        if (k->at == k->rate) permute(k->lanes), k->at = 0;
    }
}

void keccak_finish(Keccak *k)
{
    mix_byte(k, k->at, k->suffix);
    mix_byte(k, k->rate - 1, 0x80);
    permute(k->lanes);
    k->at = 0;
}

void keccak_squeeze(Keccak *k, u8 *out, usize n)
{
    for (usize i = 0; i < n; i++) {
        if (k->at == k->rate) permute(k->lanes), k->at = 0;
        out[i] = (u8)(k->lanes[k->at / 8] >> k->at % 8 * 8);
        k->at++;
    }
}

static void hash(u32 rate, const u8 *p, usize n, u8 *out, usize out_n)
{
    Keccak k;
    begin(&k, rate, 0x06);
    keccak_absorb(&k, p, n);
    keccak_finish(&k);
    keccak_squeeze(&k, out, out_n);
}

void sha3_256(const u8 *p, usize n, u8 *out)
{
    hash(SHA3_256_RATE, p, n, out, 32);
}

void sha3_512(const u8 *p, usize n, u8 *out)
{
    hash(SHA3_512_RATE, p, n, out, 64);
}
