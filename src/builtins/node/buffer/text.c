/* node/buffer/text.c -- native half of node:buffer/text: bytes to strings and back.
 *
 * The JavaScript half passes whatever `this` and offsets it was given once they are numbers; here
 * everything is cut to the memory that is there now, because converting an argument may have
 * detached or shrunk it. */
#include "builtins/builtins.h"
#include "codec/base64.h"
#include "codec/utf.h"
#include "util/mem.h"

#include <string.h>

/* The numbers of the encodings, as in text.js. */
typedef enum { UTF8, UTF16, LATIN1, ASCII, BASE64, BASE64_FOR_URL, HEX } Encoding;

enum {
    STRING_LEN_MAX = 0x7fffffff, /* units of a string */
    COPY_MAX = 2048,             /* longer results become the string's own memory, uncopied */
};

static Encoding encoding_arg(Js *js, JsArgs args, u32 i)
{
    return (Encoding)js_get_i32(js, js_arg(args, i));
}

/* An index; `otherwise` for what is not a number, 0 for negative ones. */
static usize index_arg(Js *js, JsArgs args, u32 i, usize otherwise)
{
    JsVal v = js_arg(args, i);
    if (!js_is_number(js, v)) return otherwise;
    i64 n = js_get_i64(js, v);
    return n < 0 ? 0 : (usize)n;
}

static void free_text(void *p, void *data)
{
    (void)data;
    mem_free(p);
}

/* ---- To strings ----------------------------------------------------------------------------- */

/* Where `len` characters are written before finish_latin1 makes a string of them. */
static u8 *begin_latin1(Arena *a, usize len)
{
    return len > COPY_MAX ? mem_resize(NULL, len) : arena_alloc_dirty(a, len, 1);
}

static JsVal finish_latin1(Js *js, u8 *p, usize len)
{
    if (len > COPY_MAX) return js_str_external_latin1(js, p, len, free_text, NULL);
    return js_str_latin1(js, p, len);
}

static JsVal ascii_string(Js *js, Arena *a, JsBytes b)
{
    if (utf_ascii_prefix(b.p, b.n) == b.n) return js_str_latin1(js, b.p, b.n);
    u8 *out = begin_latin1(a, b.n);
    for (usize i = 0; i < b.n; i++) out[i] = b.p[i] & 0x7f;
    return finish_latin1(js, out, b.n);
}

static JsVal utf16_string(Js *js, Arena *a, JsBytes b)
{
    usize n = b.n / 2;
    const u16 *units = (const u16 *)(const void *)b.p;
    if ((uintptr_t)b.p % _Alignof(u16) != 0) {
        u16 *copy = arena_alloc_dirty(a, 2 * n, _Alignof(u16));
        memcpy(copy, b.p, 2 * n);
        units = copy;
    }
    if (!utf16_is_latin1(units, n)) return js_str_utf16(js, units, n);
    u8 *out = begin_latin1(a, n);
    for (usize i = 0; i < n; i++) out[i] = (u8)units[i];
    return finish_latin1(js, out, n);
}

static usize decoded_len(JsBytes b, Encoding encoding)
{
    switch (encoding) {
    case UTF8:
        if (b.n <= STRING_LEN_MAX) return b.n; /* units never outnumber bytes */
        return utf8_measure((Str){(const char *)b.p, b.n}).n_units;
    case UTF16: return b.n / 2;
    case BASE64: return base64_encoded_len(b.n, BASE64_STANDARD);
    case BASE64_FOR_URL: return base64_encoded_len(b.n, BASE64_URL);
    case HEX: return 2 * b.n;
    default: return b.n;
    }
}

static JsVal decode(Js *js, JsBytes b, Encoding encoding)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    usize len = decoded_len(b, encoding);
    u8 *out;
    if (len > STRING_LEN_MAX) return JS_NULL;
    switch (encoding) {
    case UTF8: return js_str(js, (Str){(const char *)b.p, b.n});
    case UTF16: return utf16_string(js, s.arena, b);
    case LATIN1: return js_str_latin1(js, b.p, b.n);
    case ASCII: return ascii_string(js, s.arena, b);
    case HEX:
        out = begin_latin1(s.arena, len);
        (void)hex_encode(b.p, b.n, (char *)out);
        return finish_latin1(js, out, len);
    case BASE64:
    case BASE64_FOR_URL:
        out = begin_latin1(s.arena, len);
        (void)base64_encode(b.p, b.n, encoding == BASE64 ? BASE64_STANDARD : BASE64_URL,
                            (char *)out);
        return finish_latin1(js, out, len);
    }
    BUG("no such encoding");
}

/* decode(encoding, bytes, start, end) -> string; null: it would be too long; undefined: `bytes`
 * has none. */
