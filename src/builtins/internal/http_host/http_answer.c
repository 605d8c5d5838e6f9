/* internal/http_host/http_answer.c -- native half of internal/http_host/http_answer: what goes out.
 *
 * Strings go out as UTF-8.  Fields come as one string of lines, which JavaScript has checked. */
#include "builtins/builtins.h"
#include "builtins/internal/http_host/http_host.h"
#include "codec/url.h"
#include "codec/utf.h"
#include "util/mem.h"

#include <errno.h>
#include <string.h>

enum { STATE_GONE = -1 };

/* A body: a string, bytes, or nothing. */
typedef struct {
    JsChars chars;
    JsBytes bytes;
    usize len; /* as UTF-8 */
    bool is_string;
} Piece;

static bool piece_of(Js *js, JsVal v, Piece *ret)
{
    *ret = (Piece){0};
    if (js_is_nullish(v)) return true;
    if (!js_is_string(js, v)) {
        if (!js_take_bytes(js, v, &ret->bytes)) return false;
        ret->len = ret->bytes.n;
        return true;
    }
    ret->is_string = true;
    if (!js_chars(js, v, &ret->chars)) return false;
    JsChars c = ret->chars;
    ret->len =
        c.is_latin1 ? utf_latin1_to_utf8_len(c.latin1, c.len) : utf16_to_utf8_len(c.utf16, c.len);
    return true;
}

static void piece_copy(const Piece *piece, char *to)
{
    JsChars c = piece->chars;
    if (!piece->is_string) {
        if (piece->len) memcpy(to, piece->bytes.p, piece->len);
    } else if (c.is_latin1 && c.len == piece->len) {
        memcpy(to, c.latin1, c.len);
    } else if (c.is_latin1) {
        (void)utf_latin1_to_utf8(c.latin1, c.len, to);
    } else {
        (void)utf16_to_utf8(c.utf16, c.len, to);
    }
}

typedef struct {
    Js *js;
    JsRef ref;
} Held;

static void release_held(void *ctx)
{
    Held *held = ctx;
    js_ref_clear(held->js, &held->ref);
    mem_free(held);
}

/* As a part of the body that is not chunked. */
static void write_piece(Js *js, HttpConn *c, JsVal v, const Piece *piece)
{
    if (!piece->len || c->has_no_body) return;
    if (!piece->is_string && piece->len >= HTTP_BORROW_MIN && !js_is_shared(js, v)) {
        Held *held = MEM_NEW(Held);
        held->js = js;
        js_ref_set_strong(js, &held->ref, v);
        http_conn_write_borrowed(c, (Str){(const char *)piece->bytes.p, piece->len}, release_held,
                                 held);
        return;
    }
    piece_copy(piece, http_conn_reserve(c, piece->len));
    c->out.len += piece->len;
}

/* Bytes of a string whose characters are all below 256; in `a` unless it has them already. */
static bool bytes_of(Js *js, Arena *a, JsVal v, Str *ret)
{
    JsChars chars;
    if (!js_chars(js, v, &chars)) return false;
    if (chars.is_latin1) {
        *ret = (Str){(const char *)chars.latin1, chars.len};
        return true;
    }
    u8 *low = arena_alloc_dirty(a, chars.len, 1);
    utf16_low_bytes(chars.utf16, chars.len, low);
    *ret = (Str){(const char *)low, chars.len};
    return true;
}

/* Content-Length and Transfer-Encoding are ours to say.  What a string brings is written in small
 * letters, as servers of Bun do. */
static bool write_field(Js *js, HttpConn *c, JsVal name, JsVal value)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str n, v;
    if (!bytes_of(js, s.arena, name, &n) || !bytes_of(js, s.arena, value, &v)) return false;
    HttpFieldId id = http_field_find(n);
    if (id == HTTP_FIELD_CONTENT_LENGTH || id == HTTP_FIELD_TRANSFER_ENCODING) return true;
    if (id == HTTP_FIELD_CONTENT_TYPE && str_eq(v, S("text/plain;charset=UTF-8")))
        v = S("text/plain;charset=utf-8");
    http_conn_field_of(c, id, n, v);
    return true;
}

