/* node/buffer/bytes.c -- native half of node:buffer/bytes: copying, comparing, searching, filling.
 *
 * As in text.c, offsets are cut to the memory that is there now. */
#include "builtins/builtins.h"
#include "codec/search.h"

#include <string.h>

static usize index_arg(Js *js, JsArgs args, u32 i)
{
    i64 n = js_get_i64(js, js_arg(args, i));
    return n < 0 ? 0 : (usize)n;
}

/* The memory of an argument; nothing when it has none. */
static JsBytes bytes_arg(Js *js, JsArgs args, u32 i)
{
    JsBytes b;
    return js_bytes(js, js_arg(args, i), &b) ? b : (JsBytes){0};
}

static JsBytes cut(JsBytes b, usize start, usize end)
{
    end = MIN(end, b.n);
    start = MIN(start, end);
    return (JsBytes){b.p + start, end - start};
}

/* copy(source, target, targetStart, sourceStart, count) -> bytes copied. */
JS_NATIVE(bytes_copy)
{
    JsBytes source = bytes_arg(js, args, 0), target = bytes_arg(js, args, 1);
    usize at = index_arg(js, args, 2), from = index_arg(js, args, 3), n = index_arg(js, args, 4);
    if (at >= target.n || from >= source.n) return js_int(js, 0);
    n = MIN(n, MIN(target.n - at, source.n - from));
    memmove(target.p + at, source.p + from, n);
    return js_number(js, (f64)n);
}

static i32 compare(JsBytes a, JsBytes b)
{
    usize n = MIN(a.n, b.n);
    int rc = n ? memcmp(a.p, b.p, n) : 0;
    if (rc) return rc < 0 ? -1 : 1;
    return a.n < b.n ? -1 : a.n > b.n;
}

/* compare(a, b) and compare(a, b, startOfA, endOfA, startOfB, endOfB) -> -1, 0 or 1. */
JS_NATIVE(bytes_compare)
{
    JsBytes a = bytes_arg(js, args, 0), b = bytes_arg(js, args, 1);
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

/* indexOf(bytes, needle, offset, isForward, isWide) -> index or -1. */
JS_NATIVE(bytes_index_of)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    JsBytes hay = bytes_arg(js, args, 0), needle = bytes_arg(js, args, 1);
    bool is_forward = js_truthy(js, js_arg(args, 3)), is_wide = js_truthy(js, js_arg(args, 4));
    i64 offset = js_get_i64(js, js_arg(args, 2));
    if (is_wide) hay.n &= ~(usize)1;
    i64 start = start_of_search((i64)hay.n, offset, (i64)needle.n, is_forward);
    if (!needle.n) return js_number(js, (f64)start);
    if (start < 0 || !hay.n || needle.n > hay.n) return js_int(js, -1);
    if (is_forward && needle.n > hay.n - (usize)start) return js_int(js, -1);
    if (js_is_shared(js, js_arg(args, 1))) {
        /* What is looked for must not change meanwhile. */
        Str copy = str_dup(s.arena, (Str){(const char *)needle.p, needle.n});
        needle.p = (u8 *)(uintptr_t)copy.p;
    }
    if (is_wide) return find_units(js, hay, needle, (usize)start, is_forward);
    return find(js, hay, needle, (usize)start, is_forward);
}

/* indexOfByte(bytes, byte, offset, isForward) -> index or -1. */
JS_NATIVE(bytes_index_of_byte)
{
    JsBytes hay = bytes_arg(js, args, 0);
    u8 byte = (u8)js_get_i32(js, js_arg(args, 1));
    bool is_forward = js_truthy(js, js_arg(args, 3));
    i64 start = start_of_search((i64)hay.n, js_get_i64(js, js_arg(args, 2)), 1, is_forward);
    if (start < 0 || !hay.n) return js_int(js, -1);
    return find(js, hay, (JsBytes){&byte, 1}, (usize)start, is_forward);
}

/* ---- Filling, swapping ---------------------------------------------------------------------- */

/* fill(bytes, pattern, start, end): the pattern over and over; it may be part of the same memory.
 * Returns false when it is empty or the place is not there. */
JS_NATIVE(bytes_fill)
{
    JsBytes b = bytes_arg(js, args, 0), pattern = bytes_arg(js, args, 1);
    usize start = index_arg(js, args, 2), end = index_arg(js, args, 3);
    if (!pattern.n || start > end || end > b.n) return JS_FALSE;
    usize n = end - start, done = MIN(pattern.n, n);
    u8 *at = b.p + start;
    if (n) memmove(at, pattern.p, done);
    while (done < n) {
        usize k = MIN(done, n - done);
        memcpy(at + done, at, k);
        done += k;
    }
    return JS_TRUE;
}

static void swap16(u8 *p, usize n)
{
    for (usize i = 0; i + 2 <= n; i += 2) {
        u16 v;
        memcpy(&v, p + i, sizeof(v));
        v = __builtin_bswap16(v);
        memcpy(p + i, &v, sizeof(v));
    }
}

static void swap32(u8 *p, usize n)
{
    for (usize i = 0; i + 4 <= n; i += 4) {
        u32 v;
        memcpy(&v, p + i, sizeof(v));
        v = __builtin_bswap32(v);
        memcpy(p + i, &v, sizeof(v));
    }
}

static void swap64(u8 *p, usize n)
{
    for (usize i = 0; i + 8 <= n; i += 8) {
        u64 v;
        memcpy(&v, p + i, sizeof(v));
        v = __builtin_bswap64(v);
        memcpy(p + i, &v, sizeof(v));
    }
}

/* swap(bytes, width): reverses the bytes of each group of 2, 4 or 8. */
JS_NATIVE(bytes_swap)
{
    JsBytes b = bytes_arg(js, args, 0);
    i32 width = js_get_i32(js, js_arg(args, 1));
    void (*const swap)(u8 * p, usize n) = width == 2 ? swap16 : width == 4 ? swap32 : swap64;
    swap(b.p, b.n);
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
    JS_FN("compare", bytes_compare),
    JS_FN("indexOf", bytes_index_of),
    JS_FN("indexOfByte", bytes_index_of_byte),
    JS_FN("fill", bytes_fill),
    JS_FN("swap", bytes_swap),
    JS_FN("callerIsPackage", bytes_caller_is_package),
};
BUILTIN_NATIVE(node_buffer_bytes, fns)
