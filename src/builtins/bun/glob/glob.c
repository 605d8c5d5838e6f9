/* bun/glob/glob.c -- native half of bun:glob: patterns and versions. */
#include "util/glob.h"
#include "builtins/builtins.h"
#include "install/semver.h"

/* match(pattern, path, withDots) */
JS_NATIVE(bun_glob_match)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str pattern, path;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &pattern)) return NULL;
    if (!js_to_str(js, s.arena, js_arg(args, 1), &path)) return NULL;
    const Glob *g = glob_new(s.arena, pattern, js_truthy(js, js_arg(args, 2)) ? 0 : GLOB_NO_DOT);
    if (!g) return js_throw_range_error(js, "The glob pattern is too long");
    return js_boolean(glob_match(g, path));
}

static bool read_entry(Js *js, JsVal list, u32 i, Arena *a, Str *ret)
{
    JsVal v = js_get_index(js, list, i);
    return v && js_to_str(js, a, v, ret);
}

/* filter(pattern, paths, withDots) -> Uint8Array, for each path: 1 it matches, 2 something inside
 * could */
JS_NATIVE(bun_glob_filter)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str pattern;
    u32 n;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &pattern)) return NULL;
    if (!js_array_len(js, js_arg(args, 1), &n)) return NULL;
    const Glob *g = glob_new(s.arena, pattern, js_truthy(js, js_arg(args, 2)) ? 0 : GLOB_NO_DOT);
    if (!g) return js_throw_range_error(js, "The glob pattern is too long");
    u8 *flags = ARENA_ARRAY(s.arena, u8, MAX(n, 1u));
    for (u32 i = 0; i < n; i++) {
        Str path;
        if (!read_entry(js, js_arg(args, 1), i, s.arena, &path)) return NULL;
        flags[i] = (u8)((glob_match(g, path) ? 1 : 0) | (glob_can_enter(g, path) ? 2 : 0));
    }
    return js_u8array(js, flags, n);
}

static bool read_version(Js *js, Arena *a, JsVal v, Semver *ret, bool *ret_ok)
{
    Str text;
    if (!js_to_str(js, a, v, &text)) return false;
    *ret_ok = semver_parse(str_trim(text), ret);
    return true;
}

/* order(a, b) -> -1, 0, 1; undefined when one is no version */
JS_NATIVE(bun_semver_order)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Semver a, b;
    bool a_ok, b_ok;
    if (!read_version(js, s.arena, js_arg(args, 0), &a, &a_ok)) return NULL;
    if (!read_version(js, s.arena, js_arg(args, 1), &b, &b_ok)) return NULL;
    if (!a_ok || !b_ok) return JS_UNDEFINED;
    int order = semver_cmp(&a, &b);
    return js_int(js, order < 0 ? -1 : order > 0);
}

/* satisfies(version, range) */
JS_NATIVE(bun_semver_satisfies)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Semver v;
    SemverRange range;
    Str text;
    bool ok;
    if (!read_version(js, s.arena, js_arg(args, 0), &v, &ok)) return NULL;
    if (!js_to_str(js, s.arena, js_arg(args, 1), &text)) return NULL;
    if (!ok || !semver_range_parse(s.arena, text, &range)) return JS_FALSE;
    return js_boolean(semver_satisfies(&range, &v));
}

/* peek(promise) -> [state, value], state 0 pending, 1 fulfilled, 2 rejected; undefined: no promise
 */
JS_NATIVE(bun_peek)
{
    JsPromiseState state;
    JsVal value;
    if (!js_promise_peek(js, js_arg(args, 0), &state, &value)) return JS_UNDEFINED;
    return js_array(js, (JsVal[]){js_int(js, (i32)state), value}, 2);
}

static const JsFn fns[] = {
    JS_FN("match", bun_glob_match),   JS_FN("filter", bun_glob_filter),
    JS_FN("order", bun_semver_order), JS_FN("satisfies", bun_semver_satisfies),
    JS_FN("peek", bun_peek),
};
BUILTIN_NATIVE(bun_glob, fns)
