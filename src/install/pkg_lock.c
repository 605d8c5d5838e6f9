/* install/pkg_lock.c -- bun.lock, the text lockfile: read, and written byte by byte as Bun writes
 * it.
 *
 *     "packages": {
 *       "debug": ["debug@4.3.0", "", { "dependencies": { "ms": "2.1.2" } }, "sha512-..."],
 *       "debug/ms": ["ms@2.1.2", "", {}, "sha512-..."],
 *
 * A key is a path of names in node_modules; what is in it is which package is there. */
#include "install/pkg.h"
#include "util/path.h"

#include <stdlib.h>

enum {
    LOCK_VERSION = 2,
    LOCK_VERSION_NESTED = 3,
    LOCK_VERSION_OLD = 1,
    LOCK_MAX = 256 << 20,
    ENTRY_PARTS = 4
};

/* ---- Reading --------------------------------------------------------------------------------- */

/* The index of a package with that id; *ret_is_new: it is to be filled. */
static u32 index_of(PkgRun *run, Str key, Str id, bool *ret_is_new)
{
    u64 *slot = str_map_put(run->arena, &run->by_id, id, ret_is_new);
    if (*ret_is_new) {
        *slot = run->pkgs.len;
        *vec_add(run->arena, &run->pkgs) = (Pkg){0};
    }
    *str_map_put(run->arena, &run->placed, key, NULL) = *slot;
    return (u32)*slot;
}

/* An update looks for it anew. */
static bool is_forgotten(const PkgRun *run, const Pkg *pkg)
{
    const PkgOptions *o = run->options;
    bool is_one = o->is_update && !o->n_updated;
    for (u32 i = 0; i < o->n_updated; i++) is_one |= str_eq(o->updated[i], pkg->name);
    return is_one && pkg->kind == PKG_RANGE;
}

static void take_info(PkgRun *run, u32 index, const JsonNode *info)
{
    Pkg *pkg = &run->pkgs.at[index];
    pkg->is_locked = !is_forgotten(run, pkg);
    if (info->kind == JSON_OBJECT) {
        pkg_take_deps(run, pkg, info, false);
        pkg_take_platform(run, pkg, info);
        pkg_take_bins(run, pkg, info);
    }
    if (pkg->is_locked) pkg_remember(run, &run->locked, index);
}

/* ["name@file:../x", { info }, ...] and the like. */
static void take_source(PkgRun *run, Str key, const JsonNode *entry, Str id)
{
    Arena *a = run->arena;
    i64 at = str_find(str_skip(id, 1), '@');
    if (at < 0 || entry->len < 2) return;
    Str name = str_slice(id, 0, (usize)at + 1), text = str_skip(id, (usize)at + 2);
    PkgSpec spec;
    bool is_new;
    if (!pkg_name_is_fine(name) || !pkg_spec_parse(a, name, text, S(""), &spec)) return;
    if (!pkg_is_source(&spec)) return;
    u32 index = index_of(run, key, id, &is_new);
    if (!is_new) return;
    Pkg *pkg = &run->pkgs.at[index];
    Str third = entry->len > 2 && entry->items[2].kind == JSON_STRING
                    ? json_str(a, &entry->items[2])
                    : S("");
    *pkg = (Pkg){.name = name,
                 .version_text = text,
                 .kind = spec.kind,
                 .where = spec.where,
                 .commit = spec.kind == PKG_GITHUB ? third : spec.commit};
    if (spec.kind == PKG_TARBALL) pkg->integrity = third;
    if (spec.kind == PKG_GITHUB && entry->len > 3 && entry->items[3].kind == JSON_STRING)
        pkg->integrity = json_str(a, &entry->items[3]);
    take_info(run, index, &entry->items[1]);
}

