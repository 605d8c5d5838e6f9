/* install/pkg_override.c -- what the project says for everybody: "overrides" as npm has them,
 * "resolutions" as yarn, and the catalogs, where ranges have names.
 *
 * An override is for a name everywhere, or for the dependencies of one package (by its name, with
 * or without a range). */
#include "install/pkg.h"

#include <stdlib.h>

typedef struct {
    Str parent, name, text;
    SemverRange range; /* of the parent */
    bool has_range;
} Override;

struct PkgOverrides {
    Vec(Override) all;
    bool has_nested;
    JsonNode catalog, catalogs;
};

/* "name" or "name@range". */
static bool cut_key(PkgRun *run, Str key, Str *ret_name, Override *o)
{
    i64 at = key.n ? str_find(str_skip(key, 1), '@') : -1;
    *ret_name = at < 0 ? key : str_slice(key, 0, (usize)at + 1);
    if (at < 0) return pkg_name_is_fine(*ret_name);
    o->has_range = true;
    return pkg_name_is_fine(*ret_name) &&
           semver_range_parse(run->arena, str_skip(key, (usize)at + 2), &o->range);
}

static bool refuse(PkgRun *run, Str key)
{
    return log_error(run->log, (Span){.src = &run->root_source},
                     "not implemented: the override of \"%.*s\"", STR_ARG(key));
}

/* "$name" is what the project itself asks for. */
static Str value_of(PkgRun *run, const JsonNode *value)
{
    static const Str groups[] = {{"dependencies", 12},
                                 {"devDependencies", 15},
                                 {"optionalDependencies", 20},
                                 {"peerDependencies", 16}};
    Str text = json_str(run->arena, value);
    if (!text.n || text.p[0] != '$') return text;
    for (u32 i = 0; i < COUNT(groups); i++) {
        const JsonNode *group = json_find(&run->root_json, groups[i]);
        Str found = json_find_str(run->arena, group, str_skip(text, 1));
        if (found.n) return found;
    }
    return text;
}

static void put(PkgRun *run, const Override *o)
{
    vec_push(run->arena, &run->overrides->all, *o);
    run->overrides->has_nested |= o->parent.n > 0;
}

static bool take_nested(PkgRun *run, Str key, const JsonNode *inside)
{
    Override shared = {0};
    if (!cut_key(run, key, &shared.parent, &shared)) return refuse(run, key);
    for (u32 i = 0; i < inside->len; i++) {
        Str name = json_str(run->arena, &inside->items[2 * i]);
        const JsonNode *value = &inside->items[2 * i + 1];
        Override o = shared;
        if (value->kind != JSON_STRING) return refuse(run, name);
        o.text = value_of(run, value);
        o.name = name;
        if (str_eq(name, S("."))) {
            o.name = shared.parent;
            o.parent = S("");
        } else if (!pkg_name_is_fine(name)) {
            return refuse(run, name);
        }
        put(run, &o);
    }
    return true;
}

/* "parent/name", "** /name" (without the space): yarn's way. */
static Str cut_path(Str key, Str *ret_parent)
{
    if (str_starts(key, S("**/"))) key = str_skip(key, 3);
    i64 slash = str_rfind(key, '/');
    bool is_path = slash > 0 && !pkg_name_is_fine(key);
    *ret_parent = S("");
    if (!is_path) return key;
    Str parent = str_slice(key, 0, (usize)slash), name = str_skip(key, (usize)slash + 1);
    i64 up = str_rfind(parent, '/');
    Str scope = str_skip(parent, (usize)(up + 1));
    if (scope.n && scope.p[0] == '@' && up > 0) {
        name = str_skip(key, (usize)up + 1);
        parent = str_slice(parent, 0, (usize)up);
    }
    *ret_parent = parent;
    return name;
}

static bool take_plain(PkgRun *run, Str key, const JsonNode *value)
{
    Override o = {.text = value_of(run, value)};
    Str name = cut_path(key, &o.parent);
    if (!cut_key(run, name, &o.name, &o)) return refuse(run, key);
    if (o.parent.n && !pkg_name_is_fine(o.parent)) return refuse(run, key);
    put(run, &o);
    return true;
}

static int by_name(const void *x, const void *y)
{
    const Override *a = x, *b = y;
    int order = str_cmp(a->parent.n ? a->parent : a->name, b->parent.n ? b->parent : b->name);
    return order ? order : str_cmp(a->name, b->name);
}

