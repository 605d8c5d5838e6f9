/* node/buffer/text.c -- native half of node:buffer/text: bytes to strings and back.
 *
 * The JavaScript half passes whatever `this` and offsets it was given once they are numbers; here
 * everything is cut to the memory that is there now, because converting an argument may have
 * detached or shrunk it. */
#include "builtins/node/buffer/buffer_text.h"
#include "codec/base64.h"
#include "codec/utf.h"
#include "util/mem.h"

#include <string.h>

enum {
    STRING_LEN_MAX = 0x7fffffff, /* units of a string */
};

static inline Encoding encoding_arg(JsArgs args, u32 i)
{
    i32 n;
    if (i >= args.len || !js_peek_i32(args.at[i], &n)) BUG("not the number of an encoding");
    return (Encoding)n;
}

static inline JsVal size_result(Js *js, usize n)
{
    return n <= INT32_MAX ? js_int(js, (i32)n) : js_number(js, (f64)n);
}

/* An index; `otherwise` for what is not a number, 0 for negative ones. */
static inline usize index_arg(Js *js, JsArgs args, u32 i, usize otherwise)
{
    JsVal v = i < args.len ? args.at[i] : JS_UNDEFINED;
    if (v == JS_UNDEFINED) return otherwise;
    i32 small;
    if (js_peek_i32(v, &small)) return small < 0 ? 0 : (usize)small;
    if (!js_is_number(js, v)) return otherwise;
    i64 n = js_get_i64(js, v);
    return n < 0 ? 0 : (usize)n;
}

/* ---- To strings ----------------------------------------------------------------------------- */

/* A Latin-1 string in the making: filled in place if the engine can, else copied at the end. */
typedef struct {
    JsVal string;
    u8 *chars;
    usize len;
} Latin1;

static Latin1 begin_latin1(Js *js, Arena *a, usize len)
{
    Latin1 l = {.len = len};
    if (!js_str_latin1_unfilled(js, len, &l.string, &l.chars))
        l.chars = arena_alloc_dirty(a, len, 1);
    return l;
}

static JsVal finish_latin1(Js *js, const Latin1 *l)
{
    return l->string ? l->string : js_str_latin1(js, l->chars, l->len);
}

static JsVal ascii_string(Js *js, JsBytes b)
{
    if (utf_ascii_prefix(b.p, b.n) == b.n) return js_str_latin1(js, b.p, b.n);
    AUTO(Scratch) s = scratch_begin(NULL);
    Latin1 l = begin_latin1(js, s.arena, b.n);
    for (usize i = 0; i < b.n; i++) l.chars[i] = b.p[i] & 0x7f;
    return finish_latin1(js, &l);
}

static JsVal utf16_string(Js *js, JsBytes b)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    usize n = b.n / 2;
    const u16 *units = (const u16 *)(const void *)b.p;
    if ((uintptr_t)b.p % _Alignof(u16) != 0) {
        u16 *copy = arena_alloc_dirty(s.arena, 2 * n, _Alignof(u16));
        memcpy(copy, b.p, 2 * n);
        units = copy;
    }
    if (!utf16_is_latin1(units, n)) return js_str_utf16(js, units, n);
    Latin1 l = begin_latin1(js, s.arena, n);
    utf16_low_bytes(units, n, l.chars);
    return finish_latin1(js, &l);
}

static JsVal digits_string(Js *js, JsBytes b, Encoding encoding, usize len)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Latin1 l = begin_latin1(js, s.arena, len);
    if (encoding == HEX) {
        (void)hex_encode(b.p, b.n, (char *)l.chars);
    } else {
        Base64Kind kind = encoding == BASE64 ? BASE64_STANDARD : BASE64_URL;
        (void)base64_encode(b.p, b.n, kind, (char *)l.chars);
    }
    return finish_latin1(js, &l);
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
    usize len = decoded_len(b, encoding);
    if (len > STRING_LEN_MAX) return JS_NULL;
    switch (encoding) {
    case UTF8: return js_str(js, (Str){(const char *)b.p, b.n});
    case UTF16: return utf16_string(js, b);
    case LATIN1: return js_str_latin1(js, b.p, b.n);
    case ASCII: return ascii_string(js, b);
    default: return digits_string(js, b, encoding, len);
    }
}

/* decode(encoding, bytes, start, end) -> string; null: it would be too long; undefined: `bytes`
 * has none. */
