/* http/http_client.h -- HTTP requests: HTTP/1.1 and HTTP/2, plain and over TLS, with kept
 * connections, redirects, proxies, decompression, back-pressure both ways and abort at any moment.
 * No engine; docs/internals/http-client.md has an example.
 *
 * A client belongs to a loop and keeps its connections.  A fetch is one request with all its
 * redirects and retries.  Events come from the loop, never from inside http_fetch_start; the last
 * one is on_done, after which the fetch is gone.  http_fetch_abort may be called at any moment,
 * also inside an event; no event follows and the fetch is gone.
 *
 * One thread: that of the loop. */
#pragma once

#include "net/net.h"
#include "net/tls.h"
#include "util/arena.h"
#include "util/str.h"

typedef struct HttpClient HttpClient;
typedef struct HttpFetch HttpFetch;

enum {
    HTTP_CLIENT_CONNS_MAX = 256,   /* open connections; then requests wait (http_client_set_max) */
    HTTP_CLIENT_IDLE_MAX = 64,     /* kept without a request; then the oldest is closed */
    HTTP_CLIENT_IDLE_MS = 240000,  /* and for how long */
    HTTP_CLIENT_STREAMS_MAX = 128, /* requests at once on one HTTP/2 connection */
    HTTP_CLIENT_REDIRECTS_MAX = 20,
    HTTP_CLIENT_RETRIES_MAX = 3, /* on kept connections that turned out to be closed */
    HTTP_CLIENT_HEAD_MAX = 256 * 1024,
};

/* What on_done says, besides -errno, NET_ETLS and the EAI codes of util/err.def. */
enum {
    HTTP_CLIENT_ECLOSED = -6001,       /* the connection ended before the response did */
    HTTP_CLIENT_EPARSE = -6002,        /* not HTTP; detail: an HttpError */
    HTTP_CLIENT_EREDIRECTS = -6003,    /* too many */
    HTTP_CLIENT_EREDIRECT = -6004,     /* a redirect, which HTTP_REDIRECT_ERROR forbids */
    HTTP_CLIENT_EREDIRECT_URL = -6005, /* to what is no http URL */
    HTTP_CLIENT_EBODY = -6006,         /* a streamed body cannot be sent again */
    HTTP_CLIENT_EDECODE = -6007,       /* the content coding is broken */
    HTTP_CLIENT_ETOO_BIG = -6008,      /* more than body_max */
    HTTP_CLIENT_EPROXY = -6009,        /* detail: its status */
    HTTP_CLIENT_EH2 = -6010,           /* detail: an error code of HTTP/2 */
    HTTP_CLIENT_EURL = -6011,          /* not an absolute http or https URL */
    HTTP_CLIENT_EUNSUPPORTED = -6012,  /* TLS inside TLS */
};

typedef struct HttpPair {
    Str name, value;
} HttpPair;

typedef enum { HTTP_REDIRECT_FOLLOW, HTTP_REDIRECT_MANUAL, HTTP_REDIRECT_ERROR } HttpRedirect;

/* Zero is a sensible request but for the URL.  Everything is copied, except `tls`, which the fetch
 * holds a reference of. */
typedef struct HttpFetchOptions {
    Str url;    /* a fragment is ignored; user:password@ becomes Authorization */
    Str method; /* "" is GET */
    const HttpPair *headers;
    u32 n_headers;
    /* The body, or with is_streamed what http_fetch_write brings: then body_len says how much, or
     * is UINT64_MAX (chunked).  is_borrowed: `body` is not copied and stays until on_done. */
    Str body;
    u64 body_len;
    bool is_streamed, is_borrowed;
    bool is_raw;        /* give the body as it is, without decompressing */
    bool is_once;       /* Connection: close */
    bool is_h1_only;    /* do not offer HTTP/2 */
    bool is_upgrade;    /* 101 hands the connection over: on_upgrade */
    bool is_direct;     /* no proxy, whatever the environment says */
    bool is_unverified; /* TLS without looking at the certificate */
    HttpRedirect redirect;
    Str unix_path; /* connect to that socket instead */
    Str proxy;     /* "http://user:pw@host:port"; "" is HTTP_PROXY, HTTPS_PROXY, NO_PROXY */
    const HttpPair *proxy_headers;
    u32 n_proxy_headers;
    TlsContext *tls; /* NULL is the client's own, with the system's certificates */
    Str server_name; /* of the certificate, "" is the host */
    u32 connect_ms;  /* for the connection to stand, TLS included; 0: 30 s */
    u32 idle_ms;     /* without any byte; 0: no limit */
    u32 total_ms;    /* for everything; 0: no limit */
    u64 body_max;    /* bytes of the decoded body; 0: no limit */
} HttpFetchOptions;

