/* engine/js_message.c -- messages of the engine's own errors, in the words that programs know.
 *
 * Programs and people expect "x is not defined" (V8, Bun), the engine says "Can't find variable:
 * x". The message is an ordinary property of the error, made with it; it is replaced when somebody
 * first looks (js_stack_hook.c).  Only texts that the engine made are touched: a literal of the
 * program is an interned string, those of the engine are not.
 *
 * Case 1: "Can't find variable: x" and "Right side of assignment cannot be destructured": the text
 * has all that is to be said. Case 2: "Cannot access uninitialized variable.": the name stands in
 * the source, where the error is. Case 3: "Cannot call a class constructor without |new|": it is
 * the function at the top of the stack. */
#include "engine/js_stack.h"

#include <string.h>

#include "engine/js_private.h"

static const Str UNDEFINED_HEAD = {"Can't find variable: ", 21};
static const Str UNINITIALIZED = {"Cannot access uninitialized variable.", 37};
static const Str CLASS_CALL = {"Cannot call a class constructor without |new|", 45};
static const Str CONSTRUCTOR_CALL = {"Cannot call a constructor without |new|", 39};
static const Str DESTRUCTURED = {"Right side of assignment cannot be destructured", 47};
enum { MESSAGE_MAX = 4096 };

static bool is_interned(JsVal v)
{
    const JscStringImpl *impl = jsc_string_impl(v);
    return !impl || impl->hash_and_flags & STRING_IS_ATOM;
}

/* The engine's own text in *ret; false when it is the program's or none that is known here. */
static bool take_message(Js *js, Arena *a, JsVal error, Str *ret)
{
    JsVal v = js_get(js, error, "message");
    JsChars chars;
    if (!v || !js_is_string(js, v) || !js_chars(js, v, &chars)) {
        (void)js_take_pending(js);
        return false;
    }
    if (chars.len < UNDEFINED_HEAD.n || chars.len > MESSAGE_MAX) return false;
    u32 first = chars.is_latin1 ? chars.latin1[0] : chars.utf16[0];
    if (first != 'C' && first != 'R') return false;
    if (js_to_str(js, a, v, ret)) return !is_interned(v) || !str_starts(*ret, UNDEFINED_HEAD);
    (void)js_take_pending(js);
    return false;
}

static bool is_by_frame(Str message)
{
    return str_eq(message, UNINITIALIZED) || str_eq(message, CLASS_CALL) ||
           str_eq(message, CONSTRUCTOR_CALL);
}

/* The new text, or an empty one. */
static Str reword(Js *js, Arena *a, Str message, const JsFrame *top)
{
    Str name = {0};
    if (str_starts(message, UNDEFINED_HEAD))
        return str_fmt(a, "%.*s is not defined", STR_ARG(str_skip(message, UNDEFINED_HEAD.n)));
    if (str_eq(message, DESTRUCTURED)) return S("Cannot destructure null or undefined value");
    if (!top) return name;
    if (str_eq(message, UNINITIALIZED)) {
        JsPosition pos = {.url = top->url, .line = top->line, .column = top->col};
        if (!js->on_name || !js->on_name(js, a, &pos, &name)) return (Str){0};
        return str_fmt(a, "Cannot access '%.*s' before initialization.", STR_ARG(name));
    }
    const char *kind = str_eq(message, CLASS_CALL)         ? "class constructor"
                       : str_eq(message, CONSTRUCTOR_CALL) ? "constructor"
                                                           : NULL;
    if (kind) name = js_frame_name(js, a, top);
    if (!name.n) return name;
    return str_fmt(a, "Cannot call a %s %.*s without |new|", kind, STR_ARG(name));
}

JsMessage js_message_reword(Js *js, JsVal error, const JsFrame *top)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str message;
    if (!take_message(js, s.arena, error, &message)) return JS_MESSAGE_DONE;
    if (!top && is_by_frame(message)) return JS_MESSAGE_NEEDS_FRAME;
    Str text = reword(js, s.arena, message, top);
    if (text.n && !js_define(js, error, "message", js_str(js, text), false))
        (void)js_take_pending(js);
    return JS_MESSAGE_DONE;
}

void js_on_name_at(Js *js, JsNameAtFn *fn)
{
    js->on_name = fn;
}
