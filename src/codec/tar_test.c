/* codec/tar_test.c -- archives that we write, that others write, and broken ones. */
#include "codec/tar.h"

#include <string.h>

#include "util/test.h"

static Arena arena;

static void put(Buf *out, TarKind kind, Str name, Str data)
{
    TarEntry e = {.kind = kind, .name = name, .data = data, .mode = 0755, .mtime_s = 1234567};
    if (kind == TAR_SYMLINK) e.target = S("else/where");
    tar_put(out, &e);
}

TEST(tar_reads_what_it_writes)
{
    AUTO(Buf) out = {0};
    char name[300];
    memset(name, 'n', sizeof name);
    Str long_name = {name, sizeof name};
    put(&out, TAR_FILE, S("package/a.js"), S("hello"));
    put(&out, TAR_DIR, S("package/lib/"), S(""));
    put(&out, TAR_SYMLINK, S("link"), S(""));
    put(&out, TAR_FILE, long_name, S(""));
    tar_finish(&out);
    TarReader r = tar_reader(&arena, buf_str(&out));
    TarEntry e;
    CHECK(tar_next(&r, &e));
    CHECK_STR(e.name, "package/a.js");
    CHECK_STR(e.data, "hello");
    CHECK(e.kind == TAR_FILE && e.mode == 0755 && e.mtime_s == 1234567);
    CHECK(tar_next(&r, &e));
    CHECK(e.kind == TAR_DIR);
    CHECK(tar_next(&r, &e));
    CHECK(e.kind == TAR_SYMLINK);
    CHECK_STR(e.target, "else/where");
    CHECK(tar_next(&r, &e));
    CHECK(str_eq(e.name, long_name));
    CHECK(!tar_next(&r, &e));
    CHECK(r.error == NULL);
}

TEST(tar_finds_damage)
{
    AUTO(Buf) out = {0};
    put(&out, TAR_FILE, S("a"), S("hello"));
    TarEntry e;
    TarReader cut = tar_reader(&arena, (Str){out.p, 514});
    CHECK(!tar_next(&cut, &e));
    CHECK(cut.error != NULL);
    TarReader half = tar_reader(&arena, (Str){out.p, 300});
    CHECK(!tar_next(&half, &e));
    CHECK(half.error != NULL);
    out.p[0] = 'b';
    TarReader sum = tar_reader(&arena, buf_str(&out));
    CHECK(!tar_next(&sum, &e));
    CHECK(sum.error != NULL);
    TarReader empty = tar_reader(&arena, S(""));
    CHECK(!tar_next(&empty, &e));
    CHECK(empty.error == NULL);
}

TEST(tar_names)
{
    static const char *const safe[] = {"a", "a/b", "a/", "...", "a/..b", "a b"};
    static const char *const unsafe[] = {"", "/a", "..", "a/..", "../a", "a//b", "a/../b", "a\\b"};
    for (u32 i = 0; i < COUNT(safe); i++) CHECK(tar_name_is_safe(str_z(safe[i])));
    for (u32 i = 0; i < COUNT(unsafe); i++) CHECK(!tar_name_is_safe(str_z(unsafe[i])));
    CHECK(!tar_name_is_safe((Str){"a\0b", 3}));
}
