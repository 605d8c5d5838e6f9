/* internal/process_env/process_env.c -- native half of internal/process_env. */
#include "builtins/builtins.h"
#include "sys/sys.h"

JS_NATIVE(env_list)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str *entries;
    u32 len;
    sys_env_list(s.arena, &entries, &len);
    JsVal array = js_array(js, NULL, 0);
    u32 n = 0;
    for (u32 i = 0; i < len; i++) {
        Str name, value;
        if (!str_cut(entries[i], '=', &name, &value) || !name.n) continue;
        if (!js_set_index(js, array, n++, js_str(js, name))) return NULL;
        if (!js_set_index(js, array, n++, js_str(js, value))) return NULL;
    }
    return array;
}

/* setTimeZone(zone | undefined): child processes see it through the environment, Date at once. */
JS_NATIVE(env_set_time_zone)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str zone = S("");
    if (js_is_undefined(js_arg(args, 0))) {
        (void)sys_env_del(S("TZ"));
    } else {
        if (!js_to_str(js, s.arena, js_arg(args, 0), &zone)) return NULL;
        if (sys_env_set(S("TZ"), zone) < 0) return JS_UNDEFINED;
    }
    (void)js_set_time_zone(zone);
    return JS_UNDEFINED;
}

static const JsFn fns[] = {
    JS_FN("environ", env_list),
    JS_FN("setTimeZone", env_set_time_zone),
};
BUILTIN_NATIVE(internal_process_env, fns)
