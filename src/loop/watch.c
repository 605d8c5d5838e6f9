/* loop/watch.c -- LoopWatch: changes of files and directories, over inotify.
 *
 * One inotify descriptor a loop, since the system allows few.  Its watch descriptors are per inode,
 * so several LoopWatch may share one: a map leads from it to a chain of WatchDir, each being one
 * watched place of one LoopWatch.  A recursive LoopWatch has a WatchDir for every directory below
 * it.  A new directory is scanned after it is watched and what is found is reported, since it may
 * have come before the watch did. */
#include "loop/core.h"

#include "util/map.h"
#include "util/mem.h"
#include "util/vec.h"

#include <string.h>

enum {
    READ_SIZE = 16 * 1024,
    READS_MAX = 16, /* a turn */
    CHANGES = IN_ATTRIB | IN_MODIFY,
    MASK = CHANGES | IN_CREATE | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF | IN_MOVED_FROM |
           IN_MOVED_TO,
};

typedef struct WatchDir WatchDir;
struct WatchDir {
    LoopWatch *watch;
    WatchDir *prev, *next; /* of the same LoopWatch */
    WatchDir *next_same;   /* of the same watch descriptor */
    int wd;
    char path[]; /* below the watched directory; "" is that itself */
};

struct WatchState {
    Loop *loop;
    LoopOp op;
    Arena arena;
    IdMap by_wd;
    LoopWatch *first; /* all that are active */
    bool is_running;  /* inside on_done */
    bool is_dying;    /* to be freed when the operation is done */
};

/* ---- State ---------------------------------------------------------------------------------- */

static void on_done(LoopOp *op, i64 res, bool more);

static void arm(WatchState *s)
{
    s->op.code = LOOP_OP_POLL;
    s->op.off = LOOP_READABLE;
    s->op.on_done = on_done;
    loop_op_start(s->loop, &s->op);
}

static int state_get(Loop *loop, WatchState **ret)
{
    if (!loop->watches) {
        int fd = sys_inotify_open();
        if (fd < 0) return fd;
        WatchState *s = MEM_NEW(WatchState);
        s->loop = loop;
        s->op.fd = fd;
        loop->watches = s;
        arm(s);
    }
    *ret = loop->watches;
    return 0;
}

static void state_free(WatchState *s)
{
    (void)loop_fd_close(s->loop, s->op.fd);
    arena_deinit(&s->arena);
    mem_free(s);
}

/* No LoopWatch is left. */
static void state_drop(WatchState *s)
{
    s->loop->watches = NULL;
    s->is_dying = true;
    if (!s->is_running) loop_op_cancel(&s->op);
}

/* ---- Watched places ------------------------------------------------------------------------- */

static WatchDir *chain_of(const WatchState *s, int wd)
{
    u64 *slot = id_map_find(&s->by_wd, (u64)(u32)wd);
    return slot ? (WatchDir *)(uintptr_t)*slot : NULL;
}

static Str full_path(Arena *a, const LoopWatch *w, Str rel)
{
    return rel.n ? str_fmt(a, "%s/%.*s", w->path, STR_ARG(rel)) : str_z(w->path);
}

static WatchDir *find_same(WatchDir *chain, const LoopWatch *w)
{
    while (chain && chain->watch != w) chain = chain->next_same;
    return chain;
}

static int dir_add(WatchState *s, LoopWatch *w, Str rel)
{
    if (w->n_dirs >= LOOP_WATCH_DIRS_MAX) return -ENOSPC;
    AUTO(Scratch) scratch = scratch_begin(NULL);
    u32 mask = MASK | (rel.n ? IN_ONLYDIR | IN_DONT_FOLLOW : 0);
    int wd = sys_inotify_add(s->op.fd, full_path(scratch.arena, w, rel), mask);
    if (wd < 0) return wd;
    WatchDir *chain = chain_of(s, wd);
    /* The same directory under a new name, or scanned twice. */
    if (find_same(chain, w)) return -EEXIST;
    WatchDir *d = mem_new(sizeof(WatchDir) + rel.n + 1);
    d->watch = w;
    d->wd = wd;
    d->next_same = chain;
    if (rel.n) memcpy(d->path, rel.p, rel.n);
    *id_map_put(&s->arena, &s->by_wd, (u64)(u32)wd, NULL) = (u64)(uintptr_t)d;
    d->next = w->dirs;
    if (d->next) d->next->prev = d;
    w->dirs = d;
    w->n_dirs++;
    return 0;
}