JS_NATIVE(text_decode)
{
    JsBytes b;
    Encoding encoding = encoding_arg(args, 0);
    ASSERT(args.len >= 2);
    if (!js_bytes(js, args.at[1], &b)) return JS_UNDEFINED;
    usize end = MIN(index_arg(js, args, 3, b.n), b.n);
    usize start = MIN(index_arg(js, args, 2, 0), end);
    b = (JsBytes){b.p + start, end - start};
    if (UNLIKELY(b.n && js_is_shared(js, args.at[1]))) {
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
    utf16_low_bytes(c.utf16, c.len, (u8 *)out);
    return (Str){out, c.len};
}

static usize encode_utf16(JsChars c, JsBytes dst)
{
    usize n = MIN(c.len, dst.n / 2);
    if (!c.is_latin1) {
        memcpy(dst.p, c.utf16, 2 * n);
        return 2 * n;
    }
    if ((uintptr_t)dst.p % _Alignof(u16) == 0) {
        utf_latin1_to_utf16(c.latin1, n, (u16 *)(void *)dst.p);
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
    utf16_low_bytes(c.utf16, n, dst.p);
    return n;
}

static usize encode_digits(JsChars c, Encoding encoding, JsBytes dst)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str digits = digits_of(s.arena, c);
    if (encoding != HEX) return base64_decode_lenient_into(digits, dst.p, dst.n);
    digits.n = digits.n / 2 > dst.n ? 2 * dst.n : digits.n;
    return hex_decode(digits, dst.p);
}

/* Writes what fits; returns the number of bytes. */
static usize encode(JsChars c, Encoding encoding, JsBytes dst)
{
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
    default: return encode_digits(c, encoding, dst);
    }
}

JsBytes node_buffer_encode(Arena *a, JsChars c, Encoding encoding)
{
    usize cap = c.len;
    if (encoding == UTF16) cap = 2 * c.len;
    if (encoding == UTF8) cap = (c.is_latin1 ? 2 : 3) * c.len;
    JsBytes b = {arena_alloc_dirty(a, cap, 1), cap};
    b.n = encode(c, encoding, b);
    return b;
}

/* encode(encoding, bytes, string, offset, length) -> the number of bytes written; -1: `bytes` has
 * no memory at all. */
JS_NATIVE(text_encode)
{
    JsChars c;
    JsBytes b;
    ASSERT(args.len >= 3);
    if (!js_chars(js, args.at[2], &c)) return NULL;
    if (!js_bytes(js, args.at[1], &b)) return js_int(js, -1);
    usize offset = MIN(index_arg(js, args, 3, 0), b.n);
    usize n = MIN(index_arg(js, args, 4, b.n), b.n - offset);
    return size_result(js, encode(c, encoding_arg(args, 0), (JsBytes){b.p + offset, n}));
}

/* copyAscii(bytes, string) -> was the string ASCII, as long as the bytes, and is now there? */
JS_NATIVE(text_copy_ascii)
{
    JsChars c;
    JsBytes b;
    ASSERT(args.len == 2);
    if (!js_chars(js, args.at[1], &c)) return NULL;
    if (!c.is_latin1 || utf_ascii_prefix(c.latin1, c.len) != c.len) return JS_FALSE;
    if (!js_bytes(js, args.at[0], &b) || b.n != c.len) return JS_FALSE;
    if (b.n) memcpy(b.p, c.latin1, b.n);
    return JS_TRUE;
}

/* utf8Length(string) -> bytes. */
JS_NATIVE(text_utf8_length)
{
    JsChars c;
    if (!js_chars(js, js_arg(args, 0), &c)) return NULL;
    return size_result(js, c.is_latin1 ? utf_latin1_to_utf8_len(c.latin1, c.len)
                                       : utf16_to_utf8_len(c.utf16, c.len));
}

/* hasBytes(value) -> is it a view or a buffer of any kind? */
JS_NATIVE(text_has_bytes)
{
    JsBytes b;
    return js_boolean(js_bytes(js, js_arg(args, 0), &b));
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
    JS_FN("decode", text_decode),        JS_FN("encode", text_encode),
    JS_FN("copyAscii", text_copy_ascii), JS_FN("utf8Length", text_utf8_length),
    JS_FN("isAscii", text_is_ascii),     JS_FN("isUtf8", text_is_utf8),
    JS_FN("hasBytes", text_has_bytes),
};
BUILTIN_NATIVE(node_buffer_text, fns)
