/* runtime/modules_source.c -- a file to the text that the engine runs: the fast path where it will
 * do, else parse, lower, print. */
#include "runtime/modules.h"

#include "syntax/define.h"
#include "syntax/fold.h"
#include "syntax/lex.h"
#include "syntax/macro.h"
#include "syntax/print_map.h"
#include "sys/sys.h"
#include "util/path.h"

#include <string.h>

static bool has_ending(Str path, const char *ending)
{
    return str_ends(path, str_z(ending));
}

static ParseOptions parse_options(Str p, ResolveFormat format)
{
    ParseOptions o = {.goal = GOAL_AUTO};
    bool is_tsx = has_ending(p, ".tsx");
    o.ts = is_tsx || has_ending(p, ".ts") || has_ending(p, ".mts") || has_ending(p, ".cts");
    o.jsx = is_tsx || !o.ts;
    o.ambiguous_lt = has_ending(p, ".mts") || has_ending(p, ".cts");
    if (format == RESOLVE_FORMAT_MODULE) o.goal = o.ts ? GOAL_AUTO : GOAL_MODULE;
    if (format == RESOLVE_FORMAT_COMMONJS) o.goal = o.ts ? GOAL_AUTO : GOAL_COMMONJS;
    return o;
}

static LowerOptions lower_options(VmModule *m)
{
    LowerOptions o = {.jsx = JSX_AUTOMATIC, .jsx_dev = true};
    const ResolveTsConfig *c = resolve_tsconfig_of(m->vm->resolver, m->path);
    if (!c) return o;
    o.legacy_decorators = c->experimental_decorators == RESOLVE_YES;
    o.emit_metadata = c->emit_decorator_metadata == RESOLVE_YES;
    o.assign_fields = c->use_define_for_class_fields == RESOLVE_NO;
    o.verbatim_imports = c->verbatim_module_syntax == RESOLVE_YES;
    if (c->jsx == RESOLVE_JSX_REACT) o.jsx = JSX_CLASSIC;
    o.jsx_factory = c->jsx_factory;
    o.jsx_fragment = c->jsx_fragment_factory;
    o.jsx_import_source = c->jsx_import_source;
    return o;
}

static bool throw_log(VmModule *m, const Log *log)
{
    const LogMsg *msg = &log->msgs.at[0];
    Js *js = m->vm->js;
    Str where = m->path;
    if (msg->at.src) vm_keep_text(m->vm, msg->at.src->text, where);
    JsVal type = js_get(js, js_global(js), "SyntaxError");
    JsVal error = type ? js_construct(js, type, JS_ARGS(js_str(js, msg->text))) : NULL;
    if (!error) return false;
    AUTO(Scratch) s = scratch_begin(NULL);
    LinePos at = msg->at.src ? source_line(msg->at.src->text, msg->at.pos) : (LinePos){0};
    Str stack = str_fmt(s.arena, "SyntaxError: %.*s\n    at <parse> (%.*s:%u:%u)",
                        STR_ARG(msg->text), STR_ARG(where), at.line, at.column);
    if (!js_define(js, error, "stack", js_str(js, stack), false)) return false;
    js_throw(js, error);
    return false;
}

/* ---- The two paths
 * -------------------------------------------------------------------------------- */

static void full_begin(FullParse *f, Arena *a, Str path, Str text, Log *log)
{
    f->source = (Source){.name = path, .text = text};
    interner_init(&f->atoms, a, (u32)(text.n / 256) + 256);
    lex_seed(&f->atoms);
    ast_init(&f->ast, &f->source, &f->atoms);
    f->w = (Lowering){.ast = &f->ast,
                      .bindings = &f->bindings,
                      .parse = &f->parse,
                      .opt = &f->lower,
                      .arena = a,
                      .log = log};
}

/* Parses and lowers all but the module syntax. */
static bool parse_full(VmModule *m, Str text, ParseOptions options)
{
    Log log;
    log_init(&log, &m->arena);
    FullParse *f = ARENA_NEW(&m->arena, FullParse);
    f->parse = options;
    f->lower = lower_options(m);
    f->parse.keep_param_types = f->lower.emit_metadata;
    full_begin(f, &m->arena, m->path, text, &log);
    bool ok = parse(&f->ast, &m->arena, &f->parse, &log) &&
              scope_bind(&f->ast, &f->parse, &m->arena, &log, &f->bindings);
    VmMacros host = {m->vm, m->path};
    const MacroOptions macros = {.call = vm_macro_call, .ctx = &host};
    if (ok && f->ast.has_esm) ok = macros_run(&f->ast, &f->bindings, &macros, &m->arena, &log);
    const Defines *defines = m->vm->options->defines;
    if (ok && defines && defines_apply(defines, &f->ast, &m->arena))
        fold_conditions(&f->ast, &f->bindings, &m->arena);
    ok = ok && lower_all(&f->w);
    if (!ok || log.n_errors) return throw_log(m, &log);
    m->info = (ModuleInfo){0};
    module_scan(&f->w, &m->info);
    if (module_may_hoist(m, text)) mocks_find(&f->w, &m->info);
    f->names = module_names(&f->w);
    m->full = f;
    return true;
}

