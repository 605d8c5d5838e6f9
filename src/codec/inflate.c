/* codec/inflate.c -- see inflate.h.  Two tables a block: a code of up to 11 (8) bits is found by
 * the next bits of the input, a longer one in a table that the first one names.
 *
 * Bits come from a 64-bit word that is filled up to at least 56 at a time.  One round of the loop
 * takes up to three literals, or a length and a distance, which are 48 bits at most.
 *
 * The window is history (32 KiB), room, and slack behind that, so that copies may write more than
 * they were asked for. */
#include "codec/inflate.h"

#include <string.h>

enum {
    HISTORY = 32 * 1024,
    LENGTH_MAX = 258,
    SLACK = LENGTH_MAX + 64,
    CODE_MAX = 15,
    N_LITERALS = 288,
    N_DISTANCES = 32,
    N_PRECODES = 19,
    LITERAL_ROOT = 11,
    DISTANCE_ROOT = 8,
    PRECODE_ROOT = 7,
    LITERAL_TABLE = 2342, /* the largest that any code needs, with its root; likewise below */
    DISTANCE_TABLE = 402,
    PRECODE_TABLE = 128,
    FIRST_LENGTH = 257,
    END_OF_BLOCK = 256,
};

/* An entry: bits to drop (0-7), bits of the code (8-12), kind (13-15), value (16-30).  A literal
 * is told by the sign. */
#define LITERAL 0x80000000u
enum { ODD = 0x8000, IS_TABLE = 0x4000, IS_END = 0x2000, CODE_AT = 8, VALUE_AT = 16 };
enum { CODE_MASK = 0x1f, DROP_MASK = 0xff };

typedef struct {
    u64 bits;
    u32 n;
    u32 n_missing; /* zero bytes behind the end that were taken as input */
    const u8 *in, *end;
} Bits;

typedef struct {
    Bits bits;
    u8 *out, *limit, *floor, *window, *sent; /* floor: the first byte of history */
    InflateSink *sink;
    void *ctx;
    bool is_stopped;
    u32 literals[LITERAL_TABLE], distances[DISTANCE_TABLE];
    u8 lens[N_LITERALS + N_DISTANCES];
} Inflate;

static const char broken[] = "the compressed data is broken";
static const char cut_off[] = "the compressed data is cut off";

/* ---- Input ----------------------------------------------------------------------------------- */

static inline __attribute__((always_inline)) void refill(Bits *b)
{
    if (LIKELY(b->end - b->in >= 8)) {
        u64 word;
        memcpy(&word, b->in, sizeof word);
        b->bits |= word << b->n;
        b->in += (63 - b->n) >> 3;
        b->n |= 56;
        return;
    }
    while (b->n <= 56) {
        if (b->in < b->end)
            b->bits |= (u64)*b->in++ << b->n;
        else
            b->n_missing++;
        b->n += 8;
    }
}

static inline u32 take(Bits *b, u32 n)
{
    if (b->n < n) refill(b);
    u32 value = (u32)(b->bits & (((u64)1 << n) - 1));
    b->bits >>= n;
    b->n -= n;
    return value;
}

static bool is_cut_off(const Bits *b)
{
    return b->n_missing > b->n / 8;
}

/* ---- Tables ---------------------------------------------------------------------------------- */

