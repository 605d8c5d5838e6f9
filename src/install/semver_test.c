/* install/semver_test.c -- versions, their order, ranges. */
#include "install/semver.h"

#include "util/test.h"

static Arena arena;

static bool takes(const char *range, const char *version)
{
    SemverRange r;
    Semver v;
    CHECK(semver_range_parse(&arena, str_z(range), &r));
    CHECK(semver_parse(str_z(version), &v));
    return semver_satisfies(&r, &v);
}

static bool is_range(const char *text)
{
    SemverRange r;
    return semver_range_parse(&arena, str_z(text), &r);
}

TEST(semver_parses_versions)
{
    Semver v;
    CHECK(semver_parse(S(" v1.22.3-a.1.b-c+d.001 "), &v));
    CHECK(v.major == 1 && v.minor == 22 && v.patch == 3);
    CHECK_STR(v.pre, "a.1.b-c");
    CHECK_STR(v.build, "d.001");
    static const char *const bad[] = {"",         "1",
                                      "1.2",      "01.2.3",
                                      "1.2.3-01", "1.2.3-",
                                      "1.2.3+",   "1.2.3 4",
                                      "a.b.c",    "1.2.3-a..b",
                                      "1.2.3.4",  "-1.2.3",
                                      "1.2.3-a.", "9007199254740992.0.0"};
    for (u32 i = 0; i < COUNT(bad); i++) CHECK(!semver_parse(str_z(bad[i]), &v));
}

TEST(semver_orders_versions)
{
    static const char *const sorted[] = {"0.0.0-0",     "0.0.0",         "0.0.1",
                                         "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta",
                                         "1.0.0-beta",  "1.0.0-beta.2",  "1.0.0-beta.11",
                                         "1.0.0-rc.1",  "1.0.0",         "1.2.0",
                                         "2.0.0"};
    for (u32 i = 0; i < COUNT(sorted); i++) {
        for (u32 j = 0; j < COUNT(sorted); j++) {
            Semver a, b;
            CHECK(semver_parse(str_z(sorted[i]), &a) && semver_parse(str_z(sorted[j]), &b));
            int order = semver_cmp(&a, &b);
            CHECK((order > 0) - (order < 0) == (i > j) - (i < j));
        }
    }
}

TEST(semver_ranges_take)
{
    static const char *const rows[][2] = {
        {"", "1.0.0"},          {"*", "1.2.3"},
        {"1.2.3", "1.2.3"},     {"^1.2.3", "1.9.0"},
        {"^0.2.3", "0.2.9"},    {"^0.0.3", "0.0.3"},
        {"^0", "0.9.0"},        {"^0.0", "0.0.9"},
        {"~1.2.3", "1.2.9"},    {"~1", "1.9.9"},
        {"~> 1", "1.2.3"},      {"1.x", "1.2.3"},
        {"1.2.x", "1.2.3"},     {"2", "2.1.2"},
        {">=1.2 <3", "2.9.9"},  {"1.0.0 - 2.0.0", "1.2.3"},
        {"1.0 - 2", "2.9.9"},   {">1", "2.0.0"},
        {"<=1.2", "1.2.9"},     {"<1.2 || >5", "6.0.0"},
        {">= 1.0.0", "1.0.1"},  {"^1.2.3-beta.2", "1.2.3-beta.4"},
        {"=0.7.x", "0.7.2"},    {"v1.2", "1.2.0"},
        {"^ 1.2 ^ 1", "1.4.2"}, {"1.2.3+build", "1.2.3"},
        {"||", "1.3.4"},        {"x", "1.2.3"},
    };
    for (u32 i = 0; i < COUNT(rows); i++) CHECK(takes(rows[i][0], rows[i][1]));
}

TEST(semver_ranges_refuse)
{
    static const char *const rows[][2] = {
        {"^1.2.3", "2.0.0-alpha"},
        {"^1.2.3", "1.2.3-pre"},
        {"^0.2.3", "0.3.0"},
        {"^0.0.3", "0.0.4"},
        {"~1.2.3", "1.3.0"},
        {"~1", "2.0.0"},
        {"1.x", "2.0.0"},
        {">1", "1.9.9"},
        {"<1.2", "1.2.0-pre"},
        {"<=1.2", "1.3.0"},
        {"1.0.0 - 2.0.0", "2.0.1"},
        {"*", "1.2.3-foo"},
        {">x", "1.0.0"},
        {"<*", "1.0.0"},
        {"^1.2.3-beta.2", "1.2.4-beta.2"},
        {"2 || 3", "1.0.0"},
    };
    for (u32 i = 0; i < COUNT(rows); i++) CHECK(!takes(rows[i][0], rows[i][1]));
}

TEST(semver_ranges_that_are_none)
{
    static const char *const rows[] = {"blerg",    "git+https://user:password0123@github.com/foo",
                                       "^1.2.3.4", "1.2.3-",
                                       ">>1",      "latest",
                                       "1.2.3 foo"};
    for (u32 i = 0; i < COUNT(rows); i++) CHECK(!is_range(rows[i]));
}
