/* net/net_pages.c -- bytes that a socket can be given without copying them: files in memory,
 * mapped.
 *
 * The kernel puts references to the pages into the socket's queue (sendfile), which is about half
 * the work of copying.  So the bytes must not change any more, not even after they were freed: the
 * mapping cannot be written to, and the file has no other.
 *
 * One table for the process; its few entries are looked at one by one. */
#include "net/net.h"

#include "util/mem.h"

#include <errno.h>
#include <string.h>

typedef struct {
    const char *p;
    usize n;
    int fd;
} Pages;

static struct {
    SysMutex lock;
    Pages at[NET_PAGES_COUNT_MAX];
    u32 n;
} table;

void *net_pages_new(const void *data, usize n)
{
    ASSERT(n >= NET_PAGES_MIN);
    sys_mutex_lock(&table.lock);
    bool is_full = table.n == NET_PAGES_COUNT_MAX;
    sys_mutex_unlock(&table.lock);
    if (is_full) return NULL;
    void *p;
    int fd = sys_mem_share(data, n, &p);
    if (fd < 0) return NULL;
    sys_mutex_lock(&table.lock);
    is_full = table.n == NET_PAGES_COUNT_MAX;
    if (!is_full) table.at[table.n++] = (Pages){.p = p, .n = n, .fd = fd};
    sys_mutex_unlock(&table.lock);
    if (!is_full) return p;
    (void)sys_close(fd);
    sys_mem_unmap(p, n);
    return NULL;
}

/* With the lock.  NULL: they are none of ours. */
static Pages *find(const char *p, usize n)
{
    for (u32 i = 0; i < table.n; i++) {
        Pages *at = &table.at[i];
        if (p >= at->p && p + n <= at->p + at->n) return at;
    }
    return NULL;
}

void net_pages_free(void *p)
{
    sys_mutex_lock(&table.lock);
    Pages *at = find(p, 1);
    ASSERT(at && at->p == p);
    Pages gone = *at;
    *at = table.at[--table.n];
    sys_mutex_unlock(&table.lock);
    sys_mem_unmap(p, gone.n);
    (void)sys_close(gone.fd);
}

int net_pages_find(const void *p, usize n, u64 *ret_off)
{
    if (n < NET_PAGES_MIN) return -ENOENT;
    sys_mutex_lock(&table.lock);
    const Pages *at = find(p, n);
    int fd = at ? at->fd : -ENOENT;
    if (at) *ret_off = (u64)((const char *)p - at->p);
    sys_mutex_unlock(&table.lock);
    return fd;
}
