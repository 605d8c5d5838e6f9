/* syntax/print_map.c -- see print_map.h.
 *
 * Offsets ascend in the output and mostly do in the source, so the line of the last answer is tried
 * first, then its neighbour, and only then is there a search. */
#include "syntax/print_map.h"

#include "syntax/lex.h"
#include "util/map.h"

#include <string.h>

enum { CHUNK = 64 };

/* ---- Lines ---- */

/* Bytes that can end a line or are no ASCII. */
static bool is_plain8(const char *p)
{
    u64 v, low = 0x0101010101010101ULL, high = 0x8080808080808080ULL;
    memcpy(&v, p, 8);
    u64 lf = v ^ (low * '\n'), cr = v ^ (low * '\r');
    return !((v | ((lf - low) & ~lf) | ((cr - low) & ~cr)) & high);
}

/* The length of the line terminator at `p`, or 0. */
static u32 newline_at(const char *p, const char *end)
{
    if (*p == '\n') return 1;
    if (*p == '\r') return p + 1 < end && p[1] == '\n' ? 2 : 1;
    bool separator = (u8)*p == 0xe2 && p + 2 < end && (u8)p[1] == 0x80 && ((u8)p[2] | 1) == 0xa9;
    return separator ? 3 : 0;
}

/* Bytes of a UTF-8 sequence beyond one for each UTF-16 unit, counted at its continuation bytes. */
static u32 surplus(const char *p, const char *end)
{
    u32 n = 0;
    for (; p < end; p++) {
        if (((u8)*p & 0xc0) == 0x80) n++;
        if ((u8)*p >= 0xf0) n--; /* four bytes are two units */
    }
    return n;
}

static void count_extra(Arena *a, LineTable *t)
{
    u32 n = (u32)(t->text.n / CHUNK) + 1, sum = 0;
    t->extra = ARENA_ARRAY(a, u32, n);
    const char *p = t->text.p, *end = p + t->text.n;
    for (u32 i = 0; i < n; i++) {
        t->extra[i] = sum;
        const char *to = (usize)(end - p) > CHUNK ? p + CHUNK : end;
        sum += surplus(p, to);
        p = to;
    }
}

void line_table_init(Arena *a, Str text, LineTable *ret)
{
    Vec(u32) lines = {0};
    const char *p = text.p, *end = p + text.n;
    bool ascii = true;
    vec_reserve(a, &lines, (u32)(text.n / 32) + 16);
    vec_push(a, &lines, 0);
    while (p < end) {
        if (end - p >= 8 && is_plain8(p)) {
            p += 8;
            continue;
        }
        u32 n = newline_at(p, end);
        ascii &= (u8)*p < 0x80;
        p += n ? n : 1;
        if (n) vec_push(a, &lines, (u32)(p - text.p));
    }
    *ret = (LineTable){.text = text, .lines = lines.at, .n_lines = lines.len};
    if (!ascii) count_extra(a, ret);
}

static bool in_line(const LineTable *t, u32 line, u32 pos)
{
    return t->lines[line] <= pos && (line + 1 == t->n_lines || pos < t->lines[line + 1]);
}

