/* runtime/modules_link.c -- which export every import means, and what is in a cycle with what.
 *
 * The order of evaluation is that of a depth-first walk, dependencies first
 * (ECMA-262, 16.2.1.5.3.1); Tarjan's algorithm on the same walk finds the cycles.  The walk keeps
 * its own stack: graphs can be thousands of modules deep. */
#include "runtime/modules.h"

enum { EXPORT_DEPTH_MAX = 1000 }; /* export { x } from a file that has it from another, and so on */

/* ---- Exports
 * -------------------------------------------------------------------------------------- */

typedef struct {
    VmModule *module;
    Str name;
} Visit;
typedef Vec(Visit) Visits;

static ResolvedExport resolve(VmModule *m, Str name, Visits *seen, Arena *a);

static ResolvedExport resolve_stars(VmModule *m, Str name, Visits *seen, Arena *a)
{
    ResolvedExport found = {.fate = EXPORT_MISSING};
    if (str_eq(name, S("default"))) return found;
    for (u32 i = 0; i < m->info.exports.len; i++) {
        const ModuleExport *e = &m->info.exports.at[i];
        if (e->kind != EXPORT_STAR) continue;
        ResolvedExport r = resolve(m->deps[e->request], name, seen, a);
        if (r.fate == EXPORT_MISSING) continue;
        if (r.fate == EXPORT_AMBIGUOUS) return r;
        /* A module whose names are not known yet only counts when nobody else has the name. */
        if (found.fate == EXPORT_MISSING || found.fate == EXPORT_DYNAMIC)
            found = r;
        else if (r.fate != EXPORT_DYNAMIC &&
                 (r.module != found.module || !str_eq(r.name, found.name)))
            return (ResolvedExport){.fate = EXPORT_AMBIGUOUS};
    }
    return found;
}

static ResolvedExport resolve_one(VmModule *m, const ModuleExport *e, Visits *seen, Arena *a)
{
    switch (e->kind) {
    case EXPORT_LOCAL:
        return (ResolvedExport){
            .fate = EXPORT_FOUND, .module = m, .name = e->name, .is_constant = e->constant};
    case EXPORT_NAMESPACE:
        return (ResolvedExport){.fate = EXPORT_IS_NS,
                                .module = m->deps[e->request],
                                .name = e->name,
                                .is_constant = true,
                                .is_deferred =
                                    m->info.requests.at[e->request].phase == PHASE_DEFER};
    case EXPORT_INDIRECT: return resolve(m->deps[e->request], e->local, seen, a);
    case EXPORT_STAR: break;
    }
    BUG("a star export has no name");
}

/* ECMA-262, ResolveExport. */
static ResolvedExport resolve(VmModule *m, Str name, Visits *seen, Arena *a)
{
    static const ResolvedExport missing = {.fate = EXPORT_MISSING};
    if (m->kind != MODULE_ESM)
        return (ResolvedExport){
            .fate = EXPORT_DYNAMIC, .module = m, .name = name, .is_constant = true};
    for (u32 i = 0; i < seen->len; i++)
        if (seen->at[i].module == m && str_eq(seen->at[i].name, name)) return missing;
    if (seen->len >= EXPORT_DEPTH_MAX) return missing;
    vec_push(a, seen, ((Visit){.module = m, .name = name}));
    for (u32 i = 0; i < m->info.exports.len; i++) {
        const ModuleExport *e = &m->info.exports.at[i];
        if (e->kind != EXPORT_STAR && str_eq(e->name, name)) return resolve_one(m, e, seen, a);
    }
    return resolve_stars(m, name, seen, a);
}

ResolvedExport module_resolve_export(VmModule *m, Str name)
{
    const u64 *slot = str_map_find(&m->resolved, name);
    if (slot) return *(const ResolvedExport *)(uintptr_t)*slot;
    AUTO(Scratch) s = scratch_begin(NULL);
    Visits seen = {0};
    ResolvedExport r = resolve(m, name, &seen, s.arena);
    ResolvedExport *kept = ARENA_NEW(&m->link, ResolvedExport);
    *kept = r;
    *str_map_put(&m->link, &m->resolved, str_dup(&m->link, name), NULL) = (u64)(uintptr_t)kept;
    return r;
}

