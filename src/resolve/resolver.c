/* resolve/resolver.c -- the Resolver and the way of a request through it. */
#include "resolve/resolve_priv.h"

#include "util/mem.h"
#include "util/path.h"

typedef struct {
    u64 epoch;
    ResolveTarget target;
    Str path, suffix;
} Answer;

/* ---- Life -------------------------------------------------------------------------------------
 */

static Str *dup_list(Resolver *r, const Str *list, u32 n)
{
    Str *own = ARENA_ARRAY(&r->mem, Str, n);
    for (u32 i = 0; i < n; i++) own[i] = str_dup(&r->mem, list[i]);
    return own;
}

static void fill_conditions(Resolver *r, ResolveKind kind)
{
    __typeof__(r->conditions[0]) *list = &r->conditions[kind];
    vec_push(&r->mem, list, S("bun"));
    vec_push(&r->mem, list, S("node"));
    vec_push(&r->mem, list, S("module-sync"));
    if (!r->options.has_no_addons) vec_push(&r->mem, list, S("node-addons"));
    vec_push(&r->mem, list, kind == RESOLVE_IMPORT ? S("import") : S("require"));
    for (u32 i = 0; i < r->options.n_conditions; i++)
        vec_push(&r->mem, list, r->options.conditions[i]);
}

static void fill_node_path(Resolver *r, Str list)
{
    Str part;
    while (str_next(&list, ':', &part)) {
        Str path = path_resolve(&r->mem, r->options.cwd, (Str){0}, part);
        if (part.n && path.n < SYS_PATH_MAX) vec_push(&r->mem, &r->node_path, path);
    }
}

Resolver *resolver_new(const ResolveOptions *options)
{
    ASSERT(path_is_absolute(options->cwd));
    Resolver *r = MEM_NEW(Resolver);
    r->epoch = 1;
    r->ts_epoch = 1;
    ResolveOptions *o = &r->options;
    *o = *options;
    o->cwd = path_resolve(&r->mem, S("/"), (Str){0}, o->cwd);
    o->conditions = dup_list(r, o->conditions, o->n_conditions);
    o->main_fields = dup_list(r, o->main_fields, o->n_main_fields);
    o->extensions = dup_list(r, o->extensions, o->n_extensions);
    o->tsconfig = str_dup(&r->mem, o->tsconfig);
    fill_conditions(r, RESOLVE_IMPORT);
    fill_conditions(r, RESOLVE_REQUIRE);
    fill_node_path(r, options->node_path);
    if (o->cwd.n < SYS_PATH_MAX) resolve_dir_assume(r, o->cwd);
    return r;
}

void resolver_free(Resolver *r)
{
    if (!r) return;
    u32 pos = 0;
    for (StrMapSlot *s; (s = str_map_next(&r->dirs, &pos));)
        resolve_dir_deinit((Dir *)(uintptr_t)s->value);
    resolve_ts_free(r->override);
    arena_deinit(&r->err);
    arena_deinit(&r->mem);
    mem_free(r);
}

ResolveCounts resolve_counts(const Resolver *r)
{
    return r->counts;
}

Str resolver_intern(Resolver *r, Str s)
{
    if (!s.n) return (Str){"", 0};
    u64 *at = str_map_find(&r->strings, s);
    if (at) return (Str){(const char *)(uintptr_t)*at, s.n};
    Str own = str_dup(&r->mem, s);
    *str_map_put(&r->mem, &r->strings, own, NULL) = (u64)(uintptr_t)own.p;
    return own;
}

bool resolver_is_builtin(Resolver *r, Str name, Str *ret_name)
{
    return r->options.is_builtin && r->options.is_builtin(r->options.ctx, name, ret_name);
}

