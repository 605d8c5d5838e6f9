/* engine/js_stack_hook.c -- makes error.stack have V8's form, at the moment somebody looks.
 *
 * The engine keeps a trace in each error and turns it into the properties `stack`, `line`, `column`
 * and `sourceURL` when one of them is first touched, in five entries of the class's method table.
 * These entries are replaced: before the original runs, an error that is touched for the first time
 * gets its trace turned into text by the engine and `stack` then rewritten.  An error that nobody
 * looks at costs nothing.
 *
 * Case 1: an error with a trace.  Text, rewritten, becomes the value of `stack`; or what
 *         Error.prepareStackTrace makes of it.
 * Case 2: Error.stackTraceLimit was 0: the trace is empty and `stack` is the header alone.
 * Case 3: the limit was not a number: no trace, no `stack`.
 * Case 4: a syntax error found before anything ran: no trace either, but the engine has put `line`
 * and `sourceURL` on it; `stack` gets one line from them.
 *
 * `message` is watched, too, in TypeErrors and ReferenceErrors: js_message.c gives it other words
 * at the first look.  It is there from the beginning, so that an inline cache would not ask again:
 * it is told that the place may not be kept. */
#include "engine/js_stack.h"

#include <pthread.h>
#include <string.h>

#include "engine/js_private.h"
#include "util/mem.h"

/* Words of the ClassInfo, whose method table begins at 6; the ones between are the base class's in
 * ErrorInstance. */
enum {
    INFO_PUT = 9,
    INFO_DELETE = 11,
    INFO_GET_SLOT = 13,
    INFO_SPECIAL_NAMES = 16,
    INFO_DEFINE = 18,
    INFO_FIRST_SHARED = 7,
    INFO_LAST_SHARED = 25,
    PAGE_SIZE = 4096,
};
/* An ErrorInstance: word of the trace; word of the text, which is made early when the collector
 * takes a function of the trace; 32-bit word of the flags and the one that says "turned into text";
 * 32-bit word of the column, of no use to the engine after that, where we note that we have seen to
 * it.  (Bits that the engine does not use will not do: it does not clear them in a new object.) */
enum {
    ERROR_TRACE = 3,
    ERROR_TEXT = 6,
    ERROR_FLAGS = 14,
    FLAG_TEXT = 0x04000000,
    ERROR_COLUMN = 9,
    ERROR_TYPE = 58, /* byte */
    TYPE_REFERENCE_ERROR = 3,
    TYPE_TYPE_ERROR = 5,
};
#define COLUMN_SEEN         0x80000000u
#define COLUMN_MESSAGE_SEEN 0x40000000u
enum { VECTOR_LEN = 3 }; /* 32-bit word */
/* Slots of writing and deleting: byte that allows inline caching, which must be off when the
 * structure changes. */
enum { PUT_IS_CACHEABLE = 0x17, DELETE_IS_CACHEABLE = 4 };
/* A PropertySlot: byte that allows inline caching; byte that tells why it is asked; for inspection
 * no script may run. */
enum { SLOT_IS_CACHEABLE = 48, SLOT_METHOD = 50, SLOT_INSPECT = 3 };
/* A global object: the limit as std::optional<unsigned>. */
enum { GLOBAL_LIMIT = 0xcf0 / 4, GLOBAL_HAS_LIMIT = 0xcf4 };
enum { LIMIT_MORE = 64 };

typedef bool GetSlot(void *obj, void *global, const JscStringImpl *name, u8 *slot);
typedef bool Put(void *obj, void *global, const JscStringImpl *name, u64 value, u8 *slot);
typedef bool Delete(void *obj, void *global, const JscStringImpl *name, u8 *slot);
typedef bool Define(void *obj, void *global, const JscStringImpl *name, const void *desc,
                    bool throws);
typedef void SpecialNames(void *obj, void *global, void *names, int mode);

static struct {
    GetSlot *get_slot;
    Put *put;
    Delete *delete;
    Define *define;
    SpecialNames *special_names;
} original;

/* ---- One error
 * ---------------------------------------------------------------------------------------- */