static void collect_names(VmModule *m, Arena *a, StrMap *names, IdMap *visited, bool is_root)
{
    bool is_new;
    (void)id_map_put(a, visited, (u64)(uintptr_t)m, &is_new);
    if (!is_new || m->kind != MODULE_ESM) return;
    for (u32 i = 0; i < m->info.exports.len; i++) {
        const ModuleExport *e = &m->info.exports.at[i];
        if (e->kind == EXPORT_STAR)
            collect_names(m->deps[e->request], a, names, visited, false);
        else if (is_root || !str_eq(e->name, S("default")))
            (void)str_map_put(a, names, e->name, NULL);
    }
}

void module_export_names(VmModule *m, Arena *a, NameList *ret)
{
    StrMap names = {0};
    IdMap visited = {0};
    collect_names(m, a, &names, &visited, true);
    u32 pos = 0;
    for (StrMapSlot *s; (s = str_map_next(&names, &pos));) {
        ExportFate fate = module_resolve_export(m, s->key).fate;
        if (fate != EXPORT_MISSING && fate != EXPORT_AMBIGUOUS) vec_push(a, ret, s->key);
    }
}

bool module_is_live(VmModule *m, const ModuleImport *import)
{
    VmModule *dep = m->deps[import->request];
    if (m->info.requests.at[import->request].is_late) return true;
    if (m->info.requests.at[import->request].phase == PHASE_DEFER) return false;
    if (dep->kind == MODULE_ESM && dep->component == m->component) return true;
    if (import->is_namespace) return false;
    if (m->vm->is_all_live && !str_eq(dep->url, S("bun:test"))) return true;
    ResolvedExport r = module_resolve_export(dep, import->imported);
    if (r.module && r.module->kind == MODULE_ESM && r.module->component == m->component)
        return true;
    return !r.is_constant;
}

/* ---- Errors
 * ----------------------------------------------------------------------------------------- */

static bool throw_export(VmModule *m, Str name, const VmModule *dep, u32 pos, bool is_ambiguous)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Js *js = m->vm->js;
    Str text = str_fmt(s.arena,
                       is_ambiguous ? "Export named '%.*s' is ambiguous in module '%.*s'."
                                    : "Export named '%.*s' not found in module '%.*s'.",
                       STR_ARG(name), STR_ARG(dep->path));
    JsVal type = js_get(js, js_global(js), "SyntaxError");
    JsVal error = type ? js_construct(js, type, JS_ARGS(js_str(js, text))) : NULL;
    if (!error) return false;
    Str source;
    LinePos at = {0};
    if (vm_read_text(m->vm, s.arena, m->path, &source))
        at = source_line(source, pos);
    else
        (void)js_catch(js);
    Str stack = str_fmt(s.arena, "SyntaxError: %.*s\n    at %.*s:%u:%u", STR_ARG(text),
                        STR_ARG(m->path), at.line, at.column);
    if (js_define(js, error, "stack", js_str(js, stack), false)) js_throw(js, error);
    return false;
}

bool module_throw_missing(VmModule *m, Str name, const VmModule *dep, u32 pos)
{
    return throw_export(m, name, dep, pos, false);
}

static bool check_imports(VmModule *m)
{
    for (u32 i = 0; i < m->info.imports.len; i++) {
        const ModuleImport *im = &m->info.imports.at[i];
        if (im->is_namespace) continue;
        VmModule *dep = m->deps[im->request];
        ExportFate fate = module_resolve_export(dep, im->imported).fate;
        if (fate == EXPORT_MISSING || fate == EXPORT_AMBIGUOUS)
            return throw_export(m, im->imported, dep, im->pos, fate == EXPORT_AMBIGUOUS);
    }
    for (u32 i = 0; i < m->info.exports.len; i++) {
        const ModuleExport *e = &m->info.exports.at[i];
        if (e->kind != EXPORT_INDIRECT) continue;
        VmModule *dep = m->deps[e->request];
        ExportFate fate = module_resolve_export(dep, e->local).fate;
        /* TypeScript re-exports types without saying so: what does not exist was one. */
        if (fate == EXPORT_MISSING && m->is_typescript) continue;
        if (fate == EXPORT_MISSING || fate == EXPORT_AMBIGUOUS)
            return throw_export(m, e->local, dep, e->pos, fate == EXPORT_AMBIGUOUS);
    }
    return true;
}

