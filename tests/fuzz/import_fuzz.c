/* Lockfiles of npm, Yarn and pnpm: any bytes; the first one says whose. */
#include "install/pkg_import.h"

int LLVMFuzzerTestOneInput(const u8 *data, usize size);
const char *__lsan_default_suppressions(void);

/* The library loses 2 KB on some quoted scalars that are broken: nothing of ours. */
const char *__lsan_default_suppressions(void)
{
    return "leak:libfyaml";
}

int LLVMFuzzerTestOneInput(const u8 *data, usize size)
{
    if (!size) return 0;
    Arena a = {0};
    Log log;
    PkgOptions options = {.dir = S("/nowhere/project"), .cache_dir = S("/nowhere/cache")};
    PkgRun run = {.arena = &a, .options = &options, .log = &log};
    Source source = {S("lock"), {(const char *)data + 1, size - 1}};
    log_init(&log, &a);
    *vec_add(&a, &run.pkgs) = (Pkg){0};
    pkg_pins_begin(&run);
    if (data[0] == 'n')
        (void)!pkg_import_npm(&run, &source);
    else if (data[0] == 'y')
        (void)!pkg_import_yarn(&run, &source);
    else
        (void)!pkg_import_pnpm(&run, &source);
    PkgDep dep = {.name = S("leaf"), .text = S("^1.0.0")};
    const PkgPin *pin = pkg_pin_find(&run, &run.pkgs.at[0], &dep);
    Semver version;
    if (pin) ASSERT(semver_parse(pkg_pin_version(pin), &version));
    arena_deinit(&a);
    return 0;
}
