/* codec/sourcemap.h -- source maps (ECMA-426, revision 3): reading, looking up, writing.
 *
 * A map that was read keeps the text of its mappings and, for every few segments, the state that a
 * reader has there; a lookup is a binary search over those and a short run of decoding.  That takes
 * about 6 bytes a segment.  Lines and columns count from 0 and columns are UTF-16 units, as in the
 * format. */
#pragma once

#include "util/buf.h"
#include "util/vec.h"

enum {
    SOURCEMAP_SOURCES_MAX = 1 << 20,
    SOURCEMAP_SECTIONS_MAX = 1 << 16,
};

typedef struct {
    u32 line, column; /* generated */
    i32 source;       /* -1: this piece has no original */
    u32 src_line, src_column;
    i32 name; /* -1: none */
} SourceSegment;

/* The state of a reader before the segment at `at`. */
typedef struct {
    u32 line, column; /* generated position of that segment */
    u32 at;           /* offset in the mappings */
    u32 from_column;  /* what its column is relative to */
    i32 source, src_line, src_column, name;
} SourceMapMark;

typedef struct {
    Str mappings;
    Vec(SourceMapMark) marks; /* ascending */
    const Str *sources;       /* with sourceRoot in front */
    const Str *contents;      /* p == NULL: not in the map */
    const Str *names;
    u32 n_sources, n_names, n_segments;
    Str file;
} SourceMap;

/* Reads a map, plain or of sections.  Everything is kept in `a` or borrowed from `json`.  False:
 * *ret_what says what is wrong with it (a constant). */
NODISCARD bool sourcemap_parse(Arena *a, Str json, SourceMap *ret, const char **ret_what);
/* Fills marks from mappings; sources and names bound the indices.  False when the text is
 * malformed. */
NODISCARD bool sourcemap_index(Arena *a, SourceMap *m);
/* The segment that holds for a generated position: the first one that begins there, else the last
 * one of the line before it.  False when there is none. */
bool sourcemap_find(const SourceMap *m, u32 line, u32 column, SourceSegment *ret);

/* Segments one after the other, in the order of the text. */
typedef struct {
    const SourceMap *map;
    const char *p, *end;
    SourceSegment at;
} SourceMapReader;
void sourcemap_reader_init(SourceMapReader *r, const SourceMap *m);
/* False at the end, and on malformed text (then r->p is not r->end). */
bool sourcemap_next(SourceMapReader *r, SourceSegment *ret);

/* Appends mappings to a text; segments come in ascending order. */
typedef struct {
    Buf *out;
    SourceSegment last;
    bool in_line; /* a segment of this line was written */
} SourceMapWriter;
void sourcemap_write(SourceMapWriter *w, const SourceSegment *s);

/* Appends the whole map as JSON.  contents may be NULL. */
void sourcemap_print(const SourceMap *m, Buf *out);

/* The URL of the last `//# sourceMappingURL=` or `//@` comment in `text`, or an empty Str. */
Str sourcemap_url(Str text);
/* The bytes of a data: URL (base64 or percent-encoded).  False when it is none. */
NODISCARD bool sourcemap_data_url(Arena *a, Str url, Str *ret);
/* Appends `data:application/json;base64,...`. */
void sourcemap_write_data_url(Str json, Buf *out);
