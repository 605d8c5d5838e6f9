/* engine/js_callsite.c -- CallSite objects for Error.prepareStackTrace (V8's stack trace API).
 *
 * The class is JavaScript, evaluated the first time a program uses prepareStackTrace.  It gets six
 * values a frame: function name, URL, line, column, flags, function.  What V8 knows of receivers
 * (getThis, getTypeName) the engine does not tell; like Bun we answer undefined. */
#include "engine/js_stack.h"

enum { VALUES_PER_FRAME = 6 };

static const char source[] =
    "(function () {\n"
    "'use strict';\n"
    "const NATIVE = 1, EVAL = 2, CONSTRUCTOR = 4, TOP = 8;\n"
    "class CallSite {\n"
    "  #name; #url; #line; #column; #flags; #fn;\n"
    "  constructor(values, i) {\n"
    "    this.#name = values[i]; this.#url = values[i + 1]; this.#line = values[i + 2];\n"
    "    this.#column = values[i + 3]; this.#flags = values[i + 4]; this.#fn = values[i + 5];\n"
    "  }\n"
    "  getThis() { return undefined; }\n"
    "  getTypeName() { return undefined; }\n"
    "  getFunction() { return this.#fn; }\n"
    "  getFunctionName() { return this.#name; }\n"
    "  getMethodName() { return this.#name; }\n"
    "  getFileName() { return this.#url; }\n"
    "  getLineNumber() { return this.#line; }\n"
    "  getColumnNumber() { return this.#column; }\n"
    "  getEnclosingLineNumber() { return this.#line; }\n"
    "  getEnclosingColumnNumber() { return this.#column; }\n"
    "  getPosition() { return 0; }\n"
    "  getScriptId() { return 0; }\n"
    "  getScriptHash() { return ''; }\n"
    "  getEvalOrigin() { return undefined; }\n"
    "  getScriptNameOrSourceURL() { return this.#url; }\n"
    "  getPromiseIndex() { return null; }\n"
    "  isToplevel() { return (this.#flags & (TOP | EVAL)) !== 0; }\n"
    "  isEval() { return (this.#flags & EVAL) !== 0; }\n"
    "  isNative() { return (this.#flags & NATIVE) !== 0; }\n"
    "  isConstructor() { return (this.#flags & CONSTRUCTOR) !== 0; }\n"
    "  isAsync() { return false; }\n"
    "  isPromiseAll() { return false; }\n"
    "  toString() {\n"
    "    let place = (this.#flags & NATIVE) !== 0 ? 'native' : this.#url || '<anonymous>';\n"
    "    if (this.#line !== null) place += ':' + this.#line;\n"
    "    if (this.#line !== null && this.#column !== null) place += ':' + this.#column;\n"
    "    if ((this.#flags & TOP) !== 0) return place;\n"
    "    const name = this.#name || '<anonymous>';\n"
    "    return ((this.#flags & CONSTRUCTOR) !== 0 ? 'new ' : '') + name + ' (' + place + ')';\n"
    "  }\n"
    "  toJSON() {\n"
    "    return { sourceURL: this.#url, lineNumber: this.#line, columnNumber: this.#column,\n"
    "             functionName: this.#name };\n"
    "  }\n"
    "}\n"
    "return function makeSites(values) {\n"
    "  const sites = [];\n"
    "  for (let i = 0; i < values.length; i += 6) sites[i / 6] = new CallSite(values, i);\n"
    "  return sites;\n"
    "};\n"
    "})()";

static JsVal text_or_null(Js *js, Str s)
{
    return s.n ? js_str(js, s) : JS_NULL;
}
static JsVal number_or_null(Js *js, u32 n)
{
    return n ? js_number(js, n) : JS_NULL;
}

/* The function of sloppy code; strict functions and classes are not handed out, as in V8. */
static JsVal callee_of(Js *js, const JsFrame *f)
{
    bool is_plain = f->callee && !(f->flags & (FRAME_CONSTRUCTOR | FRAME_NATIVE | FRAME_TOP_LEVEL));
    return is_plain && js_is_function(js, f->callee) ? f->callee : JS_UNDEFINED;
}

static JsVal make_sites(Js *js, JsFrames frames)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    JsRef *ref = &js->stack->make_sites;
    if (ref->state != JS_REF_STRONG) {
        JsVal fn = js_eval_static(js, (Str){source, sizeof source - 1}, S("internal/callsite"), 1);
        if (!fn) return NULL;
        js_ref_set_strong(js, ref, fn);
    }
    /* The values go straight into an array object, which keeps them alive. */
    JsVal values = js_array(js, NULL, 0);
    for (u32 i = 0; values && i < frames.len; i++) {
        const JsFrame *f = &frames.at[i];
        Str url = f->flags & FRAME_NATIVE ? S("native") : f->url;
        JsVal at[VALUES_PER_FRAME] = {
            text_or_null(js, f->fn),    text_or_null(js, url),     number_or_null(js, f->line),
            number_or_null(js, f->col), js_int(js, (i32)f->flags), callee_of(js, f),
        };
        for (u32 k = 0; k < VALUES_PER_FRAME; k++) {
            if (!js_set_index(js, values, i * VALUES_PER_FRAME + k, at[k])) return NULL;
        }
    }
    return values ? js_call(js, js_ref_get(js, ref), JS_UNDEFINED, JS_ARGS(values)) : NULL;
}

JsVal js_call_prepare(Js *js, JsVal prepare, JsVal error, JsFrames frames)
{
    JsVal sites = make_sites(js, frames);
    JsVal constructor = js_ref_get(js, &js->stack->error_constructor);
    return sites ? js_call(js, prepare, constructor, JS_ARGS(error, sites)) : NULL;
}
