/* engine/js_define.h -- between the files that define properties past the C API. */
#pragma once

#include "engine/js_internal.h"
#include "engine/js_private.h"

/* defineOwnProperty of a class. */
typedef bool JscDefine(void *obj, void *global, const JscStringImpl *name, const void *desc,
                       bool throws);
/* An interned string over `p`, which must stay; to be dropped with js_drop_impl. */
extern void jsc_atom_literal(JscStringImpl **ret, const u8 *p, usize n)
    JSC_SYMBOL("_ZN3WTF14AtomStringImpl10addLiteralESt4spanIKhLm18446744073709551615EE");

typedef struct {
    void *obj;
    const JscStringImpl *name; /* interned */
    bool is_enumerable;
    bool is_permanent; /* cannot be deleted */
} JsProperty;

/* Of a property, as the engine counts them. */
enum { ATTRIBUTE_READ_ONLY = 1 << 1, ATTRIBUTE_DONT_ENUM = 1 << 2, ATTRIBUTE_DONT_DELETE = 1 << 3 };

/* Are the engine's descriptors known? */
bool js_has_descriptors(void);
/* And native functions, too: is this an engine that the functions below work with? */
bool js_can_define(Js *js);
/* A configurable, writable data property.  Cannot throw: where it is not allowed nothing happens.
 */
void js_define_value_by(Js *js, JscDefine *define, JsProperty at, JsVal v);
/* A configurable accessor; either function may be undefined. */
void js_define_accessor_by(Js *js, JscDefine *define, JsProperty at, JsVal getter, JsVal setter);
