/* net/net_private.h -- what the files of net/ share: the part that belongs to a loop, and the inner
 * functions of streams. */
#pragma once

#include "net/net.h"
#include "net/tls.h"

enum {
    BLOCK_SMALL = 2048,
    BLOCK_LARGE = 16384,
    BLOCK_MAX = 1 << 30,
    SPARE_MAX = 32, /* blocks of each size that are kept */
    SCRATCH_SIZE = 65536,
};

typedef struct NetBlock NetBlock;
struct NetBlock {
    NetWrite w;
    char bytes[];
};

typedef struct NetCache NetCache;

struct Net {
    Loop *loop;
    NetStream *streams;
    NetListener *listeners;
    NetWrite *spare[2]; /* blocks, small and large */
    u32 n_spare[2];
    char *scratch; /* SCRATCH_SIZE bytes for decrypted data; NULL while somebody has it */
    NetCache *cache;
};

/* That of the loop, made when first asked for. */
Net *net_of(Loop *loop);
/* A block with room for n bytes, or the largest there is. */
NetBlock *net_block_new(Net *net, usize n);
void net_block_free(Net *net, NetBlock *b);
char *net_scratch_take(Net *net);
void net_scratch_give(Net *net, char *scratch);

/* ---- net_stream.c --------------------------------------------------------------------------- */

enum {
    STREAM_OPEN = 1,
    STREAM_CLOSING = 2,
    STREAM_RECV = 4,      /* receiving was started */
    STREAM_ENDING = 8,    /* net_stream_end was called */
    STREAM_ENDED = 16,    /* the peer was told */
    STREAM_PEER_END = 32, /* end of stream was delivered */
    STREAM_EOF = 64,      /* it was seen, but decrypted bytes come first */
    STREAM_SOCKET = 128,
    STREAM_NEEDS_DRAIN = 256,
    STREAM_SECURE = 512, /* the handshake is done */
    STREAM_UNREF = 1024,
    STREAM_HAS_RECV = 2048, /* the handle is open */
    STREAM_IN_TLS = 4096,   /* net_tls_turn is running */
    STREAM_TCP = 8192,
    STREAM_RESET = 32768,
    STREAM_DEAD = 16384, /* everything is over; on_close was or will be called */
};

/* on_error, then it closes. */
void net_stream_fail(NetStream *s, int rc);
void net_stream_touch(NetStream *s);
/* The connection that a dial has made. */
void net_stream_connected(NetStream *s, int fd);
/* The end of what the peer sends. */
void net_stream_peer_end(NetStream *s);
/* The last operation may be over: closes the descriptor and says so. */
void net_stream_check_closed(NetStream *s);

/* ---- net_write.c ---------------------------------------------------------------------------- */

/* Sends what is queued, if nothing is under way. */
void net_write_pump(NetStream *s);
/* Every write that was not done is told rc. */
void net_write_drop(NetStream *s, int rc);

/* ---- net_tls.c ------------------------------------------------------------------------------ */

void net_tls_feed(NetStream *s, const char *p, u32 n);
/* Handshake and decryption, as far as the input goes. */
void net_tls_turn(NetStream *s);
/* Encrypts what is queued into s->tls_out; returns how many bytes there are to send. */
u32 net_tls_encrypt(NetStream *s);

/* ---- net_dial.c ----------------------------------------------------------------------------- */

NetDial *net_dial_start(NetStream *s, const NetTarget *target);
/* Nothing of it calls back any more; its memory goes when the kernel has let go. */
void net_dial_cancel(NetDial *d);

/* ---- net_lookup.c --------------------------------------------------------------------------- */

void net_cache_free(NetCache *cache);
