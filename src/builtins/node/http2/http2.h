/* node/http2/http2.h -- a session of node:http2 (nghttp2); what the files of the native half share.
 *
 * A session is an object of JavaScript's that holds an H2Session. It is fed with the bytes of the
 * socket and asked for bytes to send; while one of these two natives runs, and only then, what
 * happens is told to the handler that was passed along: handler(event, stream id, a, b). Streams
 * are named by their ids; what is said of one that is gone does nothing. */
#pragma once

#include "builtins/builtins.h"
#include "runtime/vm.h"
#include "util/mem.h"

#include <nghttp2/nghttp2.h>

enum {
    H2_OUT_MAX = 256 * 1024, /* bytes handed out at once */
    H2_MEMORY_MAX = 10 << 20,
    H2_HEADER_PAIRS_MAX = 128,
    H2_PINGS_MAX = 10,
    H2_SETTINGS_MAX = 10,
    H2_CUSTOM_MAX = 32, /* settings of a frame that are looked at */
};

/* What the handler is told; numbers are known to session.js. */
typedef enum {
    H2_HEADERS = 1, /* a: category | flags << 8 | sensitive << 16; b: "name\0value\0..." */
    H2_DATA,        /* a: bytes */
    H2_DATA_END,
    H2_CLOSE,       /* a: code */
    H2_TRAILERS,    /* the body is out, trailers may follow */
    H2_WROTE,       /* what was written is in frames */
    H2_PRIORITY,    /* a: [parent, weight, exclusive] */
    H2_SETTINGS_IN, /* a: [id, value, ...] of those that are not the library's */
    H2_SETTINGS_ACK,
    H2_PING,        /* a: 8 bytes */
    H2_PING_ACK,    /* a: 8 bytes; b: how long it took, ms; a undefined: nobody asked */
    H2_GOAWAY,      /* a: code, b: opaque bytes; the id is the last stream's */
    H2_FRAME_ERROR, /* a: type of the frame, b: code */
    H2_ALTSVC,      /* a: origin, b: value */
    H2_ORIGIN,      /* a: origins with NULs between */
    H2_INVALID,     /* a: code; a frame that is not as it should be */
    H2_PADDING,     /* a: length, b: the most: returns what it wants */
} H2Event;

typedef enum { H2_PAD_NONE, H2_PAD_ALIGNED, H2_PAD_MAX } H2Padding;

typedef struct H2Stream H2Stream;

typedef struct H2Session {
    nghttp2_session *ng;
    Js *js;        /* while a native with a handler runs */
    JsVal handler; /* on the stack of that native */
    H2Stream *streams;
    Buf out;
    Buf head; /* the head that is being received */
    u32 head_pairs, head_sensitive;
    u64 head_size, head_max;
    u32 pairs_max, pings_max, settings_max, padding;
    u64 memory_max, stream_memory; /* of what streams have to send */
    u64 ping_ms[H2_PINGS_MAX * 8];
    u32 n_pings, first_ping, n_settings;
    bool is_server, is_inside, is_failed;
    bool has_ticks; /* nothing of the program's is further up the stack */
} H2Session;

struct H2Stream {
    H2Session *session;
    H2Stream *prev, *next;
    i32 id;
    u32 head_max; /* bytes of a head that is received */
    Buf out;
    usize sent;   /* of out */
    usize unread; /* received while nobody reads: its window is not opened */
    bool is_reading, is_ended, is_deferred, has_trailers, is_asked, has_waiting;
};

/* Of the first argument; NULL: it is destroyed. */
H2Session *h2_session(Js *js, JsArgs args);
/* Of the second. */
H2Stream *h2_stream(Js *js, JsArgs args);
/* Calls the handler, if there is one; the value it returns is not looked at. */
void h2_tell(H2Session *s, H2Event event, i32 id, JsVal a, JsVal b);
/* A stream that the library has just got, with the id. */
H2Stream *h2_stream_open(H2Session *s, i32 id);
void h2_stream_free(H2Stream *t);
/* The body of the frame DATA that the library makes. */
nghttp2_data_provider h2_stream_body(void);
/* Sets the library's callbacks. */
void h2_set_callbacks(nghttp2_session_callbacks *calls);
/* Pairs of "name\0value\0flag..."; NULL and 0 when it is not that. */
nghttp2_nv *h2_pairs(Js *js, Arena *a, JsVal text, usize *ret);
