/* codec/encoding_cjk.c -- the multi-byte decoders of the Encoding Standard, one character at a
 * time.
 *
 * Each step looks at the bytes from the start of a character.  What the standard "restores" to its
 * queue is simply not counted as used. */
#include "codec/encoding_decoders.h"

static DecodeStep one_char(u32 n_used, u32 c)
{
    return (DecodeStep){.n_used = n_used, .n_chars = 1, .chars = {c}};
}

static DecodeStep failure(u32 n_used)
{
    return (DecodeStep){.n_used = n_used, .is_error = true};
}

/* `n` bytes are there, more are needed: wait, or at the end call them all wrong. */
static DecodeStep unfinished(usize n, bool is_last)
{
    return is_last ? failure((u32)n) : (DecodeStep){0};
}

/* The result of a two-byte sequence.  A wrong one ends before its trail byte when that is ASCII. */
static DecodeStep two_bytes(u32 c, u8 trail)
{
    if (c) return one_char(2, c);
    return failure(trail < 0x80 ? 1 : 2);
}

static bool in_range(u8 c, u8 min, u8 max)
{
    return c >= min && c <= max;
}

/* ---- Chinese -----------------------------------------------------------------------------------
 */

/* https://encoding.spec.whatwg.org/#index-gb18030-ranges-code-point */
static u32 gb18030_four_char(const u8 *p)
{
    u32 pointer =
        (p[0] - 0x81u) * 12600 + (p[1] - 0x30u) * 1260 + (p[2] - 0x81u) * 10 + (p[3] - 0x30u);
    if (pointer < 39420) return encoding_index_get(ENCODING_INDEX_GB18030_FOUR, pointer);
    return pointer >= 189000 && pointer <= 1237575 ? 0x10000 + (pointer - 189000) : 0;
}

static DecodeStep step_gb18030_four(const u8 *p, usize n, bool is_last)
{
    if (n < 3) return unfinished(n, is_last);
    if (!in_range(p[2], 0x81, 0xfe)) return failure(1);
    if (n < 4) return unfinished(n, is_last);
    if (!in_range(p[3], 0x30, 0x39)) return failure(1);
    u32 c = gb18030_four_char(p);
    return c ? one_char(4, c) : failure(4);
}

DecodeStep encoding_step_gb18030(const u8 *p, usize n, bool is_last)
{
    u8 lead = p[0];
    if (lead < 0x80) return one_char(1, lead);
    if (lead == 0x80) return one_char(1, 0x20ac);
    if (lead == 0xff) return failure(1);
    if (n < 2) return unfinished(n, is_last);
    u8 trail = p[1];
    if (in_range(trail, 0x30, 0x39)) return step_gb18030_four(p, n, is_last);
    if (!in_range(trail, 0x40, 0x7e) && !in_range(trail, 0x80, 0xfe)) return two_bytes(0, trail);
    u32 pointer = (lead - 0x81u) * 190 + (trail - (trail < 0x7f ? 0x40u : 0x41u));
    return two_bytes(encoding_index_get(ENCODING_INDEX_GB18030, pointer), trail);
}

DecodeStep encoding_step_big5(const u8 *p, usize n, bool is_last)
{
    u8 lead = p[0];
    if (lead < 0x80) return one_char(1, lead);
    if (!in_range(lead, 0x81, 0xfe)) return failure(1);
    if (n < 2) return unfinished(n, is_last);
    u8 trail = p[1];
    if (!in_range(trail, 0x40, 0x7e) && !in_range(trail, 0xa1, 0xfe)) return two_bytes(0, trail);
    u32 pointer = (lead - 0x81u) * 157 + (trail - (trail < 0x7f ? 0x40u : 0x62u));
    /* Four pointers stand for a letter and a combining mark. */
    DecodeStep pair = {.n_used = 2, .n_chars = 2};
    switch (pointer) {
    case 1133:
        pair.chars[0] = 0xca;
        pair.chars[1] = 0x304;
        return pair;
    case 1135:
        pair.chars[0] = 0xca;
        pair.chars[1] = 0x30c;
        return pair;
    case 1164:
        pair.chars[0] = 0xea;
        pair.chars[1] = 0x304;
        return pair;
    case 1166:
        pair.chars[0] = 0xea;
        pair.chars[1] = 0x30c;
        return pair;
    default: return two_bytes(encoding_index_get(ENCODING_INDEX_BIG5, pointer), trail);
    }
}

/* ---- Japanese ----------------------------------------------------------------------------------
 */

static u32 kuten(EncodingIndexId id, u8 lead, u8 trail, u8 first)
{
    return encoding_index_get(id, (u32)(lead - first) * 94 + (u32)(trail - first));
}

