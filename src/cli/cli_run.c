/* cli/cli_run.c -- `cob run`: a file, a string or standard input as a program. */
#include "builtins/builtins.h"
#include "cli/cli.h"
#include "runtime/vm.h"
#include "sys/sys.h"
#include "util/err.h"
#include "util/log.h"

#include <stdio.h>

typedef struct {
    Str eval, print, cwd, title, unhandled_rejections;
    CliList env_files, preload;
    u32 console_depth, stack_trace_limit;
    bool no_env_file, smol, expose_gc, expose_internals, no_warnings, no_deprecation,
        throw_deprecation, trace_warnings, trace_deprecation, if_present;
} RunOptions;

#define FLAG(name, letter, kind, field, value, help)                                               \
    CLI_FLAG(name, letter, kind, RunOptions, field, value, help)
#define IGNORED(name)       CLI_NO_FIELD(name, 0, CLI_IGNORED, NULL, NULL)
#define IGNORED_VALUE(name) CLI_NO_FIELD(name, 0, CLI_IGNORED_VALUE, "val", NULL)
#define LATER(name)         CLI_NO_FIELD(name, 0, CLI_LATER, NULL, NULL)
#define LATER_VALUE(name)   CLI_NO_FIELD(name, 0, CLI_LATER_VALUE, "val", NULL)

static const CliFlag flags[] = {
    FLAG("eval", 'e', CLI_STR, eval, "code", "Run a string as a program"),
    FLAG("print", 'p', CLI_STR, print, "code", "Run a string and print its value"),
    FLAG("preload", 'r', CLI_LIST, preload, "file", "Load a module before the program"),
    FLAG("require", 0, CLI_LIST, preload, "file", "Same as --preload, for Node.js"),
    FLAG("import", 0, CLI_LIST, preload, "file", "Same as --preload, for Node.js"),
    FLAG("cwd", 0, CLI_STR, cwd, "dir", "Change to this folder first"),
    FLAG("env-file", 0, CLI_LIST, env_files, "file",
         "Read variables from this file, not from .env"),
    FLAG("no-env-file", 0, CLI_BOOL_NO, no_env_file, NULL, "Do not read .env files"),
    FLAG("if-present", 0, CLI_BOOL, if_present, NULL,
         "Exit with 0 when the program does not exist"),
    FLAG("smol", 0, CLI_BOOL, smol, NULL, "Use less memory, collect more often"),
    FLAG("console-depth", 0, CLI_U32, console_depth, "n",
         "Depth of console.log (default 2, 0 = all)"),
    FLAG("unhandled-rejections", 0, CLI_STR, unhandled_rejections, "mode",
         "throw, strict, warn, none or warn-with-error-code"),
    FLAG("stack-trace-limit", 0, CLI_U32, stack_trace_limit, "n",
         "Frames in error.stack (default 10)"),
    FLAG("expose-gc", 0, CLI_BOOL, expose_gc, NULL, "Define the global gc()"),
    FLAG("expose-internals", 0, CLI_BOOL, expose_internals, NULL, NULL),
    FLAG("no-warnings", 0, CLI_BOOL_NO, no_warnings, NULL, "Print no process warnings"),
    FLAG("trace-warnings", 0, CLI_BOOL, trace_warnings, NULL, "Print stacks with process warnings"),
    FLAG("no-deprecation", 0, CLI_BOOL_NO, no_deprecation, NULL, "Print no deprecation warnings"),
    FLAG("throw-deprecation", 0, CLI_BOOL, throw_deprecation, NULL, "Deprecations are errors"),
    FLAG("trace-deprecation", 0, CLI_BOOL, trace_deprecation, NULL,
         "Print stacks with deprecations"),
    FLAG("title", 0, CLI_STR, title, "text", "Set the title of the process"),
    IGNORED("bun"),
    IGNORED("silent"),
    IGNORED("no-install"),
    IGNORED("prefer-offline"),
    IGNORED("prefer-latest"),
    IGNORED("no-clear-screen"),
    IGNORED("no-addons"),
    IGNORED("enable-source-maps"),
    IGNORED_VALUE("install"),
    IGNORED_VALUE("max-http-header-size"),
    IGNORED_VALUE("dns-result-order"),
    LATER("watch"),
    LATER("hot"),
    LATER("interactive"),
    LATER("inspect"),
    LATER("inspect-wait"),
    LATER("inspect-brk"),
    LATER("cpu-prof"),
    LATER("heap-prof"),
    LATER("workspaces"),
    LATER("parallel"),
    LATER("sequential"),
    LATER_VALUE("filter"),
    LATER_VALUE("config"),
    LATER_VALUE("conditions"),
    LATER_VALUE("define"),
    LATER_VALUE("loader"),
    LATER_VALUE("tsconfig-override"),
};

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

static bool is_file(Str path)
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