/* ["name@version", "tarball", { info }, "integrity"] of the registry; or one of a source. */
static void take_entry(PkgRun *run, Str key, const JsonNode *entry)
{
    Arena *a = run->arena;
    if (entry->kind != JSON_ARRAY || !entry->len || entry->items[0].kind != JSON_STRING) return;
    const JsonNode *items = entry->items;
    Str id = json_str(a, &items[0]);
    i64 at = str_rfind(id, '@');
    Semver version;
    bool is_new, is_registry = entry->len >= ENTRY_PARTS && items[2].kind == JSON_OBJECT;
    if (!is_registry) return take_source(run, key, entry, id);
    if (at <= 0 || !semver_parse(str_skip(id, (usize)at + 1), &version)) return;
    Str name = str_slice(id, 0, (usize)at);
    if (!pkg_name_is_fine(name)) return;
    u32 index = index_of(run, key, id, &is_new);
    if (!is_new) return;
    Pkg *pkg = &run->pkgs.at[index];
    *pkg = (Pkg){.name = name, .version_text = str_skip(id, (usize)at + 1), .version = version};
    pkg->tarball = items[1].kind == JSON_STRING ? json_str(a, &items[1]) : S("");
    pkg->integrity = items[3].kind == JSON_STRING ? json_str(a, &items[3]) : S("");
    take_info(run, index, &items[2]);
}

/* Which texts of dependencies the lockfile has seen: a branch or a tag of a repository means the
 * commit that it meant then. */
static void take_specs(PkgRun *run, const JsonNode *holder)
{
    static const Str groups[] = {{"dependencies", 12},
                                 {"devDependencies", 15},
                                 {"optionalDependencies", 20},
                                 {"peerDependencies", 16}};
    for (u32 i = 0; i < COUNT(groups); i++) {
        const JsonNode *group = json_find(holder, groups[i]);
        if (!group || group->kind != JSON_OBJECT) continue;
        for (u32 j = 0; j < group->len; j++) {
            const JsonNode *value = &group->items[2 * j + 1];
            if (value->kind != JSON_STRING) continue;
            Str id = str_fmt(run->arena, "%.*s@%.*s",
                             STR_ARG(json_str(run->arena, &group->items[2 * j])),
                             STR_ARG(json_str(run->arena, value)));
            *str_map_put(run->arena, &run->lock_specs, id, NULL) = 1;
        }
    }
}

static void take_all_specs(PkgRun *run, const JsonNode *packages)
{
    const JsonNode *own = json_find(&run->lock_json, S("workspaces"));
    for (u32 i = 0; own && own->kind == JSON_OBJECT && i < own->len; i++)
        take_specs(run, &own->items[2 * i + 1]);
    for (u32 i = 0; i < packages->len; i++) {
        const JsonNode *entry = &packages->items[2 * i + 1];
        for (u32 j = 1; entry->kind == JSON_ARRAY && j < entry->len && j < 3; j++)
            take_specs(run, &entry->items[j]);
    }
}

static Pkg *package_at(PkgRun *run, const JsonNode *packages, Str key)
{
    const JsonNode *entry = json_find(packages, key);
    if (!entry || entry->kind != JSON_ARRAY || !entry->len) return NULL;
    if (entry->items[0].kind != JSON_STRING) return NULL;
    u64 *slot = str_map_find(&run->by_id, json_str(run->arena, &entry->items[0]));
    return slot ? &run->pkgs.at[*slot] : NULL;
}

/* "bundled" stands at a package and means the dependency of the one above it. */
static void take_bundled(PkgRun *run, const JsonNode *packages, u32 at)
{
    const JsonNode *entry = &packages->items[2 * at + 1];
    if (entry->kind != JSON_ARRAY || entry->len < ENTRY_PARTS) return;
    const JsonNode *is_bundled = json_find(&entry->items[2], S("bundled"));
    if (!is_bundled || is_bundled->kind != JSON_TRUE) return;
    Str key = json_str(run->arena, &packages->items[2 * at]);
    i64 slash = str_rfind(key, '/');
    if (slash <= 0) return;
    Str name = str_skip(key, (usize)slash + 1), up = str_slice(key, 0, (usize)slash);
    slash = str_rfind(up, '/');
    Str scope = str_skip(up, (usize)(slash + 1));
    if (slash > 0 && scope.n && scope.p[0] == '@') {
        name = str_skip(key, (usize)slash + 1);
        up = str_slice(up, 0, (usize)slash);
    }
    Pkg *pkg = package_at(run, packages, up);
    for (u32 i = 0; pkg && i < pkg->deps.len; i++)
        if (str_eq(pkg->deps.at[i].name, name)) pkg->deps.at[i].is_bundled = true;
}

