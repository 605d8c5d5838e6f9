/* codec/encoding.c -- labels, and the loop that runs a decoder over a chunk.
 *
 * Between chunks a decoder keeps the bytes of an unfinished character, never more than three, and
 * reads them again in front of the next chunk. */
#include "codec/encoding.h"

#include <string.h>

#include "codec/encoding_decoders.h"
#include "codec/utf.h"

enum { LABEL_MAX = 32, REPLACEMENT = 0xfffd };

static const struct {
    Str label;
    u8 id;
} labels[] = {
#define LABEL(text, id) {{text, sizeof(text) - 1}, id},
#include "codec/encoding_labels.def"
#undef LABEL
};

static const char *const names[ENCODING_COUNT] = {
    "utf-8",        "utf-16le",     "utf-16be",     "x-user-defined", "replacement",
    "gbk",          "gb18030",      "big5",         "euc-jp",         "iso-2022-jp",
    "shift_jis",    "euc-kr",       "ibm866",       "iso-8859-2",     "iso-8859-3",
    "iso-8859-4",   "iso-8859-5",   "iso-8859-6",   "iso-8859-7",     "iso-8859-8",
    "iso-8859-8-i", "iso-8859-10",  "iso-8859-13",  "iso-8859-14",    "iso-8859-15",
    "iso-8859-16",  "koi8-r",       "koi8-u",       "macintosh",      "windows-874",
    "windows-1250", "windows-1251", "windows-1252", "windows-1253",   "windows-1254",
    "windows-1255", "windows-1256", "windows-1257", "windows-1258",   "x-mac-cyrillic",
};

static bool is_label_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r' && c != '\v');
}

i32 encoding_find(Str label)
{
    while (label.n && is_label_space(label.p[0])) label = str_skip(label, 1);
    while (label.n && is_label_space(label.p[label.n - 1])) label.n--;
    if (label.n > LABEL_MAX) return -1;
    char lower[LABEL_MAX];
    for (usize i = 0; i < label.n; i++) {
        char c = label.p[i];
        lower[i] = c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
    }
    Str wanted = {lower, label.n};
    u32 low = 0, high = COUNT(labels);
    while (low < high) {
        u32 mid = (low + high) / 2;
        int order = str_cmp(wanted, labels[mid].label);
        if (!order) return labels[mid].id;
        if (order < 0) {
            high = mid;
        } else {
            low = mid + 1;
        }
    }
    return -1;
}

Str encoding_name(EncodingId id)
{
    ASSERT(id < ENCODING_COUNT);
    return str_z(names[id]);
}

/* ---- Output ------------------------------------------------------------------------------------
 */

static void put(Utf16 *out, u32 c)
{
    if (c < 0x10000) {
        out->p[out->n++] = (u16)c;
    } else {
        out->p[out->n++] = (u16)(0xd7c0 + (c >> 10));
        out->p[out->n++] = (u16)(0xdc00 | (c & 0x3ff));
    }
}

static void keep_pending(DecoderState *state, const u8 *p, usize n)
{
    ASSERT(n <= sizeof(state->pending));
    memcpy(state->pending, p, n);
    state->n_pending = (u8)n;
}

/* ---- UTF-8 and UTF-16 ---------------------------------------------------------------------------
 */

/* The length of the sequence that `p` begins and may still become, or 0 if it is wrong already. */
static usize sequence_len(const u8 *p, usize n)
{
    u8 lead = p[0], min = 0x80, max = 0xbf;
    if (lead < 0xc2 || lead > 0xf4) return 0;
    usize len = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (lead == 0xe0) min = 0xa0;
    if (lead == 0xed) max = 0x9f;
    if (lead == 0xf0) min = 0x90;
    if (lead == 0xf4) max = 0x8f;
    if (n > 1 && (p[1] < min || p[1] > max)) return 0;
    if (n > 2 && (p[2] & 0xc0) != 0x80) return 0;
    return len;
}

usize encoding_utf8_complete_len(Str s)
{
    const u8 *p = (const u8 *)s.p;
    for (usize back = 1; back <= 3 && back <= s.n; back++) {
        u8 c = p[s.n - back];
        if ((c & 0xc0) == 0x80) continue;
        return sequence_len(p + s.n - back, back) > back ? s.n - back : s.n;
    }
    return s.n;
}

static bool decode_utf8(const DecodeOptions *options, DecoderState *state, Str s, Utf16 *out)
{
    usize n = options->is_last ? s.n : encoding_utf8_complete_len(s);
    Str whole = {s.p, n};
    if (options->is_fatal && !utf8_is_valid(whole)) return false;
    utf8_to_utf16(whole, out->p);
    out->n = utf8_measure(whole).n_units;
    keep_pending(state, (const u8 *)s.p + n, s.n - n);
    return true;
}

static u16 read_unit(const u8 *p, bool is_big)
{
    return (u16)(is_big ? p[0] << 8 | p[1] : p[1] << 8 | p[0]);
}

