/* sys/dl.c -- shared objects. */
#include "sys/call.h"

#include <dlfcn.h>
#include <stdio.h>

void *sys_dl_open(const char *path, int flags, const char **ret_error)
{
    void *handle = dlopen(path, flags);
    *ret_error = handle ? NULL : dlerror();
    return handle;
}

void *sys_dl_find(void *handle, const char *name)
{
    return dlsym(handle, name);
}

void sys_dl_close(void *handle)
{
    if (handle) (void)dlclose(handle);
}

void sys_stdio_flush(void)
{
    (void)fflush(NULL);
}
