/* install/pkg.h -- what the files of the package manager share. */
#pragma once

#include "http/http_client.h"
#include "install/install.h"
#include "sys/sys.h"
#include "util/json.h"
#include "util/map.h"
#include "util/mem.h"
#include "util/vec.h"

enum {
    PKG_NAME_MAX = 214, /* npm's limit */
    PKG_MANIFEST_MAX = 64 << 20,
    PKG_TARBALL_MAX = 1 << 30,
    PKG_UNPACKED_MAX = INT32_MAX,
    PKG_FETCHES_MAX = 48,     /* at once; more wait */
    PKG_HELD_MAX = 48 << 20,  /* bytes of them in memory, above which none is asked for */
    PKG_SPARE_MAX = 16 << 20, /* bytes of memory kept for the next tarballs */
    PKG_RETRIES = 3,
    PKG_FRESH_MAX_S = 300, /* metadata is not asked for again, if the registry allows that */
    PKG_COUNT_MAX = 1 << 20,
};

typedef enum { PKG_PROD, PKG_DEV, PKG_OPTIONAL, PKG_PEER } PkgDepKind;

/* Those from PKG_FOLDER on are of no registry: "sources". */
typedef enum {
    PKG_RANGE,
    PKG_TAG,
    PKG_WORKSPACE,
    PKG_FOLDER,
    PKG_LINK,
    PKG_TARBALL, /* of a URL or a file */
    PKG_GIT,
    PKG_GITHUB,
} PkgSpecKind;

/* "^1.2.3", "latest", "npm:other@1", "file:../x": what a dependency asks for. */
typedef struct PkgSpec {
    PkgSpecKind kind;
    Str name;   /* in the registry, or of the workspace */
    Str text;   /* behind the alias */
    Str where;  /* folder, file (relative to the project), URL, "user/repo"; of workspaces: the
                   folder,  if that was given */
    Str commit; /* behind the "#", may be empty */
    SemverRange range;
} PkgSpec;

typedef struct PkgDep {
    Str name; /* the folder's name */
    Str text; /* as written */
    PkgSpec spec;
    PkgDepKind kind;
    bool is_optional_peer, is_asked;
    bool is_fresh;   /* a change asks for it: what the lockfile had does not count */
    bool is_bundled; /* its files are in the tarball of who depends on it */
    u32 to;          /* index of the package, 0 none */
} PkgDep;

typedef Vec(PkgDep) PkgDeps;

typedef struct PkgBin {
    Str name, path; /* below the package */
    Str written;    /* as it stood there */
} PkgBin;

typedef struct Pkg {
    Str name, version_text, tarball, integrity, shasum;
    Semver version;
    PkgDeps deps;
    Vec(PkgBin) bins;
    Vec(Str) os, cpu, libc;
    Str dir;            /* in the cache */
    Str workspace;      /* of the own packages of the project: the folder below the root */
    PkgSpecKind kind;   /* PKG_RANGE: of a registry; else as in PkgSpec, with where and commit */
    Str where, commit;  /* version_text is what the lockfile calls it then: "file:../x" */
    bool is_locked;     /* of the lockfile */
    bool has_scripts;   /* install scripts, says the registry or the lockfile */
    bool runs_scripts;  /* and they are run; so its files are copies, which they may change */
    bool is_elsewhere;  /* for another platform: in the lockfile, not in node_modules */
    bool is_required;   /* not only by optional dependencies */
    bool is_needed;     /* some place in node_modules wants it */
    bool is_present;    /* in the cache */
    bool is_missing;    /* some place in node_modules does not have it yet */
    u64 ino, dev, size; /* of its package.json in the cache */
    bool is_one_bin;    /* "bin" was a string */
    Str patch_path, patch, patch_hash; /* of patchedDependencies; the hash is empty without */
    bool is_patched;                   /* `dir` is that with the patch */
} Pkg;

/* A place in node_modules. */
typedef struct PkgNode {
    u32 pkg, parent, depth;
    Str name;
    Str store;                    /* isolated: the folder in node_modules/.bun; empty: none */
    bool is_there;                /* nothing to do */
    bool is_bundled, is_left_out; /* not ours to link */
    Vec(u32) children;
    StrMap by_name; /* of children */
} PkgNode;

