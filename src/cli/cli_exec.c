/* cli/cli_exec.c -- `cob exec`: a command line, run by the shell of `Bun.$`, with the binaries of
 * node_modules on PATH.  Arguments behind it are its $1, $2 ... */
#include "cli/run.h"
#include "util/err.h"

#include <stdio.h>

static const char usage[] =
    "Usage: %s exec <script>\n\nExecute a shell script directly from %s.\n\n"
    "Note: If executing this from a shell, make sure to escape the string!\n\nExamples:\n"
    "  %s exec \"echo hi\"\n  %s exec \"echo \\\"hey friends\\\"!\"\n";

static int run(Cli *cli, UNUSED const void *options, const Str *operands, u32 n_operands)
{
    static const RunOptions defaults = {.console_depth = CLI_DEPTH_UNSET, .no_env_file = true};
    const char *own = cli_own_name(cli);
    if (!n_operands) {
        const char *shown = str_eq(str_z(own), S("bun")) ? "Bun" : "Cob";
        return printf(usage, own, shown, own, own) < 0 || fflush(stdout) ? 1 : 0;
    }
    VmOptions vm;
    Str cwd = S("/");
    (void)!sys_cwd(cli->arena, &cwd);
    CliScriptEnv e = {.cwd = cwd};
    int rc = sys_env_set(S("PATH"), cli_env_path(cli_script_env(cli, &e)));
    if (rc < 0) {
        cli_error("cannot set PATH: %s", err_text(rc));
        return 1;
    }
    if (!cli_vm_options(cli, &defaults, &vm)) return 1;
    vm.args = operands + 1;
    vm.n_args = n_operands - 1;
    return vm_run_shell(vm_new(&vm), operands[0], str_z(own));
}

const CliCommand cli_exec_command = {
    .name = "exec",
    .args = "<command line>",
    .summary = "Run a command line in the shell of Bun.$",
    .stops_at_operand = true,
    .run = run,
};
