/* resolve/resolve_alias.c -- what tsconfig.json adds to resolution: paths, baseUrl, rootDirs. */
#include "resolve/resolve_priv.h"

#include "util/path.h"

const ResolveTsConfig *resolve_ask_ts(Ask *q)
{
    if (!q->has_ts) {
        bool is_off = q->is_node_only || (q->flags & RESOLVE_NO_TSCONFIG);
        q->ts = is_off ? NULL : resolve_ts_above(q->r, q->from);
        q->has_ts = true;
    }
    return q->ts;
}

/* TypeScript's rule: an exact pattern, else the one with the longest part before its `*`. */
static const ResolveTsPath *find_path(const ResolveTsConfig *ts, Str spec, Str *ret_star)
{
    const ResolveTsPath *best = NULL;
    usize best_len = 0;
    *ret_star = (Str){"", 0};
    for (u32 i = 0; i < ts->n_paths; i++) {
        const ResolveTsPath *p = &ts->paths[i];
        Str before, after;
        if (!str_cut(p->pattern, '*', &before, &after)) {
            if (str_eq(p->pattern, spec)) {
                *ret_star = (Str){"", 0};
                return p;
            }
            continue;
        }
        if (spec.n < before.n + after.n || !str_starts(spec, before) || !str_ends(spec, after))
            continue;
        if (best && before.n <= best_len) continue;
        best = p;
        best_len = before.n;
        *ret_star = str_slice(spec, before.n, spec.n - after.n);
    }
    return best;
}

static Outcome try_target(Ask *q, Str base, Str target, Str star)
{
    Str before, after;
    if (str_cut(target, '*', &before, &after))
        target = str_concat(q->tmp, str_concat(q->tmp, before, star), after);
    Str path = path_resolve(q->tmp, S("/"), base, target);
    return resolve_ask_path(q, path, str_ends(target, S("/")));
}

Outcome resolve_ask_alias(Ask *q)
{
    const ResolveTsConfig *ts = resolve_ask_ts(q);
    if (!ts || !q->spec.n) return MISS;
    Str star;
    const ResolveTsPath *p = find_path(ts, q->spec, &star);
    Outcome got = MISS;
    for (u32 i = 0; p && i < p->n_targets && got == MISS; i++)
        got = try_target(q, ts->paths_base, p->targets[i], star);
    bool is_bare = q->spec.p[0] != '/' && q->spec.p[0] != '#' && !resolve_url_scheme(q->spec);
    if (got == MISS && ts->base_url.n && is_bare)
        got = try_target(q, ts->base_url, q->spec, (Str){0});
    return got;
}

Outcome resolve_ask_root_dirs(Ask *q, Str path, bool is_dir)
{
    const ResolveTsConfig *ts = resolve_ask_ts(q);
    if (!ts || !ts->n_root_dirs) return MISS;
    Str root = {0};
    for (u32 i = 0; i < ts->n_root_dirs; i++) {
        Str dir = ts->root_dirs[i];
        bool is_inside = str_starts(path, dir) && path.n > dir.n && path.p[dir.n] == '/';
        if (is_inside && dir.n > root.n) root = dir;
    }
    if (!root.n) return MISS;
    Outcome got = MISS;
    for (u32 i = 0; i < ts->n_root_dirs && got == MISS; i++) {
        if (str_eq(ts->root_dirs[i], root)) continue;
        Str other = str_concat(q->tmp, ts->root_dirs[i], str_skip(path, root.n));
        got = resolve_ask_path(q, other, is_dir);
    }
    return got;
}
