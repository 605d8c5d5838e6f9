/* cli/cli.c -- from argv to a command.
 *
 * The name under which the program was called decides its manners: `node` behaves as Node's command
 * line, `bun` and `cob` as Bun's.  --version and the help start nothing: no engine, no loop. */
#include "cli/cli.h"

#include "runtime/vm.h"
#include "sys/sys.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#define NODE_VERSION "v24.22.3"
#define BUN_VERSION  "1.4.5"

const CliCommand *const cli_commands[] = {&cli_run_command, &cli_build_command,
                                          &cli_completions_command};
const u32 cli_n_commands = COUNT(cli_commands);

/* Commands of the tool that are not there yet: they must not fall through to "no such script". */
static const char *const later[] = {
    "test",  "install",  "i",     "ci",      "add",    "a",      "remove", "rm",      "update",
    "up",    "outdated", "audit", "dedupe",  "prune",  "link",   "unlink", "publish", "patch",
    "pm",    "info",     "why",   "x",       "init",   "create", "c",      "repl",    "exec",
    "check", "fmt",      "lint",  "upgrade", "whoami", "login",  "logout"};

void cli_refuse_command(const Cli *cli, Str name)
{
    const char *names[COUNT(later) + COUNT(cli_commands)];
    u32 n = 0;
    for (u32 i = 0; i < cli_n_commands; i++) names[n++] = cli_commands[i]->name;
    for (u32 i = 0; i < COUNT(later); i++) names[n++] = later[i];
    cli_error("Script not found \"%.*s\"", STR_ARG(name));
    const char *near = cli_closest(name, names, n);
    if (near) cli_note("did you mean \"%s %s\"?", cli_own_name(cli), near);
}

static const CliCommand *find_command(Str name)
{
    for (u32 i = 0; i < cli_n_commands; i++) {
        const CliCommand *c = cli_commands[i];
        if (str_eq(name, str_z(c->name)) || (c->alias && str_eq(name, str_z(c->alias)))) return c;
    }
    return NULL;
}

static bool is_later(Str name)
{
    for (u32 i = 0; i < COUNT(later); i++)
        if (str_eq(name, str_z(later[i]))) return true;
    return false;
}

static CliName name_of(Str argv0)
{
    i64 slash = str_rfind(argv0, '/');
    Str base = str_skip(argv0, (usize)(slash + 1));
    if (str_eq(base, S("node"))) return CLI_AS_NODE;
    return str_eq(base, S("bun")) || str_eq(base, S("bunx")) ? CLI_AS_BUN : CLI_AS_COB;
}

static int print_version(const Cli *cli, bool with_revision)
{
    Str own = vm_version(), revision = vm_revision();
    const char *version = cli->name == CLI_AS_NODE ? NODE_VERSION : BUN_VERSION;
    if (cli->name == CLI_AS_COB)
        (void)printf("%.*s", STR_ARG(own));
    else
        (void)printf("%s", version);
    if (with_revision) (void)printf("+%.*s", STR_ARG(revision));
    (void)printf("\n");
    return fflush(stdout) == 0 ? 0 : 1;
}

static int run_command(Cli *cli, const CliCommand *cmd, const Str *args, u32 n_args)
{
    bool is_runtime = cmd == &cli_run_command;
    void *options = arena_alloc(cli->arena, MAX(cmd->options_size, 1u), 16);
    CliList operands = {0};
    if (cmd->defaults) memcpy(options, cmd->defaults, cmd->options_size);
    for (u32 i = 0; i < n_args; i++) {
        bool is_flag = args[i].n > 1 && args[i].p[0] == '-';
        if (!is_flag && cmd->stops_at_operand) break;
        if (str_eq(args[i], S("--help")) || str_eq(args[i], S("-h"))) {
            cli_print_command_help(cli, cmd);
            return 0;
        }
    }
    CliArgs all = {.at = args, .len = n_args};
    if (!cli_parse(cli, cmd, all, is_runtime, options, &operands)) return 1;
    cli->exec_args = args;
    cli->n_exec_args = n_args - operands.len;
    return cmd->run(cli, options, operands.at, operands.len);
}

static int dispatch(Cli *cli, const Str *args, u32 n_args)
{
    if (!n_args && cli->name != CLI_AS_NODE) {
        cli_print_help(cli);
        return 0;
    }
    Str first = n_args ? args[0] : (Str){0};
    bool is_node = cli->name == CLI_AS_NODE;
    if (str_eq(first, S("--version")) || str_eq(first, S("-v"))) return print_version(cli, false);
    if (str_eq(first, S("--revision")) && !is_node) return print_version(cli, true);
    if (str_eq(first, S("--help")) || str_eq(first, S("-h"))) {
        if (is_node)
            cli_print_command_help(cli, &cli_run_command);
        else
            cli_print_help(cli);
        return 0;
    }
    const CliCommand *cmd = is_node ? NULL : find_command(first);
    if (cmd) return run_command(cli, cmd, args + 1, n_args - 1);
    if (!is_node && is_later(first)) {
        cli_error("not implemented: %s %.*s", cli_own_name(cli), STR_ARG(first));
        return 1;
    }
    return run_command(cli, &cli_run_command, args, n_args);
}

/* A standard descriptor that is closed would be given to the next file that is opened. */
static void open_missing_descriptors(void)
{
    for (int fd = 0; fd <= 2; fd++) {
        if (sys_is_nonblock(fd) != -EBADF) continue;
        int null = sys_open(S("/dev/null"), O_RDWR, 0);
        if (null >= 0) (void)!sys_set_cloexec(null, false);
    }
}

int cli_main(int argc, char **argv)
{
    open_missing_descriptors();
    char **kept = sys_title_init(argc, argv);
    (void)sys_signal_ignore(SIGPIPE);
    static Arena arena;
    u32 n = argc > 0 ? (u32)argc : 0;
    Str *args = ARENA_ARRAY(&arena, Str, n + 1);
    for (u32 i = 0; i < n; i++) args[i] = str_z(kept[i]);
    Cli cli = {.arena = &arena, .argv0 = n ? args[0] : S("cob")};
    cli.name = name_of(cli.argv0);
    return dispatch(&cli, args + 1, n ? n - 1 : 0);
}
