/* internal/subprocess/child_sync.c -- spawnSync: this thread starts a program, feeds it, collects
 * what it writes, and waits for its end. */
#include "builtins/internal/subprocess/child_spec.h"

#include <string.h>
#include <sys/mman.h>

#include "util/buf.h"
#include "util/mem.h"

enum { CHUNK = 64 * 1024 };

typedef enum { RUN_DONE, RUN_TIMED_OUT, RUN_TOO_MUCH } RunEnd;

typedef struct {
    ChildSpec spec;
    Str inputs[SYS_SPAWN_FDS_MAX]; /* what is still to be written */
    Buf outputs[SYS_SPAWN_FDS_MAX];
    usize max; /* of each output; 0: no limit */
    u64 deadline_ns;
    int kill_signal, pidfd;
    i32 pid;
    bool has_exited, is_killed;
    RunEnd end;
    SysExit exit;
} Run;

static void drop_fd(Run *r, u32 i)
{
    sys_close(r->spec.own_fds[i]);
    r->spec.own_fds[i] = -1;
}

static void drop_all(Run *r)
{
    for (u32 i = 0; i < r->spec.spec.n_fds; i++) {
        if (r->spec.own_fds[i] >= 0) drop_fd(r, i);
    }
}

static void kill_child(Run *r, RunEnd end)
{
    if (r->is_killed) return;
    r->is_killed = true;
    r->end = end;
    if (!r->has_exited && sys_pidfd_kill(r->pidfd, r->kill_signal) < 0) r->end = end;
    drop_all(r);
}

static void read_some(Run *r, u32 i)
{
    Buf *b = &r->outputs[i];
    char chunk[CHUNK]; /* most outputs are small: what is kept is as large as they are */
    i64 n = sys_read(r->spec.own_fds[i], chunk, CHUNK);
    if (n == -EAGAIN || n == -EINTR) return;
    if (n <= 0) {
        drop_fd(r, i);
        return;
    }
    (void)buf_push(b, (Str){chunk, (usize)n});
    /* Whoever wants less than was read cuts it. */
    if (!r->max || b->len <= r->max) return;
    kill_child(r, RUN_TOO_MUCH);
}

static void write_some(Run *r, u32 i)
{
    Str *in = &r->inputs[i];
    i64 n = sys_write(r->spec.own_fds[i], in->p, in->n);
    if (n == -EAGAIN || n == -EINTR) return;
    /* A child that does not read its input is no failure (Node: EPIPE is ignored). */
    if (n < 0)
        in->n = 0;
    else
        *in = (Str){in->p + n, in->n - (usize)n};
    if (!in->n) drop_fd(r, i);
}

/* What to wait for, and whose each entry is; the child's end is the first. */
static u32 collect(Run *r, struct pollfd *wait, u32 *owner)
{
    u32 n = 0;
    if (!r->has_exited) {
        owner[n] = SYS_SPAWN_FDS_MAX;
        wait[n++] = (struct pollfd){.fd = r->pidfd, .events = POLLIN};
    }
    for (u32 i = 0; i < r->spec.spec.n_fds; i++) {
        if (r->spec.own_fds[i] < 0) continue;
        owner[n] = i;
        short events = r->inputs[i].n ? POLLOUT : POLLIN;
        wait[n++] = (struct pollfd){.fd = r->spec.own_fds[i], .events = events};
    }
    return n;
}

/* 0: something happened; 1: nothing is left to wait for; else -errno. */
static int turn(Run *r)
{
    struct pollfd wait[SYS_SPAWN_FDS_MAX + 1];
    u32 owner[SYS_SPAWN_FDS_MAX + 1];
    u32 n = collect(r, wait, owner);
    if (!n) return 1;
    u64 timeout = UINT64_MAX;
    if (r->deadline_ns && !r->is_killed) {
        u64 now = sys_monotonic_ns();
        timeout = now >= r->deadline_ns ? 0 : r->deadline_ns - now;
    }
    int rc = sys_poll(wait, n, timeout);
    if (rc < 0) return rc;
    if (rc == 0 && timeout == 0) kill_child(r, RUN_TIMED_OUT);
    for (u32 k = 0; rc > 0 && k < n; k++) {
        u32 i = owner[k];
        if (!wait[k].revents) continue;
        if (i == SYS_SPAWN_FDS_MAX)
            r->has_exited = sys_child_wait(r->pidfd, false, &r->exit) != 0;
        else if (r->spec.own_fds[i] < 0)
            continue; /* dropped meanwhile */
        else if (r->inputs[i].n)
            write_some(r, i);
        else
            read_some(r, i);
    }
    return 0;
}

