/* cli/cli_run.c -- the flags of `cob run`. */
#include "cli/run.h"

#include <stdio.h>

#define FLAG RUN_FLAG

static const CliFlag flags[] = {
    FLAG("silent", 0, CLI_BOOL, silent, NULL, "Do not print the commands of scripts"),
    FLAG("if-present", 0, CLI_BOOL, if_present, NULL,
         "Exit with 0 when the program or script does not exist"),
    FLAG("bun", 'b', CLI_BOOL, bun, NULL, "Scripts and binaries get this program as `node`"),
    FLAG("shell", 0, CLI_STR, shell, "name", "Shell for scripts: bun or system"),
    FLAG("filter", 'F', CLI_LIST, filters, "pattern", "Run a script in the workspaces that match"),
    FLAG("workspaces", 0, CLI_BOOL, workspaces, NULL, "Run a script in all workspaces"),
    FLAG("parallel", 0, CLI_BOOL, parallel, NULL, "Run several scripts at the same time"),
    FLAG("sequential", 0, CLI_BOOL, sequential, NULL, "Run several scripts, one after another"),
    FLAG("no-exit-on-error", 0, CLI_BOOL_NO, no_exit_on_error, NULL,
         "Of several scripts, let the others go on when one fails"),
    FLAG("elide-lines", 0, CLI_U32, elide_lines, "n",
         "With --filter on a terminal, show the last n lines of each (0 = all)"),
    FLAG("watch", 0, CLI_BOOL, watch, NULL, "Start again whenever a file of the program changes"),
    FLAG("hot", 0, CLI_BOOL, hot, NULL,
         "Load a changed program anew in the same process; globalThis and servers stay"),
    FLAG("watch-kill-signal", 0, CLI_STR, kill_signal, "signal",
         "What ends the program before that (default SIGTERM)"),
    FLAG("no-clear-screen", 0, CLI_BOOL_NO, no_clear_screen, NULL,
         "Leave the terminal as it is when starting again"),
    FLAG("eval", 'e', CLI_STR, eval, "code", "Run a string as a program"),
    FLAG("print", 'p', CLI_STR, print, "code", "Run a string and print its value"),
    FLAG("preload", 'r', CLI_LIST, preload, "file", "Load a module before the program"),
    FLAG("require", 0, CLI_LIST, preload, "file", "Same as --preload, for Node.js"),
    FLAG("import", 0, CLI_LIST, preload, "file", "Same as --preload, for Node.js"),
    CLI_NO_FIELD("cwd", 0, CLI_CWD, "dir", "Change to this folder first"),
    FLAG("config", 'c', CLI_STR_MAYBE, config, "file", "Read this file instead of bunfig.toml"),
    FLAG("env-file", 0, CLI_LIST, env_files, "file",
         "Read variables from this file, not from .env"),
    FLAG("no-env-file", 0, CLI_BOOL_NO, no_env_file, NULL, "Do not read .env files"),
    FLAG("define", 'd', CLI_LIST, define, "K:V", "Replace a global name or member by a value"),
    FLAG("loader", 'l', CLI_LIST, loader, ".ext:name",
         "What files with an ending are: js, ts, json, toml, yaml, text, file"),
    FLAG("conditions", 0, CLI_LIST, conditions, "name",
         "One more condition of \"exports\" and \"imports\""),
    FLAG("main-fields", 0, CLI_STR, main_fields, "list",
         "Fields of package.json that name the main file (main,module)"),
    FLAG("extension-order", 0, CLI_STR, extension_order, "list",
         "Endings that are tried (.tsx,.ts,...)"),
    FLAG("tsconfig-override", 0, CLI_STR, tsconfig, "file", "Use this tsconfig.json"),
    FLAG("preserve-symlinks", 0, CLI_BOOL, preserve_symlinks, NULL,
         "Modules keep the path of the link"),
    FLAG("no-addons", 0, CLI_BOOL_NO, no_addons, NULL, "Drop the condition node-addons"),
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
    FLAG("disable-warning", 0, CLI_LIST, disable_warnings, "code|type",
         "Print no process warnings with this code or of this type"),
    FLAG("redirect-warnings", 0, CLI_STR, redirect_warnings, "file",
         "Append process warnings to this file"),
    FLAG("no-deprecation", 0, CLI_BOOL_NO, no_deprecation, NULL, "Print no deprecation warnings"),
    FLAG("throw-deprecation", 0, CLI_BOOL, throw_deprecation, NULL, "Deprecations are errors"),
    FLAG("trace-deprecation", 0, CLI_BOOL, trace_deprecation, NULL,
         "Print stacks with deprecations"),
    FLAG("title", 0, CLI_STR, title, "text", "Set the title of the process"),
    RUN_IGNORED("no-install"),
    RUN_IGNORED("prefer-offline"),
    RUN_IGNORED("prefer-latest"),
    RUN_IGNORED("enable-source-maps"),
    RUN_IGNORED_VALUE("install"),
    RUN_IGNORED_VALUE("max-http-header-size"),
    RUN_IGNORED_VALUE("dns-result-order"),
    RUN_LATER("check"),
    RUN_LATER("no-orphans"),
    RUN_LATER_VALUE("feature"),
    RUN_LATER_VALUE("drop"),
    RUN_LATER("preserve-symlinks-main"),
    RUN_LATER("interactive"),
    RUN_LATER("inspect"),
    RUN_LATER("inspect-wait"),
    RUN_LATER("inspect-brk"),
    RUN_LATER("cpu-prof"),
    RUN_LATER("heap-prof"),
};

static int run(Cli *cli, const void *options, const Str *operands, u32 n_operands)
{
    const RunOptions *o = options;
    bool is_text = o->eval.p || o->print.p;
    if (!is_text && !n_operands && cli->unknown_flag.n) {
        cli_refuse_flag(&cli_run_command, cli->unknown_flag);
        return 1;
    }
    bool is_many = o->parallel || o->sequential || o->workspaces || o->filters.len;
    if (!is_text && !n_operands && !is_many) {
        cli_print_command_help(cli, &cli_run_command);
        cli_print_scripts(cli);
        return fflush(stdout) == 0 ? 0 : 1;
    }
    /* Only the first `--` is ours: what follows is the program's. */
    Str *args = ARENA_ARRAY(cli->arena, Str, n_operands + 1);
    u32 n = 0;
    for (u32 i = 0; i < n_operands; i++)
        if (i != 1 || is_text || !str_eq(operands[i], S("--"))) args[n++] = operands[i];
    return cli_run(cli, o, (CliArgs){.at = args, .len = n});
}

static const RunOptions defaults = {.console_depth = CLI_DEPTH_UNSET};

const CliCommand cli_run_command = {
    .name = "run",
    .args = "<file or script> [args]",
    .summary = "Run a file, a script of package.json or a binary of a package",
    .example = "  cob run ./server.ts --port 3000\n  cob run build\n"
               "  cob run --filter 'api...' test\n  cob --watch server.ts\n"
               "  cob -p 'process.versions'\n  echo 'console.log(1)' | cob run -",
    .flags = flags,
    .n_flags = COUNT(flags),
    .options_size = sizeof(RunOptions),
    .defaults = &defaults,
    .stops_at_operand = true,
    .run = run,
};