enum { FIELDS_AT_ONCE = 32 };

/* `n` elements: names and values by turns. */
static bool write_list(Js *js, HttpConn *c, JsVal list, u32 n)
{
    JsVal at[2 * FIELDS_AT_ONCE];
    for (u32 from = 0; from < n; from += (u32)COUNT(at)) {
        u32 len = MIN(n - from, (u32)COUNT(at));
        if (!js_array_copy(js, list, from, at, len)) return false;
        for (u32 i = 0; i + 1 < len; i += 2) {
            if (!write_field(js, c, at[i], at[i + 1])) return false;
        }
    }
    return true;
}

/* The status line, and the lines in the fifth argument. */
static bool write_head(Js *js, HttpConn *c, JsArgs args)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    JsVal reason = js_arg(args, 3), fields = js_arg(args, 4);
    Str text = {0}, lines = {0};
    if (js_is_string(js, reason) && js_str_len(js, reason) &&
        !js_to_str(js, s.arena, reason, &text))
        return false;
    if (js_is_string(js, fields) && !bytes_of(js, s.arena, fields, &lines)) return false;
    http_conn_head(c, (u32)js_get_i32(js, js_arg(args, 2)), text);
    if (lines.n) http_conn_fields(c, lines);
    return true;
}

static HttpConn *find_open(Js *js, JsArgs args)
{
    HttpConn *c = host_conn(js, args);
    return c && c->is_busy ? c : NULL;
}

/* respond(sid, id, status, reason, lines, body, list, n) -> false when the request is over.  `list`
 * has n elements, names of fields and their values by turns, to be sent behind the lines. */
JS_NATIVE(answer_respond)
{
    HttpConn *c = find_open(js, args);
    if (!c || c->has_head) return JS_FALSE;
    JsVal body = js_arg(args, 5);
    Piece piece;
    if (!piece_of(js, body, &piece) || !write_head(js, c, args)) return NULL;
    u32 n = args.len > 7 ? (u32)js_get_i32(js, js_arg(args, 7)) : 0;
    if (n && !write_list(js, c, js_arg(args, 6), n)) return NULL;
    http_conn_head_end(c, c->has_no_body && c->method != HTTP_HEAD ? HTTP_LENGTH_NONE
                                                                   : (i64)piece.len);
    write_piece(js, c, body, &piece);
    http_conn_finish(c, (Str){0});
    return JS_TRUE;
}

/* head(sid, id, status, reason, fields, length): -1 unknown, -2 nothing is said about it */
JS_NATIVE(answer_head)
{
    HttpConn *c = find_open(js, args);
    if (!c || c->has_head) return JS_FALSE;
    if (!write_head(js, c, args)) return NULL;
    http_conn_head_end(c, js_get_i64(js, js_arg(args, 5)));
    return JS_TRUE;
}

enum { RAW_CHUNKED = 1, RAW_KEEPS_ALIVE = 2, RAW_NO_BODY = 4 };

/* The head of an answer as text that somebody else has made. */
static bool write_raw_head(Js *js, HttpConn *c, JsVal head, u32 flags)
{
    JsChars text;
    if (!js_chars(js, head, &text)) return false;
    char *p = http_conn_reserve(c, text.len);
    if (text.is_latin1)
        memcpy(p, text.latin1, text.len);
    else
        utf16_low_bytes(text.utf16, text.len, (u8 *)p);
    c->out.len += text.len;
    c->has_head = true;
    c->is_chunked = flags & RAW_CHUNKED;
    c->keeps_alive = c->keeps_alive && flags & RAW_KEEPS_ALIVE;
    c->has_no_body = flags & RAW_NO_BODY;
    return true;
}

