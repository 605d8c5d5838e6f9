/* resolve/resolve_browser.c -- the `browser` map of package.json, for bundling
 * (https://github.com/defunctzombie/package-browser-field-spec): a package replaces or switches off
 * its own files, and the packages that its own files ask for. */
#include "resolve/resolve_priv.h"

#include "util/path.h"

static const JsonNode *browser_map(PkgAt p)
{
    const JsonNode *map = p.pkg ? p.pkg->browser : NULL;
    return map && map->kind == JSON_OBJECT ? map : NULL;
}

/* What the map says about a file by its path in the package: "./lib/x.js", also without the "./" or
 * the extension. */
static const JsonNode *find_file(Arena *a, const JsonNode *map, Str rel)
{
    static const Str extensions[] = {
        {".js", 3}, {".json", 5}, {".jsx", 4}, {".ts", 3}, {".tsx", 4}};
    Str dotted = str_concat(a, S("./"), rel);
    const JsonNode *found = json_find(map, dotted);
    if (!found) found = json_find(map, rel);
    for (u32 i = 0; i < COUNT(extensions) && !found; i++) {
        if (!str_ends(rel, extensions[i])) continue;
        found = json_find(map, str_slice(dotted, 0, dotted.n - extensions[i].n));
        if (!found) found = json_find(map, str_slice(rel, 0, rel.n - extensions[i].n));
    }
    return found;
}

/* Follows an entry of the map; MISS when it is neither false nor a string. */
static Outcome take_entry(Ask *q, PkgAt p, const JsonNode *entry, Str path)
{
    if (entry->kind == JSON_FALSE) {
        q->ret->target = RESOLVE_DISABLED;
        q->ret->path = resolver_intern(q->r, path);
        return HIT;
    }
    if (entry->kind != JSON_STRING) return MISS;
    Str to = json_str(q->tmp, entry);
    if (str_starts(to, S(".")) || str_starts(to, S("/")))
        return resolve_ask_path(q, path_resolve(q->tmp, S("/"), p.at->path, to), false);
    Outcome got = resolve_ask_bare(q, to, p.at);
    if (got != MISS) return got;
    return resolve_ask_path(q, path_resolve(q->tmp, S("/"), p.at->path, to), false);
}

Outcome resolve_browser_spec(Ask *q)
{
    PkgAt p = resolve_pkg_above(q->r, q->from);
    const JsonNode *map = browser_map(p);
    const JsonNode *entry = map ? json_find(map, q->spec) : NULL;
    return entry ? take_entry(q, p, entry, (Str){0}) : MISS;
}

Outcome resolve_browser_file(Ask *q)
{
    Str path = q->ret->path;
    PkgAt p = resolve_pkg_above(q->r, resolve_dir_at(q->r, path_dirname(path)));
    const JsonNode *map = browser_map(p);
    if (!map) return HIT;
    Str rel = path_relative(q->tmp, p.at->path, path);
    const JsonNode *entry = find_file(q->tmp, map, rel);
    if (!entry) return HIT;
    ResolveResult before = *q->ret;
    Outcome got = take_entry(q, p, entry, path);
    if (got == MISS) *q->ret = before;
    return got == MISS ? HIT : got;
}
