/* util/log.c -- collecting and printing diagnostics (see log.h). */
#include "util/log.h"

#include <stdarg.h>
#include <string.h>

enum {
    LINE_SHOWN_MAX = 512, /* bytes of a source line that are printed around the caret */
};

void log_init(Log *log, Arena *a)
{
    *log = (Log){.arena = a};
}

static bool add(Log *log, LogLevel level, Span at, const char *fmt, va_list args)
{
    u32 max = log->n_errors_max ? log->n_errors_max : LOG_ERRORS_MAX;
    if (log->n_errors > max) return false; /* a note after the last kept error stays */
    LogMsg msg = {.level = level, .at = at, .text = str_vfmt(log->arena, fmt, args)};
    vec_push(log->arena, &log->msgs, msg);
    return false;
}

bool log_error(Log *log, Span at, const char *fmt, ...)
{
    log->n_errors++;
    va_list args;
    va_start(args, fmt);
    add(log, LOG_ERROR, at, fmt, args);
    va_end(args);
    return false;
}

bool log_warn(Log *log, Span at, const char *fmt, ...)
{
    log->n_warnings++;
    va_list args;
    va_start(args, fmt);
    add(log, LOG_WARN, at, fmt, args);
    va_end(args);
    return false;
}

bool log_note(Log *log, Span at, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    add(log, LOG_NOTE, at, fmt, args);
    va_end(args);
    return false;
}

LogMark log_mark(const Log *log)
{
    return (LogMark){log->msgs.len, log->n_errors, log->n_warnings};
}

void log_rewind(Log *log, LogMark mark)
{
    ASSERT(mark.len <= log->msgs.len);
    log->msgs.len = mark.len;
    log->n_errors = mark.n_errors;
    log->n_warnings = mark.n_warnings;
}

/* Length in bytes of the line terminator at `p`, or 0. */
static usize line_end(const char *p, const char *end)
{
    if (*p == '\n') return 1;
    if (*p == '\r') return end - p > 1 && p[1] == '\n' ? 2 : 1;
    if (end - p > 2 && (u8)p[0] == 0xe2 && (u8)p[1] == 0x80 && ((u8)p[2] | 1) == 0xa9) return 3;
    return 0;
}

LinePos source_line(Str text, u32 pos)
{
    if (pos > text.n) pos = (u32)text.n;
    const char *p = text.p, *end = text.p + text.n, *at = text.p + pos, *line = text.p;
    LinePos r = {.line = 1, .column = 1};
    while (p < at) {
        usize n = line_end(p, end);
        if (!n) {
            p++;
        } else {
            if (p + n > at) break; /* inside a CRLF */
            p += n;
            line = p;
            r.line++;
        }
    }
    for (p = line; p < at; p++) {
        u8 c = (u8)*p;
        if ((c & 0xc0) != 0x80) r.column += c >= 0xf0 ? 2 : 1;
    }
    for (p = line; p < end && !line_end(p, end);) p++;
    r.text = (Str){line, (usize)(p - line)};
    return r;
}

static void print_caret(Buf *b, Span at, LinePos where, bool color)
{
    usize offset = (usize)(at.src->text.p + at.pos - where.text.p);
    Str shown = where.text;
    if (shown.n > LINE_SHOWN_MAX) {
        usize from = offset > LINE_SHOWN_MAX / 2 ? offset - LINE_SHOWN_MAX / 2 : 0;
        shown = str_slice(shown, from, from + LINE_SHOWN_MAX);
        offset -= from;
    }
    if (offset > shown.n) offset = shown.n;
    usize indent = b->len;
    buf_fmt(b, color ? "\x1b[2m%u | \x1b[0m" : "%u | ", where.line);
    indent = b->len - indent - (color ? 8 : 0);
    buf_push(b, shown);
    buf_push_char(b, '\n');
    buf_push_fill(b, ' ', indent);
    for (usize i = 0; i < offset; i++) {
        if (((u8)shown.p[i] & 0xc0) != 0x80) buf_push_char(b, shown.p[i] == '\t' ? '\t' : ' ');
    }
    buf_push(b, color ? S("\x1b[1m^\x1b[0m\n") : S("^\n"));
}

static void print_msg(Buf *b, const LogMsg *m, bool color)
{
    static const char *const names[] = {"error", "warn", "note"};
    static const char *const colors[] = {"\x1b[31m", "\x1b[33m", "\x1b[34m"};
    LinePos where = {0};
    if (m->at.src) {
        where = source_line(m->at.src->text, m->at.pos);
        print_caret(b, m->at, where, color);
    }
    if (color)
        buf_fmt(b, "%s%s\x1b[0m\x1b[2m:\x1b[0m ", colors[m->level], names[m->level]);
    else
        buf_fmt(b, "%s: ", names[m->level]);
    buf_push(b, m->text);
    buf_push_char(b, '\n');
    if (m->at.src) {
        /* "at" lines up under the name of the level. */
        buf_push_fill(b, ' ', strlen(names[m->level]) - 1);
        buf_fmt(b, "at %.*s:%u:%u\n", STR_ARG(m->at.src->name), where.line, where.column);
    }
}

void log_print(const Log *log, bool color, Buf *ret)
{
    for (u32 i = 0; i < log->msgs.len; i++) {
        if (i) buf_push_char(ret, '\n');
        print_msg(ret, &log->msgs.at[i], color);
    }
    u32 kept = 0;
    for (u32 i = 0; i < log->msgs.len; i++) kept += log->msgs.at[i].level == LOG_ERROR;
    if (log->n_errors > kept)
        buf_fmt(ret, "\n%u more errors are not shown\n", log->n_errors - kept);
}
