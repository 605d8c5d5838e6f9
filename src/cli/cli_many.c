/* cli/cli_many.c -- which scripts `--filter`, `--workspaces`, `--parallel` and `--sequential` run.
 */
#include "cli/many.h"
#include "util/glob.h"

static void add_step(ManyJob *job, Str event, Str text, CliArgs args)
{
    if (text.n) job->steps[job->n_steps++] = (ManyStep){event, text, args};
}

static void add_steps(Arena *a, ManyJob *job, Str name, CliArgs args)
{
    Str pre = str_concat(a, S("pre"), name), post = str_concat(a, S("post"), name);
    add_step(job, pre, cli_package_script(a, job->package, pre), (CliArgs){0});
    add_step(job, name, cli_package_script(a, job->package, name), args);
    add_step(job, post, cli_package_script(a, job->package, post), (CliArgs){0});
}

/* The scripts of a package that `name`, which may be a pattern, stands for. */
static void find_scripts(Arena *a, const CliPackage *pkg, Str name, CliList *ret)
{
    if (cli_package_script(a, pkg, name).n || !glob_is_magic(name)) {
        if (cli_package_script(a, pkg, name).n) vec_push(a, ret, name);
        return;
    }
    const Glob *glob = glob_new(a, name, 0);
    const JsonNode *scripts = cli_package_scripts(pkg);
    for (u32 i = 0; glob && scripts && i < scripts->len; i++) {
        Str key = json_str(a, &scripts->items[i * 2]);
        if (cli_package_script(a, pkg, key).n && glob_match(glob, key)) vec_push(a, ret, key);
    }
}

static int fail(const char *what, Str name)
{
    cli_error("%s \"%.*s\"", what, STR_ARG(name));
    return 1;
}

/* ---- Without workspaces ------------------------------------------------------------------------
 */

static ManyJob *add_job(Many *m, const CliPackage *pkg, Str cwd, Str label)
{
    ManyJob *job = vec_add(m->cli->arena, &m->jobs);
    *job = (ManyJob){.package = pkg, .cwd = cwd, .label = label, .pidfd = -1};
    job->out.fd = job->err.fd = -1;
    return job;
}

/* What is no script is a command line. */
static int add_scripts_here(Many *m, CliArgs names)
{
    Arena *a = m->cli->arena;
    Log log;
    Str cwd;
    CliPackage *pkg = ARENA_NEW(a, CliPackage);
    log_init(&log, a);
    if (sys_cwd(a, &cwd) < 0) return fail("cannot tell the folder of", names.at[0]);
    int rc = cli_package_find(a, &log, cwd, pkg);
    if (rc < 0) return cli_fail_with(&log);
    for (u32 i = 0; i < names.len; i++) {
        CliList scripts = {0};
        if (rc == 1) find_scripts(a, pkg, names.at[i], &scripts);
        for (u32 k = 0; k < scripts.len; k++)
            add_steps(a, add_job(m, pkg, pkg->dir, scripts.at[k]), scripts.at[k], (CliArgs){0});
        if (scripts.len) continue;
        bool is_pattern = str_find(names.at[i], ' ') < 0 && glob_is_magic(names.at[i]);
        if (is_pattern) return fail("No scripts match pattern", names.at[i]);
        ManyJob *job = add_job(m, rc == 1 ? pkg : NULL, cwd, names.at[i]);
        add_step(job, names.at[i], names.at[i], (CliArgs){0});
    }
    return 0;
}

/* ---- In workspaces -----------------------------------------------------------------------------
 */

static void wait_for_deps(Many *m, const CliWorkspaces *all, const u32 *first_job)
{
    Arena *a = m->cli->arena;
    for (u32 i = 0; i < all->len; i++) {
        if (first_job[i] == UINT32_MAX) continue;
        ManyJob *job = &m->jobs.at[first_job[i]];
        Vec(u32) waits = {0};
        for (u32 k = 0; k < all->at[i].n_deps; k++) {
            u32 dep = first_job[all->at[i].deps[k]];
            /* Only on earlier ones: circles were broken when they were sorted. */
            if (dep < first_job[i]) vec_push(a, &waits, dep);
        }
        job->waits_for = waits.at;
        job->n_waits = waits.len;
    }
}

