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

enum { LOCK_VERSION = 2, LOCK_MAX = 256 << 20, ENTRY_PARTS = 4 };

/* ---- Reading --------------------------------------------------------------------------------- */

/* ["name@version", "tarball", { info }, "integrity"] of the registry; others are passed over. */
static void take_entry(PkgRun *run, Str key, const JsonNode *entry)
{
    Arena *a = run->arena;
    if (entry->kind != JSON_ARRAY || entry->len < ENTRY_PARTS) return;
    const JsonNode *items = entry->items;
    if (items[0].kind != JSON_STRING || items[2].kind != JSON_OBJECT) return;
    Str id = json_str(a, &items[0]);
    i64 at = str_rfind(id, '@');
    Semver version;
    if (at <= 0 || !semver_parse(str_skip(id, (usize)at + 1), &version)) return;
    Str name = str_slice(id, 0, (usize)at);
    bool is_new;
    u64 *slot = str_map_put(a, &run->by_id, id, &is_new);
    if (!pkg_name_is_fine(name)) return;
    u32 index = is_new ? run->pkgs.len : (u32)*slot;
    *str_map_put(a, &run->placed, key, NULL) = index;
    if (!is_new) return;
    *slot = index;
    Pkg *pkg = vec_add(a, &run->pkgs);
    *pkg = (Pkg){.name = name, .version_text = str_skip(id, (usize)at + 1), .version = version};
    pkg->tarball = items[1].kind == JSON_STRING ? json_str(a, &items[1]) : S("");
    pkg->integrity = items[3].kind == JSON_STRING ? json_str(a, &items[3]) : S("");
    pkg_take_deps(run, pkg, &items[2], false);
    pkg_take_platform(run, pkg, &items[2]);
    pkg_take_bins(run, pkg, &items[2]);
    pkg_remember(run, &run->locked, index);
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

bool pkg_lock_read(PkgRun *run)
{
    Arena *a = run->arena;
    Str path = path_join2(a, run->options->dir, S("bun.lock")), text;
    int rc = sys_read_file(a, path, LOCK_MAX, &text);
    if (rc == -ENOENT) return true;
    run->lock_source = (Source){path, text};
    if (rc < 0) return log_error(run->log, (Span){0}, "Cannot read %.*s", STR_ARG(path));
    JsonError e;
    if (!json_parse(a, text, JSON_JSONC, &run->lock_json, &e)) {
        bool is_conflict = str_find_str(text, S("<<<<<<<")) >= 0;
        return log_error(run->log, (Span){.src = &run->lock_source, .pos = e.offset}, "%s",
                         is_conflict ? "there is a merge conflict in the lockfile: resolve it first"
                                     : e.what);
    }
    run->has_lock = true;
    const JsonNode *packages = json_find(&run->lock_json, S("packages"));
    if (!packages || packages->kind != JSON_OBJECT) return true;
    for (u32 i = 0; i < packages->len; i++)
        take_entry(run, json_str(a, &packages->items[2 * i]), &packages->items[2 * i + 1]);
    for (u32 i = 0; i < packages->len; i++) take_bundled(run, packages, i);
    return run->log->n_errors == 0;
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
        if (pkg->workspace.n) {
            buf_fmt(out, ": [\"%.*s@workspace:%.*s\"],\n", STR_ARG(pkg->name),
                    STR_ARG(pkg->workspace));
            continue;
        }
        buf_fmt(out, ": [\"%.*s@%.*s\", ", STR_ARG(pkg->name), STR_ARG(pkg->version_text));
        json_write_str(out, tarball_of(pkg));
        (void)buf_push(out, S(", "));
        put_info(out, pkg, entries[i].is_bundled);
        (void)buf_push(out, S(", "));
        json_write_str(out, pkg->integrity);
        (void)buf_push(out, S("],\n"));
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
    (void)buf_push(out, S("    },\n"));
}

static int by_workspace(const void *x, const void *y)
{
    return str_cmp((*(const Pkg *const *)x)->workspace, (*(const Pkg *const *)y)->workspace);
}

static void put_overrides(Buf *out, PkgRun *run)
{
    const JsonNode *all = &run->overrides;
    if (all->kind != JSON_OBJECT || !all->len) return;
    (void)buf_push(out, S("  \"overrides\": {\n"));
    for (u32 i = 0; i < all->len; i++) {
        (void)buf_push(out, S("    "));
        json_write_str(out, json_str(run->arena, &all->items[2 * i]));
        (void)buf_push(out, S(": "));
        json_write_str(out, json_str(run->arena, &all->items[2 * i + 1]));
        (void)buf_push(out, S(",\n"));
    }
    (void)buf_push(out, S("  },\n"));
}

Str pkg_lock_text(PkgRun *run)
{
    AUTO(Buf) out = {0};
    Vec(const Pkg *) own = {0};
    for (u32 i = 0; i < run->pkgs.len && (!i || run->pkgs.at[i].workspace.n); i++)
        vec_push(run->arena, &own, &run->pkgs.at[i]);
    qsort(own.at, own.len, sizeof(Pkg *), by_workspace);
    buf_fmt(&out, "{\n  \"lockfileVersion\": %d,\n  \"configVersion\": 1,\n", LOCK_VERSION);
    (void)buf_push(&out, S("  \"workspaces\": {\n"));
    for (u32 i = 0; i < own.len; i++) put_workspace(&out, own.at[i]);
    (void)buf_push(&out, S("  },\n"));
    put_overrides(&out, run);
    (void)buf_push(&out, S("  \"packages\": {\n"));
    put_packages(&out, run);
    (void)buf_push(&out, S("  }\n}\n"));
    return str_dup(run->arena, buf_str(&out));
}
