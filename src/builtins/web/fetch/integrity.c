/* web/fetch/integrity.c -- native half of web/fetch/integrity. */
#include "builtins/builtins.h"
#include "codec/base64.h"

#include <openssl/evp.h>

/* digest(name, bytes) -> base64 */
JS_NATIVE(integrity_digest)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str name;
    JsBytes bytes;
    u8 digest[EVP_MAX_MD_SIZE];
    unsigned n = 0;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &name)) return NULL;
    if (!js_take_bytes(js, js_arg(args, 1), &bytes)) return NULL;
    const EVP_MD *md = str_eq(name, S("sha256"))   ? EVP_sha256()
                       : str_eq(name, S("sha384")) ? EVP_sha384()
                                                   : EVP_sha512();
    if (!EVP_Digest(bytes.p, bytes.n, digest, &n, md, NULL))
        return js_throw_error(js, "the digest cannot be computed");
    usize len = base64_encoded_len(n, BASE64_STANDARD);
    char *text = arena_alloc(s.arena, len, 1);
    base64_encode(digest, n, BASE64_STANDARD, text);
    return js_str(js, (Str){text, len});
}

static const JsFn fns[] = {JS_FN("digest", integrity_digest)};
BUILTIN_NATIVE(web_fetch_integrity, fns)
