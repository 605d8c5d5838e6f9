/* syntax/regexp.c -- the grammar of regular expressions, with Annex B, and the u and v modes.
 *
 * Only the syntax is checked; nothing is built.  Group names may repeat when they can never take
 * part in the same match: each alternative is a node that knows its disjunction and the alternative
 * around it, and two groups are exclusive when some disjunction holds them in different
 * alternatives. */
#include "syntax/regexp.h"
#include "syntax/lex.h"

#include <string.h>

enum { DEPTH_MAX = 1000 };

static bool fail(Re *r, const char *msg)
{
    if (!r->msg) {
        r->msg = msg;
        r->msg_at = r->p;
    }
    r->p = r->end;
    return false;
}

bool re_fail(Re *r, const char *msg)
{
    return fail(r, msg);
}

bool re_take(Re *r, char c)
{
    if (r->p >= r->end || *r->p != c) return false;
    r->p++;
    return true;
}

/* ---- Names ---- */

/* One character of a group name; UINT32_MAX at anything else. */
static u32 name_char(Re *r)
{
    u32 n, c = utf8_read(r->p, &n);
    if (r->p >= r->end) return UINT32_MAX;
    r->p += n;
    if (c != '\\') return c;
    if (!re_unicode_escape(r, true, &c)) return UINT32_MAX;
    return c;
}

/* `<` was taken.  The name is returned cooked. */
static bool group_name(Re *r, Str *ret)
{
    AUTO(Buf) b = {0};
    for (;;) {
        if (re_take(r, '>')) break;
        u32 c = name_char(r);
        if (c == UINT32_MAX || (b.len ? !is_id_part(c) : !is_id_start(c))) {
            return fail(r, "invalid capture group name");
        }
        buf_push_utf8(&b, c);
    }
    if (!b.len) return fail(r, "invalid capture group name");
    *ret = str_dup(r->arena, buf_str(&b));
    return true;
}

static bool are_exclusive(const Re *r, u32 x, u32 y)
{
    for (u32 a = x; a; a = r->alts.at[a].parent) {
        for (u32 b = y; b; b = r->alts.at[b].parent) {
            if (r->alts.at[a].disjunction == r->alts.at[b].disjunction) return a != b;
        }
    }
    return false;
}

static bool declare_name(Re *r, Str name)
{
    for (u32 i = 0; i < r->names.len; i++) {
        if (str_eq(r->names.at[i].name, name) && !are_exclusive(r, r->names.at[i].alt, r->alt)) {
            return fail(r, "duplicate capture group name");
        }
    }
    vec_push(r->arena, &r->names, (ReName){name, r->alt});
    return true;
}

/* Counts the groups, and finds out whether any has a name, before the real parse. */
static void count_groups(Re *r)
{
    bool in_class = false;
    for (const char *p = r->p; p < r->end; p++) {
        if (*p == '\\')
            p++;
        else if (*p == '[')
            in_class = true;
        else if (*p == ']')
            in_class = false;
        else if (*p == '(' && !in_class) {
            if (p + 1 < r->end && p[1] != '?') {
                r->n_groups++;
            } else if (p + 3 < r->end && p[2] == '<' && p[3] != '=' && p[3] != '!') {
                r->n_groups++;
                r->has_names = true;
            } else if (p + 1 >= r->end) {
                r->n_groups++;
            }
        }
    }
}

/* ---- Quantifiers ---- */

static bool take_number(Re *r, u64 *ret)
{
    const char *start = r->p;
    u64 v = 0;
    for (; r->p < r->end && *r->p >= '0' && *r->p <= '9'; r->p++) {
        if (v < (u64)1 << 53) v = v * 10 + (u64)(*r->p - '0');
    }
    *ret = v;
    return r->p > start;
}

/* {n} {n,} {n,m}; restores the position when it is none of these. */
static bool take_braces(Re *r)
{
    const char *start = r->p;
    u64 lo, hi;
    if (!re_take(r, '{')) return false;
    if (take_number(r, &lo)) {
        hi = lo;
        bool ok = true;
        if (re_take(r, ',') && !take_number(r, &hi)) hi = UINT64_MAX;
        ok = re_take(r, '}');
        if (ok) {
            if (hi < lo) fail(r, "numbers out of order in a quantifier");
            return true;
        }
    }
    r->p = start;
    return false;
}

static bool take_quantifier(Re *r)
{
    if (r->p >= r->end) return false;
    bool any = re_take(r, '*') || re_take(r, '+') || re_take(r, '?') || take_braces(r);
    if (any) (void)re_take(r, '?');
    return any;
}

/* ---- Atoms ---- */

static bool disjunction(Re *r);

/* `(?` was taken and what follows is none of the other forms. */
static bool modifiers(Re *r)
{
    u32 seen = 0, n = 0;
    bool minus = false;
    for (;; r->p++) {
        if (r->p >= r->end) return fail(r, "unterminated group");
        char c = *r->p;
        if (c == ':') break;
        if (c == '-' && !minus) {
            minus = true;
            continue;
        }
        u32 bit = c == 'i' ? 1 : c == 'm' ? 2 : c == 's' ? 4 : 0;
        if (!bit) return fail(r, "invalid group");
        if (seen & bit) return fail(r, "repeated modifier");
        seen |= bit;
        n++;
    }
    r->p++;
    if (minus && !n) return fail(r, "invalid group");
    return true;
}

