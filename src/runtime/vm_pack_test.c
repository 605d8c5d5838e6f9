/* runtime/vm_pack_test.c -- what is written is read again; what is damaged is not. */
#include "runtime/vm_pack.h"
#include "util/test.h"

#include <string.h>

static const u8 build[PACK_BUILD_LEN] = {1, 2, 3};

static void fill(Buf *b)
{
    pack_begin(b, build, S("/app/main.js"));
    pack_add(b, (PackItem){S("/app/a.js"), S("text a"), S("code of a"), PACK_IS_LATIN1});
    pack_add(b, (PackItem){S("/app/s.ts"), S("text"), S("what it was made"), PACK_SOURCE});
    pack_add(b, (PackItem){S("/app/b.js"), S("text b"), S(""), 0});
    pack_end(b, 3);
}

static bool find(Arena *a, Pack *p, const char *url, PackItem *ret)
{
    return pack_find(a, p, str_z(url), PACK_PROGRAM, ret);
}

TEST(pack_keeps_records_in_and_out_of_order)
{
    AUTO(Arena) a = {0};
    AUTO(Buf) b = {0};
    Pack p;
    PackItem item;
    fill(&b);
    REQUIRE(pack_open(&p, buf_str(&b), build, S("/app/main.js")));
    REQUIRE(find(&a, &p, "/app/a.js", &item));
    CHECK_STR(item.text, "text a");
    CHECK_STR(item.code, "code of a");
    CHECK_INT((usize)(item.code.p - b.p) % PACK_ALIGN, 0);
    REQUIRE(pack_find(&a, &p, S("/app/s.ts"), PACK_SOURCE, &item));
    CHECK_STR(item.code, "what it was made");
    CHECK(!p.is_indexed);
    REQUIRE(find(&a, &p, "/app/a.js", &item));
    CHECK(p.is_indexed);
    REQUIRE(find(&a, &p, "/app/b.js", &item));
    CHECK_INT(item.code.n, 0);
    CHECK(!find(&a, &p, "/app/c.js", &item));
    CHECK(!find(&a, &p, "/app/s.ts", &item));
    CHECK(!pack_find(&a, &p, S("/app/a.js"), PACK_SOURCE, &item));
}

TEST(pack_is_of_one_build_and_program)
{
    AUTO(Buf) b = {0};
    Pack p;
    u8 other[PACK_BUILD_LEN] = {1, 2, 4};
    fill(&b);
    CHECK(!pack_open(&p, buf_str(&b), other, S("/app/main.js")));
    CHECK(!pack_open(&p, buf_str(&b), build, S("/app/mine.js")));
    CHECK(!pack_open(&p, buf_str(&b), build, S("/app/main.j")));
    CHECK(!pack_open(&p, S(""), build, S("")));
}

TEST(pack_of_no_records)
{
    AUTO(Arena) a = {0};
    AUTO(Buf) b = {0};
    Pack p;
    PackItem item;
    pack_begin(&b, build, S("x"));
    pack_end(&b, 0);
    REQUIRE(pack_open(&p, buf_str(&b), build, S("x")));
    CHECK(!find(&a, &p, "x", &item));
}

/* Every bit of the file changed, every length cut: what is found is what was written. */
TEST(pack_gives_nothing_that_is_damaged)
{
    static const char *const urls[] = {"/app/a.js", "/app/b.js"};
    static const char *const texts[] = {"text a", "text b"};
    AUTO(Buf) b = {0};
    fill(&b);
    for (usize i = 0; i < b.len * 8 + b.len; i++) {
        AUTO(Arena) a = {0};
        Pack p;
        PackItem item;
        usize len = i < b.len * 8 ? b.len : i - b.len * 8;
        char *copy = arena_alloc(&a, len + 1, PACK_ALIGN);
        memcpy(copy, b.p, len);
        if (len == b.len) copy[i / 8] = (char)(copy[i / 8] ^ 1 << i % 8);
        if (!pack_open(&p, (Str){copy, len}, build, S("/app/main.js"))) continue;
        for (u32 k = 0; k < COUNT(urls); k++)
            if (find(&a, &p, urls[k], &item)) CHECK(str_eq(item.text, str_z(texts[k])));
    }
}
