/* resolve/resolve_pkg.c -- package.json files, read once and kept with their directory. */
#include "resolve/resolve_priv.h"

#include "util/mem.h"

enum { PACKAGE_JSON_MAX = 64 * 1024 * 1024 };

void resolve_pkg_free(Pkg *p)
{
    if (!p) return;
    arena_deinit(&p->mem);
    mem_free(p);
}

static bool is_kind(const JsonNode *n, u32 kinds)
{
    return n && (kinds >> n->kind & 1);
}

static void pkg_fill(Pkg *p)
{
    enum { TEXT = 1 << JSON_STRING, OBJECT = 1 << JSON_OBJECT, ARRAY = 1 << JSON_ARRAY };
    const JsonNode *root = &p->root;
    const JsonNode *n = json_find(root, S("name"));
    p->has_name = is_kind(n, TEXT);
    p->name = json_find_str(&p->mem, root, S("name"));
    p->version = json_find_str(&p->mem, root, S("version"));
    p->main = json_find_str(&p->mem, root, S("main"));
    n = json_find(root, S("exports"));
    if (is_kind(n, TEXT | OBJECT | ARRAY)) p->exports = n;
    n = json_find(root, S("imports"));
    if (is_kind(n, TEXT | OBJECT | ARRAY)) p->imports = n;
    n = json_find(root, S("browser"));
    if (is_kind(n, TEXT | OBJECT)) p->browser = n;
    n = json_find(root, S("type"));
    if (json_is(n, S("module"))) p->type = RESOLVE_TYPE_MODULE;
    if (json_is(n, S("commonjs"))) p->type = RESOLVE_TYPE_COMMONJS;
}

static Pkg *pkg_read(Resolver *r, Str path)
{
    Pkg *p = MEM_NEW(Pkg);
    Str text;
    r->counts.n_reads++;
    if (sys_read_file(&p->mem, path, PACKAGE_JSON_MAX, &text) < 0) {
        resolve_pkg_free(p);
        return NULL;
    }
    if (!json_parse(&p->mem, text, JSON_JSONC, &p->root, &p->json_error)) {
        p->error = p->json_error.what;
    } else if (p->root.kind != JSON_OBJECT) {
        p->error = "expected an object";
    } else {
        pkg_fill(p);
    }
    return p;
}

static bool is_unchanged(const SysStat *x, const SysStat *y)
{
    return x->ino == y->ino && x->dev == y->dev && x->size == y->size && x->mtime.s == y->mtime.s &&
           x->mtime.ns == y->mtime.ns && x->ctime.s == y->ctime.s && x->ctime.ns == y->ctime.ns;
}

/* Loads, or after dir_forget looks whether what is here still holds. */
static void pkg_load(Resolver *r, Dir *real)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str path = resolve_dir_join(s.arena, real, S("package.json"));
    SysStat st = {0};
    if (real->pkg) {
        r->counts.n_stats++;
        if (sys_stat(path, &st) >= 0 && is_unchanged(&st, &real->pkg->stat)) {
            real->pkg_state = LOADED_YES;
            return;
        }
        resolve_pkg_free(real->pkg);
        real->pkg = NULL;
    }
    bool is_absent =
        real->is_listed && resolve_dir_entry(r, real, S("package.json")).kind != ENTRY_FILE;
    if (!is_absent) real->pkg = pkg_read(r, path);
    if (real->pkg) real->pkg->stat = st;
    real->pkg_state = real->pkg ? LOADED_YES : LOADED_NONE;
}

PkgAt resolve_pkg_in(Resolver *r, Dir *d)
{
    Dir *real = resolve_dir_real(r, d);
    if (!real) return (PkgAt){0};
    resolve_dir_touch(r, real);
    if (real->pkg_state == LOADED_NOT) pkg_load(r, real);
    return (PkgAt){.pkg = real->pkg, .at = d};
}

PkgAt resolve_pkg_above(Resolver *r, Dir *d)
{
    for (; d; d = d->parent) {
        if (str_eq(d->name, S("node_modules"))) break;
        PkgAt p = resolve_pkg_in(r, d);
        if (p.pkg) return p;
    }
    return (PkgAt){0};
}

Str resolve_pkg_path(Arena *a, PkgAt p)
{
    return resolve_dir_join(a, p.at, S("package.json"));
}
