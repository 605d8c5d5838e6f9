/* sys/at.c -- files and directories below an open directory: the kernel walks what is new only. */
#include "sys/call.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>

int sys_open_at(int dir, Str name, int flags, u32 mode)
{
    FAULT();
    return RETRY_INT(openat(dir, name.p, flags | O_CLOEXEC, (mode_t)mode));
}

int sys_open_below(int dir, Str path, int flags)
{
    FAULT();
    PATH_Z(z, path);
    struct open_how how = {.flags = (u32)(flags | O_CLOEXEC)};
    how.resolve = (u32)(RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS);
    return RETRY_INT((int)syscall(SYS_openat2, dir, z.z, &how, sizeof how));
}

int sys_mkdir_at(int dir, Str name, u32 mode)
{
    FAULT();
    return RETRY_INT(mkdirat(dir, name.p, (mode_t)mode));
}
