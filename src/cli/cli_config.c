/* cli/cli_config.c -- bunfig.toml, also found as cob.toml.
 *
 * Only the keys of `cob run` are read here; [test] and [install] belong to those commands.  Unknown
 * keys are left alone, wrong types are errors with their place. */
#include "cli/run.h"
#include "util/err.h"
#include "util/path.h"
#include "util/toml.h"

enum { CONFIG_MAX = 16 * 1024 * 1024 };

typedef struct {
    Arena *arena;
    Log *log;
    Source source;
} Config;

static bool fail_at(const Config *c, const TomlNode *n, const char *what)
{
    Source *source = ARENA_NEW(c->arena, Source);
    *source = c->source;
    return log_error(c->log, (Span){.src = source, .pos = n->at, .len = n->size}, "%s", what);
}

static bool take_bool(const Config *c, const TomlNode *table, Str key, bool *ret)
{
    const TomlNode *n = toml_find(table, key);
    if (!n) return true;
    if (n->kind != TOML_BOOLEAN) {
        const char *what = str_fmt(c->arena, "%.*s must be true or false, not a %s", STR_ARG(key),
                                   toml_kind_name(n))
                               .p;
        return fail_at(c, n, what);
    }
    *ret = n->boolean;
    return true;
}

static bool take_u32(const Config *c, const TomlNode *table, Str key, u32 *ret)
{
    const TomlNode *n = toml_find(table, key);
    if (!n) return true;
    if (n->kind != TOML_INTEGER || n->integer < 0 || n->integer >= UINT32_MAX)
        return fail_at(c, n, str_fmt(c->arena, "%.*s must be a whole number", STR_ARG(key)).p);
    *ret = (u32)n->integer;
    return true;
}

/* A string, or an array of them, put before what the flags have given. */
static bool take_list(const Config *c, const TomlNode *table, Str key, CliList *ret)
{
    const TomlNode *n = toml_find(table, key);
    if (!n) return true;
    CliList list = {0};
    bool is_array = n->kind == TOML_ARRAY;
    for (u32 i = 0; i < (is_array ? n->len : 1); i++) {
        const TomlNode *item = is_array ? n->items[i] : n;
        if (item->kind != TOML_STRING) {
            const char *what =
                str_fmt(c->arena, "%.*s must be a string or an array of strings", STR_ARG(key)).p;
            return fail_at(c, item, what);
        }
        if (item->str.n) vec_push(c->arena, &list, item->str);
    }
    for (u32 i = 0; i < ret->len; i++) vec_push(c->arena, &list, ret->at[i]);
    *ret = list;
    return true;
}

/* "K:V" as the flags have it. */
static bool take_map(const Config *c, const TomlNode *table, Str key, CliList *ret)
{
    const TomlNode *n = toml_find(table, key);
    if (!n) return true;
    if (n->kind != TOML_TABLE)
        return fail_at(c, n, str_fmt(c->arena, "%.*s must be a table", STR_ARG(key)).p);
    for (u32 i = 0; i < n->len; i++) {
        const TomlEntry *e = &n->entries[i];
        if (e->value->kind != TOML_STRING)
            return fail_at(c, e->value,
                           str_fmt(c->arena, "values of %.*s must be strings", STR_ARG(key)).p);
        vec_push(c->arena, ret,
                 str_fmt(c->arena, "%.*s:%.*s", STR_ARG(e->key), STR_ARG(e->value->str)));
    }
    return true;
}

static bool take_env(const Config *c, const TomlNode *root, bool *ret_no_env_file)
{
    const TomlNode *n = toml_find(root, S("env"));
    bool is_on = true;
    if (!n) return true;
    if (n->kind == TOML_BOOLEAN)
        is_on = n->boolean;
    else if (n->kind != TOML_TABLE)
        return fail_at(c, n, "env must be true, false or a table");
    else if (!take_bool(c, n, S("file"), &is_on))
        return false;
    if (!is_on) *ret_no_env_file = true;
    return true;
}

