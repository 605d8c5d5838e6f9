/* install/pkg_ignore.h -- which paths a list of patterns means
 * (https://git-scm.com/docs/gitignore).
 */
#pragma once

#include "util/glob.h"
#include "util/vec.h"

typedef struct PkgIgnoreRule {
    const Glob *glob;
    Str base; /* the folder of its file; paths are relative to that */
    bool is_negated, is_dir_only;
} PkgIgnoreRule;

typedef Vec(PkgIgnoreRule) PkgIgnore;

/* The text of a file in the folder `base` ("" is the package). */
void pkg_ignore_add(Arena *a, PkgIgnore *ignore, Str text, Str base);
/* An entry of "files" in package.json: always from the package's folder. */
void pkg_ignore_add_file_entry(Arena *a, PkgIgnore *ignore, Str entry);
/* The last rule that matches decides.  `path` is below the bases of all rules. */
bool pkg_ignore_has(const PkgIgnore *ignore, Str path, bool is_dir);
/* The same for a path or a folder above it, whatever kind that is. */
bool pkg_ignore_has_below(const PkgIgnore *ignore, Str path);
