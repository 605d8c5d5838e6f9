/* resolve/resolve.h -- from an import specifier to a file.
 *
 * Node's algorithms (https://nodejs.org/api/modules.html and esm.html), with what Bun adds on top:
 * probing of extensions for imports too, TypeScript's ".js means .ts", tsconfig paths, more
 * conditions.  Wherever Node finds a file, this finds the same one, unless a TypeScript neighbour
 * of the program's own code comes first by Bun's order of extensions.
 *
 * A Resolver keeps what it has learnt about directories and package.json files.  What it found
 * stays found until resolve_invalidate; "not found" is answered only after a second look at the
 * disk.  It belongs to one thread. */
#pragma once

#include "util/arena.h"
#include "util/json.h"
#include "util/str.h"

typedef struct Resolver Resolver;

typedef enum {
    RESOLVE_IMPORT,  /* import, import(), import.meta.resolve */
    RESOLVE_REQUIRE, /* require, require.resolve */
} ResolveKind;

typedef enum {
    RESOLVE_FROM_DIR = 1,     /* `importer` is a directory, not a file in it */
    RESOLVE_NODE_ONLY = 2,    /* none of Bun's additions: for tests and tools */
    RESOLVE_KEEP_LINKS = 4,   /* results are not made real paths (--preserve-symlinks) */
    RESOLVE_BROWSER = 8,      /* the `browser` fields of package.json count (bundling) */
    RESOLVE_NO_TSCONFIG = 16, /* no paths, baseUrl, rootDirs */
    /* Fill err.hint.  That looks through whole directories, so ask for it when the error is shown,
     * by resolving once more, and not for every require() that may fail. */
    RESOLVE_WANT_HINT = 32,
} ResolveFlags;

typedef struct {
    Str specifier;
    Str importer; /* absolute path of the importing file (it need not exist) */
    ResolveKind kind;
    u32 flags;
    /* The conditions of package.json "exports" and "imports", without "default"; NULL: those of
     * the Resolver for this kind. */
    const Str *conditions;
    u32 n_conditions;
    /* require.resolve(..., { paths }): directories to start from instead of the importer's. */
    const Str *paths;
    u32 n_paths;
} ResolveRequest;

typedef enum {
    RESOLVE_FILE,     /* path is an absolute path */
    RESOLVE_BUILTIN,  /* path is the name that options.is_builtin gave */
    RESOLVE_URL,      /* path is the specifier: data:, blob:, http: ... */
    RESOLVE_DISABLED, /* `browser` maps it to false: an empty module; path is the file, if any */
} ResolveTarget;

typedef struct {
    const char *code;   /* "ERR_MODULE_NOT_FOUND": a constant */
    bool is_type_error; /* Node throws a TypeError with this code, else an Error */
    Str message;        /* as Node words it, without the require stack */
    Str hint;           /* a sentence with the nearest candidate, or empty: RESOLVE_WANT_HINT */
    Str path;           /* the file or package.json that is at fault, or empty */
} ResolveError;

typedef struct {
    ResolveTarget target;
    Str path;   /* lives as long as the Resolver */
    Str suffix; /* "?query#hash" of the specifier, kept for the module's identity; may be empty */
    /* Valid until the next call with this Resolver; set when resolve_module returned false. */
    ResolveError err;
} ResolveResult;

typedef struct {
    Str cwd; /* absolute and real, as from sys_cwd */
    /* Whether `name` ("fs", "node:fs", "bun:test") is built in; *ret_name is then its canonical
     * name, which must outlive the Resolver.  NULL: nothing is. */
    bool (*is_builtin)(void *ctx, Str name, Str *ret_name);
    void *ctx;
    const Str *conditions; /* in addition to the usual ones (--conditions) */
    u32 n_conditions;
    const Str *main_fields; /* instead of main, module */
    u32 n_main_fields;
    const Str *extensions; /* instead of the usual order, outside node_modules */
    u32 n_extensions;
    Str node_path;      /* NODE_PATH, "a:b" */
    Str tsconfig;       /* --tsconfig-override: an absolute path, or empty */
    bool has_no_addons; /* drop the condition node-addons */
    u32 flags;          /* ResolveFlags for every request */
} ResolveOptions;

