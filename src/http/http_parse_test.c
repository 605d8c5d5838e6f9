/* http/http_parse_test.c */
#include "http/http_parse.h"
#include "util/test.h"

#include <string.h>

static int request(HttpHead *h, Str text)
{
    h->is_response = false;
    return http_head_parse(h, text);
}

static int check_error(const char *text)
{
    HttpHead h = {0};
    int rc = http_head_parse(&h, str_z(text));
    http_head_deinit(&h);
    return rc;
}

TEST(http_head_of_a_request)
{
    HttpHead h = {0};
    Str text = S("POST /a/b?c=d HTTP/1.1\r\nHost: x:1\r\nX-Odd:\t a  b \t\r\nContent-Length: 3\r\n"
                 "Connection: Keep-Alive, foo\r\nEmpty:\r\n\r\nabc");
    REQUIRE(request(&h, text) == (int)text.n - 3);
    CHECK_INT(h.method, HTTP_POST);
    CHECK_INT(h.minor, 1);
    CHECK_STR(((Str){text.p + h.text, h.text_len}), "/a/b?c=d");
    REQUIRE(h.n_fields == 5);
    CHECK_INT(h.fields[0].id, HTTP_FIELD_HOST);
    CHECK_STR(http_field_name(&h, text, 1), "X-Odd");
    CHECK_STR(http_field_value(&h, text, 1), "a  b");
    CHECK_STR(http_field_value(&h, text, 4), "");
    CHECK(h.has_length && h.length == 3);
    CHECK(h.is_keep_alive && !h.is_close);
    CHECK_INT(http_request_body(&h), HTTP_BODY_LENGTH);
    http_head_deinit(&h);
}

TEST(http_head_asks_for_more_at_every_byte)
{
    HttpHead h = {0};
    Str text =
        S("\r\nGET http://a.b/c HTTP/1.0\r\nA: b\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n");
    for (usize n = 0; n < text.n; n++) CHECK_INT(request(&h, str_slice(text, 0, n)), 0);
    CHECK_INT(request(&h, text), text.n);
    CHECK(h.has_upgrade);
    CHECK(!http_head_keeps_alive(&h));
    h.is_response = true;
    text = S("HTTP/1.1 204 No\tContent \r\nA: b\r\n\r\n");
    for (usize n = 0; n < text.n; n++) CHECK_INT(http_head_parse(&h, str_slice(text, 0, n)), 0);
    CHECK_INT(http_head_parse(&h, text), text.n);
    CHECK_INT(h.status, 204);
    CHECK_INT(http_response_body(&h, HTTP_GET), HTTP_BODY_NONE);
    http_head_deinit(&h);
}

TEST(http_head_refuses_what_can_be_read_in_two_ways)
{
    CHECK_INT(check_error("GET / HTTP/1.1\r\nA : b\r\n\r\n"), HTTP_ERR_INVALID_HEADER_TOKEN);
    CHECK_INT(check_error("GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n"), HTTP_ERR_INVALID_HEADER_TOKEN);
    CHECK_INT(check_error("GET / HTTP/1.1\r\n A: b\r\n"), HTTP_ERR_UNEXPECTED_SPACE);
    CHECK_INT(check_error("GET / HTTP/1.1\r\nA: b\nC: d\r\n\r\n"), HTTP_ERR_CR_EXPECTED);
    CHECK_INT(check_error("GET / HTTP/1.1\r\nA: b\rC: d\r\n\r\n"), HTTP_ERR_LF_EXPECTED);
    CHECK_INT(check_error("GET / HTTP/1.1\nA: b\r\n\r\n"), HTTP_ERR_INVALID_VERSION);
    CHECK_INT(check_error("GET / HTTP/1.1\r\n: b\r\n\r\n"), HTTP_ERR_INVALID_HEADER_TOKEN);
    CHECK_INT(check_error("GET / HTTP/1.1\r\nA: b\x01\r\n\r\n"), HTTP_ERR_INVALID_HEADER_TOKEN);
    CHECK_INT(check_error("GET / HTTP/2.0\r\n"), HTTP_ERR_INVALID_VERSION);
    CHECK_INT(check_error("GET / FTP"), HTTP_ERR_INVALID_CONSTANT);
    CHECK_INT(check_error("GET /a b HTTP/1.1\r\n"), HTTP_ERR_INVALID_CONSTANT);
    CHECK_INT(check_error("GET a HTTP/1.1\r\n"), HTTP_ERR_INVALID_URL);
    CHECK_INT(check_error("GET /\x80 HTTP/1.1\r\n"), HTTP_ERR_INVALID_URL);
    CHECK_INT(check_error("CONNECT /x HTTP/1.1\r\n"), HTTP_ERR_INVALID_URL);
    CHECK_INT(check_error("get / HTTP/1.1\r\n"), HTTP_ERR_INVALID_METHOD);
    HttpHead h = {0};
    CHECK_INT(request(&h, S("GET / HTTP/1.1\r\nA: b\0c\r\n\r\n")), HTTP_ERR_INVALID_HEADER_TOKEN);
    http_head_deinit(&h);
}

