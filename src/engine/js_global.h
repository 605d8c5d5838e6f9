/* engine/js_global.h -- the entries that global objects have of ours, between the files that make
 * them.
 *
 * A C function stands in for each entry of the class of global objects (js_global.c).  It serves
 * the first global object of a machine from js_lazy.c, those of node:vm from js_context.c, and
 * leaves all others to the engine. */
#pragma once

#include "engine/js_define.h"

/* Words of a ClassInfo; the method table begins at 6. */
enum {
    INFO_PUT = 9,
    INFO_PUT_INDEX,
    INFO_DELETE,
    INFO_DELETE_INDEX,
    INFO_GET_SLOT,
    INFO_GET_SLOT_INDEX,
    INFO_NAMES,
    INFO_DEFINE = 18,
    INFO_PREVENT_EXTENSIONS = 19,
    INFO_PROTO = 22,
};
/* A PropertySlot: value, attributes, offset of the property, `this`, whose property it is, whether
 * to keep that in mind, what was found, why it is asked. */
enum {
    SLOT_VALUE = 0,
    SLOT_ATTRIBUTES = 16,
    SLOT_OFFSET = 20,
    SLOT_THIS = 24,
    SLOT_BASE = 32,
    SLOT_IS_CACHEABLE = 48,
    SLOT_TYPE = 49,
    SLOT_METHOD = 50,
    SLOT_SIZE = 128,
};
enum { SLOT_IS_UNSET, SLOT_IS_VALUE, SLOT_IS_GETTER };   /* SLOT_TYPE */
enum { SLOT_GET, SLOT_HAS, SLOT_GET_OWN, SLOT_INSPECT }; /* SLOT_METHOD */

typedef bool JscGetSlot(void *obj, void *global, const JscStringImpl *name, u8 *slot);
typedef bool JscGetSlotIndex(void *obj, void *global, u32 i, u8 *slot);
typedef bool JscPut(void *obj, void *global, const JscStringImpl *name, u64 value, u8 *slot);
typedef bool JscPutIndex(void *obj, void *global, u32 i, u64 value, bool throws);
typedef bool JscDelete(void *obj, void *global, const JscStringImpl *name, void *slot);
typedef bool JscDeleteIndex(void *obj, void *global, u32 i);
typedef void JscNames(void *obj, void *global, void *names, int mode);
typedef bool JscPreventExtensions(void *obj, void *global);
typedef u64 JscProto(void *obj, void *global);

/* What the engine itself does. */
typedef struct {
    JscGetSlot *get_slot;
    JscPut *put;
    JscDelete *delete;
    JscNames *names;
    JscDefine *define;
    JscPreventExtensions *prevent_extensions;
} JsGlobalEntries;
extern JsGlobalEntries js_global_original;

/* Puts our entries in place, once for the process.  false: the engine is another version. */
bool js_global_install(Js *js);
/* The own property of a global object as the engine sees it; `method` is SLOT_GET_OWN or so. */
bool js_global_own(void *global, const JscStringImpl *name, u8 slot[SLOT_SIZE], u8 method);

/* js_lazy.c; `js` is the machine whose first global object is looked at. */
bool js_lazy_get_slot(Js *js, const JscStringImpl *name, u8 *slot);
bool js_lazy_put(Js *js, const JscStringImpl *name, u64 value, u8 *slot);
bool js_lazy_delete(Js *js, const JscStringImpl *name, void *slot);
void js_lazy_names(Js *js, void *names, int mode);
bool js_lazy_prevent_extensions(Js *js);

/* js_context.c */
typedef struct {
    void *global, *sandbox;
} JsContextAt;
/* Is `obj` a global object with a sandbox? */
bool js_context_find(Js *js, void *obj, JsContextAt *ret);
bool js_context_get_slot(Js *js, JsContextAt at, const JscStringImpl *name, u8 *slot);
bool js_context_get_slot_index(Js *js, JsContextAt at, u32 i, u8 *slot);
bool js_context_put(JsContextAt at, const JscStringImpl *name, u64 value, u8 *slot);
bool js_context_put_index(JsContextAt at, u32 i, u64 value, bool throws);
bool js_context_delete(JsContextAt at, const JscStringImpl *name, void *slot);
bool js_context_delete_index(JsContextAt at, u32 i);
void js_context_names(JsContextAt at, void *names, int mode);
bool js_context_define(JsContextAt at, const JscStringImpl *name, const void *desc, bool throws);
