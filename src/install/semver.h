/* install/semver.h -- versions and ranges with the semantics of npm's `semver` package (strict
 * mode, prereleases not included). */
#pragma once

#include "util/arena.h"
#include "util/str.h"

enum {
    SEMVER_LEN_MAX = 256, /* longer texts are no versions */
    SEMVER_SETS_MAX = 1024,
};

/* "1.2.3-pre+build"; the texts are views into what was parsed. */
typedef struct Semver {
    u64 major, minor, patch;
    Str pre, build;
} Semver;

typedef enum { SEMVER_EQ, SEMVER_LT, SEMVER_LE, SEMVER_GT, SEMVER_GE } SemverOp;

typedef struct SemverComparator {
    SemverOp op;
    Semver version;
} SemverComparator;

/* Comparators that must all hold; none: any version. */
typedef struct SemverSet {
    SemverComparator *at;
    u32 len;
} SemverSet;

/* Sets of which one must hold. */
typedef struct SemverRange {
    SemverSet *sets;
    u32 n_sets;
} SemverRange;

/* A whole version, with an optional "v" or "=" in front. */
NODISCARD bool semver_parse(Str text, Semver *ret);
/* Order of precedence: < 0, 0, > 0; what is behind the "+" does not count. */
int semver_cmp(const Semver *a, const Semver *b);
/* The same with the build texts as the last resort, for a stable order. */
int semver_cmp_build(const Semver *a, const Semver *b);
/* "^1.2 || >=3.0.0 <4", "1.x", "1.2.3 - 2", "" (any).  Views into `text` are kept; the rest is in
 * `a`. */
NODISCARD bool semver_range_parse(Arena *a, Str text, SemverRange *ret);
bool semver_satisfies(const SemverRange *range, const Semver *version);
/* Is it one exact version ("1.2.3", "=1.2.3")? */
bool semver_range_is_exact(const SemverRange *range);
