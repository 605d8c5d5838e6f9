/* codec/utf_test.c -- conversions against a slow, obvious reference, on chosen and on random texts.
 */
#include "codec/utf.h"

#include <string.h>

#include "util/test.h"

enum { TEXT_MAX = 96, N_RANDOM = 20000 };

/* ---- The reference: the decoder of the WHATWG Encoding Standard (section 8.1.1), a byte at a time
 * -------- */

typedef struct {
    u32 at[TEXT_MAX * 2]; /* code points, U+FFFD for errors */
    u32 len;
    bool is_valid;
} Points;

typedef struct {
    u32 point, seen, needed, low, high;
} Decoder;

static void emit(Points *p, u32 point)
{
    p->at[p->len++] = point;
}

/* True when the byte must be looked at again. */
static bool step(Decoder *d, Points *p, u32 byte)
{
    if (!d->needed) {
        *d = (Decoder){.low = 0x80, .high = 0xbf};
        if (byte < 0x80) {
            emit(p, byte);
        } else if (byte >= 0xc2 && byte <= 0xdf) {
            d->needed = 1;
            d->point = byte & 0x1f;
        } else if (byte >= 0xe0 && byte <= 0xef) {
            if (byte == 0xe0) d->low = 0xa0;
            if (byte == 0xed) d->high = 0x9f;
            d->needed = 2;
            d->point = byte & 0xf;
        } else if (byte >= 0xf0 && byte <= 0xf4) {
            if (byte == 0xf0) d->low = 0x90;
            if (byte == 0xf4) d->high = 0x8f;
            d->needed = 3;
            d->point = byte & 0x7;
        } else {
            emit(p, 0xfffd);
            p->is_valid = false;
        }
        return false;
    }
    if (byte < d->low || byte > d->high) {
        d->needed = 0;
        emit(p, 0xfffd);
        p->is_valid = false;
        return true;
    }
    d->low = 0x80;
    d->high = 0xbf;
    d->point = d->point << 6 | (byte & 0x3f);
    if (++d->seen == d->needed) {
        emit(p, d->point);
        d->needed = 0;
    }
    return false;
}

static Points reference(Str s)
{
    Points p = {.is_valid = true};
    Decoder d = {0};
    for (usize i = 0; i < s.n; i++) {
        if (step(&d, &p, (u8)s.p[i])) (void)step(&d, &p, (u8)s.p[i]);
    }
    if (d.needed) {
        emit(&p, 0xfffd);
        p.is_valid = false;
    }
    return p;
}

