/* cli/cli_node.c -- the command line of Node.js, for the name `node`
 * (https://nodejs.org/api/cli.html).  Flags of Node that change nothing here are skipped. */
#include "cli/run.h"
#include "runtime/vm.h"
#include "syntax/lex.h"
#include "syntax/parse.h"
#include "util/err.h"
#include "util/path.h"

#define FLAG RUN_FLAG

static const CliFlag flags[] = {
    FLAG("eval", 'e', CLI_STR, eval, "code", "Run a string as a program"),
    FLAG("print", 'p', CLI_STR, print, "code", "Run a string and print its value"),
    FLAG("check", 'c', CLI_BOOL, only_check, NULL, "Only look whether the syntax is right"),
    FLAG("require", 'r', CLI_LIST, preload, "module", "Load a module before the program"),
    FLAG("import", 0, CLI_LIST, preload, "module", "Load a module before the program"),
    FLAG("input-type", 0, CLI_STR, input_type, "type", "Of text: commonjs or module"),
    FLAG("run", 0, CLI_STR, node_script, "name", "Run a script of package.json"),
    FLAG("env-file", 0, CLI_LIST, env_files, "file", "Read variables from this file"),
    FLAG("env-file-if-exists", 0, CLI_LIST, optional_env_files, "file",
         "Read variables from this file if it is there"),
    FLAG("watch", 0, CLI_BOOL, watch, NULL, "Start again whenever a file of the program changes"),
    FLAG("watch-kill-signal", 0, CLI_STR, kill_signal, "signal",
         "What ends the program before that (default SIGTERM)"),
    FLAG("watch-preserve-output", 0, CLI_BOOL, no_clear_screen, NULL,
         "Leave the terminal as it is when starting again"),
    FLAG("conditions", 'C', CLI_LIST, conditions, "name",
         "One more condition of \"exports\" and \"imports\""),
    FLAG("preserve-symlinks", 0, CLI_BOOL, preserve_symlinks, NULL,
         "Modules keep the path of the link"),
    FLAG("no-addons", 0, CLI_BOOL_NO, no_addons, NULL, "Drop the condition node-addons"),
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
    RUN_IGNORED("enable-source-maps"),
    RUN_IGNORED_VALUE("max-http-header-size"),
    RUN_IGNORED_VALUE("dns-result-order"),
    RUN_IGNORED_VALUE("max-old-space-size"),
    CLI_NO_FIELD("interactive", 'i', CLI_LATER, NULL, NULL),
    RUN_LATER("test"),
    RUN_LATER("inspect"),
    RUN_LATER("inspect-wait"),
    RUN_LATER("inspect-brk"),
    RUN_LATER("cpu-prof"),
    RUN_LATER("heap-prof"),
    RUN_LATER("preserve-symlinks-main"),
    RUN_LATER_VALUE("watch-path"),
};

static const RunOptions defaults = {.console_depth = CLI_DEPTH_UNSET};

/* ---- --check ----------------------------------------------------------------------------------
 */

static ParseOptions parse_options_of(Str path)
{
    Str ext = path_extname(path);
    ParseOptions o = {.goal = GOAL_AUTO};
    if (str_eq(ext, S(".cjs")) || str_eq(ext, S(".cts"))) o.goal = GOAL_COMMONJS;
    if (str_eq(ext, S(".mjs")) || str_eq(ext, S(".mts"))) o.goal = GOAL_MODULE;
    o.ambiguous_lt = str_eq(ext, S(".mts")) || str_eq(ext, S(".cts"));
    o.jsx = str_eq(ext, S(".tsx")) || str_eq(ext, S(".jsx"));
    o.ts = o.ambiguous_lt || str_eq(ext, S(".ts")) || str_eq(ext, S(".tsx"));
    return o;
}

static bool has_right_syntax(Arena *a, const Source *source, ParseOptions options, Log *log)
{
    Interner atoms;
    interner_init(&atoms, a, 256);
    lex_seed(&atoms);
    AUTO(Ast) tree;
    ast_init(&tree, source, &atoms);
    return parse(&tree, a, &options, log);
}

static int check_syntax(Cli *cli, CliArgs operands)
{
    Arena *a = cli->arena;
    Str path, text;
    Log log;
    log_init(&log, a);
    if (!operands.len) {
        cli_error("--check needs the name of a file");
        return 9;
    }
    if (!cli_find_file(cli, operands.at[0], &path)) {
        cli_error("Cannot find module \"%.*s\"", STR_ARG(operands.at[0]));
        return 1;
    }
    int rc = sys_read_file(a, path, SYS_FILE_MAX, &text);
    if (rc < 0) {
        cli_error("cannot read \"%.*s\": %s", STR_ARG(path), err_text(rc));
        return 1;
    }
    Source source = {.name = path, .text = lex_pad(a, text)};
    ParseOptions options = parse_options_of(path);
    bool ok = has_right_syntax(a, &source, options, &log);
    /* A file of CommonJS may return at its top level, a script may not. */
    if (!ok && options.goal == GOAL_AUTO) {
        Log again;
        log_init(&again, a);
        options.goal = GOAL_COMMONJS;
        ok = has_right_syntax(a, &source, options, &again);
    }
    return ok ? 0 : cli_fail_with(&log);
}

/* ---- The command ------------------------------------------------------------------------------
 */

static int run_script(Cli *cli, const RunOptions *o, CliArgs operands)
{
    if (operands.len && str_eq(operands.at[0], S("--"))) operands.at++, operands.len--;
    CliOutcome outcome = cli_run_script(cli, o, o->node_script, operands);
    return outcome.is_found ? outcome.code : cli_script_not_found(cli, o->node_script);
}

static int run(Cli *cli, const void *options, const Str *operands, u32 n_operands)
{
    const RunOptions *o = options;
    CliArgs args = {.at = operands, .len = n_operands};
    bool is_text = o->eval.p || o->print.p;
    if (o->only_check) return check_syntax(cli, args);
    if (o->node_script.p) return run_script(cli, o, args);
    bool is_known_type = !o->input_type.n || str_eq(o->input_type, S("commonjs")) ||
                         str_eq(o->input_type, S("module"));
    if (!is_known_type) {
        cli_error("--input-type must be \"module\" or \"commonjs\"");
        return 9;
    }
    if (o->input_type.n && !is_text && n_operands && !str_eq(operands[0], S("-"))) {
        cli_error("--input-type can only be used with string input via --eval, --print, or STDIN");
        return 1;
    }
    if (!is_text && !n_operands && sys_tty_is(0)) {
        cli_error("not implemented: the REPL");
        return 1;
    }
    return cli_run(cli, o, args);
}

const CliCommand cli_node_command = {
    .name = "node",
    .args = "[file | -] [args]",
    .summary = "Run a JavaScript or TypeScript file as Node.js does",
    .example = "  node server.js\n  node -p 'process.versions'\n  node --run build",
    .flags = flags,
    .n_flags = COUNT(flags),
    .options_size = sizeof(RunOptions),
    .defaults = &defaults,
    .stops_at_operand = true,
    .run = run,
};
