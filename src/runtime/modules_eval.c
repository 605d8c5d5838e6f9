/* runtime/modules_eval.c -- running modules in order (ECMA-262, 16.2.1.5.3: Evaluate,
 * ExecuteAsyncModule, GatherAvailableAncestors, AsyncModuleExecutionFulfilled and -Rejected).
 *
 * A graph without top-level await runs in one go.  With it, a module that awaits, or waits for one
 * that does, is EVALUATING_ASYNC until its promise and its dependencies are done. */
#include "runtime/modules.h"

#include "util/path.h"

static JsVal helper(Vm *vm, const char *name)
{
    JsVal helpers = vm_builtin(vm, S("internal/esm"));
    return helpers ? js_get(vm->js, helpers, name) : NULL;
}

static JsVal call_helper(Vm *vm, const char *name, JsArgs args)
{
    JsVal fn = helper(vm, name);
    return fn ? js_call(vm->js, fn, JS_UNDEFINED, args) : NULL;
}

static JsVal id_of(VmModule *m)
{
    return js_number(m->vm->js, m->id);
}

JsVal module_object(VmModule *m, const VmModule *importer)
{
    bool is_node = m->kind == MODULE_CJS && importer && importer->is_node_esm;
    JsRef *ref = is_node ? &m->object_node : &m->object;
    Js *js = m->vm->js;
    JsVal object = js_ref_get(js, ref);
    if (object) return object;
    object = js_object_null_proto(js);
    js_ref_set_strong(js, ref, object);
    return object;
}

/* ---- One module
 * ------------------------------------------------------------------------------------- */

static JsVal compile(VmModule *m)
{
    AUTO(Buf) text = {0};
    if (!module_emit(m, &text)) return NULL;
    JsVal fn = vm_eval_module(m->vm, buf_str(&text), m->url);
    module_keep_original(m, m->url);
    return fn;
}

bool module_compile(VmModule *m)
{
    Js *js = m->vm->js;
    JsVal fn = compile(m);
    if (!fn && !m->full) {
        /* The fast path looks for no conflicts of names.  The full path says what is wrong, or
         * finds that one of the names is a type's. */
        (void)js_catch(js);
        fn = module_reparse(m) ? compile(m) : NULL;
    }
    if (fn) js_ref_set_strong(js, &m->function, fn);
    return fn != NULL;
}

/* Calls the module's function: a generator for those in a cycle, else it has run when this returns.
 */
static JsVal call_function(VmModule *m)
{
    Js *js = m->vm->js;
    JsVal fn = js_ref_get(js, &m->function);
    ASSERT(fn);
    js_ref_clear(js, &m->function);
    JsVal context = module_object(m, NULL);
    if (module_needs_context(&m->info)) {
        context = call_helper(m->vm, "makeContext", JS_ARGS(id_of(m), context));
        if (!context) return NULL;
        js_ref_set_strong(js, &m->context, context); /* the collector does not look into arenas */
    }
    AUTO(Scratch) s = scratch_begin(NULL);
    u32 n = m->info.requests.len;
    JsVal *args = ARENA_ARRAY(s.arena, JsVal, n + 4);
    args[0] = context;
    for (u32 i = 0; i < n; i++) args[i + 1] = module_object(m->deps[i], m);
    u32 len = n + 1;
    if (m->info.has_require) {
        args[len] = call_helper(m->vm, "requireOf", JS_ARGS(js_str(js, m->path)));
        if (!args[len]) return NULL;
        js_ref_set_strong(js, &m->require, args[len++]);
    }
    if (m->info.has_filename) {
        js_ref_set_strong(js, &m->filename, js_str(js, m->path));
        js_ref_set_strong(js, &m->dirname, js_str(js, path_dirname(m->path)));
        args[len++] = js_ref_get(js, &m->filename);
        args[len++] = js_ref_get(js, &m->dirname);
    }
    return js_call(js, fn, JS_UNDEFINED, (JsArgs){.at = args, .len = len});
}

