/* install/pkg_pack.c -- see pack.h: which files go into the tarball, and the tarball. */
#include "install/pack.h"

#include "codec/base64.h"
#include "codec/compress.h"
#include "codec/tar.h"
#include "install/pkg.h"
#include "install/pkg_ignore.h"
#include "util/err.h"
#include "util/path.h"

#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 64, FILES_MAX = 200000, IGNORE_MAX = 1 << 20, PROGRAM = 0755, PLAIN = 0644 };
/* That of npm: tarballs of the same files are the same. */
enum { PACK_TIME_S = 499162500 };

typedef struct {
    Arena *arena;
    PkgPack *pack;
    Log *log;
    JsonNode json;
    bool has_files;
    PkgIgnore files; /* of package.json's "files" */
    StrMap forced;   /* its main file and its commands; value: is it a command? */
    StrMap taken;
    Vec(PkgPackFile) list;
} Packing;

/* ---- What always and what never goes in ------------------------------------------------------ */

static bool is_one_of(Str name, const char *const *names, u32 n)
{
    for (u32 i = 0; i < n; i++)
        if (str_eq(name, str_z(names[i]))) return true;
    return false;
}

static bool is_never(Str name, bool is_root)
{
    static const char *const anywhere[] = {
        ".git",       ".svn",       ".hg",       "CVS",      ".npmrc",        ".DS_Store",
        ".npmignore", ".gitignore", "bun.lockb", "bun.lock", "npm-debug.log", "node_modules"};
    static const char *const root[] = {"package-lock.json", "yarn.lock", "pnpm-lock.yaml",
                                       ".lock-wscript", "archived-packages"};
    if (is_one_of(name, anywhere, COUNT(anywhere))) return true;
    if (is_root && (is_one_of(name, root, COUNT(root)) || str_starts(name, S(".wafpickle-"))))
        return true;
    return str_starts(name, S("._")) || str_ends(name, S(".orig")) ||
           (name.n > 5 && name.p[0] == '.' && str_ends(name, S(".swp")));
}

/* README, LICENSE and so on, with any ending. */
static bool is_always(Str name)
{
    static const Str stems[] = {{"readme", 6}, {"copying", 7}, {"license", 7}, {"licence", 7}};
    for (u32 i = 0; i < COUNT(stems); i++) {
        Str head = str_slice(name, 0, stems[i].n);
        if (!str_eq_nocase(head, stems[i])) continue;
        if (name.n == stems[i].n || name.p[stems[i].n] == '.') return true;
    }
    return str_eq(name, S("package.json"));
}

/* ---- The walk -------------------------------------------------------------------------------- */

static bool add_file(Packing *p, Str path, bool is_bundled)
{
    SysStat st;
    bool is_new;
    Str full = path_join2(p->arena, p->pack->dir, path);
    if (sys_lstat(full, &st) < 0 || !S_ISREG(st.mode)) return true;
    (void)str_map_put(p->arena, &p->taken, path, &is_new);
    if (!is_new) return true;
    if (p->list.len >= FILES_MAX)
        return log_error(p->log, (Span){0}, "%.*s has more than %d files", STR_ARG(p->pack->dir),
                         FILES_MAX);
    u64 *forced = str_map_find(&p->forced, path);
    bool is_program = (st.mode & 0111) || (forced && *forced);
    PkgPackFile file = {.path = path,
                        .size = st.size,
                        .mode = is_program ? PROGRAM : PLAIN,
                        .is_bundled = is_bundled};
    vec_push(p->arena, &p->list, file);
    return true;
}

static Str read_ignore(Packing *p, Str dir, const char *name)
{
    Str text, path = path_join2(p->arena, path_join2(p->arena, p->pack->dir, dir), str_z(name));
    return sys_read_file(p->arena, path, IGNORE_MAX, &text) >= 0 ? text : (Str){0};
}

