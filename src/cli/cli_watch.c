/* cli/cli_watch.c -- --watch and --hot: this process starts the program as a child and starts it
 * again when a file that it has loaded changes.
 *
 * A child can crash, hang, call process.exit() or be killed, and the watching goes on.  It reports
 * each file with a hash of what it has read (runtime/vm_watch.h), so that a change between its
 * reading and our watching is seen too.  Watched are folders, since editors replace files; a file
 * has changed when its content has.
 *
 * After an event we wait SETTLE_MS, for editors that truncate and then write. */
#include "cli/run.h"
#include "loop/loop.h"
#include "util/err.h"
#include "util/map.h"
#include "util/path.h"

#include <string.h>

enum {
    SETTLE_MS = 8,
    EMPTY_TRIES_MAX = 12, /* a file that is suddenly empty is about to be written */
    GRACE_MS = 250,       /* for what the program does when it gets the signal */
    FD_IN_CHILD = 3,
    HOT_FD_IN_CHILD = 4,
    CTIME_SLACK_MS = 20, /* the clock of files is coarse */
    NS_PER_MS = 1000000,
};
#define BIT(signo) ((u64)1 << ((signo)-1))

typedef struct {
    Str path;
    u64 hash;
    u32 n_empty;
    bool is_empty, is_touched;
} File;

typedef struct Watcher Watcher;
typedef struct {
    LoopWatch watch;
    Watcher *owner;
    Str path;
} Dir;

struct Watcher {
    Cli *cli;
    const RunOptions *options;
    Loop *loop;
    int kill_signal;
    const char *exe;
    const char **argv;
    const char **env;
    Str cwd;

    StrMap dirs; /* Dir * */
    bool is_warned;

    Arena run; /* what belongs to one run */
    StrMap by_path;
    Vec(File) files;
    Vec(Str) missing;
    u32 n_program_files;
    u64 start_ns; /* on the clock of files */

    LoopChild child;
    bool is_running, is_restarting;
    SysExit end;
    LoopTimer settle, grace;
    LoopPoll signals, reports;
    int signal_fd, report_fd;
    int hot_fd;  /* --hot: asks the child to load everything anew */
    Buf pending; /* part of a record */
    Buf changed; /* COB_WATCH_CHANGED=, and the paths that end this run, a line each */
    u32 env_len;
    int stop_signal;
    bool is_done;
    bool has_reports; /* the handle is open */
};

static void start_when_closed(Watcher *w);
static void start_run(Watcher *w);

/* ---- Starting again ---------------------------------------------------------------------------
 */

static void on_grace(LoopTimer *t)
{
    Watcher *w = CONTAINER(Watcher, grace, t);
    (void)!loop_child_kill(&w->child, SIGKILL);
}

static bool clears_screen(const Watcher *w)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str value;
    if (w->options->no_clear_screen || !sys_tty_is(1)) return false;
    bool is_set = sys_env_find(s.arena, S("COB_CONFIG_NO_CLEAR_TERMINAL_ON_RELOAD"), &value) ||
                  sys_env_find(s.arena, S("BUN_CONFIG_NO_CLEAR_TERMINAL_ON_RELOAD"), &value);
    return !is_set || !(str_eq(value, S("true")) || str_eq(value, S("1")));
}

static void clear_screen(const Watcher *w)
{
    if (clears_screen(w)) (void)!sys_write_all(1, S("\x1b[2J\x1b[3J\x1b[H"));
}

/* The child reads its files again and reports them again. */
static void reload(Watcher *w)
{
    w->missing.len = 0;
    clear_screen(w);
    (void)!sys_write(w->hot_fd, "r", 1);
}

static void restart(Watcher *w)
{
    if (w->is_restarting) return;
    if (w->is_running && w->hot_fd >= 0) {
        reload(w);
        return;
    }
    w->is_restarting = true;
    if (!w->is_running) {
        start_when_closed(w);
        return;
    }
    (void)!loop_child_kill(&w->child, w->kill_signal);
    loop_timer_start(&w->grace, GRACE_MS, 0, on_grace);
}

/* ---- Files ------------------------------------------------------------------------------------
 */

/* Whether the file has another content than the program has seen. */
static bool has_changed(File *f)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str text;
    if (sys_read_file(s.arena, f->path, SYS_FILE_MAX, &text) < 0) return false;
    f->is_touched = !text.n && !f->is_empty && ++f->n_empty < EMPTY_TRIES_MAX;
    return !f->is_touched && vm_watch_hash(text) != f->hash;
}

