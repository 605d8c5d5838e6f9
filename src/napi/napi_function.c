/* napi/napi_function.c -- functions and classes of add-ons, and calls in both directions. */
#include "napi/napi_env.h"

#include "util/mem.h"

/* What a function value carries. */
typedef struct {
    napi_env env;
    napi_callback cb;
    void *data;
    /* Of a class: itself (compared only), and an object without properties that has its prototype,
     * which the environment keeps. */
    JsVal self, sample;
} Function;

struct NapiSample {
    JsRef ref;
    struct NapiSample *next;
};

struct napi_callback_info__ {
    JsArgs args;
    JsVal new_target; /* NULL: a plain call */
    void *data;
};

/* ---- From JavaScript ------------------------------------------------------------------------ */

/* `this` as functions in sloppy mode see it. */
static JsVal sloppy_this(napi_env env, JsVal self)
{
    if (js_is_object(env->js, self)) return self;
    if (js_is_nullish(self)) return js_global(env->js);
    return napi_js_call(env->host, NAPI_JS_TO_OBJECT, JS_ARGS(self));
}

static bool has_sample(const Function *fn, JsVal target)
{
    return fn->sample && target == fn->self;
}

static JsVal new_this(const Function *fn, JsVal target)
{
    Js *js = fn->env->js;
    if (!has_sample(fn, target))
        return napi_js_call(fn->env->host, NAPI_JS_NEW_OBJECT, JS_ARGS(target));
    JsVal obj = js_object(js);
    js_make_alike(js, obj, fn->sample);
    return obj;
}

static JsVal enter_callback(Js *js, void *data, JsArgs args, JsVal new_target)
{
    const Function *fn = data;
    napi_env env = fn->env;
    struct napi_callback_info__ info = {.args = args, .new_target = new_target, .data = fn->data};
    info.args.self = new_target ? new_this(fn, new_target) : sloppy_this(env, args.self);
    if (UNLIKELY(!info.args.self)) return NULL;
    NapiScope scope = napi_scope_begin(env);
    (void)napi_done(env, napi_ok);
    JsVal result = napi_in(fn->cb(env, &info));
    napi_scope_end(env, scope);
    if (UNLIKELY(js_is_pending(js))) return NULL;
    if (!result) result = JS_UNDEFINED;
    if (!new_target) return result;
    if (has_sample(fn, new_target)) js_hidden_learn(js, info.args.self);
    return js_is_object(js, result) ? result : info.args.self;
}

static JsVal make_function(napi_env env, Str name, napi_callback cb, void *data, Function **ret)
{
    Function *fn = MEM_NEW(Function);
    *fn = (Function){.env = env, .cb = cb, .data = data};
    if (ret) *ret = fn;
    return js_callback(env->js, name, enter_callback, fn, mem_free);
}

/* Classes do not change their prototype, so one object tells what all are like. */
static void keep_sample(napi_env env, Function *fn, JsVal self, JsVal proto)
{
    JsVal sample = js_object(env->js);
    js_set_proto(env->js, sample, proto);
    struct NapiSample *kept = MEM_NEW(struct NapiSample);
    js_ref_set_strong(env->js, &kept->ref, sample);
    kept->next = env->samples;
    env->samples = kept;
    fn->self = self;
    fn->sample = sample;
}

void napi_samples_free(napi_env env)
{
    for (struct NapiSample *kept; (kept = env->samples);) {
        env->samples = kept->next;
        mem_free(kept);
    }
}

JsVal napi_function_new(napi_env env, Str name, napi_callback cb, void *data)
{
    return make_function(env, name, cb, data, NULL);
}

/* fn.prototype, with its constructor: functions of add-ons can be called with `new`. */
static bool add_prototype(napi_env env, JsVal fn, napi_property_attributes flags, JsVal *ret_proto)
{
    Js *js = env->js;
    JsVal proto = js_object(js);
    if (!js_define(js, proto, "constructor", fn, false)) return false;
    if (ret_proto) *ret_proto = proto;
    return napi_js_call(env->host, NAPI_JS_DEFINE,
                        JS_ARGS(fn, js_str(js, S("prototype")), proto, js_int(js, (i32)flags)));
}

