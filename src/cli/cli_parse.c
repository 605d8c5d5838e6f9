/* cli/cli_parse.c -- flags by table: `--name value`, `--name=value`, `-n value`, `-nvalue`. */
#include "cli/cli.h"
#include "sys/sys.h"
#include "util/err.h"

#include <string.h>

static const CliFlag *find_long(const CliCommand *cmd, Str name)
{
    for (u32 i = 0; i < cmd->n_flags; i++)
        if (cmd->flags[i].name[0] && str_eq(str_z(cmd->flags[i].name), name)) return &cmd->flags[i];
    return NULL;
}

static const CliFlag *find_letter(const CliCommand *cmd, char letter)
{
    for (u32 i = 0; i < cmd->n_flags; i++)
        if (cmd->flags[i].letter == letter) return &cmd->flags[i];
    return NULL;
}

static bool takes_value(const CliFlag *f)
{
    return f->kind == CLI_STR || f->kind == CLI_CWD || f->kind == CLI_U32 || f->kind == CLI_LIST ||
           f->kind == CLI_IGNORED_VALUE || f->kind == CLI_LATER_VALUE;
}

static bool change_folder(Str path)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str ignored;
    /* Below --watch the first process has done it already. */
    if (sys_env_find(s.arena, S("COB_WATCH_FD"), &ignored)) return true;
    int rc = sys_chdir(path);
    if (rc < 0) cli_error("cannot change to \"%.*s\": %s", STR_ARG(path), err_text(rc));
    return rc == 0;
}

static bool store(Cli *cli, const CliFlag *f, Str value, void *options)
{
    char *field = (char *)options + f->offset;
    u64 n;
    switch (f->kind) {
    case CLI_BOOL:
    case CLI_BOOL_NO: *(bool *)(void *)field = true; return true;
    case CLI_STR: *(Str *)(void *)field = value; return true;
    case CLI_STR_MAYBE: *(Str *)(void *)field = value.p ? value : S(""); return true;
    case CLI_CWD: return change_folder(value);
    case CLI_LIST: vec_push(cli->arena, (CliList *)(void *)field, value); return true;
    case CLI_U32:
        if (!str_to_u64(value, &n) || n > UINT32_MAX) {
            cli_error("--%s needs a whole number, got \"%.*s\"", f->name, STR_ARG(value));
            return false;
        }
        *(u32 *)(void *)field = (u32)n;
        return true;
    case CLI_IGNORED:
    case CLI_IGNORED_VALUE: return true;
    case CLI_LATER:
    case CLI_LATER_VALUE: cli_error("not implemented: --%s", f->name); return false;
    }
    BUG("flag kind");
}

void cli_refuse_flag(const CliCommand *cmd, Str flag)
{
    const char *names[256];
    u32 n = 0;
    for (u32 i = 0; i < cmd->n_flags && n < COUNT(names); i++) names[n++] = cmd->flags[i].name;
    const char *near = cli_closest(flag, names, n);
    cli_error("unknown flag --%.*s for \"%s\"", STR_ARG(flag), cmd->name);
    if (near) cli_note("did you mean --%s?", near);
}

u32 cli_find_operand(const CliCommand *cmd, CliArgs args)
{
    for (u32 i = 0; i < args.len; i++) {
        Str arg = args.at[i], name, value;
        if (arg.n < 2 || arg.p[0] != '-' || str_eq(arg, S("--"))) return i;
        bool is_long = arg.p[1] == '-';
        bool has_value = is_long ? str_cut(str_skip(arg, 2), '=', &name, &value)
                                 : arg.n > 2 && !str_eq(arg, S("-pe"));
        const CliFlag *f = is_long ? find_long(cmd, name) : find_letter(cmd, arg.p[1]);
        if (f && takes_value(f) && !has_value) i++;
    }
    return args.len;
}

typedef struct {
    const Str *args;
    u32 n, i;
} Cursor;

