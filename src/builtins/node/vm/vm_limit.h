/* node/vm/vm_limit.h -- runs of scripts that end when their time is up or Ctrl-C is pressed. */
#pragma once

#include "builtins/builtins.h"

typedef enum { VM_LIMIT_KEPT, VM_LIMIT_TIMEOUT, VM_LIMIT_INTERRUPTED } NodeVmLimitEnd;

/* Lives on the stack of the native that runs the script; runs nest. */
typedef struct NodeVmLimit {
    Js *js;
    u64 deadline_ns; /* of sys_monotonic_ns(); UINT64_MAX: none */
    bool wants_sigint;
    NodeVmLimitEnd end;
    struct NodeVmLimit *next;
} NodeVmLimit;

/* timeout_ms 0: no limit of time.  false: an exception is pending. */
NODISCARD bool node_vm_limit_begin(NodeVmLimit *limit, Js *js, u32 timeout_ms, bool wants_sigint);
/* How it ended.  Unless it was kept, an exception that is pending is dropped, and scripts may run
 * again (as far as other limits let them). */
NodeVmLimitEnd node_vm_limit_end(NodeVmLimit *limit);
