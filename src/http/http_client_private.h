/* http/http_client_private.h -- what the files of the client share.
 *
 * A fetch waits in its origin until a connection of that origin takes it.  An origin is everything
 * that two requests must have in common to share a connection: scheme, host, port, proxy, socket,
 * TLS settings. */
#pragma once

#include "codec/compress.h"
#include "codec/url.h"
#include "http/http_client.h"
#include "http/http_parse.h"
#include "util/buf.h"
#include "util/map.h"

typedef struct HttpConn HttpConn;
typedef struct HttpOrigin HttpOrigin;

enum {
    CONNECT_MS = 30000,
    DECODE_SIZE = 65536, /* what one on_data brings at most after decompression */
    DRAIN_MAX = 65536,   /* bytes of the body of a redirect that are read to keep the connection */
    UPLOAD_HIGH = 65536, /* of a streamed body, before http_fetch_write says false */
};

typedef enum { PROTOCOL_UNKNOWN, PROTOCOL_H1, PROTOCOL_H2 } HttpProtocol;

/* Where a request goes. */
typedef struct HttpRoute {
    bool is_tls;
    Str host; /* without brackets */
    u16 port;
    Str unix_path;
    bool has_proxy;  /* connect there, and to host and port through it */
    bool has_tunnel; /* by CONNECT; else the request names the whole URL */
    Str proxy_host;
    u16 proxy_port;
    Str proxy_auth; /* "Basic ..." or empty */
} HttpRoute;

struct HttpOrigin {
    Str key; /* owned */
    HttpOrigin *next, *prev;
    HttpConn *conns;
    HttpFetch *first, *last; /* waiting */
    u32 n_waiting, n_connecting;
    u8 protocol;
    bool is_busy; /* being dispatched */
};

struct HttpClient {
    Loop *loop;
    Arena arena; /* slots of `origins` */
    StrMap origins;
    HttpOrigin *origin_list;
    HttpFetch *fetches;
    HttpConn *idle_first, *idle_last; /* oldest first */
    u32 n_idle, n_conns, n_fetches, n_waiting, conns_max;
    u64 n_opened;
    bool is_dying; /* freed once the last connection and fetch are */
};

typedef enum {
    CONN_CONNECTING,
    CONN_TUNNEL,
    CONN_TLS,
    CONN_READY, /* http/1: `fetch` or idle; http/2: streams */
    CONN_GIVEN, /* upgraded */
    CONN_CLOSED,
} HttpConnState;

struct HttpConn {
    NetStream stream;
    HttpClient *client;
    HttpOrigin *origin;    /* NULL once it is closing */
    HttpConn *next, *prev; /* of the origin */
    HttpConn *idle_next, *idle_prev;
    LoopTimer timer; /* for the connection to stand; then for idleness */
    u8 state, protocol;
    u8 n_closing;
    bool is_idle, is_reading, is_draining, has_head, was_used, has_input, is_ended;
    bool is_preconnect, is_timer_closed;
    int rc, detail;
    u32 drained;
    HttpFetch *fetch;
    HttpFetch *after; /* follows a redirect once what has come of its body is read */
    Arena arena;      /* of the route and what TLS needs */
    HttpRoute route;
    TlsContext *tls;
    Str server_name;
    bool is_unverified, is_h1_only;
    TlsError tls_error;
    const HttpPair *proxy_headers;
    u32 n_proxy_headers;
    Buf in; /* received, not used yet */
    HttpHead head;
    HttpBody body;
    /* HTTP/2 */
    struct nghttp2_session *h2;
    HttpFetch *h2_fetches;
    u32 n_streams;
    u32 streams_max;
    bool is_sending, is_goaway;
};

struct HttpFetch {
    HttpClient *client;
    const HttpFetchEvents *events;
    void *data;
    HttpFetch *all_next, *all_prev;
    HttpFetch *next, *prev; /* waiting in `origin`, or of the connection's streams */
    HttpOrigin *origin;     /* while it waits */
    HttpConn *conn;
    Arena arena;
    HttpFetchOptions o; /* copied */
    Url url;
    HttpRoute route;
    Str key;
    Str method;
    HttpMethod method_id;
    HttpPair *headers; /* o.headers without what redirects took */
    u32 n_headers;
    bool has_body, is_cross_origin;
    u32 n_redirects, n_retries;
    int detail;
    TlsError *tls_error;
    /* The body that goes up. */
    u64 sent;   /* of o.body */
    Buf upload; /* of a streamed one, not handed over yet (HTTP/2) */
    u64 n_written;
    bool is_upload_ended, is_upload_done, has_streamed, needs_drain;
    /* The response. */
    Arena head_arena;
    HttpPair *pairs; /* of the response, while it is read */
    u32 n_pairs, pairs_cap, status;
    i32 h2_id;
    u32 h2_code;    /* with which the stream was closed */
    u32 n_head;     /* bytes of the head so far */
    bool is_closed; /* HTTP/2: the stream is, but the caller has not got all */
    bool is_paused, is_delivering, has_head, is_ended, is_dead;
    u32 n_busy;
    int rc;
    Compressor *decoder;
    CompressKind decode_kind;
    bool is_decoding, is_full; /* the decoder has more to give */
    Buf stash;                 /* encoded bytes that wait */
    usize stash_at;
    u64 n_body, n_unconsumed;
    LoopTimer timer;
    bool has_timer;
};

