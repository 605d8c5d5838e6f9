/* Any bytes as JavaScript, JSX or TypeScript.  What is accepted must print, with white space and
 * without, to text that parses to the same tree; what is lowered must print to JavaScript. */
#include "syntax/syntax.h"

int LLVMFuzzerTestOneInput(const u8 *data, usize size);

typedef struct {
    Arena arena;
    Interner atoms;
    Ast ast;
    Log log;
    Source source;
    Bindings bindings;
    ParseOptions options;
} Job;

static bool run(Job *j, Str text, ParseOptions o)
{
    j->options = o;
    j->source = (Source){S("fuzz"), lex_pad(&j->arena, text)};
    log_init(&j->log, &j->arena);
    interner_init(&j->atoms, &j->arena, 0);
    lex_seed(&j->atoms);
    ast_init(&j->ast, &j->source, &j->atoms);
    bool ok = parse(&j->ast, &j->arena, &j->options, &j->log) &&
              scope_bind(&j->ast, &j->options, &j->arena, &j->log, &j->bindings);
    ASSERT(ok == !j->log.n_errors);
    return ok;
}

static void job_deinit(Job *j)
{
    Ast_deinit(&j->ast);
    arena_deinit(&j->arena);
}

static void check_round_trip(Job *j, bool minify)
{
    Job again = {0};
    Buf out = {0};
    PrintOptions po = {.minify_whitespace = minify};
    if (print_ast(&j->ast, &po, &out, NULL)) {
        ParseOptions o = j->options;
        bool ok = run(&again, buf_str(&out), o);
        /* Printing may add parentheses, so a text at the limit of nesting can pass it. */
        if (!ok)
            ASSERT(str_eq(again.log.msgs.at[0].text, S("This is nested too deeply")));
        else
            ASSERT(ast_equal(&j->ast, &again.ast, NULL, NULL));
        job_deinit(&again);
    }
    Buf_deinit(&out);
}

static void check_lowering(Str text, ParseOptions o, u8 choice)
{
    Job j = {0}, again = {0};
    Buf out = {0};
    LowerOptions lo = {
        .legacy_decorators = choice & 1, .assign_fields = choice & 2, .emit_metadata = choice & 4};
    if (choice & 8) lo.jsx = JSX_CLASSIC;
    o.keep_param_types = lo.emit_metadata;
    if (run(&j, text, o)) {
        Lowering w = {.ast = &j.ast,
                      .bindings = &j.bindings,
                      .parse = &j.options,
                      .opt = &lo,
                      .arena = &j.arena,
                      .log = &j.log};
        ModuleInfo info;
        ModuleNames names;
        PrintOptions po = {0};
        if (lower_all(&w)) {
            names = module_names(&w);
            module_scan(&w, &info);
            if (info.is_module) lower_esm(&w, &info, &names);
            if (print_ast(&j.ast, &po, &out, NULL)) {
                (void)run(&again, buf_str(&out), (ParseOptions){.goal = GOAL_COMMONJS});
                job_deinit(&again);
            }
        }
    }
    Buf_deinit(&out);
    job_deinit(&j);
}

int LLVMFuzzerTestOneInput(const u8 *data, usize size)
{
    if (!size) return 0;
    u8 choice = data[0];
    Str text = {(const char *)data + 1, size - 1};
    ParseOptions o = {.goal = (ParseGoal)(choice & 3), .ts = choice & 4, .jsx = choice & 8};
    Job j = {0};
    /* Types are gone after printing, so only JavaScript comes back as the same tree. */
    if (!o.ts && run(&j, text, o)) {
        check_round_trip(&j, false);
        check_round_trip(&j, true);
    }
    job_deinit(&j);
    check_lowering(text, o, choice >> 4);
    return 0;
}
