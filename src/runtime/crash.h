/* runtime/crash.h -- the report of a crash: a signal that means a broken invariant or bad memory.
 */
#pragma once

#include "runtime/vm.h"

/* Installs the handler for SEGV, BUS, FPE, ILL, ABRT and TRAP.  Call it before the engine starts:
 * the engine handles some faults itself (WebAssembly) and passes the others on to the handler that
 * it found. The report tells what `vm` was running; the pointer is kept.  Calls after the first do
 * nothing. */
void vm_crash_init(const Vm *vm);
/* After the engine's start: what it has installed shall also work on a used-up stack. */
void vm_crash_after_engine(void);
