/* install/pkg_ignore.c -- lines of .gitignore and .npmignore, and the entries of "files". */
#include "install/pkg_ignore.h"

#include "util/path.h"

enum { LINE_MAX = 4096 };

/* Behind "!", "./" and "/" is the pattern. */
static bool parse(Arena *a, Str line, bool is_anchored, PkgIgnoreRule *ret)
{
    *ret = (PkgIgnoreRule){0};
    if (str_starts(line, S("!"))) {
        ret->is_negated = true;
        line = str_skip(line, 1);
    } else if (str_starts(line, S("\\"))) { /* "\#", "\!" */
        line = str_skip(line, 1);
    }
    if (str_starts(line, S("./"))) line = str_skip(line, 1);
    if (str_starts(line, S("/"))) {
        is_anchored = true;
        line = str_skip(line, 1);
    }
    if (str_ends(line, S("/"))) {
        ret->is_dir_only = true;
        line.n--;
    }
    if (str_ends(line, S("/**"))) line.n -= 3; /* the same: what is below goes with it */
    if (!line.n || line.n > LINE_MAX) return false;
    bool is_deep = !is_anchored && str_find(line, '/') < 0;
    Str pattern = is_deep ? str_concat(a, S("**/"), line) : line;
    ret->glob = glob_new(a, pattern, 0);
    return ret->glob != NULL;
}

void pkg_ignore_add(Arena *a, PkgIgnore *ignore, Str text, Str base)
{
    Str line;
    PkgIgnoreRule rule;
    if (!text.p) return;
    while (str_next(&text, '\n', &line)) {
        if (str_ends(line, S("\r"))) line.n--;
        while (line.n && line.p[line.n - 1] == ' ') line.n--;
        if (!line.n || line.p[0] == '#' || !parse(a, line, false, &rule)) continue;
        rule.base = base;
        vec_push(a, ignore, rule);
    }
}

void pkg_ignore_add_file_entry(Arena *a, PkgIgnore *ignore, Str entry)
{
    PkgIgnoreRule rule;
    bool is_not = str_starts(entry, S("!"));
    Str pattern = path_normalize(a, is_not ? str_skip(entry, 1) : entry);
    if (!parse(a, pattern, true, &rule)) return;
    rule.is_negated = is_not;
    rule.is_dir_only = false;
    vec_push(a, ignore, rule);
}

bool pkg_ignore_has(const PkgIgnore *ignore, Str path, bool is_dir)
{
    for (u32 i = ignore->len; i-- > 0;) {
        const PkgIgnoreRule *rule = &ignore->at[i];
        Str rel = rule->base.n ? str_skip(path, rule->base.n + 1) : path;
        if (rule->is_dir_only && !is_dir) continue;
        if (glob_match(rule->glob, rel)) return !rule->is_negated;
    }
    return false;
}

bool pkg_ignore_has_below(const PkgIgnore *ignore, Str path)
{
    bool is_in = false;
    for (u32 i = 0; i < ignore->len; i++) {
        const PkgIgnoreRule *rule = &ignore->at[i];
        bool is_match = glob_match(rule->glob, path);
        for (usize n = path.n; !is_match && n-- > 1;)
            is_match = path.p[n] == '/' && glob_match(rule->glob, str_slice(path, 0, n));
        if (is_match) is_in = !rule->is_negated;
    }
    return is_in;
}