/* What the export is will not change: it is copied. */
static bool is_settled(const ResolvedExport *r)
{
    const VmModule *m = r->module;
    return r->fate == EXPORT_FOUND && m->kind == MODULE_ESM && m->info.is_handed_last &&
           m->state == MODULE_EVALUATED && !m->has_error && !str_eq(r->name, S("__proto__"));
}

static bool forward(VmModule *m, Str name, const ResolvedExport *r)
{
    Js *js = m->vm->js;
    JsVal own = module_object(m, NULL), label = js_str(js, name);
    if (r->fate == EXPORT_IS_NS) {
        JsVal ns =
            r->is_deferred ? module_deferred_namespace(r->module) : module_namespace(r->module);
        return ns && call_helper(m->vm, "forward", JS_ARGS(own, label, ns, JS_NULL));
    }
    JsVal from = module_object(r->module, m);
    JsVal key = str_eq(name, r->name) ? label : js_str(js, r->name);
    if (!is_settled(r)) return call_helper(m->vm, "forward", JS_ARGS(own, label, from, key));
    JsVal value = js_get_key(js, from, key);
    return value && js_set_key(js, own, label, value);
}

static bool has_foreign(const VmModule *m)
{
    for (u32 i = 0; i < m->info.exports.len; i++)
        if (m->info.exports.at[i].kind != EXPORT_LOCAL) return true;
    return false;
}

/* Exports that this module has from others; theirs exist by now. */
static bool link_exports(VmModule *m)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    NameList names = {0};
    if (!has_foreign(m)) return true;
    module_export_names(m, s.arena, &names);
    for (u32 i = 0; i < names.len; i++) {
        ResolvedExport r = module_resolve_export(m, names.at[i]);
        if (r.module == m && r.fate == EXPORT_FOUND && str_eq(r.name, names.at[i])) continue;
        if (!forward(m, names.at[i], &r)) return false;
    }
    for (u32 i = 0; i < m->info.exports.len; i++) {
        const ModuleExport *e = &m->info.exports.at[i];
        if (e->kind != EXPORT_STAR || m->deps[e->request]->kind == MODULE_ESM) continue;
        JsVal own = module_object(m, NULL), from = module_object(m->deps[e->request], m);
        if (!call_helper(m->vm, "forwardAll", JS_ARGS(own, from))) return false;
    }
    return true;
}

/* Names of modules that were not known before they ran. */
static bool check_dynamic(VmModule *m)
{
    Js *js = m->vm->js;
    for (u32 i = 0; i < m->info.imports.len; i++) {
        const ModuleImport *im = &m->info.imports.at[i];
        if (im->is_namespace || m->info.requests.at[im->request].is_late) continue;
        VmModule *dep = m->deps[im->request];
        if (module_resolve_export(dep, im->imported).fate != EXPORT_DYNAMIC) continue;
        JsVal has = call_helper(m->vm, "hasExport",
                                JS_ARGS(module_object(dep, m), js_str(js, im->imported)));
        if (!has) return false;
        if (js_truthy(js, has) || dep->component == m->component) continue;
        /* As in Bun: names that only its types have, or that are not there yet, are undefined. */
        if (str_eq(dep->path, S("bun:bun"))) continue;
        return module_throw_missing(m, im->imported, dep, im->pos);
    }
    return true;
}

/* The first step of every module of a cycle: functions are hoisted, exports handed over. */
static bool begin_cycle(VmModule *m, const ModuleList *order)
{
    Js *js = m->vm->js;
    for (u32 i = 0; i < order->len; i++) {
        VmModule *x = order->at[i];
        if (x->component != m->component || x->state != MODULE_LINKED) continue;
        JsVal generator = call_function(x);
        if (!generator) return false;
        js_ref_set_strong(js, &x->generator, generator);
        JsVal next = js_get(js, generator, "next");
        if (!next || !js_call(js, next, generator, JS_NO_ARGS)) return false;
        x->state = MODULE_READY;
    }
    for (u32 i = 0; i < order->len; i++)
        if (order->at[i]->component == m->component && !link_exports(order->at[i])) return false;
    return true;
}

