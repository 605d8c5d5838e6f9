/* resolve/resolve_file.c -- a path as a file, with extensions, as a directory. */
#include "resolve/resolve_priv.h"

#include "util/path.h"

/* ---- Extensions -------------------------------------------------------------------------------
 */

typedef struct {
    const Str *at;
    u32 n;
} Extensions;

#define X(lit)                                                                                     \
    {                                                                                              \
        "" lit, sizeof(lit) - 1                                                                    \
    }

/* Outside node_modules: Bun's order, TypeScript first, the formats of the asking kind first. */
static const Str import_order[] = {X(".tsx"), X(".jsx"), X(".mts"), X(".ts"),  X(".mjs"),
                                   X(".js"),  X(".cts"), X(".cjs"), X(".json")};
static const Str require_order[] = {X(".tsx"), X(".ts"),  X(".jsx"), X(".cts"),  X(".cjs"),
                                    X(".js"),  X(".mjs"), X(".mts"), X(".json"), X(".node")};
/* In packages, and for the target of a main field: what Node would find comes first. */
static const Str package_import_order[] = {X(".mjs"), X(".jsx"), X(".mts"), X(".js"),  X(".cjs"),
                                           X(".tsx"), X(".ts"),  X(".cts"), X(".json")};
static const Str package_require_order[] = {X(".js"),  X(".json"), X(".node"), X(".jsx"),
                                            X(".cjs"), X(".mjs"),  X(".mts"),  X(".tsx"),
                                            X(".ts"),  X(".cts")};
/* Where Node looks for no extension at all, and Bun does. */
static const Str open_require_order[] = {X(".jsx"), X(".cjs"), X(".js"),  X(".mjs"),  X(".mts"),
                                         X(".tsx"), X(".ts"),  X(".cts"), X(".json"), X(".node")};
static const Str main_order[] = {X(".js"),  X(".json"), X(".node"), X(".cjs"), X(".cts"),
                                 X(".tsx"), X(".ts"),   X(".jsx"),  X(".mjs"), X(".mts")};
enum { NODE_EXTENSIONS = 3 }; /* the head of package_require_order and main_order */

/* What a name without extension is. */
typedef enum {
    NAME_PATH,  /* of a specifier */
    NAME_INDEX, /* "index" in a package, where Node has extensions for imports too */
    NAME_MAIN,  /* the target of a main field, likewise */
    NAME_OPEN,  /* the target of a pattern in "exports" that ends with its `*` */
} NameKind;

#define LIST(order)                                                                                \
    (Extensions)                                                                                   \
    {                                                                                              \
        order, COUNT(order)                                                                        \
    }

static Extensions extensions_of(const Ask *q, const Dir *d, NameKind kind)
{
    bool is_node = !q->is_import || kind != NAME_PATH;
    if (q->is_node_only) return (Extensions){main_order, is_node ? NODE_EXTENSIONS : 0};
    if (kind == NAME_MAIN) return LIST(main_order);
    if (kind == NAME_OPEN && !q->is_import) return LIST(open_require_order);
    if (kind == NAME_OPEN) return LIST(package_import_order);
    if (d->in_node_modules)
        return is_node ? LIST(package_require_order) : LIST(package_import_order);
    if (q->r->options.n_extensions)
        return (Extensions){q->r->options.extensions, q->r->options.n_extensions};
    return q->is_import ? LIST(import_order) : LIST(require_order);
}

/* ---- Files ------------------------------------------------------------------------------------
 */

Outcome resolve_ask_hit(Ask *q, Dir *d, const Entry *e, Str name)
{
    bool keep = q->flags & RESOLVE_KEEP_LINKS;
    Str path = keep ? resolve_dir_join(q->tmp, d, name) : resolve_dir_join(q->tmp, e->dir, e->name);
    q->ret->target = RESOLVE_FILE;
    q->ret->path = resolver_intern(q->r, path);
    return HIT;
}

