/* cli/cli_many_run.c -- starting several scripts, reading what they print, and stopping them.
 *
 * Each runs in a session of its own, so that all it has started can be stopped with it; signals
 * that we get go to all of them, a second Ctrl-C kills. */
#include "cli/many.h"
#include "util/err.h"

enum {
    READ_SIZE = 64 * 1024,
    LINE_MAX_SIZE = 64 * 1024, /* longer ones are cut in pieces */
    KILL_AFTER_MS = 10000,     /* of those that do not stop when another has failed */
};
#define NS_PER_MS 1000000u
#define NS_PER_S  1000000000u

/* ---- Output -----------------------------------------------------------------------------------
 */

static void put_lines(Many *m, ManyJob *job, int fd, ManyStream *s, Str text)
{
    for (usize i = 0; i < text.n; i++) {
        if (text.p[i] != '\n' && s->line.len < LINE_MAX_SIZE) {
            (void)buf_push_char(&s->line, text.p[i]);
            continue;
        }
        Str line = buf_str(&s->line);
        if (text.p[i] == '\n' && line.n && line.p[line.n - 1] == '\r') line.n--;
        cli_many_view_line(m, job, fd, line);
        buf_clear(&s->line);
        if (text.p[i] != '\n') (void)buf_push_char(&s->line, text.p[i]);
    }
}

/* false: nothing more now. */
static bool read_some(Many *m, ManyJob *job, int fd, ManyStream *s)
{
    static char buf[READ_SIZE];
    if (s->fd < 0) return false;
    i64 n = sys_read(s->fd, buf, sizeof(buf));
    if (n > 0) put_lines(m, job, fd, s, (Str){buf, (usize)n});
    if (n == 0 || (n < 0 && n != -EAGAIN)) {
        (void)sys_close(s->fd);
        s->fd = -1;
    }
    return n > 0;
}

static void drain(Many *m, ManyJob *job, int fd, ManyStream *s)
{
    while (read_some(m, job, fd, s)) continue;
    (void)sys_close(s->fd);
    s->fd = -1;
    if (s->line.len) cli_many_view_line(m, job, fd, buf_str(&s->line));
    buf_clear(&s->line);
}

/* ---- Starting ---------------------------------------------------------------------------------
 */

static int open_pipes(int out[2], int err[2])
{
    int rc = sys_pipe(false, out);
    if (rc < 0) return rc;
    rc = sys_pipe(false, err);
    if (rc < 0) {
        (void)sys_close(out[0]);
        (void)sys_close(out[1]);
    }
    return rc;
}

static int spawn_step(Many *m, ManyJob *job)
{
    Cli *cli = m->cli;
    AUTO(Scratch) s = scratch_begin(cli->arena);
    const ManyStep *step = &job->steps[job->step];
    Str own = str_z(cli_own_name(cli));
    CliScriptEnv e = {.package = job->package,
                      .cwd = job->cwd,
                      .event = step->event,
                      .script = step->text,
                      .is_bun = m->options->bun};
    const char *argv[] = {m->shell.p, m->has_own_shell ? "exec" : "-c",
                          str_dup_z(s.arena, cli_script_text(s.arena, own, step->text, step->args)),
                          NULL};
    int out[2], err[2], rc = open_pipes(out, err);
    if (rc < 0) return rc;
    int fds[] = {SYS_FD_NULL, out[1], err[1]};
    SysSpawn spec = {.file = m->shell.p,
                     .argv = argv,
                     .env = cli_script_env(cli, &e),
                     .cwd = str_dup_z(s.arena, job->cwd),
                     .fds = fds,
                     .n_fds = COUNT(fds),
                     .flags = SYS_SPAWN_DETACHED};
    job->start_ns = sys_monotonic_ns();
    rc = sys_spawn(&spec, &job->pid, &job->pidfd);
    (void)sys_close(out[1]);
    (void)sys_close(err[1]);
    if (rc < 0) {
        (void)sys_close(out[0]);
        (void)sys_close(err[0]);
        return rc;
    }
    (void)!sys_set_nonblock(out[0], true);
    (void)!sys_set_nonblock(err[0], true);
    job->out.fd = out[0];
    job->err.fd = err[0];
    return 0;
}

static void signal_all(Many *m, int signo)
{
    for (u32 i = 0; i < m->jobs.len; i++) {
        ManyJob *job = &m->jobs.at[i];
        if (job->state == MANY_WAITING) job->state = MANY_DROPPED;
        if (job->state == MANY_RUNNING) (void)!sys_kill(-job->pid, signo);
    }
}

static void on_failure(Many *m, const ManyJob *job)
{
    int code = job->end.signal ? 128 + job->end.signal : job->end.code;
    if (!m->code) m->code = code;
    bool is_stop = m->mode != MANY_TREE && !m->options->no_exit_on_error;
    if (!is_stop || m->is_stopping) return;
    m->is_stopping = true;
    signal_all(m, SIGINT);
}

