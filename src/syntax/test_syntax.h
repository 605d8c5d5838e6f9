/* syntax/test_syntax.h -- what the unit tests of this folder share. */
#pragma once

#include "syntax/lower.h"
#include "syntax/print.h"
#include "syntax/strip.h"
#include "util/test.h"

/* The printed program, or the first error's text after "error: ".  Static storage, one call at a
 * time. */
static inline Str syntax_run(Str text, const ParseOptions *o, const LowerOptions *lo, bool minify)
{
    static char result[8192];
    AUTO(Buf) out = {0};
    Arena a = {0};
    Log log;
    Interner atoms;
    Source source = {S("test"), lex_pad(&a, text)};
    Ast t;
    Bindings b;
    log_init(&log, &a);
    interner_init(&atoms, &a, 0);
    lex_seed(&atoms);
    ast_init(&t, &source, &atoms);
    bool ok = parse(&t, &a, o, &log) && scope_bind(&t, o, &a, &log, &b);
    Lowering w = {.ast = &t, .bindings = &b, .parse = o, .opt = lo, .arena = &a, .log = &log};
    if (ok) ok = lower_all(&w);
    PrintOptions po = {.minify_whitespace = minify};
    if (ok) ok = print_ast(&t, &po, &out, NULL);
    if (!ok) {
        buf_clear(&out);
        buf_push(&out, S("error: "));
        if (log.msgs.len) buf_push(&out, log.msgs.at[0].text);
    }
    usize n = MIN(out.len, sizeof(result));
    for (usize i = 0; i < n; i++) result[i] = out.p[i];
    Ast_deinit(&t);
    arena_deinit(&a);
    return (Str){result, n};
}

static inline Str syntax_min(const char *text, const ParseOptions *o)
{
    static const LowerOptions none = {0};
    return syntax_run(str_z(text), o, &none, true);
}

#define JS     (&(ParseOptions){.goal = GOAL_AUTO})
#define SCRIPT (&(ParseOptions){.goal = GOAL_SCRIPT})
#define MODULE (&(ParseOptions){.goal = GOAL_MODULE})
#define TS     (&(ParseOptions){.goal = GOAL_AUTO, .ts = true})
#define TSX    (&(ParseOptions){.goal = GOAL_AUTO, .ts = true, .jsx = true})
#define JSX    (&(ParseOptions){.goal = GOAL_AUTO, .jsx = true})

/* Parsed and printed without white space. */
#define CHECK_MIN(text, o, want) CHECK_STR(syntax_min(text, o), want)
#define CHECK_SAME(text, o)      CHECK_STR(syntax_min(text, o), text)
#define CHECK_OK(text, o)        CHECK(!str_starts(syntax_min(text, o), S("error: ")))
#define CHECK_ERROR(text, o)                                                                       \
    do {                                                                                           \
        if (!str_starts(syntax_min(text, o), S("error: "))) test_fail(__FILE__, __LINE__, text);   \
    } while (0)
