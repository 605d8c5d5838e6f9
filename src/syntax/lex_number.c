/* syntax/lex_number.c -- numeric literals: decimal, prefixed, legacy octal, separators, bigint. */
#include "syntax/lex.h"

#include <stdlib.h>
#include <string.h>

static u32 here(const Lexer *l)
{
    return (u32)(l->at - l->src);
}

/* Digits of `base` with single separators between them.  *ret_any: was there a digit?
 * *ret_sep: was there a separator? */
static bool take_digits(Lexer *l, int base, bool *ret_any, bool *ret_sep)
{
    bool last_sep = false;
    *ret_any = false;
    for (;; l->at++) {
        char c = *l->at;
        if (c == '_') {
            if (!*ret_any || last_sep) {
                return lex_error(l, here(l), 1, "A numeric separator is not allowed here");
            }
            last_sep = *ret_sep = true;
            continue;
        }
        int v = hex_value(c);
        if (v < 0 || v >= base) break;
        *ret_any = true;
        last_sep = false;
    }
    if (last_sep) return lex_error(l, here(l) - 1, 1, "A numeric separator is not allowed here");
    return true;
}

/* The value of src[pos, at), which is known to be well formed. */
static f64 decimal_value(Lexer *l, Str text)
{
    u64 v = 0;
    bool simple = text.n <= 15;
    for (usize i = 0; i < text.n && simple; i++) {
        if (!IS_CLASS(text.p[i], CC_DIGIT)) simple = false;
        v = v * 10 + (u64)(text.p[i] - '0');
    }
    if (simple) return (f64)v;
    AUTO(Scratch) s = scratch_begin(l->arena);
    char *z = arena_alloc_dirty(s.arena, text.n + 1, 1);
    usize n = 0;
    for (usize i = 0; i < text.n; i++)
        if (text.p[i] != '_') z[n++] = text.p[i];
    z[n] = 0;
    return strtod(z, NULL);
}

/* Up to 53 bits the sum is exact; beyond, digits are rounded once, to even, as the spec asks. */
static f64 radix_value(Str digits, u32 bits_per_digit)
{
    u64 mant = 0;
    i32 exp = 0;
    bool sticky = false;
    for (usize i = 0; i < digits.n; i++) {
        int v = hex_value(digits.p[i]);
        if (v < 0) continue;
        if (mant >> 59) {
            exp += exp < 2000 ? (i32)bits_per_digit : 0;
            sticky |= v != 0;
        } else {
            mant = mant << bits_per_digit | (u64)v;
        }
    }
    f64 r = (f64)(mant | (sticky ? 1 : 0));
    for (; exp > 0; exp--) r *= 2;
    return r;
}

static void finish(Lexer *l, bool bigint)
{
    u32 n, c = utf8_read(l->at, &n);
    if (l->dead) return;
    if (is_id_start(c) || c == '\\' || IS_CLASS(*l->at, CC_DIGIT)) {
        lex_error(l, here(l), n, "An identifier cannot start immediately after a number");
        return;
    }
    l->tok = bigint ? TOK_BIGINT : TOK_NUM;
}

static void take_bigint(Lexer *l)
{
    l->str = (Str){l->src + l->pos, (usize)(l->at - l->src - l->pos)};
    l->at++;
    finish(l, true);
}

static void lex_prefixed(Lexer *l, u32 bits)
{
    bool any, sep = false;
    l->at += 2;
    const char *digits = l->at;
    if (!take_digits(l, 1 << bits, &any, &sep)) return;
    if (!any) {
        lex_error(l, here(l), 1, "Expected a digit after \"%.*s\"", 2, l->src + l->pos);
        return;
    }
    l->num_form = NUM_PREFIXED;
    if (*l->at == 'n') {
        take_bigint(l);
        return;
    }
    l->num = radix_value((Str){digits, (usize)(l->at - digits)}, bits);
    finish(l, false);
}

/* 0 followed by a digit: octal unless an 8 or 9 turns up.  True when the literal ends here. */
static bool lex_legacy(Lexer *l)
{
    const char *p = l->at;
    bool octal = true;
    for (; IS_CLASS(*p, CC_DIGIT); p++) octal &= *p < '8';
    if (*p == '_') {
        return lex_error(l, (u32)(p - l->src), 1, "A numeric separator is not allowed here");
    }
    l->num_form = octal ? NUM_LEGACY_OCTAL : NUM_LEGACY_DECIMAL;
    if (!octal) return false;
    l->num = radix_value((Str){l->at + 1, (usize)(p - l->at - 1)}, 3);
    l->at = p;
    finish(l, false);
    return true;
}

static bool take_exponent(Lexer *l)
{
    bool any, sep = false;
    l->at++;
    if (*l->at == '+' || *l->at == '-') l->at++;
    if (!take_digits(l, 10, &any, &sep)) return false;
    return any || lex_error(l, here(l), 1, "Expected a digit in the exponent");
}

void lex_number(Lexer *l)
{
    l->num_form = NUM_DECIMAL;
    bool any = false, sep = false;
    if (l->at[0] == '0') {
        switch (l->at[1] | 0x20) {
        case 'x': lex_prefixed(l, 4); return;
        case 'o': lex_prefixed(l, 3); return;
        case 'b': lex_prefixed(l, 1); return;
        default: break;
        }
        if (l->at[1] == '_') {
            lex_error(l, here(l) + 1, 1, "A numeric separator is not allowed here");
            return;
        }
        if (IS_CLASS(l->at[1], CC_DIGIT) && (lex_legacy(l) || l->dead)) return;
    }
    if (*l->at != '.' && !take_digits(l, 10, &any, &sep)) return;
    if (*l->at == 'n' && l->num_form == NUM_DECIMAL && any) {
        take_bigint(l);
        return;
    }
    if (*l->at == '.') {
        l->at++;
        if (*l->at == '_' || !take_digits(l, 10, &any, &sep)) {
            lex_error(l, here(l), 1, "A numeric separator is not allowed here");
            return;
        }
    }
    if ((*l->at | 0x20) == 'e' && !take_exponent(l)) return;
    l->num = decimal_value(l, (Str){l->src + l->pos, (usize)(l->at - l->src - l->pos)});
    finish(l, false);
}
