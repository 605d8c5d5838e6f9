/* install/pkg_diff.c -- see pkg_diff.h.
 *
 *     diff --git a/index.js b/index.js
 *     --- a/index.js
 *     +++ b/index.js
 *     @@ -1,2 +1,2 @@
 *      one
 *     -two
 *     +three
 *     \ No newline at end of file
 */
#include "install/pkg_diff.h"

enum { LINES_MAX = 1 << 24 };

typedef struct {
    u64 old_at, n_old, new_at, n_new;
} Head;

/* With its "\n", if there is one. */
static bool take_line(Str *rest, Str *ret)
{
    if (!rest->n) return false;
    i64 end = str_find(*rest, '\n');
    usize n = end < 0 ? rest->n : (usize)end + 1;
    *ret = str_slice(*rest, 0, n);
    *rest = str_skip(*rest, n);
    return true;
}

static Str without_end(Str line)
{
    if (str_ends(line, S("\n"))) line.n--;
    if (str_ends(line, S("\r"))) line.n--;
    return line;
}

/* ---- Reading --------------------------------------------------------------------------------- */

static bool take_number(Str *rest, u64 *ret)
{
    usize n = 0;
    while (n < rest->n && rest->p[n] >= '0' && rest->p[n] <= '9') n++;
    bool ok = n && str_to_u64(str_slice(*rest, 0, n), ret) && *ret < LINES_MAX;
    *rest = str_skip(*rest, n);
    return ok;
}

/* "12,3", "12" */
static bool take_range(Str *rest, u64 *ret_at, u64 *ret_n)
{
    *ret_n = 1;
    if (!take_number(rest, ret_at)) return false;
    if (!str_starts(*rest, S(","))) return true;
    *rest = str_skip(*rest, 1);
    return take_number(rest, ret_n);
}

/* "@@ -1,2 +1,3 @@ words" */
static bool parse_head(Str line, Head *ret)
{
    if (!str_starts(line, S("@@ -"))) return false;
    line = str_skip(line, 4);
    if (!take_range(&line, &ret->old_at, &ret->n_old) || !str_starts(line, S(" +"))) return false;
    line = str_skip(line, 2);
    return take_range(&line, &ret->new_at, &ret->n_new) && str_starts(line, S(" @@"));
}

/* The lines of a hunk, as many as its head says. */
static bool skip_hunk(Str *rest, const Head *head)
{
    u64 n_old = 0, n_new = 0;
    Str line;
    while (n_old < head->n_old || n_new < head->n_new) {
        if (!take_line(rest, &line)) return false;
        char c = line.p[0];
        /* Editors cut the space of an empty line. */
        if (c == ' ' || c == '\n' || c == '\r') {
            n_old++;
            n_new++;
        } else if (c == '-') {
            n_old++;
        } else if (c == '+') {
            n_new++;
        } else if (c != '\\') {
            return false;
        }
    }
    Str next = *rest;
    if (take_line(&next, &line) && line.p[0] == '\\') *rest = next;
    return n_old == head->n_old && n_new == head->n_new;
}

/* "a/x", "/dev/null", "\"a/x\"", and what follows a tab. */
static Str path_of(Str text)
{
    Str head, tail;
    text = without_end(text);
    (void)str_cut(text, '\t', &head, &tail);
    if (head.n > 1 && head.p[0] == '"' && head.p[head.n - 1] == '"')
        head = str_slice(head, 1, head.n - 1);
    if (str_eq(head, S("/dev/null"))) return S("");
    bool has_side = str_starts(head, S("a/")) || str_starts(head, S("b/"));
    return has_side ? str_skip(head, 2) : head;
}

static u32 mode_of(Str text)
{
    return str_ends(without_end(text), S("755")) ? 0755 : 0644;
}

static bool take_word(Str line, Str word, Str *ret)
{
    if (!str_starts(line, word)) return false;
    *ret = str_skip(line, word.n);
    return true;
}

/* "a/x b/x" when both are the same, as they are for a change of the mode alone. */
static void take_names(Str text, PkgDiffFile *ret)
{
    text = without_end(text);
    if (text.n < 5 || text.n % 2 == 0) return;
    Str old = str_slice(text, 0, text.n / 2), new = str_skip(text, text.n / 2 + 1);
    if (!str_eq(str_skip(old, 2), str_skip(new, 2))) return;
    ret->old_path = path_of(old);
    ret->new_path = path_of(new);
}

/* A line in front of the hunks.  false: it is none. */
static bool take_header(PkgDiff *d, Str line, PkgDiffFile *ret)
{
    Str rest;
    if (take_word(line, S("--- "), &rest))
        ret->old_path = path_of(rest);
    else if (take_word(line, S("+++ "), &rest))
        ret->new_path = path_of(rest);
    else if (take_word(line, S("rename from "), &rest))
        ret->old_path = without_end(rest);
    else if (take_word(line, S("rename to "), &rest))
        ret->new_path = without_end(rest);
    else if (take_word(line, S("new file mode "), &rest)) {
        ret->mode = mode_of(rest);
        ret->old_path = S("");
    } else if (take_word(line, S("new mode "), &rest))
        ret->mode = mode_of(rest);
    else if (str_starts(line, S("deleted file mode ")))
        ret->new_path = S("");
    else if (str_starts(line, S("GIT binary patch")) || str_starts(line, S("Binary files ")))
        d->error = "a binary file cannot be patched";
    else
        return false;
    return true;
}

