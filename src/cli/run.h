/* cli/run.h -- what the files of `cob run` share. */
#pragma once

#include "cli/cli.h"
#include "runtime/vm.h"
#include "sys/sys.h"
#include "util/json_edit.h"

enum { CLI_DEPTH_UNSET = UINT32_MAX };

/* The flags of `cob run`, and those of `node` in the same struct. */
typedef struct {
    Str eval, print, title, unhandled_rejections, config, shell, kill_signal, input_type,
        node_script, redirect_warnings;
    Str code_cache; /* a folder; "0": none */
    Str main_fields, extension_order, tsconfig;
    CliList env_files, optional_env_files, preload, filters, define, loader, conditions,
        disable_warnings;
    u32 console_depth, stack_trace_limit, elide_lines;
    bool no_env_file, smol, expose_gc, expose_internals, no_warnings, no_deprecation,
        throw_deprecation, trace_warnings, trace_deprecation, if_present, silent, bun, workspaces,
        parallel, sequential, no_exit_on_error, watch, hot, no_clear_screen, only_check, no_addons,
        preserve_symlinks;
    bool is_alone; /* no flag: the script without its pre and post scripts */
} RunOptions;

#define RUN_FLAG(name, letter, kind, field, value, help)                                           \
    CLI_FLAG(name, letter, kind, RunOptions, field, value, help)
#define RUN_IGNORED(name)       CLI_NO_FIELD(name, 0, CLI_IGNORED, NULL, NULL)
#define RUN_IGNORED_VALUE(name) CLI_NO_FIELD(name, 0, CLI_IGNORED_VALUE, "val", NULL)
#define RUN_LATER(name)         CLI_NO_FIELD(name, 0, CLI_LATER, NULL, NULL)
#define RUN_LATER_VALUE(name)   CLI_NO_FIELD(name, 0, CLI_LATER_VALUE, "val", NULL)

/* Runs programs and text; shared by `cob run` and `node`. */
int cli_run(Cli *cli, const RunOptions *options, CliArgs operands);
/* Ends with the exit code of the program. */
int cli_run_file(Cli *cli, const RunOptions *o, Str path, CliArgs args);
/* Reads .env files and fills in what a Vm needs.  false: an error was printed. */
bool cli_vm_options(Cli *cli, const RunOptions *o, VmOptions *ret);
/* The file that `name` means: as it is, with an ending, a folder with an index or package.json. */
bool cli_find_file(Cli *cli, Str name, Str *ret);
bool cli_is_file(Str path);

/* ---- package.json (cli_package.c) -------------------------------------------------------------
 */

typedef struct {
    Str dir, path;
    Source source; /* its text */
    JsonNode json; /* an object */
    Str name, version;
} CliPackage;

/* 1 and the package.json of `dir`; 0 when there is none; -1 after an error in `log`. */
int cli_package_read(Arena *a, Log *log, Str dir, CliPackage *ret);
/* Writes the file: with another text, or with one member changed (edit.text is not read).  false:
 * the log says why not. */
NODISCARD bool cli_package_save(Log *log, const CliPackage *pkg, Str text);
NODISCARD bool cli_package_set(Arena *a, Log *log, const CliPackage *pkg, JsonEdit edit);
/* The same for the nearest one, from `dir` (absolute) upwards. */
int cli_package_find(Arena *a, Log *log, Str dir, CliPackage *ret);
/* The text of a script; empty when there is none. */
Str cli_package_script(Arena *a, const CliPackage *pkg, Str name);
/* The "scripts" object, or NULL. */
const JsonNode *cli_package_scripts(const CliPackage *pkg);
/* What `cob run` prints without arguments. */
void cli_print_scripts(Cli *cli);

/* ---- Configuration file (cli_config.c) ---------------------------------------------------------
 */

/* Fills what flags have left open from bunfig.toml or cob.toml of the current folder, or from
 * --config.  false: an error was printed. */
