/* runner/runner.h -- `cob test`: which files are tests, and the process that runs them.  What runs
 * in them is JavaScript: internal/test_runner. */
#pragma once

#include "runtime/vm.h"
#include "util/arena.h"
#include "util/log.h"
#include "util/str.h"
#include "util/vec.h"

typedef Vec(Str) RunnerList;

typedef struct {
    Str root;           /* absolute; where the search begins */
    Str cwd;            /* absolute; what the filters count from */
    const Str *filters; /* parts of paths, or paths of files or folders; none: all */
    u32 n_filters;
    const Str *ignored; /* globs of paths, relative to `root` */
    u32 n_ignored;
} RunnerSearch;

/* Absolute paths of the test files, sorted.  *ret_n_seen: how many there were before the filters.
 * -errno when `root` cannot be read; folders below it that cannot are passed over. */
NODISCARD int runner_find(Arena *a, const RunnerSearch *search, RunnerList *ret, u32 *ret_n_seen);

/* Is it the name of a test file ("x.test.ts", "x_spec.mjs")? */
bool runner_is_test_name(Str name);

/* Runs internal/test_runner with `options` (JSON) to its end; does not return. */
NORETURN void runner_run(Vm *vm, Str options);
