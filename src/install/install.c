/* install/install.c -- the steps of an install. */
#include "install/install.h"

#include "install/pkg.h"
#include "util/err.h"
#include "util/path.h"

static bool asks_for_any(const PkgRun *run)
{
    for (u32 i = 0; i < run->pkgs.len && (!i || run->pkgs.at[i].workspace.n); i++)
        if (i || run->pkgs.at[i].deps.len) return true;
    return false;
}

static bool save_lock(PkgRun *run, PkgResult *ret)
{
    if (!run->lock_text.p) run->lock_text = pkg_lock_text(run);
    Str text = run->lock_text;
    Str path = path_join2(run->arena, run->options->dir, S("bun.lock"));
    if (run->has_lock && str_eq(text, run->lock_source.text)) return true;
    /* A project that asks for nothing needs none. */
    if (!run->has_lock && !asks_for_any(run)) return true;
    if (run->options->is_unsaved) return true;
    int rc = sys_write_file_atomic(path, text, 0644);
    if (rc < 0)
        return log_error(run->log, (Span){0}, "Cannot write %.*s: %s", STR_ARG(path), err_text(rc));
    ret->is_lock_saved = true;
    return true;
}

/* Which layout node_modules gets. */
static bool lay_out(PkgRun *run)
{
    const PkgOptions *o = run->options;
    bool has_workspaces = run->pkgs.len > 1 && run->pkgs.at[1].workspace.n;
    run->is_isolated = o->linker == PKG_LINKER_AUTO ? has_workspaces && pkg_config_version(run) > 0
                                                    : o->linker == PKG_LINKER_ISOLATED;
    pkg_layout_switch(run);
    if (!run->is_isolated) return true;
    run->lock_text = pkg_lock_text(run); /* of the nodes as they are */
    return pkg_isolate(run);
}

static bool run_steps(PkgRun *run, PkgResult *ret)
{
    bool ok = pkg_read_root(run) && pkg_lock_read(run) && pkg_solve(run);
    pkg_manifests_drop(run);
    ret->imported = run->imported;
    if (!ok || !pkg_change_settle(run) || !pkg_build_tree(run)) return false;
    /* A frozen lockfile is looked at before anything is touched. */
    if (run->options->is_frozen && !pkg_frozen_check(run)) return false;
    if (run->options->is_dry) {
        pkg_list_lines(run, ret);
        return true;
    }
    if (!run->options->is_lockfile_only) {
        if (!lay_out(run)) return false;
        if (!pkg_patches_read(run)) return false;
        pkg_look_up(run);
        pkg_script_plan(run);
        pkg_survey(run);
        if (!pkg_fetch_all(run) || !pkg_patch_all(run) || !pkg_script_note(run) ||
            !pkg_link_all(run, ret))
            return false;
        if (!pkg_script_run(run, ret)) return false;
        bool must_prune = !run->options->production;
        if (must_prune)
            ret->n_removed = run->is_isolated ? pkg_isolated_prune(run) : pkg_prune(run);
        ret->n_fetched = run->n_fetched;
    }
    if (!pkg_change_save(run) || (!run->options->is_frozen && !save_lock(run, ret))) return false;
    return run->options->is_lockfile_only || pkg_script_run_root(run, ret);
}

bool pkg_install(Arena *a, Loop *loop, const PkgOptions *options, Log *log, PkgResult *ret)
{
    /* In the arena: messages point into its texts. */
    PkgRun *run = ARENA_NEW(a, PkgRun);
    *run = (PkgRun){.arena = a, .loop = loop, .options = options, .log = log};
    *ret = (PkgResult){0};
    run->client = http_client_new(loop);
    http_client_set_max(run->client, PKG_FETCHES_MAX);
    bool ok = run_steps(run, ret);
    pkg_manifests_free(run);
    pkg_sources_free(run);
    http_client_free(run->client);
    (void)loop_run(loop, LOOP_RUN_NOWAIT);
    return ok;
}
