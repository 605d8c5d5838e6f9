/* install/pkg_settings.h -- who is asked for packages and how: .npmrc of the project and of the
 * home folder, bunfig.toml (cob.toml), variables of the environment; the first that says something
 * is followed: what was given before, the environment, the project's files, the home folder's. */
#pragma once

#include "install/install.h"

typedef struct PkgSettings {
    PkgRegistry *registries; /* the first is the default one, always there */
    u32 n_registries;
    Str cache_dir; /* absolute */
    Str ca;        /* certificates, as text or a file */
    Str ca_file;
    i8 production, frozen, exact, dev, optional, peer; /* -1: nothing was said */
    i8 strict_ssl, ignore_scripts, save;
    Str linker; /* "hoisted", "isolated" or empty */
} PkgSettings;

/* `dir` is the project's folder; `registry` and `cache_dir`, if not empty, are from the command
 * line; `config`, if not empty, is read instead of bunfig.toml.  false: a file is broken. */
NODISCARD bool pkg_settings_read(Arena *a, Str dir, Str config, Log *log, PkgSettings *ret);
/* One .npmrc: for tests and the fuzzer.  What is there stays. */
void pkg_settings_take_npmrc(Arena *a, Str text, PkgSettings *s);
/* Into the options of a run; the registries stay the settings'.  false: the certificates. */
NODISCARD bool pkg_settings_apply(Arena *a, const PkgSettings *s, Log *log, PkgOptions *ret);
