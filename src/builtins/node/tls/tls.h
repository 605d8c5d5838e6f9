/* node/tls/tls.h -- TLS contexts as JavaScript has them, and certificates. */
#pragma once

#include "builtins/internal/sockets/sockets.h"

#include <openssl/ssl.h>

extern const JsClass tls_context_class; /* holds a TlsContext */

/* The members of a certificate as tls.getPeerCertificate() shows them; NULL: an exception. */
NODISCARD JsVal tls_cert_object(Js *js, X509 *cert);

/* Single members, as crypto.X509Certificate shows them; undefined when there is none, NULL: an
 * exception. */
NODISCARD JsVal tls_cert_alt_names(Js *js, X509 *cert);
NODISCARD JsVal tls_cert_info_access(Js *js, X509 *cert); /* text, a line each */
NODISCARD JsVal tls_cert_key_usage(Js *js, X509 *cert);   /* extended: an array of OIDs */
NODISCARD JsVal tls_cert_serial(Js *js, X509 *cert);
NODISCARD JsVal tls_cert_time(Js *js, const ASN1_TIME *t);
NODISCARD JsVal tls_cert_fingerprint(Js *js, X509 *cert, const EVP_MD *md);