/* Runs the body.  The result is a promise when the module awaits. */
static JsVal run_body(VmModule *m)
{
    Js *js = m->vm->js;
    if (!check_dynamic(m)) return NULL;
    if (!m->in_cycle) return link_exports(m) ? call_function(m) : NULL;
    JsVal generator = js_ref_get(js, &m->generator);
    ASSERT(generator);
    JsVal next = js_get(js, generator, "next");
    JsVal result = next ? js_call(js, next, generator, JS_NO_ARGS) : NULL;
    js_ref_clear(js, &m->generator);
    return result;
}

/* CommonJS, JSON, text, built-ins: their value becomes the exports. */
static bool run_other(VmModule *m)
{
    static const char *const makers[] = {
        [MODULE_CJS] = "loadCommonJs", [MODULE_JSON] = "loadJson", [MODULE_TEXT] = "loadText",
        [MODULE_BYTES] = "loadBytes",  [MODULE_FILE] = "loadFile", [MODULE_BUILTIN] = "loadBuiltin",
        [MODULE_DATA] = "loadData",    [MODULE_CSS] = "loadCss",   [MODULE_HTML] = "loadHtml",
        [MODULE_OBJECT] = "loadObject"};
    Js *js = m->vm->js;
    JsVal object = module_object(m, NULL), node = JS_UNDEFINED;
    if (m->kind == MODULE_CJS) {
        VmModule importer = {.is_node_esm = true};
        node = module_object(m, &importer);
    }
    /* With an attribute a JSON module has a default export and nothing else, as the standard says.
     */
    if (m->kind == MODULE_DATA) node = js_str(js, m->data);
    if (m->kind == MODULE_JSON) node = js_boolean(str_ends(m->url, S("#type=json")));
    bool by_url = m->kind == MODULE_BUILTIN || m->kind == MODULE_OBJECT;
    JsVal url = js_str(js, by_url ? m->url : m->path);
    return call_helper(m->vm, makers[m->kind], JS_ARGS(url, object, node)) != NULL;
}

/* ---- States
 * ------------------------------------------------------------------------------------------ */

static void settle(VmModule *m, JsRef *fn, JsVal value)
{
    Js *js = m->vm->js;
    JsVal call = js_ref_get(js, fn);
    if (!call) return;
    js_ref_clear(js, &m->resolve);
    js_ref_clear(js, &m->reject);
    if (call != NULL && !js_call(js, call, JS_UNDEFINED, JS_ARGS(value))) (void)js_catch(js);
}

static void fail(VmModule *m, JsVal error)
{
    m->state = MODULE_EVALUATED;
    m->has_error = true;
    js_ref_set_strong(m->vm->js, &m->error, error);
}

static void reject(VmModule *m, JsVal error)
{
    ModuleList todo = {0};
    AUTO(Scratch) s = scratch_begin(NULL);
    vec_push(s.arena, &todo, m);
    while (todo.len) {
        VmModule *x = vec_pop(&todo);
        if (x->has_error) continue;
        fail(x, error);
        settle(x, &x->reject, error);
        for (u32 i = 0; i < x->async_parents.len; i++)
            vec_push(s.arena, &todo, x->async_parents.at[i]);
    }
}

static bool execute_async(VmModule *m)
{
    JsVal promise = run_body(m);
    if (!promise || !call_helper(m->vm, "watch", JS_ARGS(id_of(m), promise))) {
        reject(m, js_catch(m->vm->js));
        return false;
    }
    return true;
}

static void gather(VmModule *m, Arena *a, ModuleList *ret)
{
    for (u32 i = 0; i < m->async_parents.len; i++) {
        VmModule *p = m->async_parents.at[i];
        if (p->has_error || p->state != MODULE_EVALUATING_ASYNC || !p->pending_deps) continue;
        if (--p->pending_deps) continue;
        vec_push(a, ret, p);
        if (!p->info.has_await) gather(p, a, ret);
    }
}

static void sort_by_order(ModuleList *l)
{
    for (u32 i = 1; i < l->len; i++) {
        VmModule *m = l->at[i];
        u32 k = i;
        for (; k > 0 && l->at[k - 1]->async_order > m->async_order; k--) l->at[k] = l->at[k - 1];
        l->at[k] = m;
    }
}

