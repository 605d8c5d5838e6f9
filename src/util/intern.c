/* util/intern.c -- the table behind atoms (see intern.h).
 *
 * Linear probing over 32-bit ids.  The first 16 bytes, most often all, stand beside the hash as two
 * numbers: a probe compares those and rarely touches the text, and growing never does. */
#include "util/intern.h"

#include <emmintrin.h>
#include <string.h>

typedef struct {
    u64 lo, hi;
    u32 hash;
} Key;

static inline u64 load8(const char *p)
{
    u64 v;
    memcpy(&v, p, 8);
    return v;
}

static inline u32 load4(const char *p)
{
    u32 v;
    memcpy(&v, p, 4);
    return v;
}

/* Bytes behind the first 16. */
static __attribute__((noinline)) u32 hash_long(u64 lo, u64 hi, const char *p, usize n)
{
    u64 h = ATOM_STEP_(ATOM_MIX_(lo * 0x9e3779b97f4a7c15u), hi) ^ n;
    for (usize i = 16; i + 8 < n; i += 8) {
        h = ATOM_STEP_(h, load8(p + i));
        h ^= h >> 32;
    }
    return (u32)(ATOM_STEP_(h, load8(p + n - 8)) >> 32);
}

static inline void finish_key(Key *k, const char *p, usize n)
{
    k->hash = (u32)ATOM_HASH_(k->lo, k->hi);
    if (UNLIKELY(n > 16)) k->hash = hash_long(k->lo, k->hi, p, n);
}

static Key key_of(Str s)
{
    Key k = {0};
    const char *p = s.p;
    usize n = s.n;
    if (n >= 16) {
        k.lo = load8(p);
        k.hi = load8(p + 8);
    } else if (n > 8) {
        k.lo = load8(p);
        k.hi = load8(p + n - 8) >> (8 * (16 - n));
    } else if (n >= 4) {
        k.lo = load4(p) | (u64)load4(p + n - 4) << (8 * (n - 4));
    } else if (n) {
        k.lo =
            (u64)(u8)p[0] | (u64)(u8)p[n >> 1] << 8 * (n >> 1) | (u64)(u8)p[n - 1] << 8 * (n - 1);
    }
    finish_key(&k, p, n);
    return k;
}

static inline Key key_of_padded(Str s)
{
    static const u8 masks[32] = {255, 255, 255, 255, 255, 255, 255, 255,
                                 255, 255, 255, 255, 255, 255, 255, 255};
    const u8 *mask = masks + 16 - MIN(s.n, (usize)16);
    __m128i v = _mm_and_si128(_mm_loadu_si128((const __m128i *)(const void *)s.p),
                              _mm_loadu_si128((const __m128i *)(const void *)mask));
    Key k;
    k.lo = (u64)_mm_cvtsi128_si64(v);
    k.hi = (u64)_mm_cvtsi128_si64(_mm_unpackhi_epi64(v, v));
    finish_key(&k, s.p, s.n);
    return k;
}

void interner_init(Interner *in, Arena *a, u32 n_hint)
{
    u32 n_slots = 64;
    while (n_slots / 2 < n_hint && n_slots < 1u << 30) n_slots *= 2;
    *in = (Interner){.arena = a, .len = 1, .cap = n_slots / 2, .n_slots = n_slots};
    in->texts = arena_alloc_dirty(a, in->cap * sizeof(AtomText), _Alignof(AtomText));
    in->texts[0] = (AtomText){.lo = 1}; /* equal to no text, not even the empty one */
    in->slots = ARENA_ARRAY(a, u32, n_slots);
}

static void put_slots(Interner *in, u32 from)
{
    u32 mask = in->n_slots - 1;
    for (u32 id = from; id < in->len; id++) {
        u32 i = in->texts[id].hash & mask;
        while (in->slots[i]) i = (i + 1) & mask;
        in->slots[i] = id;
    }
}

static COLD void grow(Interner *in)
{
    u32 n;
    if (!MUL_OK(in->n_slots, 2u, &n)) bug_oom(in->n_slots);
    AtomText *texts =
        arena_alloc_dirty(in->arena, (usize)n / 2 * sizeof(AtomText), _Alignof(AtomText));
    memcpy(texts, in->texts, in->len * sizeof(AtomText));
    in->texts = texts;
    in->slots = ARENA_ARRAY(in->arena, u32, n);
    in->n_slots = n;
    in->cap = n / 2;
    put_slots(in, 1);
}

void interner_seed(Interner *in, const AtomText *texts, u32 n)
{
    ASSERT(in->len == 1);
    while (in->cap < n + 1) grow(in);
    memcpy(in->texts + 1, texts, n * sizeof(AtomText));
    in->len = n + 1;
    put_slots(in, 1);
}

/* The slot that holds `s`, or the free one where it belongs. */
static inline u32 find_slot(const Interner *in, Str s, Key k)
{
    u32 mask = in->n_slots - 1;
    for (u32 i = k.hash & mask;; i = (i + 1) & mask) {
        u32 id = in->slots[i];
        if (!id) return i;
        const AtomText *t = &in->texts[id];
        if (((t->lo ^ k.lo) | (t->hi ^ k.hi)) || t->n != s.n) continue;
        if (LIKELY(s.n <= 16) || !memcmp(t->p + 16, s.p + 16, s.n - 16)) return i;
    }
}

static Atom add(Interner *in, Str s, Key k, u32 slot)
{
    ASSERT(s.n <= UINT32_MAX);
    if (UNLIKELY(in->len == in->cap)) {
        grow(in);
        slot = find_slot(in, s, k);
    }
    Atom id = in->len++;
    in->texts[id] = (AtomText){k.lo, k.hi, s.p, (u32)s.n, k.hash};
    in->slots[slot] = id;
    return id;
}

Atom intern(Interner *in, Str s)
{
    Key k = key_of(s);
    u32 slot = find_slot(in, s, k);
    return in->slots[slot] ? in->slots[slot] : add(in, s, k, slot);
}

static __attribute__((noinline)) Atom intern_key(Interner *in, Str s, u64 lo, u64 hi, u32 hash)
{
    Key k = {lo, hi, hash};
    u32 slot = find_slot(in, s, k);
    return in->slots[slot] ? in->slots[slot] : add(in, s, k, slot);
}

Atom intern_padded(Interner *in, Str s)
{
    Key k = key_of_padded(s);
    u32 id = in->slots[k.hash & (in->n_slots - 1)];
    const AtomText *t = &in->texts[id];
    bool same = !((t->lo ^ k.lo) | (t->hi ^ k.hi) | (t->n ^ s.n)) && s.n <= 16;
    return LIKELY(same) ? id : intern_key(in, s, k.lo, k.hi, k.hash);
}

Atom intern_dup(Interner *in, Str s)
{
    Key k = key_of(s);
    u32 slot = find_slot(in, s, k);
    return in->slots[slot] ? in->slots[slot] : add(in, str_dup(in->arena, s), k, slot);
}

Atom intern_find(const Interner *in, Str s)
{
    Key k = key_of(s);
    return in->slots[find_slot(in, s, k)];
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
