/* cli/pm.h -- what the files of `cob pm` share. */
#pragma once

#include "cli/packages.h"

typedef struct {
    CliSource source;
    Str destination, filename, message, preid;
    u32 gzip_level, depth;
    bool all, production, global, json, dry_run, quiet, top, force, ignore_scripts;
    bool no_git_tag, allow_same;
} PmOptions;

/* One call of a subcommand. */
typedef struct {
    Cli *cli;
    const PmOptions *options;
    CliArgs args; /* behind the subcommand */
    Log log;
    PkgOptions pkg;     /* the project, registries, cache */
    CliPackage package; /* package.json of the current package; its `dir` is that of it */
} Pm;

enum { CLI_PACK_LEVEL_UNSET = UINT32_MAX };
/* A script of package.json, unless --ignore-scripts; returns its exit code. */
int cli_pack_script(Pm *pm, const char *name);
void cli_pack_print_files(const PkgPack *pack);
/* packed_size 0: it was not made. */
void cli_pack_print_totals(const PkgPack *pack, u64 packed_size);
/* Runs git in `dir`; `ret` gets what it prints, standard error too.  The result is its exit code,
 * or -errno. */
NODISCARD int cli_git(Arena *a, Str dir, const char *const *words, Buf *ret);
/* Opens the project and calls `run`; `is_free`: without package.json too. */
int cli_pm_run(Cli *cli, const PmOptions *options, int run(Pm *pm), bool is_free, CliArgs args);

/* Each returns the exit code; messages that stand in `log` are printed by the caller. */
int cli_pm_ls(Pm *pm);
int cli_pm_hash(Pm *pm);
int cli_pm_hash_string(Pm *pm);
int cli_pm_hash_print(Pm *pm);
int cli_pm_pack(Pm *pm);
int cli_pm_pkg(Pm *pm);
int cli_pm_version(Pm *pm);
int cli_pm_untrusted(Pm *pm);
int cli_pm_trust(Pm *pm);
int cli_pm_default_trusted(Pm *pm);
