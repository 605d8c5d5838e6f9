/* resolve/resolve_exports.c -- "exports" and "imports" of package.json, step for step as Node's
 * PACKAGE_EXPORTS_RESOLVE, PACKAGE_IMPORTS_RESOLVE and PACKAGE_TARGET_RESOLVE
 * (https://nodejs.org/api/esm.html#resolution-algorithm-specification). */
#include "resolve/resolve_priv.h"

#include "util/path.h"

typedef enum {
    TARGET_UNDEFINED, /* no condition applied: the next one is tried */
    TARGET_NULL,      /* explicitly nothing */
    TARGET_PATH,      /* a file of the package: Work.path */
    TARGET_HIT,       /* a package or built-in, already resolved */
    TARGET_INVALID,   /* the error is set, but a later element of an array may still do */
    TARGET_FAIL,
} Target;

typedef struct {
    Ask *q;
    PkgAt at;
    Str key;     /* "./x", "#x", or the pattern that matched */
    Str subpath; /* what `*` stands for */
    bool is_pattern, is_imports;
    bool is_open; /* the target ends with the `*` */
    Str path, suffix;
} Work;

static Target invalid(Work *w, const JsonNode *target)
{
    resolve_fail_target(w->q, w->at, w->key, target, w->is_imports);
    return TARGET_INVALID;
}

/* ---- Strings ----------------------------------------------------------------------------------
 */

static bool is_forbidden_segment(Arena *a, Str segment)
{
    Str plain, suffix;
    if (!resolve_url_split(a, segment, &plain, &suffix) || suffix.n) return false;
    return str_eq(plain, S(".")) || str_eq(plain, S("..")) ||
           str_eq_nocase(plain, S("node_modules"));
}

/* Whether a part between slashes (either kind) is ".", ".." or "node_modules", also in
 * percent-encoding. */
static bool has_forbidden_segment(Arena *a, Str s)
{
    usize start = 0;
    for (usize i = 0; i <= s.n; i++) {
        if (i < s.n && s.p[i] != '/' && s.p[i] != '\\') continue;
        if (is_forbidden_segment(a, str_slice(s, start, i))) return true;
        start = i + 1;
    }
    return false;
}

/* Every `*` of `s` replaced. */
static Str replace_stars(Arena *a, Str s, Str by)
{
    AUTO(Buf) b = {0};
    for (usize i = 0; i < s.n; i++) {
        if (s.p[i] == '*')
            buf_push(&b, by);
        else
            buf_push_char(&b, s.p[i]);
    }
    return str_dup(a, buf_str(&b));
}

/* A target of "imports" that is not a path: another package or a built-in module. */
static Target package_target(Work *w, Str target)
{
    enum { PACKAGES_MAX = 8 }; /* no chain is longer than one, but nothing else says so */
    Ask *q = w->q;
    if (w->is_pattern) target = replace_stars(q->tmp, target, w->subpath);
    Str name;
    if (resolver_is_builtin(q->r, target, &name)) {
        q->ret->target = RESOLVE_BUILTIN;
        q->ret->path = name;
        return TARGET_HIT;
    }
    if (++q->depth > PACKAGES_MAX) return resolve_fail_not_found(q, target, true), TARGET_FAIL;
    /* Node looks for it as an import would, from the package.json; in the end the error of a
     * require is about what was asked for. */
    bool is_import = q->is_import;
    Str base = q->base;
    if (q->is_node_only) q->is_import = true;
    if (q->is_import) q->base = resolve_pkg_path(q->tmp, w->at);
    Outcome got = resolve_ask_bare(q, target, w->at.at);
    if (got == MISS && q->missing.n)
        got = resolve_fail_not_found(q, q->missing, q->is_main_missing);
    if (got == MISS) got = resolve_fail_not_found(q, target, true);
    q->is_import = is_import;
    q->base = base;
    Str code = got == FAIL ? str_z(q->ret->err.code) : (Str){0};
    bool is_missing =
        str_eq(code, S("ERR_MODULE_NOT_FOUND")) || str_eq(code, S("ERR_UNSUPPORTED_DIR_IMPORT"));
    if (is_missing && !is_import) resolve_fail_require(q, q->spec, (Str){"", 0});
    return got == HIT ? TARGET_HIT : TARGET_FAIL;
}

/* The subpath has a segment that may not be there. */
static Target invalid_subpath(Work *w)
{
    Ask *q = w->q;
    Str before, after;
    (void)str_cut(w->key, '*', &before, &after);
    Str request =
        str_fmt(q->tmp, "%.*s%.*s%.*s", STR_ARG(before), STR_ARG(w->subpath), STR_ARG(after));
    Str path = resolve_pkg_path(q->tmp, w->at);
    Str why = str_fmt(q->tmp,
                      "request is not a valid match in pattern \"%.*s\" for the \"%s\" resolution "
                      "of %.*s",
                      STR_ARG(w->key), w->is_imports ? "imports" : "exports", STR_ARG(path));
    resolve_fail_specifier(q, request, why);
    return TARGET_FAIL;
}

