/* HTTP/1: heads of requests and responses, and bodies, on any bytes; the first byte says which.  A
 * head that is complete must be the same when more bytes follow and incomplete when one is missing;
 * a body must be the same in one piece and byte by byte. */
#include "http/http_parse.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const u8 *data, usize size);

static void check_head(HttpHead *h, Str text)
{
    int n = http_head_parse(h, text);
    if (n <= 0) return;
    ASSERT((usize)n <= text.n);
    u32 n_fields = h->n_fields;
    for (u32 i = 0; i < n_fields; i++) {
        Str name = http_field_name(h, text, i), value = http_field_value(h, text, i);
        ASSERT(http_is_token(name));
        ASSERT(h->is_lenient || http_is_field_value(value));
        ASSERT(value.p + value.n <= text.p + n);
    }
    ASSERT(http_head_parse(h, str_slice(text, 0, (usize)n)) == n);
    ASSERT(h->n_fields == n_fields);
    ASSERT(http_head_parse(h, str_slice(text, 0, (usize)n - 1)) == 0);
}

static int read_body(HttpBody *b, Str in, usize step, Buf *ret)
{
    Str data, piece;
    int rc = HTTP_BODY_MORE;
    for (usize at = 0; rc == HTTP_BODY_MORE && at < in.n; at += step) {
        piece = str_slice(in, at, at + step);
        while ((rc = http_body_next(b, &piece, &data)) == HTTP_BODY_DATA) (void)buf_push(ret, data);
    }
    return rc;
}

static void check_body(Str text)
{
    HttpBody one = {0}, two = {0};
    Buf got_one = {0}, got_two = {0};
    HttpHead h = {0};
    http_body_start(&one, HTTP_BODY_CHUNKED, 0);
    http_body_start(&two, HTTP_BODY_CHUNKED, 0);
    ASSERT(read_body(&one, text, text.n + 1, &got_one) == read_body(&two, text, 1, &got_two));
    ASSERT(str_eq(buf_str(&got_one), buf_str(&got_two)));
    (void)http_body_trailer(&one, &h);
    http_head_deinit(&h);
    http_body_deinit(&one);
    http_body_deinit(&two);
    Buf_deinit(&got_one);
    Buf_deinit(&got_two);
}

int LLVMFuzzerTestOneInput(const u8 *data, usize size)
{
    if (!size) return 0;
    Str text = {(const char *)data + 1, size - 1};
    HttpHead h = {.is_response = data[0] & 1, .is_lenient = data[0] & 2};
    check_head(&h, text);
    http_head_deinit(&h);
    check_body(text);
    return 0;
}
