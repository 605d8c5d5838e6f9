/* util/log.h -- Log: what a person must read, collected in order and printed by whoever owns it.
 *
 * A function that takes a Log reports with log_error and returns false.  Messages are finished text
 * (capital letter or quoted name first, no full stop, no file name: the span carries that).  Lines
 * and columns are worked out only when a message is printed.  Everything is kept in the Log's
 * arena. */
#pragma once

#include "util/arena.h"
#include "util/buf.h"
#include "util/str.h"
#include "util/vec.h"

/* A text that spans point into.  Borrowed: it must outlive every Log that names it. */
typedef struct {
    Str name; /* a path, or "<stdin>", "[eval]" */
    Str text;
} Source;

typedef struct {
    const Source *src; /* NULL: no place */
    u32 pos, len;      /* bytes */
} Span;

typedef enum { LOG_ERROR, LOG_WARN, LOG_NOTE } LogLevel;

typedef struct {
    LogLevel level;
    Span at;
    Str text;
} LogMsg;

typedef struct {
    Arena *arena;
    Vec(LogMsg) msgs; /* a note belongs to the message before it */
    u32 n_errors, n_warnings;
    u32 n_errors_max; /* later errors are counted but not kept; 0 means LOG_ERRORS_MAX */
} Log;

enum { LOG_ERRORS_MAX = 100 };

void log_init(Log *log, Arena *a);
/* All three return false, so that `return log_error(...)` reports and fails. */
bool log_error(Log *log, Span at, const char *fmt, ...) PRINTF(3, 4);
bool log_warn(Log *log, Span at, const char *fmt, ...) PRINTF(3, 4);
/* Dropped when the message that it explains was. */
bool log_note(Log *log, Span at, const char *fmt, ...) PRINTF(3, 4);
/* A mark, and the way back to it: for work that is tried and may be given up. */
typedef struct {
    u32 len, n_errors, n_warnings;
} LogMark;
LogMark log_mark(const Log *log);
void log_rewind(Log *log, LogMark mark);

typedef struct {
    u32 line;   /* from 1; CR, LF, CRLF, U+2028 and U+2029 end lines */
    u32 column; /* from 1, in UTF-16 units */
    Str text;   /* the line without its end */
} LinePos;

/* Where byte `pos` is.  Linear in `pos`. */
LinePos source_line(Str text, u32 pos);

/* Writes every message: source line with its number, caret, "error: text", "    at name:line:col".
 */
void log_print(const Log *log, bool color, Buf *ret);
