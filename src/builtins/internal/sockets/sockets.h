/* internal/sockets/sockets.h -- connections and listeners that JavaScript has.
 *
 * JavaScript names one by a number that is never used twice: 20 bits of an index, the rest a
 * serial.  A call for one that is gone does nothing.  Its owner, an object of JavaScript, is held
 * while it is open; events are given to one function with the owner (sockets.js). */
#pragma once

#include "builtins/builtins.h"
#include "net/net.h"
#include "net/tls.h"

typedef enum {
    SOCK_EVENT_OPEN,
    SOCK_EVENT_DATA,
    SOCK_EVENT_END,
    SOCK_EVENT_FINISH,
    SOCK_EVENT_DRAIN,
    SOCK_EVENT_ERROR, /* errno, or an Error for TLS */
    SOCK_EVENT_CLOSE,
    SOCK_EVENT_CONNECTION, /* the number of the new one */
    SOCK_EVENT_SECURE,
    SOCK_EVENT_TIMEOUT,
    SOCK_EVENT_HELLO,   /* the name; -> TlsAnswer */
    SOCK_EVENT_ALPN,    /* list; -> bytes, undefined (none fits) or null (does not matter) */
    SOCK_EVENT_SESSION, /* [id, der] */
    SOCK_EVENT_FIND_SESSION,
    SOCK_EVENT_KEYLOG,
} SockEvent;

typedef struct VmNet VmNet;

typedef struct Sock {
    NetStream stream;
    NetListener *listener; /* else NULL */
    VmNet *net;
    JsRef owner;
    u64 id;
    u32 n_inside; /* calls from JavaScript under way: events wait with their ticks */
    bool was_finished_inside;
    u32 tls_wants; /* node/tls/binding.c: which hooks JavaScript has */
    char alpn[255];
} Sock;

struct VmNet {
    Vm *vm;
    JsRef dispatch;
    Sock **socks;
    u32 *serials;
    u32 *free;
    u32 n, cap, n_free;
    struct VmDns *dns; /* node:dns */
    struct VmUdp *udp; /* node:dgram */
    u32 state[4]; /* shared with JavaScript: [0] the last write was more than should be queued */
};

enum { SOCKS_MAX = 1 << 20 };

VmNet *sock_net(Js *js);
/* The one that argument 0 names, or NULL. */
Sock *sock_find(Js *js, JsArgs args);
/* A new one with its stream ready; NULL: there are too many. */
Sock *sock_new(Js *js, JsVal owner);
JsVal sock_id(Js *js, const Sock *s);
/* The result of the call, or NULL when it threw (it is reported). */
JsVal sock_event(Sock *s, SockEvent event, JsVal value);
/* [address, "IPv4" | "IPv6" | "", port]; a path for unix sockets. */
JsVal sock_addr(Js *js, const SysAddr *addr);
/* An Error with code, library and reason. */
JsVal sock_tls_error(Js *js, const TlsError *e);
/* Bytes of a string, buffer or view, in the arena or borrowed. */
NODISCARD bool sock_bytes(Js *js, Arena *a, JsVal v, Str *ret);
