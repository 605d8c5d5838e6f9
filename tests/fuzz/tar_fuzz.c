/* Tar archives: any bytes; what an entry holds lies in the archive, and the reader comes to an end.
 */
#include "codec/tar.h"

int LLVMFuzzerTestOneInput(const u8 *data, usize size);

int LLVMFuzzerTestOneInput(const u8 *data, usize size)
{
    Arena a = {0};
    Str archive = {(const char *)data, size};
    TarReader reader = tar_reader(&a, archive);
    TarEntry e;
    usize n = 0;
    while (tar_next(&reader, &e)) {
        ASSERT(++n <= size / 512);
        ASSERT(e.name.n <= TAR_NAME_MAX);
        ASSERT(!e.data.n || (e.data.p >= archive.p && e.data.p + e.data.n <= archive.p + size));
        if (tar_name_is_safe(e.name)) ASSERT(e.name.n && e.name.p[0] != '/');
    }
    arena_deinit(&a);
    return 0;
}