static void dir_del(WatchState *s, WatchDir *d)
{
    LoopWatch *w = d->watch;
    if (d->prev)
        d->prev->next = d->next;
    else
        w->dirs = d->next;
    if (d->next) d->next->prev = d->prev;
    w->n_dirs--;
    u64 *slot = id_map_find(&s->by_wd, (u64)(u32)d->wd);
    ASSERT(slot);
    WatchDir *chain = (WatchDir *)(uintptr_t)*slot;
    if (chain == d) {
        chain = d->next_same;
        *slot = (u64)(uintptr_t)chain;
    } else {
        WatchDir *before = chain;
        while (before->next_same != d) before = before->next_same;
        before->next_same = d->next_same;
    }
    if (!chain) {
        (void)id_map_del(&s->by_wd, (u64)(u32)d->wd);
        /* -EINVAL when the kernel has dropped it by itself. */
        (void)sys_inotify_del(s->op.fd, d->wd);
    }
    mem_free(d);
}

/* The directory `rel` and all below it. */
static void dirs_del_below(WatchState *s, LoopWatch *w, Str rel)
{
    WatchDir *next;
    for (WatchDir *d = w->dirs; d; d = next) {
        next = d->next;
        Str path = str_z(d->path);
        if (!str_starts(path, rel)) continue;
        if (path.n == rel.n || path.p[rel.n] == '/') dir_del(s, d);
    }
}

/* ---- Delivery ------------------------------------------------------------------------------- */

static bool is_active(const WatchState *s, const LoopWatch *w)
{
    const LoopWatch *at = s->first;
    while (at && at != w) at = at->next_watch;
    return at != NULL;
}

/* The callback may stop any watch, this one too: `w` must be looked up again after it. */
static void deliver(WatchState *s, LoopWatch *w, u32 events, Str name)
{
    if (!is_active(s, w)) return;
    w->on_watch(w, events, name);
    loop_after_callback(s->loop);
}

typedef Vec(Str) Names;

/* Watches one directory and lists its subdirectories onto `todo`, and everything onto `found`. */
static int scan_one(WatchState *s, LoopWatch *w, Arena *a, Str rel, Names *todo, Names *found)
{
    int rc = dir_add(s, w, rel);
    if (rc == -EEXIST) return 0;
    if (rc < 0) return rc;
    AUTO(SysDir) d = {0};
    SysDirEntry e;
    rc = sys_dir_open(full_path(a, w, rel), &d);
    while (rc == 0 && sys_dir_next(&d, &e) > 0) {
        Str path =
            rel.n ? str_fmt(a, "%.*s/%.*s", STR_ARG(rel), STR_ARG(e.name)) : str_dup(a, e.name);
        if (e.type == S_IFDIR) vec_push(a, todo, path);
        if (found) vec_push(a, found, path);
    }
    return rc;
}

/* Watches `rel` and all directories below it.  What vanishes or may not be read meanwhile is left
 * out. */
static int scan(WatchState *s, LoopWatch *w, Str rel, Arena *a, Names *found)
{
    Names todo = {0};
    vec_push(a, &todo, rel);
    while (todo.len) {
        Str path = vec_pop(&todo);
        int rc = scan_one(s, w, a, path, &todo, found);
        bool is_first = path.n == rel.n;
        if (rc == -ENOSPC || rc == -ENOMEM || (rc < 0 && is_first)) return rc;
    }
    return 0;
}

static Str base_name(const LoopWatch *w)
{
    Str path = str_z(w->path);
    return str_skip(path, (usize)(str_rfind(path, '/') + 1));
}

/* A directory came under a recursive watch. */
static void on_new_dir(WatchState *s, LoopWatch *w, Str rel)
{
    AUTO(Scratch) scratch = scratch_begin(NULL);
    Names found = {0};
    int rc = scan(s, w, str_dup(scratch.arena, rel), scratch.arena, &found);
    for (u32 i = 0; i < found.len; i++) deliver(s, w, LOOP_WATCH_RENAME, found.at[i]);
    if (rc == -ENOSPC) deliver(s, w, LOOP_WATCH_LOST, S(""));
}

/* One event for one of the places that it concerns. */
static void on_place(WatchState *s, LoopWatch *w, Str dir, const struct inotify_event *e)
{
    AUTO(Scratch) scratch = scratch_begin(NULL);
    Str name = e->len ? str_z(e->name) : S("");
    /* What happens to a directory itself is told by its parent, if that is watched. */
    if (!name.n && dir.n) return;
    u32 events = e->mask & CHANGES ? LOOP_WATCH_CHANGE : 0;
    if (e->mask & MASK & ~(u32)CHANGES) events |= LOOP_WATCH_RENAME;
    if (!events) return;
    Str rel = dir.n ? str_fmt(scratch.arena, "%.*s/%.*s", STR_ARG(dir), STR_ARG(name)) : name;
    bool is_subdir = w->flags & LOOP_WATCH_RECURSIVE && e->mask & IN_ISDIR && name.n;
    if (is_subdir && e->mask & (IN_MOVED_FROM | IN_DELETE)) dirs_del_below(s, w, rel);
    deliver(s, w, events, name.n ? rel : base_name(w));
    if (is_subdir && e->mask & (IN_CREATE | IN_MOVED_TO) && is_active(s, w)) on_new_dir(s, w, rel);
}

