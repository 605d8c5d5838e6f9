/* util/map.h -- the two hash tables: StrMap (bytes to u64) and IdMap (u64 to u64).
 *
 * Open addressing with linear probing over a power of two, at most 3/4 full, in an arena.  Keys of
 * a StrMap are borrowed: the bytes must outlive the map (put an arena copy).  Values are 64 bits:
 * an index, an id, or a pointer through (u64)(uintptr_t).  Nothing may be deleted while iterating;
 * deletion leaves no tombstone (later entries of the run move back). */
#pragma once

#include "util/arena.h"
#include "util/str.h"

typedef struct {
    Str key; /* p == NULL: free */
    u64 hash;
    u64 value;
} StrMapSlot;

typedef struct {
    StrMapSlot *slots;
    u32 len, cap;
} StrMap;

/* The value's address, or NULL.  Valid until the next put or del. */
u64 *str_map_find(const StrMap *m, Str key);
/* Finds or inserts (value 0); *ret_new tells which, if not NULL. */
u64 *str_map_put(Arena *a, StrMap *m, Str key, bool *ret_new);
bool str_map_del(StrMap *m, Str key);
/* Iterates: start with *pos = 0; NULL at the end.  Order is that of the table, not of insertion. */
StrMapSlot *str_map_next(const StrMap *m, u32 *pos);

typedef struct {
    u64 key; /* 0 is not a key */
    u64 value;
} IdMapSlot;

typedef struct {
    IdMapSlot *slots;
    u32 len, cap;
} IdMap;

u64 *id_map_find(const IdMap *m, u64 key);
u64 *id_map_put(Arena *a, IdMap *m, u64 key, bool *ret_new);
bool id_map_del(IdMap *m, u64 key);
IdMapSlot *id_map_next(const IdMap *m, u32 *pos);
