/* util/intern.c -- the table behind atoms (see intern.h).
 *
 * Linear probing over 32-bit ids; the hash is kept with the text, so that a probe rarely touches
 * the bytes and growing never does. */
#include "util/intern.h"

#include <string.h>

static u32 hash_bytes(const char *p, usize n)
{
    u64 h = n * 0x9e3779b97f4a7c15u;
    while (n >= 8) {
        u64 w;
        memcpy(&w, p, 8);
        h = (h ^ w) * 0xff51afd7ed558ccdu;
        h ^= h >> 32;
        p += 8;
        n -= 8;
    }
    u64 w = 0;
    if (n >= 4) {
        u32 lo, hi;
        memcpy(&lo, p, 4);
        memcpy(&hi, p + n - 4, 4);
        w = (u64)hi << 32 | lo;
    } else if (n) {
        w = (u64)(u8)p[0] | (u64)(u8)p[n >> 1] << 8 | (u64)(u8)p[n - 1] << 16;
    }
    h = (h ^ w) * 0xff51afd7ed558ccdu;
    return (u32)(h >> 32);
}

void interner_init(Interner *in, Arena *a, u32 n_hint)
{
    u32 n_slots = 64;
    while (n_slots / 2 < n_hint && n_slots < 1u << 30) n_slots *= 2;
    *in = (Interner){.arena = a, .len = 1, .cap = n_slots / 2, .n_slots = n_slots};
    in->texts = ARENA_ARRAY(a, AtomText, in->cap);
    in->slots = ARENA_ARRAY(a, u32, n_slots);
}

static void grow(Interner *in)
{
    u32 n;
    if (!MUL_OK(in->n_slots, 2u, &n)) bug_oom(in->n_slots);
    u32 *slots = ARENA_ARRAY(in->arena, u32, n);
    for (u32 id = 1; id < in->len; id++) {
        u32 i = in->texts[id].hash & (n - 1);
        while (slots[i]) i = (i + 1) & (n - 1);
        slots[i] = id;
    }
    in->texts = arena_grow(in->arena, in->texts, in->cap * sizeof(AtomText),
                           (usize)n / 2 * sizeof(AtomText), _Alignof(AtomText));
    in->slots = slots;
    in->n_slots = n;
    in->cap = n / 2;
}

/* The slot that holds `s`, or the free one where it belongs. */
static u32 find_slot(const Interner *in, Str s, u32 hash)
{
    u32 mask = in->n_slots - 1;
    for (u32 i = hash & mask;; i = (i + 1) & mask) {
        u32 id = in->slots[i];
        if (!id) return i;
        const AtomText *t = &in->texts[id];
        if (t->hash == hash && t->n == s.n && !memcmp(t->p, s.p, s.n)) return i;
    }
}

static Atom add(Interner *in, Str s, u32 hash, u32 slot)
{
    if (in->len == in->cap) {
        grow(in);
        slot = find_slot(in, s, hash);
    }
    Atom id = in->len++;
    in->texts[id] = (AtomText){s.p, (u32)s.n, hash};
    in->slots[slot] = id;
    return id;
}

Atom intern(Interner *in, Str s)
{
    ASSERT(s.n <= UINT32_MAX);
    u32 hash = hash_bytes(s.p, s.n);
    u32 slot = find_slot(in, s, hash);
    return in->slots[slot] ? in->slots[slot] : add(in, s, hash, slot);
}

Atom intern_dup(Interner *in, Str s)
{
    ASSERT(s.n <= UINT32_MAX);
    u32 hash = hash_bytes(s.p, s.n);
    u32 slot = find_slot(in, s, hash);
    return in->slots[slot] ? in->slots[slot] : add(in, str_dup(in->arena, s), hash, slot);
}

Atom intern_find(const Interner *in, Str s)
{
    return in->slots[find_slot(in, s, hash_bytes(s.p, s.n))];
}

/* Newest first: with linear probing each removal then undoes an insertion. */
void interner_truncate(Interner *in, u32 len, Arena *a)
{
    ASSERT(len && len <= in->len);
    while (in->len > len) {
        u32 id = --in->len, mask = in->n_slots - 1;
        u32 i = in->texts[id].hash & mask;
        while (in->slots[i] != id) i = (i + 1) & mask;
        in->slots[i] = 0;
    }
    in->arena = a;
}
