/* napi/napi_hook.c -- what an add-on wants to do when its Vm ends: newest first; asynchronous ones
 * may take turns of the loop until they are removed. */
#include "napi/napi_env.h"

#include "util/mem.h"

/* The loop runs for asynchronous hooks this many turns at most; one that never ends would keep the
 * process for good. */
enum { TURNS_MAX = 1 << 16 };

struct napi_async_cleanup_hook_handle__ {
    napi_env env;
    napi_async_cleanup_hook fn;
    void *arg;
    bool is_started;
};

struct NapiHook {
    napi_env env;
    napi_cleanup_hook fn;
    void *arg;
    napi_async_cleanup_hook_handle handle; /* an asynchronous one */
    NapiHook *next;
};

static NapiHook *push_hook(napi_env env)
{
    NapiHook *hook = MEM_NEW(NapiHook);
    *hook = (NapiHook){.env = env, .next = env->host->hooks};
    return env->host->hooks = hook;
}

napi_status napi_add_env_cleanup_hook(napi_env env, napi_cleanup_hook fun, void *arg)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, fun);
    NapiHook *hook = push_hook(env);
    hook->fn = fun;
    hook->arg = arg;
    return napi_ok;
}

napi_status napi_remove_env_cleanup_hook(napi_env env, napi_cleanup_hook fun, void *arg)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, fun);
    for (NapiHook **at = &env->host->hooks; *at; at = &(*at)->next) {
        NapiHook *hook = *at;
        if (hook->fn != fun || hook->arg != arg) continue;
        *at = hook->next;
        mem_free(hook);
        break;
    }
    return napi_ok;
}

napi_status napi_add_async_cleanup_hook(napi_env env, napi_async_cleanup_hook hook, void *arg,
                                        napi_async_cleanup_hook_handle *remove_handle)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, hook);
    napi_async_cleanup_hook_handle handle = MEM_NEW(struct napi_async_cleanup_hook_handle__);
    *handle = (struct napi_async_cleanup_hook_handle__){env, hook, arg, false};
    push_hook(env)->handle = handle;
    if (remove_handle) *remove_handle = handle;
    return napi_done(env, napi_ok);
}

napi_status napi_remove_async_cleanup_hook(napi_async_cleanup_hook_handle remove_handle)
{
    if (!remove_handle) return napi_invalid_arg;
    NapiHost *host = remove_handle->env->host;
    for (NapiHook **at = &host->hooks; *at; at = &(*at)->next) {
        NapiHook *hook = *at;
        if (hook->handle != remove_handle) continue;
        *at = hook->next;
        mem_free(hook);
        break;
    }
    if (remove_handle->is_started) host->n_async_hooks--;
    mem_free(remove_handle);
    return napi_ok;
}

void napi_hooks_run(NapiHost *host)
{
    for (NapiHook *hook; (hook = host->hooks);) {
        host->hooks = hook->next;
        napi_env env = hook->env;
        NapiScope scope = napi_scope_begin(env);
        napi_async_cleanup_hook_handle handle = hook->handle;
        if (handle) {
            handle->is_started = true;
            host->n_async_hooks++;
            handle->fn(handle, handle->arg);
        } else {
            hook->fn(hook->arg);
        }
        napi_scope_end(env, scope);
        mem_free(hook);
    }
    for (u32 i = 0; host->n_async_hooks && i < TURNS_MAX; i++)
        if (!loop_run(host->vm->loop, LOOP_RUN_ONCE)) break;
}
