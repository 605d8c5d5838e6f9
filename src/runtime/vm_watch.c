/* runtime/vm_watch.c -- reports of loaded files (see vm_watch.h). */
#include "runtime/vm_watch.h"
#include "sys/sys.h"
#include "util/mem.h"
#include "util/path.h"

#include <string.h>

static int watch_fd = -1; /* of the process; workers write to it as well */

static int hot_fd = -1;
static Str changed; /* lives as long as the process */

static int take_fd(Str name)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str text;
    u64 fd;
    if (!sys_env_find(s.arena, name, &text)) return -1;
    (void)sys_env_del(name);
    if (!str_to_u64(text, &fd) || fd > INT32_MAX || sys_set_cloexec((int)fd, true) < 0) return -1;
    return (int)fd;
}

static void take_changed(void)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str text;
    if (!sys_env_find(s.arena, S("COB_WATCH_CHANGED"), &text)) return;
    changed = (Str){mem_dup(text.p, text.n), text.n};
    (void)sys_env_del(S("COB_WATCH_CHANGED"));
}

Str vm_watch_changed(void)
{
    return changed;
}

bool vm_watch_take_fd(void)
{
    watch_fd = take_fd(S("COB_WATCH_FD"));
    hot_fd = take_fd(S("COB_HOT_FD"));
    take_changed();
    return watch_fd >= 0;
}

int vm_watch_hot_fd(void)
{
    return hot_fd;
}

/* Multiply and fold, eight bytes a step. */
u64 vm_watch_hash(Str text)
{
    u64 h = 0x9e3779b97f4a7c15u ^ text.n;
    for (usize i = 0; i < text.n; i += 8) {
        u64 word = 0;
        memcpy(&word, text.p + i, MIN(text.n - i, 8u));
        h = (h ^ word) * 0xff51afd7ed558ccdu;
        h ^= h >> 32;
    }
    return h;
}

static void report(Str path, Str text, WatchKind kind)
{
    if (watch_fd < 0 || !path.n || path.n > WATCH_PATH_MAX) return;
    char buf[sizeof(WatchRecord) + WATCH_PATH_MAX];
    WatchRecord record = {.hash = vm_watch_hash(text), .path_len = (u32)path.n, .kind = (u32)kind};
    memcpy(buf, &record, sizeof(record));
    memcpy(buf + sizeof(record), path.p, path.n);
    /* At most PIPE_BUF bytes are written as one piece, longer ones only by this thread. */
    int rc = sys_write_all(watch_fd, (Str){buf, sizeof(record) + path.n});
    if (rc < 0) watch_fd = -1; /* the process that watched is gone */
}

void vm_on_file_loaded(Str path, Str text)
{
    report(path, text, WATCH_PROGRAM);
}

void vm_on_config_loaded(Str path, Str text)
{
    report(path, text, WATCH_CONFIG);
}

void vm_on_file_missing(Str importer, Str specifier)
{
    bool is_relative = str_starts(specifier, S("./")) || str_starts(specifier, S("../"));
    if (watch_fd < 0 || (!is_relative && !path_is_absolute(specifier))) return;
    AUTO(Scratch) s = scratch_begin(NULL);
    Str dir = path_dirname(importer);
    report(path_resolve(s.arena, S("/"), dir, specifier), S(""), WATCH_MISSING);
}
