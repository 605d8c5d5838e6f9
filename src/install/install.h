/* install/install.h -- the package manager: what package.json asks for, found in the registry,
 * fetched into a cache and linked into node_modules.
 *
 * The parts, in the order of a run: pkg_manifest (package.json), pkg_lock (bun.lock), pkg_solve
 * (which version of what) over pkg_registry (metadata), pkg_tree (where in node_modules), pkg_fetch
 * and pkg_unpack (tarballs into the cache), pkg_link (the cache into node_modules). */
#pragma once

#include "install/pack.h"
#include "install/project.h"
#include "install/request.h"
#include "install/semver.h"
#include "loop/loop.h"
#include "net/tls.h"
#include "util/arena.h"
#include "util/log.h"
#include "util/str.h"

/* A change of package.json that goes with the install, and is written when that succeeded. */
typedef struct PkgChange {
    Str name;
    Str text;        /* "^1", "next", "npm:other@1"; empty: the newest */
    Str group;       /* "devDependencies"; empty: where it stands already, or "dependencies" */
    bool is_exact;   /* the newest without "^" */
    bool is_kept;    /* the words in package.json stay, whatever version is found for them */
    Str sign;        /* not NULL: it and the version are written, whatever was asked for; "^" */
    bool is_unnamed; /* `name` stands for what the package itself is called: a path, a repository */
    bool is_removed;
    bool is_trusted; /* its scripts may run from now on */
} PkgChange;

/* Who is asked for packages. */
typedef struct PkgRegistry {
    Str scope; /* "@company" */
    Str url;   /* without a slash at its end */
    Str auth;  /* the header Authorization; may be empty */
} PkgRegistry;

/* What the cache has is asked for again: when it is old, never, or not (and the rest neither). */
typedef enum { PKG_ONLINE, PKG_PREFER_OFFLINE, PKG_OFFLINE } PkgOffline;

/* How lifecycle scripts are run. */
typedef struct PkgScriptHost {
    u32 n_max;    /* at once; 0: two for each processor */
    bool is_free; /* no sandbox for those of packages */
    /* "NAME=value", ends with NULL: what all of them see; and the path of a shell that knows "-c".
     * Called once, when there is one to run. */
    const char *const *(*open)(void *ctx, Str *ret_shell);
    /* Runs one of the project itself, with our terminal: 0 or -errno. */
    int (*run_own)(void *ctx, Str script, const SysSpawn *spec, SysExit *ret);
    void *ctx;
} PkgScriptHost;

/* The layout of node_modules; PKG_LINKER_AUTO: isolated for projects with workspaces that were not
 * made before there was that. */
typedef enum { PKG_LINKER_AUTO, PKG_LINKER_HOISTED, PKG_LINKER_ISOLATED } PkgLinker;

typedef struct PkgOptions {
    Str dir;                       /* of package.json; absolute */
    Str cache_dir;                 /* absolute */
    const PkgRegistry *registries; /* the first is for what no other is for */
    u32 n_registries;
    TlsContext *tls;    /* NULL: the system's certificates */
    bool is_unverified; /* nobody looks at those of the registries */
    PkgOffline offline;
    bool production; /* without devDependencies */
    bool without_optional, without_peers;
    PkgLinker linker;
    u64 age_min_s;           /* versions must have been published that long ago; 0: they need not */
    const Str *age_excludes; /* ... but "name" or "name@1.0.0 || 1.0.1" */
    u32 n_age_excludes;
    bool is_frozen;  /* a lockfile that would change is an error */
    bool is_unsaved; /* write no lockfile */
    bool is_lockfile_only;
    bool is_dry;    /* write nothing */
    Str package;    /* whose package.json the changes are for: a workspace's folder below `dir`, or
                       empty */
    bool is_forced; /* link everything anew */
    bool needs_import; /* without a lockfile of another package manager there is nothing to do */
    bool is_update; /* what the lockfile had does not count, of `updated` or, without any, of all */
    const Str *updated; /* names of packages */
    u32 n_updated;
    const PkgChange *changes;
    u32 n_changes;
    const PkgScriptHost *scripts; /* NULL: none is run */
} PkgOptions;

