/* napi/napi.h -- loading native add-ons; all that other layers need of napi/. */
#pragma once

#include "engine/js.h"
#include "runtime/vm.h"
#include "util/str.h"

typedef struct {
    Str path;
    Str url;   /* "file:///...", what the add-on is told */
    i32 flags; /* of dlopen */
} NapiAddon;

/* Loads the shared object and lets it fill `exports`; the result is what module.exports becomes.
 * Throws ERR_DLOPEN_FAILED. */
NODISCARD JsVal napi_addon_load(Vm *vm, const NapiAddon *addon, JsVal exports);
/* The object with this number (internal/napi registered it) died. */
void napi_addon_object_died(Vm *vm, f64 id);
