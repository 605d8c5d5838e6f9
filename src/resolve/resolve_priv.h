/* resolve/resolve_priv.h -- what the files of this folder share. */
#pragma once

#include "resolve/resolve.h"
#include "sys/sys.h"
#include "util/json.h"
#include "util/map.h"
#include "util/vec.h"

/* ---- Directories (resolve_dir.c) --------------------------------------------------------------
 *
 * A Dir is a node for a path, whether or not something is there.  Entries are kept for real
 * directories only; a path through a symbolic link leads to the real Dir by dir_real. */

typedef struct Dir Dir;
typedef struct Pkg Pkg;
typedef struct TsConfig TsConfig;

typedef enum {
    ENTRY_MISSING = 1,
    ENTRY_FILE, /* anything that is not a directory, a link or missing */
    ENTRY_DIR,
    ENTRY_LINK, /* in tables only */
} EntryKind;

typedef enum { LOADED_NOT, LOADED_NONE, LOADED_YES } Loaded;

struct Dir {
    Str path; /* absolute, normalised, "/" for the root */
    Dir *parent;
    Str name; /* of this directory in its parent */
    Dir *real;
    u64 real_epoch; /* `real` is right while this is the resolver's epoch */
    bool in_node_modules;
    /* What follows is about real directories. */
    bool is_listed, is_unlistable;
    bool is_settled; /* `stat` is of a time that later changes will differ from */
    SysStat stat;    /* from the last recheck, before the directory was read again */
    u8 n_probes;
    u64 fresh;   /* the request in which the entries were first filled */
    u64 touched; /* the last request that looked here */
    Arena mem;   /* of the entries */
    StrMap entries;
    Loaded pkg_state;
    Pkg *pkg;
    u64 ts_epoch; /* `ts` is right while this is the resolver's */
    TsConfig *ts;
};

/* What a name in a directory is after following links. */
typedef struct {
    EntryKind kind; /* MISSING, FILE or DIR */
    Dir *dir;       /* the real directory that holds it, or that it is */
    Str name;       /* of a FILE in `dir`; lives as long as the entries of `dir` */
} Entry;

Dir *resolve_dir_at(Resolver *r, Str path);
/* The Dir with the real path, or NULL when there is no such directory. */
Dir *resolve_dir_real(Resolver *r, Dir *d);
/* `d` need not be real. */
Entry resolve_dir_entry(Resolver *r, Dir *d, Str name);
/* Reads the directory at once instead of after a few single questions. */
void resolve_dir_list(Resolver *r, Dir *d);
Dir *resolve_dir_child(Resolver *r, Dir *d, Str name);
/* Looks for `name` in other letter case, else for the most similar name; empty when none is near.
 * *ret_case: it differs in case only. */
Str resolve_dir_similar(Resolver *r, Dir *d, Str name, bool *ret_case);
/* Takes it as known that `path` is a directory without links in it. */
void resolve_dir_assume(Resolver *r, Str path);
/* Marks the real directory `d` as looked at by this request. */
void resolve_dir_touch(Resolver *r, Dir *d);
/* "dir/name" */
Str resolve_dir_join(Arena *a, const Dir *d, Str name);
void resolve_dir_forget(Resolver *r, Dir *d);
/* Before a request is tried once more: forgets what may have changed since it was learnt. */
void resolve_dir_recheck(Resolver *r, Dir *d);
void resolve_dir_deinit(Dir *d);

/* ---- package.json (resolve_pkg.c) -------------------------------------------------------------
 */

struct Pkg {
    Arena mem;
    SysStat stat;
    Str name, version, main;
    bool has_name;
    ResolveType type;
    JsonNode root;
    const JsonNode *exports, *imports; /* NULL when absent, null or of a kind that Node ignores */
    const JsonNode *browser;
    const char *error; /* what is wrong with the JSON; then all else is empty */
    JsonError json_error;
};

/* A package.json and the directory by which it was reached. */
typedef struct {
    Pkg *pkg; /* NULL: there is none */
    Dir *at;
} PkgAt;

/* The package.json in `d`.  May be one with an error. */
PkgAt resolve_pkg_in(Resolver *r, Dir *d);
/* The nearest at or above `d`, stopping below node_modules. */
PkgAt resolve_pkg_above(Resolver *r, Dir *d);
Str resolve_pkg_path(Arena *a, PkgAt p);
void resolve_pkg_free(Pkg *p);

/* ---- tsconfig.json (resolve_tsconfig.c) -------------------------------------------------------
 */

struct TsConfig {
    Arena mem;
    ResolveTsConfig config;
};

/* The nearest at or above `d`; NULL when there is none or `d` is inside node_modules. */
const ResolveTsConfig *resolve_ts_above(Resolver *r, Dir *d);
void resolve_ts_free(TsConfig *ts);

/* ---- A request in work -------------------------------------------------------------------------
 */

typedef enum { MISS, HIT, FAIL } Outcome; /* FAIL: the error is set, nothing else is tried */

