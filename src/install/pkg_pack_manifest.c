/* install/pkg_pack_manifest.c -- package.json as others get it: "workspace:" and "catalog:" mean
 * nothing to them, so the ranges behind stand there instead. */
#include "install/pkg.h"
#include "util/json_edit.h"

/* "workspace:^" is "^" and the version of that package; "workspace:^1" is "^1". */
static bool of_workspace(PkgRun *run, Str name, Str text, Str *ret)
{
    PkgSpec spec;
    Str rest = str_skip(text, sizeof "workspace:" - 1);
    if (!pkg_spec_parse(run->arena, name, text, S(""), &spec)) return false;
    u32 own = pkg_find_workspace(run, &spec);
    Str version = own ? run->pkgs.at[own].version_text : S("");
    bool is_sign = str_eq(rest, S("^")) || str_eq(rest, S("~"));
    bool is_version = is_sign || !rest.n || str_eq(rest, S("*")) || spec.where.n;
    if (!is_version) {
        *ret = rest;
        return true;
    }
    *ret = str_fmt(run->arena, "%.*s%.*s", STR_ARG(is_sign ? rest : S("")), STR_ARG(version));
    return version.n > 0;
}

static bool replace(PkgRun *run, Str group, Str name, Str text, Str *json)
{
    AUTO(Buf) quoted = {0};
    Str value = text, keys[] = {group, name};
    JsonError e;
    bool is_workspace = str_starts(text, S("workspace:"));
    if (!is_workspace && !str_starts(text, S("catalog:"))) return true;
    bool ok = is_workspace ? of_workspace(run, name, text, &value)
                           : pkg_catalog_find(run, name, text, &value);
    if (!ok)
        return log_error(run->log, (Span){0},
                         "Failed to resolve the version of \"%.*s\" in \"%.*s\": \"%.*s\" (is that "
                         "package there, with a version?)",
                         STR_ARG(name), STR_ARG(group), STR_ARG(text));
    json_write_str(&quoted, value);
    JsonEdit edit = {.text = *json, .keys = keys, .n_keys = 2, .value = buf_str(&quoted)};
    return json_edit_set(run->arena, &edit, json, &e);
}

bool pkg_pack_manifest(Arena *a, Str root, Log *log, Str *text)
{
    static const Str groups[] = {{"dependencies", 12},
                                 {"devDependencies", 15},
                                 {"optionalDependencies", 20},
                                 {"peerDependencies", 16}};
    JsonNode json;
    JsonError e;
    bool has_any =
        str_find_str(*text, S("\"workspace:")) >= 0 || str_find_str(*text, S("\"catalog:")) >= 0;
    if (!has_any || !json_parse(a, *text, JSON_JSONC, &json, &e)) return true;
    PkgOptions *options = ARENA_NEW(a, PkgOptions);
    options->dir = root;
    PkgRun *run = ARENA_NEW(a, PkgRun);
    *run = (PkgRun){.arena = a, .options = options, .log = log};
    if (!pkg_read_root(run)) return false;
    for (u32 k = 0; k < COUNT(groups); k++) {
        const JsonNode *group = json_find(&json, groups[k]);
        for (u32 i = 0; group && group->kind == JSON_OBJECT && i < group->len; i++) {
            const JsonNode *value = &group->items[2 * i + 1];
            if (value->kind != JSON_STRING) continue;
            Str name = json_str(a, &group->items[2 * i]);
            if (!replace(run, groups[k], name, json_str(a, value), text)) return false;
        }
    }
    return true;
}
