/* codec/sourcemap.c -- mappings: reading, the index for lookups, writing. */
#include "codec/sourcemap.h"

#include "codec/vlq.h"

#include <string.h>

enum {
    MARK_EVERY =
        32, /* segments that a lookup decodes at most; lines begin their own marks only then */
    SEGMENT_CHARS_MAX = 5 * VLQ_MAX + 1,
};

/* ---- Reading ---- */

void sourcemap_reader_init(SourceMapReader *r, const SourceMap *m)
{
    *r = (SourceMapReader){.map = m, .p = m->mappings.p, .end = m->mappings.p + m->mappings.n};
    r->at.source = r->at.name = 0;
}

static bool add(u32 *to, i32 delta)
{
    i64 v = (i64)*to + delta;
    if (v < 0 || v > INT32_MAX) return false;
    *to = (u32)v;
    return true;
}

static bool add_index(i32 *to, i32 delta)
{
    u32 v = (u32)*to;
    if (!add(&v, delta)) return false;
    *to = (i32)v;
    return true;
}

/* The three or four numbers behind the column.  `at` carries on what `ret` does not show. */
static bool read_original(SourceMapReader *r, SourceSegment *ret)
{
    i32 v[4];
    const char *p = r->p;
    for (u32 i = 0; i < 3; i++)
        if (!vlq_read(&p, r->end, &v[i])) return false;
    if (!add_index(&r->at.source, v[0]) || !add(&r->at.src_line, v[1]) ||
        !add(&r->at.src_column, v[2]))
        return false;
    if ((u32)r->at.source >= r->map->n_sources) return false;
    ret->source = r->at.source;
    ret->src_line = r->at.src_line;
    ret->src_column = r->at.src_column;
    if (vlq_read(&p, r->end, &v[3])) {
        if (!add_index(&r->at.name, v[3]) || (u32)r->at.name >= r->map->n_names) return false;
        ret->name = r->at.name;
    }
    r->p = p;
    return true;
}

static bool is_separator(const SourceMapReader *r)
{
    return r->p == r->end || *r->p == ',' || *r->p == ';';
}

bool sourcemap_next(SourceMapReader *r, SourceSegment *ret)
{
    while (r->p < r->end && (*r->p == ',' || *r->p == ';')) {
        if (*r->p++ == ',') continue;
        r->at.line++;
        r->at.column = 0;
    }
    if (r->p == r->end) return false;
    i32 delta;
    const char *from = r->p;
    if (!vlq_read(&r->p, r->end, &delta) || !add(&r->at.column, delta)) goto fail;
    *ret = (SourceSegment){.line = r->at.line, .column = r->at.column, .source = -1, .name = -1};
    if (!is_separator(r) && !read_original(r, ret)) goto fail;
    if (!is_separator(r)) goto fail;
    return true;
fail:
    r->p = from;
    return false;
}

/* ---- Lookup ---- */

static SourceMapMark mark_of(const SourceMapReader *before, u32 at, const SourceSegment *s)
{
    bool same_line = before->at.line == s->line;
    return (SourceMapMark){.line = s->line,
                           .column = s->column,
                           .at = at,
                           .from_column = same_line ? before->at.column : 0,
                           .source = before->at.source,
                           .src_line = (i32)before->at.src_line,
                           .src_column = (i32)before->at.src_column,
                           .name = before->at.name};
}

/* Where the segment that was just read began. */
static u32 segment_start(const SourceMapReader *before, const SourceMapReader *r)
{
    const char *p = before->p;
    while (p < r->end && (*p == ',' || *p == ';')) p++;
    return (u32)(p - r->map->mappings.p);
}

static int compare(const SourceSegment *x, const SourceSegment *y)
{
    if (x->line != y->line) return x->line < y->line ? -1 : 1;
    return x->column < y->column ? -1 : x->column > y->column;
}

typedef Vec(SourceSegment) Segments;

/* A stable merge sort: equal positions keep their order. */
static void sort(SourceSegment *at, SourceSegment *tmp, u32 n)
{
    for (u32 width = 1; width < n; width *= 2) {
        for (u32 lo = 0; lo + width < n; lo += 2 * width) {
            u32 mid = lo + width, hi = MIN(lo + 2 * width, n), i = lo, k = mid, o = lo;
            while (i < mid && k < hi) tmp[o++] = compare(&at[k], &at[i]) < 0 ? at[k++] : at[i++];
            while (i < mid) tmp[o++] = at[i++];
            while (k < hi) tmp[o++] = at[k++];
            memcpy(at + lo, tmp + lo, (hi - lo) * sizeof(*at));
        }
    }
}

