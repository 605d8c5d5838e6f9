/* codec/utf_blocks.h -- private to codec/utf.c: what is done in blocks where the machine can.
 *
 * Every function may do a part of the work and says how much; the rest is the caller's. */
#pragma once

#include "codec/utf.h"

/* true: the text is well-formed and *ret its measure.  false with *ret_is_known: it is not.  false
 * without: the text is short or the machine cannot, see for yourself. */
bool utf8_check(Str s, UtfMeasure *ret, bool *ret_is_known);
/* The number of leading bytes known to be below 0x80; a multiple of 32, 0 for short ones. */
usize utf_blocks_ascii(const u8 *p, usize n);
/* How many of the first bytes are above 0x7f; *ret_used says how many were looked at. */
usize utf_blocks_count_high(const u8 *p, usize n, usize *ret_used);
/* Writes well-formed units as UTF-8 while 32 bytes may be written; stops before surrogates.
 * Returns the units used, *ret_written the bytes. */
usize utf_blocks_from_utf16(const u16 *p, usize n, char *dst, usize cap, usize *ret_written);
/* The UTF-8 bytes that the first units take, in whole blocks without surrogates; *ret_used says how
 * many units these are. */
usize utf_blocks_utf8_len(const u16 *p, usize n, usize *ret_used);
