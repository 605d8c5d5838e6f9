/* syntax/sourcemap.c -- see sourcemap.h.  Marks are byte offsets in ascending order of output; two
 * cursors turn them into lines and columns in one pass over each text, going back only when the
 * source does. */
#include "syntax/sourcemap.h"

#include "codec/vlq.h"

typedef struct {
    Str text;
    u32 at, line, column; /* from 0 */
} Cursor;

static bool is_ls_ps(const char *p)
{
    return (u8)p[0] == 0xe2 && (u8)p[1] == 0x80 && ((u8)p[2] | 1) == 0xa9;
}

/* Forwards to `pos`.  Lines end at LF, CR, CRLF, and U+2028/9. */
static void advance(Cursor *c, u32 pos)
{
    const char *p = c->text.p;
    while (c->at < pos && c->at < c->text.n) {
        u8 b = (u8)p[c->at];
        bool cr_of_crlf = b == '\r' && c->at + 1 < c->text.n && p[c->at + 1] == '\n';
        bool separator = b == 0xe2 && c->at + 2 < c->text.n && is_ls_ps(p + c->at);
        if (b == '\n' || (b == '\r' && !cr_of_crlf) || separator) {
            c->line++;
            c->column = 0;
            c->at += separator ? 3 : 1;
            continue;
        }
        if ((b & 0xc0) != 0x80) c->column += b >= 0xf0 ? 2 : 1;
        c->at++;
    }
}

/* To `pos`, which may lie before the cursor: back to the start of that line, then forwards. */
static void seek(Cursor *c, u32 pos)
{
    if (pos >= c->at) {
        advance(c, pos);
        return;
    }
    u32 at = c->at;
    while (at > pos) {
        at--;
        u8 b = (u8)c->text.p[at];
        bool crlf = b == '\n' && at > 0 && c->text.p[at - 1] == '\r';
        bool separator = b == 0xe2 && at + 2 < c->text.n && is_ls_ps(c->text.p + at);
        if (b == '\n' || (b == '\r' && c->text.p[at + 1] != '\n') || separator) c->line--;
        if (crlf) at--;
    }
    while (at > 0 && c->text.p[at - 1] != '\n' && c->text.p[at - 1] != '\r' &&
           !(at >= 3 && is_ls_ps(c->text.p + at - 3))) {
        at--;
    }
    c->at = at;
    c->column = 0;
    advance(c, pos);
}

static void put_json_string(Buf *b, Str s)
{
    buf_push_char(b, '"');
    for (usize i = 0; i < s.n; i++) {
        u8 c = (u8)s.p[i];
        if (c == '"' || c == '\\')
            buf_fmt(b, "\\%c", c);
        else if (c == '\n')
            buf_push(b, S("\\n"));
        else if (c < 0x20)
            buf_fmt(b, "\\u%04x", c);
        else
            buf_push_char(b, (char)c);
    }
    buf_push_char(b, '"');
}

static void put_mappings(Buf *b, const SourceMapInput *in)
{
    Cursor out = {.text = in->out}, src = {.text = in->source};
    u32 out_line = 0, out_column = 0, src_line = 0, src_column = 0;
    bool first = true;
    for (u32 i = 0; i < in->lines_before; i++) buf_push_char(b, ';');
    for (u32 i = 0; i < in->marks->marks.len; i++) {
        PrintMark m = in->marks->marks.at[i];
        advance(&out, m.out);
        seek(&src, m.src);
        if (out.line != out_line) {
            for (; out_line < out.line; out_line++) buf_push_char(b, ';');
            out_column = 0;
            first = true;
        }
        if (!first) buf_push_char(b, ',');
        first = false;
        vlq_push(b, (i32)(out.column - out_column));
        vlq_push(b, 0);
        vlq_push(b, (i32)src.line - (i32)src_line);
        vlq_push(b, (i32)src.column - (i32)src_column);
        out_column = out.column;
        src_line = src.line;
        src_column = src.column;
    }
}

void sourcemap_write(Buf *b, const SourceMapInput *in)
{
    buf_push(b, S("{\"version\":3,\"sources\":["));
    put_json_string(b, in->source_name);
    buf_push_char(b, ']');
    if (in->with_content) {
        buf_push(b, S(",\"sourcesContent\":["));
        put_json_string(b, in->source);
        buf_push_char(b, ']');
    }
    buf_push(b, S(",\"names\":[],\"mappings\":\""));
    put_mappings(b, in);
    buf_push(b, S("\"}"));
}

bool sourcemap_find(const SourceMapInput *in, u32 line, u32 column, LinePos *ret)
{
    if (line <= in->lines_before || !column) return false;
    u32 want_line = line - in->lines_before - 1;
    Cursor out = {.text = in->out};
    bool found = false;
    u32 src = 0;
    for (u32 i = 0; i < in->marks->marks.len; i++) {
        PrintMark m = in->marks->marks.at[i];
        advance(&out, m.out);
        if (out.line > want_line || (out.line == want_line && out.column > column - 1)) break;
        found = out.line == want_line;
        src = m.src;
    }
    if (found) *ret = source_line(in->source, src);
    return found;
}
