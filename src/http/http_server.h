/* http/http_server.h -- an HTTP server on the loop: HTTP/1, and HTTP/2 where that is asked for.
 *
 * A server accepts connections; each reads one request at a time, hands it out, and goes on to the
 * next (what the client has sent ahead waits) when the answer has been finished:
 *
 *     on_request -> on_body... -> on_body_end      what comes in
 *     http_conn_head, _field, _head_end, _write, _finish   what goes out, at any time in between
 *
 * Bytes of a request are read where the kernel put them and are valid inside the event.  Answers
 * are collected and go out together when the event returns.  An idle connection holds no buffer.
 *
 * Clients are hostile: every phase has a limit in size and in time, and what is wrong is answered
 * with 400, 408, 413, 414 or 431 and a close that lets the answer arrive.
 *
 * With options.has_h2 a connection may turn out to speak HTTP/2: over TLS when that was agreed on
 * (ALPN), else when it begins with the preface.  Each of its streams is an HttpConn of its own with
 * the same events and functions; only what is said of raw bytes does not apply to it.
 *
 * All on the loop's thread.  A connection is the server's; it lives until on_close returns. */
#pragma once

#include "http/http_parse.h"
#include "loop/loop.h"
#include "net/tls.h"

typedef struct HttpServer HttpServer;
typedef struct HttpConn HttpConn;
typedef struct HttpFile HttpFile;
typedef struct HttpTls HttpTls;
typedef struct HttpSession HttpSession;
typedef struct HttpStream HttpStream;

enum {
    HTTP_OUT_HIGH = 1 << 20,    /* bytes waiting to be sent: writers should wait */
    HTTP_BORROW_MIN = 8 * 1024, /* smaller bodies are copied */
    HTTP_AHEAD_MAX = 64 * 1024, /* bytes sent ahead of an answer before receiving pauses */
    HTTP_SKIP_MAX = 256 * 1024, /* of an unread body, read so that the connection can be kept */
    HTTP_LINGER_MS = 2000,      /* how long a refused client may go on sending */
    HTTP_CONNS_MAX = 1 << 20,
};

/* Members may be NULL but for on_request. */
typedef struct HttpServerEvents {
    void (*on_connect)(HttpConn *c);
    /* `head` are the bytes of the head, `h` what was found in them. */
    void (*on_request)(HttpConn *c, const HttpHead *h, Str head);
    void (*on_body)(HttpConn *c, Str data);
    /* Not for requests without a body.  http_conn_body has the trailer. */
    void (*on_body_end)(HttpConn *c);
    /* The connection is gone (or the body broken: rc is an HttpError) before the answer was
     * finished. */
    void (*on_abort)(HttpConn *c, int rc);
    /* After http_conn_take_over: bytes as they come, and an empty Str at their end. */
    void (*on_raw)(HttpConn *c, Str data);
    /* The head is wrong (HttpError), too slow (-ETIMEDOUT): true means that the callee answers. */
    bool (*on_bad)(HttpConn *c, int rc, Str bytes);
    /* With hands_over: the connection is taken over, since more than one request has come; all of
     * their bytes follow as on_raw. */
    void (*on_ahead)(HttpConn *c);
    /* All was sent, after http_conn_is_full said true. */
    void (*on_drain)(HttpConn *c);
    /* Nothing moved for the time of http_conn_set_timeout; true: the callee has dealt with it. */
    bool (*on_timeout)(HttpConn *c);
    void (*on_close)(HttpConn *c);
    /* After http_server_stop: the last connection is gone. */
    void (*on_stopped)(HttpServer *s);
} HttpServerEvents;

typedef struct HttpServerOptions {
    u32 head_size_max; /* 0: HTTP_HEAD_SIZE_MAX */
    u32 fields_max;
    u64 body_max;   /* 0: no limit */
    u32 idle_ms;    /* between two requests; 0 in all of these: for ever */
    u32 head_ms;    /* from the first byte of a head to its last */
    u32 busy_ms;    /* without a byte, in a body or while an answer is awaited */
    u32 request_ms; /* from the first byte of a request to the end of its body */
    bool is_lenient;
    bool needs_host; /* HTTP/1.1 without just one Host is answered with 400 */
    bool no_date;
    bool asks_expect;   /* do not send "100 Continue"; somebody calls http_conn_continue */
    bool has_h2;        /* clients may speak HTTP/2 */
    bool no_h1;         /* the others are refused */
    bool times_connect; /* head_ms counts from the connection on, and is answered with 408 */
    bool hands_over;    /* clients that do not wait for answers are the owner's: on_ahead */
    bool is_half_open;  /* the end of the client's bytes does not end its request */
} HttpServerOptions;