static Target string_target(Work *w, const JsonNode *node)
{
    Ask *q = w->q;
    Str target = json_str(q->tmp, node);
    if (!str_starts(target, S("./"))) {
        bool is_package =
            w->is_imports && !str_starts(target, S("/")) && !str_starts(target, S("../"));
        Str name;
        bool is_url = resolve_url_scheme(target) > 0;
        if (is_package && is_url && !q->is_node_only && resolver_is_builtin(q->r, target, &name))
            is_url = false;
        return is_package && !is_url ? package_target(w, target) : invalid(w, node);
    }
    if (has_forbidden_segment(q->tmp, str_skip(target, 2))) return invalid(w, node);
    if (w->is_pattern) {
        if (has_forbidden_segment(q->tmp, w->subpath)) return invalid_subpath(w);
        w->is_open = str_ends(target, S("*"));
        target = replace_stars(q->tmp, target, w->subpath);
    }
    Str path;
    if (!resolve_url_split(q->tmp, target, &path, &w->suffix)) {
        Str full = resolve_dir_join(q->tmp, w->at.at, str_skip(target, 2));
        resolve_fail_specifier(q, full, S("must not include encoded \"/\" or \"\\\" characters"));
        return TARGET_FAIL;
    }
    w->path = path_resolve(q->tmp, S("/"), w->at.at->path, path);
    return TARGET_PATH;
}

/* ---- Arrays and conditions --------------------------------------------------------------------
 */

static Target resolve_target(Work *w, const JsonNode *node);

static Target array_target(Work *w, const JsonNode *node)
{
    Target last = node->len ? TARGET_UNDEFINED : TARGET_NULL;
    for (u32 i = 0; i < node->len; i++) {
        Target got = resolve_target(w, &node->items[i]);
        if (got == TARGET_UNDEFINED) continue;
        if (got != TARGET_NULL && got != TARGET_INVALID) return got;
        last = got;
    }
    return last;
}

/* A canonical number below 2^32 - 1: the keys that JavaScript would put first. */
static bool is_array_index(Str key)
{
    u64 n;
    if (key.n > 1 && key.p[0] == '0') return false;
    return str_to_u64(key, &n) && n < UINT32_MAX;
}

static bool is_condition(Ask *q, Str key)
{
    if (str_eq(key, S("default"))) return true;
    for (u32 i = 0; i < q->n_conditions; i++)
        if (str_eq(q->conditions[i], key)) return true;
    const ResolveTsConfig *ts = q->from ? resolve_ask_ts(q) : NULL;
    for (u32 i = 0; ts && i < ts->n_custom_conditions; i++)
        if (str_eq(ts->custom_conditions[i], key)) return true;
    return false;
}

static Target condition_target(Work *w, const JsonNode *node)
{
    Ask *q = w->q;
    for (u32 i = 0; i < node->len; i++) {
        if (!is_array_index(json_str(q->tmp, &node->items[i * 2]))) continue;
        resolve_fail_config(q, resolve_pkg_path(q->tmp, w->at),
                            S("\"exports\" cannot contain numeric property keys."));
        return TARGET_FAIL;
    }
    for (u32 i = 0; i < node->len; i++) {
        Str key = json_str(q->tmp, &node->items[i * 2]);
        if (!is_condition(q, key)) continue;
        Target got = resolve_target(w, json_find(node, key));
        if (got != TARGET_UNDEFINED) return got;
    }
    return TARGET_UNDEFINED;
}

/* Recursion is bounded by JSON_DEPTH_MAX. */
static Target resolve_target(Work *w, const JsonNode *node)
{
    switch ((JsonKind)node->kind) {
    case JSON_STRING: return string_target(w, node);
    case JSON_ARRAY: return array_target(w, node);
    case JSON_OBJECT: return condition_target(w, node);
    case JSON_NULL: return TARGET_NULL;
    default: return invalid(w, node);
    }
}

/* ---- Keys -------------------------------------------------------------------------------------
 */

/* Node's PATTERN_KEY_COMPARE: whether `y` is more specific than `x` (empty: nothing yet). */
static bool is_better_key(Str x, Str y)
{
    i64 x_star = str_find(x, '*'), y_star = str_find(y, '*');
    usize x_len = x_star < 0 ? x.n : (usize)x_star + 1;
    usize y_len = y_star < 0 ? y.n : (usize)y_star + 1;
    if (x_len != y_len) return y_len > x_len;
    if (x_star < 0) return true;
    return y_star >= 0 && y.n > x.n;
}

static bool find_pattern(Work *w, const JsonNode *map, Str name)
{
    Str best = {"", 0};
    for (u32 i = 0; map->kind == JSON_OBJECT && i < map->len; i++) {
        Str key = json_str(w->q->tmp, &map->items[i * 2]);
        i64 star = str_find(key, '*');
        if (star < 0 || !str_starts(name, str_slice(key, 0, (usize)star))) continue;
        Str tail = str_skip(key, (usize)star + 1);
        if (name.n < key.n || !str_ends(name, tail) || str_rfind(key, '*') != star) continue;
        if (!is_better_key(best, key)) continue;
        best = key;
        w->subpath = str_slice(name, (usize)star, name.n - tail.n);
    }
    w->key = best;
    w->is_pattern = true;
    return best.n;
}