/* Of the folder: .npmignore, else .gitignore; at the root "files" instead of both. */
static void read_rules(Packing *p, Str dir, PkgIgnore *ignore)
{
    if (!dir.n && p->has_files) return;
    Str text = read_ignore(p, dir, ".npmignore");
    if (!text.p) text = read_ignore(p, dir, ".gitignore");
    pkg_ignore_add(p->arena, ignore, text, dir);
}

static bool is_wanted(Packing *p, Str path, Str name, const PkgIgnore *ignore)
{
    bool is_root = name.n == path.n;
    if ((is_root && is_always(name)) || str_map_find(&p->forced, path)) return true;
    if (p->has_files && !pkg_ignore_has_below(&p->files, path)) return false;
    return !pkg_ignore_has(ignore, path, false);
}

static bool walk(Packing *p, Str dir, PkgIgnore ignore, u32 depth)
{
    AUTO(SysDir) list = {0};
    SysDirEntry e;
    Arena *a = p->arena;
    Str full = path_join2(a, p->pack->dir, dir);
    if (depth > DEPTH_MAX)
        return log_error(p->log, (Span){0}, "%.*s: too many folders in each other", STR_ARG(full));
    int rc = sys_dir_open(full, &list);
    if (rc < 0)
        return log_error(p->log, (Span){0}, "Cannot read %.*s: %s", STR_ARG(full), err_text(rc));
    read_rules(p, dir, &ignore);
    while (sys_dir_next(&list, &e) > 0) {
        if (is_never(e.name, !dir.n)) continue;
        Str path =
            dir.n ? str_fmt(a, "%.*s/%.*s", STR_ARG(dir), STR_ARG(e.name)) : str_dup(a, e.name);
        bool is_dir = (e.type & S_IFMT) == S_IFDIR;
        if (is_dir && pkg_ignore_has(&ignore, path, true)) continue;
        if (is_dir && !walk(p, path, ignore, depth + 1)) return false;
        if (!is_dir && is_wanted(p, path, e.name, &ignore) && !add_file(p, path, false))
            return false;
    }
    return true;
}

/* ---- Bundled dependencies -------------------------------------------------------------------- */

static bool walk_bundled(Packing *p, Str dir, u32 depth)
{
    AUTO(SysDir) list = {0};
    SysDirEntry e;
    Arena *a = p->arena;
    if (depth > DEPTH_MAX || sys_dir_open(path_join2(a, p->pack->dir, dir), &list) < 0) return true;
    while (sys_dir_next(&list, &e) > 0) {
        bool is_nested = str_eq(e.name, S("node_modules"));
        if (!is_nested && is_never(e.name, false)) continue;
        Str path = str_fmt(a, "%.*s/%.*s", STR_ARG(dir), STR_ARG(e.name));
        bool is_dir = (e.type & S_IFMT) == S_IFDIR;
        if (!(is_dir ? walk_bundled(p, path, depth + 1) : add_file(p, path, true))) return false;
    }
    return true;
}

typedef Vec(Str) Names;

static void push_keys(Arena *a, const JsonNode *json, Str group, Names *names)
{
    const JsonNode *deps = json_find(json, group);
    for (u32 i = 0; deps && deps->kind == JSON_OBJECT && i < deps->len; i++)
        vec_push(a, names, json_str(a, &deps->items[2 * i]));
}

/* A bundled package needs its own dependencies, where they lie beside it. */
static bool add_bundled(Packing *p, Names *names)
{
    Arena *a = p->arena;
    StrMap seen = {0};
    for (u32 i = 0; i < names->len && i < FILES_MAX; i++) {
        Str name = names->at[i], text;
        bool is_new;
        JsonNode json;
        JsonError e;
        (void)str_map_put(a, &seen, name, &is_new);
        if (!is_new || !pkg_name_is_fine(name)) continue;
        Str dir = str_concat(a, S("node_modules/"), name);
        Str file = str_fmt(a, "%.*s/%.*s/package.json", STR_ARG(p->pack->dir), STR_ARG(dir));
        if (sys_read_file(a, file, PKG_MANIFEST_MAX, &text) < 0) continue;
        p->pack->n_bundled++;
        if (!walk_bundled(p, dir, 0)) return false;
        if (json_parse(a, text, JSON_JSONC, &json, &e))
            push_keys(a, &json, S("dependencies"), names);
    }
    return true;
}

