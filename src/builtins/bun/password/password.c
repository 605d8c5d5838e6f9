/* bun/password/password.c -- hashes of passwords, written and verified at once or on the pool.
 *
 * Algorithms and results are numbers that bun:password shares: enum Algorithm, enum Result. */
#include "builtins/builtins.h"

#include "builtins/bun/password/argon2.h"
#include "builtins/bun/password/bcrypt.h"
#include "codec/base64.h"
#include "sys/sys.h"
#include "util/mem.h"

#include <errno.h>
#include <openssl/crypto.h>
#include <openssl/sha.h>
#include <string.h>

enum { SALT_LEN = 32, TAG_LEN = 32, VERSION_13 = 0x13 };
/* In the order of Argon2Kind. */
typedef enum { KIND_ARGON2D, KIND_ARGON2I, KIND_ARGON2ID, KIND_BCRYPT } Algorithm;
typedef enum {
    RESULT_FALSE,
    RESULT_TRUE,
    RESULT_INVALID_ENCODING,
    RESULT_UNSUPPORTED,
    RESULT_NO_MEMORY,
    RESULT_INVALID_PARAMETERS,
    RESULT_WRITTEN, /* the text */
} Result;

static const Str argon2_names[] = {{"argon2d", 7}, {"argon2i", 7}, {"argon2id", 8}};

/* Owns its memory, so that any thread may do it. */
typedef struct {
    LoopReq req;
    Vm *vm;
    Arena arena;
    Str password, hash;
    bool is_verify, wants_bcrypt;
    Algorithm algorithm;
    u32 memory_kib, passes; /* or the cost of bcrypt */
    Result result;
    Str text;
    JsRef callback;
} Job;

static void job_free(Job *j)
{
    if (j->vm) js_ref_clear(j->vm->js, &j->callback);
    if (j->password.n) OPENSSL_cleanse((void *)(uintptr_t)j->password.p, j->password.n);
    arena_deinit(&j->arena);
    mem_free(j);
}

/* ---- bcrypt --------------------------------------------------------------------------------- */

/* Long passwords by their SHA-512: bcrypt would not see their end. */
static void bcrypt_of(Str password, const u8 *salt, u32 cost, u8 *ret)
{
    u8 digest[SHA512_DIGEST_LENGTH];
    if (password.n > BCRYPT_KEY_MAX) {
        (void)SHA512((const u8 *)password.p, password.n, digest);
        password = (Str){(const char *)digest, sizeof digest};
    }
    bcrypt_hash(password, salt, cost, ret);
    OPENSSL_cleanse(digest, sizeof digest);
}

static Result hash_bcrypt(Job *j)
{
    u8 salt[BCRYPT_SALT], tag[BCRYPT_TAG];
    char *text = arena_alloc(&j->arena, BCRYPT_TEXT, 1);
    sys_random(salt, sizeof salt);
    bcrypt_of(j->password, salt, j->passes, tag);
    bcrypt_write(j->passes, salt, tag, text);
    j->text = (Str){text, BCRYPT_TEXT};
    return RESULT_WRITTEN;
}

static Result verify_bcrypt(Job *j)
{
    u32 cost;
    u8 salt[BCRYPT_SALT], tag[BCRYPT_TAG], mine[BCRYPT_TAG];
    if (!bcrypt_read(j->hash, &cost, salt, tag)) return RESULT_INVALID_ENCODING;
    bcrypt_of(j->password, salt, cost, mine);
    return CRYPTO_memcmp(tag, mine, sizeof tag) == 0 ? RESULT_TRUE : RESULT_FALSE;
}

/* ---- Argon2, in the PHC format --------------------------------------------------------------- */

static Result failure_of(int rc)
{
    return rc == -ENOMEM ? RESULT_NO_MEMORY : RESULT_INVALID_PARAMETERS;
}

/* Base64 without padding. */
static void push_base64(Buf *out, const u8 *p, usize n)
{
    char text[64];
    usize len = base64_encode(p, n, BASE64_STANDARD, text);
    while (len && text[len - 1] == '=') len--;
    buf_push(out, (Str){text, len});
}