/* headRaw(sid, id, text, flags) */
JS_NATIVE(answer_head_raw)
{
    HttpConn *c = find_open(js, args);
    if (!c || c->has_head) return JS_FALSE;
    if (!write_raw_head(js, c, js_arg(args, 2), (u32)js_get_i32(js, js_arg(args, 3)))) return NULL;
    return JS_TRUE;
}

/* respondRaw(sid, id, text, flags, body): the whole answer; not chunked */
JS_NATIVE(answer_respond_raw)
{
    HttpConn *c = find_open(js, args);
    if (!c || c->has_head) return JS_FALSE;
    JsVal body = js_arg(args, 4);
    Piece piece;
    if (!piece_of(js, body, &piece)) return NULL;
    if (!write_raw_head(js, c, js_arg(args, 2), (u32)js_get_i32(js, js_arg(args, 3)))) return NULL;
    write_piece(js, c, body, &piece);
    http_conn_finish(c, (Str){0});
    return JS_TRUE;
}

/* write(sid, id, data) -> bytes that wait, -1: the request is over */
JS_NATIVE(answer_write)
{
    HttpConn *c = find_open(js, args);
    if (!c) return js_int(js, STATE_GONE);
    JsVal v = js_arg(args, 2);
    Piece piece;
    if (!piece_of(js, v, &piece)) return NULL;
    if (!c->is_chunked) {
        write_piece(js, c, v, &piece);
    } else if (piece.is_string) {
        AUTO(Scratch) s = scratch_begin(NULL);
        char *text = arena_alloc_dirty(s.arena, piece.len + 1, 1);
        piece_copy(&piece, text);
        http_conn_write(c, (Str){text, piece.len});
    } else {
        http_conn_write(c, (Str){(const char *)piece.bytes.p, piece.len});
    }
    return host_wrote(js, c);
}

/* end(sid, id, trailer) */
JS_NATIVE(answer_end)
{
    HttpConn *c = find_open(js, args);
    if (!c) return JS_FALSE;
    AUTO(Scratch) s = scratch_begin(NULL);
    Str trailer = {0};
    JsVal v = js_arg(args, 2);
    JsChars chars;
    if (js_is_string(js, v)) {
        if (!js_chars(js, v, &chars)) return NULL;
        if (chars.is_latin1) trailer = (Str){(const char *)chars.latin1, chars.len};
    }
    http_conn_finish(c, trailer);
    return JS_TRUE;
}

/* raw(sid, id, data): bytes as they are, for what was taken over and for informational answers */
JS_NATIVE(answer_raw)
{
    HttpConn *c = host_conn(js, args);
    if (!c) return js_int(js, STATE_GONE);
    Piece piece;
    if (!piece_of(js, js_arg(args, 2), &piece)) return NULL;
    if (piece.len) {
        piece_copy(&piece, http_conn_reserve(c, piece.len));
        c->out.len += piece.len;
    }
    return host_wrote(js, c);
}

JS_NATIVE(answer_continue)
{
    HttpConn *c = find_open(js, args);
    bool is_awaited = c && c->expects && !c->has_head;
    if (c) http_conn_continue(c);
    return js_boolean(is_awaited);
}

JS_NATIVE(answer_take_over)
{
    HttpConn *c = find_open(js, args);
    if (!c) return js_u8array(js, "", 0);
    JsVal rest = js_u8array(js, c->cur.n ? c->cur.p : "", c->cur.n);
    c->cur = (Str){0};
    http_conn_take_over(c);
    return rest;
}

/* end or abort of the connection: finish(sid, id, now) */
JS_NATIVE(answer_close)
{
    HttpConn *c = host_conn(js, args);
    if (!c) return JS_FALSE;
    if (js_truthy(js, js_arg(args, 2)))
        http_conn_close(c);
    else
        http_conn_end(c);
    return JS_TRUE;
}

/* timeout(sid, id, ms) */
JS_NATIVE(answer_timeout)
{
    return host_set_timeout(js, host_conn(js, args), js_arg(args, 2));
}

/* pause(sid, id, on): for what was taken over */
JS_NATIVE(answer_pause)
{
    return host_set_paused(js, host_conn(js, args), js_arg(args, 2));
}

