/* install/pkg_diff.h -- unified diffs as git writes them: read and applied to texts.  Pure: no
 * files here. */
#pragma once

#include "util/buf.h"
#include "util/str.h"

/* What a diff says about one file.  Views into the diff. */
typedef struct PkgDiffFile {
    Str old_path, new_path; /* below the package; empty: the file is new, or goes */
    u32 mode;               /* of the new file; 0: as it was */
    Str hunks;              /* empty: only name or mode change */
} PkgDiffFile;

typedef struct PkgDiff {
    Str rest;
    const char *error; /* static; set when pkg_diff_next returned false for something broken */
} PkgDiff;

/* The next file, or false at the end and for what is broken. */
NODISCARD bool pkg_diff_next(PkgDiff *d, PkgDiffFile *ret);
/* The new text from the old one.  false: *ret_error (static) says why it does not fit.  Hunks may
 * have moved, but all of their lines must be there. */
NODISCARD bool pkg_diff_apply(const PkgDiffFile *file, Str old, Buf *ret, const char **ret_error);
