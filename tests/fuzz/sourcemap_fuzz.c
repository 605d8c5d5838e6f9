/* Source maps on any bytes: as a whole map, and as mappings alone.  Every segment that can be read
 * must be found again by a lookup, and what is written from them must read the same. */
#include "codec/sourcemap.h"

int LLVMFuzzerTestOneInput(const u8 *data, usize size);

static bool is_same(const SourceSegment *x, const SourceSegment *y)
{
    return x->line == y->line && x->column == y->column && x->source == y->source &&
           x->name == y->name &&
           (x->source < 0 || (x->src_line == y->src_line && x->src_column == y->src_column));
}

static void check(Arena *a, const SourceMap *m)
{
    AUTO(Buf) out = {0};
    SourceMapReader r, again;
    SourceMapWriter w = {.out = &out};
    SourceSegment s, found;
    u32 n = 0;
    for (sourcemap_reader_init(&r, m); sourcemap_next(&r, &s); n++) {
        ASSERT(sourcemap_find(m, s.line, s.column, &found));
        ASSERT(found.line == s.line && found.column == s.column);
        ASSERT(s.source < (i32)m->n_sources);
        ASSERT(s.name < (i32)m->n_names);
        sourcemap_write(&w, &s);
    }
    ASSERT(n == m->n_segments);
    SourceMap copy = *m;
    copy.mappings = buf_str(&out);
    copy.marks.len = copy.marks.cap = 0;
    ASSERT(sourcemap_index(a, &copy));
    sourcemap_reader_init(&r, m);
    sourcemap_reader_init(&again, &copy);
    while (sourcemap_next(&r, &s)) {
        ASSERT(sourcemap_next(&again, &found));
        ASSERT(is_same(&s, &found));
    }
}

int LLVMFuzzerTestOneInput(const u8 *data, usize size)
{
    AUTO(Arena) a = {0};
    Str text = {(const char *)data, size};
    SourceMap m;
    const char *what;
    if (sourcemap_parse(&a, text, &m, &what)) check(&a, &m);
    Str sources[3] = {{0}}, names[3] = {{0}};
    m = (SourceMap){
        .mappings = text, .sources = sources, .names = names, .n_sources = 3, .n_names = 3};
    if (sourcemap_index(&a, &m)) check(&a, &m);
    Str url = sourcemap_url(text), json;
    if (url.n) (void)!sourcemap_data_url(&a, url, &json);
    return 0;
}
