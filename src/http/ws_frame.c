/* http/ws_frame.c -- WebSocket frames, both ways. */
#include "http/ws_frame.h"

#include "codec/base64.h"
#include "codec/utf.h"

#include <emmintrin.h>
#include <openssl/sha.h>
#include <string.h>

enum {
    SIZE_MAX_DEFAULT = 16 << 20,
    FINAL = 0x80,
    PACKED = 0x40,
    RESERVED = 0x30,
    MASKED = 0x80,
    UNPACK_STEP = 16 * 1024,
};

void ws_mask(u8 *p, usize n, const u8 mask[4], u32 at)
{
    u8 turned[4];
    for (u32 i = 0; i < 4; i++) turned[i] = mask[(at + i) & 3];
    u32 word;
    memcpy(&word, turned, 4);
    __m128i wide = _mm_set1_epi32((int)word);
    usize i = 0;
    for (; i + 16 <= n; i += 16) {
        __m128i x = _mm_loadu_si128((const void *)(p + i));
        _mm_storeu_si128((void *)(p + i), _mm_xor_si128(x, wide));
    }
    for (; i < n; i++) p[i] ^= turned[i & 3];
}

/* ---- Reading -----------------------------------------------------------------------------------
 */

static u64 size_max(const WsReader *r)
{
    return r->size_max ? r->size_max : SIZE_MAX_DEFAULT;
}

static u32 head_len(const WsReader *r)
{
    if (r->n_head < 2) return 2;
    u32 len = r->head[1] & 127;
    u32 more = len == 126 ? 2 : len == 127 ? 8 : 0;
    return 2 + more + (r->head[1] & MASKED ? 4 : 0);
}

static bool is_control(u8 opcode)
{
    return opcode >= WS_CLOSE;
}

static int check_first(const WsReader *r)
{
    u8 first = r->head[0], opcode = first & 15;
    bool is_known = opcode <= WS_BINARY || (opcode >= WS_CLOSE && opcode <= WS_PONG);
    if (!is_known || first & RESERVED) return WS_ERR_PROTOCOL;
    bool may_pack = r->has_deflate && (opcode == WS_TEXT || opcode == WS_BINARY);
    if (first & PACKED && !may_pack) return WS_ERR_PROTOCOL;
    if (is_control(opcode)) return first & FINAL ? 0 : WS_ERR_PROTOCOL;
    return (opcode == WS_CONTINUATION) == (r->message != 0) ? 0 : WS_ERR_PROTOCOL;
}

/* The head is complete. */
static int read_head(WsReader *r)
{
    u8 len = r->head[1] & 127;
    bool is_masked = r->head[1] & MASKED;
    int rc = check_first(r);
    if (rc < 0) return rc;
    if (is_masked == r->is_client) return WS_ERR_PROTOCOL;
    r->opcode = r->head[0] & 15;
    r->is_final = r->head[0] & FINAL;
    r->left = len;
    u32 at = 2;
    if (len >= 126) {
        u32 n = len == 126 ? 2 : 8;
        r->left = 0;
        for (u32 i = 0; i < n; i++) r->left = r->left << 8 | r->head[at++];
        if (r->left >> 63) return WS_ERR_PROTOCOL;
    }
    if (is_masked) memcpy(r->mask, r->head + at, 4);
    r->mask_at = 0;
    r->has_head = true;
    if (is_control(r->opcode)) {
        r->n_control = 0;
        return r->left > WS_CONTROL_MAX ? WS_ERR_PROTOCOL : 0;
    }
    if (r->opcode) {
        r->message = r->opcode;
        r->is_packed = r->head[0] & PACKED;
        buf_clear(&r->data);
    }
    return r->left > size_max(r) - MIN(size_max(r), r->data.len) ? WS_ERR_TOO_BIG : 0;
}

static bool take_head(WsReader *r, Str *in)
{
    while (in->n && r->n_head < head_len(r)) {
        u32 n = (u32)MIN(in->n, (usize)(head_len(r) - r->n_head));
        memcpy(r->head + r->n_head, in->p, n);
        r->n_head += n;
        *in = str_skip(*in, n);
    }
    return r->n_head >= 2 && r->n_head == head_len(r);
}

