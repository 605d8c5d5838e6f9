/* syntax/test_transpile.h -- one file through transpile(), for unit tests. */
#pragma once

#include "syntax/transpile.h"
#include "util/test.h"

/* The text, or the first error's text after "error: ".  Static storage, one call at a time. */
static inline Str transpiled(const char *text, const TranspileOptions *o)
{
    static char result[8192];
    AUTO(Arena) a = {0};
    Log log;
    Transpiled t;
    Source source = {S("/test.ts"), lex_pad(&a, str_z(text))};
    log_init(&log, &a);
    Str out = S("error: ?");
    if (transpile(&source, o, &a, &log, &t))
        out = buf_str(&t.text);
    else if (log.msgs.len)
        out = str_concat(&a, S("error: "), log.msgs.at[0].text);
    usize n = MIN(out.n, sizeof(result));
    for (usize i = 0; i < n; i++) result[i] = out.p[i];
    Transpiled_deinit(&t);
    return (Str){result, n};
}

#define CHECK_TRANSPILED(text, o, want) CHECK_STR(transpiled(text, o), want)
