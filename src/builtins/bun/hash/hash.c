/* bun/hash/hash.c -- native half of bun:hash: functions for tables, not for secrets.
 *
 * The algorithms are those of Zig's standard library, which Bun offers: Wyhash (final version 4),
 * CityHash 1.1, xxHash, MurmurHash 2 and 3, rapidhash 1. */
#include "builtins/builtins.h"
#include "builtins/bun/hash/hash_functions.h"

#include <zlib.h>

typedef struct {
    const u8 *p;
    usize n;
} Data;

/* Text as UTF-8, or bytes (of shared memory, too: the result is then anybody's guess). */
static bool data_of(Js *js, Arena *a, JsVal v, Data *ret)
{
    JsBytes bytes;
    if (js_bytes(js, v, &bytes)) {
        *ret = (Data){bytes.p, bytes.n};
        return true;
    }
    Str text;
    if (!js_to_str(js, a, v, &text)) return false;
    *ret = (Data){(const u8 *)text.p, text.n};
    return true;
}

typedef enum { ADLER32, CRC32, CITY32, XX32, MURMUR32V2, MURMUR32V3 } Hash32;
typedef enum { WYHASH, CITY64, XX64, MURMUR64V2, RAPID, XX3 } Hash64;

static u32 run32(i32 kind, Data d, u32 seed)
{
    switch (kind) {
    case ADLER32: return (u32)adler32_z(1, d.p, d.n);
    case CRC32: return (u32)crc32_z(seed, d.p, d.n);
    case CITY32: return hash_city32(d.p, d.n);
    case XX32: return hash_xx32(d.p, d.n, seed);
    case MURMUR32V2: return hash_murmur32v2(d.p, d.n, seed);
    default: return hash_murmur32v3(d.p, d.n, seed);
    }
}

static u64 run64(i32 kind, Data d, u64 seed)
{
    switch (kind) {
    case WYHASH: return hash_wy(d.p, d.n, seed);
    case CITY64: return hash_city64_seeded(d.p, d.n, seed);
    case XX64: return hash_xx64(d.p, d.n, seed);
    case MURMUR64V2: return hash_murmur64v2(d.p, d.n, seed);
    case XX3: return hash_xx3(d.p, d.n, (u32)seed); /* the rest of it is ignored in Bun, too */
    default: return hash_rapid(d.p, d.n, seed);
    }
}

/* hash32(kind, data, seed) -> number */
JS_NATIVE(bun_hash32)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Data d;
    if (!data_of(js, s.arena, js_arg(args, 1), &d)) return NULL;
    u32 seed = (u32)js_get_i32(js, js_arg(args, 2));
    return js_number(js, run32(js_get_i32(js, js_arg(args, 0)), d, seed));
}

/* hash64(kind, data, seed: BigInt of 64 bits | undefined) -> bigint */
JS_NATIVE(bun_hash64)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Data d;
    i64 seed = 0;
    bool is_exact;
    if (!data_of(js, s.arena, js_arg(args, 1), &d)) return NULL;
    bool has_seed = !js_is_undefined(js_arg(args, 2));
    if (has_seed && !js_to_bigint_i64(js, js_arg(args, 2), &seed, &is_exact)) return NULL;
    return js_bigint_u64(js, run64(js_get_i32(js, js_arg(args, 0)), d, (u64)seed));
}

static const JsFn fns[] = {JS_FN("hash32", bun_hash32), JS_FN("hash64", bun_hash64)};
BUILTIN_NATIVE(bun_hash, fns)
