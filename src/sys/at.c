/* sys/at.c -- files and directories below an open directory: the kernel walks what is new only. */
#include "sys/call.h"

#include <fcntl.h>
#include <sys/stat.h>

int sys_open_at(int dir, Str name, int flags, u32 mode)
{
    FAULT();
    return RETRY_INT(openat(dir, name.p, flags | O_CLOEXEC, (mode_t)mode));
}

int sys_mkdir_at(int dir, Str name, u32 mode)
{
    FAULT();
    return RETRY_INT(mkdirat(dir, name.p, (mode_t)mode));
}
