/* install/semver_range.c -- takes a range apart into comparators.
 *
 * "^1.2", "~1", "1.x" and "1 - 2" are abbreviations of pairs of comparators; upper bounds made here
 * end in "-0", below every prerelease, so that "^1.2.3" does not take 2.0.0-alpha. */
#include "install/semver.h"
#include "util/vec.h"

#include <string.h>

typedef Vec(SemverComparator) Comparators;

/* A version of which the end may be missing or "x". */
typedef struct {
    u64 n[3];
    u32 n_known; /* 0: any version at all */
    Str pre;
} Partial;

typedef enum { OP_NONE, OP_EQ, OP_LT, OP_LE, OP_GT, OP_GE, OP_TILDE, OP_CARET } RangeOp;

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

static Str skip_space(Str s)
{
    while (s.n && is_space(s.p[0])) s = str_skip(s, 1);
    return s;
}

/* Up to white space. */
static Str take_word(Str *rest)
{
    usize n = 0;
    while (n < rest->n && !is_space(rest->p[n])) n++;
    Str word = str_slice(*rest, 0, n);
    *rest = str_skip(*rest, n);
    return word;
}

static bool is_wild(Str s)
{
    return s.n == 1 && (s.p[0] == 'x' || s.p[0] == 'X' || s.p[0] == '*');
}

/* The first three pieces between dots; the last goes up to "-" or "+". */
static u32 cut_pieces(Str word, Str pieces[3], Str *ret_tail)
{
    u32 n = 0;
    while (n < 3) {
        usize end = 0;
        while (end < word.n && word.p[end] != '.' && word.p[end] != '-' && word.p[end] != '+')
            end++;
        pieces[n++] = str_slice(word, 0, end);
        bool has_more = end < word.n && word.p[end] == '.' && n < 3;
        word = str_skip(word, has_more ? end + 1 : end);
        if (!has_more) break;
    }
    *ret_tail = word;
    return n;
}

static bool parse_partial(Arena *a, Str word, Partial *ret)
{
    *ret = (Partial){0};
    while (word.n && (word.p[0] == 'v' || word.p[0] == '=')) word = str_skip(word, 1);
    if (!word.n || word.n > SEMVER_LEN_MAX) return word.n == 0;
    Str pieces[3], tail;
    u32 n = cut_pieces(word, pieces, &tail), known = 0;
    while (known < n && !is_wild(pieces[known])) known++;
    /* What follows a wild piece must be one too, or a number that does not count. */
    Semver v;
    Str numbers[3] = {S("0"), S("0"), S("0")};
    for (u32 i = 0; i < n; i++)
        if (!is_wild(pieces[i])) numbers[i] = pieces[i];
    if (tail.n && n < 3) return false;
    Str whole = str_fmt(a, "%.*s.%.*s.%.*s%.*s", STR_ARG(numbers[0]), STR_ARG(numbers[1]),
                        STR_ARG(numbers[2]), STR_ARG(tail));
    if (!semver_parse(whole, &v)) return false;
    ret->n[0] = v.major;
    ret->n[1] = v.minor;
    ret->n[2] = v.patch;
    ret->n_known = known;
    for (u32 i = known; i < 3; i++) ret->n[i] = 0;
    if (known == 3) ret->pre = v.pre;
    return true;
}

/* ---- Comparators ----------------------------------------------------------------------------- */

static void push(Arena *a, Comparators *out, SemverOp op, Semver v)
{
    vec_push(a, out, (SemverComparator){op, v});
}

static Semver version_of(const Partial *p)
{
    return (Semver){.major = p->n[0], .minor = p->n[1], .patch = p->n[2], .pre = p->pre};
}

/* The version behind all that share the first `n` numbers. */
static Semver after(const Partial *p, u32 n)
{
    u64 parts[3] = {0};
    for (u32 i = 0; i < n; i++) parts[i] = p->n[i];
    parts[n - 1]++;
    return (Semver){.major = parts[0], .minor = parts[1], .patch = parts[2], .pre = S("0")};
}

static void push_nothing(Arena *a, Comparators *out)
{
    push(a, out, SEMVER_LT, (Semver){.pre = S("0")});
}

/* From `p` to the end of what shares its first `n` numbers. */
static void push_span(Arena *a, Comparators *out, const Partial *p, u32 n)
{
    push(a, out, SEMVER_GE, version_of(p));
    push(a, out, SEMVER_LT, after(p, n));
}

/* ^: up to the next change of the first number that is not 0. */
static void push_caret(Arena *a, Comparators *out, const Partial *p)
{
    u32 n = 1;
    while (n < p->n_known && p->n[n - 1] == 0) n++;
    push_span(a, out, p, n);
}