void resolve_invalidate(Resolver *r, Str path)
{
    r->epoch++;
    if (!path.n || str_ends(path, S(".json"))) r->ts_epoch++;
    if (path.n) {
        if (path.n >= SYS_PATH_MAX) return;
        path = path_is_absolute(path) ? path : r->options.cwd;
        resolve_dir_forget(r, resolve_dir_at(r, path));
        resolve_dir_forget(r, resolve_dir_at(r, path_dirname(path)));
        return;
    }
    u32 pos = 0;
    for (StrMapSlot *s; (s = str_map_next(&r->dirs, &pos));)
        resolve_dir_forget(r, (Dir *)(uintptr_t)s->value);
}

/* ---- A request --------------------------------------------------------------------------------
 */

/* "./x", "../x", ".", ".." and, for require, "..x". */
static bool is_relative(const Ask *q)
{
    Str s = q->spec;
    if (!s.n || s.p[0] != '.') return false;
    if (s.n == 1 || s.p[1] == '/') return true;
    if (s.p[1] != '.') return false;
    return s.n == 2 || s.p[2] == '/' || !q->is_import;
}

/* Whether a URL would read this path otherwise than a file system does. */
static bool has_url_syntax(Str s)
{
    for (usize i = 0; i < s.n; i++) {
        u8 c = (u8)s.p[i];
        if (c <= ' ' || c == '%' || c == '?' || c == '#' || c == '\\') return true;
    }
    return false;
}

static Outcome exact_with_suffix(Ask *q, Str path, Str suffix)
{
    Outcome got = resolve_ask_exact(q, path);
    if (got == HIT && suffix.n) q->ret->suffix = resolver_intern(q->r, suffix);
    return got;
}

/* A path that is relative to the importer, or absolute. */
static Outcome ask_relative(Ask *q, Dir *from, Str text)
{
    Str suffix = {"", 0};
    Str plain = text;
    bool is_url = q->is_import && has_url_syntax(text);
    if (is_url && !resolve_url_split(q->tmp, text, &plain, &suffix))
        return resolve_fail_specifier(q, path_resolve(q->tmp, S("/"), from->path, text),
                                      S("must not include encoded \"/\" or \"\\\" characters"));
    Str path = path_resolve(q->tmp, S("/"), from->path, plain);
    bool is_dir = resolve_is_dir_spec(plain);
    if (q->is_node_only && q->is_import) return is_dir ? MISS : exact_with_suffix(q, path, suffix);
    Outcome got = resolve_ask_path(q, path, is_dir);
    if (got == HIT && suffix.n) q->ret->suffix = resolver_intern(q->r, suffix);
    if (got == MISS) got = resolve_ask_root_dirs(q, path, is_dir);
    if (got != MISS || q->is_node_only) return got;
    if (is_url) return resolve_ask_path(q, path_resolve(q->tmp, S("/"), from->path, text), false);
    i64 query = q->is_import ? -1 : str_find(text, '?');
    if (query < 0) return MISS;
    plain = str_slice(text, 0, (usize)query);
    got = resolve_ask_path(q, path_resolve(q->tmp, S("/"), from->path, plain),
                           resolve_is_dir_spec(plain));
    if (got == HIT) q->ret->suffix = resolver_intern(q->r, str_skip(text, (usize)query));
    return got;
}

static Outcome miss_path(Ask *q, Dir *from)
{
    Str plain = q->spec, suffix;
    if (q->is_import) (void)resolve_url_split(q->tmp, q->spec, &plain, &suffix);
    Str path = path_resolve(q->tmp, S("/"), from->path, plain);
    bool fits = path.n < SYS_PATH_MAX && path.n > 1;
    Dir *d = fits ? resolve_dir_at(q->r, path_dirname(path)) : NULL;
    Str name = path_basename(path, (Str){0});
    bool has_slash = resolve_is_dir_spec(plain);
    if (!q->is_import)
        resolve_fail_require(q, q->spec, (Str){"", 0});
    else if (has_slash || (d && resolve_dir_entry(q->r, d, name).kind == ENTRY_DIR))
        resolve_fail_dir_import(q,
                                has_slash && path.n > 1 ? str_concat(q->tmp, path, S("/")) : path);
    else
        resolve_fail_not_found(q, path, false);
    if (d && !has_slash) resolve_hint_similar(q, d, name);
    return FAIL;
}

