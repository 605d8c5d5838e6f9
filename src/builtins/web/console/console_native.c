/* web/console/console_native.c -- the global console: the engine's own console object, whose
 * functions call these.
 *
 * A line of strings, and of other primitives where nothing is coloured, is written here at once.
 * Everything else goes to the functions of the same names in console.js, which is loaded by the
 * first of them.  What both print is the same, byte for byte. */
#include "builtins/builtins.h"
#include "builtins/web/console/console.h"
#include "sys/sys.h"
#include "util/buf.h"

#include <math.h>
#include <string.h>

/* ---- To console.js
 * ------------------------------------------------------------------------------------ */

static bool is_module_loaded(Vm *vm)
{
    i32 i = vm_builtin_find(vm, S("web/console"));
    ASSERT(i >= 0);
    return vm->modules[i].state != JS_REF_DEAD;
}

static JsVal call_module(Js *js, const char *object, const char *name, JsArgs args)
{
    JsVal exports = vm_builtin(vm_of(js), S("web/console"));
    JsVal from = exports && object ? js_get(js, exports, object) : exports;
    JsVal fn = from ? js_get(js, from, name) : NULL;
    return fn ? js_call(js, fn, JS_UNDEFINED, args) : NULL;
}

/* ---- A line of plain values
 * --------------------------------------------------------------------------- */

static bool is_negative_zero(f64 n)
{
    return n == 0 && signbit(n);
}

/* Adds the text of `v` to the line; false when that is not for us (nothing was thrown). */
static bool add_plain(Js *js, Buf *line, JsVal v, bool only_strings)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    JsType type = js_type(js, v);
    bool is_string = type == JS_TYPE_STRING;
    if (type == JS_TYPE_OBJECT || type == JS_TYPE_SYMBOL || (only_strings && !is_string))
        return false;
    if (type == JS_TYPE_NUMBER && is_negative_zero(js_get_number(js, v)))
        return buf_push(line, S("-0"));
    Str text;
    if (!js_to_str(js, s.arena, v, &text)) {
        (void)js_catch(js);
        return false;
    }
    return buf_push(line, text) && (type != JS_TYPE_BIGINT || buf_push(line, S("n")));
}

static bool has_percent(Js *js, JsVal v)
{
    JsChars chars;
    if (!js_is_string(js, v)) return false;
    if (!js_chars(js, v, &chars)) {
        (void)js_catch(js);
        return true;
    }
    if (chars.is_latin1) return chars.len && memchr(chars.latin1, '%', chars.len);
    for (usize i = 0; i < chars.len; i++)
        if (chars.utf16[i] == '%') return true;
    return false;
}

/* Writes the line if it is a plain one. */
static bool write_plain(Js *js, int fd, bool is_error, JsArgs args)
{
    bool has_colors = console_has_colors(vm_of(js), fd);
    if (vm_of(js)->console_indent[0] || (has_colors && is_error)) return false;
    AUTO(Buf) line = {0};
    for (u32 i = 0; i < args.len; i++) {
        /* As in Bun, a string with anything behind it may be a format, not only the first one. */
        if (i + 1 < args.len && has_percent(js, args.at[i])) return false;
        if (i && !buf_push(&line, S(" "))) return false;
        if (!add_plain(js, &line, args.at[i], has_colors)) return false;
    }
    if (!buf_push(&line, S("\n"))) return false;
    /* As in Bun, an empty line goes to standard output whatever the method. */
    console_write(args.len ? fd : 1, buf_str(&line));
    return true;
}

typedef struct {
    const char *name, *level;
    int fd;
} Printer;

/* Lines with objects need only the printer as long as console.js has no state. */
static JsVal print_objects(Js *js, JsArgs args, Printer p)
{
    JsVal exports = vm_builtin(vm_of(js), S("web/console/console_objects"));
    JsVal fn = exports ? js_get(js, exports, "firstLineOf") : NULL;
    JsVal list = fn ? js_array(js, args.at, args.len) : NULL;
    if (!list) return NULL;
    JsVal level = js_str(js, str_z(p.level));
    JsVal colors = js_boolean(console_has_colors(vm_of(js), p.fd));
    JsVal depth = js_int(js, (i32)vm_of(js)->options->console_depth);
    JsVal line = js_call(js, fn, JS_UNDEFINED, JS_ARGS(level, colors, depth, list));
    AUTO(Scratch) s = scratch_begin(NULL);
    Str text;
    if (!line || !js_to_str(js, s.arena, line, &text)) return NULL;
    console_write(p.fd, str_concat(s.arena, text, S("\n")));
    return JS_UNDEFINED;
}

static JsVal print(Js *js, JsArgs args, Printer p)
{
    bool is_error = !strcmp(p.name, "error");
    if (write_plain(js, p.fd, is_error, args)) return JS_UNDEFINED;
    if (args.len && !is_module_loaded(vm_of(js))) return print_objects(js, args, p);
    return call_module(js, "methods", p.name, args);
}

