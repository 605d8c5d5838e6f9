/* node/buffer/bytes.c -- native half of node:buffer/bytes: copying, comparing, searching, filling.
 *
 * As in text.c, offsets are cut to the memory that is there now. */
#include "builtins/node/buffer/buffer_text.h"
#include "codec/search.h"
#include "util/mem.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

static inline i64 offset_arg(Js *js, JsArgs args, u32 i)
{
    i32 n;
    ASSERT(i < args.len);
    return js_peek_i32(args.at[i], &n) ? n : js_get_i64(js, args.at[i]);
}

static inline usize index_arg(Js *js, JsArgs args, u32 i)
{
    i64 n = offset_arg(js, args, i);
    return n < 0 ? 0 : (usize)n;
}

/* The memory of an argument; nothing when it has none. */
static inline JsBytes bytes_arg(Js *js, JsArgs args, u32 i)
{
    JsBytes b;
    ASSERT(i < args.len);
    return js_bytes(js, args.at[i], &b) ? b : (JsBytes){0};
}

static inline JsVal size_result(Js *js, usize n)
{
    return n <= INT32_MAX ? js_int(js, (i32)n) : js_number(js, (f64)n);
}

static void free_memory(void *p, void *data)
{
    (void)data;
    mem_free(p);
}

static JsBytes cut(JsBytes b, usize start, usize end)
{
    end = MIN(end, b.n);
    start = MIN(start, end);
    return (JsBytes){b.p + start, end - start};
}

/* copy(source, target, targetStart, sourceStart, count) -> bytes copied; -1: one of them has none.
 */
JS_NATIVE(bytes_copy)
{
    JsBytes source, target;
    ASSERT(args.len == 5);
    if (!js_bytes(js, args.at[0], &source) || !js_bytes(js, args.at[1], &target))
        return js_int(js, -1);
    usize at = index_arg(js, args, 2), from = index_arg(js, args, 3), n = index_arg(js, args, 4);
    if (at >= target.n || from >= source.n) return js_int(js, 0);
    n = MIN(n, MIN(target.n - at, source.n - from));
    memmove(target.p + at, source.p + from, n);
    return size_result(js, n);
}

/* gather(target, ...sources): all sources one after the other, as far as there is room.  Returns
 * the number of bytes that they have, or -1 - i when source i has no memory. */
JS_NATIVE(bytes_gather)
{
    JsBytes target = bytes_arg(js, args, 0), source;
    usize at = 0, total = 0;
    for (u32 i = 1; i < args.len; i++) {
        if (!js_bytes(js, args.at[i], &source)) return js_int(js, -(i32)i);
        usize n = MIN(source.n, target.n - at);
        if (n) memmove(target.p + at, source.p, n);
        at += n;
        total += source.n;
    }
    return size_result(js, total);
}

/* unfilled(size) -> an ArrayBuffer with whatever was in the memory. */
JS_NATIVE(bytes_unfilled)
{
    usize n = index_arg(js, args, 0);
    return js_array_buffer_take(js, mem_resize(NULL, n), n, free_memory, NULL);
}

static i32 compare(JsBytes a, JsBytes b)
{
    usize n = MIN(a.n, b.n);
    int rc = n ? memcmp(a.p, b.p, n) : 0;
    if (rc) return rc < 0 ? -1 : 1;
    return a.n < b.n ? -1 : a.n > b.n;
}

/* compare(a, b) and compare(a, b, startOfA, endOfA, startOfB, endOfB) -> -1, 0 or 1; undefined:
 * one of them has no bytes. */
JS_NATIVE(bytes_compare)
{
    JsBytes a, b;
    ASSERT(args.len >= 2);
    if (!js_bytes(js, args.at[0], &a) || !js_bytes(js, args.at[1], &b)) return JS_UNDEFINED;
    if (args.len > 2) {
        a = cut(a, index_arg(js, args, 2), index_arg(js, args, 3));
        b = cut(b, index_arg(js, args, 4), index_arg(js, args, 5));
    }
    return js_int(js, compare(a, b));
}