static u32 line_of(const LineTable *t, u32 pos)
{
    if (in_line(t, t->at, pos)) return t->at;
    if (t->at + 1 < t->n_lines && in_line(t, t->at + 1, pos)) return t->at + 1;
    u32 lo = 0, hi = t->n_lines;
    while (hi - lo > 1) {
        u32 mid = lo + (hi - lo) / 2;
        if (t->lines[mid] <= pos)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

static u32 extra_before(const LineTable *t, u32 pos)
{
    u32 chunk = pos / CHUNK;
    return t->extra[chunk] + surplus(t->text.p + chunk * CHUNK, t->text.p + pos);
}

void line_table_find(LineTable *t, u32 pos, u32 *ret_line, u32 *ret_column)
{
    DASSERT(pos <= t->text.n);
    u32 line = line_of(t, pos), start = t->lines[line];
    t->at = line;
    *ret_line = line;
    *ret_column = pos - start;
    if (t->extra) *ret_column -= extra_before(t, pos) - extra_before(t, start);
}

/* ---- The map ---- */

typedef struct {
    Arena *arena;
    const SourceMapOptions *opt;
    SourceMap *map;
    SourceMapWriter writer;
    LineTable src, out;
    StrMap names;
    Vec(Str) name_list;
    u32 n_written;
} Builder;

static Str word_at(Str text, u32 pos)
{
    const char *p = text.p + pos, *end = text.p + text.n, *q = p;
    if (q < end && *q == '#') q++;
    while (q < end && (IS_CLASS(*q, CC_ID_PART) || (u8)*q >= 0x80)) q++;
    return (Str){p, (usize)(q - p)};
}

static i32 name_index(Builder *b, Str name)
{
    bool is_new;
    u64 *slot = str_map_put(b->arena, &b->names, name, &is_new);
    if (is_new) {
        *slot = b->name_list.len;
        vec_push(b->arena, &b->name_list, name);
    }
    return (i32)*slot;
}

static bool is_name(const Builder *b, Str word)
{
    if (!word.n || IS_CLASS(word.p[0], CC_DIGIT)) return false;
    Atom atom = intern_find(b->opt->atoms, word);
    return !atom || atom > ATOM_WORD_LAST || ATOM_WORD(atom) >= TOK_CONTEXT_FIRST;
}

/* What stands at both places are names, and they differ. */
static i32 name_of(Builder *b, const PrintMark *m)
{
    Str was = word_at(b->src.text, m->src), is = word_at(b->out.text, m->out);
    if (str_eq(was, is) || !is_name(b, was) || !is_name(b, is)) return -1;
    return name_index(b, was);
}

static void add_mark(Builder *b, const PrintMark *m)
{
    SourceSegment s = {.name = -1}, at;
    if (m->src > b->src.text.n) return;
    line_table_find(&b->out, m->out, &s.line, &s.column);
    line_table_find(&b->src, m->src, &s.src_line, &s.src_column);
    s.line += b->opt->lines_before;
    if (b->opt->atoms) s.name = name_of(b, m);
    if (b->opt->input) {
        if (!sourcemap_find(b->opt->input, s.src_line, s.src_column, &at) || at.source < 0) return;
        if (at.name >= 0) s.name = name_index(b, b->opt->input->names[at.name]);
        s.source = at.source;
        s.src_line = at.src_line;
        s.src_column = at.src_column;
    }
    /* The segment before says the same. */
    const SourceSegment *last = &b->writer.last;
    bool same = b->n_written && last->line == s.line && last->source == s.source &&
                last->src_line == s.src_line && last->src_column == s.src_column && s.name < 0;
    if (same) return;
    sourcemap_write(&b->writer, &s);
    b->n_written++;
}

static void set_sources(Builder *b, const Source *source)
{
    SourceMap *m = b->map;
    const SourceMap *input = b->opt->input;
    m->n_sources = 1;
    if (input) {
        m->sources = input->sources;
        m->contents = b->opt->content ? input->contents : NULL;
        m->n_sources = input->n_sources;
        return;
    }
    Str *name = ARENA_NEW(b->arena, Str), *content = ARENA_NEW(b->arena, Str);
    *name = b->opt->name;
    *content = source->text;
    m->sources = name;
    m->contents = b->opt->content ? content : NULL;
}

void sourcemap_build(Arena *a, const Source *source, Str out, const PrintResult *marks,
                     const SourceMapOptions *opt, SourceMap *ret)
{
    AUTO(Scratch) s = scratch_begin(a);
    AUTO(Buf) text = {0};
    *ret = (SourceMap){0};
    Builder b = {.arena = a, .opt = opt, .map = ret, .writer = {.out = &text}};
    line_table_init(s.arena, source->text, &b.src);
    line_table_init(s.arena, out, &b.out);
    (void)buf_reserve(&text, marks->marks.len * 5 + 16);
    for (u32 i = 0; i < marks->marks.len; i++) add_mark(&b, &marks->marks.at[i]);
    ret->mappings = str_dup(a, buf_str(&text));
    set_sources(&b, source);
    ret->names = b.name_list.at;
    ret->n_names = b.name_list.len;
}