/* `(` was taken.  *ret_quantifiable: may a quantifier follow? */
static bool group(Re *r, bool *ret_quantifiable)
{
    *ret_quantifiable = true;
    if (re_take(r, '?')) {
        if (re_take(r, '=') || re_take(r, '!')) {
            *ret_quantifiable = !r->u;
        } else if (re_take(r, '<')) {
            if (re_take(r, '=') || re_take(r, '!')) {
                *ret_quantifiable = false;
            } else {
                Str name = {0};
                if (!group_name(r, &name) || !declare_name(r, name)) return false;
            }
        } else if (!modifiers(r)) {
            return false;
        }
    }
    if (!disjunction(r)) return false;
    return re_take(r, ')') || fail(r, "unterminated group");
}

static bool backreference_name(Re *r)
{
    Str name = {0};
    if (!re_take(r, '<')) return fail(r, "invalid named reference");
    if (!group_name(r, &name)) return false;
    vec_push(r->arena, &r->refs, name);
    return true;
}

/* `\` was taken. */
static bool atom_escape(Re *r)
{
    if (r->p >= r->end) return fail(r, "\\ at the end of the pattern");
    char c = *r->p;
    if (c == 'b' || c == 'B') {
        BUG("assertions are handled by term");
    }
    if (c == 'k' && (r->u || r->has_names)) {
        r->p++;
        return backreference_name(r);
    }
    if (c >= '1' && c <= '9') {
        const char *start = r->p;
        u64 n;
        (void)take_number(r, &n);
        if (n <= r->n_groups) return true;
        if (r->u) return fail(r, "reference to a group that does not exist");
        r->p = start; /* Annex B: an octal escape, or the digit itself */
        r->p++;
        return true;
    }
    u32 value;
    bool is_set;
    return re_escape(r, false, &value, &is_set);
}

static bool assertion_escape(Re *r)
{
    if (r->p + 1 < r->end && r->p[0] == '\\' && (r->p[1] == 'b' || r->p[1] == 'B')) {
        r->p += 2;
        return true;
    }
    return re_take(r, '^') || re_take(r, '$');
}

static bool plain_char(Re *r)
{
    char c = *r->p;
    if (c == '{' && !r->u) {
        if (take_braces(r)) return fail(r, "nothing to repeat");
        r->p++;
        return true;
    }
    if (c == '*' || c == '+' || c == '?') return fail(r, "nothing to repeat");
    if ((c == '{' || c == '}' || c == ']') && r->u) {
        return fail(r, c == '{' ? "nothing to repeat" : "lone quantifier bracket");
    }
    u32 n;
    (void)utf8_read(r->p, &n);
    r->p += n;
    return true;
}

static bool term(Re *r)
{
    if (assertion_escape(r)) return true;
    bool quantifiable = true;
    bool ok;
    if (re_take(r, '('))
        ok = group(r, &quantifiable);
    else if (re_take(r, '['))
        ok = re_class(r);
    else if (re_take(r, '\\'))
        ok = atom_escape(r);
    else
        ok = plain_char(r);
    if (!ok) return false;
    if (take_quantifier(r) && !quantifiable) return fail(r, "nothing to repeat");
    return !r->msg;
}

static bool disjunction(Re *r)
{
    if (++r->depth > DEPTH_MAX) return fail(r, "nested too deeply");
    u32 outer = r->alt, id = ++r->n_disjunctions;
    for (;;) {
        r->alt = r->alts.len;
        vec_push(r->arena, &r->alts, (ReAlt){outer, id});
        while (r->p < r->end && *r->p != '|' && *r->p != ')') {
            if (!term(r)) return false;
        }
        if (!re_take(r, '|')) break;
    }
    r->alt = outer;
    r->depth--;
    return true;
}

static bool check_flags(Re *r, Str flags)
{
    u32 seen = 0;
    for (usize i = 0; i < flags.n; i++) {
        const char *all = "dgimsuvy", *at = strchr(all, flags.p[i]);
        if (!flags.p[i] || !at) return fail(r, "invalid flag");
        u32 bit = 1u << (at - all);
        if (seen & bit) return fail(r, "repeated flag");
        seen |= bit;
        if (*at == 'v') r->v = true;
        if (*at == 'u' || *at == 'v') {
            if (r->u) return fail(r, "the flags u and v exclude each other");
            r->u = true;
        }
    }
    return true;
}

static bool check_refs(Re *r)
{
    for (u32 i = 0; i < r->refs.len; i++) {
        bool found = false;
        for (u32 k = 0; k < r->names.len && !found; k++) {
            found = str_eq(r->names.at[k].name, r->refs.at[i]);
        }
        if (!found) return fail(r, "reference to a name that does not exist");
    }
    return true;
}

bool regexp_check(Str pattern, Str flags, const char **ret_msg, u32 *ret_at)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Re r = {.p = pattern.p, .start = pattern.p, .end = pattern.p + pattern.n, .arena = s.arena};
    vec_push(r.arena, &r.alts, (ReAlt){0, 0}); /* id 0 is "none" */
    bool ok = check_flags(&r, flags);
    if (ok) {
        count_groups(&r);
        ok = disjunction(&r);
        if (ok && r.p < r.end) ok = fail(&r, "unmatched )");
        if (ok) ok = check_refs(&r);
    }
    if (ok) return true;
    *ret_msg = r.msg;
    *ret_at = (u32)(r.msg_at - pattern.p);
    return false;
}
