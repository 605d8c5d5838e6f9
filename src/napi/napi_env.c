/* napi/napi_env.c -- environments, the last error, scopes of handles, what an environment keeps. */
#include "napi/napi_env.h"

#include <string.h>

#include "sys/sys.h"
#include "util/mem.h"

static void end_addons(Vm *vm);
static void free_addons(Vm *vm);

/* ---- The host ------------------------------------------------------------------------------- */

static bool load_helpers(NapiHost *host)
{
    Js *js = host->js;
    JsVal module = vm_builtin(host->vm, S("internal/napi"));
    JsVal list = module ? js_get(js, module, "helpers") : NULL;
    for (u32 i = 0; list && i < NAPI_JS_LEN; i++) {
        JsVal fn = js_get_index(js, list, i);
        if (!fn) return false;
        js_ref_set_strong(js, &host->fns[i], fn);
    }
    return list != NULL;
}

NapiHost *napi_host(Vm *vm)
{
    if (vm->napi) return vm->napi;
    NapiHost *host = MEM_NEW(NapiHost);
    *host = (NapiHost){.vm = vm, .js = vm->js, .handles = js_handles(vm->js)};
    if (!load_helpers(host)) {
        mem_free(host);
        return NULL;
    }
    host->mail = loop_mail(vm->loop);
    vm->napi = host;
    vm->end_addons = end_addons;
    vm->free_addons = free_addons;
    return host;
}

JsVal napi_js_call(NapiHost *host, NapiJs which, JsArgs args)
{
    return js_call(host->js, js_ref_get(host->js, &host->fns[which]), JS_UNDEFINED, args);
}

static void close_env(napi_env env)
{
    napi_refs_close(env);
    napi_externals_close(env);
    napi_finalize finalize = TAKE(env->instance_finalize);
    if (finalize) napi_call_finalizer(env, finalize, env->instance_data, env->instance_hint);
    napi_run_posted(env);
}

/* The Vm ends.  Environments go in the order opposite to that in which they came. */
static void end_addons(Vm *vm)
{
    NapiHost *host = vm->napi;
    if (!host || host->is_closing) return;
    if (js_is_pending(host->js)) (void)js_catch(host->js);
    napi_hooks_run(host);
    host->is_closing = true;
    napi_tsfns_close(host);
    napi_works_close(host);
    for (napi_env env = host->envs; env; env = env->next) close_env(env);
    sys_stdio_flush();
}

/* After the machine is gone: nobody knows an environment any more. */
static void free_addons(Vm *vm)
{
    NapiHost *host = TAKE(vm->napi);
    if (!host) return;
    for (napi_env env; (env = host->envs);) {
        host->envs = env->next;
        napi_samples_free(env);
        mem_free(env->filename);
        mem_free(env);
    }
    (void)loop_mail_unref_mt(host->mail);
    napi_records_free(host);
    napi_uv_free(host);
    mem_free(host);
}

/* ---- Environments --------------------------------------------------------------------------- */

napi_env napi_env_new(NapiHost *host, Str filename, i32 version)
{
    napi_env env = MEM_NEW(struct napi_env__);
    *env = (struct napi_env__){
        .host = host,
        .js = host->js,
        .handles = host->handles,
        .version = version,
        .filename = mem_new(filename.n + 1),
        .next = host->envs,
    };
    memcpy(env->filename, filename.p, filename.n);
    host->envs = env;
    return env;
}

static bool can_call_js(napi_env env)
{
    return !env->host->is_closing && !env->host->vm->is_stopping;
}

napi_status napi_enter(napi_env env)
{
    if (UNLIKELY(js_is_pending(env->js))) return napi_done(env, napi_pending_exception);
    if (UNLIKELY(!can_call_js(env)))
        return napi_done(env, env->version >= 10 ? napi_cannot_run_js : napi_pending_exception);
    return napi_done(env, napi_ok);
}

napi_status napi_thrown(napi_env env)
{
    return napi_done(env, napi_pending_exception);
}

napi_status napi_get_last_error_info(napi_env env, const napi_extended_error_info **result)
{
    static const char *const messages[] = {
        NULL,
        "Invalid argument",
        "An object was expected",
        "A string was expected",
        "A string or symbol was expected",
        "A function was expected",
        "A number was expected",
        "A boolean was expected",
        "An array was expected",
        "Unknown failure",
        "An exception is pending",
        "The async work item was cancelled",
        "napi_escape_handle already called on scope",
        "Invalid handle scope usage",
        "Invalid callback scope usage",
        "Thread-safe function queue is full",
        "Thread-safe function handle is closing",
        "A bigint was expected",
        "A date was expected",
        "An arraybuffer was expected",
        "A detachable arraybuffer was expected",
        "Main thread would deadlock",
        "External buffers are not allowed",
        "Cannot run JavaScript",
    };
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, result);
    ASSERT((u32)env->last.error_code < COUNT(messages));
    env->last.error_message = messages[env->last.error_code];
    if (env->last.error_code == napi_ok) (void)napi_done(env, napi_ok);
    *result = &env->last;
    return napi_ok;
}

