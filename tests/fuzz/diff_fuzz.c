/* Unified diffs: a diff and the text that it is for, with a NUL between them. */
#include "install/pkg_diff.h"

int LLVMFuzzerTestOneInput(const u8 *data, usize size);

int LLVMFuzzerTestOneInput(const u8 *data, usize size)
{
    Str all = {(const char *)data, size}, diff, old;
    (void)str_cut(all, '\0', &diff, &old);
    PkgDiff d = {.rest = diff};
    PkgDiffFile file;
    while (pkg_diff_next(&d, &file)) {
        AUTO(Buf) out = {0};
        const char *error = NULL;
        if (!pkg_diff_apply(&file, old, &out, &error)) ASSERT(error);
    }
    return 0;
}
