/* install/pkg_patch.c -- "patchedDependencies" of package.json: packages that are changed by a
 * diff.
 *
 * A patched package is a folder of the cache of its own, made from that of the package:
 *
 *     leaf@1.5.0-HASH                  leaf@1.5.0-HASH_patch-HASH
 *
 * with the diff's hash in the file PKG_PATCH_MARK, which goes to node_modules too: so it is seen
 * there whose patch a package has. */
#include "install/pkg.h"
#include "install/pkg_diff.h"

#include "codec/tar.h"
#include "util/err.h"
#include "util/path.h"

enum { PATCH_MAX = 64 << 20, FILE_MAX = 256 << 20, HASH_CHARS = 16 };

static bool refuse(PkgRun *run, const Pkg *pkg, Str what)
{
    return log_error(run->log, (Span){0}, "The patch %.*s of %.*s@%.*s %.*s",
                     STR_ARG(pkg->patch_path), STR_ARG(pkg->name), STR_ARG(pkg->version_text),
                     STR_ARG(what));
}

/* ---- Which ----------------------------------------------------------------------------------- */

static bool read_patch(PkgRun *run, Pkg *pkg)
{
    Arena *a = run->arena;
    AUTO(Buf) hash = {0};
    Str path = path_resolve(a, run->options->dir, run->options->dir, pkg->patch_path);
    int rc = sys_read_file(a, path, PATCH_MAX, &pkg->patch);
    if (rc < 0)
        return refuse(run, pkg,
                      str_fmt(a,
                              "cannot be read (%s): make it again with \"patch --commit\", or "
                              "remove it from \"patchedDependencies\" in package.json",
                              err_text(rc)));
    pkg_integrity_of(pkg->patch, &hash);
    char *p = str_dup_z(a, str_slice(str_skip(buf_str(&hash), 7), 0, HASH_CHARS));
    for (usize i = 0; i < HASH_CHARS; i++)
        if (p[i] == '/' || p[i] == '+' || p[i] == '=') p[i] = '_';
    pkg->patch_hash = str_z(p);
    return true;
}

bool pkg_patches_read(PkgRun *run)
{
    Arena *a = run->arena;
    const JsonNode *list = json_find(&run->root_json, S("patchedDependencies"));
    for (u32 i = 0; list && list->kind == JSON_OBJECT && i < list->len; i++) {
        const JsonNode *value = &list->items[2 * i + 1];
        Str key = json_str(a, &list->items[2 * i]);
        if (value->kind != JSON_STRING) continue;
        u64 *slot = str_map_find(&run->by_id, key);
        if (!slot || run->pkgs.at[*slot].kind != PKG_RANGE) continue;
        Pkg *pkg = &run->pkgs.at[*slot];
        pkg->patch_path = json_str(a, value);
        if (pkg->is_needed && !pkg->is_elsewhere && !read_patch(run, pkg)) return false;
    }
    return true;
}

void pkg_put_patches(PkgRun *run, Buf *out)
{
    const JsonNode *list = json_find(&run->root_json, S("patchedDependencies"));
    if (!list || list->kind != JSON_OBJECT || !list->len) return;
    (void)buf_push(out, S("  \"patchedDependencies\": {\n"));
    for (u32 i = 0; i < list->len; i++) {
        (void)buf_push(out, S("    "));
        json_write_str(out, json_str(run->arena, &list->items[2 * i]));
        (void)buf_push(out, S(": "));
        json_write(out, &list->items[2 * i + 1], S(""));
        (void)buf_push(out, S(",\n"));
    }
    (void)buf_push(out, S("  },\n"));
}

Str pkg_patch_dir(Arena *a, const Pkg *pkg)
{
    return str_fmt(a, "%.*s_patch-%.*s", STR_ARG(pkg->dir), STR_ARG(pkg->patch_hash));
}

bool pkg_patch_is_there(const Pkg *pkg, Str place)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str text = S("");
    bool has_mark = sys_read_file(s.arena, path_join2(s.arena, place, S(PKG_PATCH_MARK)), PATCH_MAX,
                                  &text) >= 0;
    return pkg->patch_hash.n ? str_eq(text, pkg->patch_hash) : !has_mark;
}

/* ---- Making one ------------------------------------------------------------------------------ */

/* No file of the diff may be reached by a link, whatever the package is. */
static bool is_plain(Str dir, Str path)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    SysStat st;
    if (!tar_name_is_safe(path)) return false;
    for (usize n = 0; n <= path.n; n++) {
        if (n < path.n && path.p[n] != '/') continue;
        Str part = path_join2(s.arena, dir, str_slice(path, 0, n));
        if (sys_lstat(part, &st) == 0 && S_ISLNK(st.mode)) return false;
    }
    return true;
}

