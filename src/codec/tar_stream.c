/* codec/tar_stream.c -- tar archives that come piece by piece. */
#include "codec/tar_priv.h"

#include <string.h>

enum { EXTRA_MAX = 1 << 20, PAX = 0, NAME = 1, TARGET = 2 };

void TarStream_deinit(TarStream *s)
{
    arena_deinit(&s->arena);
    for (u32 i = 0; i < COUNT(s->extras); i++) Buf_deinit(&s->extras[i]);
}

static bool fail(TarStream *s, const char *what)
{
    s->error = what;
    return false;
}

/* Headers for the entry behind them are kept until that comes. */
static bool start_extra(TarStream *s, u64 size)
{
    char type = (char)s->block[TYPE_AT];
    s->filling = type == 'x' ? &s->extras[PAX] : type == 'L' ? &s->extras[NAME] : NULL;
    if (type == 'K') s->filling = &s->extras[TARGET];
    if (s->filling) buf_clear(s->filling);
    return size <= EXTRA_MAX || fail(s, "an extended header is too large");
}

static const char *take_extras(TarStream *s, TarExtra *extra)
{
    static const char types[] = {[PAX] = 'x', [NAME] = 'L', [TARGET] = 'K'};
    const char *error = NULL;
    for (u32 i = 0; i < COUNT(types) && !error; i++) {
        u8 block[TAR_BLOCK] = {[TYPE_AT] = (u8)types[i]};
        if (s->extras[i].len) error = tar_extra_take(block, buf_str(&s->extras[i]), extra);
    }
    return error;
}

static bool take_head(TarStream *s)
{
    TarExtra extra = {0};
    TarHead head;
    s->n_block = 0;
    if (tar_block_is_zero(s->block)) {
        s->is_ended = true;
        return true;
    }
    arena_clear(&s->arena);
    const char *error = take_extras(s, &extra);
    if (!error) error = tar_head_read(&s->arena, s->block, &extra, &head);
    if (error) return fail(s, error);
    s->n_left = head.size;
    s->n_padding = (TAR_BLOCK - head.size % TAR_BLOCK) % TAR_BLOCK;
    if (head.is_extra) return start_extra(s, head.size);
    s->has_entry = head.is_known;
    bool ok = !s->has_entry || s->events->on_entry(s->ctx, &head.entry, head.size);
    for (u32 i = 0; i < COUNT(s->extras); i++) buf_clear(&s->extras[i]);
    return ok;
}

static bool take_data(TarStream *s, Str *rest)
{
    usize n = (usize)MIN((u64)rest->n, s->n_left);
    Str piece = str_slice(*rest, 0, n);
    *rest = str_skip(*rest, n);
    s->n_left -= n;
    if (s->has_entry) return s->events->on_data(s->ctx, piece);
    if (s->filling) (void)buf_push(s->filling, piece);
    return true;
}

static bool end_data(TarStream *s)
{
    bool ok = !s->has_entry || s->events->on_end(s->ctx);
    s->has_entry = false;
    s->filling = NULL;
    return ok;
}

bool tar_stream_put(TarStream *s, Str piece)
{
    while (piece.n && !s->is_ended) {
        if (s->n_left) {
            if (!take_data(s, &piece)) return false;
            if (!s->n_left && !end_data(s)) return false;
            continue;
        }
        usize n = (usize)MIN((u64)piece.n, s->n_padding);
        s->n_padding -= n;
        piece = str_skip(piece, n);
        n = MIN(piece.n, (usize)(TAR_BLOCK - s->n_block));
        if (n) memcpy(s->block + s->n_block, piece.p, n);
        s->n_block += (u32)n;
        piece = str_skip(piece, n);
        if (s->n_block < TAR_BLOCK) continue;
        if (!take_head(s)) return false;
        if (!s->n_left && !s->is_ended && !end_data(s)) return false;
    }
    return true;
}

bool tar_stream_finish(TarStream *s)
{
    bool is_whole = s->is_ended || (!s->n_left && !s->n_block);
    return is_whole || fail(s, TAR_IS_CUT_OFF);
}