/* One table serves all files, one after the other: making it costs as much as a small file. */
static Interner *words_for(VmModule *m)
{
    enum { KEPT_MAX = 8192 };
    struct VmModules *all = m->vm->esm;
    if (!all->n_words || all->words.cap > KEPT_MAX) {
        interner_init(&all->words, &m->vm->arena, 1000);
        lex_seed(&all->words);
        all->n_words = all->words.len;
    }
    interner_truncate(&all->words, all->n_words, &m->arena);
    return &all->words;
}

static bool parse_fast(VmModule *m, Str text, ParseOptions options)
{
    Log log;
    log_init(&log, &m->arena);
    Source *source = ARENA_NEW(&m->arena, Source);
    *source = (Source){.name = m->path, .text = text};
    if (vm_has_defines(m->vm, text)) {
        m->full_reason = "define";
        return parse_full(m, text, options);
    }
    if (vm_covers(m->vm, m->path)) {
        m->full_reason = "coverage";
        return parse_full(m, text, options);
    }
    if (module_may_hoist(m, text)) {
        m->full_reason = "mocks";
        return parse_full(m, text, options);
    }
    StripResult r = {0};
    const ResolveTsConfig *c = options.ts ? resolve_tsconfig_of(m->vm->resolver, m->path) : NULL;
    StripOptions so = {.names = MODULE_NAMES,
                       .verbatim_imports = c && c->verbatim_module_syntax == RESOLVE_YES};
    if (module_find_kept(m, &options, so.verbatim_imports)) return true;
    if (!strip(source, &options, &so, &m->arena, words_for(m), &log, &r)) return throw_log(m, &log);
    m->full_reason = r.reason;
    if (r.reason) return parse_full(m, text, options);
    m->text = r.text;
    m->info = r.info;
    module_keep(m);
    return true;
}

static void report_path(const VmModule *m, u64 start_ns)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str value;
    if (!sys_env_find(s.arena, S("COB_DEBUG_TRANSPILER"), &value) || !str_eq(value, S("1"))) return;
    f64 ms = (f64)(sys_monotonic_ns() - start_ns) / 1e6;
    i64 slash = str_rfind(m->path, '/');
    Str name = str_skip(m->path, (usize)(slash + 1));
    Str line = m->full
                   ? str_fmt(s.arena, "[transpiler] %.*s: full-AST (%s), %.2fms\n", STR_ARG(name),
                             m->full_reason ? m->full_reason : "live imports", ms)
                   : str_fmt(s.arena, "[transpiler] %.*s: fast-path (no AST), %.2fms\n",
                             STR_ARG(name), ms);
    (void)!sys_write_all(2, line);
}

/* An early error that neither path looks for. */
static bool check_import_names(VmModule *m)
{
    AUTO(Scratch) s = scratch_begin(&m->arena);
    StrMap names = {0};
    for (u32 i = 0; i < m->info.imports.len; i++) {
        const ModuleImport *im = &m->info.imports.at[i];
        bool is_new;
        (void)str_map_put(s.arena, &names, im->local, &is_new);
        if (is_new) continue;
        Log log;
        log_init(&log, &m->arena);
        Source source = {.name = m->path, .text = m->source};
        log_error(&log, (Span){.src = &source, .pos = im->pos},
                  "Cannot declare an imported binding name twice: '%.*s'.", STR_ARG(im->local));
        return throw_log(m, &log);
    }
    return true;
}

static bool parse_source(VmModule *m, Str raw, ParseOptions options, ResolveFormat format)
{
    u64 start_ns = sys_monotonic_ns();
    m->is_typescript = options.ts;
    m->is_node_esm = format == RESOLVE_FORMAT_MODULE;
    m->source = lex_pad(&m->arena, raw);
    m->options = options;
    if (!parse_fast(m, m->source, options) || !check_import_names(m)) return false;
    bool is_module = m->info.is_module || format == RESOLVE_FORMAT_MODULE;
    m->kind = is_module && format != RESOLVE_FORMAT_COMMONJS ? MODULE_ESM : MODULE_CJS;
    if (m->info.is_module && format == RESOLVE_FORMAT_COMMONJS && options.ts) m->kind = MODULE_ESM;
    report_path(m, start_ns);
    return true;
}

bool module_parse(VmModule *m, bool is_required)
{
    AUTO(Scratch) s = scratch_begin(&m->arena);
    Str raw;
    if (!vm_read_text(m->vm, s.arena, m->path, &raw)) return false;
    module_stamp(m);
    ResolveFormat format = resolve_format(m->vm->resolver, m->path);
    /* To require(), "type": "module" is about files that end in .js. */
    if (is_required && format == RESOLVE_FORMAT_MODULE && !path_extname(m->path).n)
        format = RESOLVE_FORMAT_DETECT;
    return parse_source(m, raw, parse_options(m->path, format), format);
}