/* The next run is told; what does not fit into the environment is left out. */
static void note_changed(Watcher *w, Str path)
{
    enum { CHANGED_MAX = 64 * 1024 };
    if (!w->changed.len) (void)buf_push(&w->changed, S("COB_WATCH_CHANGED="));
    if (w->changed.len + path.n < CHANGED_MAX) (void)buf_fmt(&w->changed, "%.*s\n", STR_ARG(path));
}

static void on_settled(LoopTimer *t)
{
    Watcher *w = CONTAINER(Watcher, settle, t);
    bool is_changed = false, is_pending = false;
    for (u32 i = 0; i < w->files.len; i++) {
        File *f = &w->files.at[i];
        if (!f->is_touched) continue;
        f->is_touched = false;
        if (has_changed(f)) {
            is_changed = true;
            note_changed(w, f->path);
        }
        is_pending |= f->is_touched;
    }
    if (is_changed)
        restart(w);
    else if (is_pending)
        loop_timer_start(t, SETTLE_MS, 0, on_settled);
}

static void touch(Watcher *w, File *f)
{
    f->is_touched = true;
    if (!loop_handle_is_active(&w->settle.handle))
        loop_timer_start(&w->settle, SETTLE_MS, 0, on_settled);
}

/* Whether the program has asked for this path, with or without its ending, in vain. */
static bool is_missed(const Watcher *w, Str path)
{
    for (u32 i = 0; i < w->missing.len; i++) {
        Str want = w->missing.at[i];
        if (str_starts(path, want) && (path.n == want.n || path.p[want.n] == '.')) return true;
    }
    return false;
}

static void on_watch(LoopWatch *watch, u32 events, Str name)
{
    const Dir *dir = CONTAINER(Dir, watch, watch);
    Watcher *w = dir->owner;
    if (events & LOOP_WATCH_LOST) {
        for (u32 i = 0; i < w->files.len; i++) touch(w, &w->files.at[i]);
        return;
    }
    AUTO(Scratch) s = scratch_begin(NULL);
    loop_update_now(w->loop);
    const u64 *slot = str_map_find(&w->by_path, path_join2(s.arena, dir->path, name));
    if (slot) {
        touch(w, &w->files.at[*slot]);
        return;
    }
    if (is_missed(w, path_join2(s.arena, dir->path, name))) restart(w);
}

static void watch_dir(Watcher *w, Str path)
{
    bool is_new;
    Arena *a = w->cli->arena;
    if (str_map_find(&w->dirs, path)) return;
    u64 *slot = str_map_put(a, &w->dirs, str_dup(a, path), &is_new);
    Dir *dir = ARENA_NEW(a, Dir);
    dir->owner = w;
    dir->path = str_dup(a, path);
    *slot = (u64)(uintptr_t)dir;
    loop_watch_open(w->loop, &dir->watch);
    int rc = loop_watch_start(&dir->watch, dir->path, 0, on_watch);
    if (rc == 0 || w->is_warned) return;
    w->is_warned = true;
    cli_note("cannot watch \"%.*s\": %s", STR_ARG(path), err_text(rc));
}

/* ---- Reports ----------------------------------------------------------------------------------
 */

/* Changed since the program was started. */
static bool is_recent(const Watcher *w, const SysStat *st)
{
    u64 changed_ns = (u64)st->ctime.s * 1000000000u + st->ctime.ns;
    return changed_ns + (u64)CTIME_SLACK_MS * NS_PER_MS >= w->start_ns;
}

/* It may have come since then. */
static void on_missing(Watcher *w, Str path)
{
    static const char *const endings[] = {"",     ".js",  ".ts",  ".tsx",
                                          ".jsx", ".mjs", ".cjs", ".json"};
    AUTO(Scratch) s = scratch_begin(&w->run);
    vec_push(&w->run, &w->missing, path);
    watch_dir(w, path_dirname(path));
    for (u32 i = 0; i < COUNT(endings); i++) {
        SysStat st;
        bool has_come = sys_stat(str_concat(s.arena, path, str_z(endings[i])), &st) == 0 &&
                        S_ISREG(st.mode) && is_recent(w, &st);
        if (has_come) restart(w);
    }
}

static void on_report(Watcher *w, const WatchRecord *r, Str path)
{
    Arena *a = &w->run;
    bool is_new;
    if (!path_is_absolute(path)) path = path_resolve(a, w->cwd, S(""), path);
    if (r->kind == WATCH_MISSING) {
        on_missing(w, str_dup(a, path));
        return;
    }
    u64 *slot = str_map_find(&w->by_path, path);
    if (slot && w->hot_fd >= 0) {
        File *known = &w->files.at[*slot];
        known->hash = r->hash; /* of what was loaded anew */
        known->is_empty = r->hash == vm_watch_hash(S(""));
        return;
    }
    slot = str_map_put(a, &w->by_path, str_dup(a, path), &is_new);
    w->n_program_files += r->kind == WATCH_PROGRAM;
    if (!is_new) return; /* only what was read first was run */
    *slot = w->files.len;
    File *f = vec_add(a, &w->files);
    *f = (File){.path = str_dup(a, path), .hash = r->hash};
    f->is_empty = r->hash == vm_watch_hash(S(""));
    watch_dir(w, path_dirname(f->path));
    SysStat st;
    if (sys_stat(f->path, &st) == 0 && is_recent(w, &st)) touch(w, f);
}

