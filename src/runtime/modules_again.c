/* runtime/modules_again.c -- test files load their modules anew: what is forgotten between two of
 * them, what of it is freed, and what serves again.
 *
 * A module is only its source once nothing of it runs: the engine's objects are let go, and what
 * linking made.  If it is a plain file that took the fast path it waits, parsed, for the next test
 * file that loads it; the rest is freed, but for its URL and path, by which code that is still
 * there may import. */
#include "runtime/modules.h"

#include "sys/sys.h"

void module_stamp(VmModule *m)
{
    if (!m->vm->is_testing || sys_stat(m->path, &m->stamp) < 0) m->stamp = (SysStat){0};
}

static bool is_same_file(const VmModule *m)
{
    SysStat st;
    const SysStat *old = &m->stamp;
    return old->ino && sys_stat(m->path, &st) == 0 && st.ino == old->ino && st.size == old->size &&
           st.mtime.s == old->mtime.s && st.mtime.ns == old->mtime.ns &&
           st.ctime.s == old->ctime.s && st.ctime.ns == old->ctime.ns;
}

static void drop_values(VmModule *m)
{
    JsRef *const refs[] = {&m->function, &m->object,    &m->object_node, &m->ns,
                           &m->context,  &m->require,   &m->deferred_ns, &m->filename,
                           &m->dirname,  &m->generator, &m->error,       &m->resolve,
                           &m->reject,   &m->promise};
    for (u32 i = 0; i < COUNT(refs); i++) js_ref_clear(m->vm->js, refs[i]);
}

static void drop_links(VmModule *m)
{
    arena_deinit(&m->link);
    m->link = (Arena){0};
    m->deps = NULL;
    m->resolved = (StrMap){0};
    m->to_run.at = NULL;
    m->to_run.len = m->to_run.cap = 0;
    m->async_parents.at = NULL;
    m->async_parents.len = m->async_parents.cap = 0;
}

/* Its ending says that it is code, whoever asks for it. */
static bool is_code(Str path)
{
    static const char *const endings[] = {".js",  ".ts",  ".mjs", ".cjs",
                                          ".mts", ".cts", ".jsx", ".tsx"};
    for (u32 i = 0; i < COUNT(endings); i++)
        if (str_ends(path, str_z(endings[i]))) return true;
    return false;
}

/* Nothing but its text decides what it is. */
static bool can_serve(const VmModule *m)
{
    return is_code(m->path) && (m->kind == MODULE_ESM || m->kind == MODULE_CJS) && !m->full &&
           !m->is_hooked && m->state == MODULE_EVALUATED && m->source.p &&
           str_eq(m->url, m->path) && m->stamp.ino;
}

static void make_spare(VmModule *m)
{
    m->state = MODULE_LOADED;
    m->dfs_idx = m->dfs_low = m->component = 0;
    m->in_cycle = m->is_on_stack = m->is_complete = m->has_error = false;
    m->cycle_root = m;
    m->pending_deps = m->entered_at = 0;
    m->async_order = 0;
}

static void release(VmModule *m)
{
    struct VmModules *all = m->vm->esm;
    bool is_new;
    drop_values(m);
    drop_links(m);
    u64 *slot = can_serve(m) ? str_map_put(&m->vm->arena, &all->spares, m->url, &is_new) : NULL;
    if (slot && is_new) {
        make_spare(m);
        *slot = (u64)(uintptr_t)m;
        return;
    }
    m->is_released = true;
    vm_drop_original(m->vm, m->url, m);
    /* What is kept on disk at the end is written from the modules that were parsed for it. */
    if (m->vm->code && !m->full) return;
    arena_deinit(&m->arena);
    m->arena = (Arena){0};
    m->info = (ModuleInfo){0};
    m->source = m->text = (Str){0};
}

VmModule *module_take_spare(Vm *vm, Str url)
{
    u64 *slot = vm->is_testing ? str_map_find(&vm->esm->spares, url) : NULL;
    if (!slot) return NULL;
    VmModule *m = (VmModule *)(uintptr_t)*slot;
    (void)str_map_del(&vm->esm->spares, url);
    if (!is_same_file(m)) return NULL;
    module_register(m);
    return m;
}

/* It runs, or waits for something that does. */
static bool is_busy(const VmModule *m)
{
    return m->is_running || m->state == MODULE_EVALUATING_ASYNC || m->state == MODULE_READY;
}

static bool is_any_busy(const Vm *vm)
{
    for (u32 i = vm->esm->n_kept; i < vm->esm->all.len; i++)
        if (is_busy(vm->esm->all.at[i])) return true;
    return false;
}

void vm_esm_forget(Vm *vm, bool is_over)
{
    if (!vm->esm) return;
    struct VmModules *all = vm->esm;
    bool is_freed = is_over && !is_any_busy(vm);
    for (u32 i = all->n_kept; i < all->all.len; i++) {
        VmModule *m = all->all.at[i];
        if (m->kind == MODULE_BUILTIN || m->is_released) continue;
        const u64 *known = str_map_find(&all->by_url, m->url);
        if (known && *known == (u64)(uintptr_t)m) (void)str_map_del(&all->by_url, m->url);
        if (is_freed) release(m);
    }
    if (is_over) all->n_kept = all->all.len;
}
