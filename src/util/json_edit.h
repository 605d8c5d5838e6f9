/* util/json_edit.h -- changes to the text of a JSON document that leave all the rest of it as it
 * is: white space, comments, order of keys, numbers. */
#pragma once

#include "util/json.h"

typedef enum {
    JSON_EDIT_LAST,   /* new members go behind the others */
    JSON_EDIT_SORTED, /* ... before the first whose key is greater, as in "dependencies" */
} JsonEditOrder;

typedef struct {
    Str text; /* the document, read as JSONC */
    const Str *keys;
    u32 n_keys; /* at least one: `keys[0]`.`keys[1]` ... names a member */
    Str value;  /* to set: a JSON text whose lines are indented as if it stood alone */
    JsonEditOrder order;
} JsonEdit;

/* Sets the member.  Objects on the way that are missing are made (each at the end of its parent);
 * what is on the way and is no object is replaced.  False when the text does not parse or is not an
 * object. */
NODISCARD bool json_edit_set(Arena *a, const JsonEdit *edit, Str *ret, JsonError *ret_err);
/* Deletes the member; *ret is the text as it was when there is none. */
NODISCARD bool json_edit_del(Arena *a, const JsonEdit *edit, Str *ret, JsonError *ret_err);
