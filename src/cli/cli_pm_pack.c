/* cli/cli_pm_pack.c -- `cob pm pack`: the tarball that `cob publish` would send. */
#include "cli/pm.h"
#include "util/err.h"
#include "util/path.h"

#include <stdio.h>

int cli_pack_script(Pm *pm, const char *name)
{
    Arena *a = pm->cli->arena;
    RunOptions run = {.silent = pm->options->quiet, .is_alone = true};
    if (pm->options->ignore_scripts || !cli_package_script(a, &pm->package, str_z(name)).n)
        return 0;
    (void)fflush(stdout);
    return cli_run_script(pm->cli, &run, str_z(name), (CliArgs){0}).code;
}

static void print_size(const char *label, u64 size)
{
    static const char *const units[] = {"KB", "MB", "GB"};
    f64 n = (f64)size / 1000;
    u32 unit = 0;
    if (size < 1000) {
        (void)printf("%s: %lluB\n", label, (unsigned long long)size);
        return;
    }
    for (; n >= 1000 && unit + 1 < COUNT(units); unit++) n /= 1000;
    (void)printf("%s: %.2f%s\n", label, n, units[unit]);
}

void cli_pack_print_files(const PkgPack *pack)
{
    (void)printf("\n");
    for (u32 i = 0; i < pack->n_files; i++) {
        const PkgPackFile *file = &pack->files[i];
        if (!file->is_bundled)
            (void)printf("packed %lluB %.*s\n", (unsigned long long)file->size,
                         STR_ARG(file->path));
    }
}

void cli_pack_print_totals(const PkgPack *pack, u64 packed_size)
{
    enum { SHOWN = 20, END = 15 };
    (void)printf("\nTotal files: %u\n", pack->n_files);
    if (pack->integrity.n)
        (void)printf("Shasum: %.*s\nIntegrity: %.*s[...]%.*s\n", STR_ARG(pack->shasum),
                     STR_ARG(str_slice(pack->integrity, 0, SHOWN)),
                     STR_ARG(str_skip(pack->integrity, pack->integrity.n - END)));
    print_size("Unpacked size", pack->unpacked_size);
    if (packed_size) print_size("Packed size", packed_size);
    if (pack->n_bundled) (void)printf("Bundled deps: %u\n", pack->n_bundled);
}

/* --filename, or its own name below --destination. */
static Str place_of(Pm *pm, const PkgPack *pack)
{
    Arena *a = pm->cli->arena;
    const PmOptions *o = pm->options;
    if (o->filename.n) return path_resolve(a, pm->package.dir, pm->package.dir, o->filename);
    Str dir = o->destination.n ? path_resolve(a, pm->package.dir, pm->package.dir, o->destination)
                               : pm->package.dir;
    return path_join2(a, dir, pkg_pack_name(a, pack));
}

int cli_pm_pack(Pm *pm)
{
    Arena *a = pm->cli->arena;
    const PmOptions *o = pm->options;
    AUTO(Buf) tarball = {0};
    PkgPack pack;
    int code = cli_pack_script(pm, "prepack");
    if (!code) code = cli_pack_script(pm, "prepare");
    if (code) return code;
    if (o->gzip_level > 9 && o->gzip_level != CLI_PACK_LEVEL_UNSET)
        return !log_error(&pm->log, (Span){0}, "--gzip-level is 0 to 9");
    u32 level = o->gzip_level == CLI_PACK_LEVEL_UNSET ? PKG_PACK_LEVEL : o->gzip_level;
    if (!pkg_pack_list(a, pm->pkg.dir, pm->package.dir, &pm->log, &pack)) return 1;
    Str path = place_of(pm, &pack);
    if (!o->quiet) cli_pack_print_files(&pack);
    if (!o->dry_run) {
        if (!pkg_pack_make(a, &pack, level, &pm->log, &tarball)) return 1;
        int rc = sys_mkdir_all(path_dirname(path), 0755, NULL);
        if (rc >= 0) rc = sys_write_file_atomic(path, buf_str(&tarball), 0644);
        if (rc < 0)
            return !log_error(&pm->log, (Span){0}, "Cannot write %.*s: %s", STR_ARG(path),
                              err_text(rc));
    }
    Str shown = o->destination.n || o->filename.n ? path : pkg_pack_name(a, &pack);
    (void)printf(o->quiet ? "%.*s\n" : "\n%.*s\n", STR_ARG(shown));
    if (!o->quiet) cli_pack_print_totals(&pack, tarball.len);
    return cli_pack_script(pm, "postpack");
}