static bool take_bundled(Packing *p)
{
    Arena *a = p->arena;
    Names names = {0};
    const JsonNode *list = json_find(&p->json, S("bundleDependencies"));
    if (!list) list = json_find(&p->json, S("bundledDependencies"));
    if (list && list->kind == JSON_TRUE) push_keys(a, &p->json, S("dependencies"), &names);
    for (u32 i = 0; list && list->kind == JSON_ARRAY && i < list->len; i++)
        if (list->items[i].kind == JSON_STRING) vec_push(a, &names, json_str(a, &list->items[i]));
    return add_bundled(p, &names);
}

/* ---- package.json ---------------------------------------------------------------------------- */

static void force(Packing *p, const JsonNode *node, bool is_program)
{
    if (!node || node->kind != JSON_STRING) return;
    Str path = path_normalize(p->arena, json_str(p->arena, node));
    bool is_inside =
        path.n && !path_is_absolute(path) && !str_starts(path, S("..")) && !str_eq(path, S("."));
    if (is_inside) *str_map_put(p->arena, &p->forced, path, NULL) |= is_program;
}

static bool read_lists(Packing *p)
{
    const JsonNode *files = json_find(&p->json, S("files")), *bin = json_find(&p->json, S("bin"));
    force(p, json_find(&p->json, S("main")), false);
    force(p, bin, true);
    for (u32 i = 0; bin && bin->kind == JSON_OBJECT && i < bin->len; i++)
        force(p, &bin->items[2 * i + 1], true);
    if (!files) return true;
    if (files->kind != JSON_ARRAY)
        return log_error(p->log, (Span){0}, "expected `files` to be an array of string values");
    p->has_files = true;
    for (u32 i = 0; i < files->len; i++) {
        if (files->items[i].kind != JSON_STRING)
            return log_error(p->log, (Span){0}, "expected `files` to be an array of string values");
        pkg_ignore_add_file_entry(p->arena, &p->files, json_str(p->arena, &files->items[i]));
    }
    return true;
}

static bool read_package(Packing *p, Str root)
{
    Arena *a = p->arena;
    PkgPack *pack = p->pack;
    Source *source = ARENA_NEW(a, Source);
    JsonError e;
    source->name = path_join2(a, pack->dir, S("package.json"));
    int rc = sys_read_file(a, source->name, PKG_MANIFEST_MAX, &source->text);
    if (rc < 0)
        return log_error(p->log, (Span){0}, "Cannot read %.*s: %s", STR_ARG(source->name),
                         err_text(rc));
    if (!json_parse(a, source->text, JSON_JSONC, &p->json, &e))
        return log_error(p->log, (Span){.src = source, .pos = e.offset}, "%s", e.what);
    pack->name = json_find_str(a, &p->json, S("name"));
    pack->version = json_find_str(a, &p->json, S("version"));
    if (!pack->name.n || !pack->version.n)
        return log_error(p->log, (Span){0}, "package.json must have `name` and `version` fields");
    Semver version;
    if (!pkg_name_is_fine(pack->name) || !semver_parse(pack->version, &version))
        return log_error(p->log, (Span){.src = source},
                         "\"%.*s@%.*s\" is no name and version that can be published",
                         STR_ARG(pack->name), STR_ARG(pack->version));
    pack->manifest = source->text;
    return pkg_pack_manifest(a, root, p->log, &pack->manifest) && read_lists(p);
}

/* package.json, then the package's own files, then those of others; each by path. */
static int by_path(const void *x, const void *y)
{
    const PkgPackFile *a = x, *b = y;
    bool is_first_a = str_eq(a->path, S("package.json"));
    if (a->is_bundled != b->is_bundled) return a->is_bundled ? 1 : -1;
    if (is_first_a || str_eq(b->path, S("package.json"))) return is_first_a ? -1 : 1;
    return str_cmp(a->path, b->path);
}

