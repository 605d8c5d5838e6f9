/* install/pkg_import_pnpm.c -- pnpm-lock.yaml, versions 5 to 9.
 *
 *     importers:                     (older: the same two lines up, at the root)
 *       .:
 *         dependencies:
 *           a: { specifier: ^1, version: 1.2.0(peer@1.0.0) }      (5: a: 1.2.0_peer@1.0.0)
 *     packages:
 *       a@1.2.0: { resolution: { integrity: ... } }               (6: /a@1.2.0, 5: /a/1.2.0)
 *     snapshots:                                                  (older: in packages)
 *       a@1.2.0(peer@1.0.0): { dependencies: { b: 2.0.0 } }
 */
#include "install/pkg_import.h"

#include "codec/utf.h"
#include "codec/yaml.h"
#include "util/path.h"

typedef struct {
    PkgRun *run;
    StrMap integrities; /* "name@version" -> Str * */
} Import;

static const YamlNode *find(const YamlNode *map, Str key)
{
    if (!map || map->kind != YAML_MAPPING) return NULL;
    for (u32 i = 0; i + 1 < map->len; i += 2)
        if (map->items[i]->kind == YAML_STRING && str_eq(map->items[i]->str, key))
            return map->items[i + 1];
    return NULL;
}

static Str text_of(const YamlNode *node)
{
    bool is_text = node && (node->kind == YAML_STRING || node->kind == YAML_NUMBER);
    return is_text ? node->str : S("");
}

/* What other packages it was made with is said behind the version. */
static Str without_peers(Str text)
{
    i64 end = str_find(text, '(');
    if (end < 0)
        end = str_find(str_skip(text, 1), '_') >= 0 ? str_find(str_skip(text, 1), '_') + 1
                                                    : (i64)text.n;
    return str_slice(text, 0, (usize)end);
}

/* "a@1.0.0", "/a@1.0.0", "/a/1.0.0": name and version. */
static bool cut_key(Str key, Str *ret_name, Str *ret_version)
{
    bool has_slash = str_starts(key, S("/"));
    if (has_slash) key = str_skip(key, 1);
    i64 paren = str_find(key, '(');
    if (paren >= 0) key = str_slice(key, 0, (usize)paren);
    i64 at = str_find(str_skip(key, 1), '@'), slash = str_rfind(key, '/');
    /* "@s/a/1.0.0_b@2.0.0": the slash of the version comes first. */
    bool is_old = has_slash && slash > 0 && slash + 1 < (i64)key.n && key.p[slash + 1] >= '0' &&
                  key.p[slash + 1] <= '9';
    if (!is_old && at < 0) return false;
    usize cut = is_old ? (usize)slash : (usize)at + 1;
    *ret_name = str_slice(key, 0, cut);
    *ret_version = without_peers(str_skip(key, cut + 1));
    return true;
}

/* What stands for a version: itself, or the key of an alias. */
static bool take_version(Str name, Str text, Str *ret_name, Str *ret_version)
{
    Semver version;
    *ret_name = name;
    *ret_version = without_peers(text);
    if (semver_parse(*ret_version, &version)) return true;
    return cut_key(text, ret_name, ret_version) && semver_parse(*ret_version, &version);
}

static void pin(Import *import, Str parent, Str dep, Str text)
{
    Arena *a = import->run->arena;
    Str name, version;
    if (!take_version(dep, text, &name, &version)) return;
    Str id = str_fmt(a, "%.*s@%.*s", STR_ARG(name), STR_ARG(version));
    u64 *slot = str_map_find(&import->integrities, id);
    Str integrity = slot ? *(const Str *)(uintptr_t)*slot : S("");
    pkg_pin_edge(import->run, parent, dep, (PkgPin){version, integrity});
}

