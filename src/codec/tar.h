/* codec/tar.h -- reading tar archives, in memory or as a stream: POSIX ustar and pax, and GNU's
 * long names.
 *
 * What is not a file, directory or link (devices, pipes) is passed over.  Nothing is trusted: sizes
 * are checked against the archive, names are given as they stand (whoever writes files must look at
 * them: tar_name_is_safe). */
#pragma once

#include "util/arena.h"
#include "util/buf.h"
#include "util/str.h"

enum { TAR_NAME_MAX = 4096 };

typedef enum { TAR_FILE, TAR_DIR, TAR_SYMLINK, TAR_HARDLINK } TarKind;

typedef struct TarEntry {
    TarKind kind;
    Str name;   /* valid until the next call */
    Str target; /* of links; likewise */
    Str data;   /* a view into the archive */
    u32 mode;   /* the lower nine bits */
    u64 mtime_s;
} TarEntry;

typedef struct TarReader {
    Str archive;
    usize at;
    Arena *arena;
    const char *error; /* when tar_next returned false: NULL at the end */
} TarReader;

TarReader tar_reader(Arena *a, Str archive);
/* The next entry, or false at the end or for an archive that is broken. */
bool tar_next(TarReader *r, TarEntry *ret);
/* Relative, without "..", empty parts, NUL or backslashes, and not too long. */
bool tar_name_is_safe(Str name);

/* An archive that comes piece by piece.  Of each entry: on_entry (its data is empty), pieces of
 * its data, on_end; false from any of them ends the reading. */
typedef struct TarStreamEvents {
    bool (*on_entry)(void *ctx, const TarEntry *entry, u64 size);
    bool (*on_data)(void *ctx, Str piece);
    bool (*on_end)(void *ctx);
} TarStreamEvents;

typedef struct TarStream {
    const TarStreamEvents *events;
    void *ctx;
    Arena arena; /* of the names of one entry */
    Buf extras[3];
    Buf *filling; /* one of these */
    u8 block[512];
    u32 n_block;
    u64 n_left, n_padding;
    bool has_entry, is_ended;
    const char *error; /* static */
} TarStream;

void TarStream_deinit(TarStream *s);
/* false: the archive is broken (`error` says why) or an event said so. */
NODISCARD bool tar_stream_put(TarStream *s, Str piece);
/* false: something was missing at the end. */
NODISCARD bool tar_stream_finish(TarStream *s);

/* Writing: an entry, and the end of the archive.  Long names get a pax header. */
void tar_put(Buf *out, const TarEntry *entry);
void tar_finish(Buf *out);
