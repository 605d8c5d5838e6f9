/* codec/url_idna.c -- domains beyond ASCII: UTS #46 by ICU, brought from the Unicode 15.0 of ICU 72
 * to Unicode 17. */
#include "codec/url_idna.h"

#include <unicode/uidna.h>

#include "codec/punycode.h"
#include "codec/utf.h"
#include "util/buf.h"

enum {
    /* A domain name may not be longer; ICU's work on more than this is refused before it is done.
     */
    DOMAIN_MAX = 1 << 16,
    /* Longer labels are left to ICU alone: the work on Punycode grows with the square. */
    LABEL_MAX = 1024,
};

bool url_starts_with_xn(Str s)
{
    return s.n >= 4 && (s.p[0] | 0x20) == 'x' && (s.p[1] | 0x20) == 'n' && s.p[2] == '-' &&
           s.p[3] == '-';
}

/* Made at the first use and kept; NULL when ICU has no data. */
static const UIDNA *uts46(void)
{
    static UIDNA *shared;
    UIDNA *idna = __atomic_load_n(&shared, __ATOMIC_ACQUIRE);
    if (idna) return idna;
    UErrorCode err = U_ZERO_ERROR;
    idna = uidna_openUTS46(UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ |
                               UIDNA_NONTRANSITIONAL_TO_ASCII | UIDNA_NONTRANSITIONAL_TO_UNICODE,
                           &err);
    if (U_FAILURE(err)) return NULL;
    UIDNA *other = NULL;
    if (!__atomic_compare_exchange_n(&shared, &other, idna, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE)) {
        uidna_close(idna);
        return other;
    }
    return idna;
}

/* What VerifyDnsLength=false and CheckHyphens=false switch off. */
enum {
    IGNORED_ERRORS = UIDNA_ERROR_EMPTY_LABEL | UIDNA_ERROR_LABEL_TOO_LONG |
                     UIDNA_ERROR_DOMAIN_NAME_TOO_LONG | UIDNA_ERROR_LEADING_HYPHEN |
                     UIDNA_ERROR_TRAILING_HYPHEN | UIDNA_ERROR_HYPHEN_3_4
};

typedef struct {
    char *p;
    i32 cap;
} Utf8Out;

typedef enum { TO_ASCII, TO_UNICODE, LABEL_TO_UNICODE } IdnaOp;

static i32 call_idna(IdnaOp op, Str domain, Utf8Out out, UIDNAInfo *info, UErrorCode *err)
{
    const UIDNA *idna = uts46();
    i32 n = (i32)domain.n;
    if (!idna) {
        *err = U_MISSING_RESOURCE_ERROR;
        return 0;
    }
    switch (op) {
    case TO_ASCII: return uidna_nameToASCII_UTF8(idna, domain.p, n, out.p, out.cap, info, err);
    case TO_UNICODE: return uidna_nameToUnicodeUTF8(idna, domain.p, n, out.p, out.cap, info, err);
    default: return uidna_labelToUnicodeUTF8(idna, domain.p, n, out.p, out.cap, info, err);
    }
}

/* *ret_errors gets ICU's error bits; false: ICU itself failed. */
static bool run_idna(Arena *a, Str domain, IdnaOp op, Str *ret, u32 *ret_errors)
{
    if (domain.n > DOMAIN_MAX) return false;
    Utf8Out out = {.cap = (i32)domain.n * 4 + 64};
    for (;;) {
        out.p = arena_alloc_dirty(a, (usize)out.cap, 1);
        UIDNAInfo info = UIDNA_INFO_INITIALIZER;
        UErrorCode err = U_ZERO_ERROR;
        i32 len = call_idna(op, domain, out, &info, &err);
        if (err == U_BUFFER_OVERFLOW_ERROR && len > out.cap) {
            out.cap = len + 1;
            continue;
        }
        if (U_FAILURE(err) || len < 0) return false;
        *ret_errors = info.errors;
        *ret = (Str){out.p, (usize)len};
        return true;
    }
}

/* What UTS #46 maps differently since the Unicode 15.0 of ICU 72; `to` 0 means ignored.  Found by
 * comparing every code point with the table of Unicode 17. */
