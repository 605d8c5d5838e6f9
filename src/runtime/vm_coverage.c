/* runtime/vm_coverage.c -- which lines and functions of the program's files have run (vm.h). */
#include "runtime/vm.h"

#include "syntax/print.h"

#include <string.h>

typedef struct VmCoverage {
    StrMap by_path; /* -> VmCovered * */
    Vec(VmCovered *) files;
} VmCoverage;

bool vm_covers(const Vm *vm, Str path)
{
    return vm->options->covers && vm->options->covers(path);
}

VmCovered *vm_covered(Vm *vm, Str path)
{
    if (!vm->coverage) vm->coverage = ARENA_NEW(&vm->arena, VmCoverage);
    VmCoverage *c = vm->coverage;
    u64 *slot = str_map_find(&c->by_path, path);
    if (slot) return (VmCovered *)(uintptr_t)*slot;
    VmCovered *f = ARENA_NEW(&vm->arena, VmCovered);
    f->path = str_dup(&vm->arena, path);
    f->name = str_fmt(&vm->arena, "$cobCounts%u", c->files.len);
    *str_map_put(&vm->arena, &c->by_path, f->path, NULL) = (u64)(uintptr_t)f;
    vec_push(&vm->arena, &c->files, f);
    return f;
}

/* Lines of ascending or wild positions: counted on from the last one while they ascend. */
static void fill_lines(VmCovered *f, Str source, const PrintCounters *counters)
{
    u32 at = 0, line = 1;
    for (u32 i = 0; i < f->n; i++) {
        u32 pos = MIN(counters->at.at[i].pos, (u32)source.n);
        if (pos < at) {
            at = 0;
            line = 1;
        }
        for (; at < pos; at++) line += source.p[at] == '\n';
        f->at[i] = (VmCounter){line, counters->at.at[i].is_function};
    }
}

bool vm_covered_set(Vm *vm, VmCovered *f, Str source, const PrintCounters *counters)
{
    Js *js = vm->js;
    u32 n = counters->at.len;
    if (f->counts && f->n == n) return true;
    f->n = n;
    f->at = ARENA_ARRAY(&vm->arena, VmCounter, n + 1);
    f->counts = ARENA_ARRAY(&vm->arena, u32, n + 1);
    fill_lines(f, source, counters);
    AUTO(Scratch) s = scratch_begin(NULL);
    JsVal array = js_u32array_shared(js, f->counts, n + 1);
    return array && js_define(js, js_global(js), str_dup_z(s.arena, f->name), array, false);
}

u32 vm_covered_list(const Vm *vm, VmCovered *const **ret)
{
    if (!vm->coverage) return 0;
    *ret = vm->coverage->files.at;
    return vm->coverage->files.len;
}
