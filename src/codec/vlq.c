/* codec/vlq.c -- see vlq.h. */
#include "codec/vlq.h"

enum { DIGIT_BITS = 5, MORE = 1 << DIGIT_BITS };

static const char digits[64] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Value + 1, so that what is no digit is 0. */
#define ROW(c, v)  [c] = (v) + 1
#define ROW4(c, v) ROW(c, v), ROW((c) + 1, (v) + 1), ROW((c) + 2, (v) + 2), ROW((c) + 3, (v) + 3)
static const u8 values[256] = {
    ROW4('A', 0),  ROW4('E', 4),  ROW4('I', 8),  ROW4('M', 12), ROW4('Q', 16), ROW4('U', 20),
    ROW('Y', 24),  ROW('Z', 25),  ROW4('a', 26), ROW4('e', 30), ROW4('i', 34), ROW4('m', 38),
    ROW4('q', 42), ROW4('u', 46), ROW('y', 50),  ROW('z', 51),  ROW4('0', 52), ROW4('4', 56),
    ROW('8', 60),  ROW('9', 61),  ROW('+', 62),  ROW('/', 63),
};

u32 vlq_write(char *out, i32 value)
{
    u64 v = value < 0 ? (u64)(-(i64)value) << 1 | 1 : (u64)value << 1;
    u32 n = 0;
    while (v >= MORE) {
        out[n++] = digits[(v & (MORE - 1)) | MORE];
        v >>= DIGIT_BITS;
    }
    out[n++] = digits[v];
    return n;
}

bool vlq_read(const char **at, const char *end, i32 *ret)
{
    u64 v = 0;
    const char *p = *at;
    for (u32 shift = 0;; shift += DIGIT_BITS) {
        if (p == end || shift > 6 * DIGIT_BITS) return false;
        u32 d = values[(u8)*p++];
        if (!d) return false;
        d--;
        v |= (u64)(d & (MORE - 1)) << shift;
        if (!(d & MORE)) break;
    }
    i64 n = v & 1 ? -(i64)(v >> 1) : (i64)(v >> 1);
    if (n > INT32_MAX || n < INT32_MIN) return false;
    *ret = (i32)n;
    *at = p;
    return true;
}