/* queued(sid, id) */
JS_NATIVE(answer_queued)
{
    HttpConn *c = host_conn(js, args);
    return js_number(js, c ? (f64)http_conn_queued(c) : 0);
}

/* ---- URLs --------------------------------------------------------------------------------------
 */

/* The Host field of a request's raw text, or nothing.  That of the request that came last is known
 * already. */
static Str authority_of(Js *js, JsArgs args, Str raw)
{
    const Host *host = host_find(js, args);
    u64 id = (u64)js_get_number(js, js_arg(args, 1));
    if (host && id == ((u64)host->authority.serial << HOST_IDX_BITS | host->authority.idx) &&
        host->authority.len) {
        ASSERT(host->authority.start + host->authority.len <= raw.n);
        return str_slice(raw, host->authority.start,
                         (usize)host->authority.start + host->authority.len);
    }
    Str found = {0};
    HttpHead h = {.size_max = UINT32_MAX >> 1, .fields_max = UINT32_MAX, .is_lenient = true};
    if (http_head_parse(&h, raw) > 0) {
        i32 i = http_head_find(&h, HTTP_FIELD_HOST);
        if (i >= 0) found = http_field_value(&h, raw, (u32)i);
    }
    http_head_deinit(&h);
    return found;
}

static Str join(Arena *a, Str scheme, Str host, Str target)
{
    char *p = arena_alloc_dirty(a, scheme.n + host.n + target.n, 1);
    memcpy(p, scheme.p, scheme.n);
    if (host.n) memcpy(p + scheme.n, host.p, host.n);
    memcpy(p + scheme.n + host.n, target.p, target.n);
    return (Str){p, scheme.n + host.n + target.n};
}

/* url(sid, id, raw, start, len, isSecure, fallbackHost) -> href.  The target is
 * [start, start + len) of the head; the authority that of an absolute target, else of Host. */
JS_NATIVE(answer_url)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    JsChars chars;
    if (!js_chars(js, js_arg(args, 2), &chars)) return NULL;
    ASSERT(chars.is_latin1);
    Str raw = {(const char *)chars.latin1, chars.len};
    u32 start = (u32)js_get_i32(js, js_arg(args, 3)), len = (u32)js_get_i32(js, js_arg(args, 4));
    Str target = str_slice(raw, start, (usize)start + len), host = authority_of(js, args, raw);
    Str scheme = js_truthy(js, js_arg(args, 5)) ? S("https://") : S("http://");
    if (!host.n && !js_to_str(js, s.arena, js_arg(args, 6), &host)) return NULL;
    bool is_origin = target.n && target.p[0] == '/';
    bool is_absolute = !is_origin && !str_eq(target, S("*")) && str_find_str(target, S("://")) >= 0;
    Str text = is_absolute ? target : join(s.arena, scheme, host, is_origin ? target : S("/"));
    Url url;
    if (url_parse_plain(text, &url)) return js_str_latin1(js, (const u8 *)text.p, text.n);
    if (url_parse(s.arena, text, NULL, &url)) return js_str(js, url.href);
    /* A Host that is none: the path alone is what matters then. */
    if (!js_to_str(js, s.arena, js_arg(args, 6), &host)) return NULL;
    text = join(s.arena, scheme, host, is_origin ? target : S("/"));
    if (url_parse(s.arena, text, NULL, &url)) return js_str(js, url.href);
    return js_str(js, S("http://localhost/"));
}

/* [fd, size, modified in ms] or -errno; only files have a size to speak of.  Takes fd. */
static JsVal opened_file(Js *js, int fd)
{
    SysStat st;
    if (fd < 0) return js_int(js, fd);
    int rc = sys_fstat(fd, &st);
    if (rc >= 0 && S_ISDIR(st.mode)) rc = -EISDIR;
    if (rc >= 0 && !S_ISREG(st.mode)) rc = -EINVAL;
    if (rc < 0) {
        (void)sys_close(fd);
        return js_int(js, rc);
    }
    JsVal at[3] = {js_int(js, fd), js_number(js, (f64)st.size),
                   js_number(js, (f64)st.mtime.s * 1000.0 + (f64)st.mtime.ns / 1e6)};
    return js_array(js, at, 3);
}