static Result hash_argon2(Job *j)
{
    u8 salt[SALT_LEN], tag[TAG_LEN];
    sys_random(salt, sizeof salt);
    Argon2 a = {
        .kind = (Argon2Kind)j->algorithm,
        .version = VERSION_13,
        .memory_kib = j->memory_kib,
        .passes = j->passes,
        .lanes = 1,
        .password = j->password,
        .salt = {(const char *)salt, sizeof salt},
    };
    int rc = argon2_hash(&a, tag, sizeof tag);
    if (rc < 0) return failure_of(rc);
    AUTO(Buf) out = {0};
    buf_fmt(&out, "$%.*s$v=19$m=%u,t=%u,p=1$", STR_ARG(argon2_names[j->algorithm]), a.memory_kib,
            a.passes);
    push_base64(&out, salt, sizeof salt);
    buf_push_char(&out, '$');
    push_base64(&out, tag, sizeof tag);
    j->text = str_dup(&j->arena, buf_str(&out));
    return RESULT_WRITTEN;
}

/* "m=65536" -> 65536 */
static bool read_number(Str text, char name, u32 *ret)
{
    u64 n;
    if (text.n < 3 || text.p[0] != name || text.p[1] != '=') return false;
    if (!str_to_u64((Str){text.p + 2, text.n - 2}, &n) || n > UINT32_MAX) return false;
    *ret = (u32)n;
    return true;
}

static bool read_base64(Arena *arena, Str text, Str *ret)
{
    u8 *p = arena_alloc(arena, base64_decoded_len_max(text.n) + 1, 1);
    usize n;
    for (usize i = 0; i < text.n; i++) {
        if (text.p[i] == '=' || (u8)text.p[i] <= ' ') return false;
    }
    if (!base64_decode_forgiving(text, p, &n)) return false;
    *ret = (Str){(const char *)p, n};
    return true;
}

/* Kind and what follows; false for a name that is none of the three. */
static bool read_kind(Str text, Argon2 *ret, Str *ret_rest)
{
    Str name, rest;
    if (!text.n || text.p[0] != '$') return false;
    (void)str_cut((Str){text.p + 1, text.n - 1}, '$', &name, &rest);
    for (u32 i = 0; i < COUNT(argon2_names); i++) {
        if (!str_eq(name, argon2_names[i])) continue;
        ret->kind = (Argon2Kind)i;
        *ret_rest = rest;
        return true;
    }
    return false;
}

static bool read_argon2(Arena *arena, Str rest, Argon2 *a, Str *ret_tag)
{
    Str part, m, t, p;
    a->version = 0x10; /* what the oldest hashes mean, which do not say it */
    if (str_starts(rest, S("v="))) {
        if (!str_cut(rest, '$', &part, &rest) || !read_number(part, 'v', &a->version)) return false;
        if (a->version != VERSION_13 && a->version != 0x10) return false;
    }
    if (!str_cut(rest, '$', &part, &rest)) return false;
    if (!str_cut(part, ',', &m, &part) || !str_cut(part, ',', &t, &p)) return false;
    if (!read_number(m, 'm', &a->memory_kib) || !read_number(t, 't', &a->passes)) return false;
    if (!read_number(p, 'p', &a->lanes) || !str_cut(rest, '$', &part, &rest)) return false;
    return read_base64(arena, part, &a->salt) && read_base64(arena, rest, ret_tag);
}

static Result verify_argon2(Job *j)
{
    Argon2 a = {.password = j->password};
    Str rest, tag;
    u8 mine[ARGON2_TAG_MAX];
    if (!read_kind(j->hash, &a, &rest)) return RESULT_UNSUPPORTED;
    if (!read_argon2(&j->arena, rest, &a, &tag) || tag.n > sizeof mine)
        return RESULT_INVALID_ENCODING;
    int rc = argon2_hash(&a, mine, tag.n);
    if (rc == -EINVAL) return RESULT_INVALID_ENCODING;
    if (rc < 0) return failure_of(rc);
    return CRYPTO_memcmp(tag.p, mine, tag.n) == 0 ? RESULT_TRUE : RESULT_FALSE;
}

