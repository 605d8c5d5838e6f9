/* codec/base64.h -- base64, base64url and hexadecimal, to and from bytes.
 *
 * Nothing allocates: the caller gives a buffer of at least the size that the _len function names.
 */
#pragma once

#include "util/base.h"
#include "util/str.h"

typedef enum {
    BASE64_STANDARD, /* '+' and '/', padded with '=' */
    BASE64_URL,      /* '-' and '_', not padded */
} Base64Kind;

usize base64_encoded_len(usize n, Base64Kind kind);
/* Returns base64_encoded_len(n, kind). */
usize base64_encode(const u8 *p, usize n, Base64Kind kind, char *dst);

/* An upper bound for the decoders below. */
usize base64_decoded_len_max(usize n);
/* "Forgiving-base64 decode" of the Infra Standard (atob): white space is ignored, everything else
 * that is wrong is an error.  *ret_n gets the number of bytes. */
NODISCARD bool base64_decode_forgiving(Str s, u8 *dst, usize *ret_n);
/* Both alphabets; what is in neither is skipped; ends at the first '='.  (Buffer.from.)  Returns
 * the number of bytes. */
usize base64_decode_lenient(Str s, u8 *dst);
/* The same, but never more than `cap` bytes. */
usize base64_decode_lenient_into(Str s, u8 *dst, usize cap);
/* Exactly what base64_encode writes for this kind, padding and unused bits included; for secrets
 * and integrity strings. */
NODISCARD bool base64_decode_strict(Str s, Base64Kind kind, u8 *dst, usize *ret_n);

/* 2 * n lower-case digits; returns that number. */
usize hex_encode(const u8 *p, usize n, char *dst);
/* Pairs of digits until something else comes; at most s.n / 2 bytes.  Returns their number. */
usize hex_decode(Str s, u8 *dst);