static const u16 length_bases[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                   31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
static const u8 length_extras[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                   2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
static const u16 distance_bases[] = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                     33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                     1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
static const u8 distance_extras[] = {0, 0, 0, 0, 1, 1, 2, 2,  3,  3,  4,  4,  5,  5,  6,
                                     6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13};

/* What stands in a table for a symbol whose code has `len` bits there. */
static u32 literal_entry(u32 symbol, u32 len)
{
    if (symbol < END_OF_BLOCK) return LITERAL | symbol << VALUE_AT | len;
    if (symbol == END_OF_BLOCK) return ODD | IS_END | len;
    u32 i = symbol - FIRST_LENGTH;
    if (i >= COUNT(length_bases)) return ODD;
    return (u32)length_bases[i] << VALUE_AT | len << CODE_AT | (len + length_extras[i]);
}

static u32 distance_entry(u32 symbol, u32 len)
{
    if (symbol >= COUNT(distance_bases)) return ODD;
    return (u32)distance_bases[symbol] << VALUE_AT | len << CODE_AT |
           (len + distance_extras[symbol]);
}

static u32 precode_entry(u32 symbol, u32 len)
{
    return symbol << VALUE_AT | len;
}

typedef u32 EntryFn(u32 symbol, u32 len);

typedef struct {
    u32 *table;
    u32 root, size; /* bits of the first table; entries of all */
    EntryFn *entry;
} Table;

/* Codes longer than the root: `left` is how many of each length are still to come, the one at hand
 * included; the table must hold those that begin with the same bits. */
static u32 bits_below(const u16 *left, u32 len, u32 root)
{
    u32 bits = len - root;
    i32 room = (i32)(1u << bits) - left[len];
    while (room > 0 && root + bits < CODE_MAX) {
        bits++;
        room = room * 2 - left[root + bits];
    }
    return bits;
}

/* The next code of the same length, its bits in reverse order. */
static u32 next_code(u32 code, u32 len)
{
    u32 bit = 1u << (len - 1);
    while (code & bit) bit >>= 1;
    return bit ? (code & (bit - 1)) | bit : 0;
}

/* Is the code whole?  One that leaves bits unused may have one symbol of one bit, or none. */
static bool counts_are_fine(const u16 *counts)
{
    i32 room = 1;
    u32 n = 0;
    for (u32 len = 1; len <= CODE_MAX; len++) {
        room = room * 2 - counts[len];
        n += counts[len];
        if (room < 0) return false;
    }
    return room == 0 || (n <= 1 && counts[1] == n);
}

static void fill(u32 *table, u32 size, u32 from, u32 step, u32 entry)
{
    for (u32 i = from; i < size; i += step) table[i] = entry;
}

static bool build(const Table *t, const u8 *lens, u32 n)
{
    u16 counts[CODE_MAX + 1] = {0}, at[CODE_MAX + 2] = {0}, sorted[N_LITERALS];
    for (u32 i = 0; i < n; i++) counts[lens[i]]++;
    counts[0] = 0;
    if (!counts_are_fine(counts)) return false;
    for (u32 len = 1; len <= CODE_MAX; len++) at[len + 1] = (u16)(at[len] + counts[len]);
    for (u32 i = 0; i < n; i++)
        if (lens[i]) sorted[at[lens[i]]++] = (u16)i;
    u32 n_used = at[CODE_MAX], root_size = 1u << t->root, next = root_size, code = 0;
    u32 sub_at = 0, sub_bits = 0, prefix = UINT32_MAX;
    if (n_used <= 1) fill(t->table, root_size, 0, 1, ODD);
    for (u32 i = 0; i < n_used; i++) {
        u32 symbol = sorted[i], len = lens[symbol];
        if (len <= t->root) {
            fill(t->table, root_size, code, 1u << len, t->entry(symbol, len));
        } else {
            if ((code & (root_size - 1)) != prefix) {
                prefix = code & (root_size - 1);
                sub_bits = bits_below(counts, len, t->root);
                sub_at = next;
                next += 1u << sub_bits;
                if (next > t->size) return false;
                t->table[prefix] =
                    ODD | IS_TABLE | sub_at << VALUE_AT | sub_bits << CODE_AT | t->root;
            }
            fill(t->table + sub_at, 1u << sub_bits, code >> t->root, 1u << (len - t->root),
                 t->entry(symbol, len - t->root));
        }
        counts[len]--;
        code = next_code(code, len);
    }
    return true;
}

static bool build_both(Inflate *s, u32 n_literals, u32 n_distances)
{
    Table literals = {s->literals, LITERAL_ROOT, LITERAL_TABLE, literal_entry};
    Table distances = {s->distances, DISTANCE_ROOT, DISTANCE_TABLE, distance_entry};
    return build(&literals, s->lens, n_literals) &&
           build(&distances, s->lens + n_literals, n_distances);
}

static bool read_fixed(Inflate *s)
{
    for (u32 i = 0; i < N_LITERALS; i++) s->lens[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    memset(s->lens + N_LITERALS, 5, N_DISTANCES);
    return build_both(s, N_LITERALS, N_DISTANCES);
}

/* The lengths of the codes, run by run, in a code of their own. */
static bool read_lens(Inflate *s, const u32 *precodes, u32 n)
{
    Bits *b = &s->bits;
    for (u32 i = 0; i < n;) {
        refill(b);
        u32 e = precodes[b->bits & (PRECODE_TABLE - 1)];
        if (e & ODD || is_cut_off(b)) return false;
        (void)take(b, e & DROP_MASK);
        u32 symbol = e >> VALUE_AT;
        if (symbol < 16) {
            s->lens[i++] = (u8)symbol;
            continue;
        }
        if (symbol == 16 && !i) return false;
        u8 value = symbol == 16 ? s->lens[i - 1] : 0;
        u32 count = symbol == 18 ? 11 + take(b, 7) : 3 + take(b, symbol - 14);
        if (count > n - i) return false;
        memset(s->lens + i, value, count);
        i += count;
    }
    return true;
}

static bool read_dynamic(Inflate *s)
{
    static const u8 order[N_PRECODES] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                         11, 4,  12, 3, 13, 2, 14, 1, 15};
    u32 precodes[PRECODE_TABLE];
    u8 lens[N_PRECODES] = {0};
    u32 n_literals = 257 + take(&s->bits, 5), n_distances = 1 + take(&s->bits, 5);
    u32 n = 4 + take(&s->bits, 4);
    if (n_literals > 286 || n_distances > 30) return false;
    for (u32 i = 0; i < n; i++) lens[order[i]] = (u8)take(&s->bits, 3);
    Table t = {precodes, PRECODE_ROOT, PRECODE_TABLE, precode_entry};
    return build(&t, lens, N_PRECODES) && read_lens(s, precodes, n_literals + n_distances) &&
           s->lens[END_OF_BLOCK] && build_both(s, n_literals, n_distances);
}

/* ---- Output ---------------------------------------------------------------------------------- */

/* Hands out what there is and keeps the history.  false: the sink has enough. */
static bool flush(Inflate *s)
{
    usize n = (usize)(s->out - s->sent);
    if (n && !s->sink(s->ctx, (Str){(char *)s->sent, n})) {
        s->is_stopped = true;
        return false;
    }
    usize kept = MIN((usize)(s->out - s->floor), (usize)HISTORY);
    memmove(s->window, s->out - kept, kept);
    s->floor = s->window;
    s->out = s->sent = s->window + kept;
    return true;
}

static inline __attribute__((always_inline)) void copy_match(u8 *out, usize distance, usize len)
{
    const u8 *src = out - distance;
    u8 *end = out + len;
    if (LIKELY(distance >= 16)) {
        do {
            memcpy(out, src, 16);
            out += 16;
            src += 16;
        } while (out < end);
    } else if (distance == 1) {
        memset(out, *src, len);
    } else if (distance >= 8) {
        do {
            memcpy(out, src, 8);
            out += 8;
            src += 8;
        } while (out < end);
    } else {
        /* Of each word only `distance` bytes are right; the next one covers the rest. */
        do {
            u64 word;
            memcpy(&word, src, 8);
            memcpy(out, &word, 8);
            out += distance;
            src += distance;
        } while (out < end);
    }
}

static inline __attribute__((always_inline)) u32 lookup(const u32 *table, u32 root, const Bits *b)
{
    return table[b->bits & ((1u << root) - 1)];
}

static inline __attribute__((always_inline)) void drop(Bits *b, u32 e)
{
    b->bits >>= (u8)e;
    b->n -= e & DROP_MASK;
}

/* The base of a length or distance and its extra bits. */
static inline __attribute__((always_inline)) u32 value_of(Bits *b, u32 e)
{
    u32 code = e >> CODE_AT & CODE_MASK, all = e & DROP_MASK;
    u32 extra = (u32)((b->bits & (((u64)1 << all) - 1)) >> code);
    drop(b, e);
    return (e >> VALUE_AT) + extra;
}

/* Behind the first table: the entry for a code longer than its root. */
static inline __attribute__((always_inline)) u32 look_below(const u32 *table, u32 e, Bits *b)
{
    u32 bits = e >> CODE_AT & CODE_MASK;
    drop(b, e);
    return table[(e >> VALUE_AT) + (b->bits & ((1u << bits) - 1))];
}

static inline __attribute__((always_inline)) u8 *put_literal(u8 *out, Bits *b, u32 e)
{
    drop(b, e);
    *out = (u8)(e >> VALUE_AT);
    return out + 1;
}

/* 1, and the distance; or 0 when it is none that is allowed. */
static inline __attribute__((always_inline)) bool take_distance(const u32 *table, Bits *b,
                                                                usize *ret)
{
    u32 e = lookup(table, DISTANCE_ROOT, b);
    if (UNLIKELY(e & IS_TABLE)) e = look_below(table, e, b);
    if (UNLIKELY(e & ODD)) return false;
    *ret = value_of(b, e);
    return true;
}

/* One or two; the entry behind them, with bits enough for a match. */
static inline __attribute__((always_inline)) u32 take_literals(const u32 *table, Bits *b, u8 **out,
                                                               u32 e)
{
    *out = put_literal(*out, b, e);
    e = lookup(table, LITERAL_ROOT, b);
    if (e & LITERAL) {
        *out = put_literal(*out, b, e);
        e = lookup(table, LITERAL_ROOT, b);
    }
    refill(b);
    return e;
}

/* The length of `*e` and its distance; *e is the entry behind them then. */
static inline __attribute__((always_inline)) bool take_match(const Inflate *s, Bits *b, u8 **out,
                                                             u32 *e)
{
    usize len = value_of(b, *e), distance = 0;
    bool ok = take_distance(s->distances, b, &distance);
    if (UNLIKELY(!ok) || UNLIKELY(distance > (usize)(*out - s->floor))) return false;
    refill(b);
    *e = lookup(s->literals, LITERAL_ROOT, b);
    copy_match(*out, distance, len);
    *out += len;
    return true;
}

/* Up to the end of the block or of the room.  1: the block ended, 0: no room, -1: broken. */
static inline __attribute__((always_inline)) int run_with(Inflate *s)
{
    Bits b = s->bits;
    u8 *out = s->out, *limit = s->limit;
    int rc = 0;
    refill(&b);
    for (u32 e = lookup(s->literals, LITERAL_ROOT, &b); out < limit && !rc;) {
        if (e & LITERAL) {
            e = take_literals(s->literals, &b, &out, e);
            if (e & LITERAL) continue;
        }
        if (UNLIKELY(e & ODD) && (e & IS_TABLE)) {
            e = look_below(s->literals, e, &b);
            if (e & LITERAL) {
                e = take_literals(s->literals, &b, &out, e);
                continue;
            }
        }
        if (UNLIKELY(e & ODD)) {
            rc = e & IS_END ? 1 : -1;
            if (rc > 0) drop(&b, e);
        } else if (!take_match(s, &b, &out, &e)) {
            rc = -1;
        }
    }
    s->bits = b;
    s->out = out;
    return is_cut_off(&b) ? -1 : rc;
}

#ifdef __x86_64__
/* Shifts by a variable amount are one instruction there instead of three. */
__attribute__((target("bmi,bmi2"))) static int run_block_bmi2(Inflate *s)
{
    return run_with(s);
}
#endif

static int run_block(Inflate *s)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("bmi2")) return run_block_bmi2(s);
#endif
    return run_with(s);
}