JS_NATIVE(text_decode)
{
    JsBytes b;
    Encoding encoding = encoding_arg(js, args, 0);
    if (!js_bytes(js, js_arg(args, 1), &b)) return JS_UNDEFINED;
    usize end = MIN(index_arg(js, args, 3, b.n), b.n);
    usize start = MIN(index_arg(js, args, 2, 0), end);
    b = (JsBytes){b.p + start, end - start};
    if (UNLIKELY(b.n && js_is_shared(js, js_arg(args, 1)))) {
        /* Others may write while it is measured and copied. */
        u8 *copy = mem_dup(b.p, b.n);
        JsVal text = decode(js, (JsBytes){copy, b.n}, encoding);
        mem_free(copy);
        return text;
    }
    return decode(js, b, encoding);
}

/* ---- To bytes ------------------------------------------------------------------------------- */

/* Digits and letters as bytes: like Node, only the low byte of a character counts. */
static Str digits_of(Arena *a, JsChars c)
{
    if (c.is_latin1) return (Str){(const char *)c.latin1, c.len};
    char *out = arena_alloc_dirty(a, c.len, 1);
    for (usize i = 0; i < c.len; i++) out[i] = (char)c.utf16[i];
    return (Str){out, c.len};
}

static usize encode_utf16(JsChars c, JsBytes dst)
{
    usize n = MIN(c.len, dst.n / 2);
    if (!c.is_latin1) {
        memcpy(dst.p, c.utf16, 2 * n);
        return 2 * n;
    }
    for (usize i = 0; i < n; i++) {
        dst.p[2 * i] = c.latin1[i];
        dst.p[2 * i + 1] = 0;
    }
    return 2 * n;
}

static usize encode_latin1(JsChars c, JsBytes dst)
{
    usize n = MIN(c.len, dst.n);
    if (c.is_latin1) {
        memcpy(dst.p, c.latin1, n);
        return n;
    }
    for (usize i = 0; i < n; i++) dst.p[i] = (u8)c.utf16[i];
    return n;
}

/* Writes what fits; returns the number of bytes. */
static usize encode(JsChars c, Encoding encoding, JsBytes dst)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    usize unused;
    if (!c.len || !dst.n) return 0;
    switch (encoding) {
    case UTF8:
        if (!c.is_latin1)
            return utf16_to_utf8_partial(c.utf16, c.len, (char *)dst.p, dst.n, &unused);
        return utf_latin1_to_utf8_partial(c.latin1, c.len, (char *)dst.p, dst.n, &unused);
    case UTF16: return encode_utf16(c, dst);
    case LATIN1:
    case ASCII: return encode_latin1(c, dst);
    case HEX: {
        Str digits = digits_of(s.arena, c);
        digits.n = digits.n / 2 > dst.n ? 2 * dst.n : digits.n;
        return hex_decode(digits, dst.p);
    }
    case BASE64:
    case BASE64_FOR_URL: return base64_decode_lenient_into(digits_of(s.arena, c), dst.p, dst.n);
    }
    BUG("no such encoding");
}

/* encode(encoding, bytes, string, offset, length) -> the number of bytes written; -1: `bytes` has
 * no memory at all. */
JS_NATIVE(text_encode)
{
    JsChars c;
    JsBytes b;
    if (!js_chars(js, js_arg(args, 2), &c)) return NULL;
    if (!js_bytes(js, js_arg(args, 1), &b)) return js_int(js, -1);
    usize offset = MIN(index_arg(js, args, 3, 0), b.n);
    usize n = MIN(index_arg(js, args, 4, b.n), b.n - offset);
    return js_number(js, (f64)encode(c, encoding_arg(js, args, 0), (JsBytes){b.p + offset, n}));
}

/* utf8Length(string) -> bytes. */
JS_NATIVE(text_utf8_length)
{
    JsChars c;
    if (!js_chars(js, js_arg(args, 0), &c)) return NULL;
    return js_number(js, (f64)(c.is_latin1 ? utf_latin1_to_utf8_len(c.latin1, c.len)
                                           : utf16_to_utf8_len(c.utf16, c.len)));
}

/* isAscii(bytes), isUtf8(bytes) -> boolean; undefined: the buffer is detached. */
static JsVal is_text(Js *js, JsArgs args, bool (*is_well_formed)(Str s))
{
    JsBytes b;
    if (!js_bytes(js, js_arg(args, 0), &b)) return JS_UNDEFINED;
    if (!b.n) return js_is_detached(js, js_arg(args, 0)) ? JS_UNDEFINED : JS_TRUE;
    return js_boolean(is_well_formed((Str){(const char *)b.p, b.n}));
}

static bool is_ascii(Str s)
{
    return utf_ascii_prefix((const u8 *)s.p, s.n) == s.n;
}

JS_NATIVE(text_is_ascii)
{
    return is_text(js, args, is_ascii);
}

JS_NATIVE(text_is_utf8)
{
    return is_text(js, args, utf8_is_valid);
}

static const JsFn fns[] = {
    JS_FN("decode", text_decode),          JS_FN("encode", text_encode),
    JS_FN("utf8Length", text_utf8_length), JS_FN("isAscii", text_is_ascii),
    JS_FN("isUtf8", text_is_utf8),
};
BUILTIN_NATIVE(node_buffer_text, fns)
