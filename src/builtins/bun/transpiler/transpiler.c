/* bun/transpiler/transpiler.c -- native half of Bun.Transpiler.
 *
 * run(mode, code, config, callback): the JavaScript half has checked everything.  `config` is an
 * array of 32-bit numbers and strings, in the order in which take_config reads it.  Without a
 * callback the result is the return value, with one it is done on a thread of the pool and given to
 * callback(result).  A result is a string, for MODE_SCAN [exports, kind, path, kind, path, ...], or
 * an array of one array for each message: [level, text, line, column, length, offset, line's text].
 */
#include "builtins/builtins.h"
#include "loop/loop.h"
#include "runtime/vm.h"
#include "syntax/scan.h"
#include "util/mem.h"

enum { MODE_TRANSFORM, MODE_SCAN };

enum {
    FLAG_TS = 1 << 0,
    FLAG_JSX = 1 << 1,
    FLAG_JSX_CLASSIC = 1 << 2,
    FLAG_JSX_PRESERVE = 1 << 3,
    FLAG_JSX_DEV = 1 << 4,
    FLAG_LEGACY_DECORATORS = 1 << 5,
    FLAG_METADATA = 1 << 6,
    FLAG_ASSIGN_FIELDS = 1 << 7,
    FLAG_VERBATIM = 1 << 8,
    FLAG_TRIM_IMPORTS = 1 << 9,
    FLAG_MINIFY_WHITESPACE = 1 << 10,
    FLAG_MINIFY_SYNTAX = 1 << 11,
    FLAG_MINIFY_IDENTIFIERS = 1 << 12,
    FLAG_KEEP_NAMES = 1 << 13,
    FLAG_DEAD_CODE = 1 << 14,
    FLAG_INLINE = 1 << 15,
    FLAG_JSX_NO_IMPORT = 1 << 16,
};

typedef struct {
    LoopReq req;
    Vm *vm;
    Arena arena; /* all that is below */
    JsRef callback;
    bool is_scan, ok;
    Source source;
    TranspileOptions options;
    MacroOptions macros;
    VmMacros host;
    Defines defines;
    Log log;
    Transpiled transpiled;
    ScanResult scanned;
} Job;

/* ---- In ---- */

typedef struct {
    Js *js;
    Job *job;
    JsVal config;
    u32 at;
    bool failed; /* an exception is pending */
} Reader;

static JsVal take(Reader *r)
{
    JsVal v = r->failed ? NULL : js_get_index(r->js, r->config, r->at++);
    r->failed |= !v;
    return v;
}

static u32 take_u32(Reader *r)
{
    JsVal v = take(r);
    return v ? (u32)js_get_number(r->js, v) : 0;
}

static Str take_str(Reader *r)
{
    Str text = {0};
    JsVal v = take(r);
    if (v && !js_to_str(r->js, &r->job->arena, v, &text)) r->failed = true;
    return text;
}

static void take_flags(TranspileOptions *o, u32 flags)
{
    o->parse = (ParseOptions){.goal = GOAL_AUTO};
    o->parse.ts = flags & FLAG_TS;
    o->parse.jsx = flags & FLAG_JSX;
    LowerOptions *lo = &o->lower;
    lo->jsx = flags & FLAG_JSX_CLASSIC    ? JSX_CLASSIC
              : flags & FLAG_JSX_PRESERVE ? JSX_PRESERVE
                                          : JSX_AUTOMATIC;
    lo->jsx_dev = flags & FLAG_JSX_DEV;
    lo->jsx_esm = true;
    lo->jsx_no_import = flags & FLAG_JSX_NO_IMPORT;
    lo->legacy_decorators = flags & FLAG_LEGACY_DECORATORS;
    lo->emit_metadata = flags & FLAG_METADATA;
    o->parse.keep_param_types = lo->emit_metadata;
    lo->assign_fields = flags & FLAG_ASSIGN_FIELDS;
    lo->verbatim_imports = flags & FLAG_VERBATIM;
    lo->trim_imports = flags & FLAG_TRIM_IMPORTS;
    lo->keep_imports = !lo->trim_imports;
    o->minify_whitespace = flags & FLAG_MINIFY_WHITESPACE;
    o->minify_syntax = flags & FLAG_MINIFY_SYNTAX;
    o->minify_identifiers = flags & FLAG_MINIFY_IDENTIFIERS;
    o->keep_names = flags & FLAG_KEEP_NAMES;
    o->dead_code = flags & FLAG_DEAD_CODE;
    o->inline_constants = flags & FLAG_INLINE;
}

static void take_defines(Reader *r)
{
    Job *j = r->job;
    u32 n = take_u32(r);
    if (!n) return;
    defines_init(&j->defines, &j->arena);
    for (u32 i = 0; i < n; i++) {
        Str key = take_str(r), value = take_str(r);
        const char *what;
        if (r->failed || defines_add(&j->defines, key, value, &what)) continue;
        r->failed = true;
        (void)js_throw_type_error(r->js, "define \"%.*s\": %s", STR_ARG(key), what);
    }
    j->options.defines = &j->defines;
}

static void take_exports(Reader *r)
{
    Job *j = r->job;
    u32 n = take_u32(r);
    ExportEdit *edits = ARENA_ARRAY(&j->arena, ExportEdit, n + 1);
    for (u32 i = 0; i < n; i++) {
        edits[i].kind = take_u32(r) ? EXPORT_REPLACE : EXPORT_ELIMINATE;
        edits[i].name = take_str(r);
        edits[i].new_name = take_str(r);
        edits[i].value = take_str(r);
    }
    j->options.exports = edits;
    j->options.n_exports = n;
}

