/* cli/cli.c -- from argv to a command.
 *
 * The name under which the program was called decides its manners: `node` behaves as Node's command
 * line, `bun` and `cob` as Bun's.  --version and the help start nothing: no engine, no loop. */
#include "cli/run.h"

#include "runtime/vm.h"
#include "sys/sys.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

const CliCommand *const cli_commands[] = {
    &cli_run_command,    &cli_test_command,       &cli_build_command,    &cli_exec_command,
    &cli_init_command,   &cli_install_command,    &cli_add_command,      &cli_remove_command,
    &cli_ci_command,     &cli_update_command,     &cli_outdated_command, &cli_why_command,
    &cli_info_command,   &cli_link_command,       &cli_unlink_command,   &cli_publish_command,
    &cli_audit_command,  &cli_patch_command,      &cli_pm_command,       &cli_x_command,
    &cli_create_command, &cli_completions_command};
const u32 cli_n_commands = COUNT(cli_commands);

/* Commands of the tool that are not there yet: they must not fall through to "no such script". */
static const char *const later[] = {"outdated", "dedupe",  "prune",  "repl",  "check", "fmt",
                                    "lint",     "upgrade", "whoami", "login", "logout"};

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

const CliCommand *cli_find_command(Str name)
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

static Str base_name(Str argv0)
{
    return str_skip(argv0, (usize)(str_rfind(argv0, '/') + 1));
}

static CliName name_of(Str argv0)
{
    Str base = base_name(argv0);
    if (str_eq(base, S("node"))) return CLI_AS_NODE;
    return str_eq(base, S("bun")) || str_eq(base, S("bunx")) ? CLI_AS_BUN : CLI_AS_COB;
}

static int print_version(const Cli *cli, bool with_revision)
{
    Str own = vm_version(), revision = vm_revision();
    const char *version = cli->name == CLI_AS_NODE ? CLI_NODE_VERSION : CLI_BUN_VERSION;
    if (cli->name == CLI_AS_COB)
        (void)printf("%.*s", STR_ARG(own));
    else
        (void)printf("%s", version);
    if (with_revision) (void)printf("+%.*s", STR_ARG(revision));
    (void)printf("\n");
    return fflush(stdout) == 0 ? 0 : 1;
}

static int run_command(Cli *cli, const CliCommand *cmd, CliArgs args)
{
    bool is_lenient = cmd == &cli_run_command || cmd == &cli_node_command;
    void *options = arena_alloc(cli->arena, MAX(cmd->options_size, 1u), 16);
    CliList operands = {0};
    if (cmd->defaults) memcpy(options, cmd->defaults, cmd->options_size);
    u32 n_flags = cmd->stops_at_operand ? cli_find_operand(cmd, args) : args.len;
    for (u32 i = 0; i < n_flags; i++) {
        if (str_eq(args.at[i], S("--help")) || str_eq(args.at[i], S("-h"))) {
            cli_print_command_help(cli, cmd);
            return 0;
        }
    }
    if (!cli_parse(cli, cmd, args, is_lenient, options, &operands)) return 1;
    cli->exec_args = args.at;
    cli->n_exec_args = args.len - operands.len;
    return cmd->run(cli, options, operands.at, operands.len);
}

/* Flags before the command's name are its own: `cob --silent run x`. */
static CliArgs without(Cli *cli, CliArgs args, u32 at)
{
    Str *rest = ARENA_ARRAY(cli->arena, Str, args.len);
    for (u32 i = 0, n = 0; i < args.len; i++)
        if (i != at) rest[n++] = args.at[i];
    return (CliArgs){.at = rest, .len = args.len - 1};
}

/* With -e or -p there is no command: what follows belongs to the program. */
static bool has_text(CliArgs flags)
{
    for (u32 i = 0; i < flags.len; i++) {
        Str f = flags.at[i];
        if (str_starts(f, S("--eval")) || str_starts(f, S("--print"))) return true;
        if (f.n > 1 && f.p[0] == '-' && (f.p[1] == 'e' || f.p[1] == 'p')) return true;
    }
    return false;
}

/* With these every word but `run` is the name of a script. */
static bool has_many(CliArgs flags)
{
    static const char *const names[] = {"--filter", "-F", "--workspaces", "--parallel",
                                        "--sequential"};
    for (u32 i = 0; i < flags.len; i++)
        for (u32 k = 0; k < COUNT(names); k++)
            if (str_starts(flags.at[i], str_z(names[k]))) return true;
    return false;
}

/* Commands that give way to a script of package.json. */
static bool is_shy(Str name)
{
    return str_eq(name, S("check")) || str_eq(name, S("fmt")) || str_eq(name, S("lint"));
}

