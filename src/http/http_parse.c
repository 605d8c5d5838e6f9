/* http/http_parse.c -- heads of HTTP/1 messages.
 *
 * One pass.  Each step takes what it knows and leaves `at` behind it; running out of bytes ends the
 * attempt with 0, so that nothing needs to be remembered: a head is small, and it nearly always
 * comes in one piece.  Runs of the target and of values are searched 16 bytes at a time. */
#include "http/http_parse.h"

#include "util/mem.h"

#include <emmintrin.h>
#include <string.h>

enum {
    SHORT = 0, /* more bytes are needed */
    LENGTH_DIGITS_MAX = 19,
};

/* Characters of tokens (RFC 9110, 5.6.2). */
static const u8 is_token_char[256] = {
    ['!'] = 1, ['#'] = 1, ['$'] = 1, ['%'] = 1,         ['&'] = 1,         ['\''] = 1,
    ['*'] = 1, ['+'] = 1, ['-'] = 1, ['.'] = 1,         ['^'] = 1,         ['_'] = 1,
    ['`'] = 1, ['|'] = 1, ['~'] = 1, ['0' ... '9'] = 1, ['A' ... 'Z'] = 1, ['a' ... 'z'] = 1,
};

typedef struct {
    HttpHead *h;
    const u8 *p;
    u32 n, at;
    u32 line; /* where the current line began, for limits */
} Reader;

bool http_is_token(Str s)
{
    for (usize i = 0; i < s.n; i++) {
        if (!is_token_char[(u8)s.p[i]]) return false;
    }
    return s.n > 0;
}

/* Index of the first control character from `at` on (tab is one here), or n. */
static u32 find_control(const u8 *p, u32 at, u32 n)
{
    const __m128i limit = _mm_set1_epi8(0x1f), del = _mm_set1_epi8(0x7f);
    for (; at + 16 <= n; at += 16) {
        __m128i x = _mm_loadu_si128((const void *)(p + at));
        __m128i low = _mm_cmpeq_epi8(_mm_min_epu8(x, limit), x);
        u32 mask = (u32)_mm_movemask_epi8(_mm_or_si128(low, _mm_cmpeq_epi8(x, del)));
        if (mask) return at + (u32)__builtin_ctz(mask);
    }
    while (at < n && p[at] > 0x1f && p[at] != 0x7f) at++;
    return at;
}

/* Index of the first byte that no target has, or n. */
static u32 find_target_end(const u8 *p, u32 at, u32 n)
{
    /* As signed numbers, the bytes 0x21 to 0x7e are those above 0x20, without 0x7f. */
    const __m128i limit = _mm_set1_epi8(0x20), del = _mm_set1_epi8(0x7f);
    for (; at + 16 <= n; at += 16) {
        __m128i x = _mm_loadu_si128((const void *)(p + at));
        __m128i good = _mm_andnot_si128(_mm_cmpeq_epi8(x, del), _mm_cmpgt_epi8(x, limit));
        u32 mask = (u32)_mm_movemask_epi8(good) ^ 0xffff;
        if (mask) return at + (u32)__builtin_ctz(mask);
    }
    while (at < n && p[at] > 0x20 && p[at] < 0x7f) at++;
    return at;
}

bool http_is_field_value(Str s)
{
    const u8 *p = (const u8 *)s.p;
    if (s.n > UINT32_MAX) return false;
    for (u32 at = 0, n = (u32)s.n;; at++) {
        at = find_control(p, at, n);
        if (at == n) return true;
        if (p[at] != '\t') return false;
    }
}

/* ---- The first line ----------------------------------------------------------------------------
 */

static const struct {
    u8 len;
    char text[12];
} methods[] = {
#define X(name, text) {sizeof(text) - 1, text},
#include "http/http_method.def"
#undef X
};

Str http_method_text(HttpMethod method)
{
    ASSERT(method < HTTP_METHOD_COUNT);
    return (Str){methods[method].text, methods[method].len};
}

static int find_method(const u8 *p, u32 n)
{
    for (int i = 0; i < HTTP_METHOD_COUNT; i++) {
        if (methods[i].len == n && memcmp(methods[i].text, p, n) == 0) return i;
    }
    return HTTP_ERR_INVALID_METHOD;
}

static int take_method(Reader *r)
{
    u32 from = r->at;
    while (r->at < r->n && is_token_char[r->p[r->at]]) r->at++;
    u32 len = r->at - from;
    if (len > 11) return HTTP_ERR_INVALID_METHOD;
    if (r->at == r->n) return SHORT;
    if (r->p[r->at] != ' ') return HTTP_ERR_INVALID_METHOD;
    int method = find_method(r->p + from, len);
    if (method < 0) return method;
    r->h->method = (u8)method;
    r->at++;
    return 1;
}

