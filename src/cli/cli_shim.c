/* cli/cli_shim.c -- a folder in which `node`, `bun` and `cob` are this program.
 *
 * It stands in the folder for temporary files, where anybody may write: it is used only when it
 * belongs to us and nobody else may change it. */
#include "cli/run.h"

static bool is_ours(Str dir)
{
    SysStat st;
    return sys_lstat(dir, &st) == 0 && S_ISDIR(st.mode) && st.uid == sys_euid() && !(st.mode & 022);
}

/* A link that points elsewhere is replaced as one step. */
static bool put_link(Arena *a, Str dir, const char *name, Str target)
{
    Str path = str_fmt(a, "%.*s/%s", STR_ARG(dir), name), old;
    if (sys_readlink(a, path, &old) == 0 && str_eq(old, target)) return true;
    Str tmp = str_fmt(a, "%.*s.%d", STR_ARG(path), sys_pid());
    (void)sys_unlink(tmp);
    return sys_symlink(target, tmp) == 0 && sys_rename(tmp, path) == 0;
}

/* The same for every process, unlike str_hash. */
static u32 name_hash(Str s)
{
    u32 h = 2166136261u;
    for (usize i = 0; i < s.n; i++) h = (h ^ (u8)s.p[i]) * 16777619u;
    return h;
}

/* A folder of ours for links to this program; *ret_exe is its path.  Empty: there can be none. */
static Str open_dir(Cli *cli, const char *prefix, Str *ret_exe)
{
    Arena *a = cli->arena;
    Str tmp = S("/tmp");
    (void)(sys_env_find(a, S("TMPDIR"), &tmp) && tmp.n);
    if (!tmp.n || tmp.p[0] != '/') tmp = S("/tmp");
    if (sys_exe_path(a, ret_exe) < 0) return S("");
    Str dir = str_fmt(a, "%.*s/%s-%u-%08x", STR_ARG(tmp), prefix, sys_euid(), name_hash(*ret_exe));
    int rc = sys_mkdir(dir, 0700);
    return (rc < 0 && rc != -EEXIST) || !is_ours(dir) ? S("") : dir;
}

Str cli_gyp_dir(Cli *cli)
{
    Str exe, dir = open_dir(cli, "cob-gyp", &exe);
    return dir.n && put_link(cli->arena, dir, "node-gyp", exe) ? dir : S("");
}

Str cli_shim_dir(Cli *cli)
{
    Arena *a = cli->arena;
    Str exe, dir = open_dir(cli, "cob-node", &exe);
    if (!dir.n) return dir;
    bool ok = put_link(a, dir, "node", exe) && put_link(a, dir, "bun", exe) &&
              put_link(a, dir, "cob", exe);
    return ok ? dir : S("");
}
