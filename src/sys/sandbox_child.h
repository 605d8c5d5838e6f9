/* sys/sandbox_child.h -- the two halves of a sandbox's start, for spawn.c. */
#pragma once

#include "sys/call.h"

/* Sanitizers keep notes about stacks and handlers in memory that the child shares with us. */
#define SYS_IN_CHILD __attribute__((no_sanitize("address", "thread", "undefined"), noinline))

/* In the child, just before the program: from here on the sandbox holds.  0 or errno. */
int sys_sandbox_enter(const SysSandbox *s);
/* In the parent, afterwards: s->reports is open. */
NODISCARD int sys_sandbox_take_reports(SysSandbox *s);
