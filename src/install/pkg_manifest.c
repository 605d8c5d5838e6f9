/* install/pkg_manifest.c -- package.json: dependencies, platforms, commands. */
#include "install/pkg.h"
#include "util/path.h"

#include <string.h>

static bool is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           memchr("-_.~!*'()", c, 9) != NULL;
}

static bool is_name_part(Str part)
{
    if (!part.n || part.p[0] == '.') return false;
    for (usize i = 0; i < part.n; i++)
        if (!is_name_char(part.p[i])) return false;
    return true;
}

/* "name" or "@scope/name"; nothing that could leave node_modules. */
bool pkg_name_is_fine(Str name)
{
    Str scope, rest;
    if (!name.n || name.n > PKG_NAME_MAX || str_eq_nocase(name, S("node_modules"))) return false;
    if (name.p[0] != '@') return is_name_part(name);
    return str_cut(str_skip(name, 1), '/', &scope, &rest) && is_name_part(scope) &&
           is_name_part(rest);
}

Str pkg_base_name(Str name)
{
    i64 slash = str_rfind(name, '/');
    return slash < 0 ? name : str_skip(name, (usize)slash + 1);
}

static bool is_listed(const JsonNode *meta, Str name)
{
    const JsonNode *entry = json_find(meta, name);
    const JsonNode *optional = json_find(entry, S("optional"));
    return optional && optional->kind == JSON_TRUE;
}

static PkgDep *find_dep(Pkg *pkg, Str name)
{
    for (u32 i = 0; i < pkg->deps.len; i++)
        if (str_eq(pkg->deps.at[i].name, name)) return &pkg->deps.at[i];
    return NULL;
}

/* Where paths of its dependencies start: of packages of a registry they lead nowhere. */
static Str base_of(const Pkg *pkg)
{
    return pkg->kind == PKG_FOLDER ? pkg->where : pkg->workspace;
}

static bool take_spec(PkgRun *run, const Pkg *pkg, PkgDep *dep)
{
    bool is_strict = dep->kind != PKG_OPTIONAL && dep->kind != PKG_PEER;
    Str text = pkg_override_of(run, pkg, dep->name);
    if (!text.n) text = dep->text;
    if (!pkg_catalog_find(run, dep->name, text, &text))
        return log_error(run->log, (Span){0}, "%.*s@%.*s: there is no such entry in the catalog",
                         STR_ARG(dep->name), STR_ARG(dep->text));
    if (!pkg_spec_parse(run->arena, dep->name, text, base_of(pkg), &dep->spec))
        return is_strict && log_error(run->log, (Span){0}, "%.*s@%.*s is not to be understood",
                                      STR_ARG(dep->name), STR_ARG(text));
    bool is_path = dep->spec.kind == PKG_FOLDER || dep->spec.kind == PKG_LINK ||
                   (dep->spec.kind == PKG_TARBALL && str_find_str(dep->spec.where, S("://")) < 0);
    bool has_project = !pkg->version_text.n || pkg->workspace.n || pkg->kind == PKG_FOLDER;
    if (!is_path || has_project) return true;
    /* A package from elsewhere does not say which of our files to take: its author forgot that. */
    return false;
}

static void take_group(PkgRun *run, Pkg *pkg, const JsonNode *json, Str key, PkgDepKind kind)
{
    Arena *a = run->arena;
    const JsonNode *group = json_find(json, key);
    const JsonNode *meta = json_find(json, S("peerDependenciesMeta"));
    if (!group || group->kind != JSON_OBJECT) return;
    for (u32 i = 0; i < group->len; i++) {
        const JsonNode *value = &group->items[2 * i + 1];
        Str name = json_str(a, &group->items[2 * i]);
        if (value->kind != JSON_STRING) continue;
        PkgDep dep = {.name = name, .text = json_str(a, value), .kind = kind};
        PkgDep *old = find_dep(pkg, name);
        /* optionalDependencies win over dependencies, both over peers. */
        if (old && kind == PKG_PEER) continue;
        if (kind == PKG_PEER) dep.is_optional_peer = is_listed(meta, name);
        if (!pkg_name_is_fine(name)) {
            (void)log_error(run->log, (Span){0}, "\"%.*s\" is not the name of a package",
                            STR_ARG(name));
            continue;
        }
        if (!take_spec(run, pkg, &dep)) continue;
        if (old)
            *old = dep;
        else
            vec_push(a, &pkg->deps, dep);
    }
}