typedef struct PkgLine {
    Str name, version, latest; /* latest: empty when it is the one */
    Str was;                   /* the version in the lockfile; empty when there was none */
    Str alias_of;              /* the name in the registry, when that is another */
    bool is_added;             /* by a change */
    const Str *bins;           /* the names of its commands */
    u32 n_bins;
} PkgLine;

typedef struct PkgResult {
    PkgLine *lines; /* dependencies of the project that were linked, by name */
    u32 n_lines;
    u32 n_packages; /* in node_modules */
    u32 n_linked, n_fetched, n_removed;
    bool is_lock_saved;
    Str imported;      /* the lockfile of another package manager that was followed; or empty */
    u32 n_blocked;     /* scripts that were not run, because their packages are not trusted */
    Str script_output; /* of a script that failed */
    u32 exit_code;     /* ... and what it ended with; 0: it was something else */
} PkgResult;

/* The project's folder for `cwd`: the nearest with a package.json, or the one whose "workspaces"
 * include that (*ret_package is the workspace's folder then, relative to it). */
Str pkg_find_project(Arena *a, Str cwd, Str *ret_package);
/* The packages whose scripts are run when package.json has no "trustedDependencies", by name. */
void pkg_default_trusted(Arena *a, const Str **ret, u32 *ret_len);
/* Is it the text of a dependency that no registry has ("./x", "github:u/r", "https://...")? */
bool pkg_text_is_source(Arena *a, Str text);

/* Where packages for all projects are: $COB_INSTALL_GLOBAL_DIR, $COB_INSTALL_BIN, or below
 * $COB_INSTALL, ~/.cob; BUN_... likewise. */
Str pkg_global_dir(Arena *a);
Str pkg_global_bin(Arena *a);
/* Where `cob link` puts its link to the folder of a package. */
Str pkg_global_link(Arena *a, Str name);

/* ---- Settings (pkg_settings.c) --------------------------------------------------------------- */

/* Who is asked for packages and how: .npmrc of the project and of the home folder, bunfig.toml
 * (cob.toml), variables of the environment; the first that says something is followed: what was
 * given before, the environment, the project's files, the home folder's. */
typedef struct PkgSettings {
    PkgRegistry *registries; /* the first is the default one, always there */
    u32 n_registries;
    Str cache_dir; /* absolute */
    Str ca;        /* certificates, as text or a file */
    Str ca_file;
    i8 production, frozen, exact, dev, optional, peer; /* -1: nothing was said */
    i8 strict_ssl, ignore_scripts, save, script_sandbox;
    Str linker;  /* "hoisted", "isolated" or empty */
    Str age_min; /* "3d", a number of seconds, or empty */
    const Str *age_excludes;
    u32 n_age_excludes;
} PkgSettings;

/* `dir` is the project's folder; `registry` and `cache_dir`, if not empty, are from the command
 * line; `config`, if not empty, is read instead of bunfig.toml.  false: a file is broken. */
NODISCARD bool pkg_settings_read(Arena *a, Str dir, Str config, Log *log, PkgSettings *ret);
/* "3d", "12 hours", a number of seconds: how old versions must be (pkg_age.c). */
NODISCARD bool pkg_age_parse(Str text, u64 *ret_s);
/* One .npmrc: for tests and the fuzzer.  What is there stays. */
void pkg_settings_take_npmrc(Arena *a, Str text, PkgSettings *s);
/* The header Authorization for what is at that URL; empty when it is of none of the registries. */
Str pkg_settings_auth(const PkgOptions *options, Str url);
/* Into the options of a run; the registries stay the settings'.  false: the certificates. */
NODISCARD bool pkg_settings_apply(Arena *a, const PkgSettings *s, Log *log, PkgOptions *ret);

/* ---- Running --------------------------------------------------------------------------------- */

/* Runs `loop` until it is done.  false: the errors are in `log`, and node_modules is as it was or
 * holds whole packages only. */
NODISCARD bool pkg_install(Arena *a, Loop *loop, const PkgOptions *options, Log *log,
                           PkgResult *ret);
