/* syntax/number.c -- numbers as text, by way of their shortest decimal digits. */
#include "syntax/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    char at[20]; /* no zero at either end; "0" for 0 */
    int n;
    int point; /* value = 0.DIGITS * 10^point */
} Digits;

static void whole_digits(u64 v, Digits *d)
{
    char rev[20];
    int n = 0, zeros = 0;
    do {
        rev[n++] = (char)('0' + v % 10);
        v /= 10;
    } while (v);
    while (zeros < n - 1 && rev[zeros] == '0') zeros++;
    d->n = n - zeros;
    d->point = n;
    for (int i = 0; i < d->n; i++) d->at[i] = rev[n - 1 - i];
}

static void digits_of(f64 v, Digits *d)
{
    if (v < 9007199254740992.0 && v == floor(v)) {
        whole_digits((u64)v, d);
        return;
    }
    char text[40];
    /* Below the normal numbers there are fewer digits. */
    for (int precision = v < 2.3e-308 ? 0 : 14; precision <= 16; precision++) {
        (void)snprintf(text, sizeof(text), "%.*e", precision, v);
        if (strtod(text, NULL) == v) break;
    }
    char *e = strchr(text, 'e');
    int exponent = 0;
    for (char *p = e + 2; *p; p++) exponent = exponent * 10 + (*p - '0');
    d->point = (e[1] == '-' ? -exponent : exponent) + 1;
    d->n = 0;
    for (char *p = text; p < e; p++)
        if (*p != '.') d->at[d->n++] = *p;
    while (d->n > 1 && d->at[d->n - 1] == '0') d->n--;
}

static usize put(char *out, usize at, const char *p, int n)
{
    memcpy(out + at, p, (usize)n);
    return at + (usize)n;
}

static usize put_zeros(char *out, usize at, int n)
{
    memset(out + at, '0', (usize)n);
    return at + (usize)n;
}

/* Digits with a point among or before them, or zeros behind. */
static usize plain(const Digits *d, bool zero_first, char *out)
{
    usize at = 0;
    if (d->point <= 0) {
        if (zero_first) out[at++] = '0';
        out[at++] = '.';
        at = put_zeros(out, at, -d->point);
        return put(out, at, d->at, d->n);
    }
    at = put(out, at, d->at, MIN(d->n, d->point));
    if (d->point >= d->n) return put_zeros(out, at, d->point - d->n);
    out[at++] = '.';
    return put(out, at, d->at + d->point, d->n - d->point);
}

usize number_text(f64 v, char *out)
{
    Digits d;
    usize at = 0;
    if (v < 0) out[at++] = '-';
    digits_of(v < 0 ? -v : v, &d);
    if (d.point > -6 && d.point <= 21) return at + plain(&d, true, out + at);
    out[at++] = d.at[0];
    if (d.n > 1) {
        out[at++] = '.';
        at = put(out, at, d.at + 1, d.n - 1);
    }
    return at + (usize)snprintf(out + at, 8, "e%+d", d.point - 1);
}

usize number_text_short(f64 v, char *out)
{
    Digits d;
    char with_e[NUMBER_TEXT_MAX];
    digits_of(v, &d);
    usize n = put(with_e, 0, d.at, d.n);
    n += (usize)snprintf(with_e + n, 8, "e%d", d.point - d.n);
    /* How long the plain form would be; it may be far too long to write. */
    int plain_n = d.point <= 0 ? 1 - d.point + d.n : MAX(d.n + (d.point < d.n), d.point);
    if ((usize)plain_n <= n) return plain(&d, false, out);
    memcpy(out, with_e, n);
    return n;
}
