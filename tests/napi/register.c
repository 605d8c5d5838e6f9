/* tests/napi/register.c -- an add-on of the old kind: a constructor registers it. */
#include "addon.h"

static napi_value init(napi_env env, napi_value exports)
{
    napi_value text;
    (void)exports;
    napi_create_string_utf8(env, "instead of exports", NAPI_AUTO_LENGTH, &text);
    return text;
}

static napi_module module = {1, 0, "register.c", init, "register", NULL, {NULL}};

__attribute__((constructor)) static void register_module(void)
{
    napi_module_register(&module);
}