/* Copies what it needs of `options`. */
Resolver *resolver_new(const ResolveOptions *options);
void resolver_free(Resolver *r);

/* True and *ret filled, or false and ret->err. */
NODISCARD bool resolve_module(Resolver *r, const ResolveRequest *req, ResolveResult *ret);

/* Forgets what is known about `path` (a file or directory, absolute) and its directory: it was
 * made, changed or deleted.  An empty path: forget everything. */
void resolve_invalidate(Resolver *r, Str path);

/* ---- What package.json says about a file ----------------------------------------------------- */

typedef enum {
    RESOLVE_TYPE_NONE, /* no "type": the syntax decides */
    RESOLVE_TYPE_COMMONJS,
    RESOLVE_TYPE_MODULE,
} ResolveType;

typedef enum {
    RESOLVE_FORMAT_DETECT, /* JavaScript or TypeScript whose syntax decides */
    RESOLVE_FORMAT_MODULE,
    RESOLVE_FORMAT_COMMONJS,
    RESOLVE_FORMAT_JSON,
    RESOLVE_FORMAT_ADDON, /* .node */
    RESOLVE_FORMAT_WASM,
    RESOLVE_FORMAT_OTHER, /* the extension says nothing about a module */
} ResolveFormat;

typedef struct {
    Str dir;  /* the directory of the package.json */
    Str name; /* empty when it has none */
    Str version;
    ResolveType type;
    const JsonNode *json; /* all of it, for scripts, sideEffects and the like; NULL when broken */
} ResolvePackage;

/* The nearest package.json at or above the directory of `path` (absolute), not looking above a
 * node_modules folder; false when there is none.  Valid until the next call with this Resolver. */
bool resolve_package_of(Resolver *r, Str path, ResolvePackage *ret);
ResolveFormat resolve_format(Resolver *r, Str path);

/* ---- tsconfig.json ----------------------------------------------------------------------------
 */

typedef enum {
    RESOLVE_JSX_UNSET,
    RESOLVE_JSX_PRESERVE, /* also "react-native" */
    RESOLVE_JSX_REACT,
    RESOLVE_JSX_AUTOMATIC,     /* "react-jsx" */
    RESOLVE_JSX_AUTOMATIC_DEV, /* "react-jsxdev" */
} ResolveJsx;

typedef enum { RESOLVE_UNSET, RESOLVE_NO, RESOLVE_YES } ResolveTristate;

typedef struct {
    Str pattern; /* at most one `*` */
    const Str *targets;
    u32 n_targets;
} ResolveTsPath;

/* A tsconfig.json (or jsconfig.json) with all that it extends.  Directories are absolute. */
typedef struct {
    Str path;
    Str base_url;   /* empty: none */
    Str paths_base; /* what targets of `paths` are relative to */
    const ResolveTsPath *paths;
    u32 n_paths;
    const Str *root_dirs;
    u32 n_root_dirs;
    const Str *module_suffixes;
    u32 n_module_suffixes;
    const Str *custom_conditions;
    u32 n_custom_conditions;
    ResolveJsx jsx;
    Str jsx_factory, jsx_fragment_factory, jsx_import_source;
    Str target, module;
    ResolveTristate experimental_decorators, emit_decorator_metadata, use_define_for_class_fields;
    ResolveTristate verbatim_module_syntax, preserve_value_imports, always_strict, strict;
    Str error; /* a sentence about the first file that could not be used, or empty */
} ResolveTsConfig;

/* The configuration that holds for a file: the nearest tsconfig.json, else jsconfig.json, upwards;
 * NULL when there is none and for files in node_modules.  Valid until resolve_invalidate. */
const ResolveTsConfig *resolve_tsconfig_of(Resolver *r, Str path);

/* ---- Helpers ----------------------------------------------------------------------------------
 */

/* The message with Node's "Require stack:" lines, in `a`. */
Str resolve_error_with_stack(Arena *a, const ResolveError *e, const Str *stack, u32 n_stack);

/* What has been asked of the system so far, for tests and --verbose. */
typedef struct {
    u64 n_stats, n_lists, n_reads;
} ResolveCounts;
ResolveCounts resolve_counts(const Resolver *r);