static bool take_hunks(PkgDiff *d, PkgDiffFile *ret)
{
    const char *start = d->rest.p;
    for (;;) {
        Str rest = d->rest, line;
        Head head;
        if (!take_line(&rest, &line) || !str_starts(line, S("@@"))) break;
        if (!parse_head(line, &head) || !skip_hunk(&rest, &head)) {
            d->error = "a hunk is broken";
            return false;
        }
        d->rest = rest;
    }
    ret->hunks = (Str){start, (usize)(d->rest.p - start)};
    return true;
}

bool pkg_diff_next(PkgDiff *d, PkgDiffFile *ret)
{
    bool has_any = false, is_named = false;
    *ret = (PkgDiffFile){0};
    while (d->rest.n) {
        Str rest = d->rest, line, words;
        if (!take_line(&rest, &line)) break;
        bool is_start = take_word(line, S("diff --git "), &words);
        /* Plain diffs have no such line: then the names begin the next file. */
        if (has_any && (is_start || (is_named && str_starts(line, S("--- "))))) return true;
        if (str_starts(line, S("@@"))) {
            if (take_hunks(d, ret)) return true;
            return false;
        }
        d->rest = rest;
        if (is_start)
            take_names(words, ret);
        else if (!take_header(d, line, ret))
            continue;
        is_named |= str_starts(line, S("+++ "));
        has_any = true;
        if (d->error) return false;
    }
    return has_any;
}

/* ---- Applying -------------------------------------------------------------------------------- */

/* Do the old lines of the hunk stand at the beginning of `text`?  *ret_rest is what follows. */
static bool fits(Str hunk, Str text, Str *ret_rest)
{
    Str line, old;
    while (take_line(&hunk, &line)) {
        if (line.p[0] == '+' || line.p[0] == '\\') continue;
        Str wanted = line.p[0] == '\n' || line.p[0] == '\r' ? S("") : str_skip(line, 1);
        if (!take_line(&text, &old)) return false;
        if (!str_eq(without_end(old), without_end(wanted))) return false;
    }
    *ret_rest = text;
    return true;
}

/* Lines without an end stand before "\ No newline". */
static void put_new_lines(Str hunk, Str old, Buf *ret)
{
    Str line, kept;
    while (take_line(&hunk, &line)) {
        char c = line.p[0];
        if (c == '\\') continue;
        if (c == '-') {
            (void)take_line(&old, &kept);
        } else if (c == '+') {
            bool is_last = str_starts(hunk, S("\\"));
            Str text = str_skip(line, 1);
            if (is_last && str_ends(text, S("\n"))) text.n--;
            (void)buf_push(ret, text);
        } else if (take_line(&old, &kept)) { /* as it is there: with its own end */
            (void)buf_push(ret, kept);
        }
    }
}

/* The text from line `n` (from 0) on; false: there are not so many. */
static bool skip_lines(Str text, u64 n, Str *ret)
{
    Str line;
    for (; n; n--)
        if (!take_line(&text, &line)) return false;
    *ret = text;
    return true;
}

typedef struct {
    Str rest; /* of the old text */
    u64 line; /* at which that is */
} Place;

/* Where it says, else the nearest place behind. */
static bool find_place(Str hunk, u64 wanted, Place from, Place *ret, Str *ret_rest)
{
    Str there, line;
    if (wanted >= from.line && skip_lines(from.rest, wanted - from.line, &there) &&
        fits(hunk, there, ret_rest)) {
        *ret = (Place){there, wanted};
        return true;
    }
    for (; !fits(hunk, from.rest, ret_rest); from.line++)
        if (!take_line(&from.rest, &line)) return false;
    *ret = from;
    return true;
}

static u64 count_lines(Str text)
{
    u64 n = 0;
    Str line;
    while (take_line(&text, &line)) n++;
    return n;
}

bool pkg_diff_apply(const PkgDiffFile *file, Str old, Buf *ret, const char **ret_error)
{
    Str rest = file->hunks, line, after;
    Place at = {.rest = old}, place;
    while (take_line(&rest, &line)) {
        Head head;
        const char *start = rest.p;
        if (!parse_head(line, &head) || !skip_hunk(&rest, &head)) {
            *ret_error = "a hunk is broken";
            return false;
        }
        Str hunk = {start, (usize)(rest.p - start)};
        /* A hunk without old lines stands behind the line that it names. */
        u64 wanted = head.n_old && head.old_at ? head.old_at - 1 : head.old_at;
        if (!find_place(hunk, wanted, at, &place, &after)) {
            *ret_error = "its lines are not there";
            return false;
        }
        (void)buf_push(ret, (Str){at.rest.p, at.rest.n - place.rest.n});
        put_new_lines(hunk, place.rest, ret);
        Str used = {place.rest.p, place.rest.n - after.n};
        at = (Place){after, place.line + count_lines(used)};
    }
    (void)buf_push(ret, at.rest);
    return true;
}
