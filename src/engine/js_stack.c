/* engine/js_stack.c -- frames of error.stack: reading the engine's form, printing V8's.
 *
 * The engine writes a line `name@url:line:column` a frame, newest first, with `[native code]` for a
 * URL of native functions.  V8's form is `    at name (url:line:column)`; like Bun we leave the
 * name out at the top level of scripts and modules, write `new` before constructors and
 * `<anonymous>` for functions without a name.
 *
 * A module that was turned into a function by our linker may have a function with the name "module
 * code", which is what the engine itself calls the top level of a module.
 *
 * Built-in modules are hidden as those of Node and Bun are (js_frames_finish):
 *   internal/  all of it
 *   web/       looks as if it were native: one frame, the outermost, unless nobody called it
 *   node:      one frame for each module, the outermost; of timers none that the loop called
 * and what they called natively is their own business. */
#include "engine/js_stack.h"

#include "engine/js_private.h"
#include "util/buf.h"

/* Layout of the trace: word of an ErrorInstance, then of a Vector, then of a StackFrame. */
enum {
    ERROR_TRACE = 3,
    VECTOR_BUFFER = 0,
    VECTOR_LEN = 3, /* 32-bit word */
    FRAME_WORDS = 6,
    FRAME_CALLEE = 0,
    FRAME_CODE = 1,
    CODE_UNLINKED = 7,         /* word of a CodeBlock */
    UNLINKED_CONSTRUCTOR = 23, /* byte of its unlinked code, top bit */
    UNLINKED_MODE = 42         /* byte: what was parsed */
};
/* SourceParseMode of the engine. */
enum {
    MODE_ASYNC_BODY = 7,
    MODE_ASYNC_ARROW_BODY = 8,
    MODE_ASYNC_FUNCTION = 9,
    MODE_ASYNC_METHOD = 10,
    MODE_ASYNC_ARROW = 11
};

static u8 flags_of_code(const u8 *unlinked)
{
    u8 flags = unlinked[UNLINKED_CONSTRUCTOR] & 0x80 ? FRAME_CONSTRUCTOR : 0;
    switch (unlinked[UNLINKED_MODE]) {
    case MODE_ASYNC_BODY:
    case MODE_ASYNC_ARROW_BODY: return flags | FRAME_ASYNC_BODY;
    case MODE_ASYNC_FUNCTION:
    case MODE_ASYNC_METHOD:
    case MODE_ASYNC_ARROW: return flags | FRAME_ASYNC_CALL;
    default: return flags;
    }
}

void js_trace_info(JsVal error, JsTraceInfo *ret)
{
    const u64 *vector = (const u64 *)(uintptr_t)((const u64 *)(const void *)error)[ERROR_TRACE];
    ret->len = 0;
    if (!vector) return;
    u32 len = ((const u32 *)(const void *)vector)[VECTOR_LEN];
    const u64 *frame = (const u64 *)(uintptr_t)vector[VECTOR_BUFFER];
    if (!frame) return;
    ret->len = len;
    for (u32 i = 0; i < len && i < TRACE_KEPT; i++, frame += FRAME_WORDS) {
        ret->callees[i] = js_from_bits(frame[FRAME_CALLEE]);
        ret->flags[i] = 0;
        const u64 *code = (const u64 *)(uintptr_t)frame[FRAME_CODE];
        if (!code) continue;
        const u8 *unlinked = (const u8 *)(uintptr_t)code[CODE_UNLINKED];
        if (unlinked) ret->flags[i] = flags_of_code(unlinked);
    }
}

/* ---- Reading
 * ------------------------------------------------------------------------------------------ */

/* Takes ":123" off the end of *s. */
static bool take_number(Str *s, u32 *ret)
{
    i64 colon = str_rfind(*s, ':');
    u64 n;
    if (colon < 0 || !str_to_u64(str_skip(*s, (usize)colon + 1), &n) || n > 0xffffffffu)
        return false;
    s->n = (usize)colon;
    *ret = (u32)n;
    return true;
}

static JsFrame parse_line(Str line)
{
    JsFrame f = {0};
    if (!str_cut(line, '@', &f.fn, &f.url)) f = (JsFrame){.url = line};
    if (str_eq(f.url, S("[native code]")) || str_eq(f.url, S("[wasm code]"))) {
        f.url = (Str){0};
        f.flags |= FRAME_NATIVE;
        return f;
    }
    Str rest = f.url;
    u32 last, before;
    if (take_number(&rest, &last)) {
        f.url = rest;
        f.line = last;
        if (take_number(&rest, &before)) {
            f.url = rest;
            f.line = before;
            f.col = last;
        }
    }
    if (str_eq(f.fn, S("eval code"))) {
        f.flags |= FRAME_EVAL;
        f.fn = (Str){0};
    } else if (str_eq(f.fn, S("global code")) || str_eq(f.fn, S("module code"))) {
        f.flags |= FRAME_TOP_LEVEL;
        f.fn = (Str){0};
    }
    return f;
}