typedef struct {
    PkgRun *run;
    const Pkg *pkg;
    Str dir; /* where it is made */
} Making;

static bool write_new(Making *m, const PkgDiffFile *file, u32 mode, Str text)
{
    AUTO(Scratch) s = scratch_begin(m->run->arena);
    Str to = path_join2(s.arena, m->dir, file->new_path);
    int rc = sys_mkdir_all(path_dirname(to), 0755, NULL);
    if (rc >= 0) rc = sys_write_file_atomic(to, text, file->mode ? file->mode : mode);
    return rc >= 0 || refuse(m->run, m->pkg,
                             str_fmt(m->run->arena, "cannot write %.*s: %s",
                                     STR_ARG(file->new_path), err_text(rc)));
}

static bool apply_file(Making *m, const PkgDiffFile *file)
{
    AUTO(Scratch) s = scratch_begin(m->run->arena);
    AUTO(Buf) out = {.max = FILE_MAX};
    Arena *a = m->run->arena;
    SysStat st = {.mode = 0644};
    Str old = S(""), name = file->new_path.n ? file->new_path : file->old_path;
    Str from = path_join2(s.arena, m->dir, file->old_path);
    const char *error;
    bool is_safe = name.n && (!file->old_path.n || is_plain(m->dir, file->old_path)) &&
                   (!file->new_path.n || is_plain(m->dir, file->new_path));
    if (!is_safe)
        return refuse(m->run, m->pkg,
                      str_fmt(a, "names \"%.*s\", which is no file of the package", STR_ARG(name)));
    int rc = file->old_path.n ? sys_read_file(s.arena, from, FILE_MAX, &old) : 0;
    if (rc >= 0 && file->old_path.n) rc = sys_stat(from, &st);
    if (rc < 0)
        return refuse(m->run, m->pkg,
                      str_fmt(a, "is for a file that cannot be read: %.*s: %s",
                              STR_ARG(file->old_path), err_text(rc)));
    if (!pkg_diff_apply(file, old, &out, &error))
        return refuse(m->run, m->pkg, str_fmt(a, "does not fit: %.*s: %s", STR_ARG(name), error));
    if (out.full) return refuse(m->run, m->pkg, S("makes a file that is too large"));
    bool is_moved = file->old_path.n && !str_eq(file->old_path, file->new_path);
    if (is_moved) (void)sys_unlink(from);
    return !file->new_path.n || write_new(m, file, st.mode & 0777, buf_str(&out));
}

static bool apply(Making *m)
{
    PkgDiff d = {.rest = m->pkg->patch};
    PkgDiffFile file;
    u32 n = 0;
    for (; pkg_diff_next(&d, &file); n++)
        if (!apply_file(m, &file)) return false;
    if (d.error)
        return refuse(m->run, m->pkg, str_fmt(m->run->arena, "cannot be applied: %s", d.error));
    return n || refuse(m->run, m->pkg, S("has no changes in it"));
}

static bool make(PkgRun *run, Pkg *pkg, u32 index)
{
    Arena *a = run->arena;
    Str to = pkg_patch_dir(a, pkg);
    Making m = {run, pkg,
                str_fmt(a, "%.*s/.tmp-%d-patch-%u", STR_ARG(run->options->cache_dir),
                        (int)sys_pid(), index)};
    (void)!sys_remove_tree(m.dir);
    int rc = sys_link_tree(pkg->dir, m.dir, S(""), true);
    /* Its list of names is that of the package without the patch. */
    if (rc >= 0) (void)sys_unlink(path_join2(a, m.dir, S(PKG_LIST_NAME)));
    bool ok = rc >= 0 && apply(&m);
    if (ok) {
        Str mark = path_join2(a, m.dir, S(PKG_PATCH_MARK));
        rc = sys_write_file_atomic(mark, pkg->patch_hash, 0644);
        /* Somebody else may have made it meanwhile. */
        if (rc >= 0) rc = sys_rename(m.dir, to);
        if (rc == -EEXIST || rc == -ENOTEMPTY) rc = 0;
    }
    (void)!sys_remove_tree(m.dir);
    pkg->dir = to;
    if (rc < 0) return refuse(run, pkg, str_fmt(a, "cannot be applied: %s", err_text(rc)));
    return ok;
}

bool pkg_patch_all(PkgRun *run)
{
    for (u32 i = 1; i < run->pkgs.len; i++) {
        Pkg *pkg = &run->pkgs.at[i];
        if (!pkg->is_missing || !pkg->patch_hash.n || pkg->is_patched) continue;
        if (!make(run, pkg, i)) return false;
    }
    return true;
}