static const struct {
    u32 first, last, to;
} newer_mappings[] = {
    {0x4c0, 0x4c0, 0x4cf},       {0x10a0, 0x10c5, 0x2d00},   {0x115f, 0x1160, 0},
    {0x17b4, 0x17b5, 0},         {0x180e, 0x180e, 0},        {0x1e9e, 0x1e9e, 0xdf},
    {0x2061, 0x2063, 0},         {0x206a, 0x206f, 0},        {0x2132, 0x2132, 0x214e},
    {0x2183, 0x2183, 0x2184},    {0x3164, 0x3164, 0},        {0xffa0, 0xffa0, 0},
    {0x1d173, 0x1d17a, 0},       {0x2f868, 0x2f868, 0x36fc}, {0x2f874, 0x2f874, 0x5f53},
    {0x2f91f, 0x2f91f, 0x243ab}, {0x2f95f, 0x2f95f, 0x7aee}, {0x2f9bf, 0x2f9bf, 0x45d7},
};

/* The code point to put in place of `c`; 0: none. */
static u32 map_newer(u32 c)
{
    for (u32 i = 0; i < COUNT(newer_mappings); i++) {
        if (c < newer_mappings[i].first) break;
        if (c > newer_mappings[i].last) continue;
        return newer_mappings[i].to ? newer_mappings[i].to + (c - newer_mappings[i].first) : 0;
    }
    return c;
}

/* Brings valid UTF-8 to what ICU 72 knows. */
static Str apply_newer_mappings(Arena *a, Str s)
{
    AUTO(Buf) out = {0};
    for (usize n; s.n; s = str_skip(s, n)) {
        u32 c = utf8_decode(s, &n), to = map_newer(c);
        if (to || !c) (void)buf_push_utf8(&out, to);
    }
    return str_dup(a, buf_str(&out));
}

/* ---- Letters newer than ICU -------------------------------------------------------------------
 *
 * ICU 72 takes ideographs that came later for unassigned.  So it sees STAND_IN for each, an
 * ideograph of the same properties that nothing maps to; afterwards they are put back in order.
 * (A domain may hold STAND_IN itself: it is one of the letters that are put back.) */

enum { STAND_IN = 0x3134a };

typedef struct {
    u32 *at;
    usize n;
} Letters;

static bool is_newer_letter(u32 c)
{
    return (c >= 0x2ebf0 && c <= 0x2ee5d)    /* extension I, Unicode 15.1 */
           || (c >= 0x323b0 && c <= 0x33479) /* extension J, Unicode 17 */
           || c == STAND_IN;
}

/* The code points behind "xn--"; false if there are none to look at. */
static bool decode_label(Arena *a, Str label, const u32 **ret, usize *ret_n)
{
    return url_starts_with_xn(label) && label.n <= LABEL_MAX &&
           punycode_decode(a, str_skip(label, 4), ret, ret_n);
}

static Str encode_label(Arena *a, const u32 *points, usize n, Str otherwise)
{
    Str text;
    if (!punycode_encode(a, points, n, &text)) return otherwise;
    return str_fmt(a, "xn--%.*s", (int)text.n, text.p);
}

static Str text_of(Arena *a, const u32 *points, usize n)
{
    AUTO(Buf) out = {0};
    for (usize i = 0; i < n; i++) (void)buf_push_utf8(&out, points[i]);
    return str_dup(a, buf_str(&out));
}

static u32 *points_of(Arena *a, Str s, usize *ret_n)
{
    u32 *points = arena_alloc(a, (s.n + 1) * sizeof *points, _Alignof(u32));
    usize n = 0, step;
    for (; s.n; s = str_skip(s, step)) points[n++] = utf8_decode(s, &step);
    *ret_n = n;
    return points;
}

/* A copy of the points with STAND_IN for newer letters, which are kept; NULL if there are none. */
static u32 *hide_letters(Arena *a, const u32 *points, usize n, Letters *letters)
{
    usize before = letters->n;
    u32 *copy = arena_alloc(a, (n + 1) * sizeof *copy, _Alignof(u32));
    for (usize i = 0; i < n; i++) {
        copy[i] = points[i];
        if (!is_newer_letter(points[i])) continue;
        letters->at[letters->n++] = points[i];
        copy[i] = STAND_IN;
    }
    return letters->n > before ? copy : NULL;
}