/* Bun's additions: a pattern may leave the extension out, or get it twice (a target that ends with
 * ".js" for a specifier that does too). */
static Outcome loose_pattern(const Work *w)
{
    if (w->is_open) return resolve_ask_open(w->q, w->path);
    Str extension = path_extname(w->path);
    Str once = str_slice(w->path, 0, w->path.n - extension.n);
    bool is_twice = extension.n && str_eq(path_extname(once), extension);
    return is_twice ? resolve_ask_exact(w->q, once) : MISS;
}

/* The end of both algorithms: the file must be there, exactly. */
static Outcome finish(Work *w)
{
    Ask *q = w->q;
    Outcome got = resolve_ask_exact(q, w->path);
    if (got == MISS && w->is_pattern && !q->is_node_only) got = loose_pattern(w);
    if (got == HIT && w->suffix.n && q->is_import)
        q->ret->suffix = resolver_intern(q->r, w->suffix);
    if (got != MISS) return got;
    if (!q->is_import) {
        Str pkg = w->is_imports ? resolve_pkg_path(q->tmp, w->at) : w->at.at->path;
        return resolve_fail_require(q, w->path, pkg);
    }
    return resolve_fail_not_found(q, w->path, false);
}

/* Whether "exports" is a target for "." and not a map of subpaths; *ret_mixed: it is both. */
static bool is_main_sugar(Arena *a, const JsonNode *exports, bool *ret_mixed)
{
    *ret_mixed = false;
    if (exports->kind != JSON_OBJECT) return true;
    bool is_sugar = false;
    for (u32 i = 0; i < exports->len; i++) {
        bool is_condition_key = !str_starts(json_str(a, &exports->items[i * 2]), S("."));
        if (i && is_condition_key != is_sugar) *ret_mixed = true;
        if (!i) is_sugar = is_condition_key;
    }
    return is_sugar;
}

/* Bun's addition: tools read a package's package.json whether or not it is exported. */
static Outcome not_exported(Ask *q, PkgAt p, Str subpath)
{
    Outcome got = MISS;
    if (!q->is_node_only && str_eq(subpath, S("./package.json")))
        got = resolve_ask_exact(q, resolve_pkg_path(q->tmp, p));
    return got == MISS ? resolve_fail_not_exported(q, p, subpath) : got;
}

Outcome resolve_ask_exports(Ask *q, PkgAt p, Str subpath)
{
    const JsonNode *exports = p.pkg->exports;
    Work w = {.q = q, .at = p, .key = subpath};
    bool is_mixed, is_plain = str_find(subpath, '*') < 0 && !str_ends(subpath, S("/"));
    bool is_sugar = is_main_sugar(q->tmp, exports, &is_mixed);
    if (is_mixed)
        return resolve_fail_config(
            q, resolve_pkg_path(q->tmp, p),
            S("\"exports\" cannot contain some keys starting with '.' and some not. "
              "The exports object must either be an object of package subpath keys "
              "or an object of main entry condition name keys only."));
    const JsonNode *target = NULL;
    if (is_sugar)
        target = str_eq(subpath, S(".")) ? exports : NULL;
    else if (is_plain)
        target = json_find(exports, subpath);
    if (!target && !is_sugar && find_pattern(&w, exports, subpath))
        target = json_find(exports, w.key);
    if (!target) return not_exported(q, p, subpath);
    switch (resolve_target(&w, target)) {
    case TARGET_PATH: return finish(&w);
    case TARGET_HIT: return HIT;
    case TARGET_INVALID:
    case TARGET_FAIL: return FAIL;
    default: return not_exported(q, p, subpath);
    }
}

Outcome resolve_ask_imports(Ask *q, PkgAt p, Str name)
{
    if (str_eq(name, S("#")) || str_ends(name, S("/")))
        return resolve_fail_specifier(q, name, S("is not a valid internal imports specifier name"));
    if (p.pkg && p.pkg->error)
        return resolve_fail_config(q, resolve_pkg_path(q->tmp, p), str_z(p.pkg->error));
    Work w = {.q = q, .at = p, .key = name, .is_imports = true};
    const JsonNode *imports = p.pkg ? p.pkg->imports : NULL;
    const JsonNode *target = str_find(name, '*') < 0 ? json_find(imports, name) : NULL;
    if (!target && imports && find_pattern(&w, imports, name)) target = json_find(imports, w.key);
    switch (target ? resolve_target(&w, target) : TARGET_UNDEFINED) {
    case TARGET_PATH: return finish(&w);
    case TARGET_HIT: return HIT;
    case TARGET_INVALID:
    case TARGET_FAIL: return FAIL;
    default: return resolve_fail_no_import(q, p, name);
    }
}