/* A part of the frame, unmasked where it lies. */
static Str take_part(WsReader *r, Str *in)
{
    Str part = str_slice(*in, 0, r->left < in->n ? (usize)r->left : in->n);
    *in = str_skip(*in, part.n);
    if (!r->is_client) ws_mask((u8 *)(uintptr_t)part.p, part.n, r->mask, r->mask_at);
    r->mask_at = (u32)(r->mask_at + part.n) & 3;
    r->left -= part.n;
    return part;
}

static int unpack_part(WsReader *r, Str packed)
{
    CompressError error;
    i32 flush = compress_flushes(COMPRESS_INFLATE_RAW).flush;
    CompressIo io = {.in = (const u8 *)packed.p, .n_in = packed.n};
    do {
        io.out = (u8 *)buf_reserve(&r->unpacked, UNPACK_STEP);
        io.n_out = UNPACK_STEP;
        if (!compressor_step(r->inflate, &io, flush, &error)) return WS_ERR_DATA;
        r->unpacked.len += UNPACK_STEP - io.n_out;
        if (r->unpacked.len > size_max(r)) return WS_ERR_TOO_BIG;
    } while (!compressor_is_ended(r->inflate) && (io.n_in || !io.n_out));
    return 0;
}

static int unpack(WsReader *r, Str packed, Str *ret)
{
    CompressError error;
    if (!r->inflate) {
        CompressOptions o = compress_defaults(COMPRESS_INFLATE_RAW);
        if (r->window_bits) o.window_bits = r->window_bits;
        r->inflate = compressor_new(&o, &error);
        if (!r->inflate) return WS_ERR_PROTOCOL;
    } else if (!r->keeps_context || compressor_is_ended(r->inflate)) {
        if (!compressor_reset(r->inflate, &error)) return WS_ERR_PROTOCOL;
    }
    static const u8 tail[4] = {0, 0, 0xff, 0xff};
    buf_clear(&r->unpacked);
    int rc = unpack_part(r, packed);
    if (!rc) rc = unpack_part(r, (Str){(const char *)tail, sizeof tail});
    *ret = buf_str(&r->unpacked);
    return rc;
}

static int finish_message(WsReader *r, Str content, Str *ret)
{
    int opcode = r->message;
    r->message = 0;
    if (r->is_packed) {
        int rc = unpack(r, content, &content);
        if (rc < 0) return rc;
    }
    if (opcode == WS_TEXT && !utf8_is_valid(content)) return WS_ERR_DATA;
    *ret = content;
    return opcode;
}

static void next_frame(WsReader *r)
{
    r->has_head = false;
    r->n_head = 0;
}

static int read_control(WsReader *r, Str *in, Str *ret)
{
    Str part = take_part(r, in);
    memcpy(r->control + r->n_control, part.p ? part.p : "", part.n);
    r->n_control += (u32)part.n;
    if (r->left) return WS_MORE;
    next_frame(r);
    if (r->opcode == WS_CLOSE) r->is_over = true;
    *ret = (Str){(const char *)r->control, r->n_control};
    return r->opcode;
}

/* The text of a message must be refused as soon as it cannot become valid any more (it may be
 * long); checked at each end of a frame. */
static bool may_be_text(const WsReader *r)
{
    if (r->message != WS_TEXT || r->is_packed || !r->data.len) return true;
    Str s = buf_str(&r->data);
    /* Up to three bytes may wait for the rest of their character. */
    for (usize cut = 0; cut <= MIN(s.n, (usize)3); cut++) {
        Str head = str_slice(s, 0, s.n - cut);
        if (!utf8_is_valid(head)) continue;
        u8 lead = cut ? (u8)s.p[s.n - cut] : 0;
        return !cut || (lead >= 0xc2 && lead <= 0xf4 &&
                        cut < (lead < 0xe0   ? 2u
                               : lead < 0xf0 ? 3u
                                             : 4u));
    }
    return false;
}

static int read_data(WsReader *r, Str *in, Str *ret)
{
    Str part = take_part(r, in);
    bool is_end = !r->left && r->is_final;
    if (is_end && !r->data.len) {
        next_frame(r);
        return finish_message(r, part, ret);
    }
    buf_push(&r->data, part);
    if (r->left) return WS_MORE;
    next_frame(r);
    if (is_end) return finish_message(r, buf_str(&r->data), ret);
    return may_be_text(r) ? WS_MORE : WS_ERR_DATA;
}

