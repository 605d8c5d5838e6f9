/* codec/vlq.c -- see vlq.h.  Five bits a digit, least significant first; bit 6 says that more
 * follow; the lowest bit of the number is its sign. */
#include "codec/vlq.h"

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void vlq_push(Buf *b, i32 value)
{
    u64 v = value < 0 ? (u64)(-(i64)value) << 1 | 1 : (u64)value << 1;
    do {
        u32 digit = (u32)(v & 31);
        v >>= 5;
        buf_push_char(b, digits[v ? digit | 32 : digit]);
    } while (v);
}

static int digit_value(char c)
{
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

bool vlq_next(Str *rest, i32 *ret)
{
    u64 v = 0;
    for (u32 shift = 0; rest->n && shift <= 30; shift += 5) {
        int d = digit_value(*rest->p);
        if (d < 0) return false;
        rest->p++;
        rest->n--;
        v |= (u64)(d & 31) << shift;
        if (d & 32) continue;
        if (v >> 1 > INT32_MAX) return false;
        *ret = v & 1 ? -(i32)(v >> 1) : (i32)(v >> 1);
        return true;
    }
    return false;
}
