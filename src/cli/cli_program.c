/* cli/cli_program.c -- from a name to what runs, in Bun's order: a file when it looks like one,
 * else a script of package.json, a file, a binary of node_modules, a command of the system. */
#include "builtins/builtins.h"
#include "cli/run.h"
#include "syntax/define.h"
#include "util/err.h"
#include "util/path.h"

/* ---- Files ------------------------------------------------------------------------------------
 */

bool cli_is_file(Str path)
{
    SysStat st;
    return sys_stat(path, &st) == 0 && S_ISREG(st.mode);
}

/* A folder whose package.json names the file. */
static bool find_package_main(Cli *cli, Str name, Str *ret)
{
    Str dir;
    SysStat st;
    if (sys_realpath(cli->arena, name, &dir) < 0 || sys_stat(dir, &st) < 0 || !S_ISDIR(st.mode))
        return false;
    ResolveOptions options = {.cwd = dir};
    Resolver *resolver = resolver_new(&options);
    ResolveRequest req = {
        .specifier = S("./"), .importer = dir, .kind = RESOLVE_REQUIRE, .flags = RESOLVE_FROM_DIR};
    ResolveResult found;
    bool ok = resolve_module(resolver, &req, &found);
    if (ok) *ret = str_dup(cli->arena, found.path);
    resolver_free(resolver);
    return ok;
}

bool cli_find_file(Cli *cli, Str name, Str *ret)
{
    static const char *const endings[] = {
        "",     ".tsx",  ".jsx",       ".ts",       ".mjs",      ".js",        ".cjs",      ".mts",
        ".cts", ".json", "/index.tsx", "/index.ts", "/index.js", "/index.mjs", "/index.cjs"};
    for (u32 i = 0; i < COUNT(endings); i++) {
        Str path = str_concat(cli->arena, name, str_z(endings[i]));
        if (cli_is_file(path) && sys_realpath(cli->arena, path, ret) == 0) return true;
    }
    return find_package_main(cli, name, ret);
}

static bool find_exact(Cli *cli, Str name, Str *ret)
{
    return cli_is_file(name) && sys_realpath(cli->arena, name, ret) == 0;
}

static bool has_known_ending(Str name)
{
    static const char *const known[] = {".js",  ".jsx", ".ts",   ".tsx",  ".mjs",  ".cjs",
                                        ".mts", ".cts", ".json", ".html", ".wasm", ".sh"};
    Str ext = path_extname(name);
    for (u32 i = 0; i < COUNT(known); i++)
        if (str_eq(ext, str_z(known[i]))) return true;
    return false;
}

/* Files that are something else than a program. */
static bool check_ending(Str path)
{
    static const char *const later[] = {".html", ".wasm"};
    static const char *const data[] = {".css", ".toml", ".yaml", ".yml"};
    Str ext = path_extname(path);
    for (u32 i = 0; i < COUNT(later); i++) {
        if (!str_eq(ext, str_z(later[i]))) continue;
        cli_error("not implemented: running %s files (\"%.*s\")", later[i], STR_ARG(path));
        return false;
    }
    for (u32 i = 0; i < COUNT(data); i++) {
        if (!str_eq(ext, str_z(data[i]))) continue;
        cli_error("Cannot run \"%.*s\"", STR_ARG(path));
        cli_note("%s files hold data: import them from a program", data[i]);
        return false;
    }
    return true;
}

static int file_not_found(Str name)
{
    SysStat st;
    if (sys_stat(name, &st) == 0 && S_ISDIR(st.mode))
        cli_error("Module not found \"%.*s\": it is a directory without an index file",
                  STR_ARG(name));
    else
        cli_error("Module not found \"%.*s\"", STR_ARG(name));
    return 1;
}

/* ---- Starting the program ---------------------------------------------------------------------
 */

static bool parse_rejections(Str mode, VmRejections *ret)
{
    static const char *const names[] = {"throw", "strict", "warn", "warn-with-error-code", "none"};
    *ret = VM_REJECTIONS_THROW;
    if (!mode.n) return true;
    for (u32 i = 0; i < COUNT(names); i++) {
        if (!str_eq(mode, str_z(names[i]))) continue;
        *ret = (VmRejections)i;
        return true;
    }
    cli_error("--unhandled-rejections must be one of throw, strict, warn, none or "
              "warn-with-error-code, got \"%.*s\"",
              STR_ARG(mode));
    return false;
}

