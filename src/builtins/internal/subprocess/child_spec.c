/* internal/subprocess/child_spec.c -- programs to start, as the JavaScript halves describe them. */
#include "builtins/internal/subprocess/child_spec.h"

#include <string.h>

enum { ARGV_MAX = 1 << 20 };

/* Cuts text at its NULs into an array that ends with NULL. */
static const char *const *cut_list(Arena *a, Str text, u32 skip)
{
    u32 n = 0;
    for (usize i = 0; i < text.n; i++) n += !text.p[i];
    n = MIN(n, (u32)ARGV_MAX);
    const char **list = ARENA_ARRAY(a, const char *, n + 1);
    u32 at = 0;
    const char *p = text.p;
    for (u32 i = 0; i < n; i++) {
        if (i >= skip) list[at++] = p;
        p += strlen(p) + 1;
    }
    list[at] = NULL;
    return list;
}

static bool read_stdio(Js *js, JsVal v, ChildSpec *s)
{
    JsBytes bytes;
    if (!js_bytes(js, v, &bytes)) return true;
    u32 n = (u32)(bytes.n / sizeof(i32));
    if (n > SYS_SPAWN_FDS_MAX) {
        (void)js_throw_range_error(js, "more than %d descriptors", SYS_SPAWN_FDS_MAX);
        return false;
    }
    memcpy(s->child_fds, bytes.p, n * sizeof(i32));
    s->spec.n_fds = n;
    for (u32 i = 0; i < n; i++) s->own_fds[i] = -1;
    return true;
}

bool child_spec_read(Js *js, Arena *a, JsArgs args, ChildSpec *ret)
{
    Str text, env = {0}, cwd = {0};
    JsBytes options;
    if (!js_to_str(js, a, js_arg(args, 0), &text)) return false;
    bool has_env = js_is_string(js, js_arg(args, 1)), has_cwd = js_is_string(js, js_arg(args, 2));
    if (has_env && !js_to_str(js, a, js_arg(args, 1), &env)) return false;
    if (has_cwd && !js_to_str(js, a, js_arg(args, 2), &cwd)) return false;
    if (!read_stdio(js, js_arg(args, 3), ret)) return false;
    if (!js_take_bytes(js, js_arg(args, 4), &options)) return false;
    f64 *copy = ARENA_ARRAY(a, f64, options.n / sizeof(f64));
    memcpy(copy, options.p, options.n);
    ret->options = copy;
    ret->spec.file = text.p;
    ret->spec.argv = cut_list(a, text, 1);
    ret->spec.env = cut_list(a, env, 0);
    ret->spec.cwd = has_cwd ? cwd.p : NULL;
    ret->spec.fds = ret->child_fds;
    ret->spec.flags = (u32)copy[0];
    ret->spec.uid = (u32)(i64)copy[1];
    ret->spec.gid = (u32)(i64)copy[2];
    return true;
}

static int open_one(ChildSpec *s, u32 i)
{
    int pair[2], kind = s->child_fds[i];
    int rc = kind == CHILD_SOCKET ? sys_socketpair(false, pair) : sys_pipe(false, pair);
    if (rc < 0) return rc;
    bool is_first = kind == CHILD_READS;
    s->child_fds[i] = pair[is_first ? 0 : 1];
    s->own_fds[i] = pair[is_first ? 1 : 0];
    s->is_own[i] = true;
    return 0;
}

int child_spec_open(ChildSpec *s)
{
    for (u32 i = 0; i < s->spec.n_fds; i++) {
        int kind = s->child_fds[i];
        if (kind == CHILD_NULL) s->child_fds[i] = SYS_FD_NULL;
        if (kind == CHILD_CLOSED) s->child_fds[i] = SYS_FD_CLOSED;
        if (kind > CHILD_READS) continue;
        int rc = open_one(s, i);
        if (rc == 0) continue;
        /* What comes behind was not opened. */
        s->spec.n_fds = i;
        child_spec_close(s, true);
        return rc;
    }
    return 0;
}

void child_spec_close(ChildSpec *s, bool all)
{
    for (u32 i = 0; i < s->spec.n_fds; i++) {
        if (s->is_own[i]) sys_close(s->child_fds[i]);
        if (!all || s->own_fds[i] < 0) continue;
        sys_close(s->own_fds[i]);
        s->own_fds[i] = -1;
    }
}

JsVal child_exit_value(Js *js, const SysExit *e)
{
    const SysUsage *u = &e->usage;
    f64 figures[] = {
        (f64)e->code,
        (f64)e->signal,
        (f64)u->utime_us,
        (f64)u->stime_us,
        (f64)u->max_rss_kb,
        (f64)u->minor_faults,
        (f64)u->major_faults,
        (f64)u->swaps,
        (f64)u->block_in,
        (f64)u->block_out,
        (f64)u->msg_sent,
        (f64)u->msg_received,
        (f64)u->signals,
        (f64)u->voluntary_switches,
        (f64)u->forced_switches,
    };
    JsVal at[COUNT(figures)];
    for (u32 i = 0; i < COUNT(figures); i++) at[i] = js_number(js, figures[i]);
    return js_array(js, at, COUNT(at));
}