/* Something that comes over the network (pkg_get.c). */
typedef struct PkgGet {
    struct PkgRun *run;
    Str url;
    usize body_max;
    /* Its turn has come: pkg_get_ask is called, or what else there is to do, at last pkg_get_end.
     */
    void (*on_turn)(struct PkgGet *g);
    void (*on_head)(struct PkgGet *g,
                    const HttpResponse *r);    /* may be NULL; again when tried again */
    void (*on_done)(struct PkgGet *g, int rc); /* <0: of the client */
    u32 status;
    Buf body;
    /* Private. */
    u32 n_tries;
    usize n_held;
} PkgGet;

#define PKG_USER_AGENT "cob/0.1"

typedef Vec(u32) PkgList;
typedef struct PkgManifest PkgManifest;
typedef struct PkgOverrides PkgOverrides;
typedef struct PkgPins PkgPins;
typedef struct PkgPin PkgPin;
typedef struct PkgTrust PkgTrust;

/* One run. */
typedef struct PkgRun {
    Arena *arena;
    Loop *loop;
    const PkgOptions *options;
    Log *log;
    HttpClient *client;
    Source root_source, lock_source;
    Source *change_source; /* the package.json that the changes are for, with them */
    Str change_before;     /* ... and its text without */
    JsonNode root_json, lock_json;
    bool has_lock;
    PkgPins *pins;    /* of the lockfile of another package manager; or NULL */
    Str imported;     /* ... and its name; empty when there was nothing in it */
    u32 n_unpinned;   /* what it did not have */
    Vec(Pkg) pkgs;    /* 0: the project itself */
    StrMap by_id;     /* "name@version" -> index */
    StrMap manifests; /* name -> PkgManifest * */
    StrMap locked;    /* name -> PkgList *: what the lockfile had */
    PkgOverrides *overrides;
    PkgTrust *trust;
    bool was_hoisted; /* there is a lockfile of npm or Yarn */
    bool is_isolated; /* the nodes are those of pkg_isolate */
    Str lock_text;    /* of bun.lock as it will be; made before the nodes become others */
    const char *const *script_env; /* NULL: no script was run yet */
    Str script_shell;
    StrMap unbuilt; /* places in node_modules whose scripts were not run to their end */
    StrMap sources; /* what of no registry was asked for */
    u32 n_sources;
    StrMap lock_specs;     /* "name@text" of all dependencies that the lockfile knows */
    StrMap workspaces;     /* name -> index */
    StrMap placed;         /* ... and where: path -> index */
    StrMap used;           /* ... and what is part of the result */
    StrMap expected;       /* names with ranges whose metadata was asked for ahead */
    Vec(u64) queue;        /* package << 32 | dependency */
    Vec(PkgNode) nodes;    /* 0: the root */
    u32 n_running;         /* fetches and unpackings */
    Vec(PkgGet *) waiting; /* for one of PKG_FETCHES_MAX */
    bool is_starting;      /* one that waited */
    u32 n_fetched;
    usize n_held;    /* bytes of what was fetched, in memory */
    Vec(Buf) spares; /* memory for tarballs */
    usize n_spare;
} PkgRun;

/* pkg_manifest.c */
NODISCARD bool pkg_read_root(PkgRun *run);
/* The dependencies that a package.json, the metadata of a version, or a lockfile's info names. */
void pkg_take_deps(PkgRun *run, Pkg *pkg, const JsonNode *json, bool has_dev);
void pkg_take_platform(PkgRun *run, Pkg *pkg, const JsonNode *json);
void pkg_take_bins(PkgRun *run, Pkg *pkg, const JsonNode *json);
bool pkg_name_is_fine(Str name);
/* Without the scope: "tool" of "@scope/tool". */
Str pkg_base_name(Str name);

/* pkg_spec.c.  Paths are relative to `base`, a folder relative to the project.  false: it is not to
 * be understood. */
NODISCARD bool pkg_spec_parse(Arena *a, Str name, Str text, Str base, PkgSpec *ret);

