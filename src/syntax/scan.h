/* syntax/scan.h -- what a file imports and exports, by name (Bun.Transpiler's scan). */
#pragma once

#include "syntax/transpile.h"

typedef enum { SCAN_IMPORT, SCAN_REQUIRE, SCAN_REQUIRE_RESOLVE, SCAN_DYNAMIC_IMPORT } ScanKind;

typedef struct {
    ScanKind kind;
    u32 pos;
    Str path;
} ScanImport;

typedef struct {
    Vec(ScanImport) imports; /* in source order */
    Vec(Str) exports;        /* sorted by their bytes */
} ScanResult;

/* Types and, where the options say so, unused imports do not count.  All in `a`.  False when errors
 * were reported. */
NODISCARD bool scan_file(const Source *source, const TranspileOptions *opt, Arena *a, Log *log,
                         ScanResult *ret);