static usize put_utf8(char *dst, u32 c)
{
    if (c < 0x80) {
        dst[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        dst[0] = (char)(0xc0 | c >> 6);
        dst[1] = (char)(0x80 | (c & 63));
        return 2;
    }
    if (c < 0x10000) {
        dst[0] = (char)(0xe0 | c >> 12);
        dst[1] = (char)(0x80 | (c >> 6 & 63));
        dst[2] = (char)(0x80 | (c & 63));
        return 3;
    }
    dst[0] = (char)(0xf0 | c >> 18);
    dst[1] = (char)(0x80 | (c >> 12 & 63));
    dst[2] = (char)(0x80 | (c >> 6 & 63));
    dst[3] = (char)(0x80 | (c & 63));
    return 4;
}

/* ---- One text through everything
 * -------------------------------------------------------------------------- */

static void check_from_utf8(Str s)
{
    Points p = reference(s);
    UtfMeasure m = utf8_measure(s);
    u16 want[TEXT_MAX * 2], got[TEXT_MAX * 2];
    u8 latin1[TEXT_MAX * 2];
    usize n = 0, i = 0;
    bool is_latin1 = true, is_ascii = true;
    for (u32 k = 0; k < p.len; k++) {
        u32 c = p.at[k];
        is_latin1 &= c < 0x100;
        is_ascii &= c < 0x80;
        if (c > 0xffff) {
            want[n++] = (u16)(0xd800 + ((c - 0x10000) >> 10));
            want[n++] = (u16)(0xdc00 + ((c - 0x10000) & 0x3ff));
        } else {
            want[n++] = (u16)c;
        }
    }
    CHECK_INT(m.n_units, n);
    CHECK_INT(m.is_latin1, is_latin1);
    CHECK_INT(m.is_ascii, is_ascii);
    CHECK_INT(m.is_valid, p.is_valid);
    CHECK_INT(utf8_is_valid(s), p.is_valid);
    utf8_to_utf16(s, got);
    CHECK(!memcmp(got, want, n * sizeof *got));
    if (is_latin1) {
        utf8_to_latin1(s, latin1);
        for (usize k = 0; k < n; k++) CHECK(latin1[k] == want[k]);
    }
    for (u32 k = 0; k < p.len; k++) {
        usize len;
        CHECK_INT(utf8_decode(str_skip(s, i), &len), p.at[k]);
        i += len;
    }
    CHECK_INT(i, s.n);
}

static void check_from_utf16(const u16 *units, usize n)
{
    char want[TEXT_MAX * 3], got[TEXT_MAX * 3];
    usize len = 0;
    bool is_well_formed = true, is_latin1 = true;
    for (usize i = 0; i < n; i++) {
        u32 c = units[i];
        is_latin1 &= c < 0x100;
        bool is_lead = c >= 0xd800 && c < 0xdc00;
        if (is_lead && i + 1 < n && units[i + 1] >= 0xdc00 && units[i + 1] < 0xe000) {
            c = 0x10000 + ((c - 0xd800) << 10) + (units[++i] - 0xdc00u);
        } else if (c >= 0xd800 && c < 0xe000) {
            c = 0xfffd;
            is_well_formed = false;
        }
        len += put_utf8(want + len, c);
    }
    CHECK_INT(utf16_to_utf8_len(units, n), len);
    CHECK_INT(utf16_to_utf8(units, n, got), len);
    CHECK(!memcmp(got, want, len));
    CHECK_INT(utf16_is_well_formed(units, n), is_well_formed);
    CHECK_INT(utf16_is_latin1(units, n), is_latin1);
    for (usize cap = 0; cap <= len; cap++) {
        usize read, written = utf16_to_utf8_partial(units, n, got, cap, &read);
        CHECK(written <= cap && written + 4 > cap);
        CHECK(!memcmp(got, want, written));
        CHECK_INT(utf16_to_utf8_len(units, read), written);
    }
}

static void check_from_latin1(const u8 *p, usize n)
{
    char want[TEXT_MAX * 2], got[TEXT_MAX * 2];
    usize len = 0;
    for (usize i = 0; i < n; i++) len += put_utf8(want + len, p[i]);
    CHECK_INT(utf_latin1_to_utf8_len(p, n), len);
    CHECK_INT(utf_latin1_to_utf8(p, n, got), len);
    CHECK(!memcmp(got, want, len));
    for (usize cap = 0; cap <= len; cap++) {
        usize read, written = utf_latin1_to_utf8_partial(p, n, got, cap, &read);
        CHECK(written <= cap && written + 2 > cap);
        CHECK(!memcmp(got, want, written));
        CHECK_INT(utf_latin1_to_utf8_len(p, read), written);
    }
}

/* ---- Tests
 * ------------------------------------------------------------------------------------------------
 */

static u64 random_state = 0x9e3779b97f4a7c15ull;
static u32 next_random(u32 limit)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (u32)(random_state >> 33) % limit;
}

TEST(utf_chosen_texts)
{
    static const Str cases[] = {
        S(""),
        S("a"),
        S("0123456789abcdef"),
        S("0123456789abcdef0"),
        S("0123456789abcde\xc3\xa9"),
        S("\xc2\x80"),
        S("\xdf\xbf"),
        S("\xe0\xa0\x80"),
        S("\xef\xbf\xbf"),
        S("\xf0\x90\x80\x80"),
        S("\xf4\x8f\xbf\xbf"),
        /* not shortest, surrogates, too large, alone, cut off */
        S("\xc0\x80"),
        S("\xc1\xbf"),
        S("\xe0\x80\x80"),
        S("\xe0\x9f\xbf"),
        S("\xf0\x80\x80\x80"),
        S("\xf0\x8f\xbf\xbf"),
        S("\xed\xa0\x80"),
        S("\xed\xbf\xbf"),
        S("\xf4\x90\x80\x80"),
        S("\xf5\x80\x80\x80"),
        S("\xff"),
        S("\x80"),
        S("\xbf\xbf"),
        S("\xc3"),
        S("\xe2\x82"),
        S("\xf0\x9f\x98"),
        S("\xf0\x9fz"),
        S("\xe2z\x82"),
        S("a\xf0\x9f\x98\x80z"),
    };
    for (u32 i = 0; i < COUNT(cases); i++) check_from_utf8(cases[i]);
    CHECK_INT(utf_ascii_prefix((const u8 *)"0123456789abcdefgh\xff", 19), 18);
}

