/* cli/cli_script_env.c -- the environment of scripts and binaries. */
#include "cli/run.h"
#include "util/buf.h"
#include "util/path.h"

#include <string.h>

#define DEFAULT_PATH "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

enum { FIELDS_DEPTH_MAX = 16 };

typedef struct {
    Arena *arena;
    Vec(const char *) list;
    StrMap by_name; /* index */
} Env;

static void put(Env *env, Str name, Str value)
{
    bool is_new;
    u64 *slot = str_map_put(env->arena, &env->by_name, name, &is_new);
    const char *entry = str_fmt(env->arena, "%.*s=%.*s", STR_ARG(name), STR_ARG(value)).p;
    if (!is_new) {
        env->list.at[*slot] = entry;
        return;
    }
    *slot = env->list.len;
    vec_push(env->arena, &env->list, entry);
}

static void put_inherited(Env *env)
{
    Str *entries, name, value;
    u32 n;
    sys_env_list(env->arena, &entries, &n);
    for (u32 i = 0; i < n; i++)
        if (str_cut(entries[i], '=', &name, &value)) put(env, name, value);
}

bool cli_find_program(Arena *a, Str path, Str name, Str *ret)
{
    Str dir;
    if (!name.n || str_find(name, '/') >= 0) return false;
    if (!path.p) return false;
    while (str_next(&path, ':', &dir)) {
        if (!dir.n) dir = S(".");
        Str file = path_join2(a, dir, name);
        SysStat st;
        bool is_program = sys_stat(file, &st) == 0 && S_ISREG(st.mode) && st.mode & 0111 &&
                          sys_access(file, X_OK) == 0;
        if (!is_program) continue;
        *ret = file;
        return true;
    }
    return false;
}

Str cli_env_path(const char *const *env)
{
    for (; *env; env++)
        if (!strncmp(*env, "PATH=", 5)) return str_z(*env + 5);
    return S(DEFAULT_PATH);
}

static Str inherited_path(Arena *a)
{
    Str path;
    return sys_env_find(a, S("PATH"), &path) && path.n ? path : S(DEFAULT_PATH);
}

Str cli_find_shell(Cli *cli)
{
    static const Str names[] = {{"bash", 4}, {"sh", 2}, {"zsh", 3}};
    Str path = inherited_path(cli->arena), found;
    for (u32 i = 0; i < COUNT(names); i++)
        if (cli_find_program(cli->arena, path, names[i], &found)) return found;
    return S("/bin/sh");
}

/* Every node_modules/.bin from `dir` upwards, then what was there. */
static Str make_path(Cli *cli, const CliScriptEnv *e, Str *ret_node)
{
    Arena *a = cli->arena;
    AUTO(Buf) b = {0};
    Str old = inherited_path(a), own = str_z(cli_own_name(cli)), found;
    bool has_node = cli_find_program(a, old, S("node"), ret_node);
    bool has_own = cli_find_program(a, old, own, &found);
    Str shim = e->is_bun || !has_node || !has_own ? cli_shim_dir(cli) : S("");
    if (e->is_bun && shim.n) (void)buf_fmt(&b, "%.*s:", STR_ARG(shim));
    if ((e->is_bun || !has_node) && shim.n) *ret_node = path_join2(a, shim, S("node"));
    for (Str dir = e->cwd;; dir = path_dirname(dir)) {
        if (!str_eq(path_basename(dir, S("")), S("node_modules")))
            (void)buf_fmt(&b, "%.*s/node_modules/.bin:", dir.n > 1 ? (int)dir.n : 0, dir.p);
        if (dir.n <= 1) break;
    }
    (void)buf_push(&b, old);
    if (!e->is_bun && shim.n) (void)buf_fmt(&b, ":%.*s", STR_ARG(shim));
    return str_dup(a, buf_str(&b));
}

/* npm_package_config_a_b and the like: every string, number and boolean below `n`. */
static void put_fields(Env *env, Str name, const JsonNode *n, u32 depth)
{
    if (!n || depth > FIELDS_DEPTH_MAX) return;
    Arena *a = env->arena;
    if (n->kind == JSON_STRING)
        put(env, name, json_str(a, n));
    else if (n->kind == JSON_NUMBER || n->kind == JSON_TRUE || n->kind == JSON_FALSE)
        put(env, name, json_text(n));
    for (u32 i = 0; n->kind == JSON_ARRAY && i < n->len; i++)
        put_fields(env, str_fmt(a, "%.*s_%u", STR_ARG(name), i), &n->items[i], depth + 1);
    for (u32 i = 0; n->kind == JSON_OBJECT && i < n->len; i++) {
        Str key = json_str(a, &n->items[i * 2]);
        char *word = str_dup_z(a, key);
        for (usize k = 0; k < key.n; k++) {
            char c = word[k];
            bool is_fine = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
                           (c >= 'a' && c <= 'z') || c == '_';
            if (!is_fine) word[k] = '_';
        }
        put_fields(env, str_fmt(a, "%.*s_%s", STR_ARG(name), word), &n->items[i * 2 + 1],
                   depth + 1);
    }
}

static void put_package(Env *env, const CliPackage *pkg)
{
    static const char *const fields[] = {"config", "engines", "bin"};
    put(env, S("npm_package_json"), pkg->path);
    if (pkg->name.n) put(env, S("npm_package_name"), pkg->name);
    if (pkg->version.n) put(env, S("npm_package_version"), pkg->version);
    for (u32 i = 0; i < COUNT(fields); i++) {
        Str name = str_fmt(env->arena, "npm_package_%s", fields[i]);
        put_fields(env, name, json_find(&pkg->json, str_z(fields[i])), 0);
    }
}

const char *const *cli_script_env(Cli *cli, const CliScriptEnv *e)
{
    Arena *a = cli->arena;
    Env env = {.arena = a};
    Str exe = cli->argv0, node = S(""), cwd = S("/"), version = vm_version();
    put_inherited(&env);
    Str path = make_path(cli, e, &node), ignored;
    put(&env, S("PATH"), path);
    (void)!sys_exe_path(a, &exe);
    (void)!sys_cwd(a, &cwd);
    if (!sys_env_find(a, S("INIT_CWD"), &ignored)) put(&env, S("INIT_CWD"), cwd);
    put(&env, S("npm_execpath"), exe);
    put(&env, S("npm_command"), S("run-script"));
    put(&env, S("npm_config_local_prefix"), e->package ? e->package->dir : e->cwd);
    put(&env, S("npm_config_user_agent"),
        str_fmt(a, "cob/%.*s npm/? node/" CLI_NODE_VERSION " linux x64", STR_ARG(version)));
    if (node.n) {
        put(&env, S("NODE"), node);
        put(&env, S("npm_node_execpath"), node);
    }
    if (e->package) put_package(&env, e->package);
    if (e->event.n) {
        put(&env, S("npm_lifecycle_event"), e->event);
        put(&env, S("npm_lifecycle_script"), e->script);
    }
    vec_push(a, &env.list, NULL);
    return env.list.at;
}