/* ---- Searching ------------------------------------------------------------------------------ */

/* Where a search begins, or where an empty needle is found: Node's rules for offsets that are
 * negative or beyond the end.  -1: nowhere. */
static i64 start_of_search(i64 len, i64 offset, i64 needle_len, bool is_forward)
{
    if (offset < 0) {
        if (offset + len >= 0) return len + offset;
        return is_forward || needle_len == 0 ? 0 : -1;
    }
    if (needle_len <= len && offset <= len - needle_len) return offset;
    if (needle_len == 0) return len;
    return is_forward ? -1 : len - 1;
}

static JsVal result_of(Js *js, usize at, usize scale, usize base)
{
    return at == SEARCH_NONE ? js_int(js, -1) : js_number(js, (f64)(at * scale + base));
}

/* Occurrences of 16-bit units are at even offsets only. */
static JsVal find_units(Js *js, JsBytes hay, JsBytes needle, usize start, bool is_forward)
{
    usize n = hay.n / 2, m = needle.n / 2, from = start / 2;
    if (!m || m > n) return js_int(js, -1);
    if (is_forward) {
        if (from > n - m) return js_int(js, -1);
        usize at = search_units(hay.p + 2 * from, n - from, needle.p, m);
        return result_of(js, at, 2, 2 * from);
    }
    return result_of(js, search_units_last(hay.p, MIN(from, n - m) + m, needle.p, m), 2, 0);
}

static JsVal find(Js *js, JsBytes hay, JsBytes needle, usize start, bool is_forward)
{
    if (is_forward) {
        usize at = search_bytes(hay.p + start, hay.n - start, needle.p, needle.n);
        return result_of(js, at, 1, start);
    }
    usize last = MIN(start, hay.n - needle.n);
    return result_of(js, search_bytes_last(hay.p, last + needle.n, needle.p, needle.n), 1, 0);
}

/* The bytes of a string in an encoding, or of a view: then of a copy if others may change them. */
static bool pattern_arg(Js *js, Arena *a, JsVal v, Encoding encoding, JsBytes *ret)
{
    JsChars c;
    if (js_is_string(js, v)) {
        if (!js_chars(js, v, &c)) return false;
        *ret = node_buffer_encode(a, c, encoding);
        return true;
    }
    if (!js_bytes(js, v, ret)) *ret = (JsBytes){0};
    if (!ret->n || !js_is_shared(js, v)) return true;
    u8 *copy = arena_alloc_dirty(a, ret->n, 1);
    memcpy(copy, ret->p, ret->n);
    ret->p = copy;
    return true;
}

/* indexOf(bytes, needle, offset, isForward, encoding) -> index or -1; undefined: `bytes` has none.
 * The needle is a string or a view. */
JS_NATIVE(bytes_index_of)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    JsBytes needle;
    Encoding encoding = (Encoding)js_get_i32(js, js_arg(args, 4));
    if (!pattern_arg(js, s.arena, js_arg(args, 1), encoding, &needle)) return NULL;
    JsBytes hay;
    if (!js_bytes(js, js_arg(args, 0), &hay)) return JS_UNDEFINED;
    bool is_forward = js_truthy(js, js_arg(args, 3));
    if (encoding == UTF16) hay.n &= ~(usize)1;
    i64 offset = offset_arg(js, args, 2);
    i64 start = start_of_search((i64)hay.n, offset, (i64)needle.n, is_forward);
    if (!needle.n) return js_number(js, (f64)start);
    if (start < 0 || !hay.n || needle.n > hay.n) return js_int(js, -1);
    if (is_forward && needle.n > hay.n - (usize)start) return js_int(js, -1);
    if (encoding == UTF16) return find_units(js, hay, needle, (usize)start, is_forward);
    return find(js, hay, needle, (usize)start, is_forward);
}

