/* resolve/resolve_dir.c -- what is known about directories.
 *
 * A question about a name costs one lstat, until a directory has been asked PROBES_MAX times or
 * somebody is about to try a list of extensions: then it is read as a whole and answers everything
 * from its table.  Symbolic links are followed by our own walk over the same tables, so that real
 * paths cost nothing extra. */
#include "resolve/resolve_priv.h"

#include <string.h>

enum {
    PROBES_MAX = 4,
    LIST_MAX = 200 * 1000, /* entries; longer directories are asked name by name */
    LINKS_MAX = 40,        /* as the kernel's limit */
    SIMILAR_MAX = 64,      /* bytes; longer names get no suggestions */
    SETTLE_S = 2,          /* seconds after a change in which another may have the same time */
};

/* Table values: the kind in the low bits, for links a pointer to the Str of their text. */
enum { KIND_MASK = 7 };

static Entry walk_entry(Resolver *r, Dir *real, Str name, u32 *links);

/* ---- Nodes ------------------------------------------------------------------------------------
 */

static Dir *dir_new(Resolver *r, Dir *parent, Str path)
{
    Dir *d = ARENA_NEW(&r->mem, Dir);
    d->path = path;
    d->parent = parent;
    d->mem.block_size = 1024;
    if (parent) d->name = str_skip(path, parent->path.n + (parent->parent ? 1 : 0));
    d->in_node_modules = parent && (parent->in_node_modules || str_eq(d->name, S("node_modules")));
    *str_map_put(&r->mem, &r->dirs, d->path, NULL) = (u64)(uintptr_t)d;
    return d;
}

static Dir *dir_find(const Resolver *r, Str path)
{
    const u64 *at = str_map_find(&r->dirs, path);
    return at ? (Dir *)(uintptr_t)*at : NULL;
}

Dir *resolve_dir_at(Resolver *r, Str path)
{
    ASSERT(path.n && path.p[0] == '/');
    ASSERT(path.n < SYS_PATH_MAX);
    Dir *d = dir_find(r, path);
    if (d) return d;
    d = dir_find(r, S("/"));
    if (!d) d = dir_new(r, NULL, S("/"));
    Str own = str_dup(&r->mem, path);
    for (usize i = 1; i < own.n; i++) {
        usize end = i;
        while (end < own.n && own.p[end] != '/') end++;
        Str prefix = str_slice(own, 0, end);
        Dir *next = dir_find(r, prefix);
        d = next ? next : dir_new(r, d, prefix);
        i = end;
    }
    return d;
}

Dir *resolve_dir_child(Resolver *r, Dir *d, Str name)
{
    if (d->path.n + 1 + name.n >= SYS_PATH_MAX) return NULL;
    char path[SYS_PATH_MAX];
    usize n = d->parent ? d->path.n : 0;
    memcpy(path, d->path.p, n);
    path[n] = '/';
    memcpy(path + n + 1, name.p, name.n);
    Str full = {path, n + 1 + name.n};
    Dir *child = dir_find(r, full);
    return child ? child : dir_new(r, d, str_dup(&r->mem, full));
}

Str resolve_dir_join(Arena *a, const Dir *d, Str name)
{
    usize n = d->parent ? d->path.n : 0;
    char *p = arena_alloc_dirty(a, n + 1 + name.n, 1);
    memcpy(p, d->path.p, n);
    p[n] = '/';
    memcpy(p + n + 1, name.p, name.n);
    return (Str){p, n + 1 + name.n};
}

void resolve_dir_deinit(Dir *d)
{
    arena_deinit(&d->mem);
    resolve_pkg_free(d->pkg);
    d->pkg = NULL;
    resolve_ts_free(d->ts);
    d->ts = NULL;
}

void resolve_dir_forget(Resolver *r, Dir *d)
{
    arena_clear(&d->mem);
    d->entries = (StrMap){0};
    d->is_listed = d->is_unlistable = false;
    d->n_probes = 0;
    d->fresh = 0;
    d->pkg_state = LOADED_NOT;
    r->epoch++;
}

static bool is_same_time(SysTime x, SysTime y)
{
    return x.s == y.s && x.ns == y.ns;
}

/* A directory that is read as a whole is not read again while its times stand still: a program may
 * ask for an optional package in every call of a function. */
void resolve_dir_recheck(Resolver *r, Dir *d)
{
    SysStat st = {0};
    if (d->is_listed) r->counts.n_stats++;
    bool is_there = d->is_listed && sys_lstat(d->path, &st) >= 0;
    bool is_same = is_there && d->is_settled && st.ino == d->stat.ino && st.dev == d->stat.dev &&
                   is_same_time(st.mtime, d->stat.mtime) && is_same_time(st.ctime, d->stat.ctime);
    if (is_same) {
        if (d->pkg) d->pkg_state = LOADED_NOT;
        d->fresh = r->request + 1;
        return;
    }
    resolve_dir_forget(r, d);
    d->stat = st;
    d->is_settled = is_there && (i64)(sys_realtime_ns() / 1000000000) - st.mtime.s >= SETTLE_S;
}