bool pkg_lock_parse(PkgRun *run)
{
    Arena *a = run->arena;
    Str text = run->lock_source.text;
    JsonError e;
    if (!json_parse(a, text, JSON_JSONC, &run->lock_json, &e)) {
        bool is_conflict = str_find_str(text, S("<<<<<<<")) >= 0;
        return log_error(run->log, (Span){.src = &run->lock_source, .pos = e.offset}, "%s",
                         is_conflict ? "there is a merge conflict in the lockfile: resolve it first"
                                     : e.what);
    }
    run->has_lock = true;
    pkg_trust_take_lock(run);
    const JsonNode *packages = json_find(&run->lock_json, S("packages"));
    if (!packages || packages->kind != JSON_OBJECT) return true;
    for (u32 i = 0; i < packages->len; i++)
        take_entry(run, json_str(a, &packages->items[2 * i]), &packages->items[2 * i + 1]);
    for (u32 i = 0; i < packages->len; i++) take_bundled(run, packages, i);
    take_all_specs(run, packages);
    return run->log->n_errors == 0;
}

/* The binary form of older versions of Bun is not read: what it had would be found anew, perhaps
 * in other versions. */
static bool refuse_binary(PkgRun *run)
{
    SysStat st;
    Str path = path_join2(run->arena, run->options->dir, S("bun.lockb"));
    if (sys_stat(path, &st) < 0) return true;
    return log_error(
        run->log, (Span){0},
        "%.*s is a binary lockfile, which is not read: \"bun install "
        "--save-text-lockfile --frozen-lockfile --lockfile-only\" makes a bun.lock of it; "
        "or delete it",
        STR_ARG(path));
}

bool pkg_lock_read(PkgRun *run)
{
    Arena *a = run->arena;
    Str path = path_join2(a, run->options->dir, S("bun.lock")), text;
    int rc = sys_read_file(a, path, LOCK_MAX, &text);
    if (rc == -ENOENT) return refuse_binary(run) && pkg_import(run);
    run->lock_source = (Source){path, text};
    if (rc < 0) return log_error(run->log, (Span){0}, "Cannot read %.*s", STR_ARG(path));
    return pkg_lock_parse(run);
}

/* ---- Writing --------------------------------------------------------------------------------- */

typedef struct {
    Buf *out;
    bool is_first; /* in the info object */
} Info;

static void put_key(Info *info, const char *key)
{
    buf_fmt(info->out, "%s\"%s\": ", info->is_first ? " " : ", ", key);
    info->is_first = false;
}

static void put_group(Info *info, const Pkg *pkg, const char *key, PkgDepKind kind)
{
    bool has_any = false;
    for (u32 i = 0; i < pkg->deps.len; i++) {
        const PkgDep *dep = &pkg->deps.at[i];
        if (dep->kind != kind) continue;
        if (!has_any) put_key(info, key);
        (void)buf_push(info->out, has_any ? S(", ") : S("{ "));
        has_any = true;
        json_write_str(info->out, dep->name);
        (void)buf_push(info->out, S(": "));
        json_write_str(info->out, dep->text);
    }
    if (has_any) (void)buf_push(info->out, S(" }"));
}

static void put_optional_peers(Info *info, const Pkg *pkg)
{
    bool has_any = false;
    for (u32 i = 0; i < pkg->deps.len; i++) {
        const PkgDep *dep = &pkg->deps.at[i];
        if (dep->kind != PKG_PEER || !dep->is_optional_peer) continue;
        if (!has_any) put_key(info, "optionalPeers");
        (void)buf_push(info->out, has_any ? S(", ") : S("["));
        has_any = true;
        json_write_str(info->out, dep->name);
    }
    if (has_any) (void)buf_push(info->out, S("]"));
}

