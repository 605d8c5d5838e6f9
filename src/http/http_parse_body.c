/* http/http_parse_body.c -- where bodies end: by length, in chunks (RFC 9112, 7.1), at the close.
 */
#include "http/http_parse.h"

typedef enum {
    AT_SIZE_FIRST, /* the first digit of a chunk's size */
    AT_SIZE,
    AT_SIZE_LF,
    AT_EXT_NAME_FIRST, /* behind ';' */
    AT_EXT_NAME,
    AT_EXT_VALUE_FIRST, /* behind '=' */
    AT_EXT_VALUE,
    AT_EXT_QUOTED,
    AT_EXT_ESCAPED,
    AT_EXT_QUOTED_END,
    AT_DATA,
    AT_DATA_CR,
    AT_DATA_LF,
    AT_TRAILER, /* the first character of a line */
    AT_TRAILER_LINE,
    AT_TRAILER_LF,
    AT_LAST_LF,
    AT_END,
} State;

enum { SIZE_BITS_MAX = 60 };

void http_body_start(HttpBody *b, HttpBodyKind kind, u64 length)
{
    Buf trailer = b->trailer;
    buf_clear(&trailer);
    trailer.max = HTTP_TRAILER_MAX;
    trailer.full = false;
    *b = (HttpBody){
        .kind = (u8)kind, .left = length, .trailer = trailer, .is_lenient = b->is_lenient};
}

void http_body_deinit(HttpBody *b)
{
    Buf_deinit(&b->trailer);
}

bool http_body_may_end(const HttpBody *b)
{
    switch ((HttpBodyKind)b->kind) {
    case HTTP_BODY_LENGTH: return b->left == 0;
    case HTTP_BODY_CHUNKED: return b->state == AT_END;
    default: return true;
    }
}

