/* codec/sourcemap_test.c -- maps, plain and of sections, lookups, what is refused. */
#include "codec/sourcemap.h"

#include "util/test.h"

static bool parse(Arena *a, const char *json, SourceMap *m)
{
    const char *what = NULL;
    bool ok = sourcemap_parse(a, str_z(json), m, &what);
    CHECK(ok == !what);
    return ok;
}

static void check_at(const SourceMap *m, u32 line, u32 column, u32 src_line, u32 src_column)
{
    SourceSegment s;
    REQUIRE(sourcemap_find(m, line, column, &s));
    CHECK_INT(s.src_line, src_line);
    CHECK_INT(s.src_column, src_column);
}

TEST(sourcemap_finds_the_segment_that_holds)
{
    AUTO(Arena) a = {0};
    SourceMap m;
    SourceSegment s;
    REQUIRE(parse(&a,
                  "{\"version\":3,\"sources\":[\"a.ts\"],\"sourcesContent\":[\"x\"],"
                  "\"names\":[\"foo\"],\"mappings\":\"AAAA,IAAIA;;EACF\"}",
                  &m));
    CHECK_INT(m.n_segments, 3);
    check_at(&m, 0, 0, 0, 0);
    check_at(&m, 0, 3, 0, 0);
    check_at(&m, 0, 4, 0, 4);
    check_at(&m, 0, 900, 0, 4);
    CHECK(!sourcemap_find(&m, 1, 0, &s));
    CHECK(!sourcemap_find(&m, 2, 1, &s));
    check_at(&m, 2, 2, 1, 2);
    CHECK(!sourcemap_find(&m, 3, 0, &s));
    REQUIRE(sourcemap_find(&m, 0, 5, &s));
    CHECK_INT(s.name, 0);
    CHECK_STR(m.names[0], "foo");
    CHECK_STR(m.contents[0], "x");
}

TEST(sourcemap_many_segments)
{
    AUTO(Arena) a = {0};
    AUTO(Buf) out = {0};
    SourceMapWriter w = {.out = &out};
    for (u32 i = 0; i < 5000; i++) {
        SourceSegment s = {
            .line = i / 7 * 2, .column = i % 7 * 10, .src_line = i, .src_column = i % 13};
        s.name = i % 3 ? -1 : (i32)(i % 11);
        sourcemap_write(&w, &s);
    }
    Str sources[1] = {S("a")}, names[11] = {S("n")};
    SourceMap m = {.mappings = buf_str(&out), .sources = sources, .names = names};
    m.n_sources = 1;
    m.n_names = 11;
    REQUIRE(sourcemap_index(&a, &m));
    CHECK_INT(m.n_segments, 5000);
    for (u32 i = 0; i < 5000; i++) {
        SourceSegment s;
        REQUIRE(sourcemap_find(&m, i / 7 * 2, i % 7 * 10 + i % 10, &s));
        REQUIRE(s.src_line == i && s.src_column == i % 13);
        REQUIRE(s.name == (i % 3 ? -1 : (i32)(i % 11)));
        REQUIRE(!sourcemap_find(&m, i / 7 * 2 + 1, 0, &s));
    }
}

TEST(sourcemap_sorts_columns_that_go_back)
{
    AUTO(Arena) a = {0};
    SourceMap m;
    REQUIRE(parse(&a, "{\"version\":3,\"sources\":[\"a\"],\"mappings\":\"UAAU,LAAL,EAAE\"}", &m));
    check_at(&m, 0, 10, 0, 10);
    check_at(&m, 0, 5, 0, 5);
    check_at(&m, 0, 7, 0, 7);
}

TEST(sourcemap_sections)
{
    AUTO(Arena) a = {0};
    SourceMap m;
    REQUIRE(
        parse(&a,
              "{\"version\":3,\"sections\":[{\"offset\":{\"line\":0,\"column\":0},\"map\":"
              "{\"version\":3,\"sources\":[\"a\"],\"mappings\":\"AAAA\"}},"
              "{\"offset\":{\"line\":0,\"column\":7},\"map\":{\"version\":3,\"sources\":[\"b\"],"
              "\"mappings\":\"AAEA;AACA\"}}]}",
              &m));
    SourceSegment s;
    REQUIRE(sourcemap_find(&m, 0, 6, &s));
    CHECK_INT(s.source, 0);
    REQUIRE(sourcemap_find(&m, 0, 7, &s));
    CHECK_INT(s.source, 1);
    CHECK_INT(s.src_line, 2);
    REQUIRE(sourcemap_find(&m, 1, 0, &s));
    CHECK_INT(s.src_line, 3);
    CHECK_STR(m.sources[1], "b");
}