typedef enum {
    HTTP_CONN_HEAD,   /* waiting for a request or inside its head */
    HTTP_CONN_BODY,   /* inside a body */
    HTTP_CONN_ANSWER, /* all was read */
    HTTP_CONN_RAW,    /* taken over */
    HTTP_CONN_H2,     /* HTTP/2: its streams have the requests */
    HTTP_CONN_LINGER, /* refused; what comes is thrown away */
    HTTP_CONN_CLOSED,
} HttpConnState;

typedef void HttpRelease(void *ctx);

struct HttpConn {
    HttpServer *server;
    void *data; /* the owner's */
    HttpConn *prev, *next, *next_ready;
    u32 idx;    /* in the table of connections */
    u32 serial; /* of the request; changes with every one and is never used twice for an idx */
    u32 life;   /* the serial that the connection itself had at first */
    int fd;
    u8 state; /* HttpConnState */

    /* The request. */
    u8 method, minor;
    bool keeps_alive;   /* both sides want to */
    bool is_busy;       /* its answer was not finished */
    bool has_head;      /* the head of its answer was written */
    bool is_upgrade;    /* it asked for one; http_conn_take_over is allowed */
    bool expects;       /* it waits for "100 Continue" */
    bool is_chunked;    /* the answer goes out in chunks */
    bool has_no_body;   /* the answer must not have a body: HEAD, 204, 304 */
    bool is_watched;    /* the owner's */
    bool is_discarding; /* nobody reads the body any more */

    bool is_inside, is_ready, is_ended, is_paused, is_stopped, is_last, is_sending, is_full;
    bool has_date, has_length, has_coding, has_connection, is_aborted;
    u8 n_closing;
    HttpBody body;
    u64 body_size; /* so far */
    Str cur;       /* while inside: what is left of the input */
    u64 start_ms, deadline_ms;
    u32 timeout_ms; /* instead of busy_ms, when has_timeout */
    bool has_timeout;
    Buf in, out, flight;
    HttpRelease *release; /* of a borrowed body under way */
    void *release_ctx;
    struct iovec iov[2];
    HttpFile *file;       /* that the body is read from */
    HttpTls *tls;         /* or NULL */
    HttpSession *session; /* of a connection in the state HTTP_CONN_H2 */
    HttpStream *stream;   /* this is a stream of HTTP/2 */
    LoopRecv recv;
    LoopReq send;
};

struct HttpServer {
    Loop *loop;
    const HttpServerEvents *events;
    void *data; /* the owner's */
    HttpServerOptions options;
    TlsContext *tls; /* see http_server_set_tls */
    bool tls_asks_cert, tls_needs_cert;
    /* The rest is private. */
    HttpHead head;
    HttpConn *conns, *spare;
    HttpConn **table;
    u32 *serials;
    u32 *free_idx;
    u32 table_len, table_cap, n_free;
    u32 n_conns, n_busy, n_spare, n_warm;
    Buf spare_bufs[64]; /* as many answers are under way at once */
    u32 n_spare_bufs;
    Buf spare_large_buf, spare_plain_buf;
    HttpConn *ready, *ready_last;
    LoopTimer timer, ready_timer;
    LoopAccept accept;
    int fd;
    char date[40]; /* "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n" */
    u64 date_until_ms;
    bool is_listening, is_accepting, is_stopping, is_stopped, is_unref, has_closed_timers;
    u8 n_open;
};

/* ---- The server --------------------------------------------------------------------------------
 */

/* `events` must outlive it. */
void http_server_init(HttpServer *s, Loop *loop, const HttpServerEvents *events);
/* Takes fd, a bound socket.  0 or -errno. */
NODISCARD int http_server_listen(HttpServer *s, int fd, int backlog);
/* New connections are encrypted, with this context, which it keeps.  `asks`: clients are asked for
 * a certificate; `needs`: those who have none that is trusted are refused. */