static i32 hex_digit(u8 c)
{
    if (c >= '0' && c <= '9') return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The line of a size is over: data or the trailer comes next. */
static State after_size(const HttpBody *b)
{
    return b->left ? AT_DATA : AT_TRAILER;
}

static int step_size(HttpBody *b, u8 c)
{
    i32 digit = hex_digit(c);
    if (digit >= 0) {
        if (b->left >> SIZE_BITS_MAX) return HTTP_ERR_INVALID_CHUNK_SIZE;
        b->left = b->left << 4 | (u32)digit;
        b->state = AT_SIZE;
        return 0;
    }
    if (b->state == AT_SIZE_FIRST) return HTTP_ERR_INVALID_CHUNK_SIZE;
    if (c == '\r')
        b->state = AT_SIZE_LF;
    else if (c == ';')
        b->state = AT_EXT_NAME_FIRST;
    else
        return HTTP_ERR_INVALID_CHUNK_SIZE;
    return 0;
}

static int step_ext(HttpBody *b, u8 c)
{
    bool is_token = http_is_token((Str){(const char *)&c, 1});
    bool is_first = b->state == AT_EXT_NAME_FIRST || b->state == AT_EXT_VALUE_FIRST;
    bool is_value = b->state == AT_EXT_VALUE || b->state == AT_EXT_VALUE_FIRST;
    bool is_over = b->state == AT_EXT_QUOTED_END;
    if (++b->line_len > HTTP_CHUNK_LINE_MAX) return HTTP_ERR_CHUNK_EXTENSIONS_OVERFLOW;
    if (b->state == AT_EXT_ESCAPED || b->state == AT_EXT_QUOTED) {
        if ((c < 0x20 && c != '\t') || c == 0x7f) return HTTP_ERR_STRICT;
        if (b->state == AT_EXT_ESCAPED)
            b->state = AT_EXT_QUOTED;
        else if (c == '\\')
            b->state = AT_EXT_ESCAPED;
        else if (c == '"')
            b->state = AT_EXT_QUOTED_END;
        return 0;
    }
    if (is_token && !is_over) {
        b->state = is_value ? AT_EXT_VALUE : AT_EXT_NAME;
        return 0;
    }
    if (c == '"' && b->state == AT_EXT_VALUE_FIRST)
        b->state = AT_EXT_QUOTED;
    else if (is_first)
        return HTTP_ERR_STRICT;
    else if (c == '=' && b->state == AT_EXT_NAME)
        b->state = AT_EXT_VALUE_FIRST;
    else if (c == ';')
        b->state = AT_EXT_NAME_FIRST;
    else if (c == '\r')
        b->state = AT_SIZE_LF;
    else
        return HTTP_ERR_STRICT;
    return 0;
}

static int step_trailer(HttpBody *b, u8 c)
{
    bool was_first = b->state == AT_TRAILER;
    if (b->state == AT_TRAILER_LF || b->state == AT_LAST_LF) {
        if (c != '\n') return HTTP_ERR_STRICT;
        b->state = b->state == AT_LAST_LF ? AT_END : AT_TRAILER;
    } else if (c == '\r') {
        b->state = was_first ? AT_LAST_LF : AT_TRAILER_LF;
    } else if (c == '\n') {
        return HTTP_ERR_CR_EXPECTED;
    } else {
        b->state = AT_TRAILER_LINE;
    }
    return buf_push_char(&b->trailer, (char)c) ? 0 : HTTP_ERR_HEADER_OVERFLOW;
}

static int step(HttpBody *b, u8 c)
{
    switch ((State)b->state) {
    case AT_SIZE_FIRST:
    case AT_SIZE: return step_size(b, c);
    case AT_SIZE_LF:
        if (c != '\n') return HTTP_ERR_STRICT;
        b->state = (u8)after_size(b);
        return 0;
    case AT_DATA_CR:
        if (c != '\r') return HTTP_ERR_STRICT;
        b->state = AT_DATA_LF;
        return 0;
    case AT_DATA_LF:
        if (c != '\n') return HTTP_ERR_STRICT;
        b->state = AT_SIZE_FIRST;
        return 0;
    case AT_TRAILER:
    case AT_TRAILER_LINE:
    case AT_TRAILER_LF:
    case AT_LAST_LF: return step_trailer(b, c);
    case AT_DATA:
    case AT_END: BUG("no step here");
    default: return step_ext(b, c);
    }
}

static Str take(HttpBody *b, Str *in)
{
    Str data = str_slice(*in, 0, b->left < in->n ? (usize)b->left : in->n);
    *in = str_skip(*in, data.n);
    b->left -= data.n;
    return data;
}

static int next_chunked(HttpBody *b, Str *in, Str *ret_data)
{
    while (b->state != AT_END) {
        if (!in->n) return HTTP_BODY_MORE;
        if (b->state == AT_DATA) {
            *ret_data = take(b, in);
            if (!b->left) b->state = AT_DATA_CR;
            return HTTP_BODY_DATA;
        }
        int rc = step(b, (u8)in->p[0]);
        if (rc < 0) return rc;
        *in = str_skip(*in, 1);
    }
    /* Only the empty line: there was no trailer. */
    if (b->trailer.len == 2) buf_clear(&b->trailer);
    return HTTP_BODY_DONE;
}

int http_body_next(HttpBody *b, Str *in, Str *ret_data)
{
    switch ((HttpBodyKind)b->kind) {
    case HTTP_BODY_NONE: return HTTP_BODY_DONE;
    case HTTP_BODY_CHUNKED: return next_chunked(b, in, ret_data);
    case HTTP_BODY_TO_CLOSE:
        if (!in->n) return HTTP_BODY_MORE;
        *ret_data = *in;
        *in = str_skip(*in, in->n);
        return HTTP_BODY_DATA;
    case HTTP_BODY_LENGTH: break;
    }
    if (!b->left) return HTTP_BODY_DONE;
    if (!in->n) return HTTP_BODY_MORE;
    *ret_data = take(b, in);
    return HTTP_BODY_DATA;
}