/* Those of --env-file-if-exists that do. */
static CliList env_files_of(Cli *cli, const RunOptions *o)
{
    CliList files = o->env_files;
    for (u32 i = 0; i < o->optional_env_files.len; i++)
        if (sys_access(o->optional_env_files.at[i], F_OK) == 0)
            vec_push(cli->arena, &files, o->optional_env_files.at[i]);
    return files;
}

static bool prepare(Cli *cli, const RunOptions *o)
{
    if (o->title.n) (void)!sys_title_set(o->title);
    Log log;
    log_init(&log, cli->arena);
    CliList files = env_files_of(cli, o);
    bool ok = files.len ? env_files_load(cli->arena, &log, files.at, files.len)
                        : o->no_env_file || env_files_load_default(cli->arena, &log);
    if (!ok) (void)cli_fail_with(&log);
    return ok;
}

/* "a,b" */
static CliList split(Arena *a, Str text)
{
    CliList list = {0};
    Str piece;
    if (!text.n) return list;
    while (str_next(&text, ',', &piece))
        if (str_trim(piece).n) vec_push(a, &list, str_trim(piece));
    return list;
}

/* NULL when the flags say nothing, so that the usual start costs nothing. */
static const ResolveOptions *resolve_options_of(Cli *cli, const RunOptions *o)
{
    bool is_usual = !o->conditions.len && !o->main_fields.n && !o->extension_order.n &&
                    !o->tsconfig.n && !o->no_addons && !o->preserve_symlinks;
    if (is_usual) return NULL;
    Str cwd = S("/");
    (void)!sys_cwd(cli->arena, &cwd);
    CliList fields = split(cli->arena, o->main_fields);
    CliList endings = split(cli->arena, o->extension_order);
    ResolveOptions *r = ARENA_NEW(cli->arena, ResolveOptions);
    *r = (ResolveOptions){
        .conditions = o->conditions.at,
        .n_conditions = o->conditions.len,
        .main_fields = fields.at,
        .n_main_fields = fields.len,
        .extensions = endings.at,
        .n_extensions = endings.len,
        .has_no_addons = o->no_addons,
        .flags = o->preserve_symlinks ? RESOLVE_KEEP_LINKS : 0,
    };
    if (o->tsconfig.n) r->tsconfig = path_resolve(cli->arena, cwd, S(""), o->tsconfig);
    return r;
}

/* false: an error was printed. */
static bool read_defines(Cli *cli, const RunOptions *o, const Defines **ret)
{
    const char *what;
    if (!o->define.len) return true;
    Defines *d = ARENA_NEW(cli->arena, Defines);
    defines_init(d, cli->arena);
    for (u32 i = 0; i < o->define.len; i++) {
        if (defines_add_text(d, o->define.at[i], &what)) continue;
        cli_error("--define \"%.*s\": %s", STR_ARG(o->define.at[i]), what);
        return false;
    }
    *ret = d;
    return true;
}

static bool fill_options(Cli *cli, const RunOptions *o, VmOptions *vm)
{
    int rc = sys_exe_path(cli->arena, &cli->exec_path);
    if (rc < 0) cli->exec_path = cli->argv0;
    *vm = (VmOptions){
        .builtins = builtins_get(),
        .exec_path = cli->exec_path,
        .argv0 = cli->argv0,
        .exec_argv = cli->exec_args,
        .n_exec_argv = cli->n_exec_args,
        .console_depth = o->console_depth == CLI_DEPTH_UNSET ? 2 : o->console_depth,
        .smol = o->smol,
        .expose_internals = o->expose_internals,
        .expose_gc = o->expose_gc,
        .no_warnings = o->no_warnings,
        .redirect_warnings = o->redirect_warnings,
        .disable_warnings = o->disable_warnings.at,
        .n_disable_warnings = o->disable_warnings.len,
        .no_deprecation = o->no_deprecation,
        .throw_deprecation = o->throw_deprecation,
        .trace_deprecation = o->trace_deprecation,
        .trace_warnings = o->trace_warnings,
        .stack_trace_limit = o->stack_trace_limit,
        .preload = o->preload.at,
        .n_preload = o->preload.len,
        .resolve = resolve_options_of(cli, o),
        .code_cache = o->code_cache,
        .loaders = o->loader.at,
        .n_loaders = o->loader.len,
    };
    return read_defines(cli, o, &vm->defines) &&
           parse_rejections(o->unhandled_rejections, &vm->rejections);
}

