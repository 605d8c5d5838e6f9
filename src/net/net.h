/* net/net.h -- byte streams over sockets, listening, and names of hosts; TLS is in net/tls.h.
 *
 * NetStream is a connection: a TCP or unix socket, or a pipe or terminal that somebody opened.  It
 * is embedded in the caller's struct (CONTAINER gets back to it) and works on the loop:
 *
 *     net_stream_init(loop, &c->stream, &events);
 *     net_stream_connect(&c->stream, &(NetTarget){.host = S("example.org"), .port = 80});
 *     net_stream_write(&c->stream, "hello", 5);       // also before it is connected
 *     ...
 *     net_stream_close(&c->stream);                   // at any moment; on_close follows
 *
 * Events come from the loop, one at a time, never from inside the function that causes them, except
 * where a function says so.  After on_error nothing comes but on_close, which is the last event in
 * every case and the only one after net_stream_close; from then on the memory may be reused.
 *
 * With TLS (net_stream_start_tls) the same functions and events speak plaintext.
 *
 * One thread: that of the loop.  Errors are -errno, NET_ETLS, or the EAI codes of util/err.def. */
#pragma once

#include "loop/loop.h"
#include "util/buf.h"

typedef struct Net Net;
typedef struct NetStream NetStream;
typedef struct NetWrite NetWrite;
typedef struct NetListener NetListener;
typedef struct NetDial NetDial;
typedef struct NetLookup NetLookup;
typedef struct TlsConn TlsConn;

enum {
    NET_ETLS = -5000,       /* TLS failed: tls_conn_error(stream->tls) says how */
    NET_HIGH_WATER = 65536, /* bytes queued; beyond it the writer should wait for on_drain */
    NET_IOV_MAX = 16,       /* pieces that go to the kernel in one operation */
    NET_DIALS_MAX = 16,     /* addresses of a host that are tried */
    NET_ATTEMPT_MS = 250,   /* RFC 8305: then the next address is tried as well */
    NET_BACKLOG = 512,
    NET_PAGES_MIN = 32 * 1024, /* less is copied as fast */
    NET_PAGES_COUNT_MAX = 64,  /* of net_pages_new, in the process: each holds a descriptor */
};

/* ---- Bytes that are sent often (net_pages.c; from any thread) ------------------------------- */

/* A copy of n >= NET_PAGES_MIN bytes that nobody can change, for net_pages_find.  NULL: there are
 * too many already, or the system has no more. */
void *net_pages_new(const void *data, usize n);
/* What of them a socket has not sent yet goes out all the same. */
void net_pages_free(void *p);
/* The descriptor that has these bytes at *ret_off, for sys_send_file, while they are not freed;
 * -ENOENT: they are none that net_pages_new has made. */
int net_pages_find(const void *p, usize n, u64 *ret_off);

/* ---- Streams -------------------------------------------------------------------------------- */

/* Every member may be NULL. */
typedef struct NetEvents {
    /* Connected.  With TLS the handshake follows. */
    void (*on_open)(NetStream *s);
    /* The handshake is done and, if that was asked for, the peer is who it should be. */
    void (*on_secure)(NetStream *s);
    /* n > 0 bytes, valid until the function returns or as net_stream_take says. */
    void (*on_data)(NetStream *s, char *p, u32 n);
    /* All that was queued is written, after more than NET_HIGH_WATER or a short net_stream_try. */
    void (*on_drain)(NetStream *s);
    /* The peer will send no more.  Writing goes on. */
    void (*on_end)(NetStream *s);
    /* What net_stream_end asked for: all is written and the peer was told that it is the end. */
    void (*on_finish)(NetStream *s);
    /* No byte moved for as long as net_stream_set_timeout said.  Once, until one moves again. */
    void (*on_timeout)(NetStream *s);
    /* It has failed and closes itself. */
    void (*on_error)(NetStream *s, int rc);
    void (*on_close)(NetStream *s);
} NetEvents;

/* A borrowed write: the bytes stay until on_done, which is called once, with 0 or -errno.
 * -ECANCELED: the stream was closed before. */
