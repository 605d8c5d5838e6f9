/* codec/tar.c -- see tar.h.  Formats: POSIX.1-2001 pax(1), "ustar Interchange Format" and "pax
 * Extended Header"; GNU tar's types L and K. */
#include "codec/tar.h"

#include <string.h>

enum {
    BLOCK = 512,
    NAME_AT = 0,
    NAME_LEN = 100,
    MODE_AT = 100,
    UID_AT = 108,
    GID_AT = 116,
    SIZE_AT = 124,
    MTIME_AT = 136,
    SUM_AT = 148,
    SUM_LEN = 8,
    TYPE_AT = 156,
    LINK_AT = 157,
    LINK_LEN = 100,
    MAGIC_AT = 257,
    PREFIX_AT = 345,
    PREFIX_LEN = 155,
    NUMBER_LEN = 12,
    SHORT_NUMBER_LEN = 8,
    MODE_MASK = 0777,
};

TarReader tar_reader(Arena *a, Str archive)
{
    return (TarReader){.archive = archive, .arena = a};
}

/* ---- Headers --------------------------------------------------------------------------------- */

static Str field(const u8 *block, usize at, usize len)
{
    const char *p = (const char *)block + at;
    const char *end = memchr(p, 0, len);
    return (Str){p, end ? (usize)(end - p) : len};
}

/* Octal text with spaces around it, or GNU's binary form with the top bit set. */
static bool number(const u8 *block, usize at, usize len, u64 *ret)
{
    const u8 *p = block + at;
    u64 value = 0;
    if (*p & 0x80) {
        for (usize i = 0; i < len; i++) {
            u8 byte = i ? p[i] : p[i] & 0x7f;
            if (value >> 56) return false;
            value = value << 8 | byte;
        }
        *ret = value;
        return true;
    }
    usize i = 0;
    while (i < len && p[i] == ' ') i++;
    for (; i < len && p[i] >= '0' && p[i] <= '7'; i++) value = value * 8 + (u64)(p[i] - '0');
    *ret = value;
    return i == len || p[i] == 0 || p[i] == ' ';
}

static bool sum_is_right(const u8 *block)
{
    u64 said, sum = 0;
    if (!number(block, SUM_AT, SUM_LEN, &said)) return false;
    for (usize i = 0; i < BLOCK; i++) {
        bool is_sum = i >= SUM_AT && i < SUM_AT + SUM_LEN;
        sum += is_sum ? ' ' : block[i];
    }
    return sum == said;
}

static bool is_zero(const u8 *block)
{
    for (usize i = 0; i < BLOCK; i++)
        if (block[i]) return false;
    return true;
}

static bool fail(TarReader *r, const char *what)
{
    r->error = what;
    return false;
}

/* ---- Extended headers ------------------------------------------------------------------------ */

/* What headers before an entry say about it. */
typedef struct {
    Str name, target;
    u64 size;
    bool has_size;
} Extra;

/* "27 path=some/long/name\n", again and again.  The length counts all of its line. */
static bool take_pax(Str text, Extra *extra)
{
    while (text.n) {
        Str line, length, rest, key, value;
        u64 n;
        if (!str_cut(text, ' ', &length, &rest) || !str_to_u64(length, &n)) return false;
        if (n > text.n || n < length.n + 3) return false;
        line = str_slice(text, length.n + 1, (usize)n);
        if (line.p[line.n - 1] != '\n') return false;
        line.n--;
        text = str_skip(text, (usize)n);
        if (!str_cut(line, '=', &key, &value)) return false;
        if (str_eq(key, S("path"))) extra->name = value;
        if (str_eq(key, S("linkpath"))) extra->target = value;
        if (str_eq(key, S("size"))) {
            if (!str_to_u64(value, &extra->size)) return false;
            extra->has_size = true;
        }
    }
    return true;
}

static Str until_nul(Str data)
{
    const char *end = data.n ? memchr(data.p, 0, data.n) : NULL;
    return end ? str_slice(data, 0, (usize)(end - data.p)) : data;
}

static Str name_of(TarReader *r, const u8 *block)
{
    Str name = field(block, NAME_AT, NAME_LEN);
    bool is_ustar = !memcmp(block + MAGIC_AT, "ustar", 5);
    /* GNU's old format has other things where the prefix would be. */
    bool is_gnu = !memcmp(block + MAGIC_AT, "ustar ", 6);
    Str prefix = is_ustar && !is_gnu ? field(block, PREFIX_AT, PREFIX_LEN) : (Str){0};
    if (!prefix.n) return name;
    return str_fmt(r->arena, "%.*s/%.*s", STR_ARG(prefix), STR_ARG(name));
}

