/* syntax/test_paths.h -- do the fast path and the full path make the same program of a text?  For
 * unit tests and tests/compat/paths.c. */
#pragma once

#include "syntax/syntax.h"

typedef enum { PATHS_AGREE, PATHS_REFUSED, PATHS_FULL_ONLY, PATHS_DIFFER } PathsResult;

typedef struct {
    Arena arena;
    Interner atoms;
    Ast ast;
    Log log;
    Source source;
    Bindings bindings;
    Buf text;
    ModuleInfo info;
} PathsJob;

static inline void PathsJob_deinit(PathsJob *j)
{
    Ast_deinit(&j->ast);
    Buf_deinit(&j->text);
    arena_deinit(&j->arena);
}

static inline void paths_init(PathsJob *j, Str text)
{
    j->source = (Source){S("test"), lex_pad(&j->arena, text)};
    log_init(&j->log, &j->arena);
    interner_init(&j->atoms, &j->arena, 0);
    lex_seed(&j->atoms);
}

static inline bool paths_parse(PathsJob *j, const ParseOptions *o)
{
    ast_init(&j->ast, &j->source, &j->atoms);
    return parse(&j->ast, &j->arena, o, &j->log) &&
           scope_bind(&j->ast, o, &j->arena, &j->log, &j->bindings);
}

static inline void paths_wrap(PathsJob *j, Str body)
{
    const ModuleNames names = MODULE_NAMES;
    if (j->info.is_module) module_open(&j->text, &j->info, &names, false);
    buf_push(&j->text, body);
    if (j->info.is_module) module_close(&j->text, &j->info, &names);
}

/* As when all that is imported is constant and was evaluated before. */
static inline void paths_bind_once(ModuleInfo *info)
{
    for (u32 i = 0; i < info->imports.len; i++) info->imports.at[i].live = false;
}

static inline bool paths_full(PathsJob *j, const ParseOptions *o)
{
    static const LowerOptions none = {0};
    if (!paths_parse(j, o)) return false;
    Lowering w = {.ast = &j->ast,
                  .bindings = &j->bindings,
                  .parse = o,
                  .opt = &none,
                  .arena = &j->arena,
                  .log = &j->log};
    if (!lower_all(&w)) return false;
    module_scan(&w, &j->info);
    paths_bind_once(&j->info);
    const ModuleNames names = module_names(&w);
    if (j->info.is_module || j->info.uses_dynamic_import) lower_esm(&w, &j->info, &names);
    AUTO(Buf) body = {0};
    const PrintOptions po = {0};
    if (!print_ast(&j->ast, &po, &body, NULL)) return false;
    paths_wrap(j, buf_str(&body));
    return true;
}

/* Both results as JavaScript that runs: the same tree? */
static inline bool paths_same_tree(Str fast, Str full)
{
    PathsJob x = {0}, y = {0};
    const ParseOptions js = {.goal = GOAL_COMMONJS};
    paths_init(&x, fast);
    paths_init(&y, full);
    bool same = paths_parse(&x, &js) && paths_parse(&y, &js) &&
                ast_equal_but_empty(&x.ast, &y.ast, NULL, NULL);
    PathsJob_deinit(&x);
    PathsJob_deinit(&y);
    return same;
}

/* What the linker sees. */
static inline bool paths_same_info(const ModuleInfo *x, const ModuleInfo *y)
{
    bool same = x->is_module == y->is_module && x->has_await == y->has_await &&
                x->requests.len == y->requests.len && x->imports.len == y->imports.len &&
                x->exports.len == y->exports.len;
    for (u32 i = 0; same && i < x->requests.len; i++)
        same = str_eq(x->requests.at[i].specifier, y->requests.at[i].specifier) &&
               str_eq(x->requests.at[i].attr_type, y->requests.at[i].attr_type);
    for (u32 i = 0; same && i < x->imports.len; i++)
        same = str_eq(x->imports.at[i].local, y->imports.at[i].local) &&
               str_eq(x->imports.at[i].imported, y->imports.at[i].imported) &&
               x->imports.at[i].request == y->imports.at[i].request;
    for (u32 i = 0; same && i < x->exports.len; i++)
        same = str_eq(x->exports.at[i].name, y->exports.at[i].name) &&
               str_eq(x->exports.at[i].local, y->exports.at[i].local) &&
               x->exports.at[i].kind == y->exports.at[i].kind;
    return same;
}

/* PATHS_REFUSED: an error for both.  PATHS_FULL_ONLY: the fast path hands the file on. */
static inline PathsResult paths_compare(Str text, const ParseOptions *o)
{
    PathsJob fast = {0}, full = {0};
    PathsResult result = PATHS_DIFFER;
    const StripOptions so = {.names = MODULE_NAMES};
    StripResult r;
    paths_init(&fast, text);
    paths_init(&full, text);
    bool ok =
        strip_file(&(StripInput){&fast.source, o, &so, &fast.arena, &fast.atoms, &fast.log}, &r);
    if (ok && r.reason) {
        result = PATHS_FULL_ONLY;
    } else if (!paths_full(&full, o)) {
        /* Conflicts of names are the engine's to find, and then the full path's to explain. */
        result = PATHS_REFUSED;
    } else if (ok) {
        fast.info = r.info;
        paths_bind_once(&fast.info);
        paths_wrap(&fast, r.text);
        bool same = paths_same_info(&fast.info, &full.info) &&
                    paths_same_tree(buf_str(&fast.text), buf_str(&full.text));
        if (same) result = PATHS_AGREE;
    }
    PathsJob_deinit(&fast);
    PathsJob_deinit(&full);
    return result;
}