static void push_compare(Arena *a, Comparators *out, RangeOp op, const Partial *p)
{
    static const SemverOp ops[] = {
        [OP_LT] = SEMVER_LT, [OP_LE] = SEMVER_LE, [OP_GT] = SEMVER_GT, [OP_GE] = SEMVER_GE};
    if (p->n_known == 3) return push(a, out, ops[op], version_of(p));
    Semver first = version_of(p), next = after(p, p->n_known);
    switch (op) {
    case OP_GT: next.pre = (Str){0}; return push(a, out, SEMVER_GE, next);
    case OP_LE: return push(a, out, SEMVER_LT, next);
    case OP_LT: first.pre = S("0"); return push(a, out, SEMVER_LT, first);
    default: return push(a, out, SEMVER_GE, first);
    }
}

static void push_comparator(Arena *a, Comparators *out, RangeOp op, const Partial *p)
{
    if (!p->n_known) {
        if (op == OP_LT || op == OP_GT) push_nothing(a, out);
        return;
    }
    switch (op) {
    case OP_CARET: return push_caret(a, out, p);
    case OP_TILDE: return push_span(a, out, p, MIN(p->n_known, 2u));
    case OP_NONE:
    case OP_EQ:
        if (p->n_known < 3) return push_span(a, out, p, p->n_known);
        return push(a, out, SEMVER_EQ, version_of(p));
    default: return push_compare(a, out, op, p);
    }
}

/* ---- Text ------------------------------------------------------------------------------------ */

static RangeOp take_op(Str *rest)
{
    static const struct {
        const char *text;
        RangeOp op;
    } rows[] = {{"<=", OP_LE}, {">=", OP_GE},   {"~>", OP_TILDE}, {"<", OP_LT},
                {">", OP_GT},  {"~", OP_TILDE}, {"^", OP_CARET},  {"=", OP_EQ}};
    for (u32 i = 0; i < COUNT(rows); i++) {
        if (!str_starts(*rest, str_z(rows[i].text))) continue;
        *rest = str_skip(*rest, strlen(rows[i].text));
        return rows[i].op;
    }
    return OP_NONE;
}

static bool push_hyphen(Arena *a, Comparators *out, const Partial *from, const Partial *to)
{
    if (from->n_known) push(a, out, SEMVER_GE, version_of(from));
    if (to->n_known == 3)
        push(a, out, SEMVER_LE, version_of(to));
    else if (to->n_known)
        push(a, out, SEMVER_LT, after(to, to->n_known));
    return true;
}

/* "a - b", and nothing else in the set. */
static bool take_hyphen(Arena *a, Str set, Comparators *out, bool *ret_is_hyphen)
{
    Str rest = skip_space(set), from = take_word(&rest), dash, to;
    rest = skip_space(rest);
    dash = take_word(&rest);
    rest = skip_space(rest);
    to = take_word(&rest);
    *ret_is_hyphen = str_eq(dash, S("-")) && to.n && !skip_space(rest).n;
    if (!*ret_is_hyphen) return true;
    Partial low, high;
    if (!parse_partial(a, from, &low) || !parse_partial(a, to, &high)) return false;
    return push_hyphen(a, out, &low, &high);
}

static bool parse_set(Arena *a, Str set, SemverSet *ret)
{
    Comparators out = {0};
    bool is_hyphen;
    if (!take_hyphen(a, set, &out, &is_hyphen)) return false;
    Str rest = is_hyphen ? (Str){0} : skip_space(set);
    while (rest.n) {
        RangeOp op = take_op(&rest);
        rest = skip_space(rest);
        Str word = take_word(&rest);
        Partial p;
        if (!parse_partial(a, word, &p)) return false;
        push_comparator(a, &out, op, &p);
        rest = skip_space(rest);
    }
    *ret = (SemverSet){out.at, out.len};
    return true;
}

bool semver_range_parse(Arena *a, Str text, SemverRange *ret)
{
    Vec(SemverSet) sets = {0};
    Str rest = text;
    for (bool is_last = false; !is_last;) {
        i64 bar = str_find_str(rest, S("||"));
        is_last = bar < 0;
        Str set = is_last ? rest : str_slice(rest, 0, (usize)bar);
        if (!is_last) rest = str_skip(rest, (usize)bar + 2);
        SemverSet *one = vec_add(a, &sets);
        if (sets.len > SEMVER_SETS_MAX || !parse_set(a, set, one)) return false;
    }
    *ret = (SemverRange){sets.at, sets.len};
    return true;
}
