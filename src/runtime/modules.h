/* runtime/modules.h -- ES modules, private to this folder: load, link, evaluate (ECMA-262, 16.2.1).
 *
 * The engine has no module loader that we can reach, so syntax/ turns each module into a function
 * (docs/internals/modules.md) and these files do the rest:
 *
 *   modules_source.c  reading a file and bringing it to the form that the engine runs
 *   modules_kept.c    what earlier runs made of the same text
 *   modules_kind.c    what a file is: code, data, text, bytes, a path
 *   modules_hooks.c   programs that take part
 *   modules_load.c    the graph: specifiers to modules, everything parsed before anything runs
 *   modules_link.c    cycles, which export each import means, errors of both
 *   modules_eval.c    running in order, top-level await, CommonJS and others as dependencies
 *   modules_defer.c   import defer: what runs at once, and what on first use
 *   modules_late.c    test files that replace modules before they import
 *   modules_again.c   test files load their modules anew: what is freed, what serves again
 *
 * A module is known by its URL (a path with its query, or the id of a built-in) and lives as long
 * as the Vm. */
#pragma once

#include "runtime/vm.h"
#include "syntax/lower.h"
#include "syntax/print_map.h"
#include "syntax/strip.h"
#include "util/log.h"
#include "util/vec.h"

typedef enum {
    MODULE_ESM,
    MODULE_CJS,
    MODULE_JSON,
    MODULE_TEXT,
    MODULE_BYTES,
    MODULE_FILE,   /* its path */
    MODULE_DATA,   /* what internal/data makes of it */
    MODULE_HTML,   /* an object that names it, for Bun.serve */
    MODULE_CSS,    /* an empty object: style sheets mean nothing here */
    MODULE_OBJECT, /* what a plugin has given */
    MODULE_BUILTIN,
} ModuleKind;

typedef enum {
    MODULE_LOADED,           /* parsed; requests not looked at */
    MODULE_LINKED,           /* and all below it */
    MODULE_READY,            /* in a cycle: hoisted, exports handed over */
    MODULE_EVALUATING_ASYNC, /* runs or waits for dependencies that do */
    MODULE_EVALUATED,
} ModuleState;

/* What a name that a module exports stands for. */
typedef enum {
    EXPORT_MISSING,
    EXPORT_AMBIGUOUS,
    EXPORT_FOUND,   /* the export `name` of `module` itself */
    EXPORT_IS_NS,   /* the namespace of `module` */
    EXPORT_DYNAMIC, /* of a module whose names are known when it has run */
} ExportFate;
typedef struct {
    ExportFate fate;
    struct VmModule *module;
    Str name;
    bool is_constant, is_deferred; /* deferred: of a namespace */
} ResolvedExport;

/* The full path: a tree that waits for the linker's word on its imports. */
typedef struct {
    Source source;
    Interner atoms;
    Ast ast;
    Bindings bindings;
    ParseOptions parse;
    LowerOptions lower;
    Lowering w;
    ModuleNames names;
    Str printed;
    PrintResult marks;
    SourceMap *map;
} FullParse;

typedef struct VmModule {
    Vm *vm;
    u32 id; /* index in vm->esm.modules */
    ModuleKind kind;
    ModuleState state;
    Str url, path;
    Arena arena;      /* all that parsing made */
    Arena link;       /* all that linking made */
    SysStat stamp;    /* of the file that was parsed, in tests */
    bool is_released; /* modules_again.c: only its URL and path are left */

    /* Source */
    Str source; /* padded for the lexer */
    ParseOptions options;
    Str text; /* body of the fast path, or of a CommonJS file */
    Str data; /* MODULE_DATA: the name of its loader, a constant */
    ModuleInfo info;
    FullParse *full; /* NULL: fast path */
    const char *full_reason;
    u32 kept_signature;              /* modules_kept.c */
    bool is_complete;                /* all below it is loaded */
    bool is_hooked;                  /* its text is not that of the file */
    bool is_typescript, is_node_esm; /* .mjs, .mts or "type": "module" */

    /* Link */
    struct VmModule **deps; /* by request */
    u32 dfs_idx, dfs_low;
    u32 component; /* modules of one cycle share it */
    bool in_cycle, is_on_stack;
    StrMap resolved; /* name -> ResolvedExport * */

    /* Evaluation */
    JsRef function;    /* from module_compile until it is called */
    JsRef object;      /* what importers read: $cobN */
    JsRef object_node; /* of CommonJS for importers with Node's view of `default` */
    JsRef ns, deferred_ns, context, require, filename, dirname, generator, error;
    JsRef resolve, reject, promise; /* somebody waits for it */
    struct VmModule *cycle_root;
    Vec(struct VmModule *) async_parents;
    u32 pending_deps;
    Vec(struct VmModule *) to_run; /* instead of deps, when some are deferred */
    u64 async_order;               /* 0: it is not asynchronous */
    u32 entered_at;                /* modules that were complete when the walk came to this one */
    bool has_error;
    bool is_running; /* it or something that it waits for is on the stack */
} VmModule;

typedef Vec(VmModule *) ModuleList;

struct VmModules {
    ModuleList all;
    StrMap by_url;
    JsRef hooks;    /* internal/module_hooks, once a program has set some */
    Interner words; /* of the fast path: the language's words, and those of one file at a time */
    u32 n_words;
    u64 async_count;
    u32 dfs_count, component_count;
    u32 n_kept;         /* modules before this id survive vm_esm_forget */
    VmModule *stand_in; /* modules_late.c */
    StrMap spares;      /* modules_again.c: url -> VmModule * */
};

