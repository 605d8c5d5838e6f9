/* internal/http_host/http_host.h -- a server of http/ with handlers in JavaScript; what the files
 * of the native half share. */
#pragma once

#include "builtins/builtins.h"
#include "http/http_server.h"
#include "http/ws_frame.h"

enum {
    HOST_SERVERS_MAX = 1 << 16,
    HOST_MEM_KEPT = 64 << 20,    /* free memory that bodies come from, until the process is idle */
    HOST_BODY_HIGH = 256 * 1024, /* of a request's body, kept for a slow reader */
    HOST_IDX_BITS = 20,          /* of the number of a request: the index of its connection */
};

/* What on_event is told; numbers are known to http_host.js. */
typedef enum {
    HOST_EVENT_ABORT = 1, /* rc */
    HOST_EVENT_BODY,      /* bytes can be read, or the end */
    HOST_EVENT_DRAIN,
    HOST_EVENT_RAW,     /* bytes, or null at the end; this and the next by life */
    HOST_EVENT_CLOSE,   /* of a connection that somebody watches */
    HOST_EVENT_STOPPED, /* the server */
    HOST_EVENT_BAD,     /* rc, bytes */
    HOST_EVENT_TIMEOUT,
    HOST_EVENT_CONNECT,
    HOST_EVENT_AHEAD = 10,
    HOST_EVENT_WS_TEXT = 20,
    HOST_EVENT_WS_BINARY,
    HOST_EVENT_WS_CLOSE, /* [code, reason] */
    HOST_EVENT_WS_PING,
    HOST_EVENT_WS_PONG,
} HostEvent;

typedef struct HostWs HostWs;

/* The body of a request that JavaScript has not taken at once. */
typedef struct HostBody {
    Buf data;
    bool is_wanted; /* somebody waits for all of it */
    bool is_waited; /* somebody waits for more */
    bool is_done;
    HostWs *ws; /* the connection is a WebSocket */
} HostBody;

typedef struct Host {
    HttpServer server;
    Vm *vm;
    u32 sid;
    JsRef on_request, on_event;
    bool wants_connect, wants_bad, wants_timeout;
    /* Where the Host field of the last request is in its raw text; `len` 0: nobody knows. */
    struct {
        u32 idx, serial, start, len;
    } authority;
} Host;

struct VmHttp {
    Host **hosts; /* by sid; NULL where one was freed */
    u32 n_hosts, cap;
    HttpHead raw;                  /* of heads that are read again: keeps its memory */
    JsRef names[HTTP_FIELD_COUNT]; /* strings of field names, made when first needed */
};

/* The host and, if it still serves that request, the connection of the first two arguments. */
Host *host_find(Js *js, JsArgs args);
HttpConn *host_conn(Js *js, JsArgs args);
JsVal host_id(Js *js, const HttpConn *c);
/* The number of the connection itself, which stays from request to request. */
JsVal host_life(Js *js, const HttpConn *c);
HttpConn *host_conn_by_life(Js *js, JsArgs args);
JsVal host_address_of(Js *js, const SysAddr *addr);
/* What natives on a request and on its connection share; `c` NULL: it is gone, and the answer says
 * so.  The value of the third argument: milliseconds; is it paused? */
JsVal host_set_timeout(Js *js, HttpConn *c, JsVal ms);
JsVal host_set_paused(Js *js, HttpConn *c, JsVal on);
/* After bytes were put behind `out`: sends them unless an event does it, and tells how many wait
 * when that is too many, else 0. */
JsVal host_wrote(Js *js, HttpConn *c);
void host_event(HttpConn *c, HostEvent event, JsVal value);
HostBody *host_body(HttpConn *c);

/* WebSockets (http_ws.c). */
void host_ws_free(HostWs *ws);
void host_ws_receive(HttpConn *c, Str data);
/* true: the connection stays. */
bool host_ws_timeout(HttpConn *c);
void host_ws_gone(HttpConn *c);