napi_status napi_create_function(napi_env env, const char *utf8name, size_t length,
                                 napi_callback cb, void *data, napi_value *result)
{
    NAPI_ENTER(env);
    NAPI_CHECK_ARG(env, result);
    NAPI_CHECK_ARG(env, cb);
    Str name;
    NAPI_CHECK(env, napi_text(utf8name, utf8name ? length : 0, &name), napi_invalid_arg);
    JsVal fn = napi_function_new(env, name, cb, data);
    if (!fn || !add_prototype(env, fn, napi_writable, NULL)) return napi_thrown(env);
    return napi_give(env, fn, result);
}

napi_status napi_get_cb_info(napi_env env, napi_callback_info cbinfo, size_t *argc,
                             napi_value *argv, napi_value *this_arg, void **data)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, cbinfo);
    if (argv) {
        NAPI_CHECK_ARG(env, argc);
        usize n = MIN(*argc, (usize)cbinfo->args.len), i = 0;
        for (; i < n; i++) argv[i] = napi_raw(cbinfo->args.at[i]);
        for (; i < *argc; i++) argv[i] = napi_raw(JS_UNDEFINED);
    }
    if (argc) *argc = cbinfo->args.len;
    if (this_arg) *this_arg = napi_out(env, cbinfo->args.self);
    if (data) *data = cbinfo->data;
    return napi_done(env, napi_ok);
}

napi_status napi_get_new_target(napi_env env, napi_callback_info cbinfo, napi_value *result)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, cbinfo);
    NAPI_CHECK_ARG(env, result);
    *result = cbinfo->new_target ? napi_raw(cbinfo->new_target) : NULL;
    return napi_done(env, napi_ok);
}

/* ---- Into JavaScript ------------------------------------------------------------------------ */

static JsArgs args_of(size_t argc, const napi_value *argv)
{
    return (JsArgs){.at = (const JsVal *)(const void *)argv, .len = (u32)argc};
}

napi_status napi_call_function(napi_env env, napi_value recv, napi_value func, size_t argc,
                               const napi_value *argv, napi_value *result)
{
    NAPI_ENTER(env);
    NAPI_CHECK(env, !argc || argv, napi_invalid_arg);
    NAPI_CHECK_ARG(env, func);
    NAPI_CHECK(env, js_is_function(env->js, napi_in(func)), napi_function_expected);
    JsVal self = recv ? napi_in(recv) : JS_UNDEFINED;
    JsVal v = js_call(env->js, napi_in(func), self, args_of(argc, argv));
    if (UNLIKELY(!v)) return napi_thrown(env);
    if (result) *result = napi_out(env, v);
    return napi_done(env, napi_ok);
}

napi_status napi_new_instance(napi_env env, napi_value constructor, size_t argc,
                              const napi_value *argv, napi_value *result)
{
    NAPI_ENTER(env);
    NAPI_CHECK_ARG(env, constructor);
    NAPI_CHECK(env, !argc || argv, napi_invalid_arg);
    NAPI_CHECK_ARG(env, result);
    NAPI_CHECK(env, js_is_function(env->js, napi_in(constructor)), napi_function_expected);
    return napi_give(env, js_construct(env->js, napi_in(constructor), args_of(argc, argv)), result);
}

napi_status napi_run_script(napi_env env, napi_value script, napi_value *result)
{
    NAPI_ENTER(env);
    NAPI_CHECK_ARG(env, script);
    NAPI_CHECK_ARG(env, result);
    NAPI_CHECK(env, js_is_string(env->js, napi_in(script)), napi_string_expected);
    return napi_give(env, js_eval_value(env->js, napi_in(script), S("napi_run_script"), 1), result);
}

/* ---- Properties from descriptors ------------------------------------------------------------ */

