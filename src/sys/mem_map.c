/* sys/mem_map.c -- pages from the kernel and back. */
#include "sys/call.h"

#include <link.h>
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

int sys_mem_share(const void *data, usize size, void **ret)
{
    FAULT();
    int fd = RETRY_INT(memfd_create("cob", MFD_CLOEXEC));
    if (fd < 0) return fd;
    int rc = sys_write_all(fd, (Str){data, size});
    void *p = MAP_FAILED;
    if (rc >= 0) p = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
    if (p == MAP_FAILED) {
        if (rc >= 0) rc = -errno;
        (void)sys_close(fd);
        return rc;
    }
    *ret = p;
    return fd;
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

void sys_mem_keep(usize size)
{
    (void)mallopt(M_TRIM_THRESHOLD, (int)MIN(size, (usize)INT32_MAX));
    (void)mallopt(M_MMAP_THRESHOLD, 1 << 20);
}

/* Only of the first object, the executable: others may have been relocated in place. */
static int drop_segments(struct dl_phdr_info *info, size_t size, void *ctx)
{
    (void)size;
    uintptr_t page = *(const uintptr_t *)ctx;
    for (u32 i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type != PT_LOAD || p->p_flags & PF_W) continue;
        uintptr_t from = info->dlpi_addr + p->p_vaddr, to = from + p->p_memsz;
        /* A page that two segments share stays. */
        from = ALIGN_UP(from, page);
        to &= ~(page - 1);
        if (from < to) (void)madvise((void *)from, to - from, MADV_DONTNEED);
    }
    return 1;
}

void sys_mem_drop_code(void)
{
    uintptr_t page = sys_page_size();
    (void)dl_iterate_phdr(drop_segments, &page);
}
