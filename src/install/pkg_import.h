/* install/pkg_import.h -- lockfiles of others: what they chose becomes "pins" that the solver
 * follows where a pin still satisfies what is asked for. */
#pragma once

#include "install/pkg.h"

typedef struct PkgPin {
    Str version, integrity; /* integrity may be empty */
} PkgPin;

/* To be called before those below. */
void pkg_pins_begin(PkgRun *run);
/* One file; everything is in run->arena.  false: it is broken, the log says where. */
NODISCARD bool pkg_import_npm(PkgRun *run, const Source *source);
NODISCARD bool pkg_import_yarn(PkgRun *run, const Source *source);
NODISCARD bool pkg_import_pnpm(PkgRun *run, const Source *source);

/* What the dependency `name` of `parent` gets; the first that is said counts.  `parent` is
 * "name@version", the folder of a workspace, or empty for the project. */
void pkg_pin_edge(PkgRun *run, Str parent, Str name, PkgPin pin);
/* What "name@text" gets, whoever asks. */
void pkg_pin_text(PkgRun *run, Str name, Str text, PkgPin pin);