static bool take_log_level(const Config *c, const TomlNode *root)
{
    const TomlNode *n = toml_find(root, S("logLevel"));
    bool is_known =
        !n || (n->kind == TOML_STRING && (str_eq(n->str, S("debug")) || str_eq(n->str, S("warn")) ||
                                          str_eq(n->str, S("error"))));
    return is_known || fail_at(c, n, "logLevel must be \"debug\", \"warn\" or \"error\"");
}

static bool take_shell(const Config *c, const TomlNode *run, Str *ret)
{
    const TomlNode *n = toml_find(run, S("shell"));
    if (!n) return true;
    bool is_known =
        n->kind == TOML_STRING && (str_eq(n->str, S("bun")) || str_eq(n->str, S("system")));
    if (!is_known) return fail_at(c, n, "shell must be \"bun\" or \"system\"");
    if (!ret->n) *ret = n->str;
    return true;
}

/* codeCache = "folder" or false: where compiled programs are kept. */
static bool take_code_cache(const Config *c, const TomlNode *root, Str *ret)
{
    const TomlNode *n = toml_find(root, S("codeCache"));
    if (!n || (n->kind == TOML_BOOLEAN && n->boolean)) return true;
    if (n->kind != TOML_STRING && n->kind != TOML_BOOLEAN)
        return fail_at(c, n, "codeCache must be a folder or false");
    Str cwd = S(""), dir = n->kind == TOML_BOOLEAN ? S("0") : n->str;
    if (n->kind == TOML_STRING && sys_cwd(c->arena, &cwd) == 0)
        dir = path_resolve(c->arena, cwd, S(""), dir);
    *ret = dir;
    return true;
}

static bool apply(const Config *c, const TomlNode *root, RunOptions *o)
{
    const TomlNode *run = toml_find(root, S("run"));
    const TomlNode *console = toml_find(root, S("console"));
    u32 depth = o->console_depth, lines = o->elide_lines;
    if (!take_u32(c, console, S("depth"), &depth)) return false;
    if (o->console_depth == CLI_DEPTH_UNSET) o->console_depth = depth;
    if (!take_u32(c, run, S("elide-lines"), &lines)) return false;
    if (!o->elide_lines) o->elide_lines = lines;
    return take_list(c, root, S("preload"), &o->preload) && take_log_level(c, root) &&
           take_bool(c, root, S("smol"), &o->smol) && take_code_cache(c, root, &o->code_cache) &&
           take_env(c, root, &o->no_env_file) && take_map(c, root, S("define"), &o->define) &&
           take_map(c, root, S("loader"), &o->loader) && take_shell(c, run, &o->shell) &&
           take_bool(c, run, S("bun"), &o->bun) && take_bool(c, run, S("silent"), &o->silent);
}

static bool parse(Cli *cli, Str name, Str text, RunOptions *o)
{
    Log log;
    log_init(&log, cli->arena);
    Str path = name, cwd;
    if (sys_cwd(cli->arena, &cwd) == 0) path = path_resolve(cli->arena, cwd, S(""), name);
    Config c = {.arena = cli->arena, .log = &log, .source = {.name = path, .text = text}};
    const TomlNode *root;
    TomlError e;
    vm_on_config_loaded(path, text);
    bool ok = toml_parse(cli->arena, text, &root, &e);
    if (ok)
        ok = apply(&c, root, o);
    else
        (void)log_error(&log, (Span){.src = &c.source, .pos = e.offset}, "%s", e.what);
    if (!ok) (void)cli_fail_with(&log);
    return ok;
}

bool cli_config_load(Cli *cli, RunOptions *o)
{
    static const Str names[] = {{"bunfig.toml", 11}, {"cob.toml", 8}};
    Str text;
    if (o->config.n) {
        int rc = sys_read_file(cli->arena, o->config, CONFIG_MAX, &text);
        if (rc == 0) return parse(cli, o->config, text, o);
        cli_error("cannot read \"%.*s\": %s", STR_ARG(o->config), err_text(rc));
        return false;
    }
    for (u32 i = 0; i < COUNT(names); i++)
        if (sys_read_file(cli->arena, names[i], CONFIG_MAX, &text) == 0)
            return parse(cli, names[i], text, o);
    return true;
}