/* Descriptors that the child reads and that there is no input for are closed at once. */
static int begin(Run *r, const bool *reads)
{
    int rc = child_spec_open(&r->spec);
    if (rc < 0) return rc;
    rc = sys_spawn(&r->spec.spec, &r->pid, &r->pidfd);
    child_spec_close(&r->spec, rc < 0);
    for (u32 i = 0; rc == 0 && i < r->spec.spec.n_fds; i++) {
        if (r->spec.own_fds[i] < 0) continue;
        if (reads[i] && !r->inputs[i].n)
            drop_fd(r, i);
        else
            rc = sys_set_nonblock(r->spec.own_fds[i], true);
    }
    return rc;
}

/* The program changes nothing meanwhile (we are in one call), but shared memory may change under
 * us: copied. */
static bool take_inputs(Js *js, Arena *a, JsVal inputs, Run *r)
{
    if (!js_is_array(js, inputs)) return true;
    for (u32 i = 0; i < r->spec.spec.n_fds; i++) {
        JsBytes bytes;
        JsVal v = js_get_index(js, inputs, i);
        if (!v) return false;
        if (!js_bytes(js, v, &bytes)) continue;
        r->inputs[i] = js_is_shared(js, v) ? str_dup(a, (Str){(const char *)bytes.p, bytes.n})
                                           : (Str){(const char *)bytes.p, bytes.n};
    }
    return true;
}

static void free_bytes(void *p, UNUSED void *data)
{
    mem_free(p);
}

static JsVal result_of(Js *js, Run *r, int rc, const bool *writes)
{
    JsVal outputs[SYS_SPAWN_FDS_MAX];
    for (u32 i = 0; i < r->spec.spec.n_fds; i++) {
        Buf *b = &r->outputs[i];
        outputs[i] = JS_NULL;
        if (!writes[i]) continue;
        outputs[i] =
            b->p ? js_u8array_take(js, b->p, b->len, free_bytes, NULL) : js_u8array(js, "", 0);
        *b = (Buf){0};
    }
    JsVal at[] = {js_int(js, rc), js_int(js, r->pid), js_int(js, (i32)r->end),
                  child_exit_value(js, &r->exit), js_array(js, outputs, r->spec.spec.n_fds)};
    return js_array(js, at, COUNT(at));
}

/* spawnSync(texts..., see child_spec.h; options: flags, uid, gid, timeout in ms or 0, signal, limit
 * of each output or 0; 5: array of inputs) -> [-errno or 0, pid, RunEnd, exit, outputs] */
JsVal child_spawn_sync(Js *js, JsArgs args)
{
    AUTO(Scratch) scratch = scratch_begin(NULL);
    Run *r = ARENA_NEW(scratch.arena, Run);
    r->pidfd = -1;
    if (!child_spec_read(js, scratch.arena, args, &r->spec)) return NULL;
    if (!take_inputs(js, scratch.arena, js_arg(args, 5), r)) return NULL;
    const f64 *o = r->spec.options;
    if (o[3] > 0) r->deadline_ns = sys_monotonic_ns() + (u64)(o[3] * 1e6);
    r->kill_signal = (int)o[4];
    r->max = (usize)o[5];
    bool reads[SYS_SPAWN_FDS_MAX] = {0}, writes[SYS_SPAWN_FDS_MAX] = {0};
    for (u32 i = 0; i < r->spec.spec.n_fds; i++) {
        reads[i] = r->spec.child_fds[i] == CHILD_READS;
        writes[i] = r->spec.child_fds[i] == CHILD_WRITES || r->spec.child_fds[i] == CHILD_SOCKET;
    }
    u32 n_fds = r->spec.spec.n_fds;
    int rc = begin(r, reads);
    while (rc == 0) rc = turn(r);
    if (r->pidfd >= 0) drop_all(r);
    sys_close(r->pidfd);
    r->spec.spec.n_fds = n_fds;
    return result_of(js, r, MIN(rc, 0), writes);
}