struct NetWrite {
    void (*on_done)(NetWrite *w, int rc); /* set by the caller */
    void *data;                           /* the caller's */
    NetWrite *next;
    struct iovec *iov; /* what is left of it */
    u32 n_iov;
    u32 cap; /* of our own blocks: room for bytes; else 0 */
    struct iovec one;
};

struct NetStream {
    const NetEvents *events;
    void *data; /* the caller's */
    Loop *loop;
    Net *net;
    int fd; /* -1 until connected */
    u32 flags;
    int rc;          /* why it failed */
    usize queued;    /* bytes that wait to be written, those under way included */
    u64 n_in, n_out; /* bytes moved by now (with TLS: of the encrypted stream) */
    TlsConn *tls;
    /* The rest is private. */
    NetStream *prev, *next;
    NetDial *dial;
    NetWrite *first, *last;     /* waiting or under way */
    NetWrite *flying, *fly_end; /* TLS: encrypted, under way; else the last that is under way */
    Buf tls_out;                /* TLS: encrypted, under way */
    usize plain;                /* TLS: bytes in front that were queued before it began */
    u32 sending;                /* bytes under way, 0: none */
    u32 timeout_ms;
    u64 active_ms;
    u32 n_closing;
    bool is_taken;
    LoopRecv recv;
    LoopTimer timer;
    LoopReq send;
    struct iovec iov[NET_IOV_MAX];
};

/* Makes it ready for one of the three below.  `events` must outlive it. */
void net_stream_init(Loop *loop, NetStream *s, const NetEvents *events);

/* Where to connect to.  Everything is copied. */
typedef struct NetTarget {
    Str host; /* a name, or an address ("127.0.0.1", "::1", "fe80::1%eth0") */
    u16 port;
    Str path;       /* a unix socket instead; a first byte 0 means the abstract name space */
    Str local_host; /* an address to come from, or empty */
    u16 local_port;
    u8 family;        /* 0, 4 or 6 */
    bool is_uncached; /* ask the system for the name, whatever we remember */
    u32 attempt_ms;   /* 0: NET_ATTEMPT_MS */
    bool has_fd;      /* `fd`, a socket that is bound, is used for the first address; taken */
    int fd;
    const SysAddr *addrs; /* already looked up: `host` is not looked at */
    u32 n_addrs;
} NetTarget;
/* Looks the name up, tries the addresses (RFC 8305), then on_open, or on_error. */
void net_stream_connect(NetStream *s, const NetTarget *target);
/* Takes a connected socket, pipe or terminal; no on_open.  Non-blocking unless it is inherited
 * standard input or output.  Does not receive yet. */
void net_stream_open(NetStream *s, int fd);
/* Closes at once; what is queued is dropped.  on_close follows.  More calls are fine. */
void net_stream_close(NetStream *s);
/* The same, and the peer of a TCP connection is told by RST. */
void net_stream_reset(NetStream *s);
bool net_stream_is_closing(const NetStream *s);
bool net_stream_is_open(const NetStream *s); /* connected and not closing */
/* Takes `tls`: from now on (or once connected) the stream is encrypted.  `head` are encrypted bytes
 * that were already received.  Events may come from inside. */
void net_stream_start_tls(NetStream *s, TlsConn *tls, Str head);
/* A callback of the handshake that had to wait has got its answer (tls_conn_resume). */
void net_stream_resume_tls(NetStream *s);

/* Receiving starts with the first net_stream_start and pauses with net_stream_stop; nothing is
 * lost. While stopped, neither the end nor a failure of the connection is seen, and it does not
 * keep the loop alive. */
void net_stream_start(NetStream *s);
void net_stream_stop(NetStream *s);
bool net_stream_is_receiving(const NetStream *s);

/* Bytes that were received and stay after on_data. */
typedef struct {
    char *p;
    LoopBufs *bufs;
} NetBuf;
/* Inside on_data only, with its `p`: the bytes are the caller's until net_buf_give.  There are few
 * such buffers for all connections: keep them for a moment only. */
NetBuf net_stream_take(NetStream *s, char *p);
void net_buf_give(NetBuf buf);

