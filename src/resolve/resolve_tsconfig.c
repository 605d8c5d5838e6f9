/* resolve/resolve_tsconfig.c -- tsconfig.json and jsconfig.json with what they extend
 * (https://www.typescriptlang.org/tsconfig).
 *
 * A configuration is loaded into one struct, its bases first, so that later ones overwrite.  Paths
 * are made absolute where they are written; ${configDir} stands for the directory of the file that
 * is the program's own, whichever file it is written in. */
#include "resolve/resolve_priv.h"

#include "util/mem.h"
#include "util/path.h"

#include <string.h>

enum {
    TSCONFIG_MAX = 16 * 1024 * 1024,
    EXTENDS_MAX = 32,  /* levels: more is taken for a circle */
    CONFIGS_MAX = 256, /* files in all, for arrays that extend arrays */
};

typedef struct {
    Resolver *r;
    Arena *mem;
    ResolveTsConfig *c;
    Str config_dir; /* of the outermost file */
    u32 depth, n_files;
} Load;

static void load_file(Load *l, Str path);

static void note_error(Load *l, Str path, Str what)
{
    if (l->c->error.n) return;
    l->c->error = str_fmt(l->mem, "%.*s: %.*s", STR_ARG(path), STR_ARG(what));
}

/* ---- Values -----------------------------------------------------------------------------------
 */

/* A path of an option, absolute. */
static Str option_path(Load *l, Str dir, Str value)
{
    Str prefix = S("${configDir}");
    if (str_eq_nocase(str_slice(value, 0, prefix.n), prefix)) {
        dir = l->config_dir;
        value = str_concat(l->mem, S("."), str_skip(value, prefix.n));
    }
    return path_resolve(l->mem, S("/"), dir, value);
}

/* Targets of `paths` stay relative, since what they are relative to is known at the end only. */
static Str target_path(Load *l, Str value)
{
    Str prefix = S("${configDir}");
    if (!str_eq_nocase(str_slice(value, 0, prefix.n), prefix)) return str_dup(l->mem, value);
    return str_concat(l->mem, l->config_dir, str_skip(value, prefix.n));
}

static u32 read_strings(Load *l, const JsonNode *n, const Str **ret)
{
    Str *list = ARENA_ARRAY(l->mem, Str, n->len);
    u32 len = 0;
    for (u32 i = 0; i < n->len; i++)
        if (n->items[i].kind == JSON_STRING)
            list[len++] = str_dup(l->mem, json_str(l->mem, &n->items[i]));
    *ret = list;
    return len;
}

static void read_list(Load *l, const JsonNode *options, Str key, const Str **ret, u32 *ret_len)
{
    const JsonNode *n = json_find(options, key);
    if (n && n->kind == JSON_ARRAY) *ret_len = read_strings(l, n, ret);
}

static void read_bool(const JsonNode *options, Str key, ResolveTristate *ret)
{
    const JsonNode *n = json_find(options, key);
    if (n && n->kind == JSON_TRUE) *ret = RESOLVE_YES;
    if (n && n->kind == JSON_FALSE) *ret = RESOLVE_NO;
}

static void read_str(Load *l, const JsonNode *options, Str key, Str *ret)
{
    const JsonNode *n = json_find(options, key);
    if (n && n->kind == JSON_STRING) *ret = str_dup(l->mem, json_str(l->mem, n));
}

static void read_jsx(const JsonNode *options, ResolveJsx *ret)
{
    static const struct {
        const char *name;
        ResolveJsx jsx;
    } table[] = {
        {"preserve", RESOLVE_JSX_PRESERVE},
        {"react-native", RESOLVE_JSX_PRESERVE},
        {"react", RESOLVE_JSX_REACT},
        {"react-jsx", RESOLVE_JSX_AUTOMATIC},
        {"react-jsxdev", RESOLVE_JSX_AUTOMATIC_DEV},
    };
    const JsonNode *n = json_find(options, S("jsx"));
    for (u32 i = 0; i < COUNT(table); i++)
        if (json_is(n, str_z(table[i].name))) *ret = table[i].jsx;
}

static void read_paths(Load *l, const JsonNode *options, Str dir)
{
    const JsonNode *n = json_find(options, S("paths"));
    if (!n || n->kind != JSON_OBJECT) return;
    ResolveTsPath *paths = ARENA_ARRAY(l->mem, ResolveTsPath, n->len);
    u32 len = 0;
    for (u32 i = 0; i < n->len; i++) {
        const JsonNode *targets = &n->items[i * 2 + 1];
        Str pattern = json_str(l->mem, &n->items[i * 2]);
        i64 star = str_find(pattern, '*');
        if (targets->kind != JSON_ARRAY || star != str_rfind(pattern, '*')) continue;
        ResolveTsPath *p = &paths[len++];
        p->pattern = str_dup(l->mem, pattern);
        Str *list = ARENA_ARRAY(l->mem, Str, targets->len);
        for (u32 k = 0; k < targets->len; k++)
            if (targets->items[k].kind == JSON_STRING)
                list[p->n_targets++] = target_path(l, json_str(l->mem, &targets->items[k]));
        p->targets = list;
    }
    l->c->paths = paths;
    l->c->n_paths = len;
    l->c->paths_base = str_dup(l->mem, dir);
}