static Str hide_in_label(Arena *a, Str label, Letters *letters)
{
    const u32 *points;
    usize n;
    if (decode_label(a, label, &points, &n)) {
        const u32 *hidden = hide_letters(a, points, n, letters);
        return hidden ? encode_label(a, hidden, n, label) : label;
    }
    points = points_of(a, label, &n);
    const u32 *hidden = hide_letters(a, points, n, letters);
    return hidden ? text_of(a, hidden, n) : label;
}

static Str show_in_label(Arena *a, Str label, Letters *letters)
{
    const u32 *points;
    usize n;
    bool is_encoded = decode_label(a, label, &points, &n);
    if (!is_encoded) points = points_of(a, label, &n);
    u32 *shown = arena_alloc(a, (n + 1) * sizeof *shown, _Alignof(u32));
    for (usize i = 0; i < n; i++) {
        shown[i] = points[i];
        if (shown[i] != STAND_IN || !letters->n) continue;
        shown[i] = *letters->at++;
        letters->n--;
    }
    return is_encoded ? encode_label(a, shown, n, label) : text_of(a, shown, n);
}

typedef Str LabelFn(Arena *a, Str label, Letters *letters);

static Str each_label(Arena *a, Str domain, LabelFn *fn, Letters *letters)
{
    AUTO(Buf) out = {0};
    for (usize at = 0; at <= domain.n;) {
        usize end = at;
        while (end < domain.n && domain.p[end] != '.') end++;
        if (at) (void)buf_push_char(&out, '.');
        (void)buf_push(&out, fn(a, str_slice(domain, at, end), letters));
        at = end + 1;
    }
    return str_dup(a, buf_str(&out));
}

/* Can there be a newer letter, as it is (all of them have four bytes) or encoded? */
static bool may_hold_newer(Str domain)
{
    for (usize i = 0; i < domain.n; i++) {
        if ((u8)domain.p[i] == 0xf0 || url_starts_with_xn(str_skip(domain, i))) return true;
    }
    return false;
}

/* The domain as ICU knows its letters. */
static Str hide_newer(Arena *a, Str domain, Letters *letters)
{
    *letters = (Letters){0};
    domain = apply_newer_mappings(a, domain);
    if (!may_hold_newer(domain)) return domain;
    letters->at = arena_alloc(a, (domain.n + 1) * sizeof *letters->at, _Alignof(u32));
    return each_label(a, domain, hide_in_label, letters);
}

/* Does a label fail what Unicode 15.1 added?  "xn--" must hold letters beyond ASCII in their only
 * spelling, and what it holds may not begin with "xn--" again. */
static bool is_bad_punycode(Arena *a, Str label)
{
    if (!url_starts_with_xn(label)) return false;
    if (label.n == 4 || label.p[label.n - 1] == '-') return true;
    if (!url_starts_with_xn(str_skip(label, 4))) return false;
    Str text;
    u32 errors;
    if (!run_idna(a, label, LABEL_TO_UNICODE, &text, &errors)) return true;
    return url_starts_with_xn(text);
}

bool url_idna_to_ascii(Arena *a, Str domain, Str *ret)
{
    Str ascii, label;
    Letters letters;
    u32 errors;
    if (domain.n > DOMAIN_MAX) return false;
    domain = hide_newer(a, domain, &letters);
    if (!run_idna(a, domain, TO_ASCII, &ascii, &errors)) return false;
    if ((errors & ~(u32)IGNORED_ERRORS) || !ascii.n) return false;
    *ret = letters.n ? each_label(a, ascii, show_in_label, &letters) : ascii;
    while (str_next(&ascii, '.', &label)) {
        if (is_bad_punycode(a, label)) return false;
    }
    return true;
}

Str url_idna_to_unicode(Arena *a, Str domain)
{
    Str text, known;
    Letters letters;
    u32 errors;
    if (domain.n > DOMAIN_MAX) return domain;
    known = hide_newer(a, domain, &letters);
    if (!run_idna(a, known, TO_UNICODE, &text, &errors)) return domain;
    return letters.n ? each_label(a, text, show_in_label, &letters) : text;
}
