/* install/pkg_script_run.c -- runs lifecycle scripts: several packages at a time, what each needs
 * before it, those of packages in a sandbox.
 *
 * What a script prints is kept and shown when it fails.  When one fails that is not optional, no
 * other is started, those that run are ended, and the folder of the package goes, so that the next
 * run brings it again. */
#include "install/pkg_script.h"
#include "util/err.h"
#include "util/path.h"

#include <string.h>

enum {
    OUTPUT_MAX = 1 << 20, /* the end of it is kept */
    REFUSALS_MAX = 5,     /* named; the others are counted */
    READ_SIZE = 16 << 10,
    SIGNAL_CODE = 128,
};

typedef struct Runner Runner;

/* One package; its scripts run one after the other. */
typedef struct {
    Runner *runner;
    PkgScriptJob *job;
    u32 next; /* event */
    bool is_started, is_ended;
    Str tmp;
    PkgNeeds needs;
    Vec(Str) refused;
    u32 n_more;
    bool was_network_refused;
    Buf output;
} Task;

/* One script.  In the arena, since its handles end later than it does. */
typedef struct {
    Task *task;
    u32 event;
    bool has_sandbox;
    int out;
    SysSandbox sandbox;
    LoopChild child;
    LoopPoll on_output, on_report;
} Script;

struct Runner {
    PkgRun *run;
    PkgResult *result;
    Task *tasks;
    u32 n_tasks, n_running, n_max;
    bool has_failed;
    Vec(Script *) running;
};

static void run_next(Task *t);

/* ---- Environment ----------------------------------------------------------------------------- */

typedef Vec(const char *) Env;

static Str name_of(const char *entry)
{
    return str_slice(str_z(entry), 0, strcspn(entry, "="));
}

static void put(Arena *a, Env *env, const char *name, Str value)
{
    const char *entry = str_fmt(a, "%s=%.*s", name, STR_ARG(value)).p;
    for (u32 i = 0; i < env->len; i++) {
        if (!str_eq(name_of(env->at[i]), str_z(name))) continue;
        env->at[i] = entry;
        return;
    }
    vec_push(a, env, entry);
}

/* The commands of what a package depends on come first. */
static Str path_of(PkgRun *run, const PkgScriptJob *job, Str old)
{
    AUTO(Buf) out = {0};
    buf_fmt(&out, "%.*s/node_modules/.bin:", STR_ARG(job->dir));
    if (run->is_isolated && job->node)
        buf_fmt(&out, "%.*s/.bin:", STR_ARG(pkg_node_modules(run, run->arena, job->node)));
    for (u32 node = job->node; node; node = run->nodes.at[node].parent) {
        u32 up = run->nodes.at[node].parent;
        Str home = up ? pkg_node_place(run, run->arena, up) : run->options->dir;
        buf_fmt(&out, "%.*s/node_modules/.bin:", STR_ARG(home));
    }
    (void)buf_push(&out, old);
    return str_dup(run->arena, buf_str(&out));
}

static void put_package(Arena *a, Env *env, const PkgScriptJob *job)
{
    put(a, env, "npm_package_json", path_join2(a, job->dir, S("package.json")));
    put(a, env, "npm_package_name", job->name);
    put(a, env, "npm_package_version", job->version);
    const JsonNode *config = json_find(&job->json, S("config"));
    for (u32 i = 0; config && config->kind == JSON_OBJECT && i < config->len; i++) {
        const JsonNode *value = &config->items[2 * i + 1];
        if (value->kind != JSON_STRING) continue;
        Str key = json_str(a, &config->items[2 * i]);
        put(a, env, str_fmt(a, "npm_package_config_%.*s", STR_ARG(key)).p, json_str(a, value));
    }
}

/* Places where tools keep things between runs: here they are in the way. */
static void put_private(Arena *a, Env *env, Str tmp)
{
    put(a, env, "TMPDIR", tmp);
    put(a, env, "TMP", tmp);
    put(a, env, "TEMP", tmp);
    put(a, env, "npm_config_cache", path_join2(a, tmp, S("npm-cache")));
    put(a, env, "COB_INSTALL_CACHE_DIR", path_join2(a, tmp, S("cob-cache")));
    put(a, env, "CCACHE_DISABLE", S("1"));
    put(a, env, "COB_CODE_CACHE", S("0"));
    put(a, env, "PYTHONDONTWRITEBYTECODE", S("1"));
}

