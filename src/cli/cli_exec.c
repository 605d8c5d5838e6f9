/* cli/cli_exec.c -- `cob exec`: a command line, run by the shell that runs scripts, with the
 * binaries of node_modules on PATH.  Arguments behind it are its $1, $2 ... */
#include "cli/run.h"
#include "util/err.h"

static int run(Cli *cli, UNUSED const void *options, const Str *operands, u32 n_operands)
{
    static const int inherited[] = {0, 1, 2};
    if (!n_operands) {
        cli_print_command_help(cli, &cli_exec_command);
        return 0;
    }
    Arena *a = cli->arena;
    Str shell = cli_find_shell(cli), cwd = S("/");
    (void)!sys_cwd(a, &cwd);
    CliScriptEnv e = {.cwd = cwd};
    const char **argv = ARENA_ARRAY(a, const char *, n_operands + 4);
    argv[0] = str_dup_z(a, shell);
    argv[1] = "-c";
    argv[2] = str_dup_z(a, operands[0]);
    argv[3] = cli_own_name(cli); /* $0 */
    for (u32 i = 1; i < n_operands; i++) argv[i + 3] = str_dup_z(a, operands[i]);
    SysSpawn spec = {.file = argv[0],
                     .argv = argv,
                     .env = cli_script_env(cli, &e),
                     .fds = inherited,
                     .n_fds = COUNT(inherited)};
    SysExit end = {0};
    int rc = cli_spawn_wait(&spec, &end);
    if (rc == 0) return cli_end_like(&end);
    cli_error("cannot start \"%s\": %s", argv[0], err_text(rc));
    return 1;
}

const CliCommand cli_exec_command = {
    .name = "exec",
    .args = "<command line>",
    .summary = "Run a command line in the shell that runs scripts",
    .stops_at_operand = true,
    .run = run,
};
