/* cli/cli_script_text.c -- the text that a shell gets for a script.
 *
 * `npm run x` inside of it becomes `cob run x`, which saves the start of npm.  That happens only
 * where a command may begin (also behind a quote, as in `concurrently "npm run a" "npm run b"`) and
 * only when both would do the same: npm's own flags stay with npm. */
#include "cli/run.h"

#include "util/buf.h"

#include <string.h>

/* ---- Arguments --------------------------------------------------------------------------------
 */

static bool is_plain(Str s)
{
    for (usize i = 0; i < s.n; i++) {
        char c = s.p[i];
        bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!is_letter && (!c || !strchr("-_./:=@%+,", c))) return false;
    }
    return s.n > 0;
}

static void push_quoted(Buf *b, Str s)
{
    if (is_plain(s)) {
        (void)buf_push(b, s);
        return;
    }
    (void)buf_push_char(b, '"');
    for (usize i = 0; i < s.n; i++) {
        if (s.p[i] && strchr("\"\\$`", s.p[i])) (void)buf_push_char(b, '\\');
        (void)buf_push_char(b, s.p[i]);
    }
    (void)buf_push_char(b, '"');
}

/* ---- npm run ----------------------------------------------------------------------------------
 */

static bool is_end(char c)
{
    return strchr(";&|)\n\"'`", c) != NULL; /* also the NUL */
}

/* Whether a command may begin at `i`: at the start, behind an operator, a quote, or assignments. */
static bool can_begin(Str s, usize i)
{
    usize at = i;
    while (at && (s.p[at - 1] == ' ' || s.p[at - 1] == '\t')) at--;
    if (!at || strchr(";&|(\n", s.p[at - 1])) return true;
    if (at == i) return s.p[at - 1] == '"' || s.p[at - 1] == '\'';
    /* NAME=value before it? */
    usize from = at;
    while (from && !strchr(" \t\n;&|(\"'`", s.p[from - 1])) from--;
    Str word = str_slice(s, from, at);
    i64 equals = str_find(word, '=');
    return equals > 0 && can_begin(s, from);
}

/* The words behind `npm run`, up to the command's end: a name that is no flag, and for npm no flags
 * at all before `--`. */
static bool is_same_for_us(Str rest, bool is_npm)
{
    bool is_first = true;
    for (usize i = 0; i < rest.n;) {
        while (i < rest.n && rest.p[i] == ' ') i++;
        if (i >= rest.n || is_end(rest.p[i])) break;
        usize from = i;
        while (i < rest.n && rest.p[i] != ' ' && !is_end(rest.p[i])) i++;
        Str word = str_slice(rest, from, i);
        if (str_eq(word, S("--"))) break;
        if ((is_first || is_npm) && word.p[0] == '-') return false;
        is_first = false;
    }
    return !is_first;
}

static bool replace_at(Str s, usize i, Buf *b, Str own, usize *ret_len)
{
    static const Str words[] = {{"npm run ", 8}, {"pnpm run ", 9}, {"yarn run ", 9}};
    for (u32 k = 0; k < COUNT(words); k++) {
        Str here = str_skip(s, i);
        if (!str_starts(here, words[k]) || !can_begin(s, i)) continue;
        if (!is_same_for_us(str_skip(here, words[k].n), k == 0)) return false;
        (void)buf_fmt(b, "%.*s run ", STR_ARG(own));
        *ret_len = words[k].n;
        return true;
    }
    return false;
}

Str cli_script_text(Arena *a, Str own, Str text, CliArgs args)
{
    AUTO(Buf) b = {0};
    for (usize i = 0; i < text.n;) {
        usize len;
        if (replace_at(text, i, &b, own, &len))
            i += len;
        else
            (void)buf_push_char(&b, text.p[i++]);
    }
    for (u32 i = 0; i < args.len; i++) {
        (void)buf_push_char(&b, ' ');
        push_quoted(&b, args.at[i]);
    }
    return str_dup(a, buf_str(&b));
}