/* ---- Source ------------------------------------------------------------------------------------
 */

/* Reads and parses the file of a new module; decides its kind.  false: exception. */
NODISCARD bool module_parse(VmModule *m, bool is_required);
NODISCARD bool module_parse_text(VmModule *m, Str text, bool is_typescript);
/* The text to evaluate: an expression whose value is the module's function. */
NODISCARD bool module_emit(VmModule *m, Buf *ret);
/* After linking: the module's function, so that an early error shows before anything runs. */
NODISCARD bool module_compile(VmModule *m);
/* Tells the Vm what stood in the file, for stacks of what was evaluated under `url`. */
void module_keep_original(VmModule *m, Str url);
/* Goes over to the full path; its requests are those of before. */
NODISCARD bool module_reparse(VmModule *m);

/* The name of the loader that the ending of a file asks for, or the configuration.  What require()
 * loads, and the first file, is code as in Node unless its ending is known for something else. */
Str module_loader_of(const Vm *vm, Str path, bool is_required);
/* Sets `kind` and `data`: by the attribute `type`, or by the ending when that is empty. MODULE_ESM:
 * the text decides.  false: exception. */
NODISCARD bool module_kind_of(VmModule *m, Str type, bool is_required);

/* What was kept of the same text (modules_kept.c); false: there is nothing.  And keeping what the
 * fast path has made. */
bool module_find_kept(VmModule *m, const ParseOptions *options, bool is_verbatim);
void module_keep(VmModule *m);

/* The same for text that a program has given; `loader` is js, ts, tsx, jsx, or mjs, cjs, mts, cts.
 */
NODISCARD bool module_parse_as(VmModule *m, Str text, Str loader);

/* ---- Hooks -------------------------------------------------------------------------------------
 */

typedef struct {
    Str specifier, importer, type;
    bool is_required;
} HookQuestion;
typedef struct {
    bool is_given;    /* else the usual way */
    Str path, suffix; /* a file, the id of a built-in, or any URL that a hook will load */
} HookTarget;

NODISCARD bool module_hook_resolve(Vm *vm, Arena *a, HookQuestion q, HookTarget *ret);
/* *ret_done: a hook has given the module's text or its exports. */
NODISCARD bool module_hook_load(VmModule *m, Str type, bool is_required, bool *ret_done);

/* ---- Load and link
 * -------------------------------------------------------------------------------- */

/* The module of a specifier, with everything below it loaded.  `importer` is a path, or "" for the
 * current folder; `type` the attribute, may be empty.  NULL: exception. */
NODISCARD VmModule *module_load(Vm *vm, Str specifier, Str importer, Str type);
NODISCARD VmModule *module_load_path(Vm *vm, Str path);
/* A file without what it imports; parsed once. */
NODISCARD VmModule *module_open_file(Vm *vm, Str path);
/* A program that is not a file, TypeScript or not, with all it imports. */
NODISCARD VmModule *module_from_text(Vm *vm, Str text, Str path);
NODISCARD bool module_link(VmModule *root, ModuleList *ret_order);
ResolvedExport module_resolve_export(VmModule *m, Str name);
/* Does the import have to be read at every use? */
bool module_is_live(VmModule *m, const ModuleImport *import);
/* All names that the module exports, without those that are ambiguous. */
typedef Vec(Str) NameList;
void module_export_names(VmModule *m, Arena *a, NameList *ret);

/* ---- Evaluation
 * -------------------------------------------------------------------------------------- */

/* The object that importers read; made empty at first. */
JsVal module_object(VmModule *m, const VmModule *importer);
/* Runs a linked graph.  false: the exception of the module that failed. */
NODISCARD bool module_evaluate(VmModule *root);
/* What to wait for when the graph awaits, else undefined. */
JsVal module_promise(VmModule *m);
JsVal module_namespace(VmModule *m);

/* ---- Late
 * -------------------------------------------------------------------------------------------- */

/* Does the text of a test file replace modules before it imports? */
bool module_may_hoist(const VmModule *m, Str text);
/* Stands for what is imported late: it has run, and nothing is known of it. */
VmModule *module_stand_in(Vm *vm);

/* ---- Again
 * ------------------------------------------------------------------------------------------- */

/* A parsed module that an earlier test file has loaded from this file, as it is now; registered
 * anew.  NULL: there is none. */
VmModule *module_take_spare(Vm *vm, Str url);
/* The module of a number; NULL with an exception: it belongs to a test file that has ended. */
VmModule *module_usable(Vm *vm, u32 id);
/* Makes it known under its URL, with a new number. */
void module_register(VmModule *m);
/* Notes which state of the file is parsed. */
void module_stamp(VmModule *m);

/* ---- Deferred
 * ---------------------------------------------------------------------------------------- */

JsVal module_deferred_namespace(VmModule *m);
bool module_has_deferred(const VmModule *m);
/* Fills m->to_run. */
void module_plan(VmModule *m);
/* Appends the modules that await below `m`, which is deferred. */
void module_gather_async(VmModule *m, Arena *a, ModuleList *ret);
/* Runs it now.  false: exception. */
NODISCARD bool module_run_deferred(VmModule *m);
/* The promise of a module's body was settled. */
void module_fulfilled(VmModule *m);
void module_rejected(VmModule *m, JsVal error);
/* Throws: `name` is not exported by `dep`.  Always false. */
bool module_throw_missing(VmModule *m, Str name, const VmModule *dep, u32 pos);
