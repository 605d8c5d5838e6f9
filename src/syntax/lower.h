/* syntax/lower.h -- from what the parser accepts to what the engine runs.
 *
 * Each pass changes the tree in place.  Passes find their nodes by scanning the node array, in
 * which children stand before their parents, so none of them recurses. */
#pragma once

#include "syntax/helpers.h"
#include "syntax/module_info.h"
#include "syntax/scope.h"

typedef enum { JSX_AUTOMATIC, JSX_CLASSIC, JSX_PRESERVE } JsxMode;

typedef struct {
    bool legacy_decorators; /* experimentalDecorators */
    bool emit_metadata;     /* emitDecoratorMetadata; needs ParseOptions.keep_param_types */
    bool assign_fields;     /* useDefineForClassFields: false */
    bool verbatim_imports;  /* verbatimModuleSyntax: unused imports stay */
    bool keep_imports;      /* the same, but what imports only types goes altogether */
    bool trim_imports;      /* unused imports go in JavaScript as well */
    JsxMode jsx;
    bool jsx_dev;          /* jsxDEV with source positions */
    bool jsx_esm;          /* automatic: import declarations also in files that are no modules */
    bool jsx_no_import;    /* automatic: the caller brings the functions */
    Str jsx_factory;       /* classic; empty: React.createElement */
    Str jsx_fragment;      /* classic; empty: React.Fragment */
    Str jsx_import_source; /* automatic; empty: react */
} LowerOptions;

typedef struct {
    Ast *ast;
    Bindings *bindings;
    const ParseOptions *parse;
    const LowerOptions *opt;
    Arena *arena;
    Log *log;
    u32 helpers; /* HELPER_ bits that the output needs */
} Lowering;

/* Everything below but modules, in the right order. */
bool lower_all(Lowering *w);
/* TypeScript: enums, namespaces, parameter properties, import aliases, unused imports.  False when
 * errors were reported. */
bool lower_ts(Lowering *w);
/* Before lower_ts: the classic factory counts as a use of its import. */
void jsx_note_factory(Lowering *w);
/* ES modules to function bodies (docs/internals/modules.md), in two steps: module_scan tells what
 * the file imports and exports; when the linker has set `live` on its imports, lower_esm removes
 * import and export statements and turns uses of live imports into property reads. */
void module_scan(Lowering *w, ModuleInfo *ret);
void lower_esm(Lowering *w, const ModuleInfo *m, const ModuleNames *names);
/* For test files, behind module_scan: marks requests that wait for jest.mock() and its like
 * (lower_mocks.c). */
void mocks_find(const Lowering *w, ModuleInfo *m);
/* Names that do not occur in the file. */
ModuleNames module_names(Lowering *w);
/* `using` and `await using` to try and finally.  After lower_ts. */
void lower_using(Lowering *w);
/* Decorators.  After lower_ts. */
bool lower_decorators(Lowering *w);
/* Before lower_ts: imports that only metadata uses. */
void metadata_note(Lowering *w);
/* JSX to calls. */
bool lower_jsx(Lowering *w);
