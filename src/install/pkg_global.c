/* install/pkg_global.c -- what is there for all projects: see install.h. */
#include "install/install.h"

#include "sys/sys.h"
#include "util/path.h"

static Str from_env(Arena *a, const char *suffix)
{
    Str value;
    const char *own[] = {"COB_INSTALL", "BUN_INSTALL"};
    for (u32 i = 0; i < COUNT(own); i++)
        if (sys_env_find(a, str_fmt(a, "%s%s", own[i], suffix), &value) && value.n) return value;
    return S("");
}

static Str home_folder(Arena *a, Str name)
{
    Str home = from_env(a, "");
    if (home.n) return path_join2(a, home, name);
    if (!sys_env_find(a, S("HOME"), &home) || !home.n) home = S("/tmp");
    return str_fmt(a, "%.*s/.cob/%.*s", STR_ARG(home), STR_ARG(name));
}

Str pkg_global_dir(Arena *a)
{
    Str dir = from_env(a, "_GLOBAL_DIR");
    return dir.n ? dir : home_folder(a, S("install/global"));
}

Str pkg_global_bin(Arena *a)
{
    Str dir = from_env(a, "_BIN");
    return dir.n ? dir : home_folder(a, S("bin"));
}

Str pkg_global_link(Arena *a, Str name)
{
    return str_fmt(a, "%.*s/node_modules/%.*s", STR_ARG(pkg_global_dir(a)), STR_ARG(name));
}
