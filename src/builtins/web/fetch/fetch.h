/* web/fetch/fetch.h -- what C halves share about requests of a program. */
#pragma once

#include "builtins/builtins.h"
#include "http/http_client.h"

/* The client of all fetches of the Vm, made when first asked for. */
HttpClient *web_fetch_client(Vm *vm);
/* What web/websocket/connection calls with its events. */
JsRef *web_fetch_socket_handler(Vm *vm);
/* The context in a wrapper that web/fetch/tls made, borrowed; NULL for other values. */
TlsContext *web_fetch_tls_of(Js *js, JsVal wrapper);
/* A flat array of names and values, as Headers keep it; values are Latin-1. */
NODISCARD bool web_fetch_take_pairs(Js *js, Arena *a, JsVal list, HttpPair **ret, u32 *ret_n);
/* { unix, proxy, proxyHeaders, context, serverName, connectTimeout, idleTimeout, timeout } */
NODISCARD bool web_fetch_take_options(Js *js, Arena *a, JsVal v, HttpFetchOptions *o);
