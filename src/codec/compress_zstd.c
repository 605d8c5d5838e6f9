/* codec/compress_zstd.c -- zstd streams. */
#include "codec/compress_priv.h"

#include <zstd.h>
#include <zstd_errors.h>

/* Names of ZSTD_ErrorCode that a caller can meet; the library itself only has sentences. */
static const char *code_of(ZSTD_ErrorCode code)
{
#define CODE(name)                                                                                 \
    case ZSTD_error_##name: return "ZSTD_error_" #name;
    switch (code) {
        CODE(prefix_unknown)
        CODE(version_unsupported)
        CODE(frameParameter_unsupported)
        CODE(frameParameter_windowTooLarge)
        CODE(corruption_detected)
        CODE(checksum_wrong)
        CODE(dictionary_corrupted)
        CODE(dictionary_wrong)
        CODE(dictionaryCreation_failed)
        CODE(parameter_unsupported)
        CODE(parameter_outOfBound)
        CODE(tableLog_tooLarge)
        CODE(maxSymbolValue_tooLarge)
        CODE(maxSymbolValue_tooSmall)
        CODE(stage_wrong)
        CODE(init_missing)
        CODE(memory_allocation)
        CODE(workSpace_tooSmall)
        CODE(dstSize_tooSmall)
        CODE(srcSize_wrong)
        CODE(dstBuffer_null)
    default: return "ZSTD_error_GENERIC";
    }
#undef CODE
}

static bool fail(usize rc, CompressError *e)
{
    return compress_fail(e, (i32)ZSTD_getErrorCode(rc), code_of(ZSTD_getErrorCode(rc)),
                         ZSTD_getErrorName(rc));
}

static bool set_up(Compressor *c, CompressError *e)
{
    const CompressOptions *o = &c->options;
    bool is_encoder = c->mode == COMPRESS_ZSTD_ENCODE;
    usize rc = 0;
    for (u32 i = 0; i < o->n_params && !ZSTD_isError(rc); i++) {
        if (is_encoder)
            rc = ZSTD_CCtx_setParameter(c->zstd, (ZSTD_cParameter)o->param_ids[i], o->params[i]);
        else
            rc = ZSTD_DCtx_setParameter(c->zstd, (ZSTD_dParameter)o->param_ids[i], o->params[i]);
    }
    if (ZSTD_isError(rc))
        return compress_fail(e, (i32)ZSTD_getErrorCode(rc), "ERR_ZLIB_INITIALIZATION_FAILED",
                             "Setting parameter failed");
    if (is_encoder && o->size_hint != UINT64_MAX)
        rc = ZSTD_CCtx_setPledgedSrcSize(c->zstd, o->size_hint);
    Str d = o->dictionary;
    if (!ZSTD_isError(rc) && d.n)
        rc = is_encoder ? ZSTD_CCtx_loadDictionary(c->zstd, d.p, d.n)
                        : ZSTD_DCtx_loadDictionary(c->zstd, d.p, d.n);
    return ZSTD_isError(rc) ? fail(rc, e) : true;
}

bool zstd_open(Compressor *c, CompressError *e)
{
    if (c->mode == COMPRESS_ZSTD_ENCODE)
        c->zstd = ZSTD_createCCtx();
    else
        c->zstd = ZSTD_createDCtx();
    if (!c->zstd)
        return compress_fail(e, -1, "ERR_ZLIB_INITIALIZATION_FAILED", "Initialization failed");
    c->is_open = true;
    return set_up(c, e);
}

void zstd_close(Compressor *c)
{
    if (c->mode == COMPRESS_ZSTD_ENCODE)
        (void)ZSTD_freeCCtx(c->zstd);
    else
        (void)ZSTD_freeDCtx(c->zstd);
    c->zstd = NULL;
}

bool zstd_reset(Compressor *c, CompressError *e)
{
    usize rc = c->mode == COMPRESS_ZSTD_ENCODE
                   ? ZSTD_CCtx_reset(c->zstd, ZSTD_reset_session_and_parameters)
                   : ZSTD_DCtx_reset(c->zstd, ZSTD_reset_session_and_parameters);
    return ZSTD_isError(rc) ? fail(rc, e) : set_up(c, e);
}

bool zstd_step(Compressor *c, CompressIo *io, i32 flush, CompressError *e)
{
    /* Behind a frame another may follow, or nothing. */
    if (c->mode == COMPRESS_ZSTD_DECODE && c->is_ended && !io->n_in) return true;
    ZSTD_inBuffer in = {io->in, io->n_in, 0};
    ZSTD_outBuffer out = {io->out, io->n_out, 0};
    usize rc;
    u64 hint = c->options.size_hint;
    /* The library trusts a single call more than the size that was promised. */
    if (c->mode == COMPRESS_ZSTD_ENCODE && flush == ZSTD_e_end && hint != UINT64_MAX &&
        c->n_taken + io->n_in != hint)
        return compress_fail(e, ZSTD_error_srcSize_wrong, code_of(ZSTD_error_srcSize_wrong),
                             ZSTD_getErrorString(ZSTD_error_srcSize_wrong));
    if (c->mode == COMPRESS_ZSTD_ENCODE) {
        rc = ZSTD_compressStream2(c->zstd, &out, &in, (ZSTD_EndDirective)flush);
        c->is_ended = flush == ZSTD_e_end && rc == 0;
    } else {
        rc = ZSTD_decompressStream(c->zstd, &out, &in);
        c->is_ended = rc == 0;
    }
    c->n_taken += in.pos;
    io->in += in.pos;
    io->n_in -= in.pos;
    io->out += out.pos;
    io->n_out -= out.pos;
    if (ZSTD_isError(rc)) return fail(rc, e);
    bool is_short = c->mode == COMPRESS_ZSTD_DECODE && !c->is_ended && !io->n_in && io->n_out;
    return is_short && flush == ZSTD_e_end ? compress_cut_off(e) : true;
}
