/* engine/js_stack.h -- between the files that make error.stack: frames, the hook, CallSite objects.
 */
#pragma once

#include "engine/js_internal.h"

enum {
    FRAME_NATIVE = 1,      /* code of the engine or of ours in C */
    FRAME_EVAL = 2,        /* top level of eval code */
    FRAME_CONSTRUCTOR = 4, /* called by new */
    FRAME_TOP_LEVEL = 8,   /* top level of a script or module */
    FRAME_ASYNC_CALL = 16, /* an async function as its caller sees it... */
    FRAME_ASYNC_BODY = 32, /* ...and what the engine made of its body */
};

typedef struct {
    Str fn, url;   /* "" when there is none */
    u32 line, col; /* 0: unknown */
    u32 flags;
    JsVal callee; /* the function, or NULL; alive as long as the JsTraceInfo */
} JsFrame;

typedef struct {
    JsFrame *at;
    u32 len;
} JsFrames;

/* Taken before the engine turns the trace into text: what only the trace knows.  It must be a local
 * variable, so that the collector finds the functions; js_trace_keep marks the end of their use. */
enum { TRACE_KEPT = 96 };
typedef struct {
    JsVal callees[TRACE_KEPT];
    u8 flags[TRACE_KEPT];
    u32 len; /* of the trace; only the first TRACE_KEPT frames are described */
} JsTraceInfo;

void js_trace_info(JsVal error, JsTraceInfo *ret);
static inline void js_trace_keep(const JsTraceInfo *info)
{
    __asm__ volatile("" : : "r"(info) : "memory");
}
/* Reads the engine's text form. */
JsFrames js_frames_parse(Arena *a, Str raw, const JsTraceInfo *info);
/* The name of the frame's function; reads its property `name` unless is_quiet. */
Str js_frame_name(Js *js, Arena *a, const JsFrame *f);
/* Maps positions and drops frames that are nobody's business (js_stack.c). */
void js_frames_finish(Js *js, Arena *a, JsFrames *frames);
/* The lines "\n    at ..." */
Str js_frames_print(Arena *a, JsFrames frames);
/* Is this URL one of the built-in modules? */
bool js_is_builtin_url(Str url);
/* Error.prototype.toString without its errors: "Name: message". */
Str js_error_header(Js *js, Arena *a, JsVal error);

/* Calls prepare(error, CallSites); NULL with an exception if it throws. */
NODISCARD JsVal js_call_prepare(Js *js, JsVal prepare, JsVal error, JsFrames frames);

/* The frames of the current point: of a new error, from the caller of the running native function.
 */
bool js_frames_now(Js *js, Arena *a, JsFrames *ret);

/* Gives a message of the engine its new words.  `top` is where the error was made, or NULL when
 * that is not known yet; JS_MESSAGE_NEEDS_FRAME: call again with it.  The caller has set is_busy.
 */
typedef enum { JS_MESSAGE_DONE, JS_MESSAGE_NEEDS_FRAME } JsMessage;
JsMessage js_message_reword(Js *js, JsVal error, const JsFrame *top);

/* Hooks error.stack into the machine; without the engine's layout it does nothing. */
void js_stack_init(Js *js);
void js_stack_deinit(Js *js);

struct JsStackState {
    JsRef error_constructor, make_sites;
    bool is_busy;      /* our own access to `stack`: leave it alone */
    bool is_preparing; /* inside Error.prepareStackTrace */
    bool is_quiet;     /* no script may run */
};