/* false: the other end is closed, or there is nothing more now. */
static bool read_reports(Watcher *w)
{
    char *to = buf_reserve(&w->pending, 64 * 1024);
    i64 n = w->report_fd < 0 ? 0 : sys_read(w->report_fd, to, 64 * 1024);
    if (n > 0) w->pending.len += (usize)n;
    usize at = 0;
    for (;;) {
        WatchRecord r;
        if (w->pending.len - at < sizeof(r)) break;
        memcpy(&r, w->pending.p + at, sizeof(r));
        if (r.path_len > WATCH_PATH_MAX) return false;
        if (w->pending.len - at - sizeof(r) < r.path_len) break;
        on_report(w, &r, (Str){w->pending.p + at + sizeof(r), r.path_len});
        at += sizeof(r) + r.path_len;
    }
    buf_drop(&w->pending, at);
    return n > 0;
}

static void on_closed_reports(LoopHandle *h)
{
    Watcher *w = CONTAINER(Watcher, reports.handle, h);
    (void)loop_fd_close(w->loop, w->report_fd);
    w->report_fd = -1;
    w->has_reports = false;
    if (w->is_restarting && !w->is_running && !w->is_done) start_run(w);
}

static void close_reports(Watcher *w)
{
    if (w->has_reports && !loop_handle_is_closing(&w->reports.handle))
        loop_handle_close(&w->reports.handle, on_closed_reports);
}

/* The program has ended: its pipe is closed before the next run opens another. */
static void start_when_closed(Watcher *w)
{
    if (w->has_reports)
        close_reports(w);
    else if (w->is_restarting)
        start_run(w);
}

static void on_readable(LoopPoll *p, i32 events)
{
    Watcher *w = CONTAINER(Watcher, reports, p);
    bool is_more = read_reports(w);
    if (events < 0 || (!is_more && events & (LOOP_HANGUP | LOOP_ERROR))) close_reports(w);
}

/* ---- The program ------------------------------------------------------------------------------
 */

static void finish(Watcher *w)
{
    w->is_done = true;
    loop_stop(w->loop);
}

static void on_exit(LoopChild *c, const SysExit *e)
{
    Watcher *w = CONTAINER(Watcher, child, c);
    w->is_running = false;
    w->end = *e;
    loop_timer_stop(&w->grace);
    while (read_reports(w)) continue;
    bool is_over = !w->n_program_files || w->options->hot; /* --hot: it has called process.exit */
    if (w->hot_fd >= 0) (void)sys_close(w->hot_fd);
    w->hot_fd = -1;
    if (w->stop_signal || (!w->is_restarting && is_over))
        finish(w);
    else
        start_when_closed(w);
}

static int spawn(Watcher *w)
{
    int pipe[2], hot[2] = {-1, -1}, rc = sys_pipe(false, pipe);
    if (rc < 0) return rc;
    if (w->options->hot && (rc = sys_pipe(false, hot)) < 0) hot[0] = hot[1] = -1;
    int fds[HOT_FD_IN_CHILD + 1] = {0, 1, 2, pipe[1], hot[0]};
    SysSpawn spec = {.file = w->exe,
                     .argv = w->argv,
                     .env = w->env,
                     .fds = fds,
                     .n_fds = w->options->hot ? HOT_FD_IN_CHILD + 1 : FD_IN_CHILD + 1};
    (void)buf_push_char(&w->changed, '\0');
    w->env[w->env_len] = w->changed.len > 1 ? w->changed.p : NULL;
    w->start_ns = sys_realtime_ns();
    rc = loop_child_start(&w->child, &spec, on_exit);
    buf_clear(&w->changed);
    (void)sys_close(pipe[1]);
    if (hot[0] >= 0) (void)sys_close(hot[0]);
    if (rc < 0) {
        (void)sys_close(pipe[0]);
        if (hot[1] >= 0) (void)sys_close(hot[1]);
        return rc;
    }
    w->hot_fd = hot[1];
    (void)!sys_set_nonblock(pipe[0], true);
    w->report_fd = pipe[0];
    w->has_reports = true;
    loop_poll_open(w->loop, &w->reports, pipe[0]);
    loop_poll_start(&w->reports, LOOP_READABLE, on_readable);
    w->is_running = true;
    return 0;
}

