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
/* The bytes of `s` must live as long as the table. */
Atom intern(Interner *in, Str s);
/* Copies the bytes when they are new. */
Atom intern_dup(Interner *in, Str s);
/* The atom, or 0 when the text was never interned. */
Atom intern_find(const Interner *in, Str s);

/* Forgets the atoms from id `len` on.  What is added next, and tables that grow, are in `a`; the
 * arenas of before stay until the table is no longer used. */
void interner_truncate(Interner *in, u32 len, Arena *a);

static inline Str atom_str(const Interner *in, Atom a)
{
    DASSERT(a < in->len);
    return (Str){in->texts[a].p, in->texts[a].n};
}
