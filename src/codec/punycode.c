/* codec/punycode.c -- the algorithms of RFC 3492, section 6, with their overflow checks. */
#include "codec/punycode.h"

#include <string.h>

enum { BASE = 36, T_MIN = 1, T_MAX = 26, SKEW = 38, DAMP = 700, BIAS = 72, FIRST = 0x80 };
enum { POINT_MAX = 0x10ffff, DIGITS_MAX = 8 /* of one delta of 32 bits */ };

static u32 adapt(u32 delta, u32 n, bool is_first)
{
    delta = is_first ? delta / DAMP : delta / 2;
    delta += delta / n;
    u32 k = 0;
    for (; delta > (BASE - T_MIN) * T_MAX / 2; k += BASE) delta /= BASE - T_MIN;
    return k + (BASE - T_MIN + 1) * delta / (delta + SKEW);
}

static u32 threshold(u32 k, u32 bias)
{
    return k <= bias ? T_MIN : MIN(k - bias, (u32)T_MAX);
}

static u32 digit_of(char c)
{
    if (c >= '0' && c <= '9') return (u32)(c - '0') + 26;
    char lower = (char)(c | 0x20);
    return lower >= 'a' && lower <= 'z' ? (u32)(lower - 'a') : BASE;
}

/* One number of variable length, added to *i. */
static bool take_delta(Str *text, u32 bias, u32 *i)
{
    u32 weight = 1;
    for (u32 k = BASE;; k += BASE) {
        if (!text->n) return false;
        u32 digit = digit_of(text->p[0]), t = threshold(k, bias), product;
        *text = str_skip(*text, 1);
        if (digit >= BASE || !MUL_OK(digit, weight, &product)) return false;
        if (!ADD_OK(*i, product, i)) return false;
        if (digit < t) return true;
        if (!MUL_OK(weight, BASE - t, &weight)) return false;
    }
}

bool punycode_decode(Arena *a, Str text, const u32 **ret, usize *ret_n)
{
    u32 *points = arena_alloc(a, (text.n + 1) * sizeof *points, _Alignof(u32));
    usize n = 0, basic = text.n;
    while (basic && text.p[basic - 1] != '-') basic--;
    for (usize j = 0; j + 1 < basic; j++) {
        if ((u8)text.p[j] >= FIRST) return false;
        points[n++] = (u8)text.p[j];
    }
    text = str_skip(text, basic);
    u32 point = FIRST, bias = BIAS, i = 0;
    while (text.n) {
        u32 before = i, count = (u32)n + 1;
        if (!take_delta(&text, bias, &i)) return false;
        bias = adapt(i - before, count, before == 0);
        if (!ADD_OK(point, i / count, &point) || point > POINT_MAX) return false;
        i %= count;
        memmove(points + i + 1, points + i, (n - i) * sizeof *points);
        points[i++] = point;
        n++;
    }
    *ret = points;
    *ret_n = n;
    return true;
}

static char *put_delta(char *out, u32 delta, u32 bias)
{
    static const char digits[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    for (u32 k = BASE;; k += BASE) {
        u32 t = threshold(k, bias);
        if (delta < t) break;
        *out++ = digits[t + (delta - t) % (BASE - t)];
        delta = (delta - t) / (BASE - t);
    }
    *out++ = digits[delta];
    return out;
}

static u32 next_point(const u32 *points, usize n, u32 from)
{
    u32 next = UINT32_MAX;
    for (usize i = 0; i < n; i++) {
        if (points[i] >= from) next = MIN(next, points[i]);
    }
    return next;
}

bool punycode_encode(Arena *a, const u32 *points, usize n, Str *ret)
{
    char *out = arena_alloc(a, n * DIGITS_MAX + 1, 1), *at = out;
    u32 done = 0, basic, delta = 0, bias = BIAS, point = FIRST;
    for (usize i = 0; i < n; i++) {
        if (points[i] < FIRST) *at++ = (char)points[i], done++;
    }
    basic = done;
    if (basic) *at++ = '-';
    for (; done < n; delta++, point++) {
        u32 next = next_point(points, n, point), step;
        if (!MUL_OK(next - point, done + 1, &step) || !ADD_OK(delta, step, &delta)) return false;
        point = next;
        for (usize i = 0; i < n; i++) {
            if (points[i] < point && !ADD_OK(delta, 1, &delta)) return false;
            if (points[i] != point) continue;
            at = put_delta(at, delta, bias);
            bias = adapt(delta, done + 1, done == basic);
            delta = 0;
            done++;
        }
    }
    *ret = (Str){out, (usize)(at - out)};
    return true;
}