static const char *const *make_env(PkgRun *run, const PkgScriptJob *job, u32 event, Str tmp)
{
    Arena *a = run->arena;
    Env env = {0};
    Str path = S("/usr/local/bin:/usr/bin:/bin");
    for (const char *const *at = run->script_env; *at; at++) {
        if (str_eq(name_of(*at), S("PATH"))) path = str_skip(str_z(*at), 5);
        /* Of the package whose script we are run by, perhaps. */
        if (!str_starts(str_z(*at), S("npm_package_"))) vec_push(a, &env, *at);
    }
    put(a, &env, "PATH", path_of(run, job, path));
    put(a, &env, "npm_lifecycle_event", pkg_script_names[event]);
    put(a, &env, "npm_lifecycle_script", job->texts[event]);
    put(a, &env, "npm_config_local_prefix", run->options->dir);
    put_package(a, &env, job);
    if (tmp.n) put_private(a, &env, tmp);
    vec_push(a, &env, NULL);
    return env.at;
}

/* ---- Sandbox --------------------------------------------------------------------------------- */

/* Folders that it may write to are there before, and named without links. */
static bool prepare(Task *t)
{
    PkgRun *run = t->runner->run;
    Arena *a = run->arena;
    Str top = S("/tmp"), own[] = {t->job->dir, {0}}, real;
    usize made;
    (void)(sys_env_find(a, S("TMPDIR"), &top) && top.n);
    int rc = sys_mkdtemp(a, path_join2(a, top, S("cob-script-")), &t->tmp);
    if (rc < 0)
        return log_error(run->log, (Span){0}, "Cannot make a folder in %.*s: %s", STR_ARG(top),
                         err_text(rc));
    own[1] = t->tmp;
    for (u32 i = 0; i < t->needs.writable.len; i++) {
        Str *path = &t->needs.writable.at[i];
        (void)!sys_mkdir_all(*path, 0755, &made);
        if (sys_realpath(a, *path, &real) >= 0) *path = real;
    }
    for (u32 i = 0; i < COUNT(own); i++)
        vec_push(a, &t->needs.writable, sys_realpath(a, own[i], &real) >= 0 ? real : own[i]);
    return true;
}

static void take_refusal(Task *t, const SysRefusal *r)
{
    t->was_network_refused |= r->is_network;
    for (u32 i = 0; i < t->refused.len; i++)
        if (r->is_network || str_eq(t->refused.at[i], r->path)) return;
    if (r->is_network) return;
    if (t->refused.len == REFUSALS_MAX)
        t->n_more++;
    else
        vec_push(t->runner->run->arena, &t->refused, str_dup(t->runner->run->arena, r->path));
}

static void on_report(LoopPoll *p, i32 events)
{
    Script *s = CONTAINER(Script, on_report, p);
    AUTO(Scratch) scratch = scratch_begin(NULL);
    SysRefusal refusal;
    if (events < 0 || !(events & LOOP_READABLE)) return loop_poll_stop(p);
    if (sys_sandbox_next(&s->sandbox, scratch.arena, &refusal) == 1)
        take_refusal(s->task, &refusal);
}

static void tell_refusals(Task *t)
{
    PkgRun *run = t->runner->run;
    AUTO(Buf) what = {0};
    for (u32 i = 0; i < t->refused.len; i++)
        buf_fmt(&what, "%s%.*s", i ? ", " : "write ", STR_ARG(t->refused.at[i]));
    if (t->n_more) buf_fmt(&what, " and %u more", t->n_more);
    if (t->was_network_refused) buf_fmt(&what, "%suse the network", what.len ? "; " : "");
    if (!what.len) return;
    (void)log_warn(run->log, (Span){0},
                   "The scripts of %.*s@%.*s may not: %.*s (\"scriptSandbox\" in package.json can "
                   "allow it)",
                   STR_ARG(t->job->name), STR_ARG(t->job->version), STR_ARG(buf_str(&what)));
}

/* ---- Ends ------------------------------------------------------------------------------------ */

static void start_ready(Runner *r)
{
    u32 i = 0;
    while (i < r->n_tasks && r->n_running < r->n_max && !r->has_failed) {
        Task *t = &r->tasks[i++];
        bool is_ready = !t->is_started;
        for (u32 j = 0; j < t->job->after.len && is_ready; j++)
            is_ready = r->tasks[t->job->after.at[j]].is_ended;
        if (!is_ready) continue;
        t->is_started = true;
        r->n_running++;
        run_next(t);
        if (t->is_ended) i = 0; /* others may have waited for it */
    }
}

static void end_task(Task *t)
{
    t->is_ended = true;
    t->runner->n_running--;
    if (t->tmp.n) (void)!sys_remove_tree(t->tmp);
    Buf_deinit(&t->output);
    tell_refusals(t);
}