static void finish(VmModule *m)
{
    m->state = MODULE_EVALUATED;
    settle(m, &m->resolve, JS_UNDEFINED);
}

void module_fulfilled(VmModule *m)
{
    if (m->state != MODULE_EVALUATING_ASYNC) return;
    finish(m);
    AUTO(Scratch) s = scratch_begin(NULL);
    ModuleList ready = {0};
    gather(m, s.arena, &ready);
    sort_by_order(&ready);
    for (u32 i = 0; i < ready.len; i++) {
        VmModule *x = ready.at[i];
        if (x->has_error) continue;
        if (x->info.has_await)
            (void)execute_async(x);
        else if (run_body(x))
            finish(x);
        else
            reject(x, js_catch(x->vm->js));
    }
}

void module_rejected(VmModule *m, JsVal error)
{
    reject(m, error);
}

/* Counts the dependencies of `m` that are still running. */
static bool count_deps(VmModule *m, JsVal *ret_error)
{
    Vm *vm = m->vm;
    m->pending_deps = 0;
    bool is_planned = module_has_deferred(m);
    u32 n = is_planned ? m->to_run.len : m->info.requests.len;
    for (u32 i = 0; i < n; i++) {
        VmModule *d = is_planned ? m->to_run.at[i] : m->deps[i];
        if (d->component != m->component) d = d->cycle_root;
        if (d->has_error) {
            *ret_error = js_ref_get(vm->js, &d->error);
            return false;
        }
        if (d == m || d->state != MODULE_EVALUATING_ASYNC) continue;
        m->pending_deps++;
        vec_push(&vm->arena, &d->async_parents, m);
    }
    return true;
}

/* One module of the order, whose dependencies have been here.  false: it failed, see its error. */
static bool step(VmModule *m, const ModuleList *order)
{
    Js *js = m->vm->js;
    if (m->has_error) return false;
    if (m->state >= MODULE_EVALUATING_ASYNC) return true;
    JsVal error;
    if (m->kind != MODULE_ESM) {
        if (run_other(m))
            m->state = MODULE_EVALUATED;
        else
            fail(m, js_catch(js));
        return !m->has_error;
    }
    if (m->in_cycle && m->state == MODULE_LINKED && !begin_cycle(m, order)) {
        fail(m, js_catch(js));
        return false;
    }
    if (!count_deps(m, &error)) {
        fail(m, error);
        return false;
    }
    if (m->pending_deps || m->info.has_await) {
        m->state = MODULE_EVALUATING_ASYNC;
        m->async_order = ++m->vm->esm->async_count;
        return m->pending_deps ? true : execute_async(m);
    }
    m->state = MODULE_EVALUATED; /* before it runs: it may import itself dynamically */
    if (run_body(m)) return true;
    fail(m, js_catch(js));
    return false;
}

typedef struct {
    ModuleList order;   /* everything below the root that has not run */
    ModuleList entered; /* the same, importers before what they import */
} Plan;

/* What the module runs first. */
static u32 n_to_run(const VmModule *m)
{
    if (m->kind != MODULE_ESM) return 0;
    return module_has_deferred(m) ? m->to_run.len : m->info.requests.len;
}

static VmModule *to_run_at(const VmModule *m, u32 i)
{
    return module_has_deferred(m) ? m->to_run.at[i] : m->deps[i];
}

static void enter(VmModule *m, Arena *a, Plan *plan)
{
    m->entered_at = plan->order.len;
    vec_push(a, &plan->entered, m);
    if (m->kind == MODULE_ESM && module_has_deferred(m)) module_plan(m);
}

