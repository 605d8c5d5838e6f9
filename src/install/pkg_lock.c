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

static void remember(PkgRun *run, u32 index)
{
    Str name = run->pkgs.at[index].name;
    u64 *slot = str_map_put(run->arena, &run->locked, name, NULL);
    typedef Vec(u32) List;
    List *list = (List *)(uintptr_t)*slot;
    if (!list) list = ARENA_NEW(run->arena, List);
    vec_push(run->arena, list, index);
    *slot = (u64)(uintptr_t)list;
}

/* ["name@version", "tarball", { info }, "integrity"] of the registry; others are passed over. */
static void take_entry(PkgRun *run, const JsonNode *entry)
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
    if (!is_new || !pkg_name_is_fine(name)) return;
    u32 index = run->pkgs.len;
    *slot = index;
    Pkg *pkg = vec_add(a, &run->pkgs);
    *pkg = (Pkg){.name = name, .version_text = str_skip(id, (usize)at + 1), .version = version};
    pkg->tarball = items[1].kind == JSON_STRING ? json_str(a, &items[1]) : S("");
    pkg->integrity = items[3].kind == JSON_STRING ? json_str(a, &items[3]) : S("");
    pkg_take_deps(run, pkg, &items[2], false);
    pkg_take_platform(run, pkg, &items[2]);
    pkg_take_bins(run, pkg, &items[2]);
    remember(run, index);
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
    for (u32 i = 0; i < packages->len; i++) take_entry(run, &packages->items[2 * i + 1]);
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
    i64 slash = str_rfind(pkg->name, '/');
    Str base = slash < 0 ? pkg->name : str_skip(pkg->name, (usize)slash + 1);
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

static void put_info(Buf *out, const Pkg *pkg)
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
    (void)buf_push(out, info.is_first ? S("}") : S(" }"));
}

typedef struct {
    Str path;
    u32 depth, pkg;
} Entry;

static int by_depth_and_path(const void *x, const void *y)
{
    const Entry *a = x, *b = y;
    if (a->depth != b->depth) return a->depth < b->depth ? -1 : 1;
    return str_cmp(a->path, b->path);
}

/* Bun leaves the tarball out when it is where every registry keeps it. */
static Str tarball_of(const Pkg *pkg, PkgRun *run)
{
    if (!pkg->tarball.n || str_starts(pkg->tarball, run->options->registry)) return S("");
    return str_starts(pkg->tarball, S("https://registry.npmjs.org/")) ? S("") : pkg->tarball;
}

static void put_packages(Buf *out, PkgRun *run)
{
    Arena *a = run->arena;
    u32 n = run->nodes.len - 1;
    Entry *entries = ARENA_ARRAY(a, Entry, n + 1);
    for (u32 i = 0; i < n; i++)
        entries[i] = (Entry){pkg_node_path(run, a, i + 1, S("/")), run->nodes.at[i + 1].depth,
                             run->nodes.at[i + 1].pkg};
    if (n) qsort(entries, n, sizeof(Entry), by_depth_and_path);
    for (u32 i = 0; i < n; i++) {
        const Pkg *pkg = &run->pkgs.at[entries[i].pkg];
        if (i) (void)buf_push_char(out, '\n');
        (void)buf_push(out, S("    "));
        json_write_str(out, entries[i].path);
        buf_fmt(out, ": [\"%.*s@%.*s\", ", STR_ARG(pkg->name), STR_ARG(pkg->version_text));
        json_write_str(out, tarball_of(pkg, run));
        (void)buf_push(out, S(", "));
        put_info(out, pkg);
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

Str pkg_lock_text(PkgRun *run)
{
    AUTO(Buf) out = {0};
    const Pkg *root = &run->pkgs.at[0];
    buf_fmt(&out, "{\n  \"lockfileVersion\": %d,\n  \"configVersion\": 1,\n", LOCK_VERSION);
    (void)buf_push(&out, S("  \"workspaces\": {\n    \"\": {\n"));
    if (root->name.n) {
        (void)buf_push(&out, S("      \"name\": "));
        json_write_str(&out, root->name);
        (void)buf_push(&out, S(",\n"));
    }
    put_root_group(&out, root, "dependencies", PKG_PROD);
    put_root_group(&out, root, "devDependencies", PKG_DEV);
    put_root_group(&out, root, "optionalDependencies", PKG_OPTIONAL);
    put_root_group(&out, root, "peerDependencies", PKG_PEER);
    (void)buf_push(&out, S("    },\n  },\n  \"packages\": {\n"));
    put_packages(&out, run);
    (void)buf_push(&out, S("  }\n}\n"));
    return str_dup(run->arena, buf_str(&out));
}