void resolve_dir_touch(Resolver *r, Dir *d)
{
    if (d->touched == r->request) return;
    d->touched = r->request;
    vec_push(&r->mem, &r->touched, d);
    if (!d->fresh) d->fresh = r->request;
    if (d->fresh < r->request) r->was_stale = true;
}

/* ---- Entries of a real directory --------------------------------------------------------------
 */

static u64 kind_of_mode(u32 mode)
{
    u32 type = mode & S_IFMT;
    return type == S_IFDIR ? ENTRY_DIR : type == S_IFLNK ? ENTRY_LINK : ENTRY_FILE;
}

static void entry_put(Dir *d, Str name, u64 value)
{
    u64 *at = str_map_find(&d->entries, name);
    if (at) {
        if ((*at & KIND_MASK) != value) *at = value;
        return;
    }
    *str_map_put(&d->mem, &d->entries, str_dup(&d->mem, name), NULL) = value;
}

void resolve_dir_list(Resolver *r, Dir *d)
{
    if (d->is_listed || d->is_unlistable) return;
    r->counts.n_lists++;
    AUTO(SysDir) dir = {0};
    SysDirEntry e;
    u32 n = 0;
    int rc = sys_dir_open(d->path, &dir);
    if (rc >= 0) {
        while ((rc = sys_dir_next(&dir, &e)) > 0 && ++n <= LIST_MAX)
            if (e.type) entry_put(d, e.name, kind_of_mode(e.type));
    }
    d->is_listed = rc == 0 || rc == -ENOENT || rc == -ENOTDIR;
    d->is_unlistable = !d->is_listed;
}

static u64 *entry_probe(Resolver *r, Dir *d, Str name)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    SysStat st;
    r->counts.n_stats++;
    d->n_probes = (u8)MIN(d->n_probes + 1, PROBES_MAX);
    Str path = resolve_dir_join(s.arena, d, name);
    int rc = sys_lstat(path, &st);
    /* Of a directory that cannot be read, missing names are not kept: nothing would bound them. */
    if (rc < 0 && d->is_unlistable) return NULL;
    entry_put(d, name, rc < 0 ? (u64)ENTRY_MISSING : kind_of_mode(st.mode));
    return str_map_find(&d->entries, name);
}

/* The table value, or NULL when there is nothing by this name. */
static u64 *entry_value(Resolver *r, Dir *d, Str name)
{
    resolve_dir_touch(r, d);
    u64 *at = str_map_find(&d->entries, name);
    if (!at && !d->is_listed) {
        if (d->n_probes >= PROBES_MAX) resolve_dir_list(r, d);
        at = d->is_listed ? str_map_find(&d->entries, name) : entry_probe(r, d, name);
    }
    return at && (*at & KIND_MASK) != ENTRY_MISSING ? at : NULL;
}

static Dir *real_child(Resolver *r, Dir *d, Str name)
{
    Dir *child = resolve_dir_child(r, d, name);
    if (!child) return NULL;
    child->real = child;
    child->real_epoch = r->epoch;
    return child;
}

/* Goes from the real directory `at` along `path`, which may hold "..", links and double slashes. */
static Entry walk_path(Resolver *r, Dir *at, Str path, u32 *links)
{
    Entry e = {.kind = ENTRY_DIR, .dir = at};
    Str part;
    while (str_next(&path, '/', &part)) {
        if (!part.n || str_eq(part, S("."))) continue;
        if (e.kind != ENTRY_DIR) return (Entry){.kind = ENTRY_MISSING};
        if (str_eq(part, S(".."))) {
            if (e.dir->parent) e.dir = e.dir->parent;
            e.dir->real = e.dir;
            e.dir->real_epoch = r->epoch;
            continue;
        }
        e = walk_entry(r, e.dir, part, links);
        if (e.kind == ENTRY_MISSING) return e;
    }
    return e;
}

static Entry walk_link(Resolver *r, Dir *real, Str name, u64 *value, u32 *links)
{
    Entry none = {.kind = ENTRY_MISSING};
    if (++*links > LINKS_MAX) return none;
    const Str *text = (const Str *)(uintptr_t)(*value & ~(u64)KIND_MASK);
    if (!text) {
        AUTO(Scratch) s = scratch_begin(NULL);
        Str path = resolve_dir_join(s.arena, real, name);
        r->counts.n_stats++;
        Str got;
        if (sys_readlink(s.arena, path, &got) < 0) return none;
        Str *own = ARENA_NEW(&real->mem, Str);
        *own = str_dup(&real->mem, got);
        *value |= (u64)(uintptr_t)own;
        text = own;
    }
    Dir *start = text->n && text->p[0] == '/' ? resolve_dir_at(r, S("/")) : real;
    return walk_path(r, start, *text, links);
}

