/* node/crypto/dh.c -- Diffie-Hellman over numbers (DiffieHellman) and over curves (ECDH).
 *
 * The classes of Node let the caller set and read every part, so they are arithmetic on numbers and
 * points rather than keys. */
#include "builtins/node/crypto/key_handle.h"

#include "util/mem.h"

#include <openssl/bn.h>
#include <openssl/dh.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/obj_mac.h>

enum { DH_BITS_MAX = 16384 };

/* ---- Numbers --------------------------------------------------------------------------------- */

/* modPow(base, exponent, modulus) -> bytes as long as the modulus, or a failure; constant time in
 * the exponent */
JS_NATIVE(dh_mod_pow)
{
    BIGNUM *base = crypto_bn_take(js, js_arg(args, 0)), *e = crypto_bn_take(js, js_arg(args, 1));
    BIGNUM *m = crypto_bn_take(js, js_arg(args, 2)), *out = BN_new();
    BN_CTX *ctx = BN_CTX_secure_new();
    JsVal result = NULL;
    bool ok = base && e && m && BN_num_bits(m) <= DH_BITS_MAX && BN_is_odd(m);
    if (ok) {
        BN_set_flags(e, BN_FLG_CONSTTIME);
        ok = BN_mod_exp(out, base, e, m, ctx);
    }
    if (ok) result = crypto_bn_bytes(js, out, (usize)BN_num_bytes(m));
    BN_CTX_free(ctx);
    BN_free(base);
    BN_clear_free(e);
    BN_free(m);
    BN_clear_free(out);
    return result ? result : crypto_failure(js, "Invalid DH parameters");
}

/* randomBelow(modulus) -> a private number: bytes in [2, modulus - 2] */
JS_NATIVE(dh_random_below)
{
    BIGNUM *m = crypto_bn_take(js, js_arg(args, 0)), *out = BN_new();
    JsVal result = NULL;
    bool ok = m && BN_num_bits(m) > 3 && BN_sub_word(m, 3) && BN_priv_rand_range(out, m) &&
              BN_add_word(out, 2);
    if (ok) result = crypto_bn_bytes(js, out, 0);
    BN_free(m);
    BN_clear_free(out);
    return result ? result : crypto_failure(js, "Invalid DH parameters");
}

/* compare(key, modulus): -1 when key <= 1, 1 when key >= modulus - 1, else 0 */
JS_NATIVE(dh_compare)
{
    BIGNUM *key = crypto_bn_take(js, js_arg(args, 0)), *m = crypto_bn_take(js, js_arg(args, 1));
    i32 order = -1;
    if (key && m && BN_sub_word(m, 1)) {
        if (BN_cmp(key, m) >= 0)
            order = 1;
        else if (!BN_is_zero(key) && !BN_is_one(key))
            order = 0;
    }
    BN_clear_free(key);
    BN_free(m);
    return js_int(js, order);
}

/* safePrime(bits, generator) -> bytes or failure: a prime p such that (p - 1) / 2 is one too, and
 * the generator has the order that it should have */
JS_NATIVE(dh_safe_prime)
{
    i32 bits = js_get_i32(js, js_arg(args, 0)), generator = js_get_i32(js, js_arg(args, 1));
    BIGNUM *p = BN_new(), *add = BN_new(), *rem = BN_new();
    u32 step = generator == 2 ? 24 : generator == 5 ? 60 : 12;
    u32 rest = generator == 2 ? 23 : generator == 5 ? 59 : 11;
    bool ok = BN_set_word(add, step) && BN_set_word(rem, rest) &&
              BN_generate_prime_ex(p, bits, 1, add, rem, NULL);
    JsVal result = ok ? crypto_bn_bytes(js, p, 0) : NULL;
    BN_free(p);
    BN_free(add);
    BN_free(rem);
    return result ? result : crypto_failure(js, "Invalid DH parameters");
}

