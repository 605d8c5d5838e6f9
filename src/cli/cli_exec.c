/* cli/cli_exec.c -- `cob exec`: a command line of the built-in shell. */
#include "cli/cli.h"

static int run(UNUSED Cli *cli, UNUSED const void *options, UNUSED const Str *operands,
               UNUSED u32 n_operands)
{
    cli_error("not implemented: %s exec (the shell)", cli_own_name(cli));
    return 1;
}

const CliCommand cli_exec_command = {
    .name = "exec",
    .args = "<command line>",
    .summary = "Run a command line in the built-in shell",
    .stops_at_operand = true,
    .run = run,
};
