/* util/intern.h -- Atom: an interned string as a 32-bit id.
 *
 * Equal text, equal atom, within one Interner.  Ids count from 1 in order of first appearance, so a
 * table that starts with a fixed list (keywords) gives those fixed ids; 0 is "no atom".  The bytes
 * are borrowed from the caller unless interned with intern_dup. */
#pragma once

#include "util/arena.h"
#include "util/str.h"

typedef u32 Atom;

typedef struct {
    u64 lo, hi; /* the first 16 bytes, zeros behind the end */
    const char *p;
    u32 n;
    u32 hash;
} AtomText;

typedef struct {
    Arena *arena;    /* of tables and of copies */
    AtomText *texts; /* by id; [0] is empty */
    u32 *slots;      /* ids; open addressing */
    u32 len, cap;    /* atoms, room in `texts` */
    u32 n_slots;     /* a power of two */
} Interner;

/* `n_hint`: how many atoms are expected. */
void interner_init(Interner *in, Arena *a, u32 n_hint);
/* Gives the texts, which outlive the table and differ, the ids 1, 2, ...  Must be its first use. */
void interner_seed(Interner *in, const AtomText *texts, u32 n);
/* The bytes of `s` must live as long as the table. */
Atom intern(Interner *in, Str s);
/* The same for text behind whose start at least INTERN_PADDING bytes can be read: the fast way. */
Atom intern_padded(Interner *in, Str s);
/* Copies the bytes when they are new. */
Atom intern_dup(Interner *in, Str s);
/* The atom, or 0 when the text was never interned. */
Atom intern_find(const Interner *in, Str s);

/* Forgets the atoms from id `len` on.  What is added next, and tables that grow, are in `a`; the
 * arenas of before stay until the table is no longer used. */
void interner_truncate(Interner *in, u32 len, Arena *a);

enum { INTERN_PADDING = 16 };

static inline Str atom_str(const Interner *in, Atom a)
{
    DASSERT(a < in->len);
    return (Str){in->texts[a].p, in->texts[a].n};
}

/* An AtomText of at most 16 bytes as a constant. */
#define ATOM_TEXT(lit)                                                                             \
    {                                                                                              \
        ATOM_LO_(lit), ATOM_HI_(lit), "" lit, sizeof(lit) - 1,                                     \
            (u32)ATOM_HASH_(ATOM_LO_(lit), ATOM_HI_(lit))                                          \
    }
#define ATOM_BYTE_(s, i)                                                                           \
    ((u64)(u8)((i) + 1 < sizeof(s) ? (s)[(i) < sizeof(s) ? (i) : 0] : 0) << 8 * ((i) % 8))
#define ATOM_LO_(s)                                                                                \
    (ATOM_BYTE_(s, 0) | ATOM_BYTE_(s, 1) | ATOM_BYTE_(s, 2) | ATOM_BYTE_(s, 3) |                   \
     ATOM_BYTE_(s, 4) | ATOM_BYTE_(s, 5) | ATOM_BYTE_(s, 6) | ATOM_BYTE_(s, 7))
#define ATOM_HI_(s)                                                                                \
    (ATOM_BYTE_(s, 8) | ATOM_BYTE_(s, 9) | ATOM_BYTE_(s, 10) | ATOM_BYTE_(s, 11) |                 \
     ATOM_BYTE_(s, 12) | ATOM_BYTE_(s, 13) | ATOM_BYTE_(s, 14) | ATOM_BYTE_(s, 15))
/* 32 bits of hash, of the first 16 bytes. */
#define ATOM_MIX_(h)        ((h) ^ (h) >> 32)
#define ATOM_HASH_(lo, hi)  (ATOM_STEP_(ATOM_MIX_((lo)*0x9e3779b97f4a7c15u), hi) >> 32)
#define ATOM_STEP_(h, more) (((h) ^ (more)) * 0xff51afd7ed558ccdu)