/* Origin form, absolute form, "*"; the authority form for CONNECT alone (RFC 9112, 3.2). */
static bool is_target(HttpMethod method, Str s)
{
    if (!s.n) return false;
    if (method == HTTP_CONNECT) return s.p[0] != '/' && str_find(s, '/') < 0;
    if (s.p[0] == '/') return true;
    if (s.p[0] == '*') return s.n == 1;
    i64 colon = str_find(s, ':');
    if (colon < 1 || !str_starts(str_skip(s, (usize)colon), S("://"))) return false;
    for (i64 i = 0; i < colon; i++) {
        char c = (char)(s.p[i] | 0x20);
        if (!(c >= 'a' && c <= 'z') && !(i && is_token_char[(u8)s.p[i]])) return false;
    }
    return true;
}

/* CR LF; the name is that of the error when there is no CR. */
static int take_line_end(Reader *r, int no_cr)
{
    if (r->at == r->n) return SHORT;
    if (r->p[r->at] == '\n' && r->h->is_lenient) {
        r->at++;
        return 1;
    }
    if (r->p[r->at] != '\r') return no_cr;
    if (r->at + 1 == r->n) return SHORT;
    if (r->p[r->at + 1] != '\n') return HTTP_ERR_STRICT;
    r->at += 2;
    return 1;
}

/* "HTTP/1.1" or "HTTP/1.0"; as much of it as there is must be right. */
static int take_version(Reader *r)
{
    static const char text[] = "HTTP/1.";
    u32 n = r->n - r->at, len = sizeof text - 1;
    if (memcmp(r->p + r->at, text, MIN(n, len)) != 0) {
        bool is_http = n >= 5 && memcmp(r->p + r->at, text, 5) == 0;
        return is_http ? HTTP_ERR_INVALID_VERSION : HTTP_ERR_INVALID_CONSTANT;
    }
    if (n <= len) return SHORT;
    u8 minor = r->p[r->at + len];
    if (minor != '0' && minor != '1') return HTTP_ERR_INVALID_VERSION;
    r->h->minor = (u8)(minor - '0');
    r->at += len + 1;
    return 1;
}

static int take_request_line(Reader *r)
{
    int rc = take_method(r);
    if (rc <= 0) return rc;
    HttpHead *h = r->h;
    h->text = r->at;
    r->at = find_target_end(r->p, r->at, r->n);
    h->text_len = r->at - h->text;
    if (r->at == r->n) return SHORT;
    bool is_end = r->p[r->at] == '\r' && h->method == HTTP_GET;
    if (r->p[r->at] != ' ' && !is_end) return HTTP_ERR_INVALID_URL;
    if (!is_target((HttpMethod)h->method, (Str){(const char *)r->p + h->text, h->text_len})) {
        return HTTP_ERR_INVALID_URL;
    }
    if (is_end) {
        h->is_simple = h->is_close = true;
        return take_line_end(r, HTTP_ERR_INVALID_VERSION);
    }
    r->at++;
    rc = take_version(r);
    return rc <= 0 ? rc : take_line_end(r, HTTP_ERR_INVALID_VERSION);
}

static int take_status_line(Reader *r)
{
    int rc = take_version(r);
    if (rc <= 0) return rc;
    HttpHead *h = r->h;
    if (r->n - r->at < 5) return SHORT; /* " 200" and one more */
    const u8 *p = r->p + r->at;
    if (p[0] != ' ') return HTTP_ERR_INVALID_VERSION;
    for (u32 i = 1; i < 4; i++) {
        if (p[i] < '0' || p[i] > '9') return HTTP_ERR_INVALID_STATUS;
        h->status = (u16)(h->status * 10 + (p[i] - '0'));
    }
    if (h->status < 100) return HTTP_ERR_INVALID_STATUS;
    r->at += 4;
    if (p[4] == ' ')
        r->at++;
    else if (p[4] != '\r' && p[4] != '\n')
        return HTTP_ERR_INVALID_STATUS;
    h->text = r->at;
    for (;; r->at++) {
        r->at = find_control(r->p, r->at, r->n);
        if (r->at == r->n) return SHORT;
        if (r->p[r->at] != '\t') break;
    }
    h->text_len = r->at - h->text;
    return take_line_end(r, HTTP_ERR_CR_EXPECTED);
}

/* ---- Fields ------------------------------------------------------------------------------------
 */

