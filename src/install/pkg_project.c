/* install/pkg_project.c -- see project.h.  Who gets what is not said in the lockfile: it follows
 * from the places, as a program that looks for a module would find it. */
#include "install/project.h"

#include "sys/sys.h"
#include "util/path.h"
#include "util/vec.h"

enum { LOCK_MAX = 256 << 20 };

typedef Vec(PkgEdge) Edges;

static void take_group(Arena *a, const JsonNode *holder, Str key, PkgEdgeKind kind, Edges *edges)
{
    const JsonNode *group = json_find(holder, key);
    const JsonNode *optional = json_find(holder, S("optionalPeers"));
    if (!group || group->kind != JSON_OBJECT) return;
    for (u32 i = 0; i < group->len; i++) {
        const JsonNode *value = &group->items[2 * i + 1];
        if (value->kind != JSON_STRING) continue;
        PkgEdge edge = {
            .name = json_str(a, &group->items[2 * i]), .text = json_str(a, value), .kind = kind};
        bool has_list = kind == PKG_EDGE_PEER && optional && optional->kind == JSON_ARRAY;
        for (u32 j = 0; has_list && j < optional->len; j++)
            edge.is_optional_peer |=
                optional->items[j].kind == JSON_STRING && json_is(&optional->items[j], edge.name);
        vec_push(a, edges, edge);
    }
}

static void take_edges(Arena *a, const JsonNode *holder, PkgPlace *place)
{
    Edges edges = {0};
    take_group(a, holder, S("dependencies"), PKG_EDGE_PROD, &edges);
    take_group(a, holder, S("devDependencies"), PKG_EDGE_DEV, &edges);
    take_group(a, holder, S("optionalDependencies"), PKG_EDGE_OPTIONAL, &edges);
    take_group(a, holder, S("peerDependencies"), PKG_EDGE_PEER, &edges);
    place->edges = edges.at;
    place->n_edges = edges.len;
}

/* Where the last name of a path begins: "@scope/name" is one. */
static usize last_name_at(Str path)
{
    i64 slash = str_rfind(path, '/');
    if (slash < 0) return 0;
    i64 before = str_rfind(str_slice(path, 0, (usize)slash), '/');
    Str part = str_skip(path, (usize)(before + 1));
    return part.p[0] == '@' ? (usize)(before + 1) : (usize)slash + 1;
}

static Str string_at(Arena *a, const JsonNode *entry, u32 i)
{
    return i < entry->len && entry->items[i].kind == JSON_STRING ? json_str(a, &entry->items[i])
                                                                 : S("");
}

/* ["name@version", "tarball", { info }, "integrity"], or ["name@file:x", { info }, ...]. */
static bool take_place(Arena *a, Str path, const JsonNode *entry, PkgPlace *ret)
{
    if (entry->kind != JSON_ARRAY || !path.n) return false;
    Str id = string_at(a, entry, 0);
    i64 at = str_find(str_skip(id, 1), '@');
    if (at < 0) return false;
    *ret = (PkgPlace){.path = path, .alias = str_skip(path, last_name_at(path))};
    ret->name = str_slice(id, 0, (usize)at + 1);
    ret->version = str_skip(id, (usize)at + 2);
    if (str_starts(ret->version, S("workspace:")))
        ret->workspace = str_skip(ret->version, sizeof "workspace:" - 1);
    ret->is_registry = entry->len > 2 && entry->items[2].kind == JSON_OBJECT;
    if (ret->is_registry) {
        ret->tarball = string_at(a, entry, 1);
        ret->integrity = string_at(a, entry, 3);
    }
    for (u32 i = 1; i < entry->len && i < 3; i++) {
        const JsonNode *info = &entry->items[i];
        if (info->kind != JSON_OBJECT) continue;
        const JsonNode *scripts = json_find(info, S("hasInstallScript"));
        take_edges(a, info, ret);
        ret->has_scripts = scripts && scripts->kind == JSON_TRUE;
    }
    return true;
}

/* From the place itself up to the root. */
static u32 find_from(Arena *a, const PkgProject *p, Str path, Str name)
{
    for (;;) {
        Str where = path.n ? str_fmt(a, "%.*s/%.*s", STR_ARG(path), STR_ARG(name)) : name;
        u64 *slot = str_map_find(&p->by_path, where);
        if (slot) return (u32)*slot;
        if (!path.n) return 0;
        usize at = last_name_at(path);
        path = str_slice(path, 0, at ? at - 1 : 0);
    }
}

static void find_targets(Arena *a, PkgProject *p)
{
    for (u32 i = 0; i < p->n_places; i++) {
        PkgPlace *place = &p->places[i];
        for (u32 j = 0; j < place->n_edges; j++) {
            AUTO(Scratch) s = scratch_begin(a);
            place->edges[j].to = find_from(s.arena, p, place->path, place->edges[j].name);
        }
    }
}

static void take_project(Arena *a, PkgProject *p)
{
    const JsonNode *own = json_find(&p->json, S("workspaces"));
    for (u32 i = 0; i < p->n_places; i++) {
        PkgPlace *place = &p->places[i];
        const JsonNode *holder = i && !place->workspace.n ? NULL : json_find(own, place->workspace);
        if (!holder) continue;
        take_edges(a, holder, place);
        if (!i) place->name = json_find_str(a, holder, S("name"));
    }
}

static bool parse(Arena *a, Log *log, PkgProject *p)
{
    JsonError e;
    if (!json_parse(a, p->source.text, JSON_JSONC, &p->json, &e))
        return log_error(log, (Span){.src = &p->source, .pos = e.offset}, "%s", e.what);
    const JsonNode *packages = json_find(&p->json, S("packages"));
    u32 n = packages && packages->kind == JSON_OBJECT ? packages->len : 0;
    p->places = ARENA_ARRAY(a, PkgPlace, n + 1);
    p->n_places = 1;
    for (u32 i = 0; i < n; i++) {
        Str path = json_str(a, &packages->items[2 * i]);
        PkgPlace *place = &p->places[p->n_places];
        if (!take_place(a, path, &packages->items[2 * i + 1], place)) continue;
        *str_map_put(a, &p->by_path, path, NULL) = p->n_places++;
    }
    take_project(a, p);
    find_targets(a, p);
    return true;
}

bool pkg_project_read(Arena *a, Str dir, Log *log, PkgProject *ret)
{
    Str path = path_join2(a, dir, S("bun.lock")), text;
    *ret = (PkgProject){.source = {.name = path}};
    int rc = sys_read_file(a, path, LOCK_MAX, &text);
    if (rc == -ENOENT)
        return log_error(log, (Span){0}, "There is no bun.lock in %.*s: run \"cob install\" first",
                         STR_ARG(dir));
    if (rc < 0) return log_error(log, (Span){0}, "Cannot read %.*s", STR_ARG(path));
    ret->source.text = text;
    return parse(a, log, ret);
}

Str pkg_place_dir(Arena *a, const PkgPlace *place)
{
    Str rest = place->path, dir = S("");
    while (rest.n) { /* from the last name on */
        usize at = last_name_at(rest);
        dir = str_fmt(a, "node_modules/%.*s%s%.*s", STR_ARG(str_skip(rest, at)), dir.n ? "/" : "",
                      STR_ARG(dir));
        rest = str_slice(rest, 0, at ? at - 1 : 0);
    }
    return dir;
}
