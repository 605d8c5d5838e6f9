/* syntax/lex_word.c -- identifiers with characters outside ASCII or escapes, and private names. */
#include "syntax/lex.h"

typedef struct {
    u32 first, last;
    bool start;
} IdRange;

static const IdRange id_ranges[] = {
#define RANGE(first, last, start) {first, last, start},
#include "syntax/unicode_id.def"
#undef RANGE
};

static const IdRange *find_range(u32 c)
{
    usize lo = 0, hi = COUNT(id_ranges);
    while (lo < hi) {
        usize mid = (lo + hi) / 2;
        if (c > id_ranges[mid].last)
            lo = mid + 1;
        else if (c < id_ranges[mid].first)
            hi = mid;
        else
            return &id_ranges[mid];
    }
    return NULL;
}

bool is_id_start(u32 c)
{
    if (c < 0x80) return IS_CLASS(c, CC_ID_START);
    const IdRange *r = find_range(c);
    return r && r->start;
}

bool is_id_part(u32 c)
{
    if (c < 0x80) return IS_CLASS(c, CC_ID_PART);
    return c == 0x200c || c == 0x200d || find_range(c);
}

int hex_value(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

u32 lex_unicode_escape(Lexer *l)
{
    const char *p = l->at;
    if (*p != 'u') return UINT32_MAX;
    p++;
    u32 c = 0;
    if (*p == '{') {
        p++;
        if (hex_value(*p) < 0) return UINT32_MAX;
        for (; hex_value(*p) >= 0; p++) {
            c = c << 4 | (u32)hex_value(*p);
            if (c > 0x10ffff) return UINT32_MAX;
        }
        if (*p++ != '}') return UINT32_MAX;
    } else {
        for (int i = 0; i < 4; i++, p++) {
            if (hex_value(*p) < 0) return UINT32_MAX;
            c = c << 4 | (u32)hex_value(*p);
        }
    }
    l->at = p;
    return c;
}

void buf_push_wtf8(Buf *b, u32 c)
{
    if (c >= 0xd800 && c < 0xe000) {
        buf_push_char(b, (char)0xed);
        buf_push_char(b, (char)(0x80 | (c >> 6 & 0x3f)));
        buf_push_char(b, (char)(0x80 | (c & 0x3f)));
    } else {
        buf_push_utf8(b, c);
    }
}

/* An identifier with escapes or characters outside ASCII, from `at`. */
static bool scan_name(Lexer *l, bool *ret_escaped)
{
    AUTO(Buf) cooked = {0};
    const char *start = l->at;
    bool escaped = false, first = true;
    for (;; first = false) {
        u32 n, c = utf8_read(l->at, &n);
        const char *from = l->at;
        if (c == '\\') {
            l->at++;
            c = lex_unicode_escape(l);
            if (c == UINT32_MAX) {
                u32 pos = (u32)(from - l->src);
                return lex_error(l, pos, 1, "Expected a Unicode escape such as \\u0061 here");
            }
            if (first ? !is_id_start(c) : !is_id_part(c)) {
                return lex_error(l, (u32)(from - l->src), (u32)(l->at - from),
                                 "This escape does not stand for a character of an identifier");
            }
            if (!escaped) buf_push(&cooked, (Str){start, (usize)(from - start)});
            escaped = true;
            buf_push_utf8(&cooked, c);
            continue;
        }
        if (first ? !is_id_start(c) : !is_id_part(c)) break;
        if (l->at >= l->end) break;
        if (escaped) buf_push(&cooked, (Str){l->at, n});
        l->at += n;
    }
    if (l->at == start) return lex_error(l, (u32)(start - l->src), 1, "Expected an identifier");
    *ret_escaped = escaped;
    l->str = escaped ? str_dup(l->arena, buf_str(&cooked)) : (Str){start, (usize)(l->at - start)};
    return true;
}

void lex_word_slow(Lexer *l)
{
    l->tok = TOK_IDENT;
    /* A word with escapes never acts as a keyword, but may still not be used as a name where the
     * word is reserved: the parser sees that by its atom. */
    (void)scan_name(l, &l->escaped);
}

void lex_private(Lexer *l)
{
    u32 pos = (u32)(l->at - l->src);
    l->at++;
    u32 n, c = utf8_read(l->at, &n);
    if (l->at >= l->end || (!is_id_start(c) && c != '\\')) {
        lex_error(l, pos, 1, "Unexpected \"#\"");
        return;
    }
    if (scan_name(l, &l->escaped)) l->tok = TOK_PRIVATE;
}