static Entry walk_entry(Resolver *r, Dir *real, Str name, u32 *links)
{
    u64 *value = entry_value(r, real, name);
    if (!value) return (Entry){.kind = ENTRY_MISSING};
    switch (*value & KIND_MASK) {
    case ENTRY_FILE: return (Entry){.kind = ENTRY_FILE, .dir = real, .name = name};
    case ENTRY_LINK: return walk_link(r, real, name, value, links);
    default: break;
    }
    Dir *child = real_child(r, real, name);
    return (Entry){.kind = child ? ENTRY_DIR : ENTRY_MISSING, .dir = child};
}

Entry resolve_dir_entry(Resolver *r, Dir *d, Str name)
{
    u32 links = 0;
    Dir *real = resolve_dir_real(r, d);
    return real ? walk_entry(r, real, name, &links) : (Entry){.kind = ENTRY_MISSING};
}

Dir *resolve_dir_real(Resolver *r, Dir *d)
{
    /* Upwards to the first directory that is known, then down again. */
    Dir *known = d;
    while (known->real_epoch != r->epoch && known->parent) known = known->parent;
    if (!known->parent) {
        known->real = known;
        known->real_epoch = r->epoch;
    }
    if (!known->real && known->parent) {
        Dir *above = resolve_dir_real(r, known->parent); /* known too: one level deep at most */
        if (above) resolve_dir_touch(r, above);
        if (known == d) return NULL;
    }
    while (known != d) {
        Dir *next = d;
        while (next->parent != known) next = next->parent;
        u32 links = 0;
        Entry e = {.kind = ENTRY_MISSING};
        if (known->real) e = walk_entry(r, known->real, next->name, &links);
        next->real = e.kind == ENTRY_DIR ? e.dir : NULL;
        next->real_epoch = r->epoch;
        known = next;
    }
    return d->real;
}

/* ---- Suggestions ------------------------------------------------------------------------------
 */

/* The number of changed, added, removed or swapped bytes, or `limit` when it is at least that. */
static u32 edit_distance(Str x, Str y, u32 limit)
{
    if (x.n > SIMILAR_MAX || y.n > SIMILAR_MAX) return limit;
    if ((x.n > y.n ? x.n - y.n : y.n - x.n) >= limit) return limit;
    u32 rows[3][SIMILAR_MAX + 1] = {0};
    for (u32 j = 0; j <= y.n; j++) rows[0][j] = j;
    for (u32 i = 1; i <= x.n; i++) {
        u32 *now = rows[i % 3], *last = rows[(i + 2) % 3], *older = rows[(i + 1) % 3];
        now[0] = i;
        for (u32 j = 1; j <= y.n; j++) {
            bool is_same = x.p[i - 1] == y.p[j - 1];
            u32 best = MIN(last[j - 1] + !is_same, MIN(last[j], now[j - 1]) + 1);
            bool is_swap = i > 1 && j > 1 && x.p[i - 1] == y.p[j - 2] && x.p[i - 2] == y.p[j - 1];
            if (is_swap) best = MIN(best, older[j - 2] + 1);
            now[j] = best;
        }
    }
    return MIN(rows[x.n % 3][y.n], limit);
}

static Str without_extension(Str name)
{
    i64 dot = str_rfind(name, '.');
    return dot > 0 ? str_slice(name, 0, (usize)dot) : name;
}

Str resolve_dir_similar(Resolver *r, Dir *d, Str name, bool *ret_case)
{
    Str best = {0};
    *ret_case = false;
    Dir *real = resolve_dir_real(r, d);
    if (!real || !name.n) return best;
    resolve_dir_list(r, real);
    u32 limit = (u32)MIN((usize)3, name.n / 3 + 1);
    bool has_dot = str_find(name, '.') >= 0;
    u32 pos = 0;
    for (StrMapSlot *slot; (slot = str_map_next(&real->entries, &pos));) {
        if ((slot->value & KIND_MASK) == ENTRY_MISSING) continue;
        Str other = has_dot ? slot->key : without_extension(slot->key);
        bool is_case = str_eq_nocase(other, name);
        u32 distance = is_case ? 0 : edit_distance(name, other, limit);
        if (distance >= limit) continue;
        if (distance == limit - 1 && best.p && str_cmp(slot->key, best) > 0) continue;
        best = slot->key;
        *ret_case = is_case;
        limit = distance + 1;
    }
    return best;
}

void resolve_dir_assume(Resolver *r, Str path)
{
    for (Dir *d = resolve_dir_at(r, path); d->parent; d = d->parent)
        entry_put(d->parent, d->name, ENTRY_DIR);
}