typedef struct {
    Resolver *r;
    const ResolveRequest *req;
    ResolveResult *ret;
    Arena *tmp; /* scratch */
    Str spec;
    Str base; /* the importer as messages name it; empty in messages that name none */
    Dir *from;
    bool is_import, is_node_only;
    u32 flags;
    const Str *conditions;
    u32 n_conditions;
    const ResolveTsConfig *ts;
    bool has_ts;          /* `ts` is filled in */
    u32 depth;            /* of imports that lead to packages */
    Str missing;          /* what an import of a package that is there did not find */
    bool is_main_missing; /* ... and that was its main file */
} Ask;

struct Resolver {
    Arena mem; /* lives as long as the resolver */
    Arena err; /* of the last error */
    ResolveOptions options;
    StrMap dirs;
    StrMap strings; /* interned result paths */
    StrMap results; /* successful requests */
    Vec(Dir *) touched;
    Vec(Str) conditions[2]; /* by ResolveKind */
    Vec(Str) node_path;
    u64 request, epoch, ts_epoch;
    TsConfig *override; /* of options.tsconfig */
    u64 override_epoch;
    bool was_stale; /* this request used something that an earlier one learnt */
    ResolveCounts counts;
};

Str resolver_intern(Resolver *r, Str s);
bool resolver_is_builtin(Resolver *r, Str name, Str *ret_name);

/* ---- Algorithms -------------------------------------------------------------------------------
 */

/* Ends a search with a file found as `name` in `d`. */
Outcome resolve_ask_hit(Ask *q, Dir *d, const Entry *e, Str name);
/* `path` (absolute, normalised) exactly as it is. */
Outcome resolve_ask_exact(Ask *q, Str path);
/* `path` with extensions only: what a pattern in "exports" left open. */
Outcome resolve_ask_open(Ask *q, Str path);
/* `path` as a file, with extensions, as a directory (resolve_file.c).  `is_dir`: it was written
 * with a slash at its end. */
Outcome resolve_ask_path(Ask *q, Str path, bool is_dir);
/* What a directory stands for: its package.json's main, its index.  `is_package`: it was reached by
 * its name, where Node has extensions for imports too. */
Outcome resolve_ask_main(Ask *q, Dir *d, bool is_package);
/* Whether the path is written as that of a directory: it ends in "/", "/." or "/..", or is "." or
 * "..". */
bool resolve_is_dir_spec(Str path);
/* A package by its name, from the node_modules folders at and above `from` (resolve_bare.c). */
Outcome resolve_ask_bare(Ask *q, Str spec, Dir *from);
/* resolve_alias.c */
/* The configuration of the importer, NULL when there is none or it must not count. */
const ResolveTsConfig *resolve_ask_ts(Ask *q);
/* tsconfig `paths`, then `baseUrl`. */
Outcome resolve_ask_alias(Ask *q);
/* tsconfig `rootDirs`, for a relative specifier that was not found as `path`. */
Outcome resolve_ask_root_dirs(Ask *q, Str path, bool is_dir);
/* resolve_browser.c */
/* A specifier that the importer's own package maps. */
Outcome resolve_browser_spec(Ask *q);
/* After a HIT on a file: what that file's package maps it to. */
Outcome resolve_browser_file(Ask *q);
/* resolve_exports.c */
Outcome resolve_ask_exports(Ask *q, PkgAt p, Str subpath);
Outcome resolve_ask_imports(Ask *q, PkgAt p, Str name);

/* resolve_url.c */
/* Splits the path part of a file URL: *ret_path decoded, *ret_suffix "?query#hash" as written.
 * False when it has an encoded slash. */
bool resolve_url_split(Arena *a, Str text, Str *ret_path, Str *ret_suffix);
/* The length of the scheme with its colon, or 0. */
usize resolve_url_scheme(Str s);

/* resolve_error.c: each sets the error and returns FAIL. */
/* Node's ERR_MODULE_NOT_FOUND: of a package, or of a module by its path. */
Outcome resolve_fail_not_found(Ask *q, Str what, bool is_package);
/* Node's MODULE_NOT_FOUND; `path` may be empty. */
Outcome resolve_fail_require(Ask *q, Str what, Str path);
Outcome resolve_fail_main(Ask *q, Str file, Str package_json);
Outcome resolve_fail_dir_import(Ask *q, Str path);
Outcome resolve_fail_config(Ask *q, Str package_json, Str why);
Outcome resolve_fail_not_exported(Ask *q, PkgAt p, Str subpath);
Outcome resolve_fail_no_import(Ask *q, PkgAt p, Str name);
Outcome resolve_fail_target(Ask *q, PkgAt p, Str key, const JsonNode *target, bool is_import);
Outcome resolve_fail_specifier(Ask *q, Str spec, Str why);
Outcome resolve_fail_builtin(Ask *q, Str name);
/* Adds the hint to a "not found" about `name` in `d`. */
void resolve_hint_similar(Ask *q, Dir *d, Str name);
/* The same about a package, from the node_modules folders at and above `from`. */
void resolve_hint_package(Ask *q, Dir *from, Str name);