/* A folder that was built half is as good as none. */
static void drop_package(Task *t)
{
    if (!t->job->is_own) (void)!sys_remove_tree(t->job->dir);
}

static void fail(Task *t, u32 event, const SysExit *e, int rc)
{
    Runner *r = t->runner;
    const PkgScriptJob *job = t->job;
    Str script = pkg_script_names[event];
    drop_package(t);
    if (job->is_optional || r->has_failed) return end_task(t);
    r->has_failed = true;
    r->result->script_output = str_dup(r->run->arena, buf_str(&t->output));
    r->result->exit_code = rc < 0 ? 1 : e->signal ? (u32)(SIGNAL_CODE + e->signal) : (u32)e->code;
    if (rc < 0)
        (void)log_error(r->run->log, (Span){0}, "%.*s script from \"%.*s\" cannot be started: %s",
                        STR_ARG(script), STR_ARG(job->name), err_text(rc));
    else
        (void)log_error(r->run->log, (Span){0}, "%.*s script from \"%.*s\" %s %d", STR_ARG(script),
                        STR_ARG(job->name), e->signal ? "was ended by signal" : "exited with",
                        e->signal ? e->signal : e->code);
    for (u32 i = 0; i < r->running.len; i++)
        if (r->running.at[i]->task != t) (void)!loop_child_kill(&r->running.at[i]->child, SIGTERM);
    end_task(t);
}

/* ---- One script ------------------------------------------------------------------------------ */

static bool read_output(Script *s)
{
    char room[READ_SIZE];
    Buf *out = &s->task->output;
    i64 n = sys_read(s->out, room, sizeof room);
    if (n <= 0) return false;
    (void)buf_push(out, (Str){room, (usize)n});
    if (out->len > OUTPUT_MAX) {
        usize gone = out->len - OUTPUT_MAX / 2;
        memmove(out->p, out->p + gone, out->len - gone);
        out->len -= gone;
    }
    return true;
}

static void on_output(LoopPoll *p, i32 events)
{
    Script *s = CONTAINER(Script, on_output, p);
    if (events < 0 || !read_output(s)) loop_poll_stop(p);
}

static void close_script(Script *s)
{
    Runner *r = s->task->runner;
    loop_handle_close(&s->on_output.handle, NULL);
    if (s->has_sandbox) loop_handle_close(&s->on_report.handle, NULL);
    loop_handle_close(&s->child.handle, NULL);
    loop_fd_close(r->run->loop, s->out);
    if (s->has_sandbox) {
        loop_fd_close(r->run->loop, s->sandbox.reports);
        s->sandbox.reports = -1;
        sys_sandbox_close(&s->sandbox);
    }
    for (u32 i = 0; i < r->running.len; i++) {
        if (r->running.at[i] != s) continue;
        r->running.at[i] = r->running.at[r->running.len - 1];
        r->running.len--;
        break;
    }
}

static void on_exit(LoopChild *c, const SysExit *e)
{
    Script *s = CONTAINER(Script, child, c);
    Task *t = s->task;
    /* What came last.  A program left behind may hold it open, and write on and on. */
    for (u32 i = 0; i < OUTPUT_MAX / READ_SIZE && read_output(s); i++) continue;
    close_script(s);
    if (e->code || e->signal)
        fail(t, s->event, e, 0);
    else
        run_next(t);
    start_ready(t->runner);
}

static int open_sandbox(Script *s)
{
    Task *t = s->task;
    PkgRun *run = t->runner->run;
    if (!t->tmp.n) return 0;
    s->sandbox = (SysSandbox){.writable = t->needs.writable.at,
                              .n_writable = t->needs.writable.len,
                              .has_network = t->needs.has_network};
    int rc = sys_sandbox_open(run->arena, &s->sandbox);
    s->has_sandbox = rc >= 0;
    return rc == -ENOSYS ? 0 : rc; /* then the kernel has none */
}