/* pkg_override.c: overrides and catalogs; empty: there is none for that dependency. */
NODISCARD bool pkg_read_overrides(PkgRun *run);
Str pkg_override_of(const PkgRun *run, const Pkg *parent, Str name);
/* "catalog:..." becomes what that stands for, other texts stay.  false: there is no such entry. */
NODISCARD bool pkg_catalog_find(PkgRun *run, Str name, Str text, Str *ret);
void pkg_put_overrides(PkgRun *run, Buf *out);
bool pkg_overrides_are_nested(const PkgRun *run);

/* pkg_dedupe.c: after pkg_solve's waves. */
void pkg_dedupe(PkgRun *run);

/* pkg_source.c.  Asked for ahead (run->n_running counts it), then taken: 0 and why not (or an error
 * is in the log). */
bool pkg_is_source(const PkgSpec *spec);
void pkg_source_ask(PkgRun *run, const PkgSpec *spec);
u32 pkg_source_take(PkgRun *run, const PkgSpec *spec, Str name, Str *ret_error);
/* Its folder: in the cache, or in the project. */
Str pkg_source_dir(PkgRun *run, const Pkg *pkg);
/* What the lockfile has and the cache has not; and, when it should be there, whether it is. */
void pkg_source_bring(PkgRun *run, const Pkg *pkg);
NODISCARD bool pkg_source_check(PkgRun *run, const Pkg *pkg);
void pkg_sources_free(PkgRun *run);

/* pkg_git.c: the commit for a name; its folder is pkg_git_dir then.  Waits: for the pool. */
typedef struct PkgGit {
    Str cache_dir, url, commit, staging;
    Buf *ret_commit, *ret_error;
} PkgGit;
NODISCARD bool pkg_git_bring(const PkgGit *job);
Str pkg_git_dir(Arena *a, Str cache_dir, Str commit);

/* pkg_workspace.c: they become packages 1, 2, ...; 0 when none of them will do. */
NODISCARD bool pkg_read_workspaces(PkgRun *run);
u32 pkg_find_workspace(PkgRun *run, const PkgSpec *spec);

/* pkg_change.c: the text of package.json with the changes, before it is read; afterwards, with the
 * versions that were found; and its file. */
NODISCARD bool pkg_change_text(PkgRun *run, Source *source);
void pkg_change_mark(PkgRun *run);
NODISCARD bool pkg_change_settle(PkgRun *run);
NODISCARD bool pkg_change_save(PkgRun *run);

/* pkg_get.c.  Calls on_turn when there is room, perhaps at once; run->n_running counts it until
 * pkg_get_end. */
void pkg_get_start(PkgGet *g);
void pkg_get_end(PkgGet *g);
/* `auth`: the header Authorization, or empty.  false: it is no URL, and nothing is called. */
NODISCARD bool pkg_get_ask(PkgGet *g, Str auth, const HttpPair *more, u32 n_more);
/* Why it is not there, after on_done. */
Str pkg_get_error(const PkgGet *g, Arena *a, int rc);
/* May it be there another time?  rc < 0: of the client. */
bool pkg_is_passing(int rc, u32 status);
/* What the client's code says, be it its own or the system's. */
Str pkg_client_error(int rc);

/* pkg_registry.c: calls back, perhaps at once.  NULL: it could not be had, and the log says why
 * unless `is_quiet`. */
typedef void PkgManifestFn(PkgRun *run, u64 edge, PkgManifest *manifest);
void pkg_manifest_get(PkgRun *run, Str name, u64 edge, PkgManifestFn *fn);
/* The best version for the spec: NULL when there is none. */
const JsonNode *pkg_manifest_pick(PkgManifest *m, const PkgSpec *spec, Str *ret_version);
Str pkg_manifest_latest(const PkgManifest *m);
Str pkg_manifest_error(const PkgManifest *m);
/* The memory of their texts; afterwards there is only pkg_manifest_latest.  And of the rest. */
void pkg_manifests_drop(PkgRun *run);
void pkg_manifests_free(PkgRun *run);
const PkgRegistry *pkg_registry_of(const PkgRun *run, Str name);
/* The header Authorization for a URL; empty when it is of none of the registries. */
Str pkg_registry_auth(const PkgRun *run, Str url);

