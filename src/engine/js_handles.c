/* engine/js_handles.c -- the stack of values that native code holds while it is called.
 *
 * The engine has such a thing for its own code, the MarkedVector: the first value that is added to
 * one puts it on a list that the collector goes through.  A JsHandles begins with the members of
 * one, so that pushing is a store.  With another version of the engine every value is protected. */
#include "engine/js_internal.h"

#include <string.h>

#include "engine/js_private.h"
#include "util/mem.h"

enum { HANDLES_MAX = 1 << 28 };

_Static_assert(offsetof(JsHandles, at) == 8, "MarkedVector: buffer");
_Static_assert(offsetof(JsHandles, lists) == 16, "MarkedVector: set of lists");
_Static_assert(offsetof(JsHandles, first) == 24, "MarkedVector: inline capacity");

JsHandles *js_handles(Js *js)
{
    if (LIKELY(js->handles != NULL)) return js->handles;
    JsHandles *h = MEM_NEW(JsHandles);
    h->cap = COUNT(h->first);
    h->at = h->first;
    h->is_protected = !jsc.has_layout || !jsc_vector_append || !jsc_fast_free;
    return js->handles = h;
}

void js_handles_deinit(Js *js)
{
    JsHandles *h = TAKE(js->handles);
    if (!h) return;
    if (h->at != h->first) {
        if (h->is_protected)
            mem_free(h->at);
        else
            jsc_fast_free(h->at);
    }
    mem_free(h);
}

static void push_protected(Js *js, JsHandles *h, JsVal v)
{
    if (h->len == h->cap) {
        JsVal *old = h->at == h->first ? NULL : h->at;
        h->cap *= 2;
        JsVal *at = mem_resize(old, h->cap * sizeof(JsVal));
        if (!old) memcpy(at, h->first, h->len * sizeof(JsVal));
        h->at = at;
    }
    JSValueProtect(js->ctx, js_ref_of(v));
    h->at[h->len++] = v;
}

void js_handles_push_slow(Js *js, JsHandles *h, JsVal v)
{
    if (h->len >= HANDLES_MAX) BUG("too many values are held by native code");
    if (h->is_protected)
        push_protected(js, h, v);
    else if (jsc_vector_append(h, js_bits(v)))
        bug_oom(sizeof(JsVal) * 2 * h->cap);
}

void js_handles_drop_slow(Js *js, JsHandles *h, u32 len)
{
    ASSERT(h->is_protected);
    while (h->len > len) JSValueUnprotect(js->ctx, js_ref_of(h->at[--h->len]));
}

void js_handles_put(Js *js, JsHandles *h, u32 i, JsVal v)
{
    ASSERT(i < h->len);
    if (h->is_protected) {
        JSValueProtect(js->ctx, js_ref_of(v));
        JSValueUnprotect(js->ctx, js_ref_of(h->at[i]));
    }
    h->at[i] = v;
}