/* indexOfByte(bytes, byte, offset, isForward) -> index or -1; undefined: `bytes` has none. */
JS_NATIVE(bytes_index_of_byte)
{
    JsBytes hay;
    if (!js_bytes(js, js_arg(args, 0), &hay)) return JS_UNDEFINED;
    u8 byte = (u8)js_get_i32(js, js_arg(args, 1));
    bool is_forward = js_truthy(js, js_arg(args, 3));
    i64 start = start_of_search((i64)hay.n, offset_arg(js, args, 2), 1, is_forward);
    if (start < 0 || !hay.n) return js_int(js, -1);
    return find(js, hay, (JsBytes){&byte, 1}, (usize)start, is_forward);
}

/* ---- Filling, swapping ---------------------------------------------------------------------- */

/* fill(bytes, pattern, start, end, encoding) -> 0: the pattern, a string or a view that may be part
 * of the same memory, over and over; -1: it is empty; -2: the place is not there. */
JS_NATIVE(bytes_fill)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    JsBytes pattern;
    Encoding encoding = (Encoding)js_get_i32(js, js_arg(args, 4));
    if (!pattern_arg(js, s.arena, js_arg(args, 1), encoding, &pattern)) return NULL;
    JsBytes b = bytes_arg(js, args, 0);
    usize start = index_arg(js, args, 2), end = index_arg(js, args, 3);
    if (!pattern.n) return js_int(js, -1);
    if (start > end || end > b.n) return js_int(js, -2);
    usize n = end - start, done = MIN(pattern.n, n);
    u8 *at = b.p + start;
    if (n) memmove(at, pattern.p, done);
    while (done < n) {
        usize k = MIN(done, n - done);
        memcpy(at + done, at, k);
        done += k;
    }
    return js_int(js, 0);
}

#if defined(__x86_64__)
/* Thirty-two bytes at a time; returns how many bytes were done. */
__attribute__((target("avx2"))) static usize swap_blocks(u8 *p, usize n, u32 width)
{
    u8 order[16];
    for (u32 i = 0; i < 16; i++) order[i] = (u8)(i / width * width + width - 1 - i % width);
    const __m256i shuffle =
        _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)order));
    usize i = 0;
    for (; i + 32 <= n; i += 32) {
        __m256i *at = (__m256i *)(void *)(p + i);
        _mm256_storeu_si256(at, _mm256_shuffle_epi8(_mm256_loadu_si256(at), shuffle));
    }
    return i;
}
#endif

/* swap(bytes, width): reverses the bytes of each group of 2, 4 or 8. */
JS_NATIVE(bytes_swap)
{
    JsBytes b = bytes_arg(js, args, 0);
    u32 width = (u32)js_get_i32(js, js_arg(args, 1));
    usize i = 0;
    if (!b.p) return JS_UNDEFINED;
#if defined(__x86_64__)
    if (b.n >= 32 && __builtin_cpu_supports("avx2")) i = swap_blocks(b.p, b.n, width);
#endif
    for (; i + width <= b.n; i += width) {
        for (u32 k = 0; k < width / 2; k++) {
            u8 byte = b.p[i + k];
            b.p[i + k] = b.p[i + width - 1 - k];
            b.p[i + width - 1 - k] = byte;
        }
    }
    return JS_UNDEFINED;
}

/* callerIsPackage() -> does the calling program text belong to a package in node_modules? */
JS_NATIVE(bytes_caller_is_package)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    return js_boolean(str_find_str(js_caller_url(js, s.arena), S("/node_modules/")) >= 0);
}

static const JsFn fns[] = {
    JS_FN("copy", bytes_copy),
    JS_FN("gather", bytes_gather),
    JS_FN("unfilled", bytes_unfilled),
    JS_FN("compare", bytes_compare),
    JS_FN("indexOf", bytes_index_of),
    JS_FN("indexOfByte", bytes_index_of_byte),
    JS_FN("fill", bytes_fill),
    JS_FN("swap", bytes_swap),
    JS_FN("callerIsPackage", bytes_caller_is_package),
};
BUILTIN_NATIVE(node_buffer_bytes, fns)
