/* tests/napi/bytes.c -- buffers, typed arrays, views. */
#include "addon.h"

static int n_freed;

static void on_free(napi_env env, void *p, void *hint)
{
    (void)env, (void)hint;
    n_freed++;
    free(p);
}

FN(freed)
{
    ARGS(0);
    return number(env, n_freed);
}

FN(arrayBuffer)
{
    ARGS(1);
    uint32_t n;
    uint8_t *p;
    OK(napi_get_value_uint32(env, arg[0], &n));
    OK(napi_create_arraybuffer(env, n, (void **)&p, &out));
    for (uint32_t i = 0; i < n; i++) p[i] = (uint8_t)i;
    return out;
}

FN(external)
{
    ARGS(1);
    uint32_t n;
    OK(napi_get_value_uint32(env, arg[0], &n));
    uint8_t *p = malloc(n);
    memset(p, 7, n);
    OK(napi_create_external_arraybuffer(env, p, n, on_free, NULL, &out));
    return out;
}

FN(externalBuffer)
{
    ARGS(1);
    uint32_t n;
    OK(napi_get_value_uint32(env, arg[0], &n));
    uint8_t *p = malloc(n);
    memset(p, 8, n);
    OK(napi_create_external_buffer(env, n, p, on_free, NULL, &out));
    return out;
}

FN(shared)
{
    ARGS(1);
    void *p;
    bool is_shared, is_plain;
    OK(node_api_create_sharedarraybuffer(env, 16, &p, &out));
    memset(p, 3, 16);
    OK(node_api_is_sharedarraybuffer(env, out, &is_shared));
    OK(napi_is_arraybuffer(env, out, &is_plain));
    return is_shared && !is_plain ? out : NULL;
}

FN(noExternalShared)
{
    ARGS(0);
    return status_value(
        env, node_api_create_external_sharedarraybuffer(env, &n_freed, 4, NULL, NULL, &out));
}

FN(kinds)
{
    ARGS(1);
    bool b[4];
    OK(napi_is_arraybuffer(env, arg[0], &b[0]));
    OK(napi_is_buffer(env, arg[0], &b[1]));
    OK(napi_is_typedarray(env, arg[0], &b[2]));
    OK(napi_is_dataview(env, arg[0], &b[3]));
    return number(env, b[0] + 2 * b[1] + 4 * b[2] + 8 * b[3]);
}

FN(detach)
{
    ARGS(1);
    bool before, after;
    OK(napi_is_detached_arraybuffer(env, arg[0], &before));
    OK(napi_detach_arraybuffer(env, arg[0]));
    OK(napi_is_detached_arraybuffer(env, arg[0], &after));
    return boolean(env, !before && after);
}

FN(bufferInfo)
{
    ARGS(1);
    void *p;
    size_t n;
    OK(napi_get_arraybuffer_info(env, arg[0], &p, &n));
    return number(env, (double)n + (n ? ((uint8_t *)p)[0] : 0));
}

FN(buffer)
{
    ARGS(1);
    uint32_t n;
    void *p;
    OK(napi_get_value_uint32(env, arg[0], &n));
    OK(napi_create_buffer(env, n, &p, &out));
    memset(p, 'b', n);
    return out;
}

FN(bufferCopy)
{
    ARGS(0);
    void *p;
    OK(napi_create_buffer_copy(env, 4, "copy", &p, &out));
    return memcmp(p, "copy", 4) ? NULL : out;
}

FN(bufferOver)
{
    ARGS(3);
    uint32_t offset, n;
    OK(napi_get_value_uint32(env, arg[1], &offset));
    OK(napi_get_value_uint32(env, arg[2], &n));
    OK(node_api_create_buffer_from_arraybuffer(env, arg[0], offset, n, &out));
    return out;
}

static uint8_t *remembered;

/* The address that a view has, for `poke` later. */
FN(remember)
{
    ARGS(1);
    void *p;
    size_t n;
    OK(napi_get_buffer_info(env, arg[0], &p, &n));
    remembered = p;
    return number(env, (double)n);
}

FN(poke)
{
    ARGS(0);
    remembered[0] = 99;
    return NULL;
}

FN(typedArray)
{
    ARGS(4);
    int32_t type;
    uint32_t offset, n;
    OK(napi_get_value_int32(env, arg[0], &type));
    OK(napi_get_value_uint32(env, arg[2], &offset));
    OK(napi_get_value_uint32(env, arg[3], &n));
    OK(napi_create_typedarray(env, (napi_typedarray_type)type, n, arg[1], offset, &out));
    return out;
}

FN(typedArrayInfo)
{
    ARGS(1);
    napi_typedarray_type type;
    size_t n, offset;
    void *p;
    napi_value buffer;
    OK(napi_get_typedarray_info(env, arg[0], &type, &n, &p, &buffer, &offset));
    OK(napi_create_array(env, &out));
    OK(napi_set_element(env, out, 0, number(env, type)));
    OK(napi_set_element(env, out, 1, number(env, (double)n)));
    OK(napi_set_element(env, out, 2, number(env, (double)offset)));
    OK(napi_set_element(env, out, 3, buffer));
    return out;
}

FN(dataView)
{
    ARGS(3);
    uint32_t offset, n;
    OK(napi_get_value_uint32(env, arg[1], &offset));
    OK(napi_get_value_uint32(env, arg[2], &n));
    OK(napi_create_dataview(env, n, arg[0], offset, &out));
    return out;
}

FN(dataViewInfo)
{
    ARGS(1);
    size_t n, offset;
    void *p;
    napi_value buffer;
    OK(napi_get_dataview_info(env, arg[0], &n, &p, &buffer, &offset));
    OK(napi_create_array(env, &out));
    OK(napi_set_element(env, out, 0, number(env, (double)n)));
    OK(napi_set_element(env, out, 1, number(env, (double)offset)));
    OK(napi_set_element(env, out, 2, buffer));
    return out;
}

FN(memory)
{
    ARGS(0);
    int64_t total;
    OK(napi_adjust_external_memory(env, 1000, &total));
    int64_t less;
    OK(napi_adjust_external_memory(env, -1000, &less));
    return number(env, (double)(total - less));
}

ADDON(EXPORT(freed), EXPORT(arrayBuffer), EXPORT(external), EXPORT(externalBuffer), EXPORT(shared),
      EXPORT(noExternalShared), EXPORT(kinds), EXPORT(detach), EXPORT(bufferInfo), EXPORT(buffer),
      EXPORT(bufferCopy), EXPORT(bufferOver), EXPORT(remember), EXPORT(poke), EXPORT(typedArray),
      EXPORT(typedArrayInfo), EXPORT(dataView), EXPORT(dataViewInfo), EXPORT(memory))
