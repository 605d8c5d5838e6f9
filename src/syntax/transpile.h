/* syntax/transpile.h -- the full path as one call: source text to JavaScript text, with every
 * option that works on one file by itself. */
#pragma once

#include "codec/sourcemap.h"
#include "syntax/define.h"
#include "syntax/exports_edit.h"
#include "syntax/lower.h"
#include "syntax/macro.h"

typedef struct {
    ParseOptions parse;
    LowerOptions lower;
    const Defines *defines; /* may be NULL */
    bool minify_whitespace, minify_syntax, minify_identifiers;
    bool dead_code;             /* branches that are never taken go, also without defines */
    bool inline_constants;      /* without minify_syntax */
    const MacroOptions *macros; /* may be NULL: they are errors */
    const ExportEdit *exports;
    u32 n_exports;
    bool keep_names;    /* with minify_identifiers: those of functions and classes */
    bool top_is_global; /* a script: its top-level names belong to other files too */
    bool source_map, source_content;
    Str source_name;        /* as it shall stand in the map */
    const SourceMap *input; /* the map of the source, if it was generated; may be NULL */
} TranspileOptions;

typedef struct {
    Buf text;      /* JavaScript; free with Buf_deinit */
    SourceMap map; /* with opt->source_map; in the arena */
} Transpiled;

void Transpiled_deinit(Transpiled *t);
/* `source`, whose text is padded (lex_pad), and `a` outlive the result.  False when errors were
 * reported; the result is empty then. */
NODISCARD bool transpile(const Source *source, const TranspileOptions *opt, Arena *a, Log *log,
                         Transpiled *ret);
/* Language and goal by the ending of the file's name.  False for an unknown ending. */
bool transpile_options_for(Str path, ParseOptions *ret);
/* The same by the name of a loader: js, jsx, ts, tsx. */
bool transpile_options_named(Str loader, ParseOptions *ret);
