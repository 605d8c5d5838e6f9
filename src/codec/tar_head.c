/* codec/tar_head.c -- headers of tar archives.  Formats: POSIX.1-2001 pax(1), "ustar Interchange
 * Format" and "pax Extended Header"; GNU tar's types L and K. */
#include "codec/tar_priv.h"

#include <string.h>

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
    for (usize i = 0; i < TAR_BLOCK; i++) sum += block[i];
    for (usize i = SUM_AT; i < SUM_AT + SUM_LEN; i++) sum += (u64)' ' - block[i];
    return sum == said;
}

bool tar_block_is_zero(const u8 *block)
{
    u64 any = 0, word;
    for (usize i = 0; i < TAR_BLOCK; i += sizeof word) {
        memcpy(&word, block + i, sizeof word);
        any |= word;
    }
    return !any;
}

/* ---- Extended headers ------------------------------------------------------------------------ */

/* "27 path=some/long/name\n", again and again.  The length counts all of its line. */
static bool take_pax(Str text, TarExtra *extra)
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

static Str name_of(Arena *a, const u8 *block)
{
    Str name = field(block, NAME_AT, NAME_LEN);
    bool is_ustar = !memcmp(block + MAGIC_AT, "ustar", 5);
    /* GNU's old format has other things where the prefix would be. */
    bool is_gnu = !memcmp(block + MAGIC_AT, "ustar ", 6);
    Str prefix = is_ustar && !is_gnu ? field(block, PREFIX_AT, PREFIX_LEN) : (Str){0};
    if (!prefix.n) return name;
    return str_fmt(a, "%.*s/%.*s", STR_ARG(prefix), STR_ARG(name));
}

const char *tar_extra_take(const u8 *block, Str data, TarExtra *extra)
{
    switch (block[TYPE_AT]) {
    case 'x': return take_pax(data, extra) ? NULL : "an extended header is broken";
    case 'L': extra->name = until_nul(data); return NULL;
    case 'K': extra->target = until_nul(data); return NULL;
    default: return NULL;
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

const char *tar_head_read(Arena *a, const u8 *block, const TarExtra *extra, TarHead *ret)
{
    if (!sum_is_right(block)) return "the checksum of a header is wrong";
    char type = (char)block[TYPE_AT];
    u64 mode, mtime;
    *ret = (TarHead){.is_extra = type == 'x' || type == 'g' || type == 'L' || type == 'K'};
    if (!number(block, SIZE_AT, NUMBER_LEN, &ret->size)) return "a size is no number";
    if (ret->is_extra) return NULL;
    if (extra->has_size) ret->size = extra->size;
    if (!number(block, MODE_AT, SHORT_NUMBER_LEN, &mode)) mode = 0644;
    if (!number(block, MTIME_AT, NUMBER_LEN, &mtime)) mtime = 0;
    TarEntry *e = &ret->entry;
    e->mode = (u32)mode & MODE_MASK;
    e->mtime_s = mtime;
    e->name = extra->name.p ? extra->name : name_of(a, block);
    e->target = extra->target.p ? extra->target : field(block, LINK_AT, LINK_LEN);
    ret->is_known = kind_of(type, e->name, &e->kind);
    return NULL;
}