static u32 *flags_of(JsVal error)
{
    return (u32 *)(uintptr_t)error + ERROR_FLAGS;
}
static bool has_text(JsVal error)
{
    return *flags_of(error) & FLAG_TEXT;
}

static bool is_seen(JsVal error)
{
    return ((const u32 *)(const void *)error)[ERROR_COLUMN] & COLUMN_SEEN;
}

static void set_seen(JsVal error)
{
    ((u32 *)(uintptr_t)error)[ERROR_COLUMN] |= COLUMN_SEEN;
}

/* Lets the engine do what it does at the first touch. */
static void make_text(Js *js, JsVal error)
{
    original.special_names((void *)(uintptr_t)error, js->ctx, NULL, 0);
}

/* May the message be one of the engine's that gets other words? */
static bool has_watched_message(JsVal error)
{
    u8 type = ((const u8 *)(const void *)error)[ERROR_TYPE];
    return type == TYPE_TYPE_ERROR || type == TYPE_REFERENCE_ERROR;
}

static JsMessage reword_message(Js *js, JsVal error, const JsFrame *top)
{
    u32 *seen = (u32 *)(uintptr_t)error + ERROR_COLUMN;
    if (*seen & COLUMN_MESSAGE_SEEN || !has_watched_message(error)) return JS_MESSAGE_DONE;
    js->stack->is_busy = true;
    JsMessage result = js_message_reword(js, error, top);
    js->stack->is_busy = false;
    if (result == JS_MESSAGE_DONE) *seen |= COLUMN_MESSAGE_SEEN;
    return result;
}

/* An empty trace makes no text. */
static void drop_trace(JsVal error)
{
    u32 *vector = (u32 *)(uintptr_t)((const u64 *)(const void *)error)[ERROR_TRACE];
    if (vector) vector[VECTOR_LEN] = 0;
}

static bool set_stack(Js *js, JsVal error, JsVal v)
{
    js->stack->is_busy = true;
    bool ok = v && js_define(js, error, "stack", v, false);
    js->stack->is_busy = false;
    if (!ok) (void)js_take_pending(js);
    return ok;
}

/* The function in Error.prepareStackTrace, or NULL. */
static JsVal find_prepare(Js *js)
{
    if (js->stack->is_preparing) return NULL;
    JsVal prepare = js_get(js, js_ref_get(js, &js->stack->error_constructor), "prepareStackTrace");
    if (!prepare) (void)js_take_pending(js);
    return prepare && js_is_function(js, prepare) ? prepare : NULL;
}

/* Gives `target` its stack; false with an exception when prepareStackTrace threw. */
static bool store_stack(Js *js, JsVal target, JsFrames frames, bool may_run)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    JsVal prepare = may_run ? find_prepare(js) : NULL;
    if (prepare) {
        js->stack->is_preparing = true;
        JsVal v = js_call_prepare(js, prepare, target, frames);
        js->stack->is_preparing = false;
        if (!v) return false;
        (void)set_stack(js, target, v);
        return true;
    }
    Str header = may_run ? js_error_header(js, s.arena, target) : S("Error");
    Str text = str_concat(s.arena, header, js_frames_print(s.arena, frames));
    (void)set_stack(js, target, js_str(js, text));
    return true;
}

/* Case 4: where the engine says the syntax error is. */
static bool parse_frame(Js *js, Arena *a, JsVal error, JsFrame *ret)
{
    JsVal url = js_get(js, error, "sourceURL");
    JsVal line = url ? js_get(js, error, "line") : NULL;
    if (!line || !js_is_string(js, url) || !js_is_number(js, line)) {
        (void)js_take_pending(js);
        return false;
    }
    *ret = (JsFrame){.fn = S("<parse>"), .line = (u32)js_get_i32(js, line)};
    if (js_to_str(js, a, url, &ret->url)) return ret->url.n;
    (void)js_take_pending(js);
    return false;
}

/* The engine's text of the error: false when there is none.  *ret_is_own: the program's own value.
 */
