/* syntax/module_info.h -- what a module imports and exports, and the text around its lowered body.
 *
 * The contract between lowered modules and the runtime is docs/internals/modules.md. */
#pragma once

#include "syntax/ast.h"

typedef struct {
    Str specifier;     /* WTF-8, cooked */
    Str attr_type;     /* with { type: "..." }; empty if none */
    ListId attributes; /* all of them, where it stands first: pairs of key and value */
    ImportPhase phase;
    bool is_late; /* loaded by the module's function itself: mocks_find */
    u32 pos;      /* of the specifier, for errors */
} ModuleRequest;

typedef struct {
    u32 request;  /* index */
    Str imported; /* export's name; unused for namespaces */
    Str local;
    bool is_namespace;
    /* Set by the linker.  A variable: it may change after it was bound, so it is read at every use.
     * A namespace: its members may be read from the request's object directly. */
    bool live;
    u32 pos;
} ModuleImport;

typedef enum {
    EXPORT_LOCAL,     /* a variable of this module */
    EXPORT_INDIRECT,  /* `imported` of a requested module */
    EXPORT_NAMESPACE, /* export * as name */
    EXPORT_STAR,      /* export *; no name */
} ExportKind;

typedef struct {
    ExportKind kind;
    Str name;
    Str local;     /* LOCAL: the variable; INDIRECT: the name in the other module */
    u32 request;   /* all but LOCAL */
    bool constant; /* LOCAL: never assigned after its declaration was evaluated */
    u32 pos;
} ModuleExport;

typedef struct {
    Vec(ModuleRequest) requests; /* in source order, each specifier and attribute once */
    Vec(ModuleImport) imports;
    Vec(ModuleExport) exports;
    bool is_module;
    bool has_await; /* top-level await: the body is an async function */
    bool has_late;  /* some requests are late */
    bool uses_meta, uses_dynamic_import;
    /* Set by whoever runs it: the function's last parameters are `require`; `__filename` and
     * `__dirname`. */
    bool has_require, has_filename;
    bool is_handed_last; /* likewise: nobody can see the exports before the body is done */
    bool names_default; /* `_default` is an anonymous function or class that shall be called default
                         */
} ModuleInfo;

/* Names that lowered modules use; a file that contains them itself gets others. */
typedef struct {
    Str cob;      /* $cob */
    Str default_; /* _default */
} ModuleNames;

#define MODULE_NAMES ((ModuleNames){S("$cob"), S("_default")})
enum { MODULE_PREFIX_LINES = 1 }; /* lines before the first line of the body */

u32 module_request(Arena *a, ModuleInfo *m, const Ast *t, NodeId source, ListId attributes,
                   ImportPhase phase);
/* Adds the imports of an IMPORT node whose locals `is_kept` accepts (NULL: all). */
typedef bool ModuleKeeps(void *ctx, NodeId local);
void module_add_import(Arena *a, ModuleInfo *m, const Ast *t, NodeId id, ModuleKeeps *is_kept,
                       void *ctx);
void module_add_export_all(Arena *a, ModuleInfo *m, const Ast *t, NodeId id);
void module_add_local(Arena *a, ModuleInfo *m, Str name, Str local, bool constant, u32 pos);
/* Exports of imported names become indirect exports.  Call when all was added. */
void module_finish(Arena *a, ModuleInfo *m);

/* All local exports are constant: what they are can be handed over when the body is done. */
bool module_is_constant(const ModuleInfo *m);
/* Does the function get $cob?  Otherwise its first argument is the object of the exports. */
bool module_needs_context(const ModuleInfo *m);
/* Text before and behind the body.  `cycle`: the module is in an import cycle. */
void module_open(Buf *b, const ModuleInfo *m, const ModuleNames *names, bool cycle);
void module_close(Buf *b, const ModuleInfo *m, const ModuleNames *names);