static void take_macros(Reader *r)
{
    Job *j = r->job;
    j->macros = (MacroOptions){.disabled = take_u32(r), .call = vm_macro_call, .ctx = &j->host};
    j->host = (VmMacros){j->vm, take_str(r)};
    u32 n = take_u32(r);
    MacroMapping *map = ARENA_ARRAY(&j->arena, MacroMapping, n + 1);
    for (u32 i = 0; i < n; i++) {
        Str path = take_str(r), name = take_str(r), target = take_str(r);
        map[i] = (MacroMapping){path, name, target};
    }
    j->macros.map = map;
    j->macros.n_map = n;
    j->options.macros = &j->macros;
}

static bool take_config(Reader *r)
{
    Job *j = r->job;
    take_flags(&j->options, take_u32(r));
    j->source.name = take_str(r);
    j->options.lower.jsx_factory = take_str(r);
    j->options.lower.jsx_fragment = take_str(r);
    j->options.lower.jsx_import_source = take_str(r);
    take_defines(r);
    take_exports(r);
    take_macros(r);
    return !r->failed;
}

static bool take_code(Js *js, Job *j, JsVal code)
{
    Str text = {0};
    JsBytes bytes;
    if (js_bytes(js, code, &bytes))
        text = (Str){(const char *)bytes.p, bytes.n};
    else if (!js_to_str(js, &j->arena, code, &text))
        return false;
    j->source.text = lex_pad(&j->arena, text); /* a copy */
    return true;
}

/* ---- Work: no JavaScript here, this may be a thread of the pool ---- */

static i64 run(LoopReq *req)
{
    Job *j = CONTAINER(Job, req, req);
    log_init(&j->log, &j->arena);
    j->ok = j->is_scan ? scan_file(&j->source, &j->options, &j->arena, &j->log, &j->scanned)
                       : transpile(&j->source, &j->options, &j->arena, &j->log, &j->transpiled);
    return 0;
}

/* ---- Out ---- */

static JsVal messages(Js *js, const Job *j)
{
    JsVal list = js_array(js, NULL, 0);
    for (u32 i = 0; list && i < j->log.msgs.len; i++) {
        const LogMsg *m = &j->log.msgs.at[i];
        LinePos at = source_line(j->source.text, m->at.pos);
        JsVal parts[] = {js_int(js, (i32)m->level),
                         js_str(js, m->text),
                         js_int(js, (i32)at.line),
                         js_int(js, (i32)at.column),
                         js_number(js, (f64)m->at.len),
                         js_number(js, (f64)m->at.pos),
                         js_str(js, at.text)};
        if (!js_set_index(js, list, i, js_array(js, parts, COUNT(parts)))) return NULL;
    }
    return list;
}

static JsVal scan_value(Js *js, const Job *j)
{
    JsVal exports = js_array(js, NULL, 0), list = js_array(js, NULL, 0);
    for (u32 i = 0; i < j->scanned.exports.len; i++)
        if (!js_set_index(js, exports, i, js_str(js, j->scanned.exports.at[i]))) return NULL;
    if (!js_set_index(js, list, 0, exports)) return NULL;
    for (u32 i = 0; i < j->scanned.imports.len; i++) {
        const ScanImport *im = &j->scanned.imports.at[i];
        if (!js_set_index(js, list, i * 2 + 1, js_int(js, (i32)im->kind))) return NULL;
        if (!js_set_index(js, list, i * 2 + 2, js_str(js, im->path))) return NULL;
    }
    return list;
}

static JsVal result_of(Js *js, Job *j)
{
    if (!j->ok) return messages(js, j);
    return j->is_scan ? scan_value(js, j) : js_str(js, buf_str(&j->transpiled.text));
}

static void job_free(Job *j)
{
    js_ref_clear(j->vm->js, &j->callback);
    Transpiled_deinit(&j->transpiled);
    arena_deinit(&j->arena);
    mem_free(j);
}

static void on_done(LoopReq *req, i64 rc)
{
    Job *j = CONTAINER(Job, req, req);
    Vm *vm = j->vm;
    JsVal callback = js_ref_get(vm->js, &j->callback);
    JsVal value = rc < 0 ? JS_NULL : result_of(vm->js, j);
    if (!value) value = js_catch(vm->js);
    job_free(j);
    vm_call(vm, callback, JS_ARGS(value));
}

JS_NATIVE(transpiler_run)
{
    Job *j = MEM_NEW(Job);
    Reader r = {.js = js, .job = j, .config = js_arg(args, 2)};
    JsVal callback = js_arg(args, 3);
    j->vm = vm_of(js);
    j->is_scan = js_get_i32(js, js_arg(args, 0)) == MODE_SCAN;
    if (!take_code(js, j, js_arg(args, 1)) || !take_config(&r)) {
        job_free(j);
        return NULL;
    }
    if (js_is_function(js, callback)) {
        js_ref_set_strong(js, &j->callback, callback);
        j->req.on_done = on_done;
        loop_req_work(j->vm->loop, &j->req, run);
        return JS_UNDEFINED;
    }
    (void)run(&j->req);
    JsVal value = result_of(js, j);
    job_free(j);
    return value;
}

static const JsFn fns[] = {JS_FN("run", transpiler_run)};
BUILTIN_NATIVE(bun_transpiler, fns)
