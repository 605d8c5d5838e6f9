/* net/net_loop.c -- what all streams of a loop share: blocks for queued writes, room to decrypt. */
#include "net/net_private.h"

#include "util/mem.h"

static void on_stop(void *data)
{
    Net *net = data;
    NetStream *next;
    for (NetStream *s = net->streams; s; s = next) {
        next = s->next;
        net_stream_close(s);
    }
    while (net->listeners) net_listener_close(net->listeners);
}

static void free_spares(Net *net)
{
    for (u32 i = 0; i < COUNT(net->spare); i++) {
        NetWrite *next;
        for (NetWrite *w = net->spare[i]; w; w = next) {
            next = w->next;
            mem_free(w);
        }
    }
}

static void on_free(void *data)
{
    Net *net = data;
    ASSERT(!net->streams);
    ASSERT(!net->listeners);
    free_spares(net);
    mem_free(net->scratch);
    net_cache_free(net->cache);
    mem_free(net);
}

Net *net_of(Loop *loop)
{
    Net *net = loop_slot_find(loop, LOOP_SLOT_NET);
    if (LIKELY(net != NULL)) return net;
    net = MEM_NEW(Net);
    net->loop = loop;
    loop_slot_put(loop, LOOP_SLOT_NET, net, on_stop, on_free);
    return net;
}

NetBlock *net_block_new(Net *net, usize n)
{
    u32 i = n > BLOCK_SMALL;
    u32 cap = n > BLOCK_LARGE ? (u32)MIN(n, BLOCK_MAX) : i ? BLOCK_LARGE : BLOCK_SMALL;
    NetBlock *b;
    if (cap <= BLOCK_LARGE && net->spare[i]) {
        b = CONTAINER(NetBlock, w, net->spare[i]);
        net->spare[i] = b->w.next;
        net->n_spare[i]--;
    } else {
        b = mem_new(sizeof(NetBlock) + cap);
    }
    b->w = (NetWrite){.cap = cap, .n_iov = 1, .one.iov_base = b->bytes};
    b->w.iov = &b->w.one;
    return b;
}

void net_block_free(Net *net, NetBlock *b)
{
    u32 i = b->w.cap > BLOCK_SMALL;
    if (net->n_spare[i] == SPARE_MAX || b->w.cap > BLOCK_LARGE) {
        mem_free(b);
        return;
    }
    b->w.next = net->spare[i];
    net->spare[i] = &b->w;
    net->n_spare[i]++;
}

char *net_scratch_take(Net *net)
{
    char *p = net->scratch ? net->scratch : mem_new(SCRATCH_SIZE);
    net->scratch = NULL;
    return p;
}

void net_scratch_give(Net *net, char *scratch)
{
    if (net->scratch)
        mem_free(scratch);
    else
        net->scratch = scratch;
}