bool pkg_read_overrides(PkgRun *run)
{
    run->overrides = ARENA_NEW(run->arena, PkgOverrides);
    PkgOverrides *all = run->overrides;
    const JsonNode *json = &run->root_json, *found = json_find(json, S("overrides"));
    const JsonNode *shared = json_find(json, S("workspaces"));
    if (!shared || shared->kind != JSON_OBJECT) shared = json;
    const JsonNode *one = json_find(shared, S("catalog")), *many = json_find(shared, S("catalogs"));
    if (!one) one = json_find(json, S("catalog"));
    if (!many) many = json_find(json, S("catalogs"));
    if (one && one->kind == JSON_OBJECT) all->catalog = *one;
    if (many && many->kind == JSON_OBJECT) all->catalogs = *many;
    if (!found) found = json_find(json, S("resolutions"));
    if (!found || found->kind != JSON_OBJECT) return true;
    for (u32 i = 0; i < found->len; i++) {
        Str key = json_str(run->arena, &found->items[2 * i]);
        const JsonNode *value = &found->items[2 * i + 1];
        bool ok = value->kind == JSON_STRING   ? take_plain(run, key, value)
                  : value->kind == JSON_OBJECT ? take_nested(run, key, value)
                                               : refuse(run, key);
        if (!ok) return false;
    }
    if (all->all.len) qsort(all->all.at, all->all.len, sizeof(Override), by_name);
    return true;
}

Str pkg_override_of(const PkgRun *run, const Pkg *parent, Str name)
{
    Str found = {0};
    for (u32 i = 0; run->overrides && i < run->overrides->all.len; i++) {
        const Override *o = &run->overrides->all.at[i];
        if (!str_eq(o->name, name)) continue;
        if (!o->parent.n && !found.n) found = o->text;
        if (!o->parent.n || !str_eq(o->parent, parent->name)) continue;
        if (!o->has_range || semver_satisfies(&o->range, &parent->version)) return o->text;
    }
    return found;
}

bool pkg_catalog_find(PkgRun *run, Str name, Str text, Str *ret)
{
    const PkgOverrides *all = run->overrides;
    if (!str_starts(text, S("catalog:"))) {
        *ret = text;
        return true;
    }
    Str which = str_trim(str_skip(text, 8));
    const JsonNode *catalog = json_find(&all->catalogs, which);
    if (!which.n || (str_eq(which, S("default")) && !catalog)) catalog = &all->catalog;
    *ret = json_find_str(run->arena, catalog, name);
    return ret->n > 0;
}

/* ---- In the lockfile ------------------------------------------------------------------------- */

static void put_pair(Buf *out, const char *indent, Str key, Str value)
{
    (void)buf_push(out, str_z(indent));
    json_write_str(out, key);
    (void)buf_push(out, S(": "));
    json_write_str(out, value);
    (void)buf_push(out, S(",\n"));
}

static void put_overrides(Buf *out, const PkgOverrides *all)
{
    (void)buf_push(out, S("  \"overrides\": {\n"));
    for (u32 i = 0; i < all->all.len; i++) {
        const Override *o = &all->all.at[i], *before = i ? o - 1 : NULL;
        const Override *after = i + 1 < all->all.len ? o + 1 : NULL;
        if (!o->parent.n) {
            put_pair(out, "    ", o->name, o->text);
            continue;
        }
        if (!before || !str_eq(before->parent, o->parent)) {
            (void)buf_push(out, S("    "));
            json_write_str(out, o->parent);
            (void)buf_push(out, S(": {\n"));
        }
        put_pair(out, "      ", o->name, o->text);
        if (!after || !str_eq(after->parent, o->parent)) (void)buf_push(out, S("    },\n"));
    }
    (void)buf_push(out, S("  },\n"));
}

static int by_key(const void *x, const void *y)
{
    const JsonNode *a = x, *b = y;
    return str_cmp(json_text(a), json_text(b));
}

static void put_catalog(PkgRun *run, Buf *out, const JsonNode *catalog, bool is_inner)
{
    JsonNode *items = ARENA_ARRAY(run->arena, JsonNode, 2 * catalog->len + 1);
    for (u32 i = 0; i < 2 * catalog->len; i++) items[i] = catalog->items[i];
    qsort(items, catalog->len, 2 * sizeof(JsonNode), by_key);
    for (u32 i = 0; i < catalog->len; i++) {
        const JsonNode *key = &items[2 * i], *value = key + 1;
        if (value->kind != JSON_STRING) continue;
        put_pair(out, is_inner ? "      " : "    ", json_str(run->arena, key),
                 json_str(run->arena, value));
    }
}

void pkg_put_overrides(PkgRun *run, Buf *out)
{
    const PkgOverrides *all = run->overrides;
    if (all->all.len) put_overrides(out, all);
    if (all->catalog.len) {
        (void)buf_push(out, S("  \"catalog\": {\n"));
        put_catalog(run, out, &all->catalog, false);
        (void)buf_push(out, S("  },\n"));
    }
    if (!all->catalogs.len) return;
    (void)buf_push(out, S("  \"catalogs\": {\n"));
    for (u32 i = 0; i < all->catalogs.len; i++) {
        const JsonNode *catalog = &all->catalogs.items[2 * i + 1];
        if (catalog->kind != JSON_OBJECT) continue;
        (void)buf_push(out, S("    "));
        json_write_str(out, json_str(run->arena, &all->catalogs.items[2 * i]));
        (void)buf_push(out, S(": {\n"));
        put_catalog(run, out, catalog, true);
        (void)buf_push(out, S("    },\n"));
    }
    (void)buf_push(out, S("  },\n"));
}

bool pkg_overrides_are_nested(const PkgRun *run)
{
    return run->overrides->has_nested;
}