/* pkg_metadata.c.  _new on any thread, of text or gzip; never NULL. */
typedef struct PkgMetadata PkgMetadata;
PkgMetadata *pkg_metadata_new(Str body);
void pkg_metadata_free(PkgMetadata *m); /* NULL is fine */
/* To be called before those below; not NULL: what is wrong with it. */
const char *pkg_metadata_open(Arena *a, PkgMetadata *m);
const JsonNode *pkg_metadata_pick(PkgMetadata *m, Arena *a, const PkgSpec *spec, Str *ret_version);
Str pkg_metadata_latest(const PkgMetadata *m, Arena *a);
void pkg_metadata_drop(PkgMetadata *m);
/* Versions that were published after `newest_s` are not picked any more, unless options exclude
 * them. */
void pkg_metadata_gate(PkgMetadata *m, const PkgOptions *options, Str name, u64 newest_s);

/* pkg_age.c.  Seconds since 1970; -1: it is no time. */
i64 pkg_time_parse(Str text);
bool pkg_age_is_excluded(const PkgOptions *o, Str name, Str version);

/* pkg_kept.c: metadata in the cache; any thread. */
typedef struct PkgKept {
    Str etag, body; /* an empty body: there is none */
    u64 fresh_until_s;
    Str map;
} PkgKept;
Str pkg_kept_path(Arena *a, Str cache_dir, Str url, Str name);
void pkg_kept_open(Str path, PkgKept *ret);
void pkg_kept_close(PkgKept *kept);
NODISCARD int pkg_kept_write(Str path, const PkgKept *kept);

/* pkg_solve.c: the package is found by its name from now on. */
void pkg_remember(PkgRun *run, StrMap *map, u32 index);
bool pkg_satisfies(const PkgSpec *spec, const Pkg *pkg);
/* Fills pkgs and every dependency's `to`. */
NODISCARD bool pkg_solve(PkgRun *run);
/* pkg_lock.c */
NODISCARD bool pkg_lock_read(PkgRun *run);
/* What run->lock_source has; for the fuzzer. */
NODISCARD bool pkg_lock_parse(PkgRun *run);
Str pkg_lock_text(PkgRun *run);
/* Of the defaults: projects that were made before there was one, or with npm or Yarn, go on as it
 * was then, which is 0. */
u32 pkg_config_version(const PkgRun *run);
/* pkg_import.c: when there is no bun.lock.  NULL: that lockfile says nothing about it. */
NODISCARD bool pkg_import(PkgRun *run);
const PkgPin *pkg_pin_find(PkgRun *run, const Pkg *parent, const PkgDep *dep);
Str pkg_pin_version(const PkgPin *pin);
Str pkg_pin_integrity(const PkgPin *pin);
/* pkg_frozen.c: is everything where the lockfile has it?  No lockfile is fine. */
NODISCARD bool pkg_frozen_check(PkgRun *run);
/* pkg_tree.c.  By kind and name: the order in which they are looked at. */
void pkg_sort_deps(Pkg *pkg);
NODISCARD bool pkg_build_tree(PkgRun *run);
Str pkg_node_path(const PkgRun *run, Arena *a, u32 node, Str separator);
/* Does that group of dependencies count, when it is about what is in node_modules? */
bool pkg_is_wanted(const PkgRun *run, const PkgDep *dep);
/* pkg_isolated.c: other nodes for the same packages. */
NODISCARD bool pkg_isolate(PkgRun *run);
/* pkg_isolated_link.c.  The node_modules in which an isolated node looks first; what was there in
 * the other layout goes; links, after the packages; and those that are not wanted any more. */