/* ---- Scopes --------------------------------------------------------------------------------- *
 * A scope is the length of the stack of handles, plus one so that it is not NULL.  Below an
 * escapable scope there is a place for what escapes: undefined until then. */

static napi_handle_scope open_scope(napi_env env)
{
    env->n_scopes++;
    return (napi_handle_scope)((uintptr_t)env->handles->len + 1);
}

static napi_status close_scope(napi_env env, uintptr_t scope)
{
    NAPI_CHECK(env, scope != 0, napi_invalid_arg);
    NAPI_CHECK(env, env->n_scopes != 0, napi_handle_scope_mismatch);
    env->n_scopes--;
    u32 len = (u32)(scope - 1);
    if (len < env->handles->len) js_handles_drop(env->js, env->handles, len);
    return napi_done(env, napi_ok);
}

napi_status napi_open_handle_scope(napi_env env, napi_handle_scope *result)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, result);
    *result = open_scope(env);
    return napi_done(env, napi_ok);
}

napi_status napi_close_handle_scope(napi_env env, napi_handle_scope scope)
{
    NAPI_CHECK_ENV(env);
    return close_scope(env, (uintptr_t)scope);
}

napi_status napi_open_escapable_handle_scope(napi_env env, napi_escapable_handle_scope *result)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, result);
    js_handles_push(env->js, env->handles, JS_UNDEFINED);
    *result = (napi_escapable_handle_scope)(void *)open_scope(env);
    return napi_done(env, napi_ok);
}

napi_status napi_close_escapable_handle_scope(napi_env env, napi_escapable_handle_scope scope)
{
    NAPI_CHECK_ENV(env);
    return close_scope(env, (uintptr_t)scope);
}

napi_status napi_escape_handle(napi_env env, napi_escapable_handle_scope scope, napi_value escapee,
                               napi_value *result)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, scope);
    NAPI_CHECK_ARG(env, escapee);
    NAPI_CHECK_ARG(env, result);
    usize at = (uintptr_t)scope - 2;
    NAPI_CHECK(env, at < env->handles->len, napi_invalid_arg);
    NAPI_CHECK(env, env->handles->at[at] == JS_UNDEFINED, napi_escape_called_twice);
    js_handles_put(env->js, env->handles, (u32)at,
                   napi_is_cell(napi_in(escapee)) ? napi_in(escapee) : JS_NULL);
    *result = escapee;
    return napi_done(env, napi_ok);
}

NapiScope napi_scope_begin(napi_env env)
{
    return (NapiScope){env->handles->len, env->n_scopes};
}

void napi_scope_end(napi_env env, NapiScope scope)
{
    js_handles_drop(env->js, env->handles, scope.len);
    env->n_scopes = scope.n_scopes;
}

void napi_report(napi_env env)
{
    if (!js_is_pending(env->js)) return;
    if (can_call_js(env))
        vm_report_pending(env->host->vm);
    else
        (void)js_catch(env->js);
}

void napi_call_finalizer(napi_env env, napi_finalize fn, void *data, void *hint)
{
    NapiScope scope = napi_scope_begin(env);
    fn(env, data, hint);
    napi_scope_end(env, scope);
    napi_report(env);
}

/* ---- What an environment keeps -------------------------------------------------------------- */

napi_status napi_set_instance_data(napi_env env, void *data, napi_finalize finalize_cb,
                                   void *finalize_hint)
{
    NAPI_CHECK_ENV(env);
    env->instance_data = data;
    env->instance_finalize = finalize_cb;
    env->instance_hint = finalize_hint;
    return napi_done(env, napi_ok);
}

napi_status napi_get_instance_data(napi_env env, void **data)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, data);
    *data = env->instance_data;
    return napi_done(env, napi_ok);
}

napi_status node_api_get_module_file_name(napi_env env, const char **result)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, result);
    *result = env->filename;
    return napi_done(env, napi_ok);
}

napi_status napi_get_version(napi_env env, uint32_t *result)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, result);
    *result = NAPI_VERSION_MAX;
    return napi_done(env, napi_ok);
}

napi_status napi_get_node_version(napi_env env, const napi_node_version **version)
{
    /* As process.version says. */
    static const napi_node_version node = {24, 22, 3, "node"};
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, version);
    *version = &node;
    return napi_done(env, napi_ok);
}

napi_status napi_adjust_external_memory(napi_env env, int64_t change_in_bytes,
                                        int64_t *adjusted_value)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, adjusted_value);
    js_report_memory(env->js, change_in_bytes);
    env->external_bytes += change_in_bytes;
    *adjusted_value = env->external_bytes;
    return napi_done(env, napi_ok);
}
