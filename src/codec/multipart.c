/* codec/multipart.c -- reads multipart/form-data.
 *
 * A delimiter is "--" boundary at the beginning of the body or behind CR LF, with blanks and CR LF,
 * or "--", behind it.  What stands before the first and behind the last one is ignored. */
#include "codec/multipart.h"

#include <string.h>

static bool fail(MultipartParser *p, const char *error)
{
    p->error = error;
    p->is_done = true;
    return false;
}

/* Is `at` (the first byte of "--boundary") a whole delimiter?  *ret_rest: what is behind its line,
 * p NULL after the last delimiter. */
static bool is_delimiter(const MultipartParser *p, Str at, Str *ret_rest)
{
    if (at.n < p->delimiter.n + 2 || at.p[0] != '-' || at.p[1] != '-') return false;
    if (memcmp(at.p + 2, p->delimiter.p, p->delimiter.n) != 0) return false;
    Str tail = str_skip(at, p->delimiter.n + 2);
    if (str_starts(tail, S("--"))) {
        *ret_rest = (Str){0};
        return true;
    }
    while (tail.n && (*tail.p == ' ' || *tail.p == '\t')) tail = str_skip(tail, 1);
    if (str_starts(tail, S("\r\n")))
        tail = str_skip(tail, 2);
    else if (str_starts(tail, S("\n")))
        tail = str_skip(tail, 1);
    else
        return false;
    *ret_rest = tail;
    return true;
}

/* Finds the delimiter that ends a content: the content without the line end before it. */
static bool take_content(MultipartParser *p, Str text, Str *ret)
{
    for (usize from = 0; from < text.n;) {
        const char *dash = memchr(text.p + from, '-', text.n - from);
        if (!dash) break;
        usize i = (usize)(dash - text.p);
        bool is_line = i == 0 || text.p[i - 1] == '\n';
        if (is_line && is_delimiter(p, str_skip(text, i), &p->rest)) {
            usize n = i;
            if (n && text.p[n - 1] == '\n') n--;
            if (n && n < i && text.p[n - 1] == '\r') n--;
            *ret = (Str){text.p, n};
            p->is_done = !p->rest.p;
            return true;
        }
        from = i + 1;
    }
    return fail(p, "FormData parse error missing final boundary");
}

MultipartParser multipart_begin(Str body, Str boundary)
{
    MultipartParser p = {.delimiter = boundary};
    Str preamble;
    if (!take_content(&p, body, &preamble)) p.rest = (Str){0};
    return p;
}

/* "%0A", "%0D" and "%22", as forms write them; backslashes stay. */
static Str unquote(Arena *a, Str s)
{
    if (str_find(s, '%') < 0) return s;
    char *out = arena_alloc_dirty(a, s.n, 1);
    usize n = 0;
    for (usize i = 0; i < s.n; i++) {
        Str at = str_slice(s, i, i + 3);
        char c = s.p[i];
        if (str_eq_nocase(at, S("%0A"))) c = '\n';
        if (str_eq_nocase(at, S("%0D"))) c = '\r';
        if (str_eq_nocase(at, S("%22"))) c = '"';
        if (c != s.p[i]) i += 2;
        out[n++] = c;
    }
    return (Str){out, n};
}

/* One parameter `; name="value"` or `; name=token` at the beginning of *rest. */
static bool take_param(Str *rest, Str *ret_name, Str *ret_value)
{
    while (rest->n && (*rest->p == ';' || *rest->p == ' ' || *rest->p == '\t'))
        *rest = str_skip(*rest, 1);
    Str name, tail;
    if (!rest->n || !str_cut(*rest, '=', &name, &tail)) return false;
    *ret_name = str_trim(name);
    if (tail.n && *tail.p == '"') {
        tail = str_skip(tail, 1);
        i64 end = str_find(tail, '"');
        if (end < 0) return false;
        *ret_value = str_slice(tail, 0, (usize)end);
        *rest = str_skip(tail, (usize)end + 1);
        return true;
    }
    i64 end = str_find(tail, ';');
    usize n = end < 0 ? tail.n : (usize)end;
    *ret_value = str_trim(str_slice(tail, 0, n));
    *rest = str_skip(tail, n);
    return true;
}

static void read_disposition(Arena *a, Str value, MultipartPart *part, bool *ret_has_name)
{
    Str kind, rest, name, text;
    if (!str_cut(value, ';', &kind, &rest) || !str_eq_nocase(str_trim(kind), S("form-data")))
        return;
    while (take_param(&rest, &name, &text)) {
        if (str_eq_nocase(name, S("name"))) {
            part->name = unquote(a, text);
            *ret_has_name = true;
        } else if (str_eq_nocase(name, S("filename"))) {
            part->file_name = unquote(a, text);
            if (!part->file_name.p) part->file_name = S("");
        }
    }
}

/* Reads header lines up to the empty one; *rest is the content behind it. */
static bool read_headers(MultipartParser *p, Arena *a, Str *rest, MultipartPart *part)
{
    bool has_name = false;
    usize total = 0;
    while (true) {
        i64 end = str_find(*rest, '\n');
        if (end < 0) return fail(p, "FormData parse error missing final boundary");
        Str line = str_slice(*rest, 0, (usize)end), key, value;
        *rest = str_skip(*rest, (usize)end + 1);
        if (str_ends(line, S("\r"))) line.n--;
        if (!line.n) break;
        total += line.n;
        if (total > MULTIPART_HEADERS_MAX) return fail(p, "FormData headers are too long");
        if (!str_cut(line, ':', &key, &value)) return fail(p, "FormData header is malformed");
        if (str_eq_nocase(key, S("content-disposition")))
            read_disposition(a, str_trim(value), part, &has_name);
        else if (str_eq_nocase(key, S("content-type")))
            part->type = str_trim(value);
    }
    return has_name || fail(p, "FormData part has no name");
}

bool multipart_next(MultipartParser *p, Arena *a, MultipartPart *ret)
{
    if (p->is_done) return false;
    if (p->n_parts++ >= MULTIPART_PARTS_MAX) return fail(p, "FormData has too many parts");
    *ret = (MultipartPart){0};
    Str rest = p->rest;
    if (!read_headers(p, a, &rest, ret)) return false;
    if (!take_content(p, rest, &ret->content)) return false;
    if (ret->file_name.p && !ret->type.n) ret->type = S("application/octet-stream");
    return true;
}
