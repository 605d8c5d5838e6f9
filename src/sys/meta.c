/* sys/meta.c -- what the file system says about a file, and changing it. */
#include "sys/call.h"

#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static SysTime time_from(struct statx_timestamp t)
{
    return (SysTime){.s = t.tv_sec, .ns = t.tv_nsec};
}

void sys_stat_from_statx(const void *statx, SysStat *ret)
{
    const struct statx *x = statx;
    *ret = (SysStat){
        .dev = makedev(x->stx_dev_major, x->stx_dev_minor),
        .rdev = makedev(x->stx_rdev_major, x->stx_rdev_minor),
        .ino = x->stx_ino,
        .nlink = x->stx_nlink,
        .size = x->stx_size,
        .blocks = x->stx_blocks,
        .blksize = x->stx_blksize,
        .mode = x->stx_mode,
        .uid = x->stx_uid,
        .gid = x->stx_gid,
        .atime = time_from(x->stx_atime),
        .mtime = time_from(x->stx_mtime),
        .ctime = time_from(x->stx_ctime),
    };
    if (x->stx_mask & STATX_BTIME) ret->btime = time_from(x->stx_btime);
}

int sys_statx(const char *path, int flags, void *ret)
{
    FAULT();
    return RETRY_INT(statx(AT_FDCWD, path, flags, STATX_BASIC_STATS | STATX_BTIME, ret));
}

static int stat_any(int fd, const char *path, int flags, SysStat *ret)
{
    struct statx x;
    int rc = RETRY_INT(statx(fd, path, flags, STATX_BASIC_STATS | STATX_BTIME, &x));
    if (rc < 0) return rc;
    sys_stat_from_statx(&x, ret);
    return 0;
}

int sys_stat(Str path, SysStat *ret)
{
    FAULT();
    PATH_Z(z, path);
    return stat_any(AT_FDCWD, z.z, 0, ret);
}

int sys_lstat(Str path, SysStat *ret)
{
    FAULT();
    PATH_Z(z, path);
    return stat_any(AT_FDCWD, z.z, AT_SYMLINK_NOFOLLOW, ret);
}

int sys_fstat(int fd, SysStat *ret)
{
    FAULT();
    return stat_any(fd, "", AT_EMPTY_PATH, ret);
}

int sys_access(Str path, int mode)
{
    FAULT();
    PATH_Z(z, path);
    return RETRY_INT(access(z.z, mode));
}

int sys_chmod(Str path, u32 mode)
{
    FAULT();
    PATH_Z(z, path);
    return RETRY_INT(chmod(z.z, (mode_t)mode));
}

int sys_fchmod(int fd, u32 mode)
{
    FAULT();
    return RETRY_INT(fchmod(fd, (mode_t)mode));
}

int sys_chown(Str path, u32 uid, u32 gid)
{
    FAULT();
    PATH_Z(z, path);
    return RETRY_INT(chown(z.z, uid, gid));
}

int sys_lchown(Str path, u32 uid, u32 gid)
{
    FAULT();
    PATH_Z(z, path);
    return RETRY_INT(lchown(z.z, uid, gid));
}

int sys_fchown(int fd, u32 uid, u32 gid)
{
    FAULT();
    return RETRY_INT(fchown(fd, uid, gid));
}

static void timespecs(SysTime atime, SysTime mtime, struct timespec ret[2])
{
    ret[0] = (struct timespec){.tv_sec = atime.s, .tv_nsec = (long)atime.ns};
    ret[1] = (struct timespec){.tv_sec = mtime.s, .tv_nsec = (long)mtime.ns};
}

static int utimes_path(Str path, SysTime atime, SysTime mtime, int flags)
{
    FAULT();
    PATH_Z(z, path);
    struct timespec ts[2];
    timespecs(atime, mtime, ts);
    return RETRY_INT(utimensat(AT_FDCWD, z.z, ts, flags));
}

int sys_utimes(Str path, SysTime atime, SysTime mtime)
{
    return utimes_path(path, atime, mtime, 0);
}

int sys_lutimes(Str path, SysTime atime, SysTime mtime)
{
    return utimes_path(path, atime, mtime, AT_SYMLINK_NOFOLLOW);
}

int sys_futimes(int fd, SysTime atime, SysTime mtime)
{
    FAULT();
    struct timespec ts[2];
    timespecs(atime, mtime, ts);
    return RETRY_INT(futimens(fd, ts));
}

int sys_statfs(Str path, SysStatFs *ret)
{
    FAULT();
    PATH_Z(z, path);
    struct statfs s;
    int rc = RETRY_INT(statfs(z.z, &s));
    if (rc < 0) return rc;
    *ret = (SysStatFs){
        .type = (u64)s.f_type,
        .bsize = (u64)s.f_bsize,
        .blocks = s.f_blocks,
        .bfree = s.f_bfree,
        .bavail = s.f_bavail,
        .files = s.f_files,
        .ffree = s.f_ffree,
    };
    return 0;
}
