/* runtime/modules_defer.c -- import defer (the proposal "Deferring Module Evaluation"): a module
 * whose namespace is deferred runs when a property of that is first read.  What awaits below it
 * cannot wait for that and runs with the importer. */
#include "runtime/modules.h"

bool module_has_deferred(const VmModule *m)
{
    for (u32 i = 0; i < m->info.requests.len; i++)
        if (m->info.requests.at[i].phase == PHASE_DEFER) return true;
    return false;
}

void module_gather_async(VmModule *root, Arena *a, ModuleList *ret)
{
    AUTO(Scratch) s = scratch_begin(a);
    ModuleList todo = {0};
    IdMap seen = {0};
    vec_push(s.arena, &todo, root);
    while (todo.len) {
        VmModule *m = vec_pop(&todo);
        bool is_new;
        (void)id_map_put(s.arena, &seen, m->id + 1, &is_new);
        if (!is_new || m->kind != MODULE_ESM || m->is_running || m->state == MODULE_EVALUATED)
            continue;
        if (m->info.has_await) {
            vec_push(a, ret, m);
            continue;
        }
        for (u32 i = m->info.requests.len; i-- > 0;) vec_push(s.arena, &todo, m->deps[i]);
    }
}

static void plan_one(VmModule *m, VmModule *dep)
{
    for (u32 i = 0; i < m->to_run.len; i++)
        if (m->to_run.at[i] == dep) return;
    vec_push(&m->link, &m->to_run, dep);
}

void module_plan(VmModule *m)
{
    AUTO(Scratch) s = scratch_begin(&m->link);
    m->to_run.len = 0;
    for (u32 i = 0; i < m->info.requests.len; i++) {
        VmModule *dep = m->deps[i];
        if (m->info.requests.at[i].phase != PHASE_DEFER || dep->kind != MODULE_ESM) {
            plan_one(m, dep);
            continue;
        }
        ModuleList async = {0};
        module_gather_async(dep, s.arena, &async);
        for (u32 k = 0; k < async.len; k++) plan_one(m, async.at[k]);
    }
}

/* The proposal's ReadyForSyncExecution. */
static bool is_ready(VmModule *root)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    ModuleList todo = {0};
    IdMap seen = {0};
    vec_push(s.arena, &todo, root);
    while (todo.len) {
        VmModule *m = vec_pop(&todo);
        bool is_new;
        (void)id_map_put(s.arena, &seen, m->id + 1, &is_new);
        if (!is_new || m->kind != MODULE_ESM) continue;
        if (m->is_running || m->state == MODULE_EVALUATING_ASYNC) return false;
        if (m->state == MODULE_EVALUATED) continue;
        if (m->info.has_await) return false;
        for (u32 i = 0; i < m->info.requests.len; i++) vec_push(s.arena, &todo, m->deps[i]);
    }
    return true;
}

bool module_run_deferred(VmModule *m)
{
    Js *js = m->vm->js;
    if (!is_ready(m)) {
        (void)js_throw_type_error(js, "The deferred module %.*s is being evaluated",
                                  STR_ARG(m->path));
        return false;
    }
    return vm_esm_evaluate(m->vm, m->id) != NULL;
}