/* Back to whole bytes: what is in the word and not used goes back. */
static bool align(Bits *b)
{
    u32 n_bytes = b->n / 8;
    if (n_bytes < b->n_missing) return false;
    b->in -= n_bytes - b->n_missing;
    b->bits = 0;
    b->n = b->n_missing = 0;
    return true;
}

static const char *run_stored(Inflate *s)
{
    Bits *b = &s->bits;
    if (!align(b) || b->end - b->in < 4) return cut_off;
    usize len = b->in[0] | (usize)b->in[1] << 8, not_len = b->in[2] | (usize)b->in[3] << 8;
    b->in += 4;
    if (len + not_len != UINT16_MAX) return broken;
    if ((usize)(b->end - b->in) < len) return cut_off;
    while (len) {
        if (s->out >= s->limit && !flush(s)) return NULL;
        usize n = MIN(len, (usize)(s->limit - s->out));
        memcpy(s->out, b->in, n);
        s->out += n;
        b->in += n;
        len -= n;
    }
    return NULL;
}

static const char *run_coded(Inflate *s, u32 type)
{
    bool ok = type == 1 ? read_fixed(s) : type == 2 && read_dynamic(s);
    int rc = 0;
    if (!ok) return is_cut_off(&s->bits) ? cut_off : broken;
    while (!rc) {
        if (s->out >= s->limit && !flush(s)) return NULL;
        rc = run_block(s);
    }
    if (rc > 0) return NULL;
    return is_cut_off(&s->bits) ? cut_off : broken;
}