/* The entry may be given without its extension or as a folder with an index or a package.json. */
static bool find_entry(Cli *cli, Str name, Str *ret)
{
    static const char *const endings[] = {
        "",     ".tsx",  ".jsx",       ".ts",       ".mjs",      ".js",        ".cjs",      ".mts",
        ".cts", ".json", "/index.tsx", "/index.ts", "/index.js", "/index.mjs", "/index.cjs"};
    for (u32 i = 0; i < COUNT(endings); i++) {
        Str path = str_concat(cli->arena, name, str_z(endings[i]));
        if (is_file(path) && sys_realpath(cli->arena, path, ret) == 0) return true;
    }
    return find_package_main(cli, name, ret);
}

static int not_found(Cli *cli, Str name, bool if_present)
{
    if (if_present) return 0;
    bool is_path = str_find(name, '/') >= 0 || str_find(name, '.') >= 0;
    if (is_path) {
        SysStat st;
        if (sys_stat(name, &st) == 0 && S_ISDIR(st.mode))
            cli_error("Module not found \"%.*s\": it is a directory without an index file",
                      STR_ARG(name));
        else
            cli_error("Module not found \"%.*s\"", STR_ARG(name));
        return 1;
    }
    cli_refuse_command(cli, name);
    return 1;
}

static bool read_stdin(Cli *cli, Str *ret)
{
    static Buf text;
    int rc = sys_read_all(0, SYS_FILE_MAX, &text);
    if (rc < 0) {
        cli_error("cannot read the program from standard input: %s", err_text(rc));
        return false;
    }
    *ret = str_dup(cli->arena, buf_str(&text));
    return true;
}

static void print_log(const Log *log)
{
    AUTO(Buf) text = {0};
    log_print(log, sys_tty_is(2), &text);
    (void)!sys_write_all(2, buf_str(&text));
}

static bool prepare(Cli *cli, const RunOptions *o)
{
    if (o->cwd.n) {
        int rc = sys_chdir(o->cwd);
        if (rc < 0) {
            cli_error("cannot change to \"%.*s\": %s", STR_ARG(o->cwd), err_text(rc));
            return false;
        }
    }
    if (o->title.n) (void)!sys_title_set(o->title);
    Log log;
    log_init(&log, cli->arena);
    bool ok = o->env_files.len ? env_files_load(cli->arena, &log, o->env_files.at, o->env_files.len)
                               : o->no_env_file || env_files_load_default(cli->arena, &log);
    if (!ok) print_log(&log);
    return ok;
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
        .console_depth = o->console_depth,
        .smol = o->smol,
        .expose_internals = o->expose_internals,
        .expose_gc = o->expose_gc,
        .no_warnings = o->no_warnings,
        .no_deprecation = o->no_deprecation,
        .throw_deprecation = o->throw_deprecation,
        .trace_deprecation = o->trace_deprecation,
        .trace_warnings = o->trace_warnings,
        .stack_trace_limit = o->stack_trace_limit,
        .preload = o->preload.at,
        .n_preload = o->preload.len,
    };
    return parse_rejections(o->unhandled_rejections, &vm->rejections);
}

static int run(Cli *cli, const void *options, const Str *operands, u32 n_operands)
{
    const RunOptions *o = options;
    VmOptions vm_options;
    bool is_text = o->eval.p || o->print.p, is_named = n_operands > 0;
    if (!is_text && !n_operands) {
        if (cli->unknown_flag.n) {
            cli_refuse_flag(&cli_run_command, cli->unknown_flag);
            return 1;
        }
        if (cli->name != CLI_AS_NODE) {
            cli_print_command_help(cli, &cli_run_command);
            return 0;
        }
        static const Str standard_input = {"-", 1};
        operands = &standard_input;
        n_operands = 1;
    }
    if (!prepare(cli, o) || !fill_options(cli, o, &vm_options)) return 1;
    u32 skip = is_text ? 0 : 1;
    vm_options.args = operands + skip;
    vm_options.n_args = n_operands - skip;
    if (is_text) {
        Vm *vm = vm_new(&vm_options);
        return vm_run_text(vm, o->print.p ? o->print : o->eval, S("[eval]"), o->print.p != NULL);
    }
    Str entry = operands[0];
    if (str_eq(entry, S("-"))) {
        Str text;
        if (!read_stdin(cli, &text)) return 1;
        Vm *vm = vm_new(&vm_options);
        if (is_named) vm->main_path = entry; /* process.argv[1] */
        return vm_run_text(vm, text, S("[stdin]"), false);
    }
    Str path;
    if (!find_entry(cli, entry, &path)) return not_found(cli, entry, o->if_present);
    return vm_run_file(vm_new(&vm_options), path);
}

static const RunOptions defaults = {.console_depth = 2};

const CliCommand cli_run_command = {
    .name = "run",
    .args = "<file> [args]",
    .summary = "Run a JavaScript file",
    .example = "  cob run ./server.js --port 3000\n  cob -p 'process.versions'\n"
               "  echo 'console.log(1)' | cob run -",
    .flags = flags,
    .n_flags = COUNT(flags),
    .options_size = sizeof(RunOptions),
    .defaults = &defaults,
    .stops_at_operand = true,
    .run = run,
};