static void read_options(Load *l, const JsonNode *o, Str dir)
{
    ResolveTsConfig *c = l->c;
    Str text = {0};
    read_str(l, o, S("baseUrl"), &text);
    if (text.p) c->base_url = option_path(l, dir, text);
    read_paths(l, o, dir);
    const JsonNode *roots = json_find(o, S("rootDirs"));
    if (roots && roots->kind == JSON_ARRAY) {
        const Str *list;
        u32 n = read_strings(l, roots, &list);
        Str *full = ARENA_ARRAY(l->mem, Str, n);
        for (u32 i = 0; i < n; i++) full[i] = option_path(l, dir, list[i]);
        c->root_dirs = full;
        c->n_root_dirs = n;
    }
    read_list(l, o, S("moduleSuffixes"), &c->module_suffixes, &c->n_module_suffixes);
    read_list(l, o, S("customConditions"), &c->custom_conditions, &c->n_custom_conditions);
    read_jsx(o, &c->jsx);
    read_str(l, o, S("jsxFactory"), &c->jsx_factory);
    read_str(l, o, S("jsxFragmentFactory"), &c->jsx_fragment_factory);
    read_str(l, o, S("jsxImportSource"), &c->jsx_import_source);
    read_str(l, o, S("target"), &c->target);
    read_str(l, o, S("module"), &c->module);
    read_bool(o, S("experimentalDecorators"), &c->experimental_decorators);
    read_bool(o, S("emitDecoratorMetadata"), &c->emit_decorator_metadata);
    read_bool(o, S("useDefineForClassFields"), &c->use_define_for_class_fields);
    read_bool(o, S("verbatimModuleSyntax"), &c->verbatim_module_syntax);
    read_bool(o, S("preserveValueImports"), &c->preserve_value_imports);
    read_bool(o, S("alwaysStrict"), &c->always_strict);
    read_bool(o, S("strict"), &c->strict);
}

/* ---- extends ----------------------------------------------------------------------------------
 */

static bool is_file(Resolver *r, Str path)
{
    if (path.n >= SYS_PATH_MAX || path.n == 1) return false;
    Dir *d = resolve_dir_at(r, path_dirname(path));
    return resolve_dir_entry(r, d, path_basename(path, (Str){0})).kind == ENTRY_FILE;
}

/* The file itself, with ".json", or its tsconfig.json when it is a directory. */
static bool find_config(Load *l, Str path, Str *ret)
{
    Str tries[] = {path, str_concat(l->mem, path, S(".json")),
                   path_join2(l->mem, path, S("tsconfig.json"))};
    for (u32 i = 0; i < COUNT(tries); i++) {
        if (!is_file(l->r, tries[i])) continue;
        *ret = tries[i];
        return true;
    }
    return false;
}

/* In one node_modules folder: by "exports", by the field "tsconfig", or as a file. */
static bool find_in_modules(Load *l, Dir *modules, Str spec, Str *ret)
{
    Str name = spec, sub = {"", 0};
    i64 slash = str_find(spec, '/');
    if (slash >= 0 && spec.p[0] == '@') {
        i64 next = str_find(str_skip(spec, (usize)slash + 1), '/');
        slash = next < 0 ? -1 : slash + 1 + next;
    }
    if (slash >= 0) {
        name = str_slice(spec, 0, (usize)slash);
        sub = str_skip(spec, (usize)slash);
    }
    Str path = path_join2(l->mem, modules->path, name);
    if (path.n >= SYS_PATH_MAX) return false;
    PkgAt p = resolve_pkg_in(l->r, resolve_dir_at(l->r, path));
    if (p.pkg && p.pkg->exports) {
        AUTO(Scratch) s = scratch_begin(l->mem);
        ResolveResult result = {0};
        ResolveRequest req = {.kind = RESOLVE_REQUIRE};
        Ask q = {.r = l->r,
                 .req = &req,
                 .ret = &result,
                 .tmp = s.arena,
                 .spec = spec,
                 .from = modules,
                 .is_node_only = true};
        q.conditions = l->r->conditions[RESOLVE_REQUIRE].at;
        q.n_conditions = l->r->conditions[RESOLVE_REQUIRE].len;
        if (resolve_ask_exports(&q, p, str_concat(s.arena, S("."), sub)) == HIT) {
            *ret = result.path;
            return true;
        }
    }
    Str field = p.pkg && !sub.n ? json_find_str(l->mem, &p.pkg->root, S("tsconfig")) : (Str){0};
    if (field.n && find_config(l, path_join2(l->mem, path, field), ret)) return true;
    return find_config(l, path_join2(l->mem, path, sub), ret);
}