TEST(http_head_lengths_and_codings)
{
    static const struct {
        const char *fields;
        int rc;
    } cases[] = {
        {"Content-Length: 1\r\nContent-Length: 1", HTTP_ERR_UNEXPECTED_CONTENT_LENGTH},
        {"Content-Length: 1,1", HTTP_ERR_INVALID_CONTENT_LENGTH},
        {"Content-Length: +1", HTTP_ERR_INVALID_CONTENT_LENGTH},
        {"Content-Length:", HTTP_ERR_INVALID_CONTENT_LENGTH},
        {"Content-Length: 18446744073709551617", HTTP_ERR_INVALID_CONTENT_LENGTH},
        {"Content-Length: 1\r\nTransfer-Encoding: chunked", HTTP_ERR_INVALID_TRANSFER_ENCODING},
        {"Transfer-Encoding: chunked\r\nContent-Length: 1", HTTP_ERR_INVALID_TRANSFER_ENCODING},
        {"Transfer-Encoding: identity", HTTP_ERR_INVALID_TRANSFER_ENCODING},
        {"Transfer-Encoding: chunked, gzip", HTTP_ERR_INVALID_TRANSFER_ENCODING},
        {"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
         HTTP_ERR_INVALID_TRANSFER_ENCODING},
        {"Transfer-Encoding: xchunked", HTTP_ERR_INVALID_TRANSFER_ENCODING},
    };
    for (u32 i = 0; i < COUNT(cases); i++) {
        Arena a = {0};
        Str text = str_fmt(&a, "POST / HTTP/1.1\r\nHost: a\r\n%s\r\n\r\n", cases[i].fields);
        HttpHead h = {0};
        CHECK_INT(request(&h, text), cases[i].rc);
        http_head_deinit(&h);
        arena_deinit(&a);
    }
    HttpHead h = {0};
    CHECK(request(&h, S("POST / HTTP/1.1\r\nTransfer-Encoding: gzip,, Chunked\r\n\r\n")) > 0);
    CHECK_INT(http_request_body(&h), HTTP_BODY_CHUNKED);
    http_head_deinit(&h);
}

TEST(http_head_limits)
{
    HttpHead h = {.size_max = 64, .fields_max = 2};
    CHECK_INT(request(&h, S("GET / HTTP/1.1\r\nA: b\r\nC: d\r\nE: f\r\n\r\n")),
              HTTP_ERR_HEADER_OVERFLOW);
    CHECK_INT(
        request(&h,
                S("GET /aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")),
        HTTP_ERR_HEADER_OVERFLOW);
    http_head_deinit(&h);
}

TEST(http_fields_are_found_in_any_case)
{
    for (int id = 1; id < HTTP_FIELD_COUNT; id++) {
        Str name = http_field_text((HttpFieldId)id);
        CHECK_INT(http_field_find(name), id);
        char upper[32];
        for (usize i = 0; i < name.n; i++) {
            bool is_letter = name.p[i] >= 'a' && name.p[i] <= 'z';
            upper[i] = is_letter ? (char)(name.p[i] - 32) : name.p[i];
        }
        CHECK_INT(http_field_find((Str){upper, name.n}), id);
    }
    CHECK_INT(http_field_find(S("x-something-else")), 0);
    CHECK_INT(http_field_find(S("hos~")), 0);
}

/* All of the body in pieces of `step` bytes. */
static int read_body(HttpBody *b, Str in, usize step, Buf *ret)
{
    for (usize at = 0;;) {
        Str piece = str_slice(in, at, at + step), data;
        at += piece.n;
        int rc;
        while ((rc = http_body_next(b, &piece, &data)) == HTTP_BODY_DATA) buf_push(ret, data);
        if (rc != HTTP_BODY_MORE) return rc;
        if (at == in.n) return rc;
    }
}

TEST(http_body_in_chunks)
{
    Str in =
        S("3;a=b;c=\"d\\\"e;f\";g\r\nabc\r\n00A\r\n0123456789\r\n000\r\nT: 1\r\nU:2\r\n\r\nGET");
    for (usize step = 1; step < 40; step++) {
        HttpBody b = {0};
        Buf got = {0};
        http_body_start(&b, HTTP_BODY_CHUNKED, 0);
        CHECK(!http_body_may_end(&b));
        CHECK_INT(read_body(&b, in, step, &got), HTTP_BODY_DONE);
        CHECK_STR(buf_str(&got), "abc0123456789");
        HttpHead h = {0};
        CHECK_INT(http_body_trailer(&b, &h), 0);
        REQUIRE(h.n_fields == 2);
        CHECK_STR(http_field_value(&h, buf_str(&b.trailer), 1), "2");
        http_head_deinit(&h);
        http_body_deinit(&b);
        Buf_deinit(&got);
    }
}

TEST(http_chunks_that_are_wrong)
{
    static const char *cases[] = {
        "\r\n",
        "g\r\n",
        "3 \r\nabc",
        "3\nabc",
        "3\r\nabcd",
        "3\r\nabc\n0",
        "3;\r\nabc",
        "3;=\r\n",
        "3;a=\r\n",
        "3;a=\"b\r\n",
        "3;a=\"b\"c\r\n",
        "fffffffffffffffff\r\n",
        "0\r\nA: b\n\r\n",
        "-1\r\n",
        "0x1\r\n",
        "3\r\r;\r\nabc",
    };
    for (u32 i = 0; i < COUNT(cases); i++) {
        HttpBody b = {0};
        Buf got = {0};
        http_body_start(&b, HTTP_BODY_CHUNKED, 0);
        if (read_body(&b, str_z(cases[i]), 100, &got) >= 0) test_fail(__FILE__, __LINE__, cases[i]);
        http_body_deinit(&b);
        Buf_deinit(&got);
    }
}

TEST(http_trailers_do_not_change_the_framing)
{
    HttpBody b = {0};
    HttpHead h = {0};
    Buf got = {0};
    http_body_start(&b, HTTP_BODY_CHUNKED, 0);
    CHECK_INT(read_body(&b, S("0\r\nContent-Length: 5\r\n\r\n"), 100, &got), HTTP_BODY_DONE);
    CHECK(http_body_trailer(&b, &h) < 0);
    http_head_deinit(&h);
    http_body_deinit(&b);
    Buf_deinit(&got);
}