/* Bytes that are likely to meet: ASCII, leads, continuations. */
static u8 random_byte(void)
{
    static const u8 leads[] = {0xc0, 0xc2, 0xdf, 0xe0, 0xe1, 0xed,
                               0xef, 0xf0, 0xf1, 0xf4, 0xf5, 0xff};
    switch (next_random(4)) {
    case 0: return (u8)next_random(0x80);
    case 1: return leads[next_random(COUNT(leads))];
    case 2: return (u8)(0x80 + next_random(0x40));
    default: return (u8)next_random(0x100);
    }
}

static u16 random_unit(void)
{
    switch (next_random(4)) {
    case 0: return (u16)next_random(0x80);
    case 1: return (u16)(0xd800 + next_random(0x800));
    case 2: return (u16)next_random(0x800);
    default: return (u16)next_random(0x10000);
    }
}

TEST(utf_random_texts)
{
    for (u32 i = 0; i < N_RANDOM && !test_failures(); i++) {
        char text[TEXT_MAX];
        u16 units[TEXT_MAX];
        u8 latin1[TEXT_MAX];
        u32 n = next_random(TEXT_MAX / 2);
        bool is_mostly_ascii = next_random(2);
        for (u32 k = 0; k < n; k++) {
            bool is_plain = is_mostly_ascii && next_random(12);
            text[k] = is_plain ? 'x' : (char)random_byte();
            units[k] = is_plain ? 'x' : random_unit();
            latin1[k] = is_plain ? 'x' : (u8)next_random(0x100);
        }
        check_from_utf8((Str){text, n});
        check_from_utf16(units, n);
        check_from_latin1(latin1, n);
    }
}

/* One code point at a time, which knows nothing of blocks. */
static UtfMeasure measure_slowly(Str s)
{
    UtfMeasure m = {.is_ascii = true, .is_latin1 = true, .is_valid = true};
    while (s.n) {
        usize n;
        u32 cp = utf8_decode(s, &n);
        bool is_replaced = cp == 0xfffd && !(n == 3 && (u8)s.p[1] == 0xbf && (u8)s.p[2] == 0xbd);
        if (cp >= 0x80) m.is_ascii = false;
        if (cp >= 0x100) m.is_latin1 = false;
        if (is_replaced) m.is_valid = false;
        m.n_units += cp > 0xffff ? 2 : 1;
        s = str_skip(s, n);
    }
    return m;
}

TEST(utf8_blocks_agree_with_code_points)
{
    static const char *const pieces[] = {
        "a",
        "bcdefghijklmnopqrstuvwxyz",
        "\xc3\xa9",
        "\xe2\x82\xac",
        "\xf0\x9f\x98\x80",
        "\xef\xbf\xbd",
        "\xf4\x8f\xbf\xbf",
        "\xed\x9f\xbf",
        "\xee\x80\x80",
        "\xe0\xa0\x80",
        /* from here on ill-formed */
        "\x80",
        "\xc3",
        "\xe2\x82",
        "\xf0\x9f\x98",
        "\xed\xa0\x80",
        "\xc0\x80",
        "\xe0\x80\x80",
        "\xf4\x90\x80\x80",
        "\xff",
        "\xf0\x80\x80\x80",
        "\xf5\x80\x80\x80",
        "\xc1\xbf",
    };
    u32 state = 1;
    for (u32 round = 0; round < 30000; round++) {
        char text[160];
        u16 units[160];
        u8 latin1[160];
        usize n = 0, n_pieces = round % 3 ? 10 : COUNT(pieces);
        for (u32 k = round % 24; k > 0; k--) {
            state = state * 1664525u + 1013904223u;
            const char *piece = pieces[(state >> 16) % n_pieces];
            usize len = strlen(piece);
            if (n + len > sizeof(text)) break;
            memcpy(text + n, piece, len);
            n += len;
        }
        Str s = {text, n};
        UtfMeasure got = utf8_measure(s), want = measure_slowly(s);
        CHECK_INT(got.n_units, want.n_units);
        CHECK_INT(got.is_valid, want.is_valid);
        CHECK_INT(got.is_ascii, want.is_ascii);
        CHECK_INT(got.is_latin1, want.is_latin1);
        CHECK_INT(utf8_is_valid(s), want.is_valid);
        utf8_to_utf16(s, units);
        if (want.is_latin1) {
            utf8_to_latin1(s, latin1);
            for (usize i = 0; i < got.n_units; i++) CHECK_INT(latin1[i], units[i]);
        }
        if (!want.is_valid) continue;
        CHECK_INT(utf16_to_utf8_len(units, got.n_units), n);
        char back[160];
        CHECK_INT(utf16_to_utf8(units, got.n_units, back), n);
        CHECK(memcmp(back, text, n) == 0);
    }
}
