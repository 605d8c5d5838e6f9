/* napi/napi.c -- loading native add-ons.
 *
 * An add-on names its entry point by a symbol, or registers a description from a constructor while
 * it is loaded.  Constructors run once for the process, so what they registered is remembered with
 * the handle.  Every load makes an environment of its own. */
#include "napi/napi.h"

#include <dlfcn.h>

#include "napi/napi_env.h"
#include "sys/sys.h"
#include "util/mem.h"

typedef struct Registered Registered;
struct Registered {
    void *handle;
    const napi_module *module;
    Registered *next;
};

static SysMutex lock; /* over loading and `registered` */
static Registered *registered;
static _Thread_local const napi_module *registering;

void napi_module_register(napi_module *mod)
{
    registering = mod;
}

/* ---- Errors --------------------------------------------------------------------------------- */

static JsVal throw_coded(Js *js, const char *code, Str message)
{
    JsVal error = js_make_error(js, message);
    if (!js_set(js, error, "code", js_str(js, str_z(code)))) return NULL;
    return js_throw(js, error);
}

/* The symbol that the linker's text misses, or an empty Str. */
static Str missing_symbol(Str text)
{
    Str mark = S("undefined symbol: ");
    i64 at = str_find_str(text, mark);
    if (at < 0) return (Str){0};
    Str rest = str_skip(text, (usize)at + mark.n), symbol, tail;
    return str_cut(rest, ' ', &symbol, &tail) ? symbol : rest;
}

static const char *interface_of(Str symbol)
{
    static const struct {
        const char *start, *what;
    } known[] = {
        {"_ZN2v8", "the C++ interface of V8"},
        {"_ZNK2v8", "the C++ interface of V8"},
        {"_ZTIN2v8", "the C++ interface of V8"},
        {"_ZTVN2v8", "the C++ interface of V8"},
        {"_ZN4node", "the C++ interface of Node"},
        {"node_module_register", "the C++ interface of Node"},
        {"uv_", "libuv"},
    };
    for (u32 i = 0; i < COUNT(known); i++)
        if (str_starts(symbol, str_z(known[i].start))) return known[i].what;
    return NULL;
}

static JsVal throw_link_error(Js *js, Str path, const char *error)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str text = str_z(error ? error : "cannot be loaded"), symbol = missing_symbol(text);
    const char *what = interface_of(symbol);
    if (what)
        text = str_fmt(s.arena,
                       "%.*s: the add-on needs %s (%.*s); only add-ons for Node-API can be loaded",
                       STR_ARG(path), what, STR_ARG(symbol));
    return throw_coded(js, "ERR_DLOPEN_FAILED", text);
}

/* ---- Loading -------------------------------------------------------------------------------- */

static const napi_module *find_registered(void *handle)
{
    for (const Registered *r = registered; r; r = r->next)
        if (r->handle == handle) return r->module;
    return NULL;
}

static void *open_addon(const char *path, i32 flags, const char **ret_error,
                        const napi_module **ret_module)
{
    sys_mutex_lock(&lock);
    registering = NULL;
    /* At once, so that what is missing is an error here and not the end of the process later. */
    void *handle = sys_dl_open(path, (flags & ~RTLD_LAZY) | RTLD_NOW, ret_error);
    const napi_module *module = TAKE(registering);
    if (handle && module && !find_registered(handle)) {
        Registered *r = MEM_NEW(Registered);
        *r = (Registered){handle, module, registered};
        registered = r;
    }
    *ret_module = handle ? find_registered(handle) : NULL;
    sys_mutex_unlock(&lock);
    return handle;
}

static i32 version_of(void *handle)
{
    void *symbol = sys_dl_find(handle, "node_api_module_get_api_version_v1");
    if (!symbol) return NAPI_VERSION_DEFAULT;
    i32 version = ((node_api_addon_get_api_version_func)symbol)();
    return version < NAPI_VERSION_DEFAULT ? NAPI_VERSION_DEFAULT : version;
}

/* The add-on's own entry fills `exports`; the result is what it gives for them. */
static JsVal run_entry(napi_env env, napi_addon_register_func entry, JsVal exports)
{
    NapiScope scope = napi_scope_begin(env);
    JsVal v = napi_in(entry(env, napi_out(env, exports)));
    napi_scope_end(env, scope);
    if (js_is_pending(env->js)) return NULL;
    return v ? v : exports;
}

JsVal napi_addon_load(Vm *vm, const NapiAddon *addon, JsVal exports)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Js *js = vm->js;
    NapiHost *host = napi_host(vm);
    if (!host) return NULL;
    const char *error;
    const napi_module *module;
    void *handle = open_addon(str_dup_z(s.arena, addon->path), addon->flags, &error, &module);
    if (!handle) return throw_link_error(js, addon->path, error);
    void *symbol = sys_dl_find(handle, "napi_register_module_v1");
    napi_addon_register_func entry = symbol   ? (napi_addon_register_func)symbol
                                     : module ? module->nm_register_func
                                              : NULL;
    i32 version = version_of(handle);
    if (!entry) {
        Str text = module ? S("Module has no declared entry point.")
                          : str_fmt(s.arena, "Module did not self-register: '%.*s'.",
                                    STR_ARG(addon->path));
        if (!module) sys_dl_close(handle);
        return throw_coded(js, "ERR_DLOPEN_FAILED", text);
    }
    if (version > NAPI_VERSION_MAX && version != NAPI_VERSION_EXPERIMENTAL) {
        Str text =
            str_fmt(s.arena, "%.*s requires Node-API version %d, but only version %d is known",
                    STR_ARG(addon->path), version, NAPI_VERSION_MAX);
        return throw_coded(js, "ERR_DLOPEN_FAILED", text);
    }
    return run_entry(napi_env_new(host, addon->url, version), entry, exports);
}

void napi_addon_object_died(Vm *vm, f64 id)
{
    if (vm->napi) napi_ref_died(vm->napi, id);
}