/* ---- Jobs ----------------------------------------------------------------------------------- */

static i64 job_run(LoopReq *req)
{
    Job *j = CONTAINER(Job, req, req);
    bool is_bcrypt = j->is_verify ? str_starts(j->hash, S("$2")) : j->algorithm == KIND_BCRYPT;
    if (!j->is_verify)
        j->result = is_bcrypt ? hash_bcrypt(j) : hash_argon2(j);
    else if (is_bcrypt && j->algorithm != KIND_BCRYPT)
        j->result = RESULT_INVALID_ENCODING;
    else if (!is_bcrypt && j->wants_bcrypt)
        j->result = RESULT_FALSE;
    else
        j->result = is_bcrypt ? verify_bcrypt(j) : verify_argon2(j);
    return 0;
}

static JsVal job_result(Js *js, const Job *j)
{
    if (j->result == RESULT_WRITTEN) return js_str(js, j->text);
    return js_int(js, (i32)j->result);
}

static void job_done(LoopReq *req, i64 rc)
{
    Job *j = CONTAINER(Job, req, req);
    Vm *vm = j->vm;
    if (rc < 0) j->result = RESULT_NO_MEMORY;
    JsVal callback = js_ref_get(vm->js, &j->callback), result = job_result(vm->js, j);
    job_free(j);
    vm_call(vm, callback, JS_ARGS(result));
}

static bool take(Js *js, Job *j, JsVal v, Str *ret)
{
    JsBytes bytes;
    if (!js_bytes(js, v, &bytes)) return js_to_str(js, &j->arena, v, ret);
    *ret = str_dup(&j->arena, (Str){(const char *)bytes.p, bytes.n});
    return true;
}

/* Now, or later when there is a callback.  Takes `j`. */
static JsVal job_start(Js *js, Job *j, JsVal callback)
{
    if (js_is_undefined(callback)) {
        (void)job_run(&j->req);
        JsVal result = job_result(js, j);
        job_free(j);
        return result;
    }
    j->vm = vm_of(js);
    js_ref_set_strong(js, &j->callback, callback);
    j->req.on_done = job_done;
    loop_req_work(j->vm->loop, &j->req, job_run);
    return JS_UNDEFINED;
}

/* hash(password, algorithm, KiB of memory, passes or cost, callback or undefined) -> text or
 * result */
JS_NATIVE(password_hash)
{
    Job *j = MEM_NEW(Job);
    j->algorithm = (Algorithm)js_get_i32(js, js_arg(args, 1));
    j->memory_kib = (u32)js_get_i64(js, js_arg(args, 2));
    j->passes = (u32)js_get_i64(js, js_arg(args, 3));
    if (take(js, j, js_arg(args, 0), &j->password)) return job_start(js, j, js_arg(args, 4));
    job_free(j);
    return NULL;
}

/* verify(password, hash, algorithm or undefined, callback or undefined) -> result */
JS_NATIVE(password_verify)
{
    Job *j = MEM_NEW(Job);
    bool is_given = !js_is_undefined(js_arg(args, 2));
    j->is_verify = true;
    j->algorithm = is_given ? (Algorithm)js_get_i32(js, js_arg(args, 2)) : KIND_BCRYPT;
    j->wants_bcrypt = is_given && j->algorithm == KIND_BCRYPT;
    bool ok = take(js, j, js_arg(args, 0), &j->password) && take(js, j, js_arg(args, 1), &j->hash);
    if (ok) return job_start(js, j, js_arg(args, 3));
    job_free(j);
    return NULL;
}

static const JsFn fns[] = {JS_FN("hash", password_hash), JS_FN("verify", password_verify)};
BUILTIN_NATIVE(bun_password, fns)