/* ---- http_client_route.c ---- */
/* Fills url, route and key of `f` from a URL; 0 or a code. */
int http_fetch_route(HttpFetch *f, Str url, const Url *base);
/* Host field and value of :authority. */
Str http_fetch_authority(const HttpFetch *f);
/* What follows the method in the first line. */
Str http_fetch_target(Arena *a, const HttpFetch *f);

/* ---- http_client_pool.c ---- */
/* Puts it into its origin and sees whether it can go at once. */
void http_pool_add(HttpFetch *f);
void http_pool_remove(HttpFetch *f);
/* Hands out what can be handed out. */
void http_pool_dispatch(HttpOrigin *o);
/* Room has become free. */
void http_pool_dispatch_all(HttpClient *client);
/* An HTTP/1 connection has no request any more: keeps or closes it. */
void http_pool_put_idle(HttpConn *c);
void http_pool_take_idle(HttpConn *c);
/* The connection stands and its protocol is known. */
void http_pool_ready(HttpConn *c);
/* The connection will not serve any more (closing, or going away). */
void http_pool_forget(HttpConn *c);

/* ---- http_client_conn.c ---- */
HttpConn *http_line_open(HttpOrigin *o, const HttpFetch *f);
/* Closes it; fetches are told when the loop comes round. */
void http_line_fail(HttpConn *c, int rc);
void http_line_close(HttpConn *c);
void http_line_close_timer(HttpConn *c);

/* ---- http_client_h1.c ---- */
void http_h1_start(HttpConn *c, HttpFetch *f);
void http_h1_input(HttpConn *c, Str in);
void http_h1_end(HttpConn *c);
/* Sends what of the body can be sent. */
void http_h1_upload(HttpConn *c);
bool http_h1_write(HttpConn *c, HttpFetch *f, Str piece);
void http_h1_finish(HttpConn *c, HttpFetch *f);
/* Goes on with what was read already. */
void http_h1_resume(HttpConn *c);

/* ---- http_client_h2.c ---- */
/* false: the library refuses. */
bool http_h2_begin(HttpConn *c);
void http_h2_free(HttpConn *c);
void http_h2_start(HttpConn *c, HttpFetch *f);
void http_h2_input(HttpConn *c, Str in);
void http_h2_flush(HttpConn *c);
void http_h2_abort(HttpConn *c, HttpFetch *f);
void http_h2_upload(HttpConn *c, HttpFetch *f);
/* Bytes of the body have been used. */
void http_h2_consumed(HttpConn *c, HttpFetch *f);

/* ---- http_client_body.c ---- */
/* Looks at Content-Encoding. */
void http_body_decode_start(HttpFetch *f);
/* Gives bytes of the body to the caller.  false: `f` is gone or over. */
bool http_body_deliver(HttpFetch *f, Str data);
/* The same with what was left when it was paused. */
bool http_body_deliver_rest(HttpFetch *f);
bool http_body_is_pending(const HttpFetch *f);
/* 0, or a code when the coding is not complete. */
int http_body_decode_end(HttpFetch *f);
void http_body_decode_free(HttpFetch *f);

/* ---- http_client.c ---- */
/* A head was read into f->status and f->pairs.  false: `f` is gone from this connection (redirect,
 * failure, abort). */
bool http_fetch_on_head(HttpFetch *f, Str reason, u8 version, bool has_body, u64 length);
/* The last event; `f` has left its connection. */
void http_fetch_done(HttpFetch *f, int rc);
/* The connection broke: tries again or gives up.  `f` has left its connection. */
void http_fetch_broken(HttpFetch *f, int rc, bool may_retry);
void http_fetch_add_pair(HttpFetch *f, Str name, Str value);
void http_fetch_hold(HttpFetch *f);
/* Frees it when it is dead and nobody holds it. */
void http_fetch_release(HttpFetch *f);
void http_client_check_free(HttpClient *client);
