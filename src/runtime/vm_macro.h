/* runtime/vm_macro.h -- macros of a file that is compiled are called in this program. */
#pragma once

#include "runtime/vm.h"
#include "syntax/macro.h"

typedef struct {
    Vm *vm;
    Str importer; /* a path: its imports are resolved from there */
} VmMacros;

/* MacroOptions.call; `ctx` is a VmMacros. */
bool vm_macro_call(void *ctx, Arena *a, const MacroCall *call, Str *ret);