static int start(Script *s)
{
    Task *t = s->task;
    PkgRun *run = t->runner->run;
    const PkgScriptJob *job = t->job;
    int ends[2], rc = open_sandbox(s);
    if (rc >= 0) rc = sys_pipe(false, ends);
    if (rc < 0) return rc;
    s->out = ends[0];
    rc = sys_set_nonblock(ends[0], true);
    const char *shell = str_dup_z(run->arena, run->script_shell);
    const char *argv[] = {shell, "-c", str_dup_z(run->arena, job->texts[s->event]), NULL};
    int fds[] = {SYS_FD_NULL, ends[1], ends[1]};
    SysSpawn spec = {.file = shell,
                     .argv = argv,
                     .env = make_env(run, job, s->event, t->tmp),
                     .cwd = str_dup_z(run->arena, job->dir),
                     .fds = fds,
                     .n_fds = COUNT(fds),
                     .sandbox = s->has_sandbox ? &s->sandbox : NULL};
    loop_child_open(run->loop, &s->child);
    if (rc >= 0) rc = loop_child_start(&s->child, &spec, on_exit);
    sys_close(ends[1]);
    loop_poll_open(run->loop, &s->on_output, s->out);
    vec_push(run->arena, &t->runner->running, s);
    if (s->has_sandbox) loop_poll_open(run->loop, &s->on_report, s->sandbox.reports);
    if (rc < 0) {
        close_script(s);
        return rc;
    }
    loop_poll_start(&s->on_output, LOOP_READABLE, on_output);
    if (s->has_sandbox) loop_poll_start(&s->on_report, LOOP_READABLE, on_report);
    return 0;
}

static void run_next(Task *t)
{
    PkgRun *run = t->runner->run;
    PkgScriptJob *job = t->job;
    bool is_first = !t->next;
    while (t->next < PKG_SCRIPTS && !job->texts[t->next].n) t->next++;
    if (t->next == PKG_SCRIPTS || t->runner->has_failed) return end_task(t);
    if (is_first && !job->is_own && !run->options->scripts->is_free) {
        pkg_needs_of(run, &run->pkgs.at[run->nodes.at[job->node].pkg], job->dir, &t->needs);
        if (!t->needs.is_free && !prepare(t)) return fail(t, t->next, NULL, -EACCES);
    }
    Script *s = ARENA_NEW(run->arena, Script);
    s->task = t;
    s->event = t->next++;
    int rc = start(s);
    if (rc < 0) fail(t, s->event, NULL, rc);
}

static void open_host(PkgRun *run)
{
    const PkgScriptHost *host = run->options->scripts;
    if (!run->script_env) run->script_env = host->open(host->ctx, &run->script_shell);
}

bool pkg_script_run_all(PkgRun *run, PkgScriptJob *jobs, u32 n_jobs, PkgResult *result)
{
    open_host(run);
    Runner r = {.run = run, .result = result, .n_tasks = n_jobs};
    r.tasks = ARENA_ARRAY(run->arena, Task, n_jobs);
    r.n_max = run->options->scripts->n_max;
    if (!r.n_max) r.n_max = 2 * sys_cpu_count();
    for (u32 i = 0; i < n_jobs; i++) {
        r.tasks[i].runner = &r;
        r.tasks[i].job = &jobs[i];
    }
    start_ready(&r);
    while (r.n_running) (void)loop_run(run->loop, LOOP_RUN_ONCE);
    (void)loop_run(run->loop, LOOP_RUN_NOWAIT); /* the handles' ends */
    return !r.has_failed;
}

bool pkg_script_run_own(PkgRun *run, const PkgScriptJob *job, PkgResult *result)
{
    const PkgScriptHost *host = run->options->scripts;
    open_host(run);
    const char *shell = str_dup_z(run->arena, run->script_shell);
    static const int inherited[] = {0, 1, 2};
    for (u32 i = 0; i < PKG_SCRIPTS; i++) {
        if (!job->texts[i].n) continue;
        const char *argv[] = {shell, "-c", str_dup_z(run->arena, job->texts[i]), NULL};
        SysSpawn spec = {.file = shell,
                         .argv = argv,
                         .env = make_env(run, job, i, S("")),
                         .cwd = str_dup_z(run->arena, job->dir),
                         .fds = inherited,
                         .n_fds = COUNT(inherited)};
        SysExit e = {0};
        int rc = host->run_own(host->ctx, job->texts[i], &spec, &e);
        if (rc >= 0 && !e.code && !e.signal) continue;
        result->exit_code = rc < 0 ? 1 : e.signal ? (u32)(SIGNAL_CODE + e.signal) : (u32)e.code;
        if (rc < 0)
            return log_error(run->log, (Span){0}, "The %.*s script cannot be started: %s",
                             STR_ARG(pkg_script_names[i]), err_text(rc));
        return log_error(run->log, (Span){0}, "%.*s script from \"%.*s\" %s %d",
                         STR_ARG(pkg_script_names[i]), STR_ARG(job->name),
                         e.signal ? "was ended by signal" : "exited with",
                         e.signal ? e.signal : e.code);
    }
    return true;
}
