/* sys/dir.c -- names in directories: listing, making, linking, removing. */
#include "sys/call.h"

#include "util/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { DIR_BUF_SIZE = 32 * 1024 };

/* The record that getdents64 writes. */
typedef struct {
    u64 ino;
    i64 off;
    u16 size;
    u8 type;
    char name[];
} Dirent;

int sys_mkdir(Str path, u32 mode)
{
    FAULT();
    PATH_Z(z, path);
    return RETRY_INT(mkdir(z.z, (mode_t)mode));
}

/* Length of the parent of the first `n` bytes, without trailing slashes; 0 when there is none. */
static usize parent_len(Str path, usize n)
{
    while (n && path.p[n - 1] == '/') n--;
    while (n && path.p[n - 1] != '/') n--;
    while (n > 1 && path.p[n - 1] == '/') n--;
    return n;
}

/* End of the component that starts behind the first `n` bytes. */
static usize next_end(Str path, usize n)
{
    while (n < path.n && path.p[n] == '/') n++;
    while (n < path.n && path.p[n] != '/') n++;
    return n;
}

/* 1 when it was made, 0 when it was there, or -errno. */
static int make_one(Str path, u32 mode)
{
    int rc = sys_mkdir(path, mode);
    if (rc == 0) return 1;
    if (rc != -EEXIST && rc != -EROFS) return rc;
    SysStat st;
    int rc_stat = sys_stat(path, &st);
    if (rc_stat < 0) return rc == -EROFS ? rc : rc_stat;
    return S_ISDIR(st.mode) ? 0 : -EEXIST;
}

int sys_mkdir_all(Str path, u32 mode, usize *ret_first)
{
    usize n = path.n;
    if (!n) return -ENOENT;
    /* Up to the deepest directory that exists, and down again.  Others may make some meanwhile. */
    int rc;
    while ((rc = make_one((Str){path.p, n}, mode)) == -ENOENT) {
        n = parent_len(path, n);
        if (!n) return rc;
    }
    if (rc < 0) return rc == -EEXIST && n < path.n ? -ENOTDIR : rc;
    usize first = rc ? n : 0;
    while (n < path.n) {
        n = next_end(path, n);
        rc = make_one((Str){path.p, n}, mode);
        if (rc < 0) return rc;
        if (rc && !first) first = n;
    }
    if (ret_first) *ret_first = first;
    return 0;
}

int sys_mkdtemp(Arena *a, Str prefix, Str *ret)
{
    FAULT();
    PathZ z;
    int n = snprintf(z.z, sizeof(z.z), "%.*sXXXXXX", STR_ARG(prefix));
    if (n < 0 || (usize)n >= sizeof(z.z)) return -ENAMETOOLONG;
    if (memchr(prefix.p, 0, prefix.n)) return -EINVAL;
    if (!mkdtemp(z.z)) return -errno;
    *ret = str_dup(a, str_z(z.z));
    return 0;
}

int sys_rmdir(Str path)
{
    FAULT();
    PATH_Z(z, path);
    return RETRY_INT(rmdir(z.z));
}

int sys_unlink(Str path)
{
    FAULT();
    PATH_Z(z, path);
    return RETRY_INT(unlink(z.z));
}

int sys_rename(Str from, Str to)
{
    FAULT();
    PATH_Z(z_from, from);
    PATH_Z(z_to, to);
    return RETRY_INT(rename(z_from.z, z_to.z));
}

int sys_link(Str from, Str to)
{
    FAULT();
    PATH_Z(z_from, from);
    PATH_Z(z_to, to);
    return RETRY_INT(link(z_from.z, z_to.z));
}

int sys_symlink(Str target, Str path)
{
    FAULT();
    PATH_Z(z_target, target);
    PATH_Z(z_path, path);
    return RETRY_INT(symlink(z_target.z, z_path.z));
}

int sys_readlink(Arena *a, Str path, Str *ret)
{
    FAULT();
    PATH_Z(z, path);
    char target[SYS_PATH_MAX];
    i64 n = RETRY(readlink(z.z, target, sizeof(target)));
    if (n < 0) return (int)n;
    *ret = str_dup(a, (Str){target, (usize)n});
    return 0;
}

