/* sys/mem_map.c -- pages from the kernel and back. */
#include "sys/call.h"

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

int sys_mem_map(usize size, void **ret)
{
    FAULT();
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) return -errno;
    *ret = p;
    return 0;
}

void sys_mem_unmap(void *p, usize size)
{
    if (p) (void)munmap(p, size);
}

int sys_mem_advise(void *p, usize size, int advice)
{
    FAULT();
    return RETRY_INT(madvise(p, size, advice));
}

int sys_mem_drop(void *p, usize size)
{
    return sys_mem_advise(p, size, MADV_DONTNEED);
}

usize sys_page_size(void)
{
    return (usize)sysconf(_SC_PAGESIZE);
}

void sys_mem_trim(void)
{
    (void)malloc_trim(0);
}