Str pkg_node_modules(PkgRun *run, Arena *a, u32 node);
void pkg_layout_switch(PkgRun *run);
NODISCARD bool pkg_isolated_link(PkgRun *run);
u32 pkg_isolated_prune(PkgRun *run);
/* The node that a dependency of `node` finds, as Node looks for it; 0: none. */
u32 pkg_node_find(const PkgRun *run, u32 node, Str name);
/* What not only optional dependencies lead to: Pkg.is_required. */
void pkg_mark_required(PkgRun *run);
/* pkg_fetch.c: what is in the cache; everything that is needed comes into the cache. */
void pkg_look_up(PkgRun *run);
NODISCARD bool pkg_fetch_all(PkgRun *run);
/* pkg_unpack.c: any thread.  0 or -errno or a code of util/err.def; *ret_error says more. */
typedef struct PkgTarball {
    Str bytes, integrity, shasum;
    Str staging, dir; /* made, and renamed to the other at the end */
    Buf *ret_top;     /* the first part of the names in it; may be NULL */
} PkgTarball;
/* "sha512-..." is appended. */
void pkg_integrity_of(Str bytes, Buf *ret);
NODISCARD int pkg_unpack(const PkgTarball *tarball, const char **ret_error);
/* In each folder of the cache: a head and what sys_link_list takes. */
#define PKG_LIST_NAME ".cob-files"
#define PKG_LIST_HEAD "cob-files 1\n"
/* pkg_pack_manifest.c: the text of package.json without "workspace:" and "catalog:". */
NODISCARD bool pkg_pack_manifest(Arena *a, Str root, Log *log, Str *text);
/* pkg_patch.c: read when it is known what is needed; made when that is in the cache. */
#define PKG_PATCH_MARK ".cob-patch"
NODISCARD bool pkg_patches_read(PkgRun *run);
NODISCARD bool pkg_patch_all(PkgRun *run);
void pkg_put_patches(PkgRun *run, Buf *out);
/* In the cache, when `dir` is still that without the patch. */
Str pkg_patch_dir(Arena *a, const Pkg *pkg);
/* Does a folder of node_modules have the patch that it should have (none, if none)? */
bool pkg_patch_is_there(const Pkg *pkg, Str place);
/* pkg_prune.c: what the lockfile had in node_modules and the tree has no more. */
u32 pkg_prune(PkgRun *run);
/* pkg_trust.c.  "trustedDependencies" of a package.json of the project, and of the lockfile. */
void pkg_trust_take(PkgRun *run, const JsonNode *json);
void pkg_trust_take_lock(PkgRun *run);
bool pkg_is_trusted(PkgRun *run, const Pkg *pkg);
bool pkg_is_newly_trusted(PkgRun *run, const Pkg *pkg);
void pkg_put_trust(PkgRun *run, Buf *out);
/* The package, and what it leads to and has scripts, comes on the list in the text of a
 * package.json. */
NODISCARD bool pkg_trust_add(PkgRun *run, u32 pkg, Str *text, JsonError *ret_err);
/* What the scripts of a package may do besides. */
typedef struct PkgNeeds {
    bool has_network, is_free; /* free: no sandbox at all */
    Vec(Str) writable;
} PkgNeeds;
void pkg_needs_of(PkgRun *run, const Pkg *pkg, Str place, PkgNeeds *ret);

/* pkg_script.c.  Before pkg_survey; before pkg_link_all; then those of packages and workspaces; at
 * the end those of the project. */
void pkg_script_plan(PkgRun *run);
bool pkg_script_is_unbuilt(PkgRun *run, u32 node);
NODISCARD bool pkg_script_note(PkgRun *run);
NODISCARD bool pkg_script_run(PkgRun *run, PkgResult *result);
NODISCARD bool pkg_script_run_root(PkgRun *run, PkgResult *result);

/* pkg_link.c.  A command in `bin_dir`, of the package in `place`. */
NODISCARD int pkg_put_bin(PkgRun *run, Str bin_dir, Str place, const PkgBin *bin);
/* Where a node is: of workspaces and links, what the link leads to. */
Str pkg_node_place(PkgRun *run, Arena *a, u32 node);
/* What the project asked for, into the result.  What is in its place already (after pkg_look_up);
 * then, the rest. */
void pkg_list_lines(PkgRun *run, PkgResult *result);
void pkg_survey(PkgRun *run);
NODISCARD bool pkg_link_all(PkgRun *run, PkgResult *result);