static bool is_known_os(Str s)
{
    static const char *const names[] = {"aix",   "darwin",  "freebsd", "linux",
                                        "sunos", "openbsd", "win32",   "android"};
    if (s.n && s.p[0] == '!') s = str_skip(s, 1);
    for (u32 i = 0; i < COUNT(names); i++)
        if (str_eq(s, str_z(names[i]))) return true;
    return false;
}

static bool is_known_cpu(Str s)
{
    static const char *const names[] = {"arm", "arm64", "ia32", "x64", "ppc64", "s390x", "ppc"};
    if (s.n && s.p[0] == '!') s = str_skip(s, 1);
    for (u32 i = 0; i < COUNT(names); i++)
        if (str_eq(s, str_z(names[i]))) return true;
    return false;
}

/* Platforms that the format has no word for are "none". */
static void put_platform(Info *info, const char *key, const Str *at, u32 n, bool is_known(Str))
{
    if (!n) return;
    put_key(info, key);
    if (n > 1) (void)buf_push(info->out, S("[ "));
    for (u32 i = 0; i < n; i++) {
        if (i) (void)buf_push(info->out, S(", "));
        json_write_str(info->out, is_known(at[i]) ? at[i] : S("none"));
    }
    if (n > 1) (void)buf_push(info->out, S(" ]"));
}

static void put_bins(Info *info, const Pkg *pkg)
{
    if (!pkg->bins.len) return;
    put_key(info, "bin");
    Str base = pkg_base_name(pkg->name);
    bool is_short = pkg->is_one_bin && pkg->bins.len == 1 && str_eq(pkg->bins.at[0].name, base);
    if (is_short) return json_write_str(info->out, pkg->bins.at[0].written);
    (void)buf_push(info->out, S("{ "));
    for (u32 i = 0; i < pkg->bins.len; i++) {
        if (i) (void)buf_push(info->out, S(", "));
        json_write_str(info->out, pkg->bins.at[i].name);
        (void)buf_push(info->out, S(": "));
        json_write_str(info->out, pkg->bins.at[i].written);
    }
    (void)buf_push(info->out, S(" }"));
}

static bool is_every(Str s)
{
    return s.n > 0;
}

static void put_info(Buf *out, const Pkg *pkg, bool is_bundled)
{
    Info info = {out, true};
    (void)buf_push(out, S("{"));
    put_group(&info, pkg, "dependencies", PKG_PROD);
    put_group(&info, pkg, "optionalDependencies", PKG_OPTIONAL);
    put_group(&info, pkg, "peerDependencies", PKG_PEER);
    put_optional_peers(&info, pkg);
    if (pkg->has_scripts && !pkg->is_elsewhere) {
        put_key(&info, "hasInstallScript");
        (void)buf_push(out, S("true"));
    }
    put_platform(&info, "os", pkg->os.at, pkg->os.len, is_known_os);
    put_platform(&info, "cpu", pkg->cpu.at, pkg->cpu.len, is_known_cpu);
    put_platform(&info, "libc", pkg->libc.at, pkg->libc.len, is_every);
    put_bins(&info, pkg);
    if (is_bundled) {
        put_key(&info, "bundled");
        (void)buf_push(out, S("true"));
    }
    (void)buf_push(out, info.is_first ? S("}") : S(" }"));
}

typedef struct {
    Str path;
    u32 depth, pkg;
    bool is_bundled;
} Entry;

/* The next name of a path of names: "@scope/name" is one. */
static bool next_name(Str *rest, Str *ret)
{
    if (!rest->n) return false;
    i64 end = str_find(*rest, '/');
    if (end >= 0 && rest->p[0] == '@') {
        i64 more = str_find(str_skip(*rest, (usize)end + 1), '/');
        end = more < 0 ? -1 : end + 1 + more;
    }
    *ret = end < 0 ? *rest : str_slice(*rest, 0, (usize)end);
    *rest = end < 0 ? S("") : str_skip(*rest, (usize)end + 1);
    return true;
}

/* Name by name: "a/b" before "a-b". */
static int path_cmp(Str a, Str b)
{
    Str x = {0}, y = {0};
    int order = 0;
    while (!order && next_name(&a, &x) && next_name(&b, &y)) order = str_cmp(x, y);
    return order;
}