/* A file of the fast path cannot read an import at every use. */
static bool choose_path(VmModule *m)
{
    if (m->full) return true;
    for (u32 i = 0; i < m->info.imports.len; i++) {
        const ModuleImport *im = &m->info.imports.at[i];
        if (!im->is_namespace && module_is_live(m, im)) return module_reparse(m);
    }
    return true;
}

/* ---- The walk
 * ------------------------------------------------------------------------------------------ */

typedef struct {
    VmModule *module;
    u32 next; /* request */
} Frame;
typedef Vec(Frame) Frames;

typedef struct {
    Arena *arena;
    struct VmModules *all;
    Frames frames;
    ModuleList stack;    /* Tarjan's */
    ModuleList deferred; /* walked later: what is deferred is in no cycle by that */
    ModuleList *order;
} Walk;

static void enter(Walk *w, VmModule *m)
{
    m->dfs_idx = m->dfs_low = ++w->all->dfs_count;
    m->is_on_stack = true;
    vec_push(w->arena, &w->stack, m);
    vec_push(w->arena, &w->frames, ((Frame){.module = m}));
}

static void leave(Walk *w, VmModule *m)
{
    vec_push(w->arena, w->order, m);
    if (m->dfs_low != m->dfs_idx) return;
    u32 component = ++w->all->component_count;
    VmModule *top;
    do {
        top = vec_pop(&w->stack);
        top->is_on_stack = false;
        top->component = component;
        top->cycle_root = m;
        top->in_cycle = top->in_cycle || top != m;
        m->in_cycle = m->in_cycle || top != m;
    } while (top != m);
}

static void visit(Walk *w, VmModule *m, u32 request)
{
    VmModule *dep = m->deps[request];
    if (dep->kind == MODULE_ESM && m->info.requests.at[request].phase == PHASE_DEFER) {
        vec_push(w->arena, &w->deferred, dep);
        return;
    }
    if (dep == m) m->in_cycle = true;
    if (dep->kind != MODULE_ESM) {
        if (dep->dfs_idx) return;
        dep->dfs_idx = dep->dfs_low = ++w->all->dfs_count;
        dep->component = ++w->all->component_count;
        vec_push(w->arena, w->order, dep);
    } else if (!dep->dfs_idx) {
        enter(w, dep);
    } else if (dep->is_on_stack) {
        m->dfs_low = MIN(m->dfs_low, dep->dfs_idx);
    }
}

static void walk(Walk *w, VmModule *root)
{
    enter(w, root);
    while (w->frames.len) {
        Frame *f = vec_last(&w->frames);
        VmModule *m = f->module;
        if (f->next < m->info.requests.len) {
            visit(w, m, f->next++);
            continue;
        }
        (void)vec_pop(&w->frames);
        if (w->frames.len) {
            VmModule *parent = vec_last(&w->frames)->module;
            parent->dfs_low = MIN(parent->dfs_low, m->dfs_low);
        }
        leave(w, m);
    }
}

/* Undoes a walk that ended in an error, so that a later import may try again. */
static void forget(const ModuleList *order)
{
    for (u32 i = 0; i < order->len; i++) {
        VmModule *m = order->at[i];
        if (m->state != MODULE_LOADED) continue;
        m->dfs_idx = m->dfs_low = 0;
        m->in_cycle = false;
        m->resolved = (StrMap){0};
    }
}

bool module_link(VmModule *root, ModuleList *ret_order)
{
    Vm *vm = root->vm;
    if (root->dfs_idx) return true;
    if (root->kind != MODULE_ESM) {
        vec_push(&vm->arena, ret_order, root);
        return true;
    }
    Walk w = {.arena = &vm->arena, .all = vm->esm, .order = ret_order};
    walk(&w, root);
    while (w.deferred.len) {
        VmModule *m = vec_pop(&w.deferred);
        if (!m->dfs_idx) walk(&w, m);
    }
    bool ok = true;
    for (u32 i = 0; ok && i < ret_order->len; i++) {
        VmModule *m = ret_order->at[i];
        if (m->kind == MODULE_ESM && m->state == MODULE_LOADED)
            ok = check_imports(m) && choose_path(m) && module_compile(m);
    }
    if (!ok) {
        forget(ret_order);
        return false;
    }
    for (u32 i = 0; i < ret_order->len; i++)
        if (ret_order->at[i]->state == MODULE_LOADED) ret_order->at[i]->state = MODULE_LINKED;
    return true;
}