int sys_realpath(Arena *a, Str path, Str *ret)
{
    FAULT();
    PATH_Z(z, path);
    char real[SYS_PATH_MAX];
    if (!realpath(z.z, real)) return -errno;
    *ret = str_dup(a, str_z(real));
    return 0;
}

/* ---- Listing -------------------------------------------------------------------------------- */

int sys_dir_open_at(int at, const char *name, int flags, SysDir *ret)
{
    int fd = RETRY_INT(openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags));
    if (fd < 0) return fd;
    *ret = (SysDir){.fd = fd, .buf = mem_resize(NULL, DIR_BUF_SIZE)};
    return 0;
}

int sys_dir_open(Str path, SysDir *ret)
{
    FAULT();
    PATH_Z(z, path);
    return sys_dir_open_at(AT_FDCWD, z.z, 0, ret);
}

void sys_dir_close(SysDir *d)
{
    if (d->buf) sys_close(d->fd);
    mem_free(d->buf);
    *d = (SysDir){0};
}

void SysDir_deinit(SysDir *d)
{
    sys_dir_close(d);
}

static u32 type_of(const SysDir *d, const Dirent *e)
{
    /* DT_x are the S_IFMT bits shifted down by 12. */
    if (e->type) return (u32)e->type << 12;
    struct stat st;
    return fstatat(d->fd, e->name, &st, AT_SYMLINK_NOFOLLOW) < 0 ? 0 : st.st_mode & S_IFMT;
}

int sys_dir_next(SysDir *d, SysDirEntry *ret)
{
    FAULT();
    for (;;) {
        if (d->at == d->len) {
            i64 n = RETRY(syscall(SYS_getdents64, d->fd, d->buf, (usize)DIR_BUF_SIZE));
            if (n <= 0) return (int)n;
            d->at = 0;
            d->len = (u32)n;
        }
        const Dirent *e = (const Dirent *)(const void *)(d->buf + d->at);
        d->at += e->size;
        Str name = str_z(e->name);
        if (str_eq(name, S(".")) || str_eq(name, S(".."))) continue;
        *ret = (SysDirEntry){.name = name, .ino = e->ino, .type = type_of(d, e)};
        return 1;
    }
}

/* ---- Removing a tree ------------------------------------------------------------------------- *
 * Depth first over descriptors, so that a directory which is moved or replaced by a link meanwhile
 * cannot lead us elsewhere. */

static int remove_children(SysDir *d, u32 depth);

static int remove_entry(int at, const char *name, u32 type, u32 depth)
{
    if (type != S_IFDIR) {
        int rc = RETRY_INT(unlinkat(at, name, 0));
        if (rc == 0 || rc == -ENOENT) return 0;
        if (rc != -EISDIR) return rc;
    }
    if (depth >= SYS_TREE_DEPTH_MAX) return -ELOOP;
    SysDir d = {0};
    int rc = sys_dir_open_at(at, name, O_NOFOLLOW, &d);
    if (rc == -ENOENT) return 0;
    if (rc < 0) return rc;
    rc = remove_children(&d, depth + 1);
    sys_dir_close(&d);
    if (rc < 0) return rc;
    rc = RETRY_INT(unlinkat(at, name, AT_REMOVEDIR));
    return rc == -ENOENT ? 0 : rc;
}

static int remove_children(SysDir *d, u32 depth)
{
    SysDirEntry e;
    int rc;
    while ((rc = sys_dir_next(d, &e)) > 0) {
        rc = remove_entry(d->fd, e.name.p, e.type, depth);
        if (rc < 0) return rc;
    }
    return rc;
}

int sys_remove_tree(Str path)
{
    FAULT();
    PATH_Z(z, path);
    struct stat st;
    int rc = RETRY_INT(fstatat(AT_FDCWD, z.z, &st, AT_SYMLINK_NOFOLLOW));
    if (rc < 0) return rc;
    return remove_entry(AT_FDCWD, z.z, st.st_mode & S_IFMT, 0);
}