static Outcome try_name(Ask *q, Dir *d, Str name)
{
    Entry e = resolve_dir_entry(q->r, d, name);
    return e.kind == ENTRY_FILE ? resolve_ask_hit(q, d, &e, name) : MISS;
}

static Outcome try_extensions(Ask *q, Dir *d, Str base, NameKind kind)
{
    Dir *real = resolve_dir_real(q->r, d);
    Extensions list = extensions_of(q, d, kind);
    if (!real || !list.n) return MISS;
    if (list.n > NODE_EXTENSIONS) resolve_dir_list(q->r, real);
    for (u32 i = 0; i < list.n; i++) {
        Outcome got = try_name(q, d, str_concat(q->tmp, base, list.at[i]));
        if (got != MISS) return got;
    }
    return MISS;
}

/* TypeScript's rule: a specifier may name the file that the compiler would write. */
static Outcome try_typescript(Ask *q, Dir *d, Str name)
{
    static const struct {
        Str from, to[2];
    } table[] = {
        {X(".js"), {X(".ts"), X(".tsx")}},
        {X(".jsx"), {X(".ts"), X(".tsx")}},
        {X(".mjs"), {X(".mts"), X("")}},
        {X(".cjs"), {X(".cts"), X("")}},
    };
    Str extension = path_extname(name);
    for (u32 i = 0; i < COUNT(table) && !q->is_node_only; i++) {
        if (!str_eq(table[i].from, extension)) continue;
        Str base = str_slice(name, 0, name.n - extension.n);
        Outcome got = try_name(q, d, str_concat(q->tmp, base, table[i].to[0]));
        if (got != MISS || !table[i].to[1].n) return got;
        return try_name(q, d, str_concat(q->tmp, base, table[i].to[1]));
    }
    return MISS;
}

/* `name` itself was looked for. */
static Outcome try_variants(Ask *q, Dir *d, Str name, NameKind kind)
{
    Outcome got = try_extensions(q, d, name, kind);
    return got == MISS ? try_typescript(q, d, name) : got;
}

/* Other importers do not pay for looking up a tsconfig.json that hardly ever has suffixes. */
static bool is_typescript(Str importer)
{
    return str_ends(importer, S(".ts")) || str_ends(importer, S(".tsx")) ||
           str_ends(importer, S(".mts")) || str_ends(importer, S(".cts"));
}

/* tsconfig's moduleSuffixes, for importers in TypeScript: "x" is "x.ios" first, "x.js" is
 * "x.ios.js". */
static Outcome try_suffixes(Ask *q, Dir *d, Str name, NameKind kind, const ResolveTsConfig *ts)
{
    Outcome got = MISS;
    Str extension = path_extname(name);
    Str stem = str_slice(name, 0, name.n - extension.n);
    for (u32 i = 0; i < ts->n_module_suffixes && got == MISS; i++) {
        Str suffix = ts->module_suffixes[i];
        Str inside = str_concat(q->tmp, str_concat(q->tmp, stem, suffix), extension);
        got = try_name(q, d, inside);
        if (got == MISS) got = try_variants(q, d, inside, kind);
        if (got == MISS && extension.n)
            got = try_variants(q, d, str_concat(q->tmp, name, suffix), kind);
    }
    return got;
}

static Outcome try_file(Ask *q, Dir *d, Str name, NameKind kind)
{
    /* Without an extension the directory will be read anyway. */
    Dir *real = str_find(name, '.') < 0 && !q->is_node_only ? resolve_dir_real(q->r, d) : NULL;
    if (real) resolve_dir_list(q->r, real);
    Outcome got = try_name(q, d, name);
    if (got != MISS || q->is_node_only || d->in_node_modules)
        return got == MISS ? try_variants(q, d, name, kind) : got;
    const ResolveTsConfig *ts = is_typescript(q->req->importer) ? resolve_ask_ts(q) : NULL;
    if (ts && ts->n_module_suffixes) return try_suffixes(q, d, name, kind, ts);
    return try_variants(q, d, name, kind);
}

