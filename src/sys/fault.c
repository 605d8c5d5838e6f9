/* sys/fault.c -- makes the Nth system call of a thread fail, for tests. */
#include "sys/sys.h"

typedef struct {
    u64 count, nth;
    int err;
    bool every;
} Fault;

static _Thread_local Fault fault;

bool sys_fault_set(u64 nth, int err, bool every)
{
    ASSERT(err >= 0);
    fault = (Fault){.nth = nth, .err = err, .every = every};
#ifdef COB_DEBUG
    return true;
#else
    return false;
#endif
}

u64 sys_fault_count(void)
{
    return fault.count;
}

int sys_fault_hit(void)
{
    fault.count++;
    if (LIKELY(!fault.nth)) return 0;
    if (fault.count == fault.nth) return -fault.err;
    return fault.every && fault.count > fault.nth ? -fault.err : 0;
}