bool pkg_pack_list(Arena *a, Str root, Str dir, Log *log, PkgPack *ret)
{
    *ret = (PkgPack){.dir = dir};
    Packing *p = ARENA_NEW(a, Packing);
    *p = (Packing){.arena = a, .pack = ret, .log = log};
    if (!read_package(p, root) || !walk(p, S(""), (PkgIgnore){0}, 0)) return false;
    u32 at = 0;
    StrMapSlot *slot;
    while ((slot = str_map_next(&p->forced, &at)))
        if (!add_file(p, slot->key, false)) return false;
    if (!take_bundled(p)) return false;
    qsort(p->list.at, p->list.len, sizeof *p->list.at, by_path);
    ret->files = p->list.at;
    ret->n_files = p->list.len;
    ret->files[0].size = ret->manifest.n; /* package.json is always there: it was read */
    for (u32 i = 0; i < ret->n_files; i++) ret->unpacked_size += ret->files[i].size;
    return true;
}

/* ---- The tarball ----------------------------------------------------------------------------- */

Str pkg_pack_name(Arena *a, const PkgPack *pack)
{
    Str scope, rest;
    Str name = pack->name;
    if (name.p[0] == '@' && str_cut(str_skip(name, 1), '/', &scope, &rest))
        name = str_fmt(a, "%.*s-%.*s", STR_ARG(scope), STR_ARG(rest));
    return str_fmt(a, "%.*s-%.*s.tgz", STR_ARG(name), STR_ARG(pack->version));
}

static bool put_file(const PkgPack *pack, const PkgPackFile *file, bool is_manifest, Log *log,
                     Buf *tar)
{
    AUTO(Scratch) s = scratch_begin(log->arena);
    Str data = pack->manifest;
    Str path = path_join2(s.arena, pack->dir, file->path);
    int rc = is_manifest ? 0 : sys_read_file(s.arena, path, PKG_TARBALL_MAX, &data);
    if (rc < 0)
        return log_error(log, (Span){0}, "Cannot read %.*s: %s", STR_ARG(path), err_text(rc));
    TarEntry entry = {.kind = TAR_FILE,
                      .name = str_concat(s.arena, S("package/"), file->path),
                      .data = data,
                      .mode = file->mode,
                      .mtime_s = PACK_TIME_S};
    tar_put(tar, &entry);
    return true;
}

static Str hex_sha1(Arena *a, Str bytes)
{
    u8 digest[EVP_MAX_MD_SIZE];
    u32 n = 0;
    AUTO(Buf) out = {0};
    EVP_MD *md = EVP_MD_fetch(NULL, "sha1", NULL);
    if (md) (void)EVP_Digest(bytes.p, bytes.n, digest, &n, md, NULL);
    EVP_MD_free(md);
    for (u32 i = 0; i < n; i++) buf_fmt(&out, "%02x", digest[i]);
    return str_dup(a, buf_str(&out));
}

void pkg_pack_digest(Arena *a, PkgPack *pack, Str tarball)
{
    AUTO(Buf) integrity = {0};
    pkg_integrity_of(tarball, &integrity);
    pack->integrity = str_dup(a, buf_str(&integrity));
    pack->shasum = hex_sha1(a, tarball);
}

bool pkg_pack_make(Arena *a, PkgPack *pack, u32 level, Log *log, Buf *ret)
{
    AUTO(Buf) tar = {.max = PKG_TARBALL_MAX};
    CompressError e;
    for (u32 i = 0; i < pack->n_files; i++)
        if (!put_file(pack, &pack->files[i], i == 0, log, &tar)) return false;
    tar_finish(&tar);
    if (tar.full) return log_error(log, (Span){0}, "The package is too large");
    CompressOptions o = compress_defaults(COMPRESS_GZIP);
    o.level = (i32)level;
    CompressFlushes flushes = compress_flushes(COMPRESS_GZIP);
    if (!compress_whole(&o, buf_str(&tar), flushes.finish, ret, &e))
        return log_error(log, (Span){0}, "Cannot compress the package: %s", e.message);
    pkg_pack_digest(a, pack, buf_str(ret));
    return true;
}