/* Queues a copy.  Returns false when more than NET_HIGH_WATER is queued now: wait for on_drain.
 * After net_stream_end or when closing, nothing is queued (true). */
bool net_stream_write(NetStream *s, const void *p, usize n);
/* Takes as much as fits below NET_HIGH_WATER and returns how much that was; when it was not all,
 * on_drain comes once there is room.  -ENOTCONN before on_open (TLS: on_secure), -EPIPE after
 * net_stream_end or when closing. */
i64 net_stream_try(NetStream *s, const void *p, usize n);
/* Queues without copying: set w->on_done, w->data first.  The array of the second form is changed
 * and must stay as well.  After net_stream_end or when closing: on_done with -EPIPE from inside. */
void net_stream_send(NetStream *s, NetWrite *w, const void *p, usize n);
void net_stream_sendv(NetStream *s, NetWrite *w, struct iovec *iov, u32 n_iov);
/* No more writes; when all are done the peer is told (close_notify, FIN) and on_finish comes,
 * perhaps from inside. */
void net_stream_end(NetStream *s);

/* 0 switches it off. */
void net_stream_set_timeout(NetStream *s, u32 ms);
NODISCARD int net_stream_set_nodelay(NetStream *s, bool on);
NODISCARD int net_stream_set_keepalive(NetStream *s, bool on, u32 delay_s);
/* The type-of-service byte; value -1 only asks. */
NODISCARD int net_stream_tos(const NetStream *s, int value);
/* Whether receiving keeps the loop alive. */
void net_stream_ref(NetStream *s);
void net_stream_unref(NetStream *s);
NODISCARD int net_stream_local_addr(const NetStream *s, SysAddr *ret);
NODISCARD int net_stream_peer_addr(const NetStream *s, SysAddr *ret);

/* ---- Listening ------------------------------------------------------------------------------ */

typedef struct NetListenOptions {
    Str host; /* an address; empty: every address (IPv6 and IPv4, or IPv4 where there is no IPv6) */
    u16 port; /* 0: any */
    Str path; /* a unix socket instead; a first byte 0: abstract */
    u32 backlog;     /* 0: NET_BACKLOG */
    bool reuse_port; /* several may listen; the kernel shares connections out */
    bool ipv6_only;
    bool is_paused;                  /* takes no connection before net_listener_resume */
    bool readable_all, writable_all; /* modes of a unix socket */
} NetListenOptions;

struct NetListener {
    int fd;
    LoopAccept accept;
    LoopTimer retry;                           /* descriptors are used up: tries again */
    void (*on_accept)(NetListener *l, int fd); /* fd is the callee's */
    void (*on_error)(NetListener *l, int rc);  /* accepting failed; it goes on by itself */
    void (*on_close)(NetListener *l);
    void *data;
    Loop *loop;
    NetListener *prev, *next;
    char *path; /* to be removed when closed */
    u32 n_closing;
    bool is_paused, is_closing;
    bool is_shared; /* other processes may have the socket: set by those who give it away */
};
/* 0, or -EADDRINUSE, -EACCES, -EADDRNOTAVAIL, ... and nothing to close.  Set the three callbacks
 * (and data) before; l need not be cleared otherwise. */
NODISCARD int net_listen(Loop *loop, NetListener *l, const NetListenOptions *options);
/* The same for a socket that listens already or is only bound.  Takes fd when it succeeds. */
NODISCARD int net_listen_fd(Loop *loop, NetListener *l, int fd, u32 backlog, bool is_paused);
/* A bound socket that does not listen yet (descriptor). */
NODISCARD int net_bind(const NetListenOptions *options);
/* on_close follows. */
void net_listener_close(NetListener *l);
/* Takes no more connections for a while. */
void net_listener_pause(NetListener *l);
void net_listener_resume(NetListener *l);
void net_listener_ref(NetListener *l);
void net_listener_unref(NetListener *l);

/* ---- Names of hosts ------------------------------------------------------------------------- */

