/* syntax/transpile.c -- the passes, in order. */
#include "syntax/transpile.h"

#include "syntax/comments.h"
#include "syntax/fold.h"
#include "syntax/minify.h"
#include "syntax/print.h"
#include "syntax/print_map.h"
#include "syntax/rename.h"

void Transpiled_deinit(Transpiled *t)
{
    Buf_deinit(&t->text);
}

bool transpile_options_named(Str loader, ParseOptions *ret)
{
    static const struct {
        const char *name;
        bool ts, jsx;
    } loaders[] = {
        {"js", false, true}, {"jsx", false, true}, {"ts", true, false}, {"tsx", true, true}};
    for (u32 i = 0; i < COUNT(loaders); i++) {
        if (!str_eq(loader, str_z(loaders[i].name))) continue;
        ret->ts = loaders[i].ts;
        ret->jsx = loaders[i].jsx;
        return true;
    }
    return false;
}

bool transpile_options_for(Str path, ParseOptions *ret)
{
    static const struct {
        const char *ending, *loader;
        ParseGoal goal;
        bool ambiguous_lt;
    } endings[] = {
        {".js", "js", GOAL_AUTO, false},    {".jsx", "jsx", GOAL_AUTO, false},
        {".ts", "ts", GOAL_AUTO, false},    {".tsx", "tsx", GOAL_AUTO, false},
        {".mjs", "js", GOAL_MODULE, false}, {".cjs", "js", GOAL_AUTO, false},
        {".mts", "ts", GOAL_MODULE, true},  {".cts", "ts", GOAL_AUTO, true},
    };
    for (u32 i = 0; i < COUNT(endings); i++) {
        if (!str_ends(path, str_z(endings[i].ending))) continue;
        *ret = (ParseOptions){.goal = endings[i].goal, .ambiguous_lt = endings[i].ambiguous_lt};
        ret->declaration = str_ends(path, S(".d.ts"));
        return transpile_options_named(str_z(endings[i].loader), ret);
    }
    return false;
}

typedef struct {
    const TranspileOptions *opt;
    Arena *arena;
    Log *log;
    Ast *ast;
    Bindings bindings;
    Lowering lowering;
} Job;

static bool front(Job *j)
{
    const ParseOptions *po = &j->opt->parse;
    if (!parse(j->ast, j->arena, po, j->log)) return false;
    exports_edit(j->ast, j->opt->exports, j->opt->n_exports, j->arena);
    if (!scope_bind(j->ast, po, j->arena, j->log, &j->bindings)) return false;
    if (j->ast->has_esm && !macros_run(j->ast, &j->bindings, j->opt->macros, j->arena, j->log))
        return false;
    comments_mark_pure(j->ast);
    bool defined = j->opt->defines && defines_apply(j->opt->defines, j->ast, j->arena);
    if (defined || j->opt->dead_code) fold_conditions(j->ast, &j->bindings, j->arena);
    return lower_all(&j->lowering);
}

/* Names again: lowering and minifying made and removed some. */
static void bind_again(Job *j)
{
    ParseOptions po = j->opt->parse;
    Log quiet;
    log_init(&quiet, j->arena);
    po.ts = false;
    /* Nodes that are no longer part of the tree must not name symbols of the old table. */
    for (NodeId i = 1; i < j->ast->n_nodes; i++) {
        Node *n = ast_node(j->ast, i);
        if (n->kind == NODE_IDENT) n->b = n->c = 0;
    }
    (void)scope_bind(j->ast, &po, j->arena, &quiet, &j->bindings);
}

static bool is_changed(const Job *j)
{
    return j->opt->parse.ts || j->ast->has_jsx || j->opt->defines || j->lowering.helpers ||
           j->opt->dead_code || j->opt->lower.trim_imports;
}

static void middle(Job *j)
{
    const TranspileOptions *o = j->opt;
    bool bound = !is_changed(j);
    if (o->inline_constants && !o->minify_syntax) {
        if (!bound) bind_again(j);
        minify_constants(&j->lowering);
        bound = false;
    }
    if (o->minify_syntax) {
        if (!bound) bind_again(j);
        minify_syntax(&j->lowering);
        bound = false;
    }
    if (!o->minify_identifiers) return;
    if (!bound) bind_again(j);
    Renamer r;
    renamer_init(&r, j->arena);
    r.keep_names = o->keep_names;
    (void)renamer_add(&r, j->ast, &j->bindings, o->top_is_global && !j->ast->is_module);
    renamer_minify(&r);
    renamer_apply(&r);
}

static void copy_line(Buf *out, Str text)
{
    i64 end = str_find(text, '\n');
    buf_push(out, str_slice(text, 0, end < 0 ? text.n : (usize)end));
    buf_push_char(out, '\n');
}

static void put_hashbang(const Job *j, Buf *out)
{
    Str text = j->ast->source->text;
    if (str_starts(text, S("\xef\xbb\xbf"))) text = str_skip(text, 3);
    if (str_starts(text, S("#!"))) copy_line(out, text);
}

static bool back(Job *j, Transpiled *ret)
{
    const TranspileOptions *o = j->opt;
    const Source *source = j->ast->source;
    PrintResult marks = {0};
    PrintOptions po = {.minify_whitespace = o->minify_whitespace};
    if (o->source_map) po.marks_arena = j->arena;
    if (j->ast->notes.legal.len) po.comments = &j->ast->notes.legal;
    put_hashbang(j, &ret->text);
    AUTO(Buf) helpers = {0};
    helpers_write(&helpers, j->lowering.helpers);
    po.prologue = buf_str(&helpers);
    if (!print_ast(j->ast, &po, &ret->text, &marks))
        return log_error(j->log, (Span){source, 0, 0}, "This is nested too deeply to be printed");
    if (!o->source_map) return true;
    SourceMapOptions mo = {.name = o->source_name, .content = o->source_content, .input = o->input};
    mo.atoms = j->ast->atoms;
    sourcemap_build(j->arena, source, buf_str(&ret->text), &marks, &mo, &ret->map);
    return true;
}

bool transpile(const Source *source, const TranspileOptions *opt, Arena *a, Log *log,
               Transpiled *ret)
{
    Interner atoms;
    AUTO(Ast) ast = {0};
    *ret = (Transpiled){0};
    interner_init(&atoms, a, (u32)(source->text.n / 256) + 256);
    lex_seed(&atoms);
    ast_init(&ast, source, &atoms);
    Job j = {.opt = opt, .arena = a, .log = log, .ast = &ast};
    j.lowering = (Lowering){.ast = &ast,
                            .bindings = &j.bindings,
                            .parse = &opt->parse,
                            .opt = &opt->lower,
                            .arena = a,
                            .log = log};
    if (front(&j)) {
        middle(&j);
        if (back(&j, ret)) return true;
    }
    Transpiled_deinit(ret);
    return false;
}
