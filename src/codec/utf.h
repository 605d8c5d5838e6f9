/* codec/utf.h -- UTF-8, UTF-16 and Latin-1: validation, measuring and conversion.
 *
 * Ill-formed UTF-8 is read as the WHATWG Encoding Standard does: every maximal subpart of an
 * ill-formed sequence is one U+FFFD.  Lone surrogates of UTF-16 become U+FFFD when written as
 * UTF-8.  Nothing here allocates or fails: measure first, then convert into a buffer of that size.
 */
#pragma once

#include "util/base.h"
#include "util/str.h"

/* The number of leading bytes below 0x80. */
usize utf_ascii_prefix(const u8 *p, usize n);
/* Is the text well-formed UTF-8? */
bool utf8_is_valid(Str s);
/* Reads one code point at s.p[0]; s must not be empty.  *ret_len gets the number of bytes used (at
 * least 1); an ill-formed sequence gives U+FFFD and the length of its maximal subpart. */
u32 utf8_decode(Str s, usize *ret_len);

typedef struct {
    usize n_units;  /* UTF-16 code units after replacement */
    bool is_ascii;  /* every byte is below 0x80 */
    bool is_latin1; /* every code point is below 0x100, so n_units bytes of Latin-1 hold the text */
    bool is_valid;  /* nothing had to be replaced */
} UtfMeasure;

UtfMeasure utf8_measure(Str s);
/* `dst` has room for the measured number of units.  The first needs a measure with is_latin1. */
void utf8_to_latin1(Str s, u8 *dst);
void utf8_to_utf16(Str s, u16 *dst);

/* The number of UTF-8 bytes, then the conversion; both return the same number. */
usize utf_latin1_to_utf8_len(const u8 *p, usize n);
usize utf_latin1_to_utf8(const u8 *p, usize n, char *dst);
usize utf16_to_utf8_len(const u16 *p, usize n);
usize utf16_to_utf8(const u16 *p, usize n, char *dst);
/* Writes whole code points until `cap` bytes are full; returns the bytes written and the units
 * read. (TextEncoder.encodeInto, Buffer.write.) */
usize utf16_to_utf8_partial(const u16 *p, usize n, char *dst, usize cap, usize *ret_read);
usize utf_latin1_to_utf8_partial(const u8 *p, usize n, char *dst, usize cap, usize *ret_read);
/* Between Latin-1 and UTF-16; of greater units only the low byte is kept. */
void utf_latin1_to_utf16(const u8 *p, usize n, u16 *dst);
void utf16_low_bytes(const u16 *p, usize n, u8 *dst);
/* Is every unit below 0x100? */
bool utf16_is_latin1(const u16 *p, usize n);
/* Does the text have no lone surrogate? */
bool utf16_is_well_formed(const u16 *p, usize n);
