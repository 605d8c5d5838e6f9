/* net/net_lookup.c -- addresses of hosts from getaddrinfo, on the pool, with a short memory.
 *
 * One job asks for one name and family; whoever asks for the same while it runs waits with the
 * others.  A job whose answer is known (an address, or remembered) goes the same way without the
 * pool.  Jobs outlive their waiters: work on a thread cannot be stopped. */
#include "net/net_private.h"

#include "util/mem.h"

#include <netdb.h>
#include <netinet/in.h>
#include <string.h>

enum { NAME_MAX_LEN = 1024 }; /* of a host, in bytes; DNS allows 253 */

typedef struct NetLookupJob Job;
struct NetLookupJob {
    LoopReq req;
    Net *net;
    Job *next; /* of those that run */
    NetLookup *first, *last;
    char *host;
    u8 family;
    bool is_cached; /* the answer will be remembered, and others may join */
    u32 flags;
    int rc;
    u32 n;
    SysAddr *addrs;
};

typedef struct CacheEntry CacheEntry;
struct CacheEntry {
    CacheEntry *next; /* the more recently used come first */
    char *host;
    SysAddr *addrs;
    u64 until_ms;
    u32 n;
    u8 family;
};

struct NetCache {
    CacheEntry *entries;
    Job *jobs;
    NetCacheStats stats;
};

static NetCache *cache_of(Net *net)
{
    if (!net->cache) net->cache = MEM_NEW(NetCache);
    return net->cache;
}

/* ---- Remembering ---------------------------------------------------------------------------- */

static void entry_free(CacheEntry *e)
{
    mem_free(e->host);
    mem_free(e->addrs);
    mem_free(e);
}

void net_cache_free(NetCache *cache)
{
    if (!cache) return;
    ASSERT(!cache->jobs);
    CacheEntry *next;
    for (CacheEntry *e = cache->entries; e; e = next) {
        next = e->next;
        entry_free(e);
    }
    mem_free(cache);
}

/* Drops what is too old on the way. */
static CacheEntry *cache_find(Net *net, Str host, u8 family)
{
    NetCache *cache = cache_of(net);
    u64 now_ms = loop_now_ms(net->loop);
    CacheEntry **at = &cache->entries;
    while (*at) {
        CacheEntry *e = *at;
        if (now_ms >= e->until_ms) {
            *at = e->next;
            entry_free(e);
            cache->stats.size--;
            continue;
        }
        if (e->family == family && str_eq(str_z(e->host), host)) {
            *at = e->next;
            e->next = cache->entries;
            cache->entries = e;
            return e;
        }
        at = &e->next;
    }
    return NULL;
}

void net_cache_drop(Loop *loop, Str host)
{
    NetCache *cache = cache_of(net_of(loop));
    CacheEntry **at = &cache->entries;
    while (*at) {
        CacheEntry *e = *at;
        if (!str_eq(str_z(e->host), host)) {
            at = &e->next;
            continue;
        }
        *at = e->next;
        entry_free(e);
        cache->stats.size--;
    }
}

static void drop_oldest(NetCache *cache)
{
    CacheEntry **at = &cache->entries;
    while (*at && (*at)->next) at = &(*at)->next;
    if (!*at) return;
    entry_free(*at);
    *at = NULL;
    cache->stats.size--;
}

static void cache_put(const Job *job)
{
    NetCache *cache = job->net->cache;
    if (cache_find(job->net, str_z(job->host), job->family)) return;
    if (cache->stats.size == NET_CACHE_MAX) drop_oldest(cache);
    CacheEntry *e = MEM_NEW(CacheEntry);
    e->host = mem_dup(job->host, strlen(job->host) + 1);
    e->addrs = mem_dup(job->addrs, job->n * sizeof(SysAddr));
    e->n = job->n;
    e->family = job->family;
    e->until_ms = loop_now_ms(job->net->loop) + NET_CACHE_MS;
    e->next = cache->entries;
    cache->entries = e;
    cache->stats.size++;
}

NetCacheStats net_cache_stats(Loop *loop)
{
    return cache_of(net_of(loop))->stats;
}

/* ---- Asking the system ---------------------------------------------------------------------- */

static i64 work(LoopReq *req)
{
    Job *job = CONTAINER(Job, req, req);
    int family = job->family == 4 ? AF_INET : job->family == 6 ? AF_INET6 : AF_UNSPEC;
    int flags = 0;
    if (job->flags & NET_LOOKUP_ADDRCONFIG) flags |= AI_ADDRCONFIG;
    if (job->flags & NET_LOOKUP_V4MAPPED) flags |= AI_V4MAPPED;
    if (job->flags & NET_LOOKUP_ALL) flags |= AI_ALL;
    SysAddr addrs[NET_LOOKUP_ADDRS_MAX];
    int rc = sys_host_addrs(job->host, family, flags, addrs, COUNT(addrs));
    if (rc < 0) return rc;
    job->n = (u32)rc;
    job->addrs = mem_dup(addrs, job->n * sizeof(SysAddr));
    return 0;
}

/* ---- Answers -------------------------------------------------------------------------------- */

