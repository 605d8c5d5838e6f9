/* tests/napi/addon.h -- what the test add-ons share.  Every exported function takes its arguments
 * with ARGS and gives a value; OK ends it with the name of the status when a call fails. */
#pragma once

#include "napi/node_api.h"

#include <stdlib.h>
#include <string.h>

static inline napi_value status_value(napi_env env, napi_status status)
{
    napi_value v;
    napi_create_int32(env, (int)status, &v);
    return v;
}

#define ARGS(n)                                                                                    \
    size_t argc = (n);                                                                             \
    napi_value arg[(n) ? (n) : 1], self, out = NULL;                                               \
    void *data = NULL;                                                                             \
    napi_get_cb_info(env, info, &argc, arg, &self, &data);                                         \
    (void)out, (void)self, (void)data, (void)argc

/* The status of a failed call is what the function gives. */
#define OK(call)                                                                                   \
    do {                                                                                           \
        napi_status ok_status_ = (call);                                                           \
        if (ok_status_ != napi_ok) return status_value(env, ok_status_);                           \
    } while (0)

#define FN(name) static napi_value name(napi_env env, napi_callback_info info)
#define EXPORT(name)                                                                               \
    {                                                                                              \
#name, NULL, name, NULL, NULL, NULL, napi_enumerable, NULL                                 \
    }

#define ADDON(...)                                                                                 \
    NAPI_EXPORT int32_t node_api_module_get_api_version_v1(void);                                  \
    NAPI_EXPORT int32_t node_api_module_get_api_version_v1(void)                                   \
    {                                                                                              \
        return 10;                                                                                 \
    }                                                                                              \
    NAPI_EXPORT napi_value napi_register_module_v1(napi_env env, napi_value exports);              \
    NAPI_EXPORT napi_value napi_register_module_v1(napi_env env, napi_value exports)               \
    {                                                                                              \
        const napi_property_descriptor all[] = {__VA_ARGS__};                                      \
        napi_define_properties(env, exports, sizeof(all) / sizeof(*all), all);                     \
        return exports;                                                                            \
    }

static inline napi_value boolean(napi_env env, bool b)
{
    napi_value v;
    napi_get_boolean(env, b, &v);
    return v;
}
static inline napi_value number(napi_env env, double n)
{
    napi_value v;
    napi_create_double(env, n, &v);
    return v;
}
