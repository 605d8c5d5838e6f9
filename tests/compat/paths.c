/* tests/compat/paths.c -- fast path against full path over files named on standard input; see
 * paths.sh. */
#include "syntax/test_paths.h"
#include "syntax/transpile.h"
#include "sys/sys.h"

#include <stdio.h>
#include <string.h>

int main(void)
{
    static char line[8192];
    u32 count[4] = {0};
    while (fgets(line, sizeof(line), stdin)) {
        AUTO(Arena) a = {0};
        Str text, path = str_slice(str_z(line), 0, strcspn(line, "\n"));
        ParseOptions o;
        if (!transpile_options_for(path, &o) || o.declaration) continue;
        if (sys_read_file(&a, path, LEX_SIZE_MAX, &text) < 0) continue;
        PathsResult r = paths_compare(text, &o);
        count[r]++;
        if (r == PATHS_DIFFER) printf("FAIL %.*s: not the same program\n", STR_ARG(path));
    }
    printf("%u agree, %u handed on, %u refused by both\n", count[PATHS_AGREE],
           count[PATHS_FULL_ONLY], count[PATHS_REFUSED]);
    printf("%u passed, %u failed\n", count[PATHS_AGREE], count[PATHS_DIFFER]);
    return count[PATHS_DIFFER] ? 1 : 0;
}
