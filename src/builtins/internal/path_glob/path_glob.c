/* internal/path_glob/path_glob.c -- native half of internal/path_glob. */
#include "builtins/builtins.h"
#include "util/glob.h"

/* match(path, pattern) */
JS_NATIVE(path_glob_match)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str path, pattern;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &path)) return NULL;
    if (!js_to_str(js, s.arena, js_arg(args, 1), &pattern)) return NULL;
    const Glob *g = glob_new(s.arena, pattern, GLOB_NO_DOT);
    if (!g) return js_throw_range_error(js, "The glob pattern is too long");
    return js_boolean(glob_match(g, path));
}

static const JsFn fns[] = {JS_FN("match", path_glob_match)};
BUILTIN_NATIVE(internal_path_glob, fns)