static bool raw_text(Js *js, Arena *a, JsVal error, Str *ret, bool *ret_is_own)
{
    js->stack->is_busy = true;
    JsVal raw = js_get(js, error, "stack");
    js->stack->is_busy = false;
    if (raw && js_is_string(js, raw) && js_to_str(js, a, raw, ret)) return true;
    (void)js_take_pending(js);
    *ret_is_own = raw && !js_is_undefined(raw);
    return false;
}

/* V8 leaves out the constructors between `new` and the class Error. */
static void skip_constructors(Js *js, JsVal error, JsFrames *frames)
{
    JsVal proto = js_proto(js, error);
    if (!frames->len || !(frames->at[0].flags & FRAME_CONSTRUCTOR) || !js_is_object(js, proto))
        return;
    JsVal constructor = js_get(js, proto, "constructor");
    if (!constructor) (void)js_take_pending(js);
    for (u32 i = 0; i < frames->len && frames->at[i].flags & FRAME_CONSTRUCTOR; i++) {
        if (frames->at[i].callee != constructor) continue;
        frames->at += i + 1;
        frames->len -= i + 1;
        return;
    }
}

/* An array with `place` in front. */
static JsFrames with_place(Arena *a, JsFrame place, JsFrames frames)
{
    JsFrame *at = ARENA_ARRAY(a, JsFrame, frames.len + 1);
    at[0] = place;
    if (frames.len) memcpy(at + 1, frames.at, frames.len * sizeof *at);
    return (JsFrames){at, frames.len + 1};
}

static bool format_error(Js *js, JsVal error, bool may_run)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    const u64 *words = (const u64 *)(const void *)error;
    bool has_trace = words[ERROR_TRACE] || words[ERROR_TEXT], is_early = has_text(error);
    bool is_own = false;
    JsTraceInfo info = {.len = 0};
    if (!is_early) js_trace_info(error, &info);
    if (!is_early) make_text(js, error);
    set_seen(error);
    JsFrames frames = {0};
    JsFrame place;
    Str text;
    if (raw_text(js, s.arena, error, &text, &is_own))
        frames = js_frames_parse(s.arena, text, &info);
    if (is_own) return true;
    if (may_run && !is_early) skip_constructors(js, error, &frames);
    bool has_place = (is_early || !has_trace) && parse_frame(js, s.arena, error, &place);
    if (has_place) frames = with_place(s.arena, place, frames);
    if (!has_trace && !is_early && !has_place) return true;
    js->stack->is_quiet = !may_run;
    if (frames.len) (void)reword_message(js, error, &frames.at[0]);
    js_frames_finish(js, s.arena, &frames);
    js->stack->is_quiet = false;
    bool ok = store_stack(js, error, frames, may_run);
    js_trace_keep(&info);
    return ok;
}

/* ---- The entries
 * -------------------------------------------------------------------------------------- */

static bool is_watched(const JscStringImpl *name)
{
    if (!name || (name->hash_and_flags & (STRING_IS_SYMBOL | STRING_IS_8BIT)) != STRING_IS_8BIT) {
        return false;
    }
    switch (name->len) {
    case 4: return !memcmp(name->data, "line", 4);
    case 5: return !memcmp(name->data, "stack", 5);
    case 6: return !memcmp(name->data, "column", 6);
    case 9: return !memcmp(name->data, "sourceURL", 9);
    default: return false;
    }
}

/* Before an original entry runs.  false: an exception is to be seen by the caller. */
static bool prepare(void *obj, void *global, bool may_run)
{
    Js *js = js_current();
    JsVal error = (JsVal)obj;
    if (LIKELY(is_seen(error)) || !js || !js->stack || js->stack->is_busy || js->pending)
        return true;
    if (format_error(js, error, may_run)) return true;
    JsVal exception = js_take_pending(js);
    ASSERT(exception);
    (void)jsc_throw(js->vm, global, js_bits(exception));
    return false;
}

static bool is_message(const JscStringImpl *name)
{
    static const u32 mask = STRING_IS_SYMBOL | STRING_IS_8BIT;
    return name && name->len == 7 && (name->hash_and_flags & mask) == STRING_IS_8BIT &&
           !memcmp(name->data, "message", 7);
}

