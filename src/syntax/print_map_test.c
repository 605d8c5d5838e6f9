/* syntax/sourcemap_test.c -- maps of small programs. */
#include "syntax/print_map.h"
#include "util/test.h"

static const PrintMark marks[] = {{0, 0}, {4, 8}, {10, 4}};

static void build(Arena *a, u32 lines_before, SourceMap *m)
{
    PrintResult r = {0};
    Source *source = ARENA_NEW(a, Source);
    *source = (Source){S("/x/a.ts"), S("let\n  x\n\"y\"")};
    SourceMapOptions o = {.name = S("a.ts"), .content = true, .lines_before = lines_before};
    for (usize i = 0; i < COUNT(marks); i++) vec_push(a, &r.marks, marks[i]);
    sourcemap_build(a, source, S("let y;\nab x"), &r, &o, m);
}

TEST(sourcemap_of_marks)
{
    AUTO(Arena) a = {0};
    SourceMap m;
    build(&a, 0, &m);
    CHECK_STR(m.mappings, "AAAA,IAEA;GADA");
    CHECK_STR(m.sources[0], "a.ts");
    CHECK_STR(m.contents[0], "let\n  x\n\"y\"");
    build(&a, 1, &m);
    CHECK_STR(m.mappings, ";AAAA,IAEA;GADA");
}

static void check_place(LineTable *t, u32 pos, u32 line, u32 column)
{
    u32 l, c;
    line_table_find(t, pos, &l, &c);
    CHECK_INT(l, line);
    CHECK_INT(c, column);
}

TEST(line_table_counts_utf16)
{
    AUTO(Arena) a = {0};
    LineTable t;
    line_table_init(&a, S("a\xc3\xa9 b\r\n\xf0\x9f\x98\x80x\xe2\x80\xa8y\rz"), &t);
    CHECK_INT(t.n_lines, 4);
    check_place(&t, 0, 0, 0);
    check_place(&t, 3, 0, 2);
    check_place(&t, 4, 0, 3);
    check_place(&t, 7, 1, 0);
    check_place(&t, 11, 1, 2);
    check_place(&t, 15, 2, 0);
    check_place(&t, 17, 3, 0);
    check_place(&t, 3, 0, 2);
}

TEST(line_table_of_long_text)
{
    AUTO(Arena) a = {0};
    AUTO(Buf) b = {0};
    LineTable t;
    for (u32 i = 0; i < 500; i++)
        buf_push(&b, S("\xe4\xbd\xa0 some text that is longer than a word\n"));
    line_table_init(&a, buf_str(&b), &t);
    for (u32 i = 0; i < 500; i++) check_place(&t, i * 41 + 10, i, 8);
    for (u32 i = 500; i-- > 0;) check_place(&t, i * 41 + 40, i, 38);
}

/* A map behind a map. */
TEST(sourcemap_follows_the_input_map)
{
    AUTO(Arena) a = {0};
    SourceMap input, m;
    const char *what;
    REQUIRE(sourcemap_parse(&a,
                            S("{\"version\":3,\"sources\":[\"o.x\"],\"names\":[\"old\"],"
                              "\"mappings\":\"AAUA;;EAAAA\"}"),
                            &input, &what));
    PrintResult r = {0};
    Source source = {S("/x/a.js"), S("let\n  x\n  y")};
    SourceMapOptions o = {.name = S("a.js"), .input = &input};
    vec_push(&a, &r.marks, (PrintMark){0, 0});
    vec_push(&a, &r.marks, (PrintMark){3, 6});  /* not in the input */
    vec_push(&a, &r.marks, (PrintMark){5, 10}); /* y */
    sourcemap_build(&a, &source, S("let y"), &r, &o, &m);
    CHECK_STR(m.mappings, "AAUA,KAAAA");
    CHECK_STR(m.sources[0], "o.x");
    CHECK_STR(m.names[0], "old");
}
