/* syntax/strip.h -- the fast path: TypeScript and ES modules to what the engine runs, without
 * printing.
 *
 * The parser runs as usual, but keeps no tree: it notes which bytes are types, and those are
 * replaced by spaces, so that everything left keeps its line and column and no source map is
 * needed.  Imports and exports are blanked too and come back as a ModuleInfo.  A file that needs
 * more than that is refused with a reason and goes through parse, lower and print. */
#pragma once

#include "syntax/module_info.h"
#include "syntax/parse.h"

typedef struct {
    bool verbatim_imports;
    ModuleNames names;
} StripOptions;

typedef struct {
    Str text;           /* the body; in the arena */
    ModuleInfo info;    /* Strs point into the arena, the source or `atoms` */
    const char *reason; /* why the fast path does not do; NULL: it does */
    bool edited;        /* false: `text` is the source */
} StripResult;

/* Three outcomes: true with reason NULL: `text` is ready.  True with a reason: use the full path.
 * False: errors were reported. */
typedef struct {
    const Source *source; /* padded */
    const ParseOptions *parse;
    const StripOptions *opt;
    Arena *arena;
    Interner *atoms; /* seeded */
    Log *log;
} StripInput;

bool strip_file(const StripInput *in, StripResult *ret);

#define strip(source, parse, opt, arena, atoms, log, ret)                                          \
    strip_file(&(StripInput){source, parse, opt, arena, atoms, log}, ret)