static Outcome miss_bare(Ask *q)
{
    Str name = q->spec;
    i64 slash = str_find(name, '/');
    if (slash > 0 && name.p[0] == '@') {
        i64 next = str_find(str_skip(name, (usize)slash + 1), '/');
        slash = next < 0 ? -1 : slash + 1 + next;
    }
    Str package = slash < 0 ? name : str_slice(name, 0, (usize)slash);
    if (!q->is_import)
        resolve_fail_require(q, q->spec, (Str){"", 0});
    else if (q->missing.n)
        return resolve_fail_not_found(q, q->missing, q->is_main_missing);
    else
        resolve_fail_not_found(q, package, true);
    resolve_hint_package(q, q->from, package);
    return FAIL;
}

static Outcome ask_file_url(Ask *q)
{
    Str rest = str_skip(q->spec, 5), host;
    if (str_starts(rest, S("//"))) {
        i64 slash = str_find(str_skip(rest, 2), '/');
        host = str_slice(rest, 2, slash < 0 ? rest.n : (usize)slash + 2);
        rest = slash < 0 ? S("/") : str_skip(rest, (usize)slash + 2);
        if (host.n && !str_eq_nocase(host, S("localhost")))
            return resolve_fail_specifier(q, q->spec, S("is a file URL with a host"));
    }
    Ask url = *q;
    url.is_import = true;
    if (!str_starts(rest, S("/"))) rest = str_concat(q->tmp, S("/"), rest);
    Outcome got = ask_relative(&url, q->from, rest);
    if (got != MISS) return got;
    q->spec = rest;
    return miss_path(q, q->from);
}

static Outcome ask_url(Ask *q, usize scheme)
{
    static const char *const known[] = {"data:", "blob:", "http:", "https:"};
    Str name = str_slice(q->spec, 0, scheme);
    if (str_eq(name, S("node:")) || str_eq(name, S("bun:")))
        return resolve_fail_builtin(q, q->spec);
    if (!q->is_import && q->is_node_only) return MISS;
    if (str_eq_nocase(name, S("file:"))) return ask_file_url(q);
    for (u32 i = 0; i < COUNT(known); i++) {
        if (!str_eq_nocase(name, str_z(known[i]))) continue;
        q->ret->target = RESOLVE_URL;
        q->ret->path = resolver_intern(q->r, q->spec);
        return HIT;
    }
    return MISS;
}

static Outcome ask_paths(Ask *q, bool relative)
{
    Outcome got = MISS;
    for (u32 i = 0; i < q->req->n_paths && got == MISS; i++) {
        Str path = path_resolve(q->tmp, q->r->options.cwd, (Str){0}, q->req->paths[i]);
        if (path.n >= SYS_PATH_MAX) continue;
        Dir *d = resolve_dir_at(q->r, path);
        got = relative ? ask_relative(q, d, q->spec) : resolve_ask_bare(q, q->spec, d);
    }
    return got;
}

static bool is_plain_file(Ask *q)
{
    if (has_url_syntax(q->spec) || q->spec.n >= SYS_PATH_MAX) return false;
    Str path = path_resolve(q->tmp, S("/"), (Str){0}, q->spec);
    Dir *d = resolve_dir_at(q->r, path_dirname(path));
    Str name = path_basename(path, (Str){0});
    return name.n && resolve_dir_entry(q->r, d, name).kind == ENTRY_FILE;
}

/* "./x", "../x" or "/x". */
static Outcome ask_file(Ask *q, bool relative)
{
    /* An absolute path to a file is what it is; only others may be meant by tsconfig's "/" paths.
     */
    Outcome got = relative || is_plain_file(q) ? MISS : resolve_ask_alias(q);
    if (got != MISS) return got;
    got = relative && q->req->paths ? ask_paths(q, true) : ask_relative(q, q->from, q->spec);
    return got == MISS ? miss_path(q, q->from) : got;
}

