/* codec/tar.c -- see tar.h: archives in memory, and writing. */
#include "codec/tar.h"

#include "codec/tar_priv.h"

#include <string.h>

TarReader tar_reader(Arena *a, Str archive)
{
    return (TarReader){.archive = archive, .arena = a};
}

static bool fail(TarReader *r, const char *what)
{
    r->error = what;
    return false;
}

/* ---- Entries --------------------------------------------------------------------------------- */

/* Takes what is behind a header, and the padding to the next block. */
static bool take_data(TarReader *r, u64 size, Str *ret)
{
    usize left = r->archive.n - r->at;
    if (size > left) return fail(r, TAR_IS_CUT_OFF);
    *ret = str_slice(r->archive, r->at, r->at + (usize)size);
    usize padded = ((usize)size + TAR_BLOCK - 1) / TAR_BLOCK * TAR_BLOCK;
    r->at += MIN(padded, left);
    return true;
}

bool tar_next(TarReader *r, TarEntry *ret)
{
    TarExtra extra = {0};
    while (r->archive.n - r->at >= TAR_BLOCK) {
        const u8 *block = (const u8 *)r->archive.p + r->at;
        TarHead head;
        if (tar_block_is_zero(block)) return false;
        const char *error = tar_head_read(r->arena, block, &extra, &head);
        if (error) return fail(r, error);
        r->at += TAR_BLOCK;
        if (!take_data(r, head.size, &head.entry.data)) return false;
        if (head.is_extra) {
            error = tar_extra_take(block, head.entry.data, &extra);
            if (error) return fail(r, error);
            continue;
        }
        extra = (TarExtra){0};
        if (!head.is_known) continue;
        *ret = head.entry;
        return true;
    }
    if (r->at != r->archive.n) return fail(r, TAR_IS_CUT_OFF);
    return false;
}

bool tar_name_is_safe(Str name)
{
    if (!name.n || name.n > TAR_NAME_MAX || name.p[0] == '/') return false;
    if (memchr(name.p, 0, name.n) || memchr(name.p, '\\', name.n)) return false;
    Str rest = name, part;
    while (str_next(&rest, '/', &part)) {
        bool is_last = part.p + part.n == name.p + name.n;
        if (str_eq(part, S("..")) || (!part.n && !is_last)) return false;
    }
    return true;
}

/* ---- Writing --------------------------------------------------------------------------------- */

static void put_octal(u8 *block, usize at, usize len, u64 value)
{
    for (usize i = len - 1; i-- > 0; value >>= 3) block[at + i] = (u8)('0' + (value & 7));
}

static void put_text(u8 *block, usize at, usize len, Str text)
{
    if (text.n) memcpy(block + at, text.p, MIN(text.n, len));
}

static void put_block(Buf *out, const TarEntry *e, char type, Str name, usize size)
{
    u8 block[TAR_BLOCK] = {0};
    put_text(block, NAME_AT, NAME_LEN, name);
    put_octal(block, MODE_AT, SHORT_NUMBER_LEN, e->mode);
    put_octal(block, UID_AT, SHORT_NUMBER_LEN, 0);
    put_octal(block, GID_AT, SHORT_NUMBER_LEN, 0);
    put_octal(block, SIZE_AT, NUMBER_LEN, size);
    put_octal(block, MTIME_AT, NUMBER_LEN, e->mtime_s);
    block[TYPE_AT] = (u8)type;
    put_text(block, LINK_AT, LINK_LEN, e->target);
    memcpy(block + MAGIC_AT,
           "ustar\0"
           "00",
           8);
    memset(block + SUM_AT, ' ', SUM_LEN);
    u64 sum = 0;
    for (usize i = 0; i < TAR_BLOCK; i++) sum += block[i];
    put_octal(block, SUM_AT, SUM_LEN - 1, sum);
    block[SUM_AT + SUM_LEN - 2] = 0;
    buf_push(out, (Str){(char *)block, TAR_BLOCK});
}

static void put_padding(Buf *out, usize size)
{
    buf_push_fill(out, 0, (TAR_BLOCK - size % TAR_BLOCK) % TAR_BLOCK);
}

/* A line of a pax header: its length counts itself. */
static void put_pax_line(Buf *out, Str key, Str value)
{
    usize body = key.n + value.n + 3, total = body + 1;
    for (usize digits = 1, limit = 10; total >= limit; limit *= 10) {
        digits++;
        total = body + digits;
    }
    buf_fmt(out, "%zu %.*s=", total, STR_ARG(key));
    buf_push(out, value);
    buf_push_char(out, '\n');
}

static char type_of(TarKind kind)
{
    switch (kind) {
    case TAR_DIR: return '5';
    case TAR_SYMLINK: return '2';
    case TAR_HARDLINK: return '1';
    case TAR_FILE: break;
    }
    return '0';
}

void tar_put(Buf *out, const TarEntry *e)
{
    AUTO(Buf) pax = {0};
    if (e->name.n > NAME_LEN) put_pax_line(&pax, S("path"), e->name);
    if (e->target.n > LINK_LEN) put_pax_line(&pax, S("linkpath"), e->target);
    if (pax.len) {
        TarEntry header = {.mode = 0644, .mtime_s = e->mtime_s};
        put_block(out, &header, 'x', S("PaxHeader"), pax.len);
        buf_push(out, buf_str(&pax));
        put_padding(out, pax.len);
    }
    put_block(out, e, type_of(e->kind), e->name, e->data.n);
    buf_push(out, e->data);
    put_padding(out, e->data.n);
}

void tar_finish(Buf *out)
{
    buf_push_fill(out, 0, 2 * (usize)TAR_BLOCK);
}
