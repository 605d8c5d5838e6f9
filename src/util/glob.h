/* util/glob.h -- glob patterns with the meaning of Bun's `Glob`
 * (https://bun.com/docs/runtime/glob).
 *
 *   ?  one character but "/"       *  any run without "/"      **  as a whole segment: any run
 *   [a-z] [!a] [^a]  a class       {a,b} {1..9} {01..10..3} {a..e}  one of several, may nest
 *   ?(a|b) *(a|b) +(a|b) @(a|b) !(a|b)  as in other shells' extended patterns
 *   !  at the start: the opposite  \  the next character as it is
 *   (but \b \n \r \t are control characters)
 *
 * Brackets that are not closed stand for themselves.  Characters are code points; a byte that is
 * not UTF-8 is a character of its own.  A pattern is compiled once to a small automaton whose
 * states are followed side by side, so time is bounded by pattern size times path length (times
 * path length once more for each nesting of `!(...)`). */
#pragma once

#include "util/str.h"

typedef struct Glob Glob;

typedef enum {
    GLOB_NO_DOT = 1, /* wildcards do not match a "." at the start of a segment */
} GlobFlags;

/* Compiles in `a`; NULL when the pattern is longer than GLOB_MAX or its ranges have too many
 * members to be sensible. */
enum { GLOB_MAX = 64 * 1024 };
Glob *glob_new(Arena *a, Str pattern, GlobFlags flags);
bool glob_match(const Glob *g, Str path);
/* Whether something inside the directory `dir` (relative, without slash at its end; "" is the
 * start) could match: false means that a walk need not enter it. */
bool glob_can_enter(const Glob *g, Str dir);
/* Whether the pattern has any special character, i.e. matches more or less than its own text. */
bool glob_is_magic(Str pattern);
