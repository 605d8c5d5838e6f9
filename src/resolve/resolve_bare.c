/* resolve/resolve_bare.c -- packages by name: node_modules folders upwards, NODE_PATH, the package
 * itself. */
#include "resolve/resolve_priv.h"

#include "util/path.h"

typedef struct {
    Str name;    /* "pkg" or "@scope/pkg" */
    Str subpath; /* "." or "./..." */
} PackageSpec;

/* What Node's parsePackageName accepts for an import, or its EXPORTS_PATTERN for a require; the
 * two differ in odd cases only. */
static bool package_spec(const Ask *q, Str spec, PackageSpec *ret)
{
    i64 slash = str_find(spec, '/');
    if (str_starts(spec, S("@"))) {
        i64 next = slash < 0 ? -1 : str_find(str_skip(spec, (usize)slash + 1), '/');
        bool is_odd = slash <= 1 || next == 0 || (usize)slash + 1 == spec.n;
        if (slash < 0 ? q->is_import : is_odd && !q->is_import) return false;
        slash = next < 0 ? -1 : slash + 1 + next;
    }
    Str name = slash < 0 ? spec : str_slice(spec, 0, (usize)slash);
    bool is_odd = !name.n && !q->is_import;
    if (is_odd || str_starts(name, S(".")) || str_find(name, '%') >= 0 || str_find(name, '\\') >= 0)
        return false;
    *ret = (PackageSpec){.name = name, .subpath = S(".")};
    if (slash >= 0) ret->subpath = str_concat(q->tmp, S("."), str_skip(spec, (usize)slash));
    return true;
}

static Dir *package_dir(Ask *q, Dir *modules, Str name)
{
    Dir *d = modules;
    Str part;
    while (d && str_next(&name, '/', &part)) {
        if (str_eq(part, S("..")) || str_eq(part, S("."))) return NULL;
        if (part.n) d = resolve_dir_child(q->r, d, part);
    }
    return d;
}

/* A package's directory without "exports", for an import: the main file, or a path in it. */
static Outcome import_from(Ask *q, Dir *d, Str subpath)
{
    Str plain = subpath, suffix = {"", 0};
    if (str_eq(subpath, S("."))) return resolve_ask_main(q, d, true);
    if (!resolve_url_split(q->tmp, subpath, &plain, &suffix))
        return resolve_fail_specifier(q, path_resolve(q->tmp, S("/"), d->path, subpath),
                                      S("must not include encoded \"/\" or \"\\\" characters"));
    Str path = path_resolve(q->tmp, S("/"), d->path, plain);
    bool is_dir = str_ends(plain, S("/"));
    Outcome got = q->is_node_only ? resolve_ask_exact(q, path) : resolve_ask_path(q, path, is_dir);
    if (got == HIT && suffix.n) q->ret->suffix = resolver_intern(q->r, suffix);
    return got;
}

/* Node takes the first directory with the package's name, whatever is in it; this remembers how it
 * would then complain. */
static void note_package(Ask *q, Dir *d, Str subpath)
{
    if (q->missing.n) return;
    Str plain, suffix;
    q->is_main_missing = str_eq(subpath, S("."));
    if (!resolve_url_split(q->tmp, subpath, &plain, &suffix)) plain = subpath;
    if (q->is_main_missing) {
        PkgAt p = resolve_pkg_in(q->r, d);
        plain = p.pkg && p.pkg->main.p ? p.pkg->main : S("index.js");
    }
    q->missing = path_resolve(q->tmp, S("/"), d->path, plain);
}

static Outcome import_modules(Ask *q, Dir *modules, Str spec, const PackageSpec *p)
{
    Dir *d = package_dir(q, modules, p->name);
    Outcome got = MISS;
    if (d && resolve_dir_real(q->r, d)) {
        got = import_from(q, d, p->subpath);
        if (got == MISS) note_package(q, d, p->subpath);
        if (got == MISS && q->is_node_only)
            got = resolve_fail_not_found(q, q->missing, q->is_main_missing);
    } else if (!q->is_node_only) {
        got = resolve_ask_path(q, path_resolve(q->tmp, S("/"), modules->path, spec), false);
    }
    return got;
}

/* In one node_modules folder.  `valid`: `p` has the parts of `spec`. */
static Outcome try_modules(Ask *q, Dir *modules, Str spec, const PackageSpec *p, bool valid)
{
    if (!resolve_dir_real(q->r, modules)) return MISS;
    Dir *d = valid ? package_dir(q, modules, p->name) : NULL;
    PkgAt pkg = d ? resolve_pkg_in(q->r, d) : (PkgAt){0};
    if (pkg.pkg && pkg.pkg->error)
        return resolve_fail_config(q, resolve_pkg_path(q->tmp, pkg), str_z(pkg.pkg->error));
    if (pkg.pkg && pkg.pkg->exports) return resolve_ask_exports(q, pkg, p->subpath);
    if (q->is_import) return import_modules(q, modules, spec, p);
    Str path = path_resolve(q->tmp, S("/"), modules->path, spec);
    return resolve_ask_path(q, path, resolve_is_dir_spec(spec));
}

/* The nearest package.json has the package's own name. */
static Outcome try_self(Ask *q, Dir *from, const PackageSpec *p)
{
    PkgAt pkg = resolve_pkg_above(q->r, from);
    if (!pkg.pkg) return MISS;
    if (pkg.pkg->error)
        return resolve_fail_config(q, resolve_pkg_path(q->tmp, pkg), str_z(pkg.pkg->error));
    if (!pkg.pkg->exports || !pkg.pkg->has_name) return MISS;
    if (!str_eq(pkg.pkg->name, p->name)) return MISS;
    return resolve_ask_exports(q, pkg, p->subpath);
}

Outcome resolve_ask_bare(Ask *q, Str spec, Dir *from)
{
    PackageSpec p = {0};
    bool valid = package_spec(q, spec, &p);
    if (q->is_import && !valid)
        return resolve_fail_specifier(q, spec, S("is not a valid package name"));
    Outcome got = valid ? try_self(q, from, &p) : MISS;
    Str base = q->base;
    if (!q->is_import) q->base = (Str){0}; /* Node does not name the importer here */
    for (Dir *d = from; d && got == MISS; d = d->parent) {
        if (str_eq(d->name, S("node_modules"))) continue;
        Dir *modules = resolve_dir_child(q->r, d, S("node_modules"));
        if (modules) got = try_modules(q, modules, spec, &p, valid);
    }
    for (u32 i = 0; i < q->r->node_path.len && got == MISS; i++)
        got = try_modules(q, resolve_dir_at(q->r, q->r->node_path.at[i]), spec, &p, valid);
    q->base = base;
    return got;
}