static bool find_base(Load *l, Str dir, Str spec, Str *ret)
{
    bool is_path = path_is_absolute(spec) || str_starts(spec, S("./")) ||
                   str_starts(spec, S("../")) || str_eq(spec, S(".")) || str_eq(spec, S(".."));
    if (!spec.n) return false;
    if (is_path) return find_config(l, path_resolve(l->mem, S("/"), dir, spec), ret);
    for (Dir *d = resolve_dir_at(l->r, dir); d; d = d->parent) {
        Dir *modules = resolve_dir_child(l->r, d, S("node_modules"));
        if (!modules || !resolve_dir_real(l->r, modules)) continue;
        if (find_in_modules(l, modules, spec, ret)) return true;
    }
    return false;
}

static void load_base(Load *l, const JsonNode *node, Str path)
{
    if (node->kind != JSON_STRING) return;
    Str spec = json_str(l->mem, node);
    Str base;
    if (find_base(l, path_dirname(path), spec, &base)) {
        load_file(l, base);
        return;
    }
    note_error(l, path,
               str_fmt(l->mem, "cannot find the base configuration \"%.*s\"", STR_ARG(spec)));
}

/* ---- Files ------------------------------------------------------------------------------------
 */

static void load_bases(Load *l, const JsonNode *extends, Str path)
{
    if (!extends) return;
    if (l->depth >= EXTENDS_MAX || l->n_files >= CONFIGS_MAX) {
        note_error(l, path, S("\"extends\" goes in a circle"));
        return;
    }
    l->depth++;
    if (extends->kind == JSON_ARRAY) {
        for (u32 i = 0; i < extends->len; i++) load_base(l, &extends->items[i], path);
    } else {
        load_base(l, extends, path);
    }
    l->depth--;
}

static void load_file(Load *l, Str path)
{
    Str text;
    JsonNode root;
    JsonError e;
    l->n_files++;
    l->r->counts.n_reads++;
    int rc = sys_read_file(l->mem, path, TSCONFIG_MAX, &text);
    if (rc < 0) {
        note_error(l, path, S("the file cannot be read"));
        return;
    }
    if (!json_parse(l->mem, text, JSON_JSONC, &root, &e)) {
        if (str_trim(text).n)
            note_error(l, path,
                       str_fmt(l->mem, "%s (line %u, column %u)", e.what, e.line, e.column));
        return;
    }
    load_bases(l, json_find(&root, S("extends")), path);
    const JsonNode *options = json_find(&root, S("compilerOptions"));
    if (options) read_options(l, options, path_dirname(path));
}

static TsConfig *ts_load(Resolver *r, Str path)
{
    TsConfig *ts = MEM_NEW(TsConfig);
    ts->config.path = str_dup(&ts->mem, path);
    Load l = {
        .r = r, .mem = &ts->mem, .c = &ts->config, .config_dir = path_dirname(ts->config.path)};
    load_file(&l, ts->config.path);
    if (ts->config.base_url.n) ts->config.paths_base = ts->config.base_url;
    return ts;
}

void resolve_ts_free(TsConfig *ts)
{
    if (!ts) return;
    arena_deinit(&ts->mem);
    mem_free(ts);
}

/* The configuration in `d` itself, read once. */
static TsConfig *ts_in(Resolver *r, Dir *d)
{
    Dir *real = resolve_dir_real(r, d);
    if (!real) return NULL;
    if (real->ts_epoch == r->ts_epoch) return real->ts;
    resolve_ts_free(real->ts);
    real->ts = NULL;
    real->ts_epoch = r->ts_epoch;
    static const Str names[] = {{"tsconfig.json", 13}, {"jsconfig.json", 13}};
    for (u32 i = 0; i < COUNT(names) && !real->ts; i++) {
        if (resolve_dir_entry(r, real, names[i]).kind != ENTRY_FILE) continue;
        AUTO(Scratch) s = scratch_begin(NULL);
        real->ts = ts_load(r, resolve_dir_join(s.arena, real, names[i]));
    }
    return real->ts;
}

static const ResolveTsConfig *ts_override(Resolver *r)
{
    if (r->ts_epoch != r->override_epoch) {
        resolve_ts_free(r->override);
        r->override = ts_load(r, r->options.tsconfig);
        r->override_epoch = r->ts_epoch;
    }
    return &r->override->config;
}

const ResolveTsConfig *resolve_ts_above(Resolver *r, Dir *d)
{
    if (d->in_node_modules) return NULL;
    if (r->options.tsconfig.n) return ts_override(r);
    for (; d; d = d->parent) {
        TsConfig *ts = ts_in(r, d);
        if (ts) return &ts->config;
    }
    return NULL;
}