JsFrames js_frames_parse(Arena *a, Str raw, const JsTraceInfo *info)
{
    u32 n = 1, i = 0;
    for (usize k = 0; k < raw.n; k++) n += raw.p[k] == '\n';
    JsFrames frames = {.at = ARENA_ARRAY(a, JsFrame, n)};
    Str rest = raw, line;
    while (raw.n && str_next(&rest, '\n', &line)) frames.at[i++] = parse_line(line);
    frames.len = i;
    if (info->len == i) {
        for (u32 k = 0; k < i && k < TRACE_KEPT; k++) {
            frames.at[k].callee = info->callees[k];
            frames.at[k].flags |= info->flags[k];
        }
    }
    return frames;
}

bool js_is_builtin_url(Str url)
{
    return str_starts(url, S("node:")) || str_starts(url, S("internal/")) ||
           str_starts(url, S("bun:")) || str_starts(url, S("web:")) || str_starts(url, S("web/"));
}

/* The constructor of a class that has none in its source. */
static bool is_implied(const JsFrame *f)
{
    return f->flags & FRAME_CONSTRUCTOR && !f->url.n && !f->line;
}

/* Functions whose name is computed when they are made (symbols as keys) and classes have it as a
 * property only. */
Str js_frame_name(Js *js, Arena *a, const JsFrame *f)
{
    Str name = {0};
    if (f->fn.n || !f->callee || f->flags & (FRAME_EVAL | FRAME_TOP_LEVEL)) return f->fn;
    if (js->stack->is_quiet || !js_is_function(js, f->callee)) return name;
    JsVal v = js_get(js, f->callee, "name");
    if (v && js_is_string(js, v) && js_to_str(js, a, v, &name)) return name;
    (void)js_take_pending(js);
    return name;
}

static bool is_native(const JsFrame *f)
{
    return f->flags & FRAME_NATIVE;
}

/* Helpers of the engine, and Reflect.construct, which its library calls for its own ends. */
static bool is_engine_helper(const JsFrame *f)
{
    return is_native(f) && (str_eq(f->fn, S("anonymous")) || str_eq(f->fn, S("construct")));
}

typedef struct {
    JsFrame *at;
    u32 len;
    JsFrame web; /* the outermost of the web/ frames just seen */
    bool has_web;
} Kept;

/* "node:fs" of "node:fs/run". */
static Str module_of(Str url)
{
    i64 slash = str_find(url, '/');
    return slash < 0 ? url : str_slice(url, 0, (usize)slash);
}

/* One frame of a built-in module; whatever it called natively goes. */
static void keep_builtin(Kept *kept, const JsFrame *f)
{
    while (kept->len && is_native(&kept->at[kept->len - 1])) kept->len--;
    if (str_starts(f->url, S("internal/"))) return;
    if (str_starts(f->url, S("web/"))) {
        kept->web = *f;
        kept->has_web = true;
        return;
    }
    bool has_inner = kept->len && js_is_builtin_url(kept->at[kept->len - 1].url);
    if (has_inner && str_eq(module_of(kept->at[kept->len - 1].url), module_of(f->url))) kept->len--;
    kept->at[kept->len++] = *f;
}

static void keep(Js *js, Arena *a, Kept *kept, JsFrame f)
{
    if (kept->has_web) {
        kept->has_web = false;
        kept->web.fn = js_frame_name(js, a, &kept->web);
        kept->web.flags |= FRAME_NATIVE;
        kept->web.url = (Str){0};
        if (kept->web.fn.n) kept->at[kept->len++] = kept->web;
    }
    kept->at[kept->len++] = f;
}

static void map_frame(Js *js, Arena *a, JsFrame *f)
{
    f->fn = js_frame_name(js, a, f);
    JsPosition pos = {.url = f->url, .line = f->line, .column = f->col};
    if (!js->on_map || !f->line || !js->on_map(js, &pos)) return;
    f->url = str_dup(a, pos.url);
    f->line = pos.line;
    f->col = pos.column;
}

void js_frames_finish(Js *js, Arena *a, JsFrames *frames)
{
    Kept kept = {.at = frames->at};
    for (u32 i = 0; i < frames->len; i++) {
        JsFrame f = frames->at[i];
        if (is_implied(&f) || is_engine_helper(&f)) continue;
        map_frame(js, a, &f);
        bool is_body = kept.len && kept.at[kept.len - 1].flags & FRAME_ASYNC_BODY;
        if (f.flags & FRAME_ASYNC_CALL && is_body && str_eq(kept.at[kept.len - 1].url, f.url)) {
            JsFrame *body = &kept.at[kept.len - 1];
            if (!body->fn.n) body->fn = f.fn;
            body->flags = (body->flags & ~(u32)FRAME_ASYNC_BODY) | (f.flags & FRAME_TOP_LEVEL);
        } else if (js_is_builtin_url(f.url)) {
            keep_builtin(&kept, &f);
        } else {
            keep(js, a, &kept, f);
        }
    }
    while (kept.len && str_eq(kept.at[kept.len - 1].url, S("node:timers"))) kept.len--;
    frames->len = kept.len;
}

/* ---- Printing
 * ----------------------------------------------------------------------------------------- */

