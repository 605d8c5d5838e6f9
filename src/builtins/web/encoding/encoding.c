/* web/encoding -- native half of TextEncoder and TextDecoder.  The JS half has checked the types.
 */
#include "codec/encoding.h"
#include "builtins/builtins.h"
#include "codec/utf.h"

#include <string.h>

/* The flags of decode(). */
enum { FLAG_FATAL = 1, FLAG_KEEP_BOM = 2, FLAG_STREAM = 4 };

/* find(label) -> id, or -1. */
JS_NATIVE(encoding_native_find)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str label;
    if (!js_to_str(js, s.arena, args.at[0], &label)) return NULL;
    return js_int(js, encoding_find(label));
}

JS_NATIVE(encoding_native_name)
{
    return js_str(js, encoding_name((EncodingId)js_get_i32(js, args.at[0])));
}

/* Is it an ArrayBuffer, a SharedArrayBuffer or a view of one? */
JS_NATIVE(encoding_native_is_buffer)
{
    JsBytes unused;
    return js_boolean(js_bytes(js, args.at[0], &unused));
}

/* encode(string) -> Uint8Array. */
JS_NATIVE(encoding_native_encode)
{
    JsChars c;
    if (!js_chars(js, args.at[0], &c)) return NULL;
    if (c.is_latin1 && utf_ascii_prefix(c.latin1, c.len) == c.len) {
        return js_u8array(js, c.latin1, c.len);
    }
    AUTO(Scratch) s = scratch_begin(NULL);
    usize n =
        c.is_latin1 ? utf_latin1_to_utf8_len(c.latin1, c.len) : utf16_to_utf8_len(c.utf16, c.len);
    char *out = arena_alloc_dirty(s.arena, n, 1);
    if (c.is_latin1) {
        utf_latin1_to_utf8(c.latin1, c.len, out);
    } else {
        utf16_to_utf8(c.utf16, c.len, out);
    }
    return js_u8array(js, out, n);
}

/* encodeInto(string, Uint8Array, Uint32Array(2)): the array gets what was read and written. */
JS_NATIVE(encoding_native_encode_into)
{
    JsChars c;
    JsBytes dest, counts;
    if (!js_chars(js, args.at[0], &c)) return NULL;
    if (!js_take_bytes(js, js_arg(args, 1), &dest)) return NULL;
    JS_EXPECT(js, js_bytes(js, js_arg(args, 2), &counts) && counts.n == 2 * sizeof(u32));
    usize n_read = 0, n_written = 0;
    if (dest.n && c.is_latin1) {
        n_written = utf_latin1_to_utf8_partial(c.latin1, c.len, (char *)dest.p, dest.n, &n_read);
    } else if (dest.n) {
        n_written = utf16_to_utf8_partial(c.utf16, c.len, (char *)dest.p, dest.n, &n_read);
    }
    u32 result[2] = {(u32)n_read, (u32)n_written};
    memcpy(counts.p, result, sizeof(result));
    return JS_UNDEFINED;
}

/* The bytes of an argument; a copy of shared memory, which others may change while it is read. */
static Str bytes_of(Js *js, Arena *a, JsVal v)
{
    JsBytes bytes;
    if (!js_bytes(js, v, &bytes)) return (Str){0};
    Str s = {(const char *)bytes.p, bytes.n};
    return js_is_shared(js, v) ? str_dup(a, s) : s;
}

/* decodeUtf8(flags, bytes) -> string, or undefined: the whole of a text. */
JS_NATIVE(encoding_native_decode_utf8)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    i32 flags = js_get_i32(js, args.at[0]);
    Str text = bytes_of(js, s.arena, args.at[1]);
    if (!(flags & FLAG_KEEP_BOM) && str_starts(text, S("\xef\xbb\xbf"))) text = str_skip(text, 3);
    if ((flags & FLAG_FATAL) && !utf8_is_valid(text)) return JS_UNDEFINED;
    return js_str(js, text);
}

/* decode(id, flags, bytes, state) -> string, or undefined: a chunk. */
JS_NATIVE(encoding_native_decode)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    i32 flags = js_get_i32(js, args.at[1]);
    DecodeOptions options = {
        .id = (EncodingId)js_get_i32(js, args.at[0]),
        .is_fatal = (flags & FLAG_FATAL) != 0,
        .keep_bom = (flags & FLAG_KEEP_BOM) != 0,
        .is_last = !(flags & FLAG_STREAM),
    };
    JsBytes memory;
    DecoderState state;
    Utf16 units;
    JS_EXPECT(js, js_bytes(js, js_arg(args, 3), &memory) && memory.n == sizeof(state));
    memcpy(&state, memory.p, sizeof(state));
    Str bytes = bytes_of(js, s.arena, args.at[2]);
    bool ok = encoding_decode(s.arena, &options, &state, bytes, &units);
    if (options.is_last || !ok) state = (DecoderState){0};
    memcpy(memory.p, &state, sizeof(state));
    if (!ok) return JS_UNDEFINED;
    if (!utf16_is_latin1(units.p, units.n)) return js_str_utf16(js, units.p, units.n);
    u8 *latin1 = (u8 *)units.p;
    for (usize i = 0; i < units.n; i++) latin1[i] = (u8)units.p[i];
    return js_str_latin1(js, latin1, units.n);
}

static const JsFn fns[] = {
    JS_FN("find", encoding_native_find),
    JS_FN("name", encoding_native_name),
    JS_FN("isBuffer", encoding_native_is_buffer),
    JS_FN("encode", encoding_native_encode),
    JS_FN("encodeInto", encoding_native_encode_into),
    JS_FN("decodeUtf8", encoding_native_decode_utf8),
    JS_FN("decode", encoding_native_decode),
};
BUILTIN_NATIVE(web_encoding, fns)