static napi_status key_of(napi_env env, const napi_property_descriptor *p, JsVal *ret)
{
    if (p->utf8name) return napi_text_value(env, p->utf8name, NAPI_AUTO_LENGTH, ret);
    NAPI_CHECK_ARG(env, p->name);
    JsType type = js_type(env->js, napi_in(p->name));
    NAPI_CHECK(env, type == JS_TYPE_STRING || type == JS_TYPE_SYMBOL, napi_name_expected);
    *ret = napi_in(p->name);
    return napi_ok;
}

/* The name of a method or accessor. */
static JsVal function_of(napi_env env, const napi_property_descriptor *p, JsVal key,
                         napi_callback cb)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str name = {0};
    if (!cb) return JS_UNDEFINED;
    if (js_is_string(env->js, key) && !js_to_str(env->js, s.arena, key, &name)) return NULL;
    return napi_function_new(env, name, cb, p->data);
}

/* Functions that are no methods of a class have a prototype of their own. */
static napi_status define(napi_env env, JsVal obj, const napi_property_descriptor *p,
                          bool is_constructible)
{
    JsVal key, flags = js_int(env->js, (i32)p->attributes);
    napi_status status = key_of(env, p, &key);
    if (status != napi_ok) return status;
    if (p->getter || p->setter) {
        JsVal getter = function_of(env, p, key, p->getter);
        JsVal setter = getter ? function_of(env, p, key, p->setter) : NULL;
        if (!setter || !napi_js_call(env->host, NAPI_JS_DEFINE_ACCESSOR,
                                     JS_ARGS(obj, key, getter, setter, flags)))
            return napi_thrown(env);
        return napi_ok;
    }
    JsVal v = p->method ? function_of(env, p, key, p->method) : napi_in(p->value);
    if (!p->method) NAPI_CHECK_ARG(env, p->value);
    if (v && p->method && is_constructible)
        v = add_prototype(env, v, napi_writable, NULL) ? v : NULL;
    if (!v || !napi_js_call(env->host, NAPI_JS_DEFINE, JS_ARGS(obj, key, v, flags)))
        return napi_thrown(env);
    return napi_ok;
}

napi_status napi_define_properties(napi_env env, napi_value object, size_t property_count,
                                   const napi_property_descriptor *properties)
{
    NAPI_ENTER(env);
    NAPI_CHECK(env, !property_count || properties, napi_invalid_arg);
    NAPI_CHECK_ARG(env, object);
    NAPI_CHECK(env, js_is_object(env->js, napi_in(object)), napi_object_expected);
    for (usize i = 0; i < property_count; i++) {
        napi_status status = define(env, napi_in(object), &properties[i], true);
        if (status != napi_ok) return status;
    }
    return napi_done(env, napi_ok);
}

/* ---- Classes -------------------------------------------------------------------------------- */

napi_status napi_define_class(napi_env env, const char *utf8name, size_t length,
                              napi_callback constructor, void *data, size_t property_count,
                              const napi_property_descriptor *properties, napi_value *result)
{
    NAPI_ENTER(env);
    NAPI_CHECK_ARG(env, result);
    NAPI_CHECK_ARG(env, constructor);
    NAPI_CHECK(env, !property_count || properties, napi_invalid_arg);
    NAPI_CHECK(env, utf8name || !length, napi_invalid_arg);
    Str name;
    NAPI_CHECK(env, napi_text(utf8name, length, &name), napi_invalid_arg);
    Function *carried;
    JsVal proto, fn = make_function(env, name, constructor, data, &carried);
    if (!fn || !add_prototype(env, fn, napi_default, &proto)) return napi_thrown(env);
    keep_sample(env, carried, fn, proto);
    for (usize i = 0; i < property_count; i++) {
        const napi_property_descriptor *p = &properties[i];
        napi_status status = define(env, p->attributes & napi_static ? fn : proto, p, false);
        if (status != napi_ok) return status;
    }
    return napi_give(env, fn, result);
}