static Outcome ask_name(Ask *q)
{
    Str name;
    if (resolver_is_builtin(q->r, q->spec, &name)) {
        q->ret->target = RESOLVE_BUILTIN;
        q->ret->path = name;
        return HIT;
    }
    Outcome got = resolve_ask_alias(q);
    if (got != MISS) return got;
    if (str_starts(q->spec, S("#"))) {
        PkgAt p = resolve_pkg_above(q->r, q->from);
        bool has_imports = p.pkg && (p.pkg->imports || p.pkg->error);
        if (q->is_import || has_imports) return resolve_ask_imports(q, p, q->spec);
    }
    usize scheme = resolve_url_scheme(q->spec);
    if (scheme) got = ask_url(q, scheme);
    if (got != MISS) return got;
    got = q->req->paths ? ask_paths(q, false) : resolve_ask_bare(q, q->spec, q->from);
    return got == MISS ? miss_bare(q) : got;
}

static Outcome ask(Ask *q)
{
    bool relative = is_relative(q);
    bool has_map = (q->flags & RESOLVE_BROWSER) && !relative;
    Outcome got = has_map ? resolve_browser_spec(q) : MISS;
    if (got != MISS) return got;
    return relative || str_starts(q->spec, S("/")) ? ask_file(q, relative) : ask_name(q);
}

/* ---- Front ------------------------------------------------------------------------------------
 */

static Outcome run(Resolver *r, const ResolveRequest *req, Dir *from, ResolveResult *ret)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    r->request++;
    r->was_stale = false;
    r->touched.len = 0;
    Ask q = {
        .r = r,
        .req = req,
        .ret = ret,
        .tmp = s.arena,
        .spec = req->specifier,
        .base = req->importer,
        .from = from,
        .is_import = req->kind == RESOLVE_IMPORT,
        .flags = req->flags | r->options.flags,
        .conditions = req->conditions ? req->conditions : r->conditions[req->kind].at,
        .n_conditions = req->conditions ? req->n_conditions : r->conditions[req->kind].len,
    };
    q.is_node_only = q.flags & RESOLVE_NODE_ONLY;
    Outcome got = ask(&q);
    bool is_file = got == HIT && ret->target == RESOLVE_FILE;
    return is_file && (q.flags & RESOLVE_BROWSER) ? resolve_browser_file(&q) : got;
}

/* Requests with the same key have the same answer. */
static Str request_key(Arena *a, const ResolveRequest *req, const Dir *from)
{
    if (req->conditions || req->paths) return (Str){0};
    usize n = from->path.n + req->specifier.n + 3;
    char *p = arena_alloc_dirty(a, n, 1);
    p[0] = (char)(req->kind + 1);
    p[1] = (char)(req->flags + 1);
    __builtin_memcpy(p + 2, from->path.p, from->path.n);
    p[2 + from->path.n] = 0;
    if (req->specifier.n)
        __builtin_memcpy(p + 3 + from->path.n, req->specifier.p, req->specifier.n);
    return (Str){p, n};
}

static bool find_answer(const Resolver *r, Str key, ResolveResult *ret)
{
    const u64 *at = str_map_find(&r->results, key);
    const Answer *answer = at ? (const Answer *)(uintptr_t)*at : NULL;
    if (!answer || answer->epoch != r->epoch) return false;
    ret->target = answer->target;
    ret->path = answer->path;
    ret->suffix = answer->suffix;
    return true;
}

static void keep_answer(Resolver *r, Str key, const ResolveResult *ret)
{
    u64 *at = str_map_find(&r->results, key);
    if (!at) {
        at = str_map_put(&r->mem, &r->results, str_dup(&r->mem, key), NULL);
        *at = (u64)(uintptr_t)ARENA_NEW(&r->mem, Answer);
    }
    Answer *answer = (Answer *)(uintptr_t)*at;
    *answer = (Answer){
        .epoch = r->epoch, .target = ret->target, .path = ret->path, .suffix = ret->suffix};
}