DecodeStep encoding_step_euc_jp(const u8 *p, usize n, bool is_last)
{
    u8 lead = p[0];
    if (lead < 0x80) return one_char(1, lead);
    if (lead != 0x8e && lead != 0x8f && !in_range(lead, 0xa1, 0xfe)) return failure(1);
    if (n < 2) return unfinished(n, is_last);
    u8 trail = p[1];
    if (lead == 0x8e && in_range(trail, 0xa1, 0xdf)) return one_char(2, 0xff61 - 0xa1 + trail);
    if (lead == 0x8f && in_range(trail, 0xa1, 0xfe)) {
        if (n < 3) return unfinished(n, is_last);
        bool is_trail = in_range(p[2], 0xa1, 0xfe);
        u32 c = is_trail ? kuten(ENCODING_INDEX_JIS0212, trail, p[2], 0xa1) : 0;
        if (c) return one_char(3, c);
        return failure(p[2] < 0x80 ? 2 : 3);
    }
    bool is_pair = in_range(lead, 0xa1, 0xfe) && in_range(trail, 0xa1, 0xfe);
    return two_bytes(is_pair ? kuten(ENCODING_INDEX_JIS0208, lead, trail, 0xa1) : 0, trail);
}

DecodeStep encoding_step_shift_jis(const u8 *p, usize n, bool is_last)
{
    u8 lead = p[0];
    if (lead <= 0x80) return one_char(1, lead);
    if (in_range(lead, 0xa1, 0xdf)) return one_char(1, 0xff61 - 0xa1 + lead);
    if (!in_range(lead, 0x81, 0x9f) && !in_range(lead, 0xe0, 0xfc)) return failure(1);
    if (n < 2) return unfinished(n, is_last);
    u8 trail = p[1];
    if (!in_range(trail, 0x40, 0x7e) && !in_range(trail, 0x80, 0xfc)) return two_bytes(0, trail);
    u32 pointer =
        (lead - (lead < 0xa0 ? 0x81u : 0xc1u)) * 188 + (trail - (trail < 0x7f ? 0x40u : 0x41u));
    /* The rows for end-user defined characters. */
    if (pointer >= 8836 && pointer <= 10715) return one_char(2, 0xe000 - 8836 + pointer);
    return two_bytes(encoding_index_get(ENCODING_INDEX_JIS0208, pointer), trail);
}

enum { ISO_ASCII, ISO_ROMAN, ISO_KATAKANA, ISO_DOUBLE };

/* The state that the escape sequence at p selects, or -1. */
static i32 iso_escape(const u8 *p)
{
    if (p[1] == '(' && p[2] == 'B') return ISO_ASCII;
    if (p[1] == '(' && p[2] == 'J') return ISO_ROMAN;
    if (p[1] == '(' && p[2] == 'I') return ISO_KATAKANA;
    if (p[1] == '$' && (p[2] == '@' || p[2] == 'B')) return ISO_DOUBLE;
    return -1;
}

/* An escape sequence that follows another one directly is an error, for security. */
static DecodeStep step_iso_escape(DecoderState *state, const u8 *p, usize n, bool is_last)
{
    bool can_go_on = n < 2 || p[1] == '(' || p[1] == '$';
    if (n < 3 && can_go_on && !is_last) return (DecodeStep){0};
    i32 selected = n >= 3 ? iso_escape(p) : -1;
    if (selected < 0) {
        state->iso_flag = 0;
        state->iso_state = state->iso_output;
        return failure(1);
    }
    state->iso_state = state->iso_output = (u8)selected;
    if (state->iso_flag) return failure(3);
    state->iso_flag = 1;
    return (DecodeStep){.n_used = 3};
}

static DecodeStep step_iso_double(const u8 *p, usize n, bool is_last)
{
    u8 lead = p[0];
    if (!in_range(lead, 0x21, 0x7e)) return failure(1);
    if (n < 2) return unfinished(n, is_last);
    u8 trail = p[1];
    if (trail == 0x1b) return failure(1);
    if (!in_range(trail, 0x21, 0x7e)) return failure(2);
    u32 c = kuten(ENCODING_INDEX_JIS0208, lead, trail, 0x21);
    return c ? one_char(2, c) : failure(2);
}

DecodeStep encoding_step_iso_2022_jp(DecoderState *state, const u8 *p, usize n, bool is_last)
{
    u8 c = p[0];
    if (c == 0x1b) return step_iso_escape(state, p, n, is_last);
    if (state->iso_state == ISO_DOUBLE) {
        DecodeStep step = step_iso_double(p, n, is_last);
        if (step.n_used) state->iso_flag = 0;
        return step;
    }
    state->iso_flag = 0;
    if (state->iso_state == ISO_KATAKANA) {
        return in_range(c, 0x21, 0x5f) ? one_char(1, 0xff61 - 0x21 + c) : failure(1);
    }
    if (c >= 0x80 || c == 0x0e || c == 0x0f) return failure(1);
    if (state->iso_state == ISO_ROMAN && c == 0x5c) return one_char(1, 0xa5);
    if (state->iso_state == ISO_ROMAN && c == 0x7e) return one_char(1, 0x203e);
    return one_char(1, c);
}

/* ---- Korean ------------------------------------------------------------------------------------
 */

DecodeStep encoding_step_euc_kr(const u8 *p, usize n, bool is_last)
{
    u8 lead = p[0];
    if (lead < 0x80) return one_char(1, lead);
    if (!in_range(lead, 0x81, 0xfe)) return failure(1);
    if (n < 2) return unfinished(n, is_last);
    u8 trail = p[1];
    if (!in_range(trail, 0x41, 0xfe)) return two_bytes(0, trail);
    u32 pointer = (lead - 0x81u) * 190 + (trail - 0x41u);
    return two_bytes(encoding_index_get(ENCODING_INDEX_EUC_KR, pointer), trail);
}