/* One U+FFFD, or the end. */
static bool put_error(const DecodeOptions *options, Utf16 *out)
{
    put(out, REPLACEMENT);
    return !options->is_fatal;
}

static bool decode_utf16(const DecodeOptions *options, DecoderState *state, Str s, Utf16 *out)
{
    const u8 *p = (const u8 *)s.p;
    bool is_big = options->id == ENCODING_UTF_16BE;
    usize i = 0;
    for (; i + 2 <= s.n; i += 2) {
        u16 unit = read_unit(p + i, is_big);
        bool is_lead = (unit & 0xfc00) == 0xd800, is_trail = (unit & 0xfc00) == 0xdc00;
        if (!is_lead && !is_trail) {
            out->p[out->n++] = unit;
        } else if (is_lead && i + 4 <= s.n && (read_unit(p + i + 2, is_big) & 0xfc00) == 0xdc00) {
            out->p[out->n++] = unit;
            out->p[out->n++] = read_unit(p + i + 2, is_big);
            i += 2;
        } else if (is_lead && i + 4 > s.n) {
            break;
        } else if (!put_error(options, out)) {
            return false;
        }
    }
    if (!options->is_last) {
        keep_pending(state, p + i, s.n - i);
        return true;
    }
    /* A lead surrogate, an odd byte, or both are one error. */
    return i == s.n || put_error(options, out);
}

/* ---- The rest ----------------------------------------------------------------------------------
 */

static bool decode_single(const DecodeOptions *options, Str s, Utf16 *out)
{
    const u16 *table = encoding_single_byte(options->id);
    if (!table) return false;
    for (usize i = 0; i < s.n; i++) {
        u8 c = (u8)s.p[i];
        u16 unit = c < 128 ? c : table[c - 128];
        if (!unit && c >= 128) {
            if (!put_error(options, out)) return false;
            continue;
        }
        out->p[out->n++] = unit;
    }
    return true;
}

static void decode_user_defined(Str s, Utf16 *out)
{
    for (usize i = 0; i < s.n; i++) {
        u8 c = (u8)s.p[i];
        out->p[out->n++] = (u16)(c < 128 ? c : 0xf780 - 0x80 + c);
    }
}

static DecodeStep take_step(const DecodeOptions *options, DecoderState *state, const u8 *p, usize n)
{
    switch (options->id) {
    case ENCODING_GBK:
    case ENCODING_GB18030: return encoding_step_gb18030(p, n, options->is_last);
    case ENCODING_BIG5: return encoding_step_big5(p, n, options->is_last);
    case ENCODING_EUC_JP: return encoding_step_euc_jp(p, n, options->is_last);
    case ENCODING_SHIFT_JIS: return encoding_step_shift_jis(p, n, options->is_last);
    case ENCODING_EUC_KR: return encoding_step_euc_kr(p, n, options->is_last);
    case ENCODING_ISO_2022_JP: return encoding_step_iso_2022_jp(state, p, n, options->is_last);
    default: BUG("not a multi-byte encoding");
    }
}

static bool decode_multi(const DecodeOptions *options, DecoderState *state, Str s, Utf16 *out)
{
    const u8 *p = (const u8 *)s.p;
    usize i = 0;
    while (i < s.n) {
        DecodeStep step = take_step(options, state, p + i, s.n - i);
        if (!step.n_used) break;
        for (u32 k = 0; k < step.n_chars; k++) put(out, step.chars[k]);
        if (step.is_error && !put_error(options, out)) return false;
        i += step.n_used;
    }
    keep_pending(state, p + i, s.n - i);
    return true;
}

static bool is_utf(EncodingId id)
{
    return id == ENCODING_UTF_8 || id == ENCODING_UTF_16LE || id == ENCODING_UTF_16BE;
}

bool encoding_decode(Arena *a, const DecodeOptions *options, DecoderState *state, Str bytes,
                     Utf16 *ret)
{
    ASSERT(options->id != ENCODING_REPLACEMENT);
    Str s = bytes;
    if (state->n_pending) {
        s = str_concat(a, (Str){(const char *)state->pending, state->n_pending}, bytes);
        state->n_pending = 0;
    }
    /* No encoding makes more units than it has bytes. */
    Utf16 out = {arena_alloc_dirty(a, (s.n + 1) * sizeof(u16), sizeof(u16)), 0};
    bool ok = true;
    if (options->id == ENCODING_UTF_8) {
        ok = decode_utf8(options, state, s, &out);
    } else if (is_utf(options->id)) {
        ok = decode_utf16(options, state, s, &out);
    } else if (options->id == ENCODING_X_USER_DEFINED) {
        decode_user_defined(s, &out);
    } else if (options->id >= ENCODING_IBM866) {
        ok = decode_single(options, s, &out);
    } else {
        ok = decode_multi(options, state, s, &out);
    }
    if (!ok) return false;
    if (!state->is_past_bom && out.n) {
        state->is_past_bom = 1;
        if (is_utf(options->id) && !options->keep_bom && out.p[0] == 0xfeff) {
            out.p++;
            out.n--;
        }
    }
    *ret = out;
    return true;
}
