/* Metadata of a package: any bytes, as text or gzip; a version that is picked is an object. */
#include "install/pkg.h"

int LLVMFuzzerTestOneInput(const u8 *data, usize size);

int LLVMFuzzerTestOneInput(const u8 *data, usize size)
{
    static const char *const specs[] = {"*", "^1.0.0", "latest", "next", ">=2 <3 || 1.x"};
    Arena a = {0};
    PkgMetadata *m = pkg_metadata_new((Str){(const char *)data, size});
    bool ok = !pkg_metadata_open(&a, m);
    for (u32 i = 0; ok && i < COUNT(specs); i++) {
        PkgSpec spec;
        Str version;
        if (!pkg_spec_parse(&a, S("x"), str_z(specs[i]), S(""), &spec)) continue;
        const JsonNode *json = pkg_metadata_pick(m, &a, &spec, &version);
        ASSERT(!json || (json->kind == JSON_OBJECT && version.n));
    }
    (void)pkg_metadata_latest(m, &a);
    pkg_metadata_free(m);
    arena_deinit(&a);
    return 0;
}