static const char *run_deflate(Inflate *s)
{
    const char *error = NULL;
    bool is_last = false;
    while (!is_last && !error && !s->is_stopped) {
        is_last = take(&s->bits, 1);
        u32 type = take(&s->bits, 2);
        error = type ? run_coded(s, type) : run_stored(s);
    }
    if (!error && !s->is_stopped) (void)flush(s);
    return error;
}

/* ---- Gzip ------------------------------------------------------------------------------------ */

static bool skip_text(Bits *b)
{
    const u8 *end = b->in < b->end ? memchr(b->in, 0, (usize)(b->end - b->in)) : NULL;
    if (end) b->in = end + 1;
    return end != NULL;
}

/* RFC 1952, 2.3. */
static const char *read_head(Bits *b)
{
    enum { HEAD = 10, METHOD = 8, HAS_SUM = 2, HAS_EXTRA = 4, HAS_NAME = 8, HAS_COMMENT = 16 };
    if (b->end - b->in < HEAD) return cut_off;
    if (b->in[0] != 0x1f || b->in[1] != 0x8b || b->in[2] != METHOD) return "it is not gzip";
    u32 flags = b->in[3];
    b->in += HEAD;
    if (flags & HAS_EXTRA) {
        if (b->end - b->in < 2) return cut_off;
        usize n = 2 + (b->in[0] | (usize)b->in[1] << 8);
        if ((usize)(b->end - b->in) < n) return cut_off;
        b->in += n;
    }
    if (flags & HAS_NAME && !skip_text(b)) return cut_off;
    if (flags & HAS_COMMENT && !skip_text(b)) return cut_off;
    if (flags & HAS_SUM) b->in += MIN(b->end - b->in, 2);
    return NULL;
}

const char *gunzip_pieces(Str gzip, u8 *window, InflateSink *sink, void *ctx)
{
    enum { TAIL = 8 };
    Inflate s; /* the tables are filled before they are read */
    s.window = s.floor = s.sent = s.out = window;
    s.limit = window + INFLATE_WINDOW - SLACK;
    s.sink = sink;
    s.ctx = ctx;
    s.is_stopped = false;
    s.bits = (Bits){.in = (const u8 *)gzip.p, .end = (const u8 *)gzip.p + gzip.n};
    const char *error;
    do {
        error = read_head(&s.bits);
        if (!error) error = run_deflate(&s);
        if (error || s.is_stopped) return error;
        if (!align(&s.bits) || s.bits.end - s.bits.in < TAIL) return cut_off;
        s.bits.in += TAIL;
        s.floor = s.out; /* the next member has no history */
    } while (s.bits.end - s.bits.in >= 2 && s.bits.in[0] == 0x1f && s.bits.in[1] == 0x8b);
    return NULL;
}