/* An optional peer may be named in the metadata only: any version will do. */
static void take_peers_by_meta(PkgRun *run, Pkg *pkg, const JsonNode *json)
{
    Arena *a = run->arena;
    const JsonNode *meta = json_find(json, S("peerDependenciesMeta"));
    if (!meta || meta->kind != JSON_OBJECT) return;
    for (u32 i = 0; i < meta->len; i++) {
        Str name = json_str(a, &meta->items[2 * i]);
        if (!is_listed(meta, name) || find_dep(pkg, name) || !pkg_name_is_fine(name)) continue;
        PkgDep dep = {.name = name, .text = S("*"), .kind = PKG_PEER, .is_optional_peer = true};
        if (pkg_spec_parse(a, name, dep.text, S(""), &dep.spec)) vec_push(a, &pkg->deps, dep);
    }
}

/* A list of names, or true for all. */
static void take_bundled(PkgRun *run, Pkg *pkg, const JsonNode *list)
{
    /* What the project bundles is for those who get it. */
    if (!list || pkg == &run->pkgs.at[0] || pkg->workspace.n) return;
    for (u32 i = 0; i < pkg->deps.len; i++) {
        PkgDep *dep = &pkg->deps.at[i];
        bool is_one = list->kind == JSON_TRUE;
        for (u32 j = 0; list->kind == JSON_ARRAY && j < list->len; j++)
            is_one |= list->items[j].kind == JSON_STRING &&
                      str_eq(json_str(run->arena, &list->items[j]), dep->name);
        dep->is_bundled |= is_one && dep->kind != PKG_PEER;
    }
}

void pkg_take_deps(PkgRun *run, Pkg *pkg, const JsonNode *json, bool has_dev)
{
    take_group(run, pkg, json, S("dependencies"), PKG_PROD);
    if (has_dev) take_group(run, pkg, json, S("devDependencies"), PKG_DEV);
    take_group(run, pkg, json, S("optionalDependencies"), PKG_OPTIONAL);
    take_group(run, pkg, json, S("peerDependencies"), PKG_PEER);
    take_peers_by_meta(run, pkg, json);
    take_bundled(run, pkg, json_find(json, S("bundleDependencies")));
    take_bundled(run, pkg, json_find(json, S("bundledDependencies")));
    /* The lockfile keeps the names of optional peers as a list. */
    const JsonNode *optional = json_find(json, S("optionalPeers"));
    for (u32 i = 0; optional && optional->kind == JSON_ARRAY && i < optional->len; i++) {
        if (optional->items[i].kind != JSON_STRING) continue;
        PkgDep *dep = find_dep(pkg, json_str(run->arena, &optional->items[i]));
        if (dep && dep->kind == PKG_PEER) dep->is_optional_peer = true;
    }
}

/* ---- Platforms ------------------------------------------------------------------------------- */

/* A list or a single string: "linux", or "!win32" for all but that one. */
static bool suits(PkgRun *run, const JsonNode *json, Str key, Str ours)
{
    const JsonNode *list = json_find(json, key);
    if (!list || (list->kind != JSON_ARRAY && list->kind != JSON_STRING)) return true;
    u32 n = list->kind == JSON_ARRAY ? list->len : 1;
    bool has_positive = false, is_named = false;
    for (u32 i = 0; i < n; i++) {
        const JsonNode *item = list->kind == JSON_ARRAY ? &list->items[i] : list;
        if (item->kind != JSON_STRING) continue;
        Str text = json_str(run->arena, item);
        bool is_not = text.n && text.p[0] == '!';
        if (is_not && str_eq(str_skip(text, 1), ours)) return false;
        if (is_not) continue;
        has_positive = true;
        is_named |= str_eq(text, ours) || str_eq(text, S("any"));
    }
    return !has_positive || is_named;
}

