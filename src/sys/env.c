/* sys/env.c -- environment variables, behind one lock. */
#include "sys/call.h"

#include <stdlib.h>

extern char **environ;

static SysMutex lock;

static bool is_name(Str name)
{
    return name.n && str_find(name, '=') < 0 && !memchr(name.p, 0, name.n);
}

bool sys_env_find(Arena *a, Str name, Str *ret)
{
    if (!is_name(name)) return false;
    AUTO(Scratch) s = scratch_begin(a);
    const char *z = str_dup_z(s.arena, name);
    sys_mutex_lock(&lock);
    const char *value = getenv(z);
    if (value) *ret = str_dup(a, str_z(value));
    sys_mutex_unlock(&lock);
    return value != NULL;
}

int sys_env_set(Str name, Str value)
{
    FAULT();
    if (!is_name(name)) return -EINVAL;
    if (value.n && memchr(value.p, 0, value.n)) return -EINVAL;
    AUTO(Scratch) s = scratch_begin(NULL);
    const char *z_name = str_dup_z(s.arena, name), *z_value = str_dup_z(s.arena, value);
    sys_mutex_lock(&lock);
    int rc = setenv(z_name, z_value, 1) < 0 ? -errno : 0;
    sys_mutex_unlock(&lock);
    return rc;
}

int sys_env_del(Str name)
{
    if (!is_name(name)) return -EINVAL;
    AUTO(Scratch) s = scratch_begin(NULL);
    const char *z = str_dup_z(s.arena, name);
    sys_mutex_lock(&lock);
    int rc = unsetenv(z) < 0 ? -errno : 0;
    sys_mutex_unlock(&lock);
    return rc;
}

void sys_env_list(Arena *a, Str **ret, u32 *ret_len)
{
    sys_mutex_lock(&lock);
    u32 n = 0;
    while (environ && environ[n]) n++;
    Str *list = ARENA_ARRAY(a, Str, (usize)n + 1);
    for (u32 i = 0; i < n; i++) list[i] = str_dup(a, str_z(environ[i]));
    sys_mutex_unlock(&lock);
    *ret = list;
    *ret_len = n;
}
