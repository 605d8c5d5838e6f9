/* runtime/modules_late.c -- test files that replace modules before they import: what they import is
 * loaded when their function asks for it (syntax/lower_mocks.c). */
#include "runtime/modules.h"

#include "util/mem.h"

bool module_may_hoist(const VmModule *m, Str text)
{
    static const char *const words[] = {"jest.mock", "jest.unmock", "vi.mock", "vi.unmock",
                                        "vi.hoisted"};
    if (!m->vm->is_testing || !m->vm->is_all_live) return false;
    for (u32 i = 0; i < COUNT(words); i++)
        if (str_find_str(text, str_z(words[i])) >= 0) return true;
    return false;
}

VmModule *module_stand_in(Vm *vm)
{
    VmModule **slot = &vm->esm->stand_in;
    if (*slot) return *slot;
    VmModule *m = *slot = ARENA_NEW(&vm->arena, VmModule);
    *m = (VmModule){.vm = vm, .kind = MODULE_OBJECT, .state = MODULE_EVALUATED, .dfs_idx = 1};
    m->url = m->path = S("cob:late");
    m->cycle_root = m;
    return m;
}

static bool check_names(VmModule *m, u32 request)
{
    VmModule *dep = m->deps[request];
    for (u32 i = 0; i < m->info.imports.len; i++) {
        const ModuleImport *im = &m->info.imports.at[i];
        if (im->request != request || im->is_namespace) continue;
        ExportFate fate = module_resolve_export(dep, im->imported).fate;
        if (fate == EXPORT_MISSING || fate == EXPORT_AMBIGUOUS)
            return module_throw_missing(m, im->imported, dep, im->pos);
    }
    return true;
}

JsVal vm_esm_late(Vm *vm, u32 id, u32 request)
{
    VmModule *m = module_usable(vm, id);
    if (!m) return NULL;
    ASSERT(request < m->info.requests.len);
    const ModuleRequest *r = &m->info.requests.at[request];
    ModuleList order = {0};
    if (!r->is_late) return JS_UNDEFINED;
    VmModule *dep = module_load(vm, r->specifier, m->path, r->attr_type);
    if (!dep || !module_link(dep, &order)) return NULL;
    m->deps[request] = dep;
    if (!check_names(m, request) || !module_evaluate(dep)) return NULL;
    return dep->cycle_root == m ? JS_UNDEFINED : module_promise(dep);
}

JsVal vm_esm_late_object(Vm *vm, u32 id, u32 request)
{
    VmModule *m = module_usable(vm, id);
    return m ? module_object(m->deps[request], m) : NULL;
}