static int note_length(HttpHead *h, Str value)
{
    if (h->has_length) return HTTP_ERR_UNEXPECTED_CONTENT_LENGTH;
    u64 n = 0;
    if (!value.n) return HTTP_ERR_INVALID_CONTENT_LENGTH;
    for (usize i = 0; i < value.n; i++) {
        u8 digit = (u8)(value.p[i] - '0');
        if (digit > 9 || n > (UINT64_MAX >> 1) / 10 - 1) return HTTP_ERR_INVALID_CONTENT_LENGTH;
        n = n * 10 + digit;
    }
    h->length = n;
    h->has_length = true;
    return 1;
}

/* The last coding of all Transfer-Encoding fields must be chunked, and no other one. */
static int note_coding(HttpHead *h, Str value)
{
    h->has_coding = true;
    Str rest = value, item;
    while (str_next(&rest, ',', &item)) {
        item = str_trim(item);
        if (!item.n) continue;
        if (h->is_chunked && !h->is_lenient) return HTTP_ERR_INVALID_TRANSFER_ENCODING;
        h->is_chunked = str_eq_nocase(item, S("chunked"));
    }
    return 1;
}

static void note_connection(HttpHead *h, Str value)
{
    Str rest = value, item;
    while (str_next(&rest, ',', &item)) {
        item = str_trim(item);
        if (str_eq_nocase(item, S("close"))) h->is_close = true;
        if (str_eq_nocase(item, S("keep-alive"))) h->is_keep_alive = true;
        if (str_eq_nocase(item, S("upgrade"))) h->has_upgrade_token = true;
    }
}

static int note_field(HttpHead *h, HttpFieldId id, Str value)
{
    switch (id) {
    case HTTP_FIELD_HOST: h->n_host++; return 1;
    case HTTP_FIELD_CONTENT_LENGTH: return note_length(h, value);
    case HTTP_FIELD_TRANSFER_ENCODING: return note_coding(h, value);
    case HTTP_FIELD_CONNECTION: note_connection(h, value); return 1;
    case HTTP_FIELD_UPGRADE: h->has_upgrade_field = true; return 1;
    case HTTP_FIELD_EXPECT:
        if (str_eq_nocase(value, S("100-continue"))) h->expects_continue = true;
        return 1;
    default: return 1;
    }
}

static HttpField *push_field(HttpHead *h)
{
    if (h->n_fields == h->fields_cap) {
        h->fields_cap = h->fields_cap ? h->fields_cap * 2 : 32;
        h->fields = mem_resize(h->fields, h->fields_cap * sizeof(HttpField));
    }
    return &h->fields[h->n_fields++];
}

static int take_name(Reader *r, HttpField *f)
{
    u32 from = r->at;
    while (r->at < r->n && is_token_char[r->p[r->at]]) r->at++;
    if (r->at - from > UINT16_MAX) return HTTP_ERR_HEADER_OVERFLOW;
    if (r->at == r->n) return SHORT;
    if (r->p[r->at] != ':' || r->at == from) return HTTP_ERR_INVALID_HEADER_TOKEN;
    f->name = from;
    f->name_len = (u16)(r->at - from);
    f->id = (u8)http_field_find((Str){(const char *)r->p + from, f->name_len});
    r->at++;
    return 1;
}

static bool is_blank(u8 c)
{
    return c == ' ' || c == '\t';
}

static int take_value(Reader *r, HttpField *f)
{
    const u8 *p = r->p;
    while (r->at < r->n && is_blank(p[r->at])) r->at++;
    f->value = r->at;
    for (;; r->at++) {
        r->at = find_control(p, r->at, r->n);
        if (r->at == r->n) return SHORT;
        bool is_end = p[r->at] == '\r' || p[r->at] == '\n';
        if (is_end) break;
        bool is_fine = p[r->at] == '\t' || (r->h->is_lenient && p[r->at]);
        if (!is_fine) return HTTP_ERR_INVALID_HEADER_TOKEN;
    }
    u32 end = r->at;
    while (end > f->value && is_blank(p[end - 1])) end--;
    f->value_len = end - f->value;
    int rc = take_line_end(r, HTTP_ERR_CR_EXPECTED);
    return rc == HTTP_ERR_STRICT ? HTTP_ERR_LF_EXPECTED : rc;
}

static int take_field(Reader *r)
{
    HttpHead *h = r->h;
    HttpField f = {0};
    /* Case 1: a folded line.  RFC 9112, 5.2 wants it refused. */
    if (is_blank(r->p[r->at])) {
        return h->n_fields ? HTTP_ERR_INVALID_HEADER_TOKEN : HTTP_ERR_UNEXPECTED_SPACE;
    }
    int rc = take_name(r, &f);
    if (rc > 0) rc = take_value(r, &f);
    if (rc <= 0) return rc;
    if (h->n_fields >= (h->fields_max ? h->fields_max : HTTP_FIELDS_MAX)) {
        return HTTP_ERR_HEADER_OVERFLOW;
    }
    *push_field(h) = f;
    return f.id ? note_field(h, (HttpFieldId)f.id, (Str){(const char *)r->p + f.value, f.value_len})
                : 1;
}

