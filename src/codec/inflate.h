/* codec/inflate.h -- gzip in memory, inflated piece by piece: the output goes through a window that
 * stays in the processor's cache, so a large archive costs no more memory than a small one.
 *
 * RFC 1951 and 1952.  The checksum behind the data is not looked at: this is for texts whose digest
 * was checked before.  Any thread. */
#pragma once

#include "util/base.h"
#include "util/str.h"

enum { INFLATE_WINDOW = 320 * 1024 };

/* The next piece of the output, valid during the call.  false: enough. */
typedef bool InflateSink(void *ctx, Str piece);

/* NULL: all is there, or `sink` had enough; else what is wrong with the data (static).  `window`
 * has INFLATE_WINDOW bytes. */
NODISCARD const char *gunzip_pieces(Str gzip, u8 *window, InflateSink *sink, void *ctx);
