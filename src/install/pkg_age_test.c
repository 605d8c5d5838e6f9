/* install/pkg_age_test.c -- ages and times. */
#include "install/pkg.h"

#include "util/test.h"

TEST(pkg_age_knows_units)
{
    u64 s = 0;
    CHECK(pkg_age_parse(S("259200"), &s));
    CHECK_INT(s, 259200);
    CHECK(pkg_age_parse(S("90m"), &s));
    CHECK_INT(s, 5400);
    CHECK(pkg_age_parse(S("12 hours"), &s));
    CHECK_INT(s, 43200);
    CHECK(pkg_age_parse(S("3d"), &s));
    CHECK_INT(s, 259200);
    CHECK(pkg_age_parse(S("2 weeks"), &s));
    CHECK_INT(s, 1209600);
    CHECK(!pkg_age_parse(S(""), &s));
    CHECK(!pkg_age_parse(S("3 moons"), &s));
    CHECK(!pkg_age_parse(S("99999999999999999999"), &s));
}

TEST(pkg_time_is_that_of_the_registry)
{
    CHECK_INT(pkg_time_parse(S("1970-01-01T00:00:00.000Z")), 0);
    CHECK_INT(pkg_time_parse(S("2000-02-29T12:30:01.5Z")), 951827401);
    CHECK_INT(pkg_time_parse(S("2026-12-01T00:00:00Z")), 1796083200);
    CHECK_INT(pkg_time_parse(S("2026-13-01T00:00:00Z")), -1);
    CHECK_INT(pkg_time_parse(S("yesterday")), -1);
    CHECK_INT(pkg_time_parse(S("")), -1);
}

TEST(pkg_age_excludes_names_and_versions)
{
    const Str excludes[] = {S("all"), S("@a/some@1.0.0 || 1.1.0")};
    PkgOptions o = {.age_excludes = excludes, .n_age_excludes = COUNT(excludes)};
    CHECK(pkg_age_is_excluded(&o, S("all"), S("9.9.9")));
    CHECK(pkg_age_is_excluded(&o, S("@a/some"), S("1.1.0")));
    CHECK(!pkg_age_is_excluded(&o, S("@a/some"), S("1.2.0")));
    CHECK(!pkg_age_is_excluded(&o, S("other"), S("1.0.0")));
}