TEST(sourcemap_refuses_malformed_maps)
{
    static const char *const bad[] = {
        "",
        "[]",
        "{}",
        "{\"version\":2,\"mappings\":\"\"}",
        "{\"version\":3}",
        "{\"version\":3,\"mappings\":\"AAAA\"}",
        "{\"version\":3,\"sources\":[\"a\"],\"mappings\":\"AA\"}",
        "{\"version\":3,\"sources\":[\"a\"],\"mappings\":\"AAAAA\"}",
        "{\"version\":3,\"sources\":[\"a\"],\"mappings\":\"AADA\"}",
        "{\"version\":3,\"sources\":[\"a\"],\"mappings\":\"D\"}",
        "{\"version\":3,\"sources\":[\"a\"],\"mappings\":\"!\"}",
        "{\"version\":3,\"sections\":[{}]}",
        "{\"version\":3,\"sections\":[{\"offset\":{\"line\":2},\"map\":{\"mappings\":\"\"}},"
        "{\"offset\":{\"line\":1},\"map\":{\"mappings\":\"\"}}]}",
    };
    for (u32 i = 0; i < COUNT(bad); i++) {
        AUTO(Arena) a = {0};
        SourceMap m;
        CHECK(!parse(&a, bad[i], &m));
    }
}

TEST(sourcemap_source_root_and_prefix)
{
    AUTO(Arena) a = {0};
    SourceMap m;
    REQUIRE(parse(&a,
                  ")]}'\n{\"version\":3,\"sourceRoot\":\"src\",\"sources\":[\"a\",null],"
                  "\"mappings\":\"\"}",
                  &m));
    CHECK_STR(m.sources[0], "src/a");
    CHECK(!m.sources[1].p);
}

TEST(sourcemap_print_and_parse_again)
{
    AUTO(Arena) a = {0};
    AUTO(Buf) out = {0};
    Str sources[] = {S("a\"b"), S("c")}, contents[] = {S("line\n"), {0}}, names[] = {S("x")};
    SourceMap m = {
        .mappings = S("AAAA;CCAAA"), .sources = sources, .contents = contents, .names = names};
    m.n_sources = 2;
    m.n_names = 1;
    sourcemap_print(&m, &out);
    SourceMap back;
    REQUIRE(parse(&a, out.p, &back));
    CHECK_STR(back.sources[0], "a\"b");
    CHECK_STR(back.contents[0], "line\n");
    CHECK(!back.contents[1].p);
    CHECK_STR(back.mappings, "AAAA;CCAAA");
}

TEST(sourcemap_url_is_the_last_comment)
{
    CHECK_STR(sourcemap_url(S("x\n//# sourceMappingURL=a.map\n")), "a.map");
    CHECK_STR(sourcemap_url(S("//@ sourceMappingURL=a.map\n//# sourceMappingURL=b.map")), "b.map");
    CHECK_STR(sourcemap_url(S("/*# sourceMappingURL=a.map*/")), "a.map");
    CHECK_STR(sourcemap_url(S("x = ' sourceMappingURL=a'")), "");
    CHECK_STR(sourcemap_url(S("")), "");
}

TEST(sourcemap_data_urls)
{
    AUTO(Arena) a = {0};
    AUTO(Buf) out = {0};
    Str back;
    sourcemap_write_data_url(S("{\"a\":1}"), &out);
    REQUIRE(sourcemap_data_url(&a, buf_str(&out), &back));
    CHECK_STR(back, "{\"a\":1}");
    REQUIRE(sourcemap_data_url(&a, S("data:application/json,%7B%7d%2"), &back));
    CHECK_STR(back, "{}%2");
    CHECK(!sourcemap_data_url(&a, S("data:;base64,!"), &back));
    CHECK(!sourcemap_data_url(&a, S("http://x"), &back));
}
