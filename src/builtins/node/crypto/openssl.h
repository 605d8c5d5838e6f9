/* node/crypto/openssl.h -- what the native halves of node:crypto share.
 *
 * A failure of OpenSSL is returned to JavaScript as an array [message, library, reason, code,
 * further messages], which node:crypto/failure makes an error of; a number is a refusal that the
 * JavaScript half has its own words for. */
#pragma once

#include "builtins/builtins.h"

#include <openssl/evp.h>

/* Empties the thread's error queue into a failure; `fallback` is the message when it is empty. */
JsVal crypto_failure(Js *js, const char *fallback);
/* Bytes of a buffer (borrowed) or of a string (UTF-8, in the arena); false with an exception. */
NODISCARD bool crypto_take(Js *js, Arena *a, JsVal v, Str *ret);
/* The digest by any of its names, or NULL (error queue emptied).  EVP_MD_free it. */
EVP_MD *crypto_digest_fetch(Js *js, JsVal name);
static inline const u8 *crypto_bytes(Str s)
{
    return (const u8 *)s.p;
}
