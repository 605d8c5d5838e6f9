/* install/pkg_kept.c -- metadata kept in the cache, as the registry gave it:
 *
 *     cob-metadata 1\n FRESH-UNTIL-SECONDS \n ETAG \n BODY
 *
 * One file a package, replaced by rename; used straight from a mapping. */
#include "install/pkg.h"
#include "util/path.h"

enum { DIR_MODE = 0755, FILE_MODE = 0644 };

#define HEAD "cob-metadata 1"

Str pkg_kept_path(Arena *a, Str cache_dir, Str url, Str name)
{
    /* The address is in the name: what one registry says is nothing to another. */
    return str_fmt(a, "%.*s/.metadata/%.*s-%016llx", STR_ARG(cache_dir), STR_ARG(name),
                   (unsigned long long)str_hash(url));
}

void pkg_kept_open(Str path, PkgKept *ret)
{
    Str map, rest, head, until;
    PkgKept kept = {0};
    *ret = kept;
    if (sys_map_file(path, &map) < 0) return;
    kept.map = map;
    bool ok = str_cut(map, '\n', &head, &rest) && str_eq(head, S(HEAD)) &&
              str_cut(rest, '\n', &until, &rest) && str_to_u64(until, &kept.fresh_until_s) &&
              str_cut(rest, '\n', &kept.etag, &kept.body);
    if (ok)
        *ret = kept;
    else
        sys_unmap_file(map);
}

void pkg_kept_close(PkgKept *kept)
{
    if (kept->map.n) sys_unmap_file(kept->map);
    *kept = (PkgKept){0};
}

static int write_beside(Str path, Str temporary, Str head, Str body)
{
    int fd = sys_open(temporary, O_WRONLY | O_CREAT | O_TRUNC, FILE_MODE);
    if (fd < 0) return fd;
    struct iovec parts[] = {{(void *)(uintptr_t)head.p, head.n},
                            {(void *)(uintptr_t)body.p, body.n}};
    i64 n = sys_writev(fd, parts, COUNT(parts));
    int rc = n < 0 ? (int)n : (usize)n == head.n + body.n ? 0 : -EIO, closed = sys_close(fd);
    if (rc >= 0) rc = closed;
    if (rc >= 0) rc = sys_rename(temporary, path);
    if (rc < 0) sys_unlink(temporary);
    return rc;
}

int pkg_kept_write(Str path, const PkgKept *kept)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    usize made;
    Str temporary = str_fmt(s.arena, "%.*s.tmp-%d", STR_ARG(path), (int)sys_pid());
    Str head = str_fmt(s.arena, HEAD "\n%llu\n%.*s\n", (unsigned long long)kept->fresh_until_s,
                       STR_ARG(kept->etag));
    int rc = write_beside(path, temporary, head, kept->body);
    if (rc != -ENOENT) return rc;
    rc = sys_mkdir_all(path_dirname(path), DIR_MODE, &made);
    return rc < 0 ? rc : write_beside(path, temporary, head, kept->body);
}