/* check(prime, generator) -> what is wrong with them, as bits of DH_CHECK_... */
JS_NATIVE(dh_check)
{
    BIGNUM *p = crypto_bn_take(js, js_arg(args, 0)), *g = crypto_bn_take(js, js_arg(args, 1));
    BIGNUM *top = p ? BN_dup(p) : NULL;
    i32 wrong = 0;
    if (!top || !g || !BN_sub_word(top, 1) || BN_num_bits(p) > DH_BITS_MAX) {
        wrong = DH_CHECK_P_NOT_PRIME;
    } else {
        if (BN_is_zero(g) || BN_is_one(g) || BN_cmp(g, top) >= 0)
            wrong |= DH_NOT_SUITABLE_GENERATOR;
        if (BN_check_prime(p, NULL, NULL) <= 0)
            wrong |= DH_CHECK_P_NOT_PRIME;
        else if (!BN_rshift1(top, top) || BN_check_prime(top, NULL, NULL) <= 0)
            wrong |= DH_CHECK_P_NOT_SAFE_PRIME;
    }
    ERR_clear_error();
    BN_free(p);
    BN_free(g);
    BN_free(top);
    return js_int(js, wrong);
}

/* group(name) -> the prime of a known group, or undefined; its generator is 2 */
JS_NATIVE(dh_group)
{
    static const struct {
        const char *name;
        BIGNUM *(*make)(BIGNUM *);
    } rows[] = {
        {"modp1", BN_get_rfc2409_prime_768},   {"modp2", BN_get_rfc2409_prime_1024},
        {"modp5", BN_get_rfc3526_prime_1536},  {"modp14", BN_get_rfc3526_prime_2048},
        {"modp15", BN_get_rfc3526_prime_3072}, {"modp16", BN_get_rfc3526_prime_4096},
        {"modp17", BN_get_rfc3526_prime_6144}, {"modp18", BN_get_rfc3526_prime_8192},
    };
    AUTO(Scratch) s = scratch_begin(NULL);
    Str name;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &name)) return NULL;
    for (u32 i = 0; i < COUNT(rows); i++) {
        if (!str_eq(name, str_z(rows[i].name))) continue;
        BIGNUM *p = rows[i].make(NULL);
        JsVal bytes = crypto_bn_bytes(js, p, 0);
        BN_free(p);
        return bytes;
    }
    return JS_UNDEFINED;
}

/* ---- Curves ---------------------------------------------------------------------------------- */

static EC_GROUP *group_of(Js *js, JsVal name)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str text;
    if (!js_to_str(js, s.arena, name, &text)) {
        (void)js_catch(js);
        return NULL;
    }
    int nid = OBJ_txt2nid(text.p);
    if (nid == NID_undef) nid = EC_curve_nist2nid(text.p);
    EC_GROUP *group = nid == NID_undef ? NULL : EC_GROUP_new_by_curve_name(nid);
    ERR_clear_error();
    return group;
}

static JsVal point_bytes(Js *js, const EC_GROUP *group, const EC_POINT *point, i32 form)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    point_conversion_form_t f = (point_conversion_form_t)form;
    usize n = EC_POINT_point2oct(group, point, f, NULL, 0, NULL);
    u8 *p = arena_alloc(s.arena, n + 1, 1);
    if (!n || !EC_POINT_point2oct(group, point, f, p, n, NULL))
        return crypto_failure(js, "Failed to get ECDH public key");
    return js_u8array(js, p, n);
}

static EC_POINT *take_point(Js *js, const EC_GROUP *group, JsVal v)
{
    JsBytes b;
    EC_POINT *point = EC_POINT_new(group);
    bool ok = js_bytes(js, v, &b) && EC_POINT_oct2point(group, point, b.p, b.n, NULL) &&
              !EC_POINT_is_at_infinity(group, point);
    ERR_clear_error();
    if (ok) return point;
    EC_POINT_free(point);
    return NULL;
}

/* isCurve(name) */
JS_NATIVE(dh_is_curve)
{
    EC_GROUP *group = group_of(js, js_arg(args, 0));
    bool ok = group;
    EC_GROUP_free(group);
    return js_boolean(ok);
}

