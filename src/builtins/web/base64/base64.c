/* web/base64 -- native half of atob and btoa. */
#include "codec/base64.h"
#include "builtins/builtins.h"
#include "codec/utf.h"

/* The characters as bytes; false: one is above 255. */
static bool latin1_of(Arena *a, JsChars c, Str *ret)
{
    if (c.is_latin1) {
        *ret = (Str){(const char *)c.latin1, c.len};
        return true;
    }
    if (!utf16_is_latin1(c.utf16, c.len)) return false;
    char *out = arena_alloc_dirty(a, c.len, 1);
    for (usize i = 0; i < c.len; i++) out[i] = (char)c.utf16[i];
    *ret = (Str){out, c.len};
    return true;
}

/* encode(string) -> string, or undefined. */
JS_NATIVE(base64_native_encode)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    JsChars c;
    Str bytes;
    if (!js_chars(js, args.at[0], &c)) return NULL;
    if (!latin1_of(s.arena, c, &bytes)) return JS_UNDEFINED;
    char *out = arena_alloc_dirty(s.arena, base64_encoded_len(bytes.n, BASE64_STANDARD), 1);
    usize n = base64_encode((const u8 *)bytes.p, bytes.n, BASE64_STANDARD, out);
    return js_str_latin1(js, (const u8 *)out, n);
}

/* decode(string) -> string, or undefined. */
JS_NATIVE(base64_native_decode)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    JsChars c;
    Str text;
    usize n;
    if (!js_chars(js, args.at[0], &c)) return NULL;
    if (!latin1_of(s.arena, c, &text)) return JS_UNDEFINED;
    u8 *out = arena_alloc_dirty(s.arena, base64_decoded_len_max(text.n), 1);
    if (!base64_decode_forgiving(text, out, &n)) return JS_UNDEFINED;
    return js_str_latin1(js, out, n);
}

static const JsFn fns[] = {
    JS_FN("encode", base64_native_encode),
    JS_FN("decode", base64_native_decode),
};
BUILTIN_NATIVE(web_base64, fns)
