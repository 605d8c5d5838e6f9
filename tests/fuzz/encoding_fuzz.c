/* Text decoders: any bytes in any encoding, whole and in chunks, must give the same text. */
#include "codec/encoding.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const u8 *data, usize size);

int LLVMFuzzerTestOneInput(const u8 *data, usize size)
{
    if (size < 2 || data[0] % ENCODING_COUNT == ENCODING_REPLACEMENT) return 0;
    Arena a = {0};
    DecodeOptions options = {.id = (EncodingId)(data[0] % ENCODING_COUNT), .is_last = true};
    options.keep_bom = (data[1] & 0x80) != 0;
    usize step = (data[1] & 15) + 1u;
    Str s = {(const char *)data + 2, size - 2};
    DecoderState whole_state = {0}, state = {0};
    Utf16 whole, chunk;
    ASSERT(encoding_decode(&a, &options, &whole_state, s, &whole));
    usize at = 0;
    for (usize i = 0; i < s.n || i == 0; i += step) {
        options.is_last = i + step >= s.n;
        ASSERT(encoding_decode(&a, &options, &state, str_slice(s, i, i + step), &chunk));
        ASSERT(at + chunk.n <= whole.n);
        ASSERT(!chunk.n || !memcmp(whole.p + at, chunk.p, chunk.n * sizeof(u16)));
        at += chunk.n;
    }
    ASSERT(at == whole.n);
    arena_deinit(&a);
    return 0;
}
