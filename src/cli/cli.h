/* cli/cli.h -- the command line: commands and flags are tables; help, completion and errors are
 * made from them. */
#pragma once

#include "util/arena.h"
#include "util/base.h"
#include "util/log.h"
#include "util/str.h"
#include "util/vec.h"

#define CLI_NODE_VERSION "v24.22.3"
#define CLI_BUN_VERSION  "1.4.5"

typedef enum {
    CLI_BOOL,      /* bool */
    CLI_BOOL_NO,   /* bool, set to true; its name starts with "no-" */
    CLI_STR,       /* Str */
    CLI_STR_MAYBE, /* Str; without `=value` it becomes the empty string with a pointer */
    CLI_U32,       /* u32 */
    CLI_LIST,      /* CliList: may be given several times */
    CLI_CWD,       /* changes to that folder at once */
    CLI_IGNORED,   /* accepted for compatibility, changes nothing here */
    CLI_IGNORED_VALUE,
    CLI_LATER, /* known, and refused as not implemented */
    CLI_LATER_VALUE,
} CliKind;

typedef Vec(Str) CliList;
typedef struct {
    const Str *at;
    u32 len;
} CliArgs;

typedef struct {
    const char *name; /* without the dashes */
    char letter;      /* or 0 */
    CliKind kind;
    u32 offset;        /* of the field in the command's options */
    const char *value; /* placeholder in the help, NULL for switches */
    const char *help;
} CliFlag;

typedef struct Cli Cli;
typedef struct CliCommand {
    const char *name;
    const char *alias;   /* or NULL */
    const char *args;    /* "<file> [...args]" */
    const char *summary; /* one line */
    const char *example; /* or NULL */
    const CliFlag *flags;
    u32 n_flags;
    u32 options_size;
    const void *defaults; /* options_size bytes, or NULL for zeroes */
    /* The rest of the line belongs to the program behind the first operand. */
    bool stops_at_operand;
    /* Returns the exit code. */
    int (*run)(Cli *cli, const void *options, const Str *operands, u32 n_operands);
} CliCommand;

typedef enum { CLI_AS_COB, CLI_AS_BUN, CLI_AS_NODE } CliName;

struct Cli {
    Arena *arena;
    CliName name;
    Str argv0, exec_path;
    CliArgs args;         /* all that came behind argv0 */
    Str unknown_flag;     /* the first one that a lenient parse skipped */
    const Str *exec_args; /* our own flags, as given */
    u32 n_exec_args;
    bool has_run_word; /* `cob run x`, not `cob x` */
};

#define CLI_FLAG(name, letter, kind, type, field, value, help)                                     \
    {                                                                                              \
        name, letter, kind, (u32)offsetof(type, field), value, help                                \
    }
#define CLI_NO_FIELD(name, letter, kind, value, help)                                              \
    {                                                                                              \
        name, letter, kind, 0, value, help                                                         \
    }

extern const CliCommand cli_install_command, cli_run_command, cli_build_command, cli_node_command,
    cli_exec_command, cli_init_command, cli_completions_command, cli_test_command, cli_add_command,
    cli_remove_command, cli_ci_command, cli_x_command, cli_create_command, cli_update_command,
    cli_outdated_command, cli_why_command, cli_pm_command, cli_info_command, cli_link_command,
    cli_unlink_command, cli_publish_command, cli_audit_command, cli_patch_command;
/* All commands that exist, in the order of the help text. */
extern const CliCommand *const cli_commands[];
extern const u32 cli_n_commands;

/* The whole program; returns the exit code. */
int cli_main(int argc, char **argv);

/* ---- Parts ----------------------------------------------------------------------------------- */

/* Parses flags of `cmd` from args into `options` (zeroed, cmd->options_size bytes).  *ret_operands
 * is what is left.  `is_lenient`: unknown flags are skipped, as runtimes do, since tools pass those
 * of other engines.  false: an error was printed. */
bool cli_parse(Cli *cli, const CliCommand *cmd, CliArgs args, bool is_lenient, void *options,
               CliList *ret_operands);
/* The index of the first argument that is no flag of `cmd` and no value of one, or args.len. */
u32 cli_find_operand(const CliCommand *cmd, CliArgs args);
/* The candidate closest to `word`, or NULL when none is near. */
const char *cli_closest(Str word, const char *const *candidates, u32 n);
void cli_print_help(const Cli *cli);
void cli_print_command_help(const Cli *cli, const CliCommand *cmd);
/* Says that `name` is no command, with the nearest one. */
void cli_refuse_command(const Cli *cli, Str name);
/* Says that `flag` (without dashes) is no flag of `cmd`, with the nearest one. */
void cli_refuse_flag(const CliCommand *cmd, Str flag);
/* "error: ..." on standard error, coloured on a terminal. */
void cli_error(const char *fmt, ...) PRINTF(1, 2);
void cli_note(const char *fmt, ...) PRINTF(1, 2);
/* The exit code 1, after printing what the log holds. */
int cli_fail_with(const Log *log);
/* NULL when there is no such command yet. */
const CliCommand *cli_find_command(Str name);
/* Escape sequences for a descriptor, empty when it shows no colours. */
typedef struct {
    const char *bold, *dim, *blue, *red, *magenta, *cyan, *off;
} CliPaint;
CliPaint cli_paint(int fd);
/* "cob", "bun" or "node". */
const char *cli_own_name(const Cli *cli);