static void take_groups(Import *import, Str parent, const YamlNode *holder)
{
    static const Str groups[] = {
        {"dependencies", 12}, {"devDependencies", 15}, {"optionalDependencies", 20}};
    for (u32 k = 0; k < COUNT(groups); k++) {
        const YamlNode *group = find(holder, groups[k]);
        for (u32 i = 0; group && group->kind == YAML_MAPPING && i + 1 < group->len; i += 2) {
            const YamlNode *value = group->items[i + 1];
            Str text =
                value->kind == YAML_MAPPING ? text_of(find(value, S("version"))) : text_of(value);
            pin(import, parent, text_of(group->items[i]), text);
        }
    }
}

static void take_integrities(Import *import, const YamlNode *packages)
{
    Arena *a = import->run->arena;
    for (u32 i = 0; packages && packages->kind == YAML_MAPPING && i + 1 < packages->len; i += 2) {
        Str name, version;
        Str integrity =
            text_of(find(find(packages->items[i + 1], S("resolution")), S("integrity")));
        if (!integrity.n || !cut_key(text_of(packages->items[i]), &name, &version)) continue;
        Str *kept = ARENA_NEW(a, Str);
        *kept = integrity;
        Str id = str_fmt(a, "%.*s@%.*s", STR_ARG(name), STR_ARG(version));
        *str_map_put(a, &import->integrities, id, NULL) = (u64)(uintptr_t)kept;
    }
}

static void take_packages(Import *import, const YamlNode *packages)
{
    for (u32 i = 0; packages && packages->kind == YAML_MAPPING && i + 1 < packages->len; i += 2) {
        Str name, version;
        if (!cut_key(text_of(packages->items[i]), &name, &version)) continue;
        Str id = str_fmt(import->run->arena, "%.*s@%.*s", STR_ARG(name), STR_ARG(version));
        take_groups(import, id, packages->items[i + 1]);
    }
}

/* pnpm keeps the list of a project's own packages in a file of its own: without it half of the
 * project would not be seen. */
static bool check_workspaces(PkgRun *run)
{
    Yaml yaml;
    YamlError e;
    Str path = path_join2(run->arena, run->options->dir, S("pnpm-workspace.yaml")), text;
    if (json_find(&run->root_json, S("workspaces"))) return true;
    if (sys_read_file(run->arena, path, PKG_MANIFEST_MAX, &text) < 0) return true;
    if (!utf8_is_valid(text)) return true;
    if (!yaml_parse(run->arena, text, &yaml, &e) || !yaml.len) return true;
    return !find(yaml.documents[0], S("packages")) ||
           log_error(run->log, (Span){0},
                     "%.*s lists packages of this project: put them into \"workspaces\" of "
                     "package.json, where every package manager looks",
                     STR_ARG(path));
}

bool pkg_import_pnpm(PkgRun *run, const Source *source)
{
    Yaml yaml;
    YamlError e;
    if (!check_workspaces(run)) return false;
    if (!utf8_is_valid(source->text))
        return log_error(run->log, (Span){0}, "%.*s is no UTF-8", STR_ARG(source->name));
    if (!yaml_parse(run->arena, source->text, &yaml, &e))
        return log_error(run->log, (Span){0}, "%.*s:%u:%u: %.*s", STR_ARG(source->name), e.line,
                         e.column, STR_ARG(e.what));
    if (!yaml.len) return true;
    /* The first document may be that of pnpm's own environment. */
    const YamlNode *root = yaml.documents[yaml.len - 1];
    const YamlNode *importers = find(root, S("importers")), *packages = find(root, S("packages"));
    Import import = {.run = run};
    take_integrities(&import, packages);
    if (!importers) take_groups(&import, S(""), root);
    for (u32 i = 0; importers && importers->kind == YAML_MAPPING && i + 1 < importers->len;
         i += 2) {
        Str dir = text_of(importers->items[i]);
        take_groups(&import, str_eq(dir, S(".")) ? S("") : dir, importers->items[i + 1]);
    }
    take_packages(&import, find(root, S("snapshots")));
    take_packages(&import, packages);
    return true;
}