#define PRINT(name, level, fd)                                                                     \
    JS_NATIVE(console_##name)                                                                      \
    {                                                                                              \
        return print(js, args, (Printer){#name, level, fd});                                       \
    }
#define FORWARD(name)                                                                              \
    JS_NATIVE(console_##name)                                                                      \
    {                                                                                              \
        return call_module(js, "methods", #name, args);                                            \
    }

PRINT(debug, "log", 1)
PRINT(error, "error", 2)
PRINT(log, "log", 1)
PRINT(info, "log", 1)
PRINT(warn, "warn", 2)
FORWARD(clear)
FORWARD(dir)
FORWARD(dirxml)
FORWARD(table)
FORWARD(trace)
FORWARD(count)
FORWARD(countReset)
FORWARD(profile)
FORWARD(profileEnd)
FORWARD(time)
FORWARD(timeLog)
FORWARD(timeEnd)
FORWARD(timeStamp)
FORWARD(takeHeapSnapshot)
FORWARD(group)
FORWARD(groupCollapsed)
FORWARD(groupEnd)
FORWARD(record)
FORWARD(recordEnd)
FORWARD(screenshot)

JS_NATIVE(console_assert)
{
    if (args.len && js_truthy(js, args.at[0])) return JS_UNDEFINED;
    return call_module(js, "methods", "assert", args);
}

JS_NATIVE(console_write_parts)
{
    return call_module(js, "methods", "write", args);
}

JS_NATIVE(console_lines)
{
    return call_module(js, NULL, "lines", args);
}

/* The order is the engine's, and the one in which Bun lists them. */
static const JsFn methods[] = {
    JS_FN("debug", console_debug),
    JS_FN("error", console_error),
    JS_FN("log", console_log),
    JS_FN("info", console_info),
    JS_FN("warn", console_warn),
    JS_FN("clear", console_clear),
    JS_FN("dir", console_dir),
    JS_FN("dirxml", console_dirxml),
    JS_FN("table", console_table),
    JS_FN("trace", console_trace),
    JS_FN("assert", console_assert),
    JS_FN("count", console_count),
    JS_FN("countReset", console_countReset),
    JS_FN("profile", console_profile),
    JS_FN("profileEnd", console_profileEnd),
    JS_FN("time", console_time),
    JS_FN("timeLog", console_timeLog),
    JS_FN("timeEnd", console_timeEnd),
    JS_FN("timeStamp", console_timeStamp),
    JS_FN("takeHeapSnapshot", console_takeHeapSnapshot),
    JS_FN("group", console_group),
    JS_FN("groupCollapsed", console_groupCollapsed),
    JS_FN("groupEnd", console_groupEnd),
    JS_FN("record", console_record),
    JS_FN("recordEnd", console_recordEnd),
    JS_FN("screenshot", console_screenshot),
};

/* ---- Properties that are made when they are read
 * ------------------------------------------------------ */

#define LAZY(name)                                                                                 \
    JS_NATIVE(console_get_##name)                                                                  \
    {                                                                                              \
        return call_module(js, NULL, "reveal", JS_ARGS(js_str(js, S(#name))));                     \
    }                                                                                              \
    JS_NATIVE(console_set_##name)                                                                  \
    {                                                                                              \
        JsVal v = js_arg(args, 0);                                                                 \
        return call_module(js, NULL, "replace", JS_ARGS(js_str(js, S(#name)), v));                 \
    }

LAZY(Console)
LAZY(_stdout)
LAZY(_stderr)

typedef struct {
    JsFn get, set;
    bool is_enumerable;
} Lazy;
#define LAZY_FNS(name) JS_FN(#name, console_get_##name), JS_FN(#name, console_set_##name)

static const Lazy lazies[] = {
    {LAZY_FNS(Console), true},
    {LAZY_FNS(_stdout), false},
    {LAZY_FNS(_stderr), false},
};

static bool add_rest(Js *js, JsVal console)
{
    static const JsFn write = JS_FN(NULL, console_write_parts);
    static const JsFn lines = JS_FN("[Symbol.asyncIterator]", console_lines);
    if (!js_set(js, console, "write", js_function(js, &write))) return false;
    for (u32 i = 0; i < COUNT(lazies); i++) {
        const Lazy *l = &lazies[i];
        if (!js_define_accessor(js, console, &l->get, &l->set, l->is_enumerable)) return false;
    }
    return js_set_async_iterator(js, console, &lines);
}

bool web_console_start(Js *js)
{
    static const JsFnTable table = {.fns = methods, .len = COUNT(methods)};
    JsVal console = js_get(js, js_global(js), "console");
    bool ok = console && js_replace_natives(js, console, &table);
    if (!console) (void)js_catch(js);
    if (!ok) return false;
    ok = add_rest(js, console);
    if (!ok) BUG("the console object is frozen");
    js_ref_set_strong(js, &vm_of(js)->console, console);
    return true;
}