/* Columns may go back within a line: then the text is written again in order. */
static bool sort_mappings(Arena *a, SourceMap *m)
{
    AUTO(Scratch) s = scratch_begin(a);
    AUTO(Buf) out = {0};
    Segments all = {0};
    SourceMapReader r;
    SourceSegment seg;
    sourcemap_reader_init(&r, m);
    while (sourcemap_next(&r, &seg)) vec_push(s.arena, &all, seg);
    if (r.p != r.end) return false;
    sort(all.at, ARENA_ARRAY(s.arena, SourceSegment, all.len), all.len);
    SourceMapWriter w = {.out = &out};
    for (u32 i = 0; i < all.len; i++) sourcemap_write(&w, &all.at[i]);
    m->mappings = str_dup(a, buf_str(&out));
    return true;
}

bool sourcemap_index(Arena *a, SourceMap *m)
{
    if (m->mappings.n > INT32_MAX) return false;
    SourceMapReader r, before;
    SourceSegment seg, last = {0};
    m->n_segments = 0;
    m->marks.len = 0;
    sourcemap_reader_init(&r, m);
    for (;;) {
        before = r;
        if (!sourcemap_next(&r, &seg)) break;
        if (m->n_segments && compare(&seg, &last) < 0)
            return sort_mappings(a, m) && sourcemap_index(a, m);
        if (m->n_segments % MARK_EVERY == 0)
            vec_push(a, &m->marks, mark_of(&before, segment_start(&before, &r), &seg));
        m->n_segments++;
        last = seg;
    }
    return r.p == r.end;
}

static bool is_before(const SourceMapMark *m, u32 line, u32 column)
{
    return m->line < line || (m->line == line && m->column < column);
}

bool sourcemap_find(const SourceMap *m, u32 line, u32 column, SourceSegment *ret)
{
    u32 lo = 0, hi = m->marks.len;
    while (lo < hi) {
        u32 mid = lo + (hi - lo) / 2;
        if (is_before(&m->marks.at[mid], line, column))
            lo = mid + 1;
        else
            hi = mid;
    }
    if (!m->marks.len) return false;
    const SourceMapMark *k = &m->marks.at[lo ? lo - 1 : 0];
    SourceMapReader r;
    sourcemap_reader_init(&r, m);
    r.p += k->at;
    r.at = (SourceSegment){.line = k->line,
                           .column = k->from_column,
                           .source = k->source,
                           .src_line = (u32)k->src_line,
                           .src_column = (u32)k->src_column,
                           .name = k->name};
    SourceSegment seg, best;
    bool found = false;
    while (sourcemap_next(&r, &seg)) {
        if (seg.line > line || (seg.line == line && seg.column > column)) break;
        found = seg.line == line;
        best = seg;
        /* Of several segments at the very place the first counts. */
        if (found && seg.column == column) break;
    }
    if (found) *ret = best;
    return found;
}

/* ---- Writing ---- */

void sourcemap_write(SourceMapWriter *w, const SourceSegment *s)
{
    char *p = buf_reserve(w->out, (usize)(s->line - w->last.line) + SEGMENT_CHARS_MAX);
    ASSERT(p);
    char *from = p;
    for (; w->last.line < s->line; w->last.line++) {
        *p++ = ';';
        w->last.column = 0;
        w->in_line = false;
    }
    if (w->in_line) *p++ = ',';
    w->in_line = true;
    p += vlq_write(p, (i32)(s->column - w->last.column));
    w->last.column = s->column;
    if (s->source >= 0) {
        p += vlq_write(p, s->source - w->last.source);
        p += vlq_write(p, (i32)(s->src_line - w->last.src_line));
        p += vlq_write(p, (i32)(s->src_column - w->last.src_column));
        w->last.source = s->source;
        w->last.src_line = s->src_line;
        w->last.src_column = s->src_column;
    }
    if (s->source >= 0 && s->name >= 0) {
        p += vlq_write(p, s->name - w->last.name);
        w->last.name = s->name;
    }
    w->out->len += (usize)(p - from);
    w->out->p[w->out->len] = 0;
}
