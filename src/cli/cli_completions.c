/* cli/cli_completions.c -- completion scripts for bash, zsh and fish, made from the tables. */
#include "cli/cli.h"
#include "sys/sys.h"

#include <stdio.h>

static bool is_offered(const CliFlag *f)
{
    return f->help != NULL;
}

static void print_bash(void)
{
    (void)printf("_cob() {\n  local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]}\n"
                 "  if [ \"$COMP_CWORD\" = 1 ]; then\n    COMPREPLY=($(compgen -W \"");
    for (u32 i = 0; i < cli_n_commands; i++)
        (void)printf("%s%s", i ? " " : "", cli_commands[i]->name);
    (void)printf("\" -- \"$word\") $(compgen -f -- \"$word\"))\n    return\n  fi\n"
                 "  case \"$command\" in\n");
    for (u32 i = 0; i < cli_n_commands; i++) {
        const CliCommand *c = cli_commands[i];
        (void)printf("    %s) flags=\"", c->name);
        for (u32 k = 0; k < c->n_flags; k++)
            if (is_offered(&c->flags[k])) (void)printf("%s--%s", k ? " " : "", c->flags[k].name);
        (void)printf("\" ;;\n");
    }
    (void)printf("    *) flags= ;;\n  esac\n  case \"$word\" in\n"
                 "    -*) COMPREPLY=($(compgen -W \"$flags\" -- \"$word\")) ;;\n"
                 "    *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n  esac\n}\n"
                 "complete -o filenames -F _cob cob\n");
}

/* Inside single quotes of zsh and fish; brackets and colons mean something to zsh's _arguments. */
static void print_text(const char *text, bool is_zsh)
{
    for (; *text; text++) {
        if (*text == '\'')
            (void)printf("'\\''");
        else if (is_zsh && (*text == '[' || *text == ']' || *text == ':'))
            (void)printf("\\%c", *text);
        else
            (void)putchar(*text);
    }
}

static void print_zsh(void)
{
    (void)printf("#compdef cob\n_cob() {\n  local -a commands\n  commands=(\n");
    for (u32 i = 0; i < cli_n_commands; i++) {
        (void)printf("    '%s:", cli_commands[i]->name);
        print_text(cli_commands[i]->summary, true);
        (void)printf("'\n");
    }
    (void)printf("  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    _files\n"
                 "    return\n  fi\n  case $words[2] in\n");
    for (u32 i = 0; i < cli_n_commands; i++) {
        const CliCommand *c = cli_commands[i];
        (void)printf("    %s) _arguments \\\n", c->name);
        for (u32 k = 0; k < c->n_flags; k++) {
            if (!is_offered(&c->flags[k])) continue;
            (void)printf("      '--%s%s[", c->flags[k].name, c->flags[k].value ? "=" : "");
            print_text(c->flags[k].help, true);
            (void)printf("]%s' \\\n", c->flags[k].value ? ":value:_files" : "");
        }
        (void)printf("      '*:file:_files' ;;\n");
    }
    (void)printf("    *) _files ;;\n  esac\n}\n_cob \"$@\"\n");
}

static void print_fish(void)
{
    for (u32 i = 0; i < cli_n_commands; i++) {
        const CliCommand *c = cli_commands[i];
        (void)printf("complete -c cob -n __fish_use_subcommand -a %s -d '", c->name);
        print_text(c->summary, false);
        (void)printf("'\n");
        for (u32 k = 0; k < c->n_flags; k++) {
            const CliFlag *f = &c->flags[k];
            if (!is_offered(f)) continue;
            (void)printf("complete -c cob -n '__fish_seen_subcommand_from %s' -l %s", c->name,
                         f->name);
            if (f->letter) (void)printf(" -s %c", f->letter);
            (void)printf("%s -d '", f->value ? " -r" : "");
            print_text(f->help, false);
            (void)printf("'\n");
        }
    }
}

static int run(UNUSED Cli *cli, UNUSED const void *options, const Str *operands, u32 n_operands)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str shell = n_operands ? operands[0] : (Str){0};
    if (!shell.n && sys_env_find(s.arena, S("SHELL"), &shell))
        shell = str_skip(shell, (usize)(str_rfind(shell, '/') + 1));
    if (str_eq(shell, S("bash")))
        print_bash();
    else if (str_eq(shell, S("zsh")))
        print_zsh();
    else if (str_eq(shell, S("fish")))
        print_fish();
    else {
        cli_error("say for which shell: completions bash, zsh or fish");
        return 1;
    }
    return fflush(stdout) == 0 ? 0 : 1;
}

const CliCommand cli_completions_command = {
    .name = "completions",
    .args = "[bash|zsh|fish]",
    .summary = "Print completions for a shell",
    .run = run,
};
