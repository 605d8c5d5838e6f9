/* web/fetch/client.h -- what C halves share about requests of a program. */
#pragma once

#include "builtins/builtins.h"
#include "http/http_client.h"

/* The client of all fetches of the Vm, made when first asked for. */
HttpClient *web_fetch_client(Vm *vm);
/* The context in a wrapper that web/fetch/tls made, borrowed; NULL for other values. */
TlsContext *web_fetch_tls_of(Js *js, JsVal wrapper);