int ws_read(WsReader *r, Str *in, Str *ret)
{
    *ret = (Str){0};
    while (!r->is_over) {
        int rc = 0;
        if (!r->has_head) {
            if (!take_head(r, in)) return WS_MORE;
            rc = read_head(r);
        }
        bool is_waiting = r->left && !in->n;
        if (!rc && is_waiting) return WS_MORE;
        if (!rc) rc = is_control(r->opcode) ? read_control(r, in, ret) : read_data(r, in, ret);
        if (rc < 0) r->is_over = true;
        if (rc) return rc;
    }
    *in = str_skip(*in, in->n);
    return WS_MORE;
}

void ws_reader_deinit(WsReader *r)
{
    Buf_deinit(&r->data);
    Buf_deinit(&r->unpacked);
    compressor_free(r->inflate);
    *r = (WsReader){.is_over = true};
}

bool ws_is_close_code(u32 code)
{
    if (code >= 3000 && code <= 4999) return true;
    return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014);
}

bool ws_parse_close(Str content, u32 *ret_code, Str *ret_reason)
{
    *ret_code = WS_NO_STATUS;
    *ret_reason = (Str){0};
    if (!content.n) return true;
    if (content.n == 1) return false;
    *ret_code = (u32)(u8)content.p[0] << 8 | (u8)content.p[1];
    *ret_reason = str_skip(content, 2);
    return ws_is_close_code(*ret_code) && utf8_is_valid(*ret_reason);
}

/* ---- Writing -----------------------------------------------------------------------------------
 */

u32 ws_write_head(u8 *p, WsOpcode opcode, u64 len, bool is_packed, const u8 mask[4])
{
    u32 n = 2;
    p[0] = (u8)(FINAL | (is_packed ? PACKED : 0) | opcode);
    p[1] = mask ? MASKED : 0;
    if (len <= WS_CONTROL_MAX) {
        p[1] |= (u8)len;
    } else {
        u32 bytes = len <= UINT16_MAX ? 2 : 8;
        p[1] |= bytes == 2 ? 126 : 127;
        for (u32 i = bytes; i > 0; i--) p[n++] = (u8)(len >> 8 * (i - 1));
    }
    if (mask) memcpy(p + n, mask, 4);
    return mask ? n + 4 : n;
}

void ws_write(Buf *out, WsOpcode opcode, Str content, bool is_packed, const u8 mask[4])
{
    u8 *p = (u8 *)buf_reserve(out, WS_HEAD_MAX + content.n);
    ASSERT(p);
    u32 n = ws_write_head(p, opcode, content.n, is_packed, mask);
    if (content.n) memcpy(p + n, content.p, content.n);
    if (mask) ws_mask(p + n, content.n, mask, 0);
    out->len += n + content.n;
}

Compressor *ws_packer_new(i32 window_bits)
{
    CompressError error;
    CompressOptions o = compress_defaults(COMPRESS_DEFLATE_RAW);
    o.window_bits = window_bits;
    o.level = 1;
    return compressor_new(&o, &error);
}

bool ws_pack(Compressor *deflate, Str content, bool keeps_context, Buf *out)
{
    CompressError error;
    usize before = out->len;
    if (!keeps_context && !compressor_reset(deflate, &error)) return false;
    CompressIo io = {.in = (const u8 *)content.p, .n_in = content.n};
    i32 flush = compress_flushes(COMPRESS_DEFLATE_RAW).flush;
    do {
        io.out = (u8 *)buf_reserve(out, UNPACK_STEP);
        io.n_out = UNPACK_STEP;
        if (!io.out || !compressor_step(deflate, &io, flush, &error)) return false;
        out->len += UNPACK_STEP - io.n_out;
    } while (!io.n_out);
    /* 00 00 ff ff is not sent (RFC 7692, 7.2.1). */
    ASSERT(out->len - before >= 4);
    out->len -= 4;
    return true;
}

void ws_accept(Str key, char ret[WS_ACCEPT_LEN])
{
    static const char guid[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    u8 digest[SHA_DIGEST_LENGTH];
    char text[WS_KEY_LEN + sizeof guid];
    ASSERT(key.n == WS_KEY_LEN);
    memcpy(text, key.p, key.n);
    memcpy(text + key.n, guid, sizeof guid - 1);
    SHA1((const u8 *)text, key.n + sizeof guid - 1, digest);
    usize n = base64_encode(digest, sizeof digest, BASE64_STANDARD, ret);
    ASSERT(n == WS_ACCEPT_LEN);
}