/* ---- Entries --------------------------------------------------------------------------------- */

/* Takes what is behind a header, and the padding to the next block. */
static bool take_data(TarReader *r, u64 size, Str *ret)
{
    usize left = r->archive.n - r->at;
    if (size > left) return fail(r, "the archive is cut off");
    *ret = str_slice(r->archive, r->at, r->at + (usize)size);
    usize padded = ((usize)size + BLOCK - 1) / BLOCK * BLOCK;
    r->at += MIN(padded, left);
    return true;
}

/* true: the header was one for the entry behind it. */
static bool take_extra(char type, Str data, Extra *extra, bool *ret_ok)
{
    *ret_ok = true;
    switch (type) {
    case 'x': *ret_ok = take_pax(data, extra); return true;
    case 'g': return true;
    case 'L': extra->name = until_nul(data); return true;
    case 'K': extra->target = until_nul(data); return true;
    default: return false;
    }
}

static bool kind_of(char type, Str name, TarKind *ret)
{
    switch (type) {
    case 0:
    case '0':
    case '7':
        /* Archives from before ustar mark directories by a slash. */
        *ret = name.n && name.p[name.n - 1] == '/' ? TAR_DIR : TAR_FILE;
        return true;
    case '1': *ret = TAR_HARDLINK; return true;
    case '2': *ret = TAR_SYMLINK; return true;
    case '5': *ret = TAR_DIR; return true;
    default: return false;
    }
}

/* The data behind a header, as long as that or an extended one says. */
static bool data_of(TarReader *r, const u8 *block, const Extra *extra, Str *ret)
{
    char type = (char)block[TYPE_AT];
    u64 size;
    if (!number(block, SIZE_AT, NUMBER_LEN, &size)) return fail(r, "a size is no number");
    bool is_extra = type == 'x' || type == 'g' || type == 'L' || type == 'K';
    if (!is_extra && extra->has_size) size = extra->size;
    r->at += BLOCK;
    return take_data(r, size, ret);
}

static TarEntry entry_of(TarReader *r, const u8 *block, const Extra *extra, Str data)
{
    u64 mode, mtime;
    if (!number(block, MODE_AT, SHORT_NUMBER_LEN, &mode)) mode = 0644;
    if (!number(block, MTIME_AT, NUMBER_LEN, &mtime)) mtime = 0;
    return (TarEntry){
        .data = data,
        .mode = (u32)mode & MODE_MASK,
        .mtime_s = mtime,
        .name = extra->name.p ? extra->name : name_of(r, block),
        .target = extra->target.p ? extra->target : field(block, LINK_AT, LINK_LEN),
    };
}

bool tar_next(TarReader *r, TarEntry *ret)
{
    Extra extra = {0};
    while (r->archive.n - r->at >= BLOCK) {
        const u8 *block = (const u8 *)r->archive.p + r->at;
        if (is_zero(block)) return false;
        if (!sum_is_right(block)) return fail(r, "the checksum of a header is wrong");
        char type = (char)block[TYPE_AT];
        Str data;
        if (!data_of(r, block, &extra, &data)) return false;
        bool ok;
        if (take_extra(type, data, &extra, &ok)) {
            if (!ok) return fail(r, "an extended header is broken");
            continue;
        }
        TarEntry e = entry_of(r, block, &extra, data);
        bool is_known = kind_of(type, e.name, &e.kind);
        extra = (Extra){0};
        if (!is_known) continue;
        *ret = e;
        return true;
    }
    if (r->at != r->archive.n) return fail(r, "the archive is cut off");
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
    u8 block[BLOCK] = {0};
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
    for (usize i = 0; i < BLOCK; i++) sum += block[i];
    put_octal(block, SUM_AT, SUM_LEN - 1, sum);
    block[SUM_AT + SUM_LEN - 2] = 0;
    buf_push(out, (Str){(char *)block, BLOCK});
}

static void put_padding(Buf *out, usize size)
{
    buf_push_fill(out, 0, (BLOCK - size % BLOCK) % BLOCK);
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
    buf_push_fill(out, 0, 2 * (usize)BLOCK);
}