/* Valid inside on_head.  Names are in lower case. */
typedef struct HttpResponse {
    u32 status;
    Str reason;
    const HttpPair *headers;
    u32 n_headers;
    Str url; /* where redirects ended */
    u32 n_redirects;
    u8 version;    /* 10, 11 or 20 */
    bool has_body; /* on_data may follow */
    u64 length;    /* what Content-Length says, UINT64_MAX when it says nothing */
} HttpResponse;

typedef struct HttpFetchEvents {
    /* The final response (or any redirect with HTTP_REDIRECT_MANUAL). */
    void (*on_head)(HttpFetch *f, const HttpResponse *response);
    void (*on_data)(HttpFetch *f, Str data);
    /* More of a streamed body may be written. */
    void (*on_drain)(HttpFetch *f);
    /* is_upgrade and status 101: the stream is the caller's, who sets its events and data and calls
     * http_upgrade_free in its on_close.  `rest` are bytes that came with the head.  The fetch is
     * gone when this returns; on_done does not follow. */
    void (*on_upgrade)(HttpFetch *f, const HttpResponse *response, NetStream *stream, Str rest);
    /* May be NULL.  TLS stands and the chain is fine: a code other than 0 refuses the peer. */
    int (*on_secure)(HttpFetch *f, NetStream *stream);
    /* 0: all is there. */
    void (*on_done)(HttpFetch *f, int rc);
} HttpFetchEvents;

/* Never NULL. */
HttpClient *http_client_new(Loop *loop);
/* Closes everything; on_done of every fetch gets -ECANCELED, from inside.  The memory goes when the
 * loop has let go of it.  NULL is fine. */
void http_client_free(HttpClient *client);
/* How many connections may be open at once. */
void http_client_set_max(HttpClient *client, u32 max);
/* Closes connections without a request. */
void http_client_close_idle(HttpClient *client);
typedef struct {
    u32 n_conns, n_idle, n_fetches, n_waiting;
    u64 n_opened; /* connections ever made */
} HttpClientStats;
HttpClientStats http_client_stats(const HttpClient *client);
/* Opens a connection that is kept for what will come.  The result is 0 or HTTP_CLIENT_EURL. */
int http_client_preconnect(HttpClient *client, const HttpFetchOptions *options);

/* NULL: HTTP_CLIENT_EURL or HTTP_CLIENT_EUNSUPPORTED is in *ret_rc.  `events` must outlive it. */
HttpFetch *http_fetch_start(HttpClient *client, const HttpFetchOptions *options,
                            const HttpFetchEvents *events, void *data, int *ret_rc);
void http_fetch_abort(HttpFetch *f);
void *http_fetch_data(const HttpFetch *f);
/* The URL as it is now. */
Str http_fetch_url(const HttpFetch *f);
/* More about the code in on_done: an HttpError, a status, a code of HTTP/2; 0 is nothing. */
int http_fetch_detail(const HttpFetch *f);
/* What TLS said about NET_ETLS; NULL otherwise.  Inside on_done. */
const TlsError *http_fetch_tls_error(const HttpFetch *f);
/* Back-pressure: no on_data between the two, and no on_done but for failures. */
void http_fetch_pause(HttpFetch *f);
void http_fetch_resume(HttpFetch *f);
/* A piece of a streamed body, copied.  false: enough for now, wait for on_drain. */
bool http_fetch_write(HttpFetch *f, Str piece);
/* The streamed body is complete. */
void http_fetch_end(HttpFetch *f);
/* The memory of a connection that on_upgrade gave away; in its on_close. */
void http_upgrade_free(NetStream *stream);

/* "HTTP_CLIENT_ECLOSED" is "ConnectionClosed" and a sentence; static.  Other codes: util/err.h. */
Str http_client_error_name(int rc);
Str http_client_error_text(int rc);

/* ---- Proxies (http_client_proxy.c) ---- */

/* What the environment says for a URL with that scheme, host and port; "" is none. */
Str http_proxy_from_env(Arena *a, bool is_https, Str host, u32 port);
/* Does a NO_PROXY list name the host?  Suffixes, "*", host:port and CIDR blocks of addresses. */
bool http_no_proxy_has(Str list, Str host, u32 port);