/* Fields up to and with the empty line. */
static int take_fields(Reader *r)
{
    for (;;) {
        if (r->at == r->n) return SHORT;
        if (r->p[r->at] == '\r' || r->p[r->at] == '\n') {
            return take_line_end(r, HTTP_ERR_INVALID_HEADER_TOKEN);
        }
        int rc = take_field(r);
        if (rc <= 0) return rc;
    }
}

static int check_lengths(HttpHead *h)
{
    h->has_upgrade = h->has_upgrade_field && h->has_upgrade_token;
    if (!h->has_coding) return 1;
    if (h->has_length && !h->is_lenient) return HTTP_ERR_INVALID_TRANSFER_ENCODING;
    if (!h->is_chunked && !h->is_response) return HTTP_ERR_INVALID_TRANSFER_ENCODING;
    /* RFC 9112, 6.1: with HTTP/1.0 the framing is not to be trusted. */
    if (!h->minor) h->is_close = true;
    return 1;
}

static void reset(HttpHead *h)
{
    *h = (HttpHead){
        .is_response = h->is_response,
        .is_lenient = h->is_lenient,
        .size_max = h->size_max,
        .fields_max = h->fields_max,
        .fields = h->fields,
        .fields_cap = h->fields_cap,
    };
}

int http_head_parse(HttpHead *h, Str bytes)
{
    reset(h);
    u32 max = h->size_max ? h->size_max : HTTP_HEAD_SIZE_MAX;
    Reader r = {.h = h, .p = (const u8 *)bytes.p, .n = (u32)MIN(bytes.n, (usize)max)};
    while (r.at < r.n && (r.p[r.at] == '\r' || r.p[r.at] == '\n') && !h->is_response) r.at++;
    int rc = SHORT;
    if (r.at < r.n) rc = h->is_response ? take_status_line(&r) : take_request_line(&r);
    if (rc > 0) rc = take_fields(&r);
    if (rc > 0) rc = check_lengths(h);
    if (rc == SHORT && bytes.n >= max) return HTTP_ERR_HEADER_OVERFLOW;
    return rc > 0 ? (int)r.at : rc;
}

void http_head_deinit(HttpHead *h)
{
    mem_free(h->fields);
    h->fields = NULL;
    h->n_fields = h->fields_cap = 0;
}

/* ---- Questions ---------------------------------------------------------------------------------
 */

i32 http_head_find(const HttpHead *h, HttpFieldId id)
{
    for (u32 i = 0; i < h->n_fields; i++) {
        if (h->fields[i].id == id) return (i32)i;
    }
    return -1;
}

bool http_head_keeps_alive(const HttpHead *h)
{
    return !h->is_close && (h->minor || h->is_keep_alive);
}

HttpBodyKind http_request_body(const HttpHead *h)
{
    if (h->is_chunked) return HTTP_BODY_CHUNKED;
    return h->has_length && h->length ? HTTP_BODY_LENGTH : HTTP_BODY_NONE;
}

HttpBodyKind http_response_body(const HttpHead *h, HttpMethod method)
{
    bool is_bare = h->status < 200 || h->status == 204 || h->status == 304;
    if (is_bare || method == HTTP_HEAD) return HTTP_BODY_NONE;
    if (method == HTTP_CONNECT && h->status < 300) return HTTP_BODY_NONE;
    if (h->is_chunked) return HTTP_BODY_CHUNKED;
    if (h->has_coding || !h->has_length) return HTTP_BODY_TO_CLOSE;
    return h->length ? HTTP_BODY_LENGTH : HTTP_BODY_NONE;
}

bool http_list_has(Str list, Str word)
{
    Str rest = list, item;
    if (!list.p) return false;
    while (str_next(&rest, ',', &item)) {
        if (str_eq_nocase(str_trim(item), word)) return true;
    }
    return false;
}

int http_body_trailer(const HttpBody *b, HttpHead *h)
{
    reset(h);
    Str text = buf_str(&b->trailer);
    Reader r = {.h = h, .p = (const u8 *)text.p, .n = (u32)text.n};
    if (!text.n) return 0;
    int rc = take_fields(&r);
    if (rc == SHORT || (rc > 0 && (h->has_length || h->has_coding)))
        rc = HTTP_ERR_INVALID_HEADER_TOKEN;
    return rc < 0 ? rc : 0;
}