static int by_depth_and_path(const void *x, const void *y)
{
    const Entry *a = x, *b = y;
    if (a->depth != b->depth) return a->depth < b->depth ? -1 : 1;
    return path_cmp(a->path, b->path);
}

/* Bun leaves the tarball out when it is where npm's registry keeps it. */
static Str tarball_of(const Pkg *pkg)
{
    return str_starts(pkg->tarball, S("https://registry.npmjs.org/")) ? S("") : pkg->tarball;
}

static void put_source(Buf *out, const Pkg *pkg, bool is_bundled)
{
    Str more[] = {pkg->kind == PKG_GIT || pkg->kind == PKG_GITHUB ? pkg->commit : S(""),
                  pkg->kind == PKG_GITHUB || pkg->kind == PKG_TARBALL ? pkg->integrity : S("")};
    put_info(out, pkg, is_bundled);
    for (u32 i = 0; i < COUNT(more); i++) {
        if (!more[i].n) continue;
        (void)buf_push(out, S(", "));
        json_write_str(out, more[i]);
    }
}

/* What is behind the key. */
static void put_package(Buf *out, const Pkg *pkg, bool is_bundled)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str version = pkg->workspace.n ? str_fmt(s.arena, "workspace:%.*s", STR_ARG(pkg->workspace))
                                   : pkg->version_text;
    (void)buf_push(out, S(": ["));
    json_write_str(out, str_fmt(s.arena, "%.*s@%.*s", STR_ARG(pkg->name), STR_ARG(version)));
    if (!pkg->workspace.n) (void)buf_push(out, S(", "));
    if (pkg->kind >= PKG_FOLDER) {
        put_source(out, pkg, is_bundled);
    } else if (!pkg->workspace.n) {
        json_write_str(out, tarball_of(pkg));
        (void)buf_push(out, S(", "));
        put_info(out, pkg, is_bundled);
        (void)buf_push(out, S(", "));
        json_write_str(out, pkg->integrity);
    }
    (void)buf_push(out, S("],\n"));
}

static void put_packages(Buf *out, PkgRun *run)
{
    Arena *a = run->arena;
    u32 n = run->nodes.len - 1;
    Entry *entries = ARENA_ARRAY(a, Entry, n + 1);
    for (u32 i = 0; i < n; i++) {
        const PkgNode *node = &run->nodes.at[i + 1];
        Str path = pkg_node_path(run, a, i + 1, S("/"));
        entries[i] = (Entry){path, node->depth, node->pkg, node->is_bundled};
    }
    if (n) qsort(entries, n, sizeof(Entry), by_depth_and_path);
    for (u32 i = 0; i < n; i++) {
        const Pkg *pkg = &run->pkgs.at[entries[i].pkg];
        if (i) (void)buf_push_char(out, '\n');
        (void)buf_push(out, S("    "));
        json_write_str(out, entries[i].path);
        put_package(out, pkg, entries[i].is_bundled);
    }
}

static void put_root_group(Buf *out, const Pkg *root, const char *key, PkgDepKind kind)
{
    bool has_any = false;
    for (u32 i = 0; i < root->deps.len; i++) {
        const PkgDep *dep = &root->deps.at[i];
        if (dep->kind != kind) continue;
        if (!has_any) buf_fmt(out, "      \"%s\": {\n", key);
        has_any = true;
        (void)buf_push(out, S("        "));
        json_write_str(out, dep->name);
        (void)buf_push(out, S(": "));
        json_write_str(out, dep->text);
        (void)buf_push(out, S(",\n"));
    }
    if (has_any) (void)buf_push(out, S("      },\n"));
}

static void put_root_optional_peers(Buf *out, const Pkg *pkg)
{
    bool has_any = false;
    for (u32 i = 0; i < pkg->deps.len; i++) {
        const PkgDep *dep = &pkg->deps.at[i];
        if (dep->kind != PKG_PEER || !dep->is_optional_peer) continue;
        if (!has_any) (void)buf_push(out, S("      \"optionalPeers\": [\n"));
        has_any = true;
        (void)buf_push(out, S("        "));
        json_write_str(out, dep->name);
        (void)buf_push(out, S(",\n"));
    }
    if (has_any) (void)buf_push(out, S("      ],\n"));
}

