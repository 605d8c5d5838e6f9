/* install/pkg_scan_test.c -- members are cut where they end, wherever that is in a block. */
#include "install/pkg_scan.h"

#include "util/buf.h"
#include "util/test.h"

TEST(pkg_scan_cuts_members)
{
    static const char *const values[] = {
        "{}", "[]",    "\"a\"",          "1",       "null",         "{\"a\":{\"b\":[1,{}]}}",
        "[]", "\"}\"", "{\"a\":\"}]\"}", "[\"]\"]", "\"\\\\\"",     "{\"k\":\"\\\"}\"}",
        "{}", "[[]]",  "\"\\\"\"",       "-1e5",    "[\"\\\\\",1]", "{\"{\":\"\\\\\\\"{\"}"};
    for (usize pad = 0; pad < 130; pad++) {
        AUTO(Buf) text = {0};
        buf_push(&text, S(" {\"pad\":\""));
        buf_push_fill(&text, 'x', pad);
        buf_push(&text, S("\""));
        for (u32 i = 0; i < COUNT(values); i++) buf_fmt(&text, ", \"k%u\": %s", i, values[i]);
        buf_push(&text, S("} "));
        Str rest = buf_str(&text), key, value;
        REQUIRE(pkg_scan_open(&rest));
        CHECK(pkg_scan_key(&rest, &key) && pkg_scan_value(&rest, &value));
        for (u32 i = 0; i < COUNT(values); i++) {
            CHECK(pkg_scan_key(&rest, &key) && pkg_scan_value(&rest, &value));
            CHECK(key.p[0] == 'k');
            CHECK(str_eq(value, str_z(values[i])));
        }
        CHECK(!pkg_scan_key(&rest, &key));
        CHECK(pkg_scan_close(&rest));
    }
}

TEST(pkg_scan_ends_with_the_text)
{
    static const char *const texts[] = {"",           "{",       "{\"",      "{\"a",
                                        "{\"a\"",     "{\"a\":", "{\"a\":{", "{\"a\":\"",
                                        "{\"a\":[{]", "[]",      "x",        "{\"a\":\"\\"};
    for (u32 i = 0; i < COUNT(texts); i++) {
        Str rest = str_z(texts[i]), key, value;
        if (!pkg_scan_open(&rest)) continue;
        while (pkg_scan_key(&rest, &key) && pkg_scan_value(&rest, &value)) {
        }
        CHECK(!pkg_scan_close(&rest));
    }
}