bool cli_config_load(Cli *cli, RunOptions *o);

/* ---- Scripts (cli_script.c, cli_script_env.c, cli_script_text.c, cli_shim.c) -------------------
 */

/* What a script or binary gets to see. */
typedef struct {
    const CliPackage *package; /* NULL: none */
    Str cwd;                   /* where it runs; node_modules/.bin is looked for from here */
    Str event, script;         /* npm_lifecycle_event and _script; empty for binaries */
    bool is_bun;               /* `node` is this program */
} CliScriptEnv;
/* "NAME=value" entries, ends with NULL. */
const char *const *cli_script_env(Cli *cli, const CliScriptEnv *e);
/* The value of PATH in it. */
Str cli_env_path(const char *const *env);
/* `name` in the folders of `path` ("a:b"): an executable file. */
bool cli_find_program(Arena *a, Str path, Str name, Str *ret);
/* The path of the shell that runs scripts: bash, sh or zsh. */
Str cli_find_shell(Cli *cli);
/* What runs scripts: the system's shell, or with --shell=bun this program (*ret_is_own), whose
 * command `exec` takes the place of -c.  false: an error was printed. */
bool cli_script_shell(Cli *cli, const RunOptions *o, Str *ret, bool *ret_is_own);
/* The text with the arguments behind it, quoted; `npm run x` in it becomes `<own> run x`. */
Str cli_script_text(Arena *a, Str own, Str text, CliArgs args);
/* A folder that holds `node`, `bun` and `cob`, all links to this program; empty when it cannot be
 * made. */
Str cli_shim_dir(Cli *cli);
/* The same for `node-gyp`, which is this program running that package. */
Str cli_gyp_dir(Cli *cli);

typedef struct {
    bool is_found;
    int code;
} CliOutcome;
/* Runs the script `name` of the nearest package.json, with its pre and post scripts. */
CliOutcome cli_run_script(Cli *cli, const RunOptions *o, Str name, CliArgs args);
/* A binary of node_modules/.bin upwards, or, with `also_system`, a command of PATH. */
CliOutcome cli_run_binary(Cli *cli, const RunOptions *o, Str name, CliArgs args, bool also_system);
/* Says that nothing has this name, with the nearest script, binary or command. */
int cli_script_not_found(Cli *cli, Str name);

/* Starts it, forwards signals until it ends. */
NODISCARD int cli_spawn_wait(const SysSpawn *spec, SysExit *ret);
/* The signals that are forwarded, bit signo - 1. */
u64 cli_forwarded_signals(void);
/* Ends as the child did: its exit code, or this process dies of the same signal. */
int cli_end_like(const SysExit *e);

/* ---- Workspaces and many scripts (cli_workspace.c, cli_filter.c, cli_multi.c, ...) --------------
 */

typedef struct {
    CliPackage package;
    Str rel; /* of the folder, from the root; "" is the root itself */
    Str label;
    u32 *deps; /* indices of workspaces that it depends on */
    u32 n_deps;
} CliWorkspace;
typedef struct {
    Str root; /* absolute */
    CliWorkspace *at;
    u32 len; /* sorted so that dependencies come first where that is possible */
} CliWorkspaces;
/* false: an error was printed. */
bool cli_workspaces_load(Cli *cli, CliWorkspaces *ret);
/* Which of them the patterns of --filter select; warns of patterns that select none.  false: an
 * error was printed. */
bool cli_filter_select(Cli *cli, const CliWorkspaces *all, const CliList *patterns,
                       bool *ret_selected);

/* --filter, --workspaces, --parallel, --sequential. */
int cli_run_many(Cli *cli, const RunOptions *o, CliArgs operands);

/* ---- --watch (cli_watch.c) ---------------------------------------------------------------------
 */

/* Runs this very command again and again; returns the exit code of the last run. */
int cli_watch(Cli *cli, const RunOptions *o);
