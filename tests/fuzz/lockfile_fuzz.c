/* bun.lock: any bytes; what is taken from it has a name that cannot leave node_modules. */
#include "install/pkg.h"

int LLVMFuzzerTestOneInput(const u8 *data, usize size);

int LLVMFuzzerTestOneInput(const u8 *data, usize size)
{
    Arena a = {0};
    Log log;
    PkgOptions options = {.dir = S("/project"), .cache_dir = S("/cache")};
    PkgRun run = {.arena = &a, .options = &options, .log = &log};
    log_init(&log, &a);
    run.root_source = (Source){S("package.json"), S("{}")};
    run.lock_source = (Source){S("bun.lock"), {(const char *)data, size}};
    *vec_add(&a, &run.pkgs) = (Pkg){0};
    ASSERT(pkg_read_overrides(&run));
    bool ok = pkg_lock_parse(&run);
    for (u32 i = 1; ok && i < run.pkgs.len; i++) {
        const Pkg *pkg = &run.pkgs.at[i];
        ASSERT(pkg_name_is_fine(pkg->name));
        for (u32 j = 0; j < pkg->deps.len; j++) ASSERT(pkg_name_is_fine(pkg->deps.at[j].name));
        for (u32 j = 0; j < pkg->bins.len; j++) ASSERT(pkg->bins.at[j].path.p[0] != '/');
    }
    arena_deinit(&a);
    return 0;
}
