/* cli/cli_filter.c -- the patterns of --filter.
 *
 *   foo, @a/<star>    by name            ./packages/<star>   by folder, from the root
 *   {dir}             in or below dir, from the current folder
 *   foo...  foo^...   and what it depends on; without foo itself
 *   ...foo  ...^foo   and what depends on it; without foo itself
 *   !pattern          not these */
#include "cli/run.h"
#include "util/glob.h"
#include "util/path.h"

typedef struct {
    bool is_negative, with_deps, with_dependents, without_self;
    Str base;
} Filter;

static Filter parse(Str text)
{
    Filter f = {0};
    if (str_starts(text, S("!"))) {
        f.is_negative = true;
        text = str_skip(text, 1);
    }
    if (str_starts(text, S("..."))) {
        f.with_dependents = true;
        text = str_skip(text, 3);
        if (str_starts(text, S("^"))) {
            f.without_self = true;
            text = str_skip(text, 1);
        }
    }
    if (str_ends(text, S("..."))) {
        f.with_deps = true;
        text.n -= 3;
        if (str_ends(text, S("^"))) {
            f.without_self = true;
            text.n--;
        }
    }
    f.base = text;
    return f;
}

static bool is_inside(Str dir, Str root)
{
    return str_eq(dir, root) || root.n == 1 || (str_starts(dir, root) && dir.p[root.n] == '/');
}

/* The ones that the middle of the pattern names. */
static void match_base(Cli *cli, const CliWorkspaces *all, Str base, bool *ret)
{
    Arena *a = cli->arena;
    Str cwd = all->root;
    (void)!sys_cwd(a, &cwd);
    bool is_dir = base.n > 2 && base.p[0] == '{' && base.p[base.n - 1] == '}';
    bool is_path = str_starts(base, S("./")) || str_eq(base, S(".")) || str_starts(base, S("../"));
    Str inner = is_dir ? str_slice(base, 1, base.n - 1) : base;
    Str text = is_dir    ? path_resolve(a, cwd, S(""), inner)
               : is_path ? path_resolve(a, cwd, all->root, inner)
                         : inner;
    bool is_any = str_eq(base, S("*")) || str_eq(base, S("**")); /* scoped names too */
    const Glob *glob = is_dir ? NULL : glob_new(a, text, 0);
    for (u32 i = 0; i < all->len; i++) {
        const CliPackage *pkg = &all->at[i].package;
        if (is_dir)
            ret[i] = is_inside(pkg->dir, text);
        else if (is_path)
            ret[i] = str_eq(pkg->dir, text) || (glob && glob_match(glob, pkg->dir));
        else
            ret[i] = pkg->name.n && (is_any || (glob && glob_match(glob, pkg->name)));
    }
}

static void add_reached(const CliWorkspaces *all, const bool *from, bool is_up, bool *ret)
{
    for (bool is_changed = true; is_changed;) {
        is_changed = false;
        for (u32 i = 0; i < all->len; i++) {
            for (u32 k = 0; k < all->at[i].n_deps; k++) {
                u32 dep = all->at[i].deps[k], source = is_up ? dep : i, target = is_up ? i : dep;
                if (ret[target] || (!ret[source] && !from[source])) continue;
                ret[target] = is_changed = true;
            }
        }
    }
}

/* What one pattern selects; false when its middle names nothing. */
static bool match(Cli *cli, const CliWorkspaces *all, const Filter *f, bool *ret_hit)
{
    bool *base = ARENA_ARRAY(cli->arena, bool, all->len + 1), is_hit = false;
    match_base(cli, all, f->base, base);
    if (f->with_deps) add_reached(all, base, false, ret_hit);
    if (f->with_dependents) add_reached(all, base, true, ret_hit);
    for (u32 i = 0; i < all->len; i++) {
        if (base[i]) ret_hit[i] = !f->without_self;
        is_hit |= base[i];
    }
    return is_hit;
}

static bool fail_without(const CliList *patterns)
{
    if (patterns->len == 1)
        cli_error("No workspace packages matched the filter \"%.*s\"", STR_ARG(patterns->at[0]));
    else
        cli_error("No workspace packages matched the filters");
    return false;
}

bool cli_filter_select(Cli *cli, const CliWorkspaces *all, const CliList *patterns,
                       bool *ret_selected)
{
    Arena *a = cli->arena;
    u32 n_positive = 0, n_selected = 0;
    bool *out = ARENA_ARRAY(a, bool, all->len + 1);
    for (u32 p = 0; p < patterns->len; p++) {
        Filter f = parse(patterns->at[p]);
        bool *hit = ARENA_ARRAY(a, bool, all->len + 1);
        if (!match(cli, all, &f, hit) && patterns->len > 1)
            cli_note("no workspace matches the filter \"%.*s\"", STR_ARG(patterns->at[p]));
        bool *into = f.is_negative ? out : ret_selected;
        for (u32 i = 0; i < all->len; i++) into[i] |= hit[i];
        n_positive += !f.is_negative;
    }
    for (u32 i = 0; i < all->len; i++) {
        ret_selected[i] = (ret_selected[i] || !n_positive) && !out[i];
        n_selected += ret_selected[i];
    }
    return n_selected > 0 || fail_without(patterns);
}