/* openFile(path): see opened_file */
JS_NATIVE(answer_open_file)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str path;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &path)) return NULL;
    if (memchr(path.p, 0, path.n)) return js_int(js, -ENOENT);
    return opened_file(js, sys_open(path, O_RDONLY | O_NONBLOCK, 0));
}

/* openBelow(folder, path): a file below the folder, links do not lead out; `path` is a string of
 * bytes */
JS_NATIVE(answer_open_below)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str folder, path;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &folder)) return NULL;
    if (!bytes_of(js, s.arena, js_arg(args, 1), &path)) return NULL;
    if (memchr(folder.p, 0, folder.n) || memchr(path.p, 0, path.n)) return js_int(js, -ENOENT);
    int dir = sys_open(folder, O_PATH | O_DIRECTORY, 0);
    if (dir < 0) return js_int(js, dir);
    int fd = sys_open_below(dir, path.n ? path : S("."), O_RDONLY | O_NONBLOCK);
    (void)sys_close(dir);
    return opened_file(js, fd);
}

JS_NATIVE(answer_close_file)
{
    (void)sys_close(js_get_i32(js, js_arg(args, 0)));
    return JS_UNDEFINED;
}

/* sendFile(sid, id, status, reason, fields, fd, offset, length): takes fd */
JS_NATIVE(answer_send_file)
{
    HttpConn *c = find_open(js, args);
    int fd = js_get_i32(js, js_arg(args, 5));
    if (!c || c->has_head) {
        (void)sys_close(fd);
        return JS_FALSE;
    }
    i64 off = js_get_i64(js, js_arg(args, 6)), len = js_get_i64(js, js_arg(args, 7));
    bool ok = off >= 0 && len >= 0;
    if (!ok) (void)js_throw_illegal(js);
    if (!ok || !write_head(js, c, args)) {
        (void)sys_close(fd);
        return NULL;
    }
    http_conn_head_end(c, len);
    http_conn_send_file(c, fd, (u64)off, (u64)len);
    return JS_TRUE;
}

/* etag(bytes) -> "0123456789abcdef" in quotes: FNV-1a, 64 bits */
JS_NATIVE(answer_etag)
{
    JsBytes bytes;
    if (!js_take_bytes(js, js_arg(args, 0), &bytes)) return NULL;
    u64 hash = 0xcbf29ce484222325u;
    for (usize i = 0; i < bytes.n; i++) hash = (hash ^ bytes.p[i]) * 0x100000001b3u;
    char text[18] = "\"";
    for (u32 i = 0; i < 16; i++) text[1 + i] = "0123456789abcdef"[hash >> (60 - 4 * i) & 15];
    text[17] = '"';
    return js_str(js, (Str){text, sizeof text});
}

static const JsFn fns[] = {
    JS_FN("openFile", answer_open_file),
    JS_FN("openBelow", answer_open_below),
    JS_FN("closeFile", answer_close_file),
    JS_FN("sendFile", answer_send_file),
    JS_FN("etag", answer_etag),
    JS_FN("respond", answer_respond),
    JS_FN("head", answer_head),
    JS_FN("headRaw", answer_head_raw),
    JS_FN("respondRaw", answer_respond_raw),
    JS_FN("write", answer_write),
    JS_FN("end", answer_end),
    JS_FN("raw", answer_raw),
    JS_FN("sendContinue", answer_continue),
    JS_FN("takeOver", answer_take_over),
    JS_FN("close", answer_close),
    JS_FN("timeout", answer_timeout),
    JS_FN("pause", answer_pause),
    JS_FN("queued", answer_queued),
    JS_FN("url", answer_url),
};
BUILTIN_NATIVE(internal_http_host_http_answer, fns)
