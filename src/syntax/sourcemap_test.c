/* syntax/sourcemap_test.c -- maps of small programs. */
#include "syntax/sourcemap.h"
#include "util/test.h"

static const PrintMark marks[] = {{0, 0}, {4, 8}, {10, 4}};

static SourceMapInput input(const PrintResult *r)
{
    return (SourceMapInput){.source_name = S("a.ts"),
                            .source = S("let\n  x\n\"y\""),
                            .out = S("let y;\nab x"),
                            .marks = r};
}

TEST(sourcemap_writes_mappings)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    AUTO(Buf) b = {0};
    PrintResult r = {0};
    for (usize i = 0; i < COUNT(marks); i++) vec_push(s.arena, &r.marks, marks[i]);
    SourceMapInput in = input(&r);
    sourcemap_write(&b, &in);
    CHECK_STR(
        buf_str(&b),
        "{\"version\":3,\"sources\":[\"a.ts\"],\"names\":[],\"mappings\":\"AAAA,IAEA;GADA\"}");
    buf_clear(&b);
    in.lines_before = 1;
    in.with_content = true;
    sourcemap_write(&b, &in);
    CHECK_STR(
        buf_str(&b),
        "{\"version\":3,\"sources\":[\"a.ts\"],\"sourcesContent\":[\"let\\n  x\\n\\\"y\\\"\"],"
        "\"names\":[],\"mappings\":\";AAAA,IAEA;GADA\"}");
}

TEST(sourcemap_finds_places)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    PrintResult r = {0};
    for (usize i = 0; i < COUNT(marks); i++) vec_push(s.arena, &r.marks, marks[i]);
    SourceMapInput in = input(&r);
    LinePos p;
    CHECK(sourcemap_find(&in, 1, 6, &p));
    CHECK_INT(p.line, 3);
    CHECK_INT(p.column, 1);
    CHECK(sourcemap_find(&in, 2, 4, &p));
    CHECK_INT(p.line, 2);
    CHECK(!sourcemap_find(&in, 2, 1, &p));
    CHECK(!sourcemap_find(&in, 9, 1, &p));
}
