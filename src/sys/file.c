/* sys/file.c -- descriptors of files: open, read, write, whole files, mapping. */
#include "sys/call.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    READ_STEP_MIN = 4 * 1024,
    READ_STEP_MAX = 1024 * 1024,
    FILE_MODE_DEFAULT = 0666, /* before the umask */
};

int sys_open(Str path, int flags, u32 mode)
{
    FAULT();
    PATH_Z(z, path);
    return RETRY_INT(open(z.z, flags | O_CLOEXEC, (mode_t)mode));
}

int sys_close(int fd)
{
    if (fd < 0) return 0;
    /* After EINTR the descriptor is gone on Linux: trying again could close somebody else's. */
    if (close(fd) < 0 && errno != EINTR) return -errno;
    return 0;
}

i64 sys_read(int fd, void *buf, usize len)
{
    FAULT();
    return RETRY(read(fd, buf, len));
}

i64 sys_pread(int fd, void *buf, usize len, u64 off)
{
    FAULT();
    return RETRY(pread(fd, buf, len, (off_t)off));
}

i64 sys_readv(int fd, const struct iovec *iov, u32 n_iov)
{
    FAULT();
    return RETRY(readv(fd, iov, (int)MIN(n_iov, (u32)IOV_MAX)));
}

i64 sys_preadv(int fd, const struct iovec *iov, u32 n_iov, u64 off)
{
    FAULT();
    return RETRY(preadv(fd, iov, (int)MIN(n_iov, (u32)IOV_MAX), (off_t)off));
}

/* Who holds text back for descriptors 1 and 2, and on which thread. */
static struct {
    void (*fn)(void *ctx);
    void *ctx;
    pthread_t thread;
} output_hook;

void sys_before_output(void (*fn)(void *ctx), void *ctx)
{
    output_hook.fn = fn;
    output_hook.ctx = ctx;
    output_hook.thread = pthread_self();
}

void sys_tell_output(void)
{
    if (output_hook.fn && pthread_equal(output_hook.thread, pthread_self()))
        output_hook.fn(output_hook.ctx);
}

static inline void tell_output(int fd)
{
    if (UNLIKELY(output_hook.fn) && (fd == 1 || fd == 2)) sys_tell_output();
}

i64 sys_write(int fd, const void *buf, usize len)
{
    FAULT();
    tell_output(fd);
    return RETRY(write(fd, buf, len));
}

i64 sys_pwrite(int fd, const void *buf, usize len, u64 off)
{
    FAULT();
    return RETRY(pwrite(fd, buf, len, (off_t)off));
}

i64 sys_writev(int fd, const struct iovec *iov, u32 n_iov)
{
    FAULT();
    tell_output(fd);
    return RETRY(writev(fd, iov, (int)MIN(n_iov, (u32)IOV_MAX)));
}

i64 sys_pwritev(int fd, const struct iovec *iov, u32 n_iov, u64 off)
{
    FAULT();
    return RETRY(pwritev(fd, iov, (int)MIN(n_iov, (u32)IOV_MAX), (off_t)off));
}

int sys_write_all(int fd, Str data)
{
    for (usize n = 0; n < data.n;) {
        i64 k = sys_write(fd, data.p + n, data.n - n);
        if (k == -EAGAIN) {
            struct pollfd p = {.fd = fd, .events = POLLOUT};
            k = sys_poll(&p, 1, UINT64_MAX);
            if (k >= 0) continue;
        }
        if (k < 0) return (int)k;
        n += (usize)k;
    }
    return 0;
}

i64 sys_seek(int fd, i64 off, int whence)
{
    FAULT();
    return RETRY(lseek(fd, off, whence));
}

int sys_fsync(int fd)
{
    FAULT();
    return RETRY_INT(fsync(fd));
}

int sys_fdatasync(int fd)
{
    FAULT();
    return RETRY_INT(fdatasync(fd));
}

int sys_truncate(Str path, u64 len)
{
    FAULT();
    PATH_Z(z, path);
    return RETRY_INT(truncate(z.z, (off_t)len));
}

int sys_ftruncate(int fd, u64 len)
{
    FAULT();
    return RETRY_INT(ftruncate(fd, (off_t)len));
}

int sys_dup(int fd, int fd_min)
{
    FAULT();
    return RETRY_INT(fcntl(fd, F_DUPFD_CLOEXEC, fd_min));
}

int sys_is_nonblock(int fd)
{
    FAULT();
    int flags = RETRY_INT(fcntl(fd, F_GETFL));
    return flags < 0 ? flags : (flags & O_NONBLOCK) != 0;
}

int sys_set_nonblock(int fd, bool on)
{
    FAULT();
    int flags = RETRY_INT(fcntl(fd, F_GETFL));
    if (flags < 0) return flags;
    int want = on ? flags | O_NONBLOCK : flags & ~O_NONBLOCK;
    return want == flags ? 0 : RETRY_INT(fcntl(fd, F_SETFL, want));
}

int sys_set_cloexec(int fd, bool on)
{
    FAULT();
    return RETRY_INT(fcntl(fd, F_SETFD, on ? FD_CLOEXEC : 0));
}

int sys_lock(int fd, bool exclusive, bool wait)
{
    FAULT();
    return RETRY_INT(flock(fd, (exclusive ? LOCK_EX : LOCK_SH) | (wait ? 0 : LOCK_NB)));
}

int sys_unlock(int fd)
{
    FAULT();
    return RETRY_INT(flock(fd, LOCK_UN));
}

