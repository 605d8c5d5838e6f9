/* codec/compress_brotli.c -- brotli streams. */
#include "codec/compress_priv.h"

#include <brotli/decode.h>
#include <brotli/encode.h>
#include <string.h>

bool brotli_open(Compressor *c, CompressError *e)
{
    const CompressOptions *o = &c->options;
    bool is_encoder = c->mode == COMPRESS_BROTLI_ENCODE, ok = true;
    if (is_encoder)
        c->brotli = BrotliEncoderCreateInstance(NULL, NULL, NULL);
    else
        c->brotli = BrotliDecoderCreateInstance(NULL, NULL, NULL);
    c->is_open = c->brotli != NULL;
    for (u32 i = 0; c->is_open && ok && i < o->n_params; i++) {
        if (is_encoder)
            ok = BrotliEncoderSetParameter(c->brotli, (BrotliEncoderParameter)o->param_ids[i],
                                           (u32)o->params[i]);
        else
            ok = BrotliDecoderSetParameter(c->brotli, (BrotliDecoderParameter)o->param_ids[i],
                                           (u32)o->params[i]);
    }
    if (c->is_open && ok) return true;
    return compress_fail(e, -1, "ERR_ZLIB_INITIALIZATION_FAILED", "Initialization failed");
}

void brotli_close(Compressor *c)
{
    if (c->mode == COMPRESS_BROTLI_ENCODE)
        BrotliEncoderDestroyInstance(c->brotli);
    else
        BrotliDecoderDestroyInstance(c->brotli);
    c->brotli = NULL;
}

static bool encode(Compressor *c, CompressIo *io, i32 flush, CompressError *e)
{
    /* A flush or the end: the library wants to be called until nothing is left to take or give. */
    bool ok;
    do {
        ok = BrotliEncoderCompressStream(c->brotli, (BrotliEncoderOperation)flush, &io->n_in,
                                         &io->in, &io->n_out, &io->out, NULL);
    } while (ok && io->n_out && (io->n_in || BrotliEncoderHasMoreOutput(c->brotli)));
    c->is_ended = ok && BrotliEncoderIsFinished(c->brotli);
    if (ok) return true;
    return compress_fail(e, -1, "ERR_BROTLI_COMPRESSION_FAILED", "Compression failed");
}

/* "ERROR_FORMAT_PADDING_1" is shown with one more "ERR_" in front: so does Node. */
static const char *code_of(BrotliDecoderErrorCode error)
{
#define NEXT
#define CODE(prefix, name, number)                                                                 \
    case BROTLI_DECODER##prefix##name: return "ERR_" #prefix #name;
    switch (error) {
        BROTLI_DECODER_ERROR_CODES_LIST(CODE, NEXT)
    default: return "ERR_BROTLI_DECODER_ERROR";
    }
#undef CODE
#undef NEXT
}

static bool decode(Compressor *c, CompressIo *io, i32 flush, CompressError *e)
{
    BrotliDecoderResult rc =
        BrotliDecoderDecompressStream(c->brotli, &io->n_in, &io->in, &io->n_out, &io->out, NULL);
    c->is_ended = rc == BROTLI_DECODER_RESULT_SUCCESS;
    if (rc == BROTLI_DECODER_RESULT_ERROR) {
        BrotliDecoderErrorCode error = BrotliDecoderGetErrorCode(c->brotli);
        return compress_fail(e, (i32)error, code_of(error), "Decompression failed");
    }
    if (flush == BROTLI_OPERATION_FINISH && rc == BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT)
        return compress_cut_off(e);
    return true;
}

bool brotli_step(Compressor *c, CompressIo *io, i32 flush, CompressError *e)
{
    return c->mode == COMPRESS_BROTLI_ENCODE ? encode(c, io, flush, e) : decode(c, io, flush, e);
}