static void copy_list(PkgRun *run, const JsonNode *json, Str key, Str **ret, u32 *ret_len)
{
    const JsonNode *list = json_find(json, key);
    Vec(Str) out = {0};
    bool is_array = list && list->kind == JSON_ARRAY;
    u32 n = is_array ? list->len : list && list->kind == JSON_STRING;
    for (u32 i = 0; i < n; i++) {
        const JsonNode *item = is_array ? &list->items[i] : list;
        if (item->kind == JSON_STRING) vec_push(run->arena, &out, json_str(run->arena, item));
    }
    *ret = out.at;
    *ret_len = out.len;
}

void pkg_take_platform(PkgRun *run, Pkg *pkg, const JsonNode *json)
{
    copy_list(run, json, S("os"), &pkg->os.at, &pkg->os.len);
    copy_list(run, json, S("cpu"), &pkg->cpu.at, &pkg->cpu.len);
    copy_list(run, json, S("libc"), &pkg->libc.at, &pkg->libc.len);
    const JsonNode *has = json_find(json, S("hasInstallScript"));
    pkg->has_scripts = has && has->kind == JSON_TRUE;
    /* Registries that do not know the short form give the scripts themselves. */
    const JsonNode *scripts = json_find(json, S("scripts"));
    static const Str names[] = {{"preinstall", 10}, {"install", 7}, {"postinstall", 11}};
    for (u32 i = 0; i < COUNT(names); i++) pkg->has_scripts |= json_find(scripts, names[i]) != NULL;
    pkg->is_elsewhere = !suits(run, json, S("os"), S("linux")) ||
                        !suits(run, json, S("cpu"), S("x64")) ||
                        !suits(run, json, S("libc"), S("glibc"));
}

/* ---- Commands -------------------------------------------------------------------------------- */

static void take_bin(PkgRun *run, Pkg *pkg, Str name, Str path)
{
    Str base = pkg_base_name(name);
    Str clean = path_normalize(run->arena, path);
    bool is_safe =
        is_name_part(base) && clean.n && !path_is_absolute(clean) && !str_starts(clean, S(".."));
    if (is_safe) vec_push(run->arena, &pkg->bins, (PkgBin){base, clean, path});
}

void pkg_take_bins(PkgRun *run, Pkg *pkg, const JsonNode *json)
{
    const JsonNode *bin = json_find(json, S("bin"));
    if (!bin) return;
    pkg->is_one_bin = bin->kind == JSON_STRING;
    if (pkg->is_one_bin) take_bin(run, pkg, pkg->name, json_str(run->arena, bin));
    if (bin->kind != JSON_OBJECT) return;
    for (u32 i = 0; i < bin->len; i++) {
        const JsonNode *value = &bin->items[2 * i + 1];
        if (value->kind == JSON_STRING)
            take_bin(run, pkg, json_str(run->arena, &bin->items[2 * i]),
                     json_str(run->arena, value));
    }
}

/* ---- The project ----------------------------------------------------------------------------- */

bool pkg_read_root(PkgRun *run)
{
    Arena *a = run->arena;
    Str path = path_join2(a, run->options->dir, S("package.json")), text;
    run->root_source.name = path;
    int rc = sys_read_file(a, path, PKG_MANIFEST_MAX, &text);
    if (rc == -ENOENT)
        return log_error(run->log, (Span){0}, "No package.json was found in %.*s",
                         STR_ARG(run->options->dir));
    if (rc < 0) return log_error(run->log, (Span){0}, "Cannot read %.*s", STR_ARG(path));
    run->root_source.text = text;
    if (!run->options->package.n && !pkg_change_text(run, &run->root_source)) return false;
    text = run->root_source.text;
    JsonError e;
    if (!json_parse(a, text, JSON_JSONC, &run->root_json, &e))
        return log_error(run->log, (Span){.src = &run->root_source, .pos = e.offset}, "%s", e.what);
    if (!pkg_read_overrides(run)) return false;
    pkg_trust_take(run, &run->root_json);
    Pkg *root = vec_add(a, &run->pkgs);
    *root = (Pkg){.name = json_find_str(a, &run->root_json, S("name"))};
    pkg_take_deps(run, root, &run->root_json, true);
    if (run->log->n_errors || !pkg_read_workspaces(run)) return false;
    pkg_change_mark(run);
    return true;
}
