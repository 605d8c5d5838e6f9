/* install/install.h -- the package manager: what package.json asks for, found in the registry,
 * fetched into a cache and linked into node_modules.
 *
 * The parts, in the order of a run: pkg_manifest (package.json), pkg_lock (bun.lock), pkg_solve
 * (which version of what) over pkg_registry (metadata), pkg_tree (where in node_modules), pkg_fetch
 * and pkg_unpack (tarballs into the cache), pkg_link (the cache into node_modules). */
#pragma once

#include "install/semver.h"
#include "loop/loop.h"
#include "util/arena.h"
#include "util/log.h"
#include "util/str.h"

typedef struct PkgOptions {
    Str dir;         /* of package.json; absolute */
    Str cache_dir;   /* absolute */
    Str registry;    /* URL without a slash at its end */
    Str token;       /* for it; may be empty */
    bool production; /* without devDependencies */
    bool is_frozen;  /* a lockfile that would change is an error */
    bool is_unsaved; /* write no lockfile */
    bool is_lockfile_only;
    bool is_forced; /* link everything anew */
} PkgOptions;

typedef struct PkgLine {
    Str name, version, latest; /* latest: empty when it is the one */
} PkgLine;

typedef struct PkgResult {
    PkgLine *lines; /* dependencies of the project that were linked, by name */
    u32 n_lines;
    u32 n_packages; /* in node_modules */
    u32 n_linked, n_fetched;
    bool is_lock_saved;
} PkgResult;

/* Runs `loop` until it is done.  false: the errors are in `log`, and node_modules is as it was or
 * holds whole packages only. */
NODISCARD bool pkg_install(Arena *a, Loop *loop, const PkgOptions *options, Log *log,
                           PkgResult *ret);
