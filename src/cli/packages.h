/* cli/packages.h -- what the commands of the package manager share. */
#pragma once

#include "cli/run.h"
#include "install/install.h"

/* Whom they ask; the first member of their options. */
typedef struct {
    Str registry, cache_dir, config, ca, ca_file;
    bool offline, prefer_offline, silent;
} CliSource;

#define SOURCE_FLAG(name, letter, kind, field, value, help)                                        \
    CLI_FLAG(name, letter, kind, CliSource, field, value, help)

/* clang-format off */
#define CLI_SOURCE_FLAGS \
    SOURCE_FLAG("registry", 0, CLI_STR, registry, "url", "Ask this registry"), \
    SOURCE_FLAG("cache-dir", 0, CLI_STR, cache_dir, "path", "Keep packages there"), \
    SOURCE_FLAG("config", 'c', CLI_STR, config, "file", "Read this instead of bunfig.toml"), \
    SOURCE_FLAG("ca", 0, CLI_STR, ca, "pem", "Trust these certificates only"), \
    SOURCE_FLAG("cafile", 0, CLI_STR, ca_file, "file", "The same, from a file"), \
    SOURCE_FLAG("offline", 0, CLI_BOOL, offline, NULL, "Use the cache, not the network"), \
    SOURCE_FLAG("prefer-offline", 0, CLI_BOOL, prefer_offline, NULL, \
                "Use what the cache has, however old"), \
    SOURCE_FLAG("silent", 0, CLI_BOOL, silent, NULL, "Print errors only"), \
    CLI_NO_FIELD("no-progress", 0, CLI_IGNORED, NULL, "There is none to switch off"), \
    CLI_NO_FIELD("verbose", 0, CLI_IGNORED, NULL, "Accepted, changes nothing"), \
    CLI_NO_FIELD("cwd", 0, CLI_CWD, "path", "Work in that folder")
/* clang-format on */

/* What flags and files say of the project in `ret->dir`; `s` may hold what other flags said. false:
 * the log says why not. */
NODISCARD bool cli_packages_settings(Cli *cli, const CliSource *source, Log *log, PkgSettings *s,
                                     PkgOptions *ret);
/* The project of the current folder, registries and cache, by flags and files.  false: the log says
 * why not. */
NODISCARD bool cli_packages_open(Cli *cli, const CliSource *source, Log *log, PkgOptions *ret);
/* "name", "@scope/name@^1", "alias@npm:name@2": the name and the text behind it.  false: it is no
 * such thing. */
NODISCARD bool cli_packages_cut(Str operand, Str *ret_name, Str *ret_text);
/* Lifecycle scripts will be run by it.  To be called when `ret->dir` is known. */
typedef struct {
    u32 n_max;    /* at once; 0: as many as are good */
    bool is_free; /* without sandbox */
    bool is_silent;
    /* Private. */
    bool has_begun; /* one of the project was printed */
    Cli *cli;
    Str dir;
} CliPackageScripts;
void cli_packages_scripts(Cli *cli, const CliPackageScripts *scripts, PkgOptions *ret);
/* ... unless the settings forbid it; without sandbox if they say so. */
void cli_packages_scripts_by(Cli *cli, CliPackageScripts *scripts, const PkgSettings *s,
                             PkgOptions *ret);
/* After a failure: what the log has, and the exit code. */
int cli_packages_fail(const Log *log, const PkgResult *result);
/* After a success: warnings, and how many scripts were blocked. */
void cli_packages_print_end(const Cli *cli, const Log *log, const PkgResult *result);
/* A loop of its own around pkg_install. */
NODISCARD bool cli_packages_install(Cli *cli, const PkgOptions *options, Log *log, PkgResult *ret);
/* --global (cli_global.c): the folder instead of a project; afterwards, links to commands; and how
 * they are reached. */
NODISCARD bool cli_global_begin(Cli *cli, Log *log, PkgOptions *ret);
NODISCARD bool cli_global_end(Cli *cli, const PkgResult *result, Log *log);
void cli_global_print_end(Cli *cli);
/* `cob why` and `cob pm why`; depth 0: all, -1: one level and no word about others. */
int cli_why(Cli *cli, const CliSource *source, const Str *patterns, u32 n_patterns, i64 depth);
/* `cob info` and `cob pm view`: a name, then properties. */
int cli_info(Cli *cli, const CliSource *source, CliArgs args, bool is_json);
