/* codec/tar.h -- reading tar archives in memory: POSIX ustar and pax, and GNU's long names.
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

/* Writing: an entry, and the end of the archive.  Long names get a pax header. */
void tar_put(Buf *out, const TarEntry *entry);
void tar_finish(Buf *out);
