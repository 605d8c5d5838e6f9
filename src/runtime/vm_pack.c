/* runtime/vm_pack.c -- see vm_pack.h. */
#include "runtime/vm_pack.h"

#include <string.h>

static const char MAGIC[8] = {'c', 'o', 'b', 'c', 'o', 'd', 'e', '2'};

typedef struct {
    char magic[8];
    u8 build[PACK_BUILD_LEN];
    u64 sum;   /* of the header (with 0 here) and the name */
    u64 total; /* bytes of the file */
    u32 name_len, n_records;
    u64 unused[2];
} Header;
_Static_assert(sizeof(Header) == PACK_HEADER, "no holes");
_Static_assert(sizeof(PackRecord) % PACK_ALIGN == 0, "records stay aligned");

static usize padded(usize n)
{
    return (n + PACK_ALIGN - 1) & ~(usize)(PACK_ALIGN - 1);
}

/* Against accidents, not against malice: four lanes of multiply and rotate.  `p` is a whole number
 * of 16-byte units. */
static u64 sum_of(const void *p, usize n, u64 seed)
{
    static const u64 K = 0x9e3779b97f4a7c15ULL;
    u64 lane[4] = {seed ^ K, seed + K, ~seed, seed * K + n};
    const u8 *at = p;
    usize i = 0;
    for (; i + 32 <= n; i += 32) {
        u64 w[4];
        memcpy(w, at + i, 32);
        for (u32 k = 0; k < 4; k++) {
            lane[k] = (lane[k] ^ w[k]) * K;
            lane[k] = lane[k] << 29 | lane[k] >> 35;
        }
    }
    for (; i + 8 <= n; i += 8) {
        u64 w;
        memcpy(&w, at + i, 8);
        lane[0] = (lane[0] ^ w) * K;
        lane[0] = lane[0] << 29 | lane[0] >> 35;
    }
    u64 h = 0;
    for (u32 k = 0; k < 4; k++) h = ((h ^ lane[k]) * K) ^ (h >> 31);
    return h ^ h >> 32;
}

/* ---- Reading -----------------------------------------------------------------------------------
 */

static u64 header_sum(Str bytes, usize name_size)
{
    Header h;
    memcpy(&h, bytes.p, sizeof(h));
    h.sum = 0;
    return sum_of(bytes.p + PACK_HEADER, name_size, sum_of(&h, sizeof(h), 0));
}

bool pack_open(Pack *p, Str bytes, const u8 build[PACK_BUILD_LEN], Str name)
{
    Header h;
    if (bytes.n < PACK_HEADER || bytes.n > PACK_SIZE_MAX) return false;
    memcpy(&h, bytes.p, sizeof(h));
    usize name_size = padded(h.name_len);
    if (memcmp(h.magic, MAGIC, sizeof(MAGIC)) != 0 || memcmp(h.build, build, PACK_BUILD_LEN) != 0 ||
        h.total != bytes.n || h.name_len != name.n || name_size > bytes.n - PACK_HEADER)
        return false;
    if (memcmp(bytes.p + PACK_HEADER, name.p, name.n) != 0) return false;
    if (h.sum != header_sum(bytes, name_size)) return false;
    *p = (Pack){.bytes = bytes, .next = PACK_HEADER + name_size, .n_records = h.n_records};
    return true;
}

static usize start_of(const Pack *p)
{
    Header h;
    memcpy(&h, p->bytes.p, sizeof(h));
    return PACK_HEADER + padded(h.name_len);
}

/* The record at `at`, unverified but within the file, and where the next one is. */
static bool read_record(const Pack *p, usize at, PackItem *ret, usize *ret_next)
{
    PackRecord r;
    usize left = p->bytes.n - at;
    if (at > p->bytes.n || left < sizeof(r)) return false;
    memcpy(&r, p->bytes.p + at, sizeof(r));
    usize url = padded(r.url_len), text = padded(r.text_len), code = padded(r.code_len);
    left -= sizeof(r);
    if (r.flags & ~(u32)PACK_FLAGS || (r.flags & PACK_KIND_MASK) >= PACK_KINDS || url > left ||
        text > left - url || code > left - url - text)
        return false;
    const char *from = p->bytes.p + at + sizeof(r);
    *ret = (PackItem){.url = {from, r.url_len},
                      .text = {from + url, r.text_len},
                      .code = {from + url + text, r.code_len},
                      .flags = r.flags};
    *ret_next = at + sizeof(r) + url + text + code;
    return true;
}

static bool is_whole(const Pack *p, usize at, usize next)
{
    u64 sum;
    memcpy(&sum, p->bytes.p + at, sizeof(sum));
    return sum == sum_of(p->bytes.p + at + sizeof(sum), next - at - sizeof(sum), 0);
}

static bool is_of(const PackItem *item, Str url, PackKind kind)
{
    return (item->flags & PACK_KIND_MASK) == (u32)kind && str_eq(item->url, url);
}

static void make_index(Arena *a, Pack *p)
{
    PackItem item;
    usize at = start_of(p), next;
    for (u32 i = 0; i < p->n_records && read_record(p, at, &item, &next); i++, at = next) {
        *str_map_put(a, &p->by_url[item.flags & PACK_KIND_MASK], item.url, NULL) = at;
    }
    p->is_indexed = true;
}

bool pack_find(Arena *a, Pack *p, Str url, PackKind kind, PackItem *ret)
{
    usize at = p->next, next;
    if (!p->n_records) return false;
    if (!read_record(p, at, ret, &next) || !is_of(ret, url, kind)) {
        if (!p->is_indexed) make_index(a, p);
        const u64 *slot = str_map_find(&p->by_url[kind], url);
        if (!slot) return false;
        at = *slot;
        if (!read_record(p, at, ret, &next) || !is_of(ret, url, kind)) return false;
    }
    p->next = next;
    return is_whole(p, at, next);
}

/* ---- Writing -----------------------------------------------------------------------------------
 */

static void push_padded(Buf *b, Str s)
{
    (void)buf_push(b, s);
    (void)buf_push_fill(b, 0, padded(s.n) - s.n);
}

void pack_begin(Buf *b, const u8 build[PACK_BUILD_LEN], Str name)
{
    Header h = {.name_len = (u32)name.n};
    memcpy(h.magic, MAGIC, sizeof(MAGIC));
    memcpy(h.build, build, PACK_BUILD_LEN);
    b->max = PACK_SIZE_MAX;
    (void)buf_push(b, (Str){(const char *)&h, sizeof(h)});
    push_padded(b, name);
}

void pack_add(Buf *b, PackItem item)
{
    PackRecord r = {.url_len = (u32)item.url.n,
                    .text_len = (u32)item.text.n,
                    .code_len = (u32)item.code.n,
                    .flags = item.flags};
    usize at = b->len;
    (void)buf_push(b, (Str){(const char *)&r, sizeof(r)});
    push_padded(b, item.url);
    push_padded(b, item.text);
    push_padded(b, item.code);
    if (b->full) return;
    u64 sum = sum_of(b->p + at + sizeof(r.sum), b->len - at - sizeof(r.sum), 0);
    memcpy(b->p + at, &sum, sizeof(sum));
}

void pack_end(Buf *b, u32 n_records)
{
    Header h;
    if (b->full) return;
    memcpy(&h, b->p, sizeof(h));
    h.total = b->len;
    h.n_records = n_records;
    h.sum = 0;
    memcpy(b->p, &h, sizeof(h));
    h.sum = header_sum(buf_str(b), padded(h.name_len));
    memcpy(b->p, &h, sizeof(h));
}