static void print_place(Buf *b, const JsFrame *f)
{
    if (f->flags & FRAME_NATIVE) {
        buf_push(b, S("native"));
        return;
    }
    buf_push(b, f->url.n ? f->url : S("<anonymous>"));
    if (f->line) buf_fmt(b, ":%u", f->line);
    if (f->line && f->col) buf_fmt(b, ":%u", f->col);
}

Str js_frames_print(Arena *a, JsFrames frames)
{
    AUTO(Buf) b = {0};
    for (u32 i = 0; i < frames.len; i++) {
        const JsFrame *f = &frames.at[i];
        buf_push(&b, S("\n    at "));
        if (f->flags & FRAME_TOP_LEVEL && f->url.n) {
            print_place(&b, f);
            continue;
        }
        if (f->flags & FRAME_CONSTRUCTOR) buf_push(&b, S("new "));
        buf_push(&b, f->fn.n ? f->fn : S("<anonymous>"));
        if (!f->fn.n && !f->url.n && !(f->flags & FRAME_NATIVE)) continue;
        buf_push(&b, S(" ("));
        print_place(&b, f);
        buf_push_char(&b, ')');
    }
    return str_dup(a, buf_str(&b));
}

/* ToString of a property, or `other` when it is undefined or cannot be read. */
static Str text_of(Js *js, Arena *a, JsVal error, const char *name, Str other)
{
    Str text = other;
    JsVal v = js_get(js, error, name);
    if (v && !js_is_undefined(v) && js_to_str(js, a, v, &text)) return text;
    (void)js_take_pending(js);
    return other;
}

Str js_error_header(Js *js, Arena *a, JsVal error)
{
    Str name = text_of(js, a, error, "name", S("Error"));
    /* Errors with a code have it in the head but not in their name (builtins/internal/errors). */
    name = text_of(js, a, error, "%stackName%", name);
    Str message = text_of(js, a, error, "message", (Str){0});
    if (!name.n) return message;
    if (!message.n) return name;
    return str_fmt(a, "%.*s: %.*s", STR_ARG(name), STR_ARG(message));
}

/* ---- The public half
 * ------------------------------------------------------------------------------------ */

void js_on_map_position(Js *js, JsMapFn *fn)
{
    js->on_map = fn;
}

Str js_stack(Js *js, Arena *a)
{
    JsFrames frames;
    if (!js_frames_now(js, a, &frames)) return (Str){0};
    return js_frames_print(a, frames);
}

Str js_caller_url(Js *js, Arena *a)
{
    JsFrames frames;
    if (!js_frames_now(js, a, &frames)) return (Str){0};
    for (u32 i = 0; i < frames.len; i++) {
        Str url = frames.at[i].url;
        if (url.n && !js_is_builtin_url(url)) return url;
    }
    return (Str){0};
}

/* The place in one printed line: "    at name (url:line:col)" or "    at url:line:col". */
static bool position_of_line(Str line, JsPosition *ret)
{
    line = str_trim(line);
    if (!str_starts(line, S("at "))) return false;
    line = str_skip(line, 3);
    i64 open = str_rfind(line, '(');
    if (str_ends(line, S(")")) && open >= 0) line = str_slice(line, (usize)open + 1, line.n - 1);
    JsPosition pos = {0};
    if (!take_number(&line, &pos.line)) return false;
    u32 before;
    if (take_number(&line, &before)) {
        pos.column = pos.line;
        pos.line = before;
    }
    pos.url = line;
    *ret = pos;
    return pos.url.n;
}

/* What the engine itself notes on the object: the position of syntax errors. */
static bool position_of_properties(Js *js, JsVal error, Arena *a, JsPosition *ret)
{
    JsPosition pos = {0};
    JsVal url = js_get(js, error, "sourceURL");
    JsVal line = url ? js_get(js, error, "line") : NULL;
    JsVal column = line ? js_get(js, error, "column") : NULL;
    if (!column || !js_is_string(js, url) || !js_is_number(js, line) ||
        !js_to_str(js, a, url, &pos.url)) {
        (void)js_take_pending(js);
        return false;
    }
    pos.line = (u32)js_get_i32(js, line);
    pos.column = js_is_number(js, column) ? (u32)js_get_i32(js, column) : 0;
    JsPosition mapped = pos;
    if (js->on_map && js->on_map(js, &mapped)) {
        mapped.url = str_dup(a, mapped.url);
        pos = mapped;
    }
    *ret = pos;
    return pos.url.n;
}

bool js_error_position(Js *js, JsVal error, Arena *a, JsPosition *ret)
{
    if (!js_is_error(js, error)) return false;
    JsVal stack = js_get(js, error, "stack");
    Str text, line;
    if (!stack || !js_is_string(js, stack) || !js_to_str(js, a, stack, &text)) {
        (void)js_take_pending(js);
        return position_of_properties(js, error, a, ret);
    }
    Str rest = text;
    while (text.n && str_next(&rest, '\n', &line)) {
        JsPosition pos;
        if (position_of_line(line, &pos) && !js_is_builtin_url(pos.url)) {
            *ret = pos;
            return true;
        }
    }
    return position_of_properties(js, error, a, ret);
}
