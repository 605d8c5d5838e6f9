/* sys/copy.c -- copying file content, by sharing blocks or inside the kernel where that works. */
#include "sys/call.h"

#include "util/mem.h"

#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <unistd.h>

enum {
    COPY_STEP = 1024 * 1024 * 1024, /* per call; the kernel takes less than 2 GiB */
    COPY_BUF_SIZE = 128 * 1024,
};

typedef enum { BY_RANGE, BY_SENDFILE, BY_BUFFER } CopyWay;

/* Whether an error means "not between these two files" rather than a failure. */
static bool is_unsupported(i64 rc)
{
    return rc == -EXDEV || rc == -EINVAL || rc == -ENOSYS || rc == -EOPNOTSUPP || rc == -EPERM ||
           rc == -ETXTBSY || rc == -EBADF;
}

static i64 copy_by_buffer(int from, int to, char *buf, usize len)
{
    i64 n = RETRY(read(from, buf, MIN(len, (usize)COPY_BUF_SIZE)));
    if (n <= 0) return n;
    int rc = sys_write_all(to, (Str){buf, (usize)n});
    return rc < 0 ? rc : n;
}

i64 sys_copy_fd(int from, int to, u64 len)
{
    FAULT();
    CopyWay way = BY_RANGE;
    u64 done = 0;
    char *buf = NULL;
    i64 n = 0;
    while (done < len) {
        usize step = (usize)MIN(len - done, (u64)COPY_STEP);
        if (way == BY_RANGE) n = RETRY(copy_file_range(from, NULL, to, NULL, step, 0));
        if (way == BY_SENDFILE) n = RETRY(sendfile(to, from, NULL, step));
        if (way == BY_BUFFER) {
            if (!buf) buf = mem_resize(NULL, COPY_BUF_SIZE);
            n = copy_by_buffer(from, to, buf, step);
        }
        /* A file of /proc is empty for copy_file_range; only read(2) knows the end for sure. */
        bool is_empty = n == 0 && done == 0;
        if (way != BY_BUFFER && (is_empty || (n < 0 && is_unsupported(n)))) {
            way++;
            continue;
        }
        if (n <= 0) break;
        done += (u64)n;
    }
    mem_free(buf);
    return n < 0 ? n : (i64)done;
}

static int copy_content(int from, int to, u32 flags)
{
    if (flags & (SYS_COPY_CLONE | SYS_COPY_CLONE_FORCE)) {
        int rc = RETRY_INT(ioctl(to, FICLONE, from));
        if (rc == 0 || flags & SYS_COPY_CLONE_FORCE) return rc == -EOPNOTSUPP ? -ENOTSUP : rc;
    }
    i64 n = sys_copy_fd(from, to, UINT64_MAX);
    return n < 0 ? (int)n : 0;
}

int sys_copy_file(Str from, Str to, u32 flags)
{
    int fd_from = sys_open(from, O_RDONLY, 0);
    if (fd_from < 0) return fd_from;
    int fd_to = -1;
    bool is_made = false;
    SysStat st, st_to;
    int rc = sys_fstat(fd_from, &st);
    if (rc < 0) goto out;
    if (S_ISDIR(st.mode)) rc = -EISDIR;
    if (rc < 0) goto out;
    u32 mode = st.mode & 07777;
    rc = fd_to = sys_open(to, O_WRONLY | O_CREAT | O_EXCL, mode);
    is_made = fd_to >= 0;
    if (fd_to == -EEXIST && !(flags & SYS_COPY_EXCL)) rc = fd_to = sys_open(to, O_WRONLY, 0);
    if (fd_to < 0) goto out;
    rc = sys_fstat(fd_to, &st_to);
    if (rc == 0 && st_to.dev == st.dev && st_to.ino == st.ino) {
        /* Truncating would destroy the source. */
        rc = -EINVAL;
        goto out;
    }
    if (rc == 0 && !is_made && S_ISREG(st_to.mode)) rc = sys_ftruncate(fd_to, 0);
    if (rc == 0) rc = copy_content(fd_from, fd_to, flags);
    if (rc == 0) (void)RETRY(fchmod(fd_to, (mode_t)mode));
out:
    sys_close(fd_from);
    sys_close(fd_to);
    if (rc < 0 && is_made) (void)sys_unlink(to);
    return rc;
}
