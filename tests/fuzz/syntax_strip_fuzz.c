/* Any bytes through the fast path.  Line ends stay where they are; what both paths accept must be
 * the same program. */
#include "syntax/syntax.h"

int LLVMFuzzerTestOneInput(const u8 *data, usize size);

typedef struct {
    Arena arena;
    Interner atoms;
    Log log;
    Source source;
    Ast ast;
    Bindings bindings;
} Job;

static void job_init(Job *j, Str text)
{
    j->source = (Source){S("fuzz"), lex_pad(&j->arena, text)};
    log_init(&j->log, &j->arena);
    interner_init(&j->atoms, &j->arena, 0);
    lex_seed(&j->atoms);
}

static void job_deinit(Job *j)
{
    Ast_deinit(&j->ast);
    arena_deinit(&j->arena);
}

static bool parse_full(Job *j, const ParseOptions *o)
{
    ast_init(&j->ast, &j->source, &j->atoms);
    return parse(&j->ast, &j->arena, o, &j->log) &&
           scope_bind(&j->ast, o, &j->arena, &j->log, &j->bindings);
}

static usize count_lines(Str s)
{
    usize n = 0;
    for (usize i = 0; i < s.n; i++) n += s.p[i] == '\n';
    return n;
}

/* Only for files without modules: those have their own wrapper, which unit tests cover. */
static void compare(const StripResult *fast, Job *full, const ParseOptions *o)
{
    Job x = {0}, y = {0};
    Buf out = {0};
    static const LowerOptions none = {0};
    ParseOptions js = {.goal = GOAL_COMMONJS};
    Lowering w = {.ast = &full->ast,
                  .bindings = &full->bindings,
                  .parse = o,
                  .opt = &none,
                  .arena = &full->arena,
                  .log = &full->log};
    PrintOptions po = {0};
    if (lower_all(&w) && print_ast(&full->ast, &po, &out, NULL)) {
        job_init(&x, fast->text);
        job_init(&y, buf_str(&out));
        bool ok = parse_full(&x, &js) && parse_full(&y, &js);
        if (ok) ASSERT(ast_equal_but_empty(&x.ast, &y.ast, NULL, NULL));
        job_deinit(&x);
        job_deinit(&y);
    }
    Buf_deinit(&out);
}

int LLVMFuzzerTestOneInput(const u8 *data, usize size)
{
    Str text = {(const char *)data, size};
    ParseOptions o = {.goal = GOAL_AUTO, .ts = true};
    Job fast = {0}, full = {0};
    StripOptions so = {.names = MODULE_NAMES};
    StripResult r;
    job_init(&fast, text);
    StripInput in = {&fast.source, &o, &so, &fast.arena, &fast.atoms, &fast.log};
    if (strip_file(&in, &r) && !r.reason) {
        ASSERT(count_lines(r.text) == count_lines(text));
        job_init(&full, text);
        if (parse_full(&full, &o) && !r.info.is_module && !r.info.uses_dynamic_import)
            compare(&r, &full, &o);
        job_deinit(&full);
    }
    job_deinit(&fast);
    return 0;
}