static bool get_message(void *obj, void *global, const JscStringImpl *name, u8 *slot)
{
    JsVal error = (JsVal)obj;
    Js *js = js_current();
    bool may_run = slot[SLOT_METHOD] != SLOT_INSPECT;
    if (js && js->stack && !js->stack->is_busy && !js->pending &&
        reword_message(js, error, NULL) == JS_MESSAGE_NEEDS_FRAME &&
        !prepare(obj, global, may_run)) {
        return false;
    }
    bool is_found = original.get_slot(obj, global, name, slot);
    slot[SLOT_IS_CACHEABLE] = 0;
    return is_found;
}

static bool get_slot(void *obj, void *global, const JscStringImpl *name, u8 *slot)
{
    if (is_message(name) && has_watched_message((JsVal)obj))
        return get_message(obj, global, name, slot);
    if (is_watched(name) && !prepare(obj, global, slot[SLOT_METHOD] != SLOT_INSPECT)) return false;
    return original.get_slot(obj, global, name, slot);
}

static bool put(void *obj, void *global, const JscStringImpl *name, u64 value, u8 *slot)
{
    if (is_watched(name) && !is_seen((JsVal)obj)) {
        if (!prepare(obj, global, true)) return false;
        slot[PUT_IS_CACHEABLE] = 0;
    }
    return original.put(obj, global, name, value, slot);
}

static bool delete_property(void *obj, void *global, const JscStringImpl *name, u8 *slot)
{
    if (is_watched(name) && !is_seen((JsVal)obj)) {
        if (!prepare(obj, global, true)) return false;
        slot[DELETE_IS_CACHEABLE] = 0;
    }
    return original.delete(obj, global, name, slot);
}

static bool define(void *obj, void *global, const JscStringImpl *name, const void *desc,
                   bool throws)
{
    if (is_watched(name) && !prepare(obj, global, true)) return false;
    return original.define(obj, global, name, desc, throws);
}

static void special_names(void *obj, void *global, void *names, int mode)
{
    if (mode == 0 && !prepare(obj, global, true)) return;
    original.special_names(obj, global, names, mode);
}

/* ---- Installing
 * --------------------------------------------------------------------------------------- */

/* Is the table of ErrorInstance the base class's but for the entries we know it to override? */
static bool check_info(const uintptr_t *error, const uintptr_t *base)
{
    static const u32 own = 1u << INFO_PUT | 1u << INFO_DELETE | 1u << INFO_GET_SLOT |
                           1u << INFO_SPECIAL_NAMES | 1u << INFO_DEFINE;
    for (u32 i = INFO_FIRST_SHARED; i <= INFO_LAST_SHARED; i++) {
        bool is_own = own >> i & 1;
        if (!error[i] || (error[i] != base[i]) != is_own) return false;
    }
    return true;
}

static bool install(void)
{
    uintptr_t *info = jsc_error_info;
    if (!jsc.is_known_version || !jsc.has_layout || !info || !jsc_object_info) return false;
    if (!check_info(info, jsc_object_info)) return false;
    uintptr_t start = (uintptr_t)info & ~(uintptr_t)(PAGE_SIZE - 1);
    uintptr_t end = ALIGN_UP((uintptr_t)(info + INFO_LAST_SHARED), (uintptr_t)PAGE_SIZE);
    if (!js_make_writable(start, end)) return false;
    original.get_slot = (GetSlot *)info[INFO_GET_SLOT];
    original.put = (Put *)info[INFO_PUT];
    original.delete = (Delete *)info[INFO_DELETE];
    original.define = (Define *)info[INFO_DEFINE];
    original.special_names = (SpecialNames *)info[INFO_SPECIAL_NAMES];
    info[INFO_GET_SLOT] = (uintptr_t)get_slot;
    info[INFO_PUT] = (uintptr_t)put;
    info[INFO_DELETE] = (uintptr_t)delete_property;
    info[INFO_DEFINE] = (uintptr_t)define;
    info[INFO_SPECIAL_NAMES] = (uintptr_t)special_names;
    return true;
}