static void start_run(Watcher *w)
{
    if (w->is_restarting) {
        (void)sys_tty_restore();
        clear_screen(w);
    }
    w->is_restarting = false;
    w->by_path = (StrMap){0};
    w->files.at = NULL;
    w->files.len = w->files.cap = 0;
    w->missing.at = NULL;
    w->missing.len = w->missing.cap = 0;
    w->n_program_files = 0;
    arena_clear(&w->run);
    buf_clear(&w->pending);
    int rc = spawn(w);
    if (rc == 0) return;
    cli_error("cannot start \"%s\": %s", w->exe, err_text(rc));
    w->end = (SysExit){.code = 1};
    finish(w);
}

static void on_signals(LoopPoll *p, UNUSED i32 events)
{
    Watcher *w = CONTAINER(Watcher, signals, p);
    int signo;
    bool from_terminal;
    while (sys_signal_fd_take(w->signal_fd, &signo, &from_terminal)) {
        bool is_ending = BIT(signo) & (BIT(SIGINT) | BIT(SIGTERM) | BIT(SIGHUP) | BIT(SIGQUIT));
        if (is_ending) w->stop_signal = signo;
        if (w->is_running && !from_terminal) (void)!loop_child_kill(&w->child, signo);
        if (is_ending && !w->is_running) {
            w->end = (SysExit){.signal = signo};
            finish(w);
        }
    }
}

/* ---- The whole --------------------------------------------------------------------------------
 */

static bool parse_signal(Str text, int *ret)
{
    u64 number;
    *ret = SIGTERM;
    if (!text.n) return true;
    if (str_starts(text, S("SIG"))) text = str_skip(text, 3);
    for (int signo = 1; signo < 32; signo++) {
        const char *name = sigabbrev_np(signo);
        bool is_it = (name && str_eq_nocase(text, str_z(name))) ||
                     (str_to_u64(text, &number) && number == (u64)signo);
        if (!is_it) continue;
        *ret = signo;
        return true;
    }
    cli_error("--watch-kill-signal must be the name of a signal, got \"%.*s\"", STR_ARG(text));
    return false;
}

/* The same command line and environment, and the pipe. */
static void fill_command(Watcher *w)
{
    Cli *cli = w->cli;
    Arena *a = cli->arena;
    Str exe = cli->argv0, *entries;
    u32 n;
    (void)!sys_exe_path(a, &exe);
    w->exe = str_dup_z(a, exe);
    w->argv = ARENA_ARRAY(a, const char *, cli->args.len + 2);
    w->argv[0] = str_dup_z(a, cli->argv0);
    for (u32 i = 0; i < cli->args.len; i++) w->argv[i + 1] = str_dup_z(a, cli->args.at[i]);
    sys_env_list(a, &entries, &n);
    w->env = ARENA_ARRAY(a, const char *, n + 4);
    for (u32 i = 0; i < n; i++) w->env[i] = str_dup_z(a, entries[i]);
    w->env[n] = str_fmt(a, "COB_WATCH_FD=%d", FD_IN_CHILD).p;
    w->env_len = n + 1 + w->options->hot;
    if (w->options->hot) w->env[n + 1] = str_fmt(a, "COB_HOT_FD=%d", HOT_FD_IN_CHILD).p;
    if (sys_cwd(a, &w->cwd) < 0) w->cwd = S("/");
}

int cli_watch(Cli *cli, const RunOptions *o)
{
    Watcher *w = ARENA_NEW(cli->arena, Watcher);
    *w = (Watcher){.cli = cli, .options = o, .report_fd = -1, .hot_fd = -1};
    if (!parse_signal(o->kill_signal, &w->kill_signal)) return 1;
    w->signal_fd = sys_signal_fd(cli_forwarded_signals());
    if (w->signal_fd < 0) {
        cli_error("cannot wait for signals: %s", err_text(w->signal_fd));
        return 1;
    }
    fill_command(w);
    if (sys_tty_is(0)) (void)!sys_tty_set_mode(0, SYS_TTY_NORMAL); /* for sys_tty_restore */
    w->loop = loop_new();
    loop_child_open(w->loop, &w->child);
    loop_timer_open(w->loop, &w->settle);
    loop_timer_open(w->loop, &w->grace);
    loop_poll_open(w->loop, &w->signals, w->signal_fd);
    loop_poll_start(&w->signals, LOOP_READABLE, on_signals);
    start_run(w);
    while (!w->is_done) (void)loop_run(w->loop, LOOP_RUN);
    SysExit end = w->end;
    loop_free(w->loop);
    arena_deinit(&w->run);
    Buf_deinit(&w->pending);
    Buf_deinit(&w->changed);
    return cli_end_like(&end);
}