bool module_parse_as(VmModule *m, Str text, Str loader)
{
    AUTO(Scratch) s = scratch_begin(&m->arena);
    ResolveFormat format = RESOLVE_FORMAT_DETECT;
    if (str_eq(loader, S("mjs")) || str_eq(loader, S("mts"))) format = RESOLVE_FORMAT_MODULE;
    if (str_eq(loader, S("cjs")) || str_eq(loader, S("cts"))) format = RESOLVE_FORMAT_COMMONJS;
    Str name = str_fmt(s.arena, "x.%.*s", STR_ARG(loader));
    return parse_source(m, text, parse_options(name, format), format);
}

bool module_parse_text(VmModule *m, Str text, bool is_typescript)
{
    ParseOptions options = {.goal = GOAL_AUTO, .ts = is_typescript, .jsx = is_typescript};
    if (!is_typescript) options.goal = GOAL_MODULE;
    m->is_typescript = is_typescript;
    m->source = lex_pad(&m->arena, text);
    m->options = options;
    if (!parse_fast(m, m->source, options)) return false;
    m->kind = m->info.is_module || !is_typescript ? MODULE_ESM : MODULE_CJS;
    return true;
}

bool module_reparse(VmModule *m)
{
    u64 start_ns = sys_monotonic_ns();
    VmModule **deps = m->deps;
    ModuleInfo before = m->info;
    if (!parse_full(m, m->source, m->options)) return false;
    m->deps = ARENA_ARRAY(&m->link, VmModule *, m->info.requests.len);
    for (u32 i = 0; i < m->info.requests.len; i++) {
        for (u32 k = 0; k < before.requests.len && !m->deps[i]; k++)
            if (str_eq(before.requests.at[k].specifier, m->info.requests.at[i].specifier))
                m->deps[i] = deps[k];
        if (m->deps[i]) continue;
        (void)js_throw_error(m->vm->js, "the imports of %.*s are not those of its fast path",
                             STR_ARG(m->path));
        return false;
    }
    report_path(m, start_ns);
    return true;
}

/* ---- Text to evaluate
 * ----------------------------------------------------------------------------- */

/* Where what runs came from: made when a stack is printed. */
static const SourceMap *map_of(void *ctx)
{
    FullParse *f = ((VmModule *)ctx)->full;
    Arena *a = &((VmModule *)ctx)->arena;
    if (f->map) return f->map;
    f->map = ARENA_NEW(a, SourceMap);
    sourcemap_build(a, &f->source, f->printed, &f->marks, &(SourceMapOptions){0}, f->map);
    if (!sourcemap_index(a, f->map)) *f->map = (SourceMap){0};
    return f->map;
}

void module_keep_original(VmModule *m, Str url)
{
    if (m->full || m->text.p != m->source.p)
        vm_keep_original(m->vm, url, m->source, m->full ? map_of : NULL, m);
}

static bool print_full(VmModule *m, Buf *ret)
{
    FullParse *f = m->full;
    AUTO(Buf) body = {0}, helpers = {0};
    if (m->kind == MODULE_ESM || m->info.uses_dynamic_import || m->info.uses_meta)
        lower_esm(&f->w, &m->info, &f->names);
    helpers_write(&helpers, f->w.helpers);
    PrintOptions options = {.marks_arena = &m->arena, .prologue = buf_str(&helpers)};
    PrintCounters counters = {.arena = &m->arena};
    VmCovered *covered = vm_covers(m->vm, m->path) ? vm_covered(m->vm, m->path) : NULL;
    if (covered) {
        counters.name = covered->name;
        options.counters = &counters;
    }
    f->marks = (PrintResult){0};
    f->map = NULL;
    if (print_ast(&f->ast, &options, &body, &f->marks)) {
        if (covered && !vm_covered_set(m->vm, covered, m->source, &counters)) return false;
        f->printed = str_dup(&m->arena, buf_str(&body));
        (void)buf_push(ret, f->printed);
        return true;
    }
    (void)js_throw_range_error(m->vm->js, "%.*s is nested too deeply", STR_ARG(m->path));
    return false;
}

bool module_emit(VmModule *m, Buf *ret)
{
    ModuleNames names = m->full ? m->full->names : MODULE_NAMES;
    if (m->kind == MODULE_ESM) {
        for (u32 i = 0; i < m->info.imports.len; i++)
            m->info.imports.at[i].live = module_is_live(m, &m->info.imports.at[i]);
        m->info.has_require = str_find_str(m->source, S("require")) >= 0;
        m->info.has_filename = str_find_str(m->source, S("__filename")) >= 0 ||
                               str_find_str(m->source, S("__dirname")) >= 0;
        m->info.is_handed_last = !m->in_cycle && !m->info.has_await && !m->info.has_require &&
                                 module_is_constant(&m->info);
        module_open(ret, &m->info, &names, m->in_cycle);
    }
    if (m->full) {
        if (!print_full(m, ret)) return false;
    } else {
        (void)buf_push(ret, m->text);
    }
    if (m->kind == MODULE_ESM) module_close(ret, &m->info, &names);
    return true;
}