/* curvePrivate(curve) -> a private number */
JS_NATIVE(dh_curve_private)
{
    EC_GROUP *group = group_of(js, js_arg(args, 0));
    BIGNUM *n = BN_new();
    JsVal result = NULL;
    const BIGNUM *order = group ? EC_GROUP_get0_order(group) : NULL;
    while (order && BN_priv_rand_range(n, order) && BN_is_zero(n)) {
    }
    if (order && !BN_is_zero(n)) result = crypto_bn_bytes(js, n, (usize)BN_num_bytes(order));
    BN_clear_free(n);
    EC_GROUP_free(group);
    return result ? result : crypto_failure(js, "Failed to generate key");
}

/* curvePublic(curve, private bytes, form) -> the point, or undefined for a number that is none */
JS_NATIVE(dh_curve_public)
{
    EC_GROUP *group = group_of(js, js_arg(args, 0));
    BIGNUM *n = crypto_bn_take(js, js_arg(args, 1));
    JsVal result = JS_UNDEFINED;
    bool ok = group && n && !BN_is_zero(n) && BN_cmp(n, EC_GROUP_get0_order(group)) < 0;
    EC_POINT *point = ok ? EC_POINT_new(group) : NULL;
    if (point && EC_POINT_mul(group, point, n, NULL, NULL, NULL))
        result = point_bytes(js, group, point, js_get_i32(js, js_arg(args, 2)));
    EC_POINT_free(point);
    BN_clear_free(n);
    EC_GROUP_free(group);
    ERR_clear_error();
    return result;
}

/* curveSecret(curve, private bytes, point of the other) -> the shared x, or undefined for a point
 * that is not on the curve */
JS_NATIVE(dh_curve_secret)
{
    EC_GROUP *group = group_of(js, js_arg(args, 0));
    BIGNUM *n = crypto_bn_take(js, js_arg(args, 1)), *x = BN_new();
    EC_POINT *theirs = group ? take_point(js, group, js_arg(args, 2)) : NULL;
    EC_POINT *shared = theirs ? EC_POINT_new(group) : NULL;
    JsVal result = JS_UNDEFINED;
    if (shared && n && EC_POINT_mul(group, shared, NULL, theirs, n, NULL) &&
        EC_POINT_get_affine_coordinates(group, shared, x, NULL, NULL))
        result = crypto_bn_bytes(js, x, ((usize)EC_GROUP_get_degree(group) + 7) / 8);
    EC_POINT_free(theirs);
    EC_POINT_clear_free(shared);
    BN_clear_free(x);
    BN_clear_free(n);
    EC_GROUP_free(group);
    ERR_clear_error();
    return result;
}

/* curvePoint(curve, point, form) -> the same point in that form, or undefined */
JS_NATIVE(dh_curve_point)
{
    EC_GROUP *group = group_of(js, js_arg(args, 0));
    EC_POINT *point = group ? take_point(js, group, js_arg(args, 1)) : NULL;
    JsVal result = JS_UNDEFINED;
    if (point) result = point_bytes(js, group, point, js_get_i32(js, js_arg(args, 2)));
    EC_POINT_free(point);
    EC_GROUP_free(group);
    return result;
}

/* curves() -> names, one a line */
JS_NATIVE(dh_curves)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    AUTO(Buf) names = {0};
    usize n = EC_get_builtin_curves(NULL, 0);
    EC_builtin_curve *curves = ARENA_ARRAY(s.arena, EC_builtin_curve, n);
    n = EC_get_builtin_curves(curves, n);
    for (usize i = 0; i < n; i++) {
        if (i) buf_push_char(&names, '\n');
        buf_push(&names, str_z(OBJ_nid2sn(curves[i].nid)));
    }
    return js_str(js, buf_str(&names));
}

static const JsFn fns[] = {
    JS_FN("modPow", dh_mod_pow),
    JS_FN("randomBelow", dh_random_below),
    JS_FN("compare", dh_compare),
    JS_FN("safePrime", dh_safe_prime),
    JS_FN("check", dh_check),
    JS_FN("group", dh_group),
    JS_FN("isCurve", dh_is_curve),
    JS_FN("curvePrivate", dh_curve_private),
    JS_FN("curvePublic", dh_curve_public),
    JS_FN("curveSecret", dh_curve_secret),
    JS_FN("curvePoint", dh_curve_point),
    JS_FN("curves", dh_curves),
};
BUILTIN_NATIVE(node_crypto_dh, fns)