static void on_overflow(WatchState *s)
{
    AUTO(Scratch) scratch = scratch_begin(NULL);
    Vec(LoopWatch *) all = {0};
    for (LoopWatch *w = s->first; w; w = w->next_watch) vec_push(scratch.arena, &all, w);
    for (u32 i = 0; i < all.len; i++) {
        LoopWatch *w = all.at[i];
        if (!is_active(s, w)) continue;
        if (w->flags & LOOP_WATCH_RECURSIVE) (void)scan(s, w, S(""), scratch.arena, NULL);
        deliver(s, w, LOOP_WATCH_LOST, S(""));
    }
}

static void on_event(WatchState *s, const struct inotify_event *e)
{
    if (e->mask & IN_Q_OVERFLOW) {
        on_overflow(s);
        return;
    }
    /* Callbacks may change the chain, so the places are noted first. */
    typedef struct {
        LoopWatch *watch;
        Str dir;
    } Place;
    AUTO(Scratch) scratch = scratch_begin(NULL);
    Vec(Place) places = {0};
    for (WatchDir *d = chain_of(s, e->wd); d; d = d->next_same) {
        vec_push(scratch.arena, &places,
                 ((Place){d->watch, str_dup(scratch.arena, str_z(d->path))}));
    }
    for (u32 i = 0; i < places.len; i++) {
        if (is_active(s, places.at[i].watch)) on_place(s, places.at[i].watch, places.at[i].dir, e);
    }
    WatchDir *d;
    while (e->mask & IN_IGNORED && (d = chain_of(s, e->wd))) dir_del(s, d);
}

static bool read_events(WatchState *s)
{
    _Alignas(struct inotify_event) char buf[READ_SIZE];
    i64 n = sys_read(s->op.fd, buf, sizeof(buf));
    for (i64 at = 0; at < n && !s->is_dying;) {
        const struct inotify_event *e = (const void *)(buf + at);
        on_event(s, e);
        at += (i64)(sizeof(*e) + e->len);
    }
    return n > 0 && !s->is_dying;
}

static void on_done(LoopOp *op, i64 res, bool more)
{
    (void)more;
    WatchState *s = CONTAINER(WatchState, op, op);
    s->is_running = true;
    for (u32 i = 0; res > 0 && i < READS_MAX && !s->is_dying; i++) {
        if (!read_events(s)) break;
    }
    s->is_running = false;
    if (s->is_dying)
        state_free(s);
    else
        arm(s);
}

/* ---- The handle ----------------------------------------------------------------------------- */

void loop_watch_open(Loop *loop, LoopWatch *w)
{
    *w = (LoopWatch){0};
    loop_handle_open(loop, &w->handle, LOOP_WATCH);
}

static void forget(WatchState *s, LoopWatch *w)
{
    LoopWatch **at = &s->first;
    while (*at != w) at = &(*at)->next_watch;
    *at = w->next_watch;
    while (w->dirs) dir_del(s, w->dirs);
    mem_free(w->path);
    w->path = NULL;
    if (!s->first) state_drop(s);
}

int loop_watch_start(LoopWatch *w, Str path, u32 flags,
                     void (*on_watch)(LoopWatch *w, u32 events, Str name))
{
    ASSERT(!loop_handle_is_closing(&w->handle));
    ASSERT(on_watch);
    loop_watch_stop(w);
    WatchState *s;
    int rc = state_get(w->handle.loop, &s);
    if (rc < 0) return rc;
    while (path.n > 1 && path.p[path.n - 1] == '/') path.n--;
    w->path = mem_new(path.n + 1);
    if (path.n) memcpy(w->path, path.p, path.n);
    w->on_watch = on_watch;
    w->next_watch = s->first;
    s->first = w;
    SysStat st;
    rc = sys_stat(path, &st);
    bool is_tree = rc == 0 && S_ISDIR(st.mode) && flags & LOOP_WATCH_RECURSIVE;
    w->flags = is_tree ? LOOP_WATCH_RECURSIVE : 0;
    AUTO(Scratch) scratch = scratch_begin(NULL);
    if (is_tree)
        rc = scan(s, w, S(""), scratch.arena, NULL);
    else if (rc == 0)
        rc = dir_add(s, w, S(""));
    if (rc < 0) {
        forget(s, w);
        return rc;
    }
    loop_handle_set_active(&w->handle, true);
    return 0;
}

void loop_watch_stop(LoopWatch *w)
{
    if (!loop_handle_is_active(&w->handle)) return;
    loop_handle_set_active(&w->handle, false);
    forget(w->handle.loop->watches, w);
}

bool loop_watch_shut(LoopHandle *h)
{
    loop_watch_stop(CONTAINER(LoopWatch, handle, h));
    return true;
}
