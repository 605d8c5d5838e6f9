/* install/pack.h -- the tarball of a package, as it is published. */
#pragma once

#include "util/arena.h"
#include "util/buf.h"
#include "util/json.h"
#include "util/log.h"
#include "util/str.h"

typedef struct PkgPackFile {
    Str path; /* below the package */
    u64 size;
    u32 mode;
    bool is_bundled; /* of a dependency that goes with it */
} PkgPackFile;

typedef struct PkgPack {
    Str dir;            /* absolute */
    Str name, version;  /* of the package */
    Str manifest;       /* the text of package.json as it goes into the tarball */
    PkgPackFile *files; /* package.json first */
    u32 n_files, n_bundled;
    u64 unpacked_size;
    Str shasum, integrity; /* of the tarball: hex; "sha512-..." */
} PkgPack;

enum { PKG_PACK_LEVEL = 9 };

/* What would be in it: the rules are those of npm-packlist ("files", .npmignore, else .gitignore,
 * what always and what never goes in, bundled dependencies).  `root` is the project's folder: for
 * "workspace:" and "catalog:".  Everything is in `a`.  false: the log says why. */
NODISCARD bool pkg_pack_list(Arena *a, Str root, Str dir, Log *log, PkgPack *ret);
/* The tarball, appended to `ret`; fills the digests. */
NODISCARD bool pkg_pack_make(Arena *a, PkgPack *pack, u32 level, Log *log, Buf *ret);
/* Fills the digests of a tarball that is there. */
void pkg_pack_digest(Arena *a, PkgPack *pack, Str tarball);
/* "scope-name-1.0.0.tgz" */
Str pkg_pack_name(Arena *a, const PkgPack *pack);