enum {
    NET_LOOKUP_CACHED = 1, /* an answer of the last NET_CACHE_MS will do */
    NET_LOOKUP_ADDRCONFIG = 2,
    NET_LOOKUP_V4MAPPED = 4,
    NET_LOOKUP_ALL = 8, /* with V4MAPPED: both */
    NET_CACHE_MS = 30000,
    NET_CACHE_MAX = 255, /* names */
    NET_LOOKUP_ADDRS_MAX = 64,
};
/* One question.  Embedded; must stay until on_done or net_lookup_cancel. */
struct NetLookup {
    /* 0 and the addresses in the order of getaddrinfo (valid inside), or an EAI code. */
    void (*on_done)(NetLookup *l, int rc, const SysAddr *addrs, u32 n_addrs);
    void *data;
    NetLookup *prev, *next;
    struct NetLookupJob *job;
    u16 port;
};
/* getaddrinfo on the pool.  family 0, 4, 6.  `port` is put into the addresses.  An address as a
 * name is answered without asking, but never from inside. */
void net_lookup(Loop *loop, NetLookup *l, Str host, u16 port, u8 family, u32 flags);
/* on_done will not be called.  Fine when it was already. */
void net_lookup_cancel(NetLookup *l);
typedef struct {
    u64 hits_done, hits_pending, misses, errors, total;
    u32 size;
} NetCacheStats;
NetCacheStats net_cache_stats(Loop *loop);
/* Forgets what is remembered of a name: its addresses did not work. */
void net_cache_drop(Loop *loop, Str host);

/* ---- Datagrams ------------------------------------------------------------------------------ */

enum {
    NET_UDP_QUEUE_MAX = 1 << 12, /* datagrams that wait for room; then -ENOBUFS */
    NET_UDP_BATCH = 64,          /* datagrams delivered in a row before others get their turn */
    NET_UDP_SIZE_MAX = 65536,
};

typedef struct NetUdp NetUdp;
typedef struct NetUdpSend NetUdpSend;
struct NetUdp {
    int fd;
    Loop *loop;
    LoopPoll poll;
    /* One datagram; p is valid inside. */
    void (*on_message)(NetUdp *u, const char *p, u32 n, const SysAddr *from, bool is_cut);
    void (*on_error)(NetUdp *u, int rc);            /* receiving failed; it goes on */
    void (*on_drain)(NetUdp *u);                    /* nothing waits any more */
    void (*on_sent)(NetUdp *u, void *data, int rc); /* a datagram that had to wait */
    void (*on_close)(NetUdp *u);
    void *data;
    NetUdpSend *first, *last;
    u32 n_queued;
    usize queued_size;
    bool is_receiving, is_closing, is_connected;
};
/* Takes a datagram socket.  Set the callbacks before. */
void net_udp_open(Loop *loop, NetUdp *u, int fd);
void net_udp_start(NetUdp *u);
void net_udp_stop(NetUdp *u);
/* Sent now (the count), queued as a copy (-EAGAIN: on_sent with `data` follows), or -errno.  `to`
 * NULL: the connected address. */
i64 net_udp_send(NetUdp *u, const struct iovec *iov, u32 n_iov, const SysAddr *to, void *data);
typedef enum {
    NET_UDP_BROADCAST,
    NET_UDP_TTL,
    NET_UDP_MULTICAST_TTL,
    NET_UDP_MULTICAST_LOOPBACK,
} NetUdpOption;
NODISCARD int net_udp_set_option(const NetUdp *u, NetUdpOption option, int value);
/* Before bind: an IPv6 socket takes no IPv4.  0 for other addresses. */
NODISCARD int net_udp_set_v6_only(int fd, const SysAddr *addr);
/* The interface that multicast goes out by: one of its addresses (IPv4), its zone (IPv6). */
NODISCARD int net_udp_set_interface(const NetUdp *u, const SysAddr *addr);
/* interface may be NULL. */
NODISCARD int net_udp_join(const NetUdp *u, const SysAddr *group, const SysAddr *interface,
                           bool joins);
NODISCARD int net_udp_join_source(const NetUdp *u, const SysAddr *source, const SysAddr *group,
                                  const SysAddr *interface, bool joins);
/* on_sent with -ECANCELED for what waits, then on_close. */
void net_udp_close(NetUdp *u);
