/* cli/cli_help.c -- help texts and messages, all made from the tables. */
#include "cli/cli.h"
#include "runtime/vm.h"
#include "sys/sys.h"

#include <stdarg.h>
#include <stdio.h>

enum { FLAG_COLUMN = 34, COMMAND_COLUMN = 30 };

CliPaint cli_paint(int fd)
{
    static const CliPaint none = {"", "", "", "", "", "", ""};
    static const CliPaint all = {"\x1b[1m",  "\x1b[2m",  "\x1b[34m", "\x1b[31m",
                                 "\x1b[35m", "\x1b[36m", "\x1b[0m"};
    AUTO(Scratch) s = scratch_begin(NULL);
    Str value;
    bool has_color = sys_tty_is(fd);
    if (sys_env_find(s.arena, S("NO_COLOR"), &value) && value.n) has_color = false;
    if (sys_env_find(s.arena, S("FORCE_COLOR"), &value)) has_color = !str_eq(value, S("0"));
    return has_color ? all : none;
}

const char *cli_own_name(const Cli *cli)
{
    static const char *const names[] = {"cob", "bun", "node"};
    return names[cli->name];
}

static void message(const char *label, const char *color, const char *off, const char *fmt,
                    va_list args)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str text = str_vfmt(s.arena, fmt, args);
    (void)fprintf(stderr, "%s%s%s: %.*s\n", color, label, off, STR_ARG(text));
}

void cli_error(const char *fmt, ...)
{
    CliPaint p = cli_paint(2);
    va_list args;
    va_start(args, fmt);
    message("error", p.red, p.off, fmt, args);
    va_end(args);
}

void cli_note(const char *fmt, ...)
{
    CliPaint p = cli_paint(2);
    va_list args;
    va_start(args, fmt);
    message("note", p.blue, p.off, fmt, args);
    va_end(args);
}

int cli_fail_with(const Log *log)
{
    AUTO(Buf) text = {0};
    log_print(log, cli_paint(2).off[0] != 0, &text);
    (void)!sys_write_all(2, buf_str(&text));
    return 1;
}

static void print_flag(const CliFlag *f, CliPaint p)
{
    char left[64];
    int n = snprintf(left, sizeof(left), "  %c%c%s --%s%s%s%s", f->letter ? '-' : ' ',
                     f->letter ? f->letter : ' ', f->letter ? "," : " ", f->name,
                     f->value ? "=<" : "", f->value ? f->value : "", f->value ? ">" : "");
    (void)printf("%s%s%s%*s %s\n", p.blue, left, p.off, MAX(0, FLAG_COLUMN - n), "", f->help);
}

static bool is_shown(const CliFlag *f)
{
    return f->help && f->kind != CLI_LATER && f->kind != CLI_LATER_VALUE;
}

void cli_print_command_help(const Cli *cli, const CliCommand *cmd)
{
    CliPaint p = cli_paint(1);
    const char *own = cli_own_name(cli);
    (void)printf("%s%s%s\n\n", p.bold, cmd->summary, p.off);
    if (cmd == &cli_node_command)
        (void)printf("Usage: %s%s%s %s[flags]%s %s\n", p.bold, own, p.off, p.blue, p.off,
                     cmd->args);
    else
        (void)printf("Usage: %s%s %s%s %s[flags]%s %s\n", p.bold, own, cmd->name, p.off, p.blue,
                     p.off, cmd->args);
    (void)printf("\n%sFlags:%s\n", p.bold, p.off);
    for (u32 i = 0; i < cmd->n_flags; i++)
        if (is_shown(&cmd->flags[i])) print_flag(&cmd->flags[i], p);
    (void)printf("%s  -h, --help%s%*s Show this text\n", p.blue, p.off, FLAG_COLUMN - 12, "");
    if (cmd->example) (void)printf("\n%sExamples:%s\n%s\n", p.bold, p.off, cmd->example);
    (void)fflush(stdout);
}

void cli_print_help(const Cli *cli)
{
    CliPaint p = cli_paint(1);
    const char *own = cli_own_name(cli);
    (void)printf(
        "%sCob%s runs JavaScript and TypeScript, installs packages, bundles and tests. (%.*s)\n\n",
        p.bold, p.off, STR_ARG(vm_version()));
    (void)printf(
        "Usage: %s%s <command> %s[flags]%s [args]\n       %s <file> [args]\n\n%sCommands:%s\n",
        p.bold, own, p.blue, p.off, own, p.bold, p.off);
    for (u32 i = 0; i < cli_n_commands; i++) {
        const CliCommand *c = cli_commands[i];
        int n = printf("  %s%s%s %s", p.blue, c->name, p.off, c->args) -
                (int)(str_z(p.blue).n + str_z(p.off).n);
        (void)printf("%*s %s\n", MAX(0, COMMAND_COLUMN - n), "", c->summary);
    }
    (void)printf("\n%sFlags:%s\n", p.bold, p.off);
    (void)printf("  %s-e, --eval%s=<code>               Run a string as a program\n", p.blue,
                 p.off);
    (void)printf("  %s-p, --print%s=<code>              Run a string and print its value\n", p.blue,
                 p.off);
    (void)printf("  %s-v, --version%s                   Print the version\n", p.blue, p.off);
    (void)printf("      %s--revision%s                  Print the version and the commit\n", p.blue,
                 p.off);
    (void)printf(
        "  %s-h, --help%s                      Show this text; %s run --help for all flags\n",
        p.blue, p.off, own);
    (void)printf(
        "\nA file may follow directly: %s app.js.  `-` reads the program from standard input.\n",
        own);
    (void)fflush(stdout);
}
