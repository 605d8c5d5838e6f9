/* http/ws_frame.h -- WebSocket frames (RFC 6455, section 5) and permessage-deflate (RFC 7692), for
 * both ends.
 *
 * A WsReader turns bytes into messages. A message that comes in one frame and one piece is unmasked
 * where it lies and not copied. */
#pragma once

#include "codec/compress.h"
#include "util/base.h"
#include "util/buf.h"
#include "util/str.h"

typedef enum {
    WS_CONTINUATION = 0,
    WS_TEXT = 1,
    WS_BINARY = 2,
    WS_CLOSE = 8,
    WS_PING = 9,
    WS_PONG = 10,
} WsOpcode;

enum {
    WS_MORE = 0,
    WS_CONTROL_MAX = 125,
    WS_HEAD_MAX = 14,
    WS_KEY_LEN = 24,
    WS_ACCEPT_LEN = 28,
    /* What ws_read returns for what is wrong: minus the code to close with. */
    WS_ERR_PROTOCOL = -1002,
    WS_ERR_DATA = -1007, /* text that is no UTF-8 */
    WS_ERR_TOO_BIG = -1009,
    WS_NO_STATUS = 1005,
    WS_ABNORMAL = 1006,
};

typedef struct WsReader {
    /* Set before use. */
    u64 size_max;       /* of a message, unpacked; 0: 16 MiB */
    bool is_client;     /* frames that come must not be masked; else they must be */
    bool has_deflate;   /* messages may be compressed */
    bool keeps_context; /* the other side refers to earlier messages */
    i32 window_bits;    /* of the other side's compression; 0: 15 */
    /* The rest is private. */
    bool is_over; /* nothing follows an error or a close */
    bool is_final, is_packed;
    u8 opcode;  /* of the frame */
    u8 message; /* opcode of a message that was begun; 0: none */
    u8 head[WS_HEAD_MAX];
    u32 n_head;
    bool has_head;
    u64 left;
    u8 mask[4];
    u32 mask_at;
    u8 control[WS_CONTROL_MAX];
    u32 n_control;
    Buf data, unpacked;
    Compressor *inflate;
} WsReader;

/* Takes from the front of *in, whose bytes it changes. Returns the opcode of a message (TEXT,
 * BINARY, CLOSE, PING, PONG) and its content, valid until the next call and as long as *in;
 * WS_MORE: *in was used up; or an error, after which the reader is over. */
int ws_read(WsReader *r, Str *in, Str *ret);
void ws_reader_deinit(WsReader *r);
/* Content of a CLOSE: the code (WS_NO_STATUS if it has none) and the reason; false: not allowed. */
bool ws_parse_close(Str content, u32 *ret_code, Str *ret_reason);
/* May a program or a peer close with it? */
bool ws_is_close_code(u32 code);

/* The head of a frame to `p` (WS_HEAD_MAX bytes); returns its length. mask NULL: none. The first
 * bit reserved for compression is `is_packed`. */
u32 ws_write_head(u8 *p, WsOpcode opcode, u64 len, bool is_packed, const u8 mask[4]);
/* Appends a whole frame. */
void ws_write(Buf *out, WsOpcode opcode, Str content, bool is_packed, const u8 mask[4]);
void ws_mask(u8 *p, usize n, const u8 mask[4], u32 at);
/* Compresses a message (appended to `out`), without a reference to others unless `keeps_context`.
 */
bool ws_pack(Compressor *deflate, Str content, bool keeps_context, Buf *out);
/* A compressor for ws_pack: 8 < window_bits <= 15. */
Compressor *ws_packer_new(i32 window_bits);

/* Sec-WebSocket-Accept for a Sec-WebSocket-Key. */
void ws_accept(Str key, char ret[WS_ACCEPT_LEN]);
