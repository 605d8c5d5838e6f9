/* http/http_client_body.c -- content codings, and handing bodies to the caller. */
#include "http/http_client_private.h"

#include <string.h>

static Str header(const HttpFetch *f, Str name)
{
    for (u32 i = 0; i < f->n_pairs; i++)
        if (str_eq(f->pairs[i].name, name)) return f->pairs[i].value;
    return (Str){0};
}

void http_body_decode_start(HttpFetch *f)
{
    Str coding = str_trim(header(f, S("content-encoding")));
    if (f->o.is_raw || !coding.n) return;
    f->is_decoding = true;
    if (str_eq_nocase(coding, S("gzip")) || str_eq_nocase(coding, S("x-gzip")))
        f->decode_kind = COMPRESS_GUNZIP;
    else if (str_eq_nocase(coding, S("deflate")))
        f->decode_kind = COMPRESS_INFLATE;
    else if (str_eq_nocase(coding, S("br")))
        f->decode_kind = COMPRESS_BROTLI_DECODE;
    else if (str_eq_nocase(coding, S("zstd")))
        f->decode_kind = COMPRESS_ZSTD_DECODE;
    else
        f->is_decoding = false;
}

/* "deflate" should be zlib's format and is often the bare one. */
static CompressKind deflate_kind(Str data)
{
    u32 first = (u8)data.p[0], second = data.n > 1 ? (u8)data.p[1] : 0;
    bool is_zlib = (first & 15) == 8 && (data.n == 1 || (first * 256 + second) % 31 == 0);
    return is_zlib ? COMPRESS_INFLATE : COMPRESS_INFLATE_RAW;
}

static bool open_decoder(HttpFetch *f, Str data)
{
    CompressError error;
    CompressKind kind = f->decode_kind;
    if (kind == COMPRESS_INFLATE) f->decode_kind = kind = deflate_kind(data);
    CompressOptions options = compress_defaults(kind);
    f->decoder = compressor_new(&options, &error);
    return f->decoder;
}

void http_body_decode_free(HttpFetch *f)
{
    compressor_free(f->decoder);
    f->decoder = NULL;
}

bool http_body_is_pending(const HttpFetch *f)
{
    return f->stash.len > f->stash_at || f->is_full;
}

/* Hands out decoded bytes; false: it is over. */
static bool give(HttpFetch *f, Str data)
{
    if (!data.n) return true;
    f->n_body += data.n;
    if (f->o.body_max && f->n_body > f->o.body_max) {
        http_fetch_done(f, HTTP_CLIENT_ETOO_BIG);
        return false;
    }
    if (f->events->on_data) f->events->on_data(f, data);
    return !f->is_dead;
}

/* Decodes from the front of *in until it is used up or the caller pauses. */
static bool decode(HttpFetch *f, Str *in)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    u8 *out = arena_alloc_dirty(s.arena, DECODE_SIZE, 1);
    CompressError error;
    while ((in->n || f->is_full) && !f->is_paused) {
        CompressIo io = {.in = (const u8 *)in->p, .n_in = in->n, .out = out, .n_out = DECODE_SIZE};
        if (!compressor_step(f->decoder, &io, compress_flushes(f->decode_kind).run, &error)) {
            http_fetch_done(f, HTTP_CLIENT_EDECODE);
            return false;
        }
        bool has_moved = io.n_in < in->n || io.n_out < DECODE_SIZE;
        *in = (Str){(const char *)io.in, io.n_in};
        f->is_full = io.n_out == 0;
        if (!give(f, (Str){(const char *)out, DECODE_SIZE - io.n_out})) return false;
        /* What follows the end of a stream is not ours. */
        if (!has_moved || (compressor_is_ended(f->decoder) && !f->is_full)) *in = (Str){0};
    }
    return true;
}

static bool deliver(HttpFetch *f, Str *data)
{
    if (!f->is_decoding) {
        Str all = *data;
        *data = (Str){0};
        return give(f, all);
    }
    if (!f->decoder && data->n && !open_decoder(f, *data)) {
        http_fetch_done(f, HTTP_CLIENT_EDECODE);
        return false;
    }
    return decode(f, data);
}

bool http_body_deliver(HttpFetch *f, Str data)
{
    if (f->is_paused || http_body_is_pending(f)) {
        buf_push(&f->stash, data);
        return true;
    }
    http_fetch_hold(f);
    f->is_delivering = true;
    bool is_alive = deliver(f, &data);
    f->is_delivering = false;
    if (is_alive && data.n) buf_push(&f->stash, data);
    http_fetch_release(f);
    return is_alive;
}

bool http_body_deliver_rest(HttpFetch *f)
{
    if (!http_body_is_pending(f)) return true;
    http_fetch_hold(f);
    Str data = str_skip(buf_str(&f->stash), f->stash_at);
    f->is_delivering = true;
    bool is_alive = deliver(f, &data);
    f->is_delivering = false;
    if (is_alive) {
        f->stash_at = f->stash.len - data.n;
        if (!data.n) {
            Buf_deinit(&f->stash);
            f->stash_at = 0;
        }
    }
    http_fetch_release(f);
    return is_alive;
}

int http_body_decode_end(HttpFetch *f)
{
    if (!f->decoder) return 0;
    if (compressor_is_ended(f->decoder)) return 0;
    u8 out[64];
    CompressError error;
    CompressIo io = {.in = out, .n_in = 0, .out = out, .n_out = sizeof(out)};
    bool ok = compressor_step(f->decoder, &io, compress_flushes(f->decode_kind).finish, &error);
    return ok && compressor_is_ended(f->decoder) ? 0 : HTTP_CLIENT_EDECODE;
}