/* ---- Error.captureStackTrace
 * ---------------------------------------------------------------------------- */

static u32 *limit_of(Js *js)
{
    return (u32 *)(void *)js->ctx + GLOBAL_LIMIT;
}
static bool has_limit(Js *js)
{
    return ((const u8 *)js->ctx)[GLOBAL_HAS_LIMIT];
}

/* The frames of a new error with room for `more` than the limit, not yet finished. */
static bool frames_of_new_error(Js *js, Arena *a, u32 more, JsTraceInfo *info, JsFrames *ret)
{
    u32 *limit = limit_of(js), old = *limit;
    *limit = old > 0xffffffffu - more ? 0xffffffffu : old + more;
    JsVal error = js_make_error(js, (Str){0});
    *limit = old;
    if (!js_is_error(js, error) || has_text(error)) return false;
    js_trace_info(error, info);
    make_text(js, error);
    set_seen(error);
    Str text;
    bool is_own;
    if (!raw_text(js, a, error, &text, &is_own)) return false;
    *ret = js_frames_parse(a, text, info);
    return true;
}

/* Drops the frames up to and with the call of `fn`; all of them when it is not there. */
static void skip_to(JsFrames *frames, JsVal fn)
{
    u32 i = 0;
    while (i < frames->len && frames->at[i].callee != fn) i++;
    u32 n = MIN(i + 1, frames->len);
    frames->at += n;
    frames->len -= n;
}

JS_NATIVE(capture_stack_trace)
{
    JsVal target = js_arg(args, 0), fn = js_arg(args, 1);
    if (!js_is_object(js, target)) return js_throw_type_error(js, "invalid_argument");
    if (!has_limit(js)) return js_set(js, target, "stack", JS_UNDEFINED) ? JS_UNDEFINED : NULL;
    AUTO(Scratch) s = scratch_begin(NULL);
    JsFrames frames = {0};
    bool has_fn = js_is_function(js, fn);
    JsTraceInfo info;
    if (frames_of_new_error(js, s.arena, has_fn ? LIMIT_MORE : 1, &info, &frames)) {
        if (has_fn)
            skip_to(&frames, fn);
        else if (frames.len && frames.at[0].flags & FRAME_NATIVE)
            frames.at++, frames.len--;
    }
    frames.len = MIN(frames.len, *limit_of(js));
    js_frames_finish(js, s.arena, &frames);
    if (js_is_error(js, target)) {
        if (!has_text(target)) {
            drop_trace(target);
            make_text(js, target);
        }
        set_seen(target);
    }
    bool ok = store_stack(js, target, frames, true);
    js_trace_keep(&info);
    return ok ? JS_UNDEFINED : NULL;
}

bool js_frames_now(Js *js, Arena *a, JsFrames *ret)
{
    if (!js->stack || js->pending) return false;
    JsTraceInfo info;
    if (!frames_of_new_error(js, a, 0, &info, ret)) return false;
    js_frames_finish(js, a, ret);
    js_trace_keep(&info);
    return true;
}

void js_stack_init(Js *js)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static int state; /* 0: not tried, 1: installed, -1: cannot */
    pthread_mutex_lock(&lock);
    if (!state) state = install() ? 1 : -1;
    bool is_installed = state > 0;
    pthread_mutex_unlock(&lock);
    if (!is_installed || !js_has_fast_natives(js)) return;
    static const JsFn capture = JS_FN("captureStackTrace", capture_stack_trace);
    js->stack = MEM_NEW(struct JsStackState);
    JsVal error = js_get(js, js_global(js), "Error");
    ASSERT(error);
    js_ref_set_strong(js, &js->stack->error_constructor, error);
    if (!js_set(js, error, capture.name, js_function_with_len(js, &capture, 2)))
        BUG("Error is frozen");
}

void js_stack_deinit(Js *js)
{
    if (!js->stack) return;
    js_ref_clear(js, &js->stack->error_constructor);
    js_ref_clear(js, &js->stack->make_sites);
    mem_free(js->stack);
    js->stack = NULL;
}