/* Room for what the file is said to hold plus one byte, so that the read that finds the end needs
 * no second round; st_size says 0 for files in /proc, so it is only a hint. */
static usize first_step(int fd, usize max)
{
    struct stat st;
    if (fstat(fd, &st) < 0 || st.st_size <= 0) return READ_STEP_MIN;
    usize size = (usize)st.st_size;
    return MIN(size, max) + 1;
}

int sys_read_all(int fd, usize max, Buf *buf)
{
    usize start = buf->len;
    if (!buf_reserve(buf, first_step(fd, max))) return -EFBIG;
    for (;;) {
        usize room = buf->cap - buf->len - 1;
        if (!room) {
            if (!buf_reserve(buf, READ_STEP_MIN)) return -EFBIG;
            room = buf->cap - buf->len - 1;
        }
        i64 n = sys_read(fd, buf->p + buf->len, room);
        if (n < 0) return (int)n;
        if (n == 0) break;
        if ((usize)n > max - (buf->len - start)) return -EFBIG;
        buf->len += (usize)n;
    }
    buf->p[buf->len] = 0;
    return 0;
}

/* Fills the arena's buffer and grows it until the end of the file. */
static int read_into_arena(Arena *a, int fd, usize max, Str *ret)
{
    usize cap = first_step(fd, max), len = 0;
    char *p = arena_alloc_dirty(a, cap + 1, 1);
    for (;;) {
        if (len == cap) {
            usize more = MAX((usize)READ_STEP_MIN, MIN(cap, (usize)READ_STEP_MAX));
            p = arena_grow(a, p, cap + 1, cap + 1 + more, 1);
            cap += more;
        }
        i64 n = sys_read(fd, p + len, cap - len);
        if (n < 0) return (int)n;
        if (n == 0) break;
        len += (usize)n;
        if (len > max) return -EFBIG;
    }
    p[len] = 0;
    *ret = (Str){p, len};
    return 0;
}

int sys_read_file(Arena *a, Str path, usize max, Str *ret)
{
    int fd = sys_open(path, O_RDONLY, 0);
    if (fd < 0) return fd;
    int rc = read_into_arena(a, fd, max, ret);
    sys_close(fd);
    return rc;
}

int sys_write_file(Str path, Str data, u32 mode)
{
    int fd = sys_open(path, O_WRONLY | O_CREAT | O_TRUNC, mode ? mode : FILE_MODE_DEFAULT);
    if (fd < 0) return fd;
    int rc = sys_write_all(fd, data);
    int rc_close = sys_close(fd);
    return rc < 0 ? rc : rc_close;
}

static u32 mode_of_existing(Str path)
{
    SysStat st;
    if (sys_stat(path, &st) < 0) return FILE_MODE_DEFAULT & ~sys_umask_get();
    return st.mode & 07777;
}

static int replace_file(Str path, Str data, u32 mode, bool is_synced)
{
    FAULT();
    struct rlimit limit; /* beyond it a write is answered by a signal that ends the process */
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && data.n > limit.rlim_cur) return -EFBIG;
    PATH_Z(z, path);
    PathZ tmp;
    int n = snprintf(tmp.z, sizeof(tmp.z), "%s.XXXXXX.tmp", z.z);
    if (n < 0 || (usize)n >= sizeof(tmp.z)) return -ENAMETOOLONG;
    if (!mode) mode = mode_of_existing(path);
    int fd = RETRY_INT(mkostemps(tmp.z, 4, O_CLOEXEC));
    if (fd < 0) return fd;
    int rc = sys_write_all(fd, data);
    if (rc == 0) rc = sys_fchmod(fd, mode);
    if (rc == 0 && is_synced) rc = sys_fsync(fd);
    int rc_close = sys_close(fd);
    if (rc == 0) rc = rc_close;
    if (rc == 0) rc = sys_rename((Str){tmp.z, (usize)n}, path);
    if (rc < 0) (void)unlink(tmp.z);
    return rc;
}

int sys_write_file_atomic(Str path, Str data, u32 mode)
{
    return replace_file(path, data, mode, true);
}

int sys_write_file_unsynced(Str path, Str data, u32 mode)
{
    return replace_file(path, data, mode, false);
}

int sys_map_file(Str path, Str *ret)
{
    return sys_map_file_of(path, SYS_ANY_OWNER, ret, NULL);
}

int sys_map_file_of(Str path, i64 uid, Str *ret, SysStat *ret_stat)
{
    int fd = sys_open(path, O_RDONLY | (uid >= 0 ? O_NOFOLLOW : 0), 0);
    if (fd < 0) return fd;
    SysStat st;
    int rc = sys_fstat(fd, &st);
    if (rc == 0 && uid >= 0 && (st.uid != uid || st.mode & (S_IWGRP | S_IWOTH))) rc = -EPERM;
    if (rc == 0 && !S_ISREG(st.mode)) rc = S_ISDIR(st.mode) ? -EISDIR : -ENODEV;
    if (rc < 0) goto out;
    Str map = {"", 0};
    if (st.size) {
        void *p = mmap(NULL, st.size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (p == MAP_FAILED) {
            rc = -errno;
            goto out;
        }
        map = (Str){p, st.size};
    }
    *ret = map;
    if (ret_stat) *ret_stat = st;
out:
    sys_close(fd);
    return rc;
}

void sys_unmap_file(Str map)
{
    if (map.n) (void)munmap((void *)(uintptr_t)map.p, map.n);
}
