/* syntax/regexp.h -- shared by the two files of the regular-expression checker (private to syntax).
 */
#pragma once

#include "util/str.h"
#include "util/vec.h"

typedef struct {
    u32 parent, disjunction;
} ReAlt;

typedef struct {
    Str name;
    u32 alt;
} ReName;

typedef struct {
    const char *p, *start, *end;
    const char *msg, *msg_at; /* of the first error */
    Arena *arena;
    bool u, v;    /* u is true in v mode too */
    bool strings; /* the property escape read last may match several characters */
    bool has_names;
    u32 n_groups, n_disjunctions, depth;
    u32 alt;
    Vec(ReAlt) alts;
    Vec(ReName) names;
    Vec(Str) refs;
} Re;

/* All return false after an error; re_fail keeps the first. */
bool re_fail(Re *r, const char *msg);
bool re_take(Re *r, char c);
/* `[` was taken: the rest of a character class. */
bool re_class(Re *r);
/* `\` was taken: an escape that is no back reference and no assertion.  *ret_is_set: it stands for
 * several characters (\d, \p{...}); else *ret_value is its code point. */
bool re_escape(Re *r, bool in_class, u32 *ret_value, bool *ret_is_set);
/* `\` was taken and `u` stands next.  `braces`: is \u{...} allowed?  False without a report. */
bool re_unicode_escape(Re *r, bool braces, u32 *ret);
