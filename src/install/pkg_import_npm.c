/* install/pkg_import_npm.c -- package-lock.json and npm-shrinkwrap.json, versions 1 to 3.
 *
 * Version 1 is a tree of "dependencies" with "requires"; later ones have a flat list "packages" by
 * the path of the folder.  Both say where a package lies, so who gets which follows as it does for
 * a program: the nearest node_modules upwards. */
#include "install/pkg_import.h"

enum { DEPTH_MAX = 100 };
#define MODULES "node_modules/"

static Str id_of(Arena *a, Str name, const JsonNode *entry)
{
    return str_fmt(a, "%.*s@%.*s", STR_ARG(name), STR_ARG(json_find_str(a, entry, S("version"))));
}

static PkgPin pin_of(Arena *a, const JsonNode *entry)
{
    return (PkgPin){.version = json_find_str(a, entry, S("version")),
                    .integrity = json_find_str(a, entry, S("integrity"))};
}

/* ---- Versions 2 and 3 ------------------------------------------------------------------------ */

/* "node_modules/a/node_modules/@s/b" is "@s/b". */
static Str name_of(Arena *a, Str path, const JsonNode *entry)
{
    Str name = json_find_str(a, entry, S("name")); /* of aliases */
    for (i64 at; !name.n && (at = str_find_str(path, S(MODULES))) >= 0;)
        path = str_skip(path, (usize)at + sizeof MODULES - 1);
    return name.n ? name : path;
}

/* From the folder upwards. */
static const JsonNode *find_from(Arena *a, const JsonNode *packages, const StrMap *paths, Str path,
                                 Str name)
{
    AUTO(Scratch) s = scratch_begin(a);
    for (;;) {
        Str there = str_fmt(s.arena, "%.*s%s" MODULES "%.*s", STR_ARG(path), path.n ? "/" : "",
                            STR_ARG(name));
        u64 *slot = str_map_find(paths, there);
        if (slot) return &packages->items[2 * *slot + 1];
        if (!path.n) return NULL;
        i64 slash = str_rfind(path, '/');
        path = str_slice(path, 0, slash < 0 ? 0 : (usize)slash);
    }
}

typedef struct {
    PkgRun *run;
    const JsonNode *packages;
    StrMap paths; /* -> index of the member */
} Flat;

static void take_group(Flat *flat, Str path, Str parent, const JsonNode *group)
{
    Arena *a = flat->run->arena;
    for (u32 i = 0; group && group->kind == JSON_OBJECT && i < group->len; i++) {
        Str name = json_str(a, &group->items[2 * i]);
        const JsonNode *found = find_from(a, flat->packages, &flat->paths, path, name);
        if (found) pkg_pin_edge(flat->run, parent, name, pin_of(a, found));
    }
}

static bool take_packages(PkgRun *run, const JsonNode *packages)
{
    static const Str groups[] = {{"dependencies", 12},
                                 {"devDependencies", 15},
                                 {"optionalDependencies", 20},
                                 {"peerDependencies", 16}};
    Arena *a = run->arena;
    Flat flat = {.run = run, .packages = packages};
    for (u32 i = 0; i < packages->len; i++)
        *str_map_put(a, &flat.paths, json_str(a, &packages->items[2 * i]), NULL) = i;
    for (u32 i = 0; i < packages->len; i++) {
        const JsonNode *entry = &packages->items[2 * i + 1];
        Str path = json_str(a, &packages->items[2 * i]);
        bool is_package = str_find_str(path, S(MODULES)) >= 0;
        Str parent = is_package ? id_of(a, name_of(a, path, entry), entry) : path;
        for (u32 k = 0; k < COUNT(groups); k++)
            take_group(&flat, path, parent, json_find(entry, groups[k]));
    }
    return true;
}

/* ---- Version 1 ------------------------------------------------------------------------------- */

/* The "dependencies" from the one at hand up to the root's. */
typedef struct {
    const JsonNode *at[DEPTH_MAX];
    u32 len;
} Scope;

static const JsonNode *find_in(const Scope *scope, Str name)
{
    for (u32 i = scope->len; i-- > 0;) {
        const JsonNode *found = json_find(scope->at[i], name);
        if (found) return found;
    }
    return NULL;
}

static void take_level(PkgRun *run, Scope *scope)
{
    Arena *a = run->arena;
    const JsonNode *level = scope->at[scope->len - 1];
    for (u32 i = 0; i < level->len; i++) {
        const JsonNode *entry = &level->items[2 * i + 1];
        Str name = json_str(a, &level->items[2 * i]), parent = id_of(a, name, entry);
        const JsonNode *requires = json_find(entry, S("requires"));
        const JsonNode *below = json_find(entry, S("dependencies"));
        bool is_deeper = below && below->kind == JSON_OBJECT && scope->len < DEPTH_MAX;
        if (scope->len == 1) pkg_pin_edge(run, S(""), name, pin_of(a, entry));
        if (is_deeper) scope->at[scope->len++] = below;
        for (u32 k = 0; requires && requires->kind == JSON_OBJECT && k < requires->len; k++) {
            Str wanted = json_str(a, &requires->items[2 * k]);
            const JsonNode *found = find_in(scope, wanted);
            if (found) pkg_pin_edge(run, parent, wanted, pin_of(a, found));
        }
        if (!is_deeper) continue;
        take_level(run, scope);
        scope->len--;
    }
}

bool pkg_import_npm(PkgRun *run, const Source *source)
{
    JsonNode *json = ARENA_NEW(run->arena, JsonNode);
    JsonError e;
    if (!json_parse(run->arena, source->text, 0, json, &e))
        return log_error(run->log, (Span){.src = source, .pos = e.offset}, "%s", e.what);
    const JsonNode *packages = json_find(json, S("packages"));
    if (packages && packages->kind == JSON_OBJECT) return take_packages(run, packages);
    Scope scope = {.at = {json_find(json, S("dependencies"))}, .len = 1};
    if (scope.at[0] && scope.at[0]->kind == JSON_OBJECT) take_level(run, &scope);
    return true;
}
