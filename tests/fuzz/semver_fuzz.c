/* Versions and ranges: "version\nrange"; what is a version satisfies itself as a range, and the
 * order is one. */
#include "install/semver.h"

int LLVMFuzzerTestOneInput(const u8 *data, usize size);

int LLVMFuzzerTestOneInput(const u8 *data, usize size)
{
    Arena a = {0};
    Str text = {(const char *)data, size}, first, rest;
    if (!str_cut(text, '\n', &first, &rest)) first = rest = text;
    Semver x, y;
    SemverRange range;
    bool is_version = semver_parse(first, &x);
    if (semver_range_parse(&a, rest, &range)) {
        ASSERT(range.n_sets <= SEMVER_SETS_MAX);
        if (is_version) (void)semver_satisfies(&range, &x);
        (void)semver_range_is_exact(&range);
    }
    if (is_version) {
        ASSERT(semver_cmp(&x, &x) == 0);
        if (semver_parse(rest, &y)) ASSERT((semver_cmp(&x, &y) < 0) == (semver_cmp(&y, &x) > 0));
    }
    arena_deinit(&a);
    return 0;
}
