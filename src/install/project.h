/* install/project.h -- a project as its lockfile describes it: for those who only look. */
#pragma once

#include "loop/loop.h"
#include "util/arena.h"
#include "util/json.h"
#include "util/log.h"
#include "util/map.h"
#include "util/str.h"

typedef enum {
    PKG_EDGE_PROD,
    PKG_EDGE_DEV,
    PKG_EDGE_OPTIONAL,
    PKG_EDGE_PEER,
} PkgEdgeKind;

typedef struct PkgEdge {
    Str name, text; /* as written in package.json: "leaf", "^1.0.0" */
    PkgEdgeKind kind;
    bool is_optional_peer;
    u32 to; /* index of the place, 0: nothing is there for it */
} PkgEdge;

/* A package at a place in node_modules; the same package may be at several. */
typedef struct PkgPlace {
    Str path;  /* of names, "a/b": b in the node_modules of a; empty for the project itself */
    Str alias; /* the last name of it */
    Str name, version; /* "1.0.0", "workspace:packages/a", "file:../x" */
    Str integrity, tarball;
    Str workspace; /* its folder, for packages of the project */
    bool is_registry, has_scripts;
    PkgEdge *edges;
    u32 n_edges;
} PkgPlace;

typedef struct PkgProject {
    Source source;    /* bun.lock */
    JsonNode json;    /* ... */
    PkgPlace *places; /* the first is the project, then in the order of the lockfile */
    u32 n_places;
    StrMap by_path;
} PkgProject;

/* Reads `dir`/bun.lock; everything is in `a`.  `ret` stays where it is as long as the log is used.
 * false: the log says why (there is none, it is broken). */
NODISCARD bool pkg_project_read(Arena *a, Str dir, Log *log, PkgProject *ret);
/* What lies in node_modules for it, as a path below the project: "node_modules/a/node_modules/b".
 */
Str pkg_place_dir(Arena *a, const PkgPlace *place);

/* The folder of the cache for a package of a registry, whether it is there or not. */
Str pkg_cached_dir(Arena *a, Str cache_dir, const PkgPlace *place);

/* ---- What is newer (pkg_outdated.c) ---------------------------------------------------------- */

typedef struct PkgAge {
    Str name, text; /* as in package.json */
    PkgEdgeKind kind;
    Str current, update, latest; /* what there is, what the range allows, what people get */
} PkgAge;

typedef struct PkgAges {
    PkgAge *at; /* those that are not the newest, by kind and name */
    u32 len;
} PkgAges;

typedef struct PkgAgesOf {
    const PkgProject *project;
    const JsonNode *package; /* package.json */
    Str path;                /* of that package in the lockfile; empty for the project */
} PkgAgesOf;

struct PkgOptions;
/* Asks the registries, running `loop`.  false: one of them did not answer; the others' are there.
 */
NODISCARD bool pkg_ages(Arena *a, Loop *loop, const struct PkgOptions *options, const PkgAgesOf *of,
                        Log *log, PkgAges *ret);
