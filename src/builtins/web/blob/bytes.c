/* web/blob/bytes.c -- bytes and text for Blob and bodies. */
#include "builtins/builtins.h"
#include "codec/utf.h"
#include "net/net.h"

#include "util/mem.h"

#include <string.h>

/* From here on bytes are handed over rather than copied. */
enum { TAKE_MIN = 4096 };

static void free_bytes(void *p, void *data)
{
    (void)data;
    mem_free(p);
}

/* decode(bytes) -> string: UTF-8, a byte order mark left out. */
JS_NATIVE(blob_bytes_decode)
{
    JsBytes bytes;
    if (!js_take_bytes(js, js_arg(args, 0), &bytes)) return NULL;
    Str text = {(const char *)bytes.p, bytes.n};
    if (str_starts(text, S("\xef\xbb\xbf"))) text = str_skip(text, 3);
    return js_str(js, text);
}

/* encode(string) -> Uint8Array */
JS_NATIVE(blob_bytes_encode)
{
    JsChars c;
    if (!js_chars(js, js_arg(args, 0), &c)) return NULL;
    if (c.is_latin1 && utf_ascii_prefix(c.latin1, c.len) == c.len) {
        return js_u8array(js, c.latin1, c.len);
    }
    usize n =
        c.is_latin1 ? utf_latin1_to_utf8_len(c.latin1, c.len) : utf16_to_utf8_len(c.utf16, c.len);
    char *out = mem_new(n);
    if (c.is_latin1)
        utf_latin1_to_utf8(c.latin1, c.len, out);
    else
        utf16_to_utf8(c.utf16, c.len, out);
    return js_u8array_take(js, out, n, free_bytes, NULL);
}

/* byteLength(string): bytes of its UTF-8. */
JS_NATIVE(blob_bytes_length)
{
    JsChars c;
    if (!js_chars(js, js_arg(args, 0), &c)) return NULL;
    usize n =
        c.is_latin1 ? utf_latin1_to_utf8_len(c.latin1, c.len) : utf16_to_utf8_len(c.utf16, c.len);
    return js_number(js, (f64)n);
}

/* concat(parts, total) -> Uint8Array with `total` bytes; what parts lack is zero. */
JS_NATIVE(blob_bytes_concat)
{
    u32 n;
    JsVal list = js_arg(args, 0);
    f64 total = js_get_number(js, js_arg(args, 1));
    static const f64 total_max = 4294967296.0;
    if (!(total >= 0 && total <= total_max)) return js_throw_range_error(js, "Out of memory");
    if (!js_array_len(js, list, &n)) return NULL;
    AUTO(Scratch) s = scratch_begin(NULL);
    usize size = (usize)total, at = 0;
    bool is_small = size < TAKE_MIN;
    u8 *out = is_small ? arena_alloc(s.arena, MAX(size, 1u), 1) : mem_new(size);
    for (u32 i = 0; i < n; i++) {
        JsBytes bytes;
        JsVal v = js_get_index(js, list, i);
        if (!v) {
            if (!is_small) mem_free(out);
            return NULL;
        }
        if (!js_bytes(js, v, &bytes) || !bytes.n) continue;
        usize part = MIN(bytes.n, size - at);
        memcpy(out + at, bytes.p, part);
        at += part;
    }
    return is_small ? js_u8array(js, out, size) : js_u8array_take(js, out, size, free_bytes, NULL);
}

/* copy(value) -> Uint8Array with the bytes of an ArrayBuffer or view; undefined for others. */
static void free_copy(void *p, void *data)
{
    (void)data;
    mem_free(p);
}

/* From here on clearing the memory first, as the engine does, costs more than a second object. */
enum { LARGE = 4096 };

JS_NATIVE(blob_bytes_copy)
{
    JsBytes bytes;
    if (!js_bytes(js, js_arg(args, 0), &bytes)) return JS_UNDEFINED;
    if (bytes.n >= LARGE)
        return js_u8array_take(js, mem_dup(bytes.p, bytes.n), bytes.n, free_copy, NULL);
    return js_u8array(js, bytes.p, bytes.n);
}

static void free_pages(void *p, void *data)
{
    (void)data;
    net_pages_free(p);
}

/* A copy that sockets can be given as it is; NULL without an exception: there is none. */
static JsVal copy_to_pages(Js *js, JsBytes bytes)
{
    void *p = bytes.n < NET_PAGES_MIN ? NULL : net_pages_new(bytes.p, bytes.n);
    return p ? js_u8array_take(js, p, bytes.n, free_pages, NULL) : NULL;
}

/* share(bytes) -> the same bytes, or a copy that goes out faster, not to be changed nor handed out
 */
JS_NATIVE(blob_bytes_share)
{
    JsBytes bytes;
    JsVal v = js_arg(args, 0);
    if (!js_bytes(js, v, &bytes)) return v;
    JsVal pages = copy_to_pages(js, bytes);
    return pages || js_is_pending(js) ? pages : v;
}

enum {
    KEPT_MAX = 1 << 20,
    USES_MANY = 8, /* then it is worth pages of its own */
};

/* keep(value): the same for who never changes the bytes nor hands them out.  Servers that send the
 * same bytes again and again get the same copy, as long as somebody has it: comparing what is in
 * the cache costs half of copying to memory that is not. */
JS_NATIVE(blob_bytes_keep)
{
    JsBytes bytes, kept;
    if (!js_bytes(js, js_arg(args, 0), &bytes)) return JS_UNDEFINED;
    if (bytes.n < LARGE || bytes.n > KEPT_MAX) return blob_bytes_copy(js, args);
    Vm *vm = vm_of(js);
    JsVal old = js_ref_get(js, &vm->kept_bytes);
    bool is_same = old && js_bytes(js, old, &kept) && kept.n == bytes.n &&
                   memcmp(kept.p, bytes.p, bytes.n) == 0;
    vm->n_kept_uses = is_same ? vm->n_kept_uses + 1 : 0;
    if (is_same && vm->n_kept_uses != USES_MANY) return old;
    JsVal copy = is_same ? copy_to_pages(js, kept) : blob_bytes_copy(js, args);
    if (!copy) return js_is_pending(js) ? NULL : old;
    js_ref_set_weak(js, &vm->kept_bytes, copy);
    return copy;
}

static const JsFn fns[] = {
    JS_FN("decode", blob_bytes_decode),     JS_FN("encode", blob_bytes_encode),
    JS_FN("byteLength", blob_bytes_length), JS_FN("concat", blob_bytes_concat),
    JS_FN("copy", blob_bytes_copy),         JS_FN("keep", blob_bytes_keep),
    JS_FN("share", blob_bytes_share),
};
BUILTIN_NATIVE(web_blob_bytes, fns)
