/* install/pkg_script.h -- what the two halves of lifecycle scripts share: pkg_script.c, which finds
 * them, and pkg_script_run.c, which runs them. */
#pragma once

#include "install/pkg.h"

typedef enum {
    PKG_PREINSTALL,
    PKG_INSTALL,
    PKG_POSTINSTALL,
    PKG_PREPREPARE,
    PKG_PREPARE,
    PKG_POSTPREPARE,
    PKG_SCRIPTS /* how many there are */
} PkgScriptEvent;

/* The scripts of one package. */
typedef struct PkgScriptJob {
    u32 node;
    bool is_own;      /* of the project: no sandbox */
    bool is_optional; /* when it fails, the package goes */
    Str dir, name, version;
    JsonNode json; /* its package.json */
    Str texts[PKG_SCRIPTS];
    PkgList after; /* jobs that come first */
} PkgScriptJob;

extern const Str pkg_script_names[PKG_SCRIPTS];

/* Runs them, several at a time.  false: one failed, and the log says which. */
NODISCARD bool pkg_script_run_all(PkgRun *run, PkgScriptJob *jobs, u32 n_jobs, PkgResult *result);
/* Those of the project itself: one after the other, with our terminal. */
NODISCARD bool pkg_script_run_own(PkgRun *run, const PkgScriptJob *job, PkgResult *result);