static void put_workspace_bins(Buf *out, const Pkg *pkg)
{
    if (!pkg->bins.len) return;
    (void)buf_push(out, S("      \"bin\": {\n"));
    for (u32 i = 0; i < pkg->bins.len; i++) {
        (void)buf_push(out, S("        "));
        json_write_str(out, pkg->bins.at[i].name);
        (void)buf_push(out, S(": "));
        json_write_str(out, pkg->bins.at[i].written);
        (void)buf_push(out, S(",\n"));
    }
    (void)buf_push(out, S("      },\n"));
}

static void put_workspace(Buf *out, const Pkg *pkg)
{
    (void)buf_push(out, S("    "));
    json_write_str(out, pkg->workspace);
    (void)buf_push(out, S(": {\n"));
    if (pkg->name.n) {
        (void)buf_push(out, S("      \"name\": "));
        json_write_str(out, pkg->name);
        (void)buf_push(out, S(",\n"));
    }
    if (pkg->workspace.n && pkg->version_text.n) {
        (void)buf_push(out, S("      \"version\": "));
        json_write_str(out, pkg->version_text);
        (void)buf_push(out, S(",\n"));
    }
    if (pkg->workspace.n) put_workspace_bins(out, pkg);
    put_root_group(out, pkg, "dependencies", PKG_PROD);
    put_root_group(out, pkg, "devDependencies", PKG_DEV);
    put_root_group(out, pkg, "optionalDependencies", PKG_OPTIONAL);
    put_root_group(out, pkg, "peerDependencies", PKG_PEER);
    put_root_optional_peers(out, pkg);
    (void)buf_push(out, S("    },\n"));
}

static int by_workspace(const void *x, const void *y)
{
    return str_cmp((*(const Pkg *const *)x)->workspace, (*(const Pkg *const *)y)->workspace);
}

/* The second version of the format promises a digest for everything. */
static bool lacks_digest(const PkgRun *run)
{
    for (u32 i = 1; i < run->nodes.len; i++) {
        const Pkg *pkg = &run->pkgs.at[run->nodes.at[i].pkg];
        if (pkg->kind == PKG_RANGE && !pkg->workspace.n && !pkg->integrity.n) return true;
    }
    return false;
}

static int version_of(const PkgRun *run)
{
    if (pkg_overrides_are_nested(run)) return LOCK_VERSION_NESTED;
    return lacks_digest(run) ? LOCK_VERSION_OLD : LOCK_VERSION;
}

u32 pkg_config_version(const PkgRun *run)
{
    const JsonNode *said = json_find(&run->lock_json, S("configVersion"));
    if (!said) return !run->has_lock && !run->was_hoisted;
    return !str_eq(json_text(said), S("0"));
}

Str pkg_lock_text(PkgRun *run)
{
    AUTO(Buf) out = {0};
    Vec(const Pkg *) own = {0};
    for (u32 i = 0; i < run->pkgs.len && (!i || run->pkgs.at[i].workspace.n); i++)
        vec_push(run->arena, &own, &run->pkgs.at[i]);
    qsort(own.at, own.len, sizeof(Pkg *), by_workspace);
    buf_fmt(&out, "{\n  \"lockfileVersion\": %d,\n  \"configVersion\": %u,\n", version_of(run),
            pkg_config_version(run));
    (void)buf_push(&out, S("  \"workspaces\": {\n"));
    for (u32 i = 0; i < own.len; i++) put_workspace(&out, own.at[i]);
    (void)buf_push(&out, S("  },\n"));
    pkg_put_trust(run, &out);
    pkg_put_patches(run, &out);
    pkg_put_overrides(run, &out);
    if (run->nodes.len > 1) {
        (void)buf_push(&out, S("  \"packages\": {\n"));
        put_packages(&out, run);
        (void)buf_push(&out, S("  }\n}\n"));
    } else {
        (void)buf_push(&out, S("  \"packages\": {}\n}\n"));
    }
    return str_dup(run->arena, buf_str(&out));
}
