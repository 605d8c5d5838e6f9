/* http/http_h2.h -- HTTP/2 of the server: what the session and its streams know of each other. */
#pragma once

#include "http/http_private.h"

#include <nghttp2/nghttp2.h>

enum {
    HTTP_STREAMS_MAX = 128,            /* at the same time, of a session */
    HTTP_STREAM_WINDOW = 256 * 1024,   /* bytes of a body that may come unasked */
    HTTP_SESSION_WINDOW = 4 << 20,     /* the same for all streams of a session together */
    HTTP_SESSION_OUT_MAX = 256 * 1024, /* bytes made before what is there was sent */
    HTTP_CONTROL_BURST = 4000,         /* frames that carry nothing; one each ms more */
    HTTP_RESET_BURST = 500,            /* streams that end by a reset; */
    HTTP_RESET_RATE = 50,              /* so many more each second */
};

typedef enum { PSEUDO_METHOD, PSEUDO_PATH, PSEUDO_AUTHORITY, PSEUDO_SCHEME, PSEUDO_COUNT } Pseudo;

/* So many may come at once, and no more than the rate in the long run. */
typedef struct {
    u64 left, at_ms;
} HttpBucket;

/* The head that is being received: there is one at a time on a connection. */
typedef struct {
    Buf pseudo[PSEUDO_COUNT];
    Buf fields, cookie;
    u64 size;
    u32 n_fields;
    bool is_too_big, has_host;
} HttpIncoming;

struct HttpSession {
    HttpConn *conn;
    nghttp2_session *ng;
    HttpStream *streams, *drained; /* open; those whose output has become empty */
    u32 n_streams;                 /* open */
    u32 n_conns;                   /* not given back to the server yet */
    u64 head_ms;                   /* when the head under way began, or 0 */
    HttpBucket control, resets;
    HttpIncoming head;
    Buf text; /* the head as text */
    bool is_inside, is_pulling, is_stopping, is_over;
};

struct HttpStream {
    HttpSession *session;
    HttpStream *prev, *next, *next_drained;
    HttpConn *conn; /* the one that stands for it */
    i32 id;         /* -1: the library does not know it any more */
    u32 status;
    Buf lines, trailer;
    usize sent;       /* of conn->flight */
    usize unconsumed; /* bytes in conn->in */
    bool is_submitted, is_ended, is_deferred, is_drained;
    bool is_in_ended;   /* the request has come to its end */
    bool resets_at_end; /* the rest of the request is not wanted */
};

/* A request whose head is in session->head (http_stream.c). */
void http_stream_open(HttpSession *s, i32 id, bool has_body);
void http_stream_trailer(HttpStream *t, HttpSession *s);
void http_stream_data(HttpStream *t, Str data);
void http_stream_input_end(HttpStream *t);
/* The library has closed it. */
void http_stream_gone(HttpStream *t, u32 code);
/* Its last frame is out. */
void http_stream_sent_end(HttpStream *t);
/* Its output has become empty. */
void http_stream_drained(HttpStream *t);
/* Sends what the library has, unless that is done anyway. */
void http_session_push(HttpSession *s);
void http_session_remove(HttpSession *s, HttpStream *t);
