/* runner/runner_find_test.c */
#include "runner/runner.h"

#include "util/test.h"

TEST(runner_names_of_tests)
{
    static const char *const tests[] = {"a.test.js",    "a_test.ts",  "a.spec.tsx", "a_spec.mts",
                                        "a.b.test.cjs", "x.test.mjs", "y.spec.jsx", "z_test.cts"};
    static const char *const others[] = {
        "a.js",       "test.js",          ".test.js", "a.test.json",
        "a.tests.ts", "a.test.d.tsx.css", "atest.js", ""};
    for (u32 i = 0; i < COUNT(tests); i++) CHECK(runner_is_test_name(str_z(tests[i])));
    for (u32 i = 0; i < COUNT(others); i++) CHECK(!runner_is_test_name(str_z(others[i])));
}
