/* .npmrc: any bytes; there is always a default registry, and no credential with a line in it. */
#include "install/install.h"

int LLVMFuzzerTestOneInput(const u8 *data, usize size);

int LLVMFuzzerTestOneInput(const u8 *data, usize size)
{
    Arena a = {0};
    PkgSettings s = {0};
    pkg_settings_take_npmrc(&a, (Str){(const char *)data, size}, &s);
    ASSERT(s.n_registries && !s.registries[0].scope.n);
    for (u32 i = 0; i < s.n_registries; i++) ASSERT(str_find(s.registries[i].auth, '\n') < 0);
    arena_deinit(&a);
    return 0;
}
