/* codec/encoding.h -- bytes in any encoding of the WHATWG Encoding Standard to UTF-16
 * (https://encoding.spec.whatwg.org/).
 *
 * The decoders are the standard's; the mapping tables of the legacy ones are read from ICU when an
 * encoding is first used, with corrections where the standard has something else. */
#pragma once

#include "util/arena.h"
#include "util/base.h"
#include "util/str.h"

typedef enum {
    ENCODING_UTF_8,
    ENCODING_UTF_16LE,
    ENCODING_UTF_16BE,
    ENCODING_X_USER_DEFINED,
    ENCODING_REPLACEMENT,
    ENCODING_GBK,
    ENCODING_GB18030,
    ENCODING_BIG5,
    ENCODING_EUC_JP,
    ENCODING_ISO_2022_JP,
    ENCODING_SHIFT_JIS,
    ENCODING_EUC_KR,
    ENCODING_IBM866, /* single-byte ones from here on */
    ENCODING_ISO_8859_2,
    ENCODING_ISO_8859_3,
    ENCODING_ISO_8859_4,
    ENCODING_ISO_8859_5,
    ENCODING_ISO_8859_6,
    ENCODING_ISO_8859_7,
    ENCODING_ISO_8859_8,
    ENCODING_ISO_8859_8_I,
    ENCODING_ISO_8859_10,
    ENCODING_ISO_8859_13,
    ENCODING_ISO_8859_14,
    ENCODING_ISO_8859_15,
    ENCODING_ISO_8859_16,
    ENCODING_KOI8_R,
    ENCODING_KOI8_U,
    ENCODING_MACINTOSH,
    ENCODING_WINDOWS_874,
    ENCODING_WINDOWS_1250,
    ENCODING_WINDOWS_1251,
    ENCODING_WINDOWS_1252,
    ENCODING_WINDOWS_1253,
    ENCODING_WINDOWS_1254,
    ENCODING_WINDOWS_1255,
    ENCODING_WINDOWS_1256,
    ENCODING_WINDOWS_1257,
    ENCODING_WINDOWS_1258,
    ENCODING_X_MAC_CYRILLIC,
    ENCODING_COUNT,
} EncodingId;

/* "Get an encoding": ASCII white space around the label and its case do not matter.  -1: none. */
i32 encoding_find(Str label);
/* The name in lower case. */
Str encoding_name(EncodingId id);

/* What a decoder remembers between two chunks.  The zero value is a fresh decoder. */
typedef struct {
    u8 n_pending; /* bytes of an unfinished character */
    u8 pending[3];
    u8 iso_state, iso_output; /* ISO-2022-JP */
    u8 iso_flag;
    u8 is_past_bom; /* the first character has been seen */
} DecoderState;

typedef struct {
    EncodingId id;
    bool is_fatal; /* fail at the first error instead of writing U+FFFD */
    bool keep_bom; /* of UTF-8 and UTF-16 */
    bool is_last;  /* nothing follows this chunk */
} DecodeOptions;

typedef struct {
    u16 *p;
    usize n;
} Utf16;

/* Decodes a chunk into `a`.  false: an error in fatal mode, or ICU has no table (does not happen
 * with its complete data); the state is then undefined.  Not for ENCODING_REPLACEMENT. */
NODISCARD bool encoding_decode(Arena *a, const DecodeOptions *options, DecoderState *state,
                               Str bytes, Utf16 *ret);
/* The length of `s` without an unfinished but so far valid UTF-8 sequence at its end. */
usize encoding_utf8_complete_len(Str s);