static bool is_too_long(Str path)
{
    return path.n >= SYS_PATH_MAX;
}

Outcome resolve_ask_exact(Ask *q, Str path)
{
    if (is_too_long(path) || path.n == 1) return MISS;
    Dir *d = resolve_dir_at(q->r, path_dirname(path));
    Str name = path_basename(path, (Str){0});
    Entry e = resolve_dir_entry(q->r, d, name);
    if (e.kind == ENTRY_DIR && q->is_import) return resolve_fail_dir_import(q, path);
    if (e.kind == ENTRY_FILE) return resolve_ask_hit(q, d, &e, name);
    return try_typescript(q, d, name);
}

Outcome resolve_ask_open(Ask *q, Str path)
{
    if (is_too_long(path) || path.n == 1) return MISS;
    Dir *d = resolve_dir_at(q->r, path_dirname(path));
    return try_extensions(q, d, path_basename(path, (Str){0}), NAME_OPEN);
}

/* ---- Directories ------------------------------------------------------------------------------
 */

/* The target of a main field. */
static Outcome try_main_field(Ask *q, Dir *d, Str main)
{
    Str path = path_resolve(q->tmp, S("/"), d->path, main);
    if (is_too_long(path)) return MISS;
    Outcome got = MISS;
    if (path.n > 1) {
        Dir *parent = resolve_dir_at(q->r, path_dirname(path));
        got = try_file(q, parent, path_basename(path, (Str){0}), NAME_MAIN);
    }
    if (got != MISS) return got;
    return try_extensions(q, resolve_dir_at(q->r, path), S("index"), NAME_MAIN);
}

Outcome resolve_ask_main(Ask *q, Dir *d, bool is_package)
{
    PkgAt p = resolve_pkg_in(q->r, d);
    if (p.pkg && p.pkg->error)
        return resolve_fail_config(q, resolve_pkg_path(q->tmp, p), str_z(p.pkg->error));
    Outcome got = MISS;
    const ResolveOptions *o = &q->r->options;
    for (u32 i = 0; p.pkg && i < o->n_main_fields; i++) {
        Str field = json_find_str(q->tmp, &p.pkg->root, o->main_fields[i]);
        if (field.n) got = try_main_field(q, d, field);
        if (got != MISS) return got;
    }
    Str main = {0};
    if (p.pkg && !o->n_main_fields) main = p.pkg->main;
    if (main.n) got = try_main_field(q, d, main);
    if (got == MISS)
        got = try_extensions(q, d, S("index"), is_package || p.pkg ? NAME_INDEX : NAME_PATH);
    if (got == MISS && p.pkg && !o->n_main_fields && !q->is_node_only) {
        Str module = json_find_str(q->tmp, &p.pkg->root, S("module"));
        if (module.n) got = try_main_field(q, d, module);
    }
    if (got == MISS && main.n && !q->is_import) {
        Str file = path_resolve(q->tmp, S("/"), d->path, main);
        return resolve_fail_main(q, file, resolve_pkg_path(q->tmp, p));
    }
    return got;
}

bool resolve_is_dir_spec(Str path)
{
    if (str_ends(path, S("/"))) return true;
    Str last = path_basename(path, (Str){0});
    return str_eq(last, S(".")) || str_eq(last, S(".."));
}

Outcome resolve_ask_path(Ask *q, Str path, bool is_dir)
{
    if (is_too_long(path)) return MISS;
    if (path.n == 1) return resolve_ask_main(q, resolve_dir_at(q->r, path), false);
    Dir *d = resolve_dir_at(q->r, path_dirname(path));
    Str name = path_basename(path, (Str){0});
    Outcome got = is_dir ? MISS : try_file(q, d, name, NAME_PATH);
    if (got != MISS) return got;
    if (resolve_dir_entry(q->r, d, name).kind != ENTRY_DIR) return MISS;
    Dir *inside = resolve_dir_child(q->r, d, name);
    return inside ? resolve_ask_main(q, inside, false) : MISS;
}