static void make_plan(VmModule *root, Arena *a, Plan *plan)
{
    typedef struct {
        VmModule *module;
        u32 next;
    } Frame;
    Vec(Frame) frames = {0};
    IdMap seen = {0};
    (void)id_map_put(a, &seen, root->id + 1, NULL);
    enter(root, a, plan);
    vec_push(a, &frames, ((Frame){.module = root}));
    while (frames.len) {
        Frame *f = vec_last(&frames);
        VmModule *m = f->module;
        m->is_running = true;
        if (f->next >= n_to_run(m)) {
            m->is_running = false;
            vec_push(a, &plan->order, m);
            (void)vec_pop(&frames);
            continue;
        }
        VmModule *dep = to_run_at(m, f->next++);
        bool is_new;
        (void)id_map_put(a, &seen, dep->id + 1, &is_new);
        if (!is_new || dep->is_running) continue;
        if (dep->state != MODULE_EVALUATED) {
            enter(dep, a, plan);
            vec_push(a, &frames, ((Frame){.module = dep}));
        } else if (dep->has_error) {
            vec_push(a, &plan->order, dep);
        }
    }
}

/* The module and all of its cycle are done, or wait. */
static void leave(VmModule *m, const Plan *plan, u32 n_entered)
{
    if (m->cycle_root != m) return;
    for (u32 i = 0; i < n_entered; i++) {
        VmModule *x = plan->entered.at[i];
        if (x->component == m->component) x->is_running = false;
    }
}

/* A module runs, as import defer sees it, from when the walk comes to it until it leaves its cycle.
 */
static bool run_plan(VmModule *root, const Plan *plan)
{
    Js *js = root->vm->js;
    u32 n_entered = 0;
    for (u32 i = 0; i < plan->order.len; i++) {
        while (n_entered < plan->entered.len && plan->entered.at[n_entered]->entered_at <= i)
            plan->entered.at[n_entered++]->is_running = true;
        VmModule *m = plan->order.at[i];
        bool ok = step(m, &plan->order);
        if (m->in_cycle)
            leave(m, plan, n_entered);
        else
            m->is_running = false;
        if (ok) continue;
        for (u32 k = 0; k < n_entered; k++) {
            VmModule *x = plan->entered.at[k];
            x->is_running = false;
        }
        JsVal error = js_ref_get(js, &m->error);
        if (m != root && !root->has_error) fail(root, error);
        js_throw(js, error);
        return false;
    }
    return true;
}

bool module_evaluate(VmModule *root)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Plan plan = {0};
    if (root->is_running) return true;
    make_plan(root, s.arena, &plan);
    return run_plan(root, &plan);
}

/* ---- Results
 * ------------------------------------------------------------------------------------------ */

JsVal module_promise(VmModule *m)
{
    VmModule *root = m->cycle_root;
    Js *js = m->vm->js;
    if (root->state != MODULE_EVALUATING_ASYNC) return JS_UNDEFINED;
    JsVal promise = js_ref_get(js, &root->promise);
    if (promise) return promise;
    JsPromise p;
    if (!js_promise(js, &p)) return NULL;
    js_ref_set_strong(js, &root->resolve, p.resolve);
    js_ref_set_strong(js, &root->reject, p.reject);
    js_ref_set_strong(js, &root->promise, p.promise);
    return p.promise;
}

static JsVal get_namespace(VmModule *m, JsRef *ref, JsVal deferred_id)
{
    Js *js = m->vm->js;
    JsVal ns = js_ref_get(js, ref);
    if (ns) return ns;
    AUTO(Scratch) s = scratch_begin(NULL);
    NameList names = {0};
    JsVal list = JS_NULL; /* the object's own keys, when it is complete */
    if (m->kind == MODULE_ESM) {
        module_export_names(m, s.arena, &names);
        list = js_array(js, NULL, 0);
        for (u32 i = 0; i < names.len; i++)
            if (!js_set_index(js, list, i, js_str(js, names.at[i]))) return NULL;
    }
    ns = call_helper(m->vm, "makeNamespace", JS_ARGS(module_object(m, NULL), list, deferred_id));
    if (ns) js_ref_set_strong(js, ref, ns);
    return ns;
}

JsVal module_namespace(VmModule *m)
{
    return get_namespace(m, &m->ns, JS_UNDEFINED);
}

JsVal module_deferred_namespace(VmModule *m)
{
    return get_namespace(m, &m->deferred_ns, id_of(m));
}
