/* codec/encoding_decoders.h -- between the decoding loop, the multi-byte decoders and their tables.
 */
#pragma once

#include "codec/encoding.h"

/* One step of a decoder at p[0 .. n), n > 0. */
typedef struct {
    u32 n_used;  /* 0: more bytes are needed (only if they may come) */
    u32 n_chars; /* 0, 1 or 2 */
    u32 chars[2];
    bool is_error; /* n_used bytes are wrong: one U+FFFD */
} DecodeStep;

DecodeStep encoding_step_gb18030(const u8 *p, usize n, bool is_last);
DecodeStep encoding_step_big5(const u8 *p, usize n, bool is_last);
DecodeStep encoding_step_euc_jp(const u8 *p, usize n, bool is_last);
DecodeStep encoding_step_shift_jis(const u8 *p, usize n, bool is_last);
DecodeStep encoding_step_euc_kr(const u8 *p, usize n, bool is_last);
DecodeStep encoding_step_iso_2022_jp(DecoderState *state, const u8 *p, usize n, bool is_last);

typedef enum {
    ENCODING_INDEX_GB18030,
    ENCODING_INDEX_GB18030_FOUR, /* pointers below 39420 of four-byte sequences */
    ENCODING_INDEX_BIG5,
    ENCODING_INDEX_JIS0208,
    ENCODING_INDEX_JIS0212,
    ENCODING_INDEX_EUC_KR,
    ENCODING_INDEX_COUNT,
} EncodingIndexId;

/* The code point of a pointer, or 0 for none. */
u32 encoding_index_get(EncodingIndexId id, u32 pointer);
/* The upper half (0x80 to 0xff) of a single-byte encoding, 0 for none; NULL if ICU lacks it. */
const u16 *encoding_single_byte(EncodingId id);