/* The directory of the importer, NULL when its path is too long to exist. */
static Dir *importer_dir(Resolver *r, const ResolveRequest *req)
{
    Str dir = req->importer;
    if (!path_is_absolute(dir)) return resolve_dir_at(r, r->options.cwd);
    if (!(req->flags & RESOLVE_FROM_DIR)) dir = path_dirname(dir);
    if (dir.n >= SYS_PATH_MAX) return NULL;
    const u64 *known = str_map_find(&r->dirs, dir);
    if (known) return (Dir *)(uintptr_t)*known;
    AUTO(Scratch) s = scratch_begin(NULL);
    return resolve_dir_at(r, path_resolve(s.arena, S("/"), (Str){0}, dir));
}

bool resolve_module(Resolver *r, const ResolveRequest *req, ResolveResult *ret)
{
    *ret = (ResolveResult){0};
    Dir *from = importer_dir(r, req);
    if (!from) from = resolve_dir_at(r, S("/"));
    AUTO(Scratch) s = scratch_begin(NULL);
    Str key = request_key(s.arena, req, from);
    if (key.p && find_answer(r, key, ret)) return true;
    arena_clear(&r->err);
    Outcome got = run(r, req, from, ret);
    if (got != HIT && r->was_stale) {
        for (u32 i = 0; i < r->touched.len; i++) resolve_dir_recheck(r, r->touched.at[i]);
        *ret = (ResolveResult){0};
        got = run(r, req, from, ret);
    }
    ASSERT(got != MISS);
    if (got == HIT && key.p) keep_answer(r, key, ret);
    return got == HIT;
}

const ResolveTsConfig *resolve_tsconfig_of(Resolver *r, Str path)
{
    if (!path_is_absolute(path) || path.n >= SYS_PATH_MAX) return NULL;
    r->request++;
    return resolve_ts_above(r, resolve_dir_at(r, path_dirname(path)));
}

/* ---- Formats ----------------------------------------------------------------------------------
 */

static PkgAt package_of(Resolver *r, Str path)
{
    if (!path_is_absolute(path) || path.n >= SYS_PATH_MAX) return (PkgAt){0};
    return resolve_pkg_above(r, resolve_dir_at(r, path_dirname(path)));
}

bool resolve_package_of(Resolver *r, Str path, ResolvePackage *ret)
{
    PkgAt p = package_of(r, path);
    if (!p.pkg) return false;
    *ret = (ResolvePackage){
        .dir = p.at->path, .name = p.pkg->name, .version = p.pkg->version, .type = p.pkg->type};
    return true;
}

ResolveFormat resolve_format(Resolver *r, Str path)
{
    static const struct {
        const char *extension;
        ResolveFormat format;
    } table[] = {
        {".js", RESOLVE_FORMAT_DETECT},    {".ts", RESOLVE_FORMAT_DETECT},
        {".mjs", RESOLVE_FORMAT_MODULE},   {".cjs", RESOLVE_FORMAT_COMMONJS},
        {".json", RESOLVE_FORMAT_JSON},    {".tsx", RESOLVE_FORMAT_DETECT},
        {".jsx", RESOLVE_FORMAT_DETECT},   {".mts", RESOLVE_FORMAT_MODULE},
        {".cts", RESOLVE_FORMAT_COMMONJS}, {".node", RESOLVE_FORMAT_ADDON},
        {".wasm", RESOLVE_FORMAT_WASM},
    };
    Str extension = path_extname(path);
    ResolveFormat format = extension.n ? RESOLVE_FORMAT_OTHER : RESOLVE_FORMAT_DETECT;
    for (u32 i = 0; i < COUNT(table); i++)
        if (str_eq(extension, str_z(table[i].extension))) format = table[i].format;
    if (format != RESOLVE_FORMAT_DETECT) return format;
    PkgAt p = package_of(r, path);
    ResolveType type = p.pkg ? p.pkg->type : RESOLVE_TYPE_NONE;
    return type == RESOLVE_TYPE_MODULE     ? RESOLVE_FORMAT_MODULE
           : type == RESOLVE_TYPE_COMMONJS ? RESOLVE_FORMAT_COMMONJS
                                           : RESOLVE_FORMAT_DETECT;
}
