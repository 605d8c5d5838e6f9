/* Globs: any pattern on any path.  Input: pattern, NUL, path.  A path that matches must be
 * reachable through its directories. */
#include "util/glob.h"

int LLVMFuzzerTestOneInput(const u8 *data, usize size);

int LLVMFuzzerTestOneInput(const u8 *data, usize size)
{
    Arena a = {0};
    Str pattern, path;
    if (size > 400) return 0;
    (void)str_cut((Str){(const char *)data, size}, 0, &pattern, &path);
    for (u32 flags = 0; flags <= GLOB_NO_DOT; flags++) {
        const Glob *g = glob_new(&a, pattern, (GlobFlags)flags);
        if (!g || !glob_match(g, path)) continue;
        for (usize i = 0; i < path.n; i++)
            if (path.p[i] == '/' && i)
                ASSERT(i + 1 == path.n || glob_can_enter(g, str_slice(path, 0, i)));
    }
    arena_deinit(&a);
    return 0;
}