/* args[i] starts with "--".  Moves i past the flag and its value. */
static bool parse_long(Cli *cli, const CliCommand *cmd, Cursor *c, bool is_lenient, void *options)
{
    Str name, value = {0};
    bool has_value = str_cut(str_skip(c->args[c->i], 2), '=', &name, &value);
    const CliFlag *f = find_long(cmd, name);
    c->i++;
    if (!f) {
        if (!cli->unknown_flag.p) cli->unknown_flag = name;
        if (is_lenient) return true;
        cli_refuse_flag(cmd, name);
        return false;
    }
    if (takes_value(f) && !has_value) {
        if (c->i >= c->n) {
            cli_error("--%s needs a value: --%s=<%s>", f->name, f->name,
                      f->value ? f->value : "value");
            return false;
        }
        value = c->args[c->i++];
    }
    return store(cli, f, value, options);
}

/* One letter; what stands behind it is its value ("-dK:V") or the next argument is. */
static bool parse_short(Cli *cli, const CliCommand *cmd, Cursor *c, bool is_lenient, void *options)
{
    Str arg = c->args[c->i++];
    if (str_eq(arg, S("-pe"))) arg = S("-p"); /* as Node has it */
    const CliFlag *f = find_letter(cmd, arg.p[1]);
    if (!f) {
        if (is_lenient) return true;
        cli_error("unknown flag %.*s for \"%s\"", STR_ARG(arg), cmd->name);
        return false;
    }
    Str value = str_skip(arg, 2);
    if (value.n && value.p[0] == '=') value = str_skip(value, 1);
    if (takes_value(f) && !value.n) {
        if (c->i >= c->n) {
            cli_error("-%c needs a value: -%c <%s>", f->letter, f->letter, f->value);
            return false;
        }
        value = c->args[c->i++];
    }
    return store(cli, f, value, options);
}

bool cli_parse(Cli *cli, const CliCommand *cmd, CliArgs args, bool is_lenient, void *options,
               CliList *ret_operands)
{
    Cursor c = {.args = args.at, .n = args.len};
    while (c.i < c.n) {
        Str arg = args.at[c.i];
        bool is_flag = arg.n > 1 && arg.p[0] == '-';
        if (str_eq(arg, S("--"))) {
            c.i++;
            break;
        }
        if (!is_flag) {
            if (cmd->stops_at_operand) break;
            vec_push(cli->arena, ret_operands, arg);
            c.i++;
            continue;
        }
        bool is_long = arg.p[1] == '-';
        if (is_long ? !parse_long(cli, cmd, &c, is_lenient, options)
                    : !parse_short(cli, cmd, &c, is_lenient, options))
            return false;
    }
    while (c.i < c.n) vec_push(cli->arena, ret_operands, args.at[c.i++]);
    return true;
}

enum { WORD_MAX = 40 };

/* Levenshtein's distance, in which two letters that changed places are one step. */
static u32 distance(Str a, Str b)
{
    u32 rows[3][WORD_MAX + 1];
    for (u32 j = 0; j <= b.n; j++) rows[0][j] = j;
    for (u32 i = 1; i <= a.n; i++) {
        u32 *row = rows[i % 3];
        const u32 *above = rows[(i + 2) % 3], *second = rows[(i + 1) % 3];
        row[0] = i;
        for (u32 j = 1; j <= b.n; j++) {
            u32 d = above[j - 1] + (a.p[i - 1] != b.p[j - 1]);
            row[j] = MIN(d, MIN(row[j - 1], above[j]) + 1);
            bool is_swap = i > 1 && j > 1 && a.p[i - 1] == b.p[j - 2] && a.p[i - 2] == b.p[j - 1];
            if (is_swap) row[j] = MIN(row[j], second[j - 2] + 1);
        }
    }
    return rows[a.n % 3][b.n];
}

const char *cli_closest(Str word, const char *const *candidates, u32 n)
{
    const char *best = NULL;
    u32 best_distance = word.n <= 3 ? 2 : 3;
    if (word.n > WORD_MAX) return NULL;
    for (u32 i = 0; i < n; i++) {
        Str name = str_z(candidates[i]);
        if (!name.n || name.n > WORD_MAX) continue;
        u32 d = distance(word, name);
        if (d < best_distance) {
            best_distance = d;
            best = candidates[i];
        }
    }
    return best;
}