static void set_port(SysAddr *addr, u16 port)
{
    struct sockaddr_in *v4 = (void *)&addr->storage;
    struct sockaddr_in6 *v6 = (void *)&addr->storage;
    if (addr->any.sa_family == AF_INET)
        v4->sin_port = htons(port);
    else
        v6->sin6_port = htons(port);
}

static void take_waiter(Job *job, NetLookup *l)
{
    if (l->prev)
        l->prev->next = l->next;
    else
        job->first = l->next;
    if (l->next)
        l->next->prev = l->prev;
    else
        job->last = l->prev;
    l->prev = l->next = NULL;
    l->job = NULL;
}

static void add_waiter(Job *job, NetLookup *l)
{
    l->job = job;
    l->next = NULL;
    l->prev = job->last;
    if (job->last)
        job->last->next = l;
    else
        job->first = l;
    job->last = l;
}

static void job_free(Job *job)
{
    mem_free(job->host);
    mem_free(job->addrs);
    mem_free(job);
}

static void deliver(Job *job, int rc)
{
    while (job->first) {
        NetLookup *l = job->first;
        u16 port = l->port;
        take_waiter(job, l);
        for (u32 i = 0; i < job->n; i++) set_port(&job->addrs[i], port);
        l->on_done(l, rc, job->addrs, job->n);
    }
    job_free(job);
}

static void on_work_done(LoopReq *req, i64 res)
{
    Job *job = CONTAINER(Job, req, req);
    NetCache *cache = job->net->cache;
    for (Job **at = &cache->jobs; *at; at = &(*at)->next) {
        if (*at != job) continue;
        *at = job->next;
        break;
    }
    if (res < 0) cache->stats.errors++;
    if (res == 0 && job->is_cached) cache_put(job);
    deliver(job, (int)res);
}

/* ---- Questions ------------------------------------------------------------------------------ */

static Job *job_new(Net *net, Str host, u8 family, u32 flags)
{
    Job *job = MEM_NEW(Job);
    job->net = net;
    job->host = mem_new(host.n + 1);
    if (host.n) memcpy(job->host, host.p, host.n);
    job->family = family;
    job->flags = flags;
    job->is_cached = flags & NET_LOOKUP_CACHED;
    return job;
}

static void on_known(void *data)
{
    Job *job = data;
    loop_unref(job->net->loop);
    deliver(job, job->rc);
}

/* The answer is known; it comes from the loop all the same. */
static void answer(Job *job, int rc, const SysAddr *addrs, u32 n)
{
    job->rc = rc;
    job->n = n;
    if (n) job->addrs = mem_dup(addrs, n * sizeof(SysAddr));
    loop_ref(job->net->loop);
    int full = loop_post_mt(job->net->loop, on_known, job);
    ASSERT(full == 0);
}

static Job *find_running(NetCache *cache, Str host, u8 family, u32 flags)
{
    for (Job *job = cache->jobs; job; job = job->next) {
        if (job->is_cached && job->first && job->family == family && job->flags == flags &&
            str_eq(str_z(job->host), host))
            return job;
    }
    return NULL;
}

static bool answer_known(Net *net, NetLookup *l, Str host, u8 family, u32 flags)
{
    SysAddr addr;
    CacheEntry *e = NULL;
    if (host.n > NAME_MAX_LEN || (host.n && memchr(host.p, 0, host.n))) {
        Job *job = job_new(net, S(""), family, flags);
        add_waiter(job, l);
        answer(job, -3008, NULL, 0);
        return true;
    }
    bool is_addr = sys_addr_parse(host, 0, &addr) == 0;
    u16 want = family == 4 ? AF_INET : AF_INET6;
    if (is_addr && family && addr.any.sa_family != want) is_addr = false;
    if (!is_addr && flags & NET_LOOKUP_CACHED) e = cache_find(net, host, family);
    if (!is_addr && !e) return false;
    if (e) net->cache->stats.hits_done++;
    Job *job = job_new(net, host, family, flags);
    add_waiter(job, l);
    answer(job, 0, e ? e->addrs : &addr, e ? e->n : 1);
    return true;
}

void net_lookup(Loop *loop, NetLookup *l, Str host, u16 port, u8 family, u32 flags)
{
    ASSERT(l->on_done);
    Net *net = net_of(loop);
    NetCache *cache = cache_of(net);
    l->port = port;
    cache->stats.total++;
    if (answer_known(net, l, host, family, flags)) return;
    Job *job = flags & NET_LOOKUP_CACHED ? find_running(cache, host, family, flags) : NULL;
    if (job) {
        cache->stats.hits_pending++;
        add_waiter(job, l);
        return;
    }
    cache->stats.misses++;
    job = job_new(net, host, family, flags);
    add_waiter(job, l);
    job->next = cache->jobs;
    cache->jobs = job;
    job->req.on_done = on_work_done;
    loop_req_work(loop, &job->req, work);
}

void net_lookup_cancel(NetLookup *l)
{
    Job *job = l->job;
    if (!job) return;
    take_waiter(job, l);
    /* Still queued: nobody wants it.  (Running work ends by itself.) */
    if (!job->first && job->req.on_done) loop_req_cancel(&job->req);
}