bool cli_vm_options(Cli *cli, const RunOptions *o, VmOptions *ret)
{
    return prepare(cli, o) && fill_options(cli, o, ret);
}

int cli_run_file(Cli *cli, const RunOptions *o, Str path, CliArgs args)
{
    VmOptions vm;
    if (!check_ending(path)) return 1;
    if (!prepare(cli, o) || !fill_options(cli, o, &vm)) return 1;
    vm.args = args.at;
    vm.n_args = args.len;
    return vm_run_file(vm_new(&vm), path);
}

static int run_text(Cli *cli, const RunOptions *o, CliArgs args)
{
    VmOptions vm;
    if (!prepare(cli, o) || !fill_options(cli, o, &vm)) return 1;
    vm.args = args.at;
    vm.n_args = args.len;
    return vm_run_text(vm_new(&vm), o->print.p ? o->print : o->eval, S("[eval]"),
                       o->print.p != NULL);
}

/* `is_named`: the program was called `-`, and sees that as process.argv[1]. */
static int run_stdin(Cli *cli, const RunOptions *o, CliArgs args, bool is_named)
{
    static Buf text;
    VmOptions options;
    int rc = sys_read_all(0, SYS_FILE_MAX, &text);
    if (rc < 0) {
        cli_error("cannot read the program from standard input: %s", err_text(rc));
        return 1;
    }
    if (!prepare(cli, o) || !fill_options(cli, o, &options)) return 1;
    options.args = args.at;
    options.n_args = args.len;
    Vm *vm = vm_new(&options);
    if (is_named) vm->main_path = S("-");
    return vm_run_text(vm, str_dup(cli->arena, buf_str(&text)), S("[stdin]"), false);
}

/* ---- Names ------------------------------------------------------------------------------------
 */

static bool is_path(Str name)
{
    return str_starts(name, S("/")) || str_starts(name, S("./")) || str_starts(name, S("../")) ||
           str_eq(name, S(".")) || str_eq(name, S(".."));
}

static int run_name(Cli *cli, const RunOptions *o, Str name, CliArgs args)
{
    Str path;
    /* Not `cob run x.js`: that means a script of this name first. */
    if (!cli->has_run_word && has_known_ending(name) && find_exact(cli, name, &path))
        return cli_run_file(cli, o, path, args);
    if (is_path(name) || cli->name == CLI_AS_NODE) {
        if (cli_find_file(cli, name, &path)) return cli_run_file(cli, o, path, args);
        return o->if_present ? 0 : file_not_found(name);
    }
    CliOutcome outcome = cli_run_script(cli, o, name, args);
    if (outcome.is_found) return outcome.code;
    if (cli_find_file(cli, name, &path)) return cli_run_file(cli, o, path, args);
    outcome = cli_run_binary(cli, o, name, args, cli->has_run_word);
    if (outcome.is_found) return outcome.code;
    if (o->if_present) return 0;
    bool is_file = str_find(name, '/') >= 0 || str_find(name, '.') >= 0;
    return is_file ? file_not_found(name) : cli_script_not_found(cli, name);
}

int cli_run(Cli *cli, const RunOptions *given, CliArgs operands)
{
    RunOptions *o = ARENA_NEW(cli->arena, RunOptions);
    *o = *given;
    if ((o->watch || o->hot) && !vm_watch_take_fd()) return cli_watch(cli, o);
    if (!cli_config_load(cli, o)) return 1;
    if (o->filters.len || o->workspaces || o->parallel || o->sequential)
        return cli_run_many(cli, o, operands);
    if (o->eval.p || o->print.p) return run_text(cli, o, operands);
    if (!operands.len) return run_stdin(cli, o, operands, false);
    CliArgs args = {.at = operands.at + 1, .len = operands.len - 1};
    if (str_eq(operands.at[0], S("-"))) return run_stdin(cli, o, args, true);
    return run_name(cli, o, operands.at[0], args);
}
