/* node/tls/tls_js.h -- TLS contexts as JavaScript has them, and certificates. */
#pragma once

#include "builtins/internal/sockets/sockets.h"

#include <openssl/ssl.h>

extern const JsClass tls_context_class; /* holds a TlsContext */

/* The members of a certificate as tls.getPeerCertificate() shows them; NULL: an exception. */
NODISCARD JsVal tls_cert_object(Js *js, X509 *cert);