static bool has_script(Cli *cli, Str name)
{
    Log log;
    Str cwd;
    CliPackage pkg;
    log_init(&log, cli->arena);
    return sys_cwd(cli->arena, &cwd) == 0 && cli_package_find(cli->arena, &log, cwd, &pkg) == 1 &&
           cli_package_script(cli->arena, &pkg, name).n > 0;
}

static int run_word(Cli *cli, CliArgs args, u32 at)
{
    Str word = args.at[at];
    const CliCommand *cmd = cli_find_command(word);
    if (cmd != &cli_run_command && has_many((CliArgs){.at = args.at, .len = at}))
        return run_command(cli, &cli_run_command, args);
    if (cmd) {
        cli->has_run_word = cmd == &cli_run_command;
        return run_command(cli, cmd, without(cli, args, at));
    }
    if (is_later(word) && !(is_shy(word) && has_script(cli, word))) {
        cli_error("not implemented: %s %.*s", cli_own_name(cli), STR_ARG(word));
        return 1;
    }
    return run_command(cli, &cli_run_command, args);
}

static bool is_called(const Cli *cli, Str name)
{
    return str_eq(base_name(cli->argv0), name);
}

/* The link of cli_gyp_dir. */
static int run_gyp(Cli *cli, CliArgs args)
{
    Str *all = ARENA_ARRAY(cli->arena, Str, args.len + 2);
    all[0] = S("--silent");
    all[1] = S("node-gyp");
    for (u32 i = 0; i < args.len; i++) all[i + 2] = args.at[i];
    return run_command(cli, &cli_x_command, (CliArgs){all, args.len + 2});
}

static int dispatch(Cli *cli, CliArgs args)
{
    bool is_node = cli->name == CLI_AS_NODE;
    const CliCommand *runtime = is_node ? &cli_node_command : &cli_run_command;
    if (is_called(cli, S("bunx")) || is_called(cli, S("cobx")))
        return run_command(cli, &cli_x_command, args);
    if (is_called(cli, S("node-gyp"))) return run_gyp(cli, args);
    if (!args.len && !is_node) {
        cli_print_help(cli);
        return 0;
    }
    u32 at = cli_find_operand(runtime, args);
    for (u32 i = 0; i < at; i++) {
        Str flag = args.at[i];
        if (str_eq(flag, S("--version")) || str_eq(flag, S("-v"))) return print_version(cli, false);
        if (str_eq(flag, S("--revision")) && !is_node) return print_version(cli, true);
        bool is_help = str_eq(flag, S("--help")) || str_eq(flag, S("-h"));
        if (is_help && !is_node && at == args.len) {
            cli_print_help(cli);
            return 0;
        }
    }
    CliArgs flags = {.at = args.at, .len = at};
    if (is_node || at == args.len || has_text(flags)) return run_command(cli, runtime, args);
    return run_word(cli, args, at);
}

/* ---- Flags from the environment ---------------------------------------------------------------
 */

/* The next word of `text`, without its quotes; false at the end. */
static bool take_word(Arena *a, Str *text, Str *ret)
{
    *text = str_trim(*text);
    if (!text->n) return false;
    char *word = arena_alloc(a, text->n + 1, 1), quote = 0;
    usize n = 0, i = 0;
    for (; i < text->n; i++) {
        char c = text->p[i];
        if (!quote && (c == ' ' || c == '\t' || c == '\n')) break;
        if (c == '\\' && quote != '\'' && i + 1 < text->n)
            word[n++] = text->p[++i];
        else if (quote ? c == quote : c == '"' || c == '\'')
            quote = quote ? 0 : c;
        else
            word[n++] = c;
    }
    *ret = (Str){word, n};
    *text = str_skip(*text, i);
    return true;
}

static void add_words(Cli *cli, const char *name, CliList *list)
{
    Str text, word;
    if (!sys_env_find(cli->arena, str_z(name), &text)) return;
    while (take_word(cli->arena, &text, &word)) vec_push(cli->arena, list, word);
}

static CliArgs with_environment(Cli *cli, CliArgs args)
{
    CliList list = {0};
    if (cli->name == CLI_AS_NODE) add_words(cli, "NODE_OPTIONS", &list);
    add_words(cli, "COB_OPTIONS", &list);
    if (!list.len) add_words(cli, "BUN_OPTIONS", &list);
    if (!list.len) return args;
    for (u32 i = 0; i < args.len; i++) vec_push(cli->arena, &list, args.at[i]);
    return (CliArgs){.at = list.at, .len = list.len};
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
    cli.args = (CliArgs){.at = args + 1, .len = n ? n - 1 : 0};
    return dispatch(&cli, with_environment(&cli, cli.args));
}
