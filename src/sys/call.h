/* sys/call.h -- what the files of sys/ share: restarting, faults, and paths with a NUL. */
#pragma once

#include "sys/sys.h"

#include <errno.h>
#include <string.h>

/* The result of a system call, restarted on EINTR, as a value or -errno. */
#define RETRY(call)                                                                                \
    ({                                                                                             \
        long retry_rc_;                                                                            \
        do retry_rc_ = (long)(call);                                                               \
        while (UNLIKELY(retry_rc_ < 0) && errno == EINTR);                                         \
        retry_rc_ < 0 ? -errno : retry_rc_;                                                        \
    })
#define RETRY_INT(call) ((int)RETRY(call))

#ifdef COB_DEBUG
#define FAULT()                                                                                    \
    do {                                                                                           \
        int fault_rc_ = sys_fault_hit();                                                           \
        if (fault_rc_) return fault_rc_;                                                           \
    } while (0)
#else
#define FAULT() ((void)0)
#endif

typedef struct {
    char z[SYS_PATH_MAX];
} PathZ;

static inline int path_z(PathZ *ret, Str path)
{
    if (path.n >= sizeof(ret->z)) return -ENAMETOOLONG;
    if (path.n && memchr(path.p, 0, path.n)) return -EINVAL;
    if (path.n) memcpy(ret->z, path.p, path.n);
    ret->z[path.n] = 0;
    return 0;
}

/* Declares `name` as the path with its NUL, or returns from the function. */
#define PATH_Z(name, path)                                                                         \
    PathZ name;                                                                                    \
    do {                                                                                           \
        int path_rc_ = path_z(&(name), (path));                                                    \
        if (path_rc_ < 0) return path_rc_;                                                         \
    } while (0)

/* sys_dir_open relative to an open directory; `flags` are more of open(2). */
NODISCARD int sys_dir_open_at(int at, const char *name, int flags, SysDir *ret);
