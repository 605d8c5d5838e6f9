/* http/ws_frame_test.c */
#include "http/ws_frame.h"
#include "util/test.h"

#include <string.h>

static const u8 mask[4] = {1, 2, 3, 4};

/* All messages of `bytes`, given in pieces of `step`, as "opcode:content|"; ends with the error. */
static void read_all(WsReader *r, Str bytes, usize step, Buf *out)
{
    for (usize at = 0; at < bytes.n;) {
        Buf piece = {0};
        buf_push(&piece, str_slice(bytes, at, at + step));
        at += piece.len;
        Str in = buf_str(&piece), content;
        int rc;
        while ((rc = ws_read(r, &in, &content)) != WS_MORE) {
            buf_fmt(out, "%d:%.*s|", rc, STR_ARG(content));
            if (rc < 0) break;
        }
        Buf_deinit(&piece);
    }
}

static void check_frames(Buf *frames, bool is_client, const char *want)
{
    for (usize step = 1; step < 20; step++) {
        WsReader r = {.is_client = is_client, .has_deflate = true, .size_max = 1000};
        Buf out = {0};
        read_all(&r, buf_str(frames), step, &out);
        if (!str_eq(buf_str(&out), str_z(want)))
            test_fail_str(__FILE__, __LINE__, buf_str(&out), str_z(want));
        Buf_deinit(&out);
        ws_reader_deinit(&r);
    }
    Buf_deinit(frames);
}

TEST(ws_messages_masked_and_in_fragments)
{
    Buf b = {0};
    ws_write(&b, WS_TEXT, S("hello \xc3\xa9"), false, mask);
    ws_write(&b, WS_PING, S("p"), false, mask);
    buf_push(&b, (Str){"\x01\x82\0\0\0\0ab", 8});
    ws_write(&b, WS_PONG, S(""), false, mask);
    buf_push(&b, (Str){"\x80\x81\0\0\0\0c", 7});
    ws_write(&b, WS_CLOSE,
             (Str){"\x03\xe8"
                   "bye",
                   5},
             false, mask);
    check_frames(&b, false,
                 "1:hello \xc3\xa9|9:p|10:|1:abc|8:\x03\xe8"
                 "bye|");
}

TEST(ws_packed_messages)
{
    Buf b = {0}, packed = {0};
    Compressor *c = ws_packer_new(15);
    REQUIRE(ws_pack(c, S("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"), false, &packed));
    ws_write(&b, WS_TEXT, buf_str(&packed), true, NULL);
    compressor_free(c);
    Buf_deinit(&packed);
    check_frames(&b, true, "1:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa|");
}

TEST(ws_what_is_wrong)
{
    static const struct {
        Str frame;
        const char *want;
    } cases[] = {
        {{"\x81\x01"
          "a",
          3},
         "-1002:|"},                                /* not masked */
        {{"\xa1\x81\0\0\0\0a", 7}, "-1002:|"},      /* reserved bit */
        {{"\x83\x80\0\0\0\0", 6}, "-1002:|"},       /* no such opcode */
        {{"\x09\x80\0\0\0\0", 6}, "-1002:|"},       /* a control frame in parts */
        {{"\x89\xfe\0\x80\0\0\0\0", 8}, "-1002:|"}, /* a long control frame */
        {{"\x80\x80\0\0\0\0", 6}, "-1002:|"},       /* goes on with nothing */
        {{"\x81\x81\0\0\0\0\xff", 7}, "-1007:|"},   /* not UTF-8 */
        {{"\x82\xfe\x10\0\0\0\0\0", 8}, "-1009:|"}, /* 4096 bytes */
    };
    for (u32 i = 0; i < COUNT(cases); i++) {
        Buf b = {0};
        buf_push(&b, cases[i].frame);
        check_frames(&b, false, cases[i].want);
    }
}

TEST(ws_close_codes)
{
    u32 code;
    Str reason;
    CHECK(ws_parse_close(S(""), &code, &reason) && code == WS_NO_STATUS);
    CHECK(ws_parse_close((Str){"\x03\xe8"
                               "x",
                               3},
                         &code, &reason) &&
          code == 1000);
    CHECK(!ws_parse_close((Str){"\x03\xed", 2}, &code, &reason)); /* 1005 */
    CHECK(!ws_parse_close((Str){"\x03", 1}, &code, &reason));
    CHECK(ws_is_close_code(4999) && !ws_is_close_code(5000));
}

TEST(ws_accept_of_the_rfc)
{
    char text[WS_ACCEPT_LEN];
    ws_accept(S("dGhlIHNhbXBsZSBub25jZQ=="), text);
    CHECK_STR(((Str){text, WS_ACCEPT_LEN}), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}
