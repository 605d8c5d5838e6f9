/* util/map.c -- open-addressing hash tables (see map.h). */
#include "util/map.h"

enum { CAP_FIRST = 16 };

static bool is_crowded(u32 len, u32 cap)
{
    return (u64)len * 4 >= (u64)cap * 3;
}

static u32 str_home(const StrMap *m, u64 hash)
{
    return (u32)hash & (m->cap - 1);
}

static StrMapSlot *str_probe(const StrMap *m, Str key, u64 hash)
{
    for (u32 i = str_home(m, hash);; i = (i + 1) & (m->cap - 1)) {
        StrMapSlot *s = &m->slots[i];
        if (!s->key.p || (s->hash == hash && str_eq(s->key, key))) return s;
    }
}

static COLD void str_rehash(Arena *a, StrMap *m)
{
    StrMap old = *m;
    if (old.cap > UINT32_MAX / 4) bug_oom(old.cap);
    m->cap = old.cap ? old.cap * 2 : CAP_FIRST;
    m->slots = ARENA_ARRAY(a, StrMapSlot, m->cap);
    for (u32 i = 0; i < old.cap; i++) {
        StrMapSlot *s = &old.slots[i];
        if (s->key.p) *str_probe(m, s->key, s->hash) = *s;
    }
}

u64 *str_map_find(const StrMap *m, Str key)
{
    if (!m->len) return NULL;
    if (!key.p) key.p = "";
    StrMapSlot *s = str_probe(m, key, str_hash(key));
    return s->key.p ? &s->value : NULL;
}

u64 *str_map_put(Arena *a, StrMap *m, Str key, bool *ret_new)
{
    if (!key.p) key.p = "";
    if (is_crowded(m->len + 1, m->cap)) str_rehash(a, m);
    u64 hash = str_hash(key);
    StrMapSlot *s = str_probe(m, key, hash);
    bool is_new = !s->key.p;
    if (is_new) {
        *s = (StrMapSlot){.key = key, .hash = hash};
        m->len++;
    }
    if (ret_new) *ret_new = is_new;
    return &s->value;
}

bool str_map_del(StrMap *m, Str key)
{
    if (!m->len) return false;
    if (!key.p) key.p = "";
    StrMapSlot *s = str_probe(m, key, str_hash(key));
    if (!s->key.p) return false;
    u32 hole = (u32)(s - m->slots);
    for (u32 i = hole;;) {
        i = (i + 1) & (m->cap - 1);
        StrMapSlot *t = &m->slots[i];
        if (!t->key.p) break;
        /* An entry may fill the hole unless its home lies cyclically behind the hole. */
        u32 home = str_home(m, t->hash);
        if (((i - home) & (m->cap - 1)) < ((i - hole) & (m->cap - 1))) continue;
        m->slots[hole] = *t;
        hole = i;
    }
    m->slots[hole] = (StrMapSlot){0};
    m->len--;
    return true;
}

StrMapSlot *str_map_next(const StrMap *m, u32 *pos)
{
    while (*pos < m->cap) {
        StrMapSlot *s = &m->slots[(*pos)++];
        if (s->key.p) return s;
    }
    return NULL;
}

static u32 id_home(const IdMap *m, u64 key)
{
    return (u32)((key * 0x9e3779b97f4a7c15u) >> 32) & (m->cap - 1);
}

static IdMapSlot *id_probe(const IdMap *m, u64 key)
{
    for (u32 i = id_home(m, key);; i = (i + 1) & (m->cap - 1)) {
        IdMapSlot *s = &m->slots[i];
        if (!s->key || s->key == key) return s;
    }
}

static COLD void id_rehash(Arena *a, IdMap *m)
{
    IdMap old = *m;
    if (old.cap > UINT32_MAX / 4) bug_oom(old.cap);
    m->cap = old.cap ? old.cap * 2 : CAP_FIRST;
    m->slots = ARENA_ARRAY(a, IdMapSlot, m->cap);
    for (u32 i = 0; i < old.cap; i++)
        if (old.slots[i].key) *id_probe(m, old.slots[i].key) = old.slots[i];
}

u64 *id_map_find(const IdMap *m, u64 key)
{
    ASSERT(key);
    if (!m->len) return NULL;
    IdMapSlot *s = id_probe(m, key);
    return s->key ? &s->value : NULL;
}

u64 *id_map_put(Arena *a, IdMap *m, u64 key, bool *ret_new)
{
    ASSERT(key);
    if (is_crowded(m->len + 1, m->cap)) id_rehash(a, m);
    IdMapSlot *s = id_probe(m, key);
    bool is_new = !s->key;
    if (is_new) {
        *s = (IdMapSlot){.key = key};
        m->len++;
    }
    if (ret_new) *ret_new = is_new;
    return &s->value;
}

bool id_map_del(IdMap *m, u64 key)
{
    ASSERT(key);
    if (!m->len) return false;
    IdMapSlot *s = id_probe(m, key);
    if (!s->key) return false;
    u32 hole = (u32)(s - m->slots);
    for (u32 i = hole;;) {
        i = (i + 1) & (m->cap - 1);
        IdMapSlot *t = &m->slots[i];
        if (!t->key) break;
        u32 home = id_home(m, t->key);
        if (((i - home) & (m->cap - 1)) < ((i - hole) & (m->cap - 1))) continue;
        m->slots[hole] = *t;
        hole = i;
    }
    m->slots[hole] = (IdMapSlot){0};
    m->len--;
    return true;
}

IdMapSlot *id_map_next(const IdMap *m, u32 *pos)
{
    while (*pos < m->cap) {
        IdMapSlot *s = &m->slots[(*pos)++];
        if (s->key) return s;
    }
    return NULL;
}
