/* The minifier on any program: what it writes must parse, and minifying that again must end. */
#include "syntax/transpile.h"

int LLVMFuzzerTestOneInput(const u8 *data, usize size);

static bool run(Arena *a, Str text, const TranspileOptions *o, Transpiled *t)
{
    Log log;
    Source *source = ARENA_NEW(a, Source);
    *source = (Source){S("/fuzz.js"), lex_pad(a, text)};
    log_init(&log, a);
    return transpile(source, o, a, &log, t);
}

/* `flags`: one bit a mode. */
static void check(Str text, u8 flags, bool ts)
{
    AUTO(Arena) a = {0};
    Defines d;
    const char *what;
    TranspileOptions o = {.parse = {.goal = GOAL_AUTO, .jsx = !ts, .ts = ts}};
    Transpiled once, twice;
    o.minify_whitespace = flags & 1;
    o.minify_syntax = flags & 2;
    o.minify_identifiers = flags & 4;
    o.source_map = flags & 8;
    defines_init(&d, &a);
    if (flags & 16) {
        ASSERT(defines_add(&d, S("a.b"), S("true"), &what));
        ASSERT(defines_add(&d, S("c"), S("\"c\""), &what));
        ASSERT(defines_drop(&d, S("console"), &what));
        o.defines = &d;
    }
    if (!run(&a, text, &o, &once)) return;
    /* The printer has a limit of depth of its own, and so has the parser. */
    o.parse = (ParseOptions){.goal = GOAL_AUTO};
    bool deep = false;
    if (!run(&a, buf_str(&once.text), &o, &twice)) {
        u32 depth = 0, max = 0;
        for (usize i = 0; i < once.text.len; i++) {
            char c = once.text.p[i];
            depth += c == '(' || c == '[' || c == '{' || c == '!' || c == '-' || c == '+';
            max = MAX(max, depth);
        }
        deep = max > 200;
        ASSERT(deep);
    } else {
        Transpiled_deinit(&twice);
    }
    Transpiled_deinit(&once);
}

int LLVMFuzzerTestOneInput(const u8 *data, usize size)
{
    if (!size) return 0;
    Str text = {(const char *)data + 1, size - 1};
    check(text, data[0], data[0] & 32);
    return 0;
}
