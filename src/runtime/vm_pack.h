/* runtime/vm_pack.h -- the file that holds a program's compiled texts; format and checks only.
 *
 *   header   PACK_HEADER bytes: magic, build, lengths, checksum of what follows up to the records
 *   name     of the program: the path of its first file
 *   records  url, text, code of each, in the order of their first use, with a checksum; of two
 *            kinds: programs with their compiled code, sources with what the fast path made of them
 *
 * Everything is aligned to 16 bytes.  The file may be damaged in any way; nothing of a record is
 * handed out before its checksum is right.  Numbers are the machine's: the build says which. */
#pragma once

#include "util/arena.h"
#include "util/buf.h"
#include "util/map.h"

enum { PACK_ALIGN = 16, PACK_BUILD_LEN = 32, PACK_HEADER = 80 };
#define PACK_SIZE_MAX ((usize)64 << 20)

typedef struct {
    u64 sum; /* of all behind it */
    u32 url_len, text_len /* in bytes */, code_len;
    u32 flags;
    u64 unused;
} PackRecord;
typedef enum { PACK_PROGRAM, PACK_SOURCE, PACK_KINDS } PackKind;
enum { PACK_KIND_MASK = 3, PACK_IS_LATIN1 = 4, PACK_FLAGS = 7 }; /* flags: the kind is in them */

typedef struct {
    Str bytes;
    usize next; /* where the search goes on: texts come in the order of the last run */
    u32 n_records;
    StrMap by_url[PACK_KINDS]; /* offsets; filled when the order is not that of the last run */
    bool is_indexed;
} Pack;

/* What a record says. */
typedef struct {
    Str url, text, code;
    u32 flags;
} PackItem;

/* Keeps `bytes`.  false: the file is of another build or program, or its header is damaged. */
NODISCARD bool pack_open(Pack *p, Str bytes, const u8 build[PACK_BUILD_LEN], Str name);
/* The record of a url, verified.  `flags` as it was written; *ret may be of another text. */
NODISCARD bool pack_find(Arena *a, Pack *p, Str url, PackKind kind, PackItem *ret);
/* Building one. */
void pack_begin(Buf *b, const u8 build[PACK_BUILD_LEN], Str name);
void pack_add(Buf *b, PackItem item);
/* Fills in the header. */
void pack_end(Buf *b, u32 n_records);
