/* util/log_test.c -- diagnostics: places, form, limits. */
#include "util/log.h"
#include "util/test.h"

TEST(log_prints_line_caret_and_place)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Arena *a = s.arena;
    AUTO(Buf) b = {0};
    Log log;
    log_init(&log, a);
    Source src = {S("a.js"), S("let x;\r\nlet x = 2;\n")};
    CHECK(!log_error(&log, (Span){&src, 12, 1}, "\"%s\" has already been declared", "x"));
    log_note(&log, (Span){&src, 4, 1}, "\"x\" was originally declared here");
    log_print(&log, false, &b);
    CHECK_STR(buf_str(&b), "2 | let x = 2;\n"
                           "        ^\n"
                           "error: \"x\" has already been declared\n"
                           "    at a.js:2:5\n"
                           "\n"
                           "1 | let x;\n"
                           "        ^\n"
                           "note: \"x\" was originally declared here\n"
                           "   at a.js:1:5\n");
    CHECK_INT(log.n_errors, 1);
}

TEST(log_columns_are_utf16_units)
{
    Str text = S("\xf0\x9f\x98\x80\xc3\xa9x\xe2\x80\xa8y");
    CHECK_INT(source_line(text, 6).column, 4);
    LinePos y = source_line(text, 10);
    CHECK_INT(y.line, 2);
    CHECK_INT(y.column, 1);
    CHECK_STR(y.text, "y");
    CHECK_INT(source_line(S("a\r\nb"), 99).line, 2);
    CHECK_INT(source_line(S(""), 0).line, 1);
}

TEST(log_keeps_a_maximum_of_errors)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Arena *a = s.arena;
    AUTO(Buf) b = {0};
    Log log;
    log_init(&log, a);
    log.n_errors_max = 2;
    for (int i = 0; i < 5; i++) {
        log_error(&log, (Span){0}, "Error %d", i);
        log_note(&log, (Span){0}, "Note %d", i);
    }
    log_print(&log, false, &b);
    CHECK_STR(buf_str(&b), "error: Error 0\n\nnote: Note 0\n\nerror: Error 1\n\nnote: Note 1\n\n"
                           "3 more errors are not shown\n");
}

TEST(log_rewind_forgets)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Arena *a = s.arena;
    Log log;
    log_init(&log, a);
    LogMark mark = log_mark(&log);
    log_error(&log, (Span){0}, "Gone");
    log_rewind(&log, mark);
    CHECK_INT(log.n_errors, 0);
    CHECK_INT(log.msgs.len, 0);
}
