/* web/crypto -- native half of the crypto global.  The JS half has checked the types. */
#include "builtins/builtins.h"
#include "sys/sys.h"

/* fill(view): all of its bytes become random. */
JS_NATIVE(crypto_native_fill)
{
    JsBytes bytes;
    if (!js_take_bytes(js, js_arg(args, 0), &bytes)) return NULL;
    if (bytes.n) sys_random(bytes.p, bytes.n);
    return JS_UNDEFINED;
}

/* equal(a, b): in a time that depends on the length only; both have the same. */
JS_NATIVE(crypto_native_equal)
{
    JsBytes a, b;
    bool ok = js_take_bytes(js, js_arg(args, 0), &a) && js_take_bytes(js, js_arg(args, 1), &b);
    if (!ok) return NULL;
    JS_EXPECT(js, a.n == b.n);
    const volatile u8 *x = a.p, *y = b.p;
    u8 difference = 0;
    for (usize i = 0; i < a.n; i++) difference = (u8)(difference | (x[i] ^ y[i]));
    return js_boolean(difference == 0);
}

static const JsFn fns[] = {
    JS_FN("fill", crypto_native_fill),
    JS_FN("equal", crypto_native_equal),
};
BUILTIN_NATIVE(web_crypto, fns)