static void start_step(Many *m, ManyJob *job)
{
    int rc = spawn_step(m, job);
    job->state = MANY_RUNNING;
    m->is_changed = true;
    if (rc == 0) return;
    cli_error("cannot start \"%.*s\": %s", STR_ARG(m->shell), err_text(rc));
    job->state = MANY_DONE;
    job->end = (SysExit){.code = 1};
    on_failure(m, job);
}

static bool is_ready(const Many *m, u32 i)
{
    const ManyJob *job = &m->jobs.at[i];
    if (job->state != MANY_WAITING || m->is_stopping) return false;
    if (m->mode == MANY_SEQUENTIAL) {
        for (u32 k = 0; k < i; k++)
            if (m->jobs.at[k].state < MANY_DONE) return false;
    }
    for (u32 k = 0; k < job->n_waits; k++)
        if (m->jobs.at[job->waits_for[k]].state < MANY_DONE) return false;
    return true;
}

static u32 start_ready(Many *m)
{
    u32 n_running = 0;
    for (u32 i = 0; i < m->jobs.len; i++) {
        if (is_ready(m, i)) start_step(m, &m->jobs.at[i]);
        n_running += m->jobs.at[i].state == MANY_RUNNING;
    }
    return n_running;
}

/* ---- The end of a step ------------------------------------------------------------------------
 */

static void on_exit(Many *m, ManyJob *job)
{
    job->end_ns = sys_monotonic_ns();
    drain(m, job, 1, &job->out);
    drain(m, job, 2, &job->err);
    (void)sys_close(job->pidfd);
    job->pidfd = -1;
    bool is_good = !job->end.code && !job->end.signal;
    bool has_more = is_good && job->step + 1 < job->n_steps && !m->is_stopping;
    job->state = has_more ? MANY_RUNNING : MANY_DONE;
    cli_many_view_step_end(m, job);
    if (has_more) {
        job->step++;
        start_step(m, job);
    } else {
        Buf_deinit(&job->out.line);
        Buf_deinit(&job->err.line);
        job->out.line = job->err.line = (Buf){0};
        if (!is_good) on_failure(m, job);
    }
}

static void on_signal(Many *m, int fd)
{
    int signo;
    bool from_terminal;
    while (sys_signal_fd_take(fd, &signo, &from_terminal)) {
        bool is_ending = signo == SIGINT || signo == SIGTERM || signo == SIGHUP || signo == SIGQUIT;
        bool is_again = is_ending && m->signal;
        if (is_ending) {
            m->signal = signo;
            m->is_stopping = true;
        }
        signal_all(m, is_again ? SIGKILL : signo);
    }
}

/* ---- The loop ---------------------------------------------------------------------------------
 */

typedef Vec(struct pollfd) Fds;

static void add_fd(Arena *a, Fds *fds, int fd)
{
    vec_push(a, fds, (struct pollfd){.fd = fd, .events = POLLIN});
}

static void turn(Many *m, int signals, u64 timeout_ns)
{
    AUTO(Scratch) s = scratch_begin(m->cli->arena);
    Fds fds = {0};
    add_fd(s.arena, &fds, signals);
    for (u32 i = 0; i < m->jobs.len; i++) {
        const ManyJob *job = &m->jobs.at[i];
        if (job->state != MANY_RUNNING) continue;
        add_fd(s.arena, &fds, job->pidfd);
        add_fd(s.arena, &fds, job->out.fd);
        add_fd(s.arena, &fds, job->err.fd);
    }
    if (sys_poll(fds.at, fds.len, timeout_ns) < 0) return;
    if (fds.at[0].revents) on_signal(m, signals);
    /* Jobs that a callback starts are not in the list: count along with those that were. */
    for (u32 i = 0, k = 1; i < m->jobs.len && k < fds.len; i++) {
        ManyJob *job = &m->jobs.at[i];
        if (job->state != MANY_RUNNING || job->pidfd != fds.at[k].fd) continue;
        const struct pollfd *at = &fds.at[k];
        k += 3;
        if (at[1].revents) (void)read_some(m, job, 1, &job->out);
        if (at[2].revents) (void)read_some(m, job, 2, &job->err);
        if (at[0].revents && sys_child_wait(job->pidfd, false, &job->end) != 0) on_exit(m, job);
    }
}

int cli_many_run(Many *m)
{
    int signals = sys_signal_fd(cli_forwarded_signals());
    if (signals < 0) {
        cli_error("cannot wait for signals: %s", err_text(signals));
        return 1;
    }
    cli_many_view_init(m);
    u64 stop_ns = 0, timeout_ns = UINT64_MAX;
    while (start_ready(m)) {
        if (m->is_stopping) {
            u64 now = sys_monotonic_ns();
            if (!stop_ns) stop_ns = now + (u64)KILL_AFTER_MS * NS_PER_MS;
            if (now >= stop_ns) signal_all(m, SIGKILL);
            timeout_ns = MIN(timeout_ns, now < stop_ns ? stop_ns - now : (u64)NS_PER_S);
        }
        turn(m, signals, timeout_ns);
        timeout_ns = cli_many_view_refresh(m);
    }
    (void)sys_close(signals);
    if (m->signal) sys_signal_die(m->signal);
    return m->code;
}