void http_server_set_tls(HttpServer *s, TlsContext *ctx, bool asks, bool needs);
/* No more connections.  Idle ones are closed, the others after their answers; with `now`, at once.
 * on_stopped comes later, once; then http_server_deinit is allowed. */
void http_server_stop(HttpServer *s, bool now);
void http_server_close_idle(HttpServer *s);
void http_server_close_all(HttpServer *s);
/* Whether it keeps the loop alive. */
void http_server_ref(HttpServer *s, bool on);
void http_server_deinit(HttpServer *s);
/* Serves a connected socket.  NULL: there are too many; fd was closed. */
HttpConn *http_server_add(HttpServer *s, int fd);
/* The connection `idx` if it still serves the request `serial`, else NULL. */
static inline HttpConn *http_server_find(const HttpServer *s, u32 idx, u32 serial)
{
    HttpConn *c = idx < s->table_len ? s->table[idx] : NULL;
    return c && c->serial == serial ? c : NULL;
}

/* ---- Requests ----------------------------------------------------------------------------------
 */

/* Inside on_request: the whole body, if all of it has come already. */
bool http_conn_peek_body(const HttpConn *c, Str *ret);
/* Counts it as read: neither on_body nor on_body_end will come. */
void http_conn_take_body(HttpConn *c);
/* on_body waits; nothing is lost. */
void http_conn_pause(HttpConn *c);
void http_conn_resume(HttpConn *c);
/* "100 Continue", if the client waits for it. */
void http_conn_continue(HttpConn *c);
/* From now on the bytes are the owner's, in both directions; the request counts as answered. */
void http_conn_take_over(HttpConn *c);
/* Instead of busy_ms, from now on until the request is answered; when taken over, until the end. */
void http_conn_set_timeout(HttpConn *c, u32 ms);

/* NULL: it is not encrypted. */
TlsConn *http_conn_tls(const HttpConn *c);

/* ---- Answers -----------------------------------------------------------------------------------
 */

/* `reason` empty: the usual one. */
void http_conn_head(HttpConn *c, u32 status, Str reason);
/* Name and value must be a token and a field value. */
void http_conn_field(HttpConn *c, Str name, Str value);
/* The same when the name has been looked up already. */
void http_conn_field_of(HttpConn *c, HttpFieldId id, Str name, Str value);
/* Lines of fields that are known to be right, each with CR LF. */
void http_conn_fields(HttpConn *c, Str lines);
enum { HTTP_LENGTH_UNKNOWN = -1, HTTP_LENGTH_NONE = -2 };
/* Adds what is missing of Date, Connection, Content-Length or Transfer-Encoding (HTTP/1.0 clients
 * get the end of the connection instead), and the empty line.  HTTP_LENGTH_NONE: no body and no
 * word about it. */
void http_conn_head_end(HttpConn *c, i64 length);
/* A part of the body; chunked if the head said so. */
void http_conn_write(HttpConn *c, Str data);
/* Bytes as they are. */
void http_conn_write_raw(HttpConn *c, Str data);
/* Room for n bytes as they are; the caller adds what it used to c->out.len. */
char *http_conn_reserve(HttpConn *c, usize n);
/* The body, or its last part, not chunked, without copying if that pays: release(ctx) is called
 * once the bytes are not needed any more, perhaps from inside. */
void http_conn_write_borrowed(HttpConn *c, Str data, HttpRelease *release, void *ctx);
/* The whole body, and the end of the answer: takes fd.  The head has said len. */
void http_conn_send_file(HttpConn *c, int fd, u64 off, u64 len);
/* The answer is complete.  `trailer`: lines with CR LF, for chunked answers. */
void http_conn_finish(HttpConn *c, Str trailer);
/* Sends what was written, if it is not done anyway on return from an event. */
void http_conn_flush(HttpConn *c);
bool http_conn_is_full(HttpConn *c); /* wait for on_drain */
usize http_conn_queued(const HttpConn *c);
/* An answer without more ado, and the end of the connection. */
void http_conn_refuse(HttpConn *c, u32 status);
/* After what was written has been sent. */
void http_conn_end(HttpConn *c);
/* At once. */
void http_conn_close(HttpConn *c);
/* The same once what http_conn_end was called behind is sent, for HTTP_LINGER_MS at most. */
void http_conn_close_soon(HttpConn *c);