static Str label_of(Many *m, const CliWorkspace *w, Str script)
{
    if (m->mode == MANY_TREE) return w->label;
    return str_fmt(m->cli->arena, "%.*s:%.*s", STR_ARG(w->label), STR_ARG(script));
}

/* Every script that `names` stands for in one workspace; how many were added. */
static u32 add_workspace(Many *m, const CliWorkspace *w, CliArgs names, CliArgs args)
{
    Arena *a = m->cli->arena;
    u32 n = 0;
    for (u32 i = 0; i < names.len; i++) {
        CliList scripts = {0};
        find_scripts(a, &w->package, names.at[i], &scripts);
        for (u32 k = 0; k < scripts.len; k++, n++) {
            Str name = scripts.at[k];
            ManyJob *job = add_job(m, &w->package, w->package.dir, label_of(m, w, name));
            add_steps(a, job, name, args);
        }
    }
    return n;
}

static int nothing_found(const Many *m, CliArgs names, u32 n_selected)
{
    if (m->options->if_present) return 0;
    const CliList *filters = &m->options->filters;
    AUTO(Buf) text = {0};
    for (u32 i = 0; i < filters->len; i++)
        (void)buf_fmt(&text, "%s\"%.*s\"", i ? ", " : " matching ", STR_ARG(filters->at[i]));
    cli_error("Script \"%.*s\" not found in %u %s%s", STR_ARG(names.at[0]), n_selected,
              n_selected == 1 ? "package" : "packages", text.len ? text.p : "");
    return 1;
}

static int add_scripts_of_workspaces(Many *m, CliArgs names, CliArgs args)
{
    Arena *a = m->cli->arena;
    CliWorkspaces all;
    if (!cli_workspaces_load(m->cli, &all)) return 1;
    bool *selected = ARENA_ARRAY(a, bool, all.len + 1);
    u32 *first_job = ARENA_ARRAY(a, u32, all.len + 1), n_selected = 0;
    if (!cli_filter_select(m->cli, &all, &m->options->filters, selected)) return 1;
    for (u32 i = 0; i < all.len; i++) {
        first_job[i] = UINT32_MAX;
        if (!selected[i]) continue;
        n_selected++;
        u32 at = m->jobs.len;
        if (add_workspace(m, &all.at[i], names, args)) {
            first_job[i] = at;
        } else if (m->options->workspaces && !m->options->if_present) {
            cli_error("Missing \"%.*s\" script in package \"%.*s\"", STR_ARG(names.at[0]),
                      STR_ARG(all.at[i].label));
            return 1;
        }
    }
    if (!m->jobs.len) return nothing_found(m, names, n_selected);
    if (m->mode == MANY_TREE) wait_for_deps(m, &all, first_job);
    return 0;
}

int cli_run_many(Cli *cli, const RunOptions *o, CliArgs operands)
{
    Many m = {.cli = cli, .options = o};
    m.mode = o->parallel ? MANY_PARALLEL : o->sequential ? MANY_SEQUENTIAL : MANY_TREE;
    if (!cli_script_shell(cli, o, &m.shell, &m.has_own_shell)) return 1;
    if (!operands.len) {
        cli_error(m.mode == MANY_TREE ? "--filter and --workspaces need the name of a script"
                                      : "--parallel and --sequential need the name of a script");
        return 1;
    }
    bool in_workspaces = o->filters.len || o->workspaces;
    CliArgs names = operands, args = {0};
    if (m.mode == MANY_TREE) {
        names.len = 1;
        args = (CliArgs){.at = operands.at + 1, .len = operands.len - 1};
    }
    int rc =
        in_workspaces ? add_scripts_of_workspaces(&m, names, args) : add_scripts_here(&m, names);
    if (rc || !m.jobs.len) return rc;
    return cli_many_run(&m);
}
