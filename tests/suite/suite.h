/* tests/suite/suite.h -- runs programs side by side and compares what they print.
 *
 * One binary, three uses (tests/run.sh calls it):
 *   suite cli COB FOLDER [substring...]   the command-line cases of FOLDER (tests/README.md)
 *   suite js COB PRELUDE FILE...          test files, each in a process of its own
 *   suite pty [-c COLUMNS] COMMAND...     COMMAND on a terminal of its own, output copied to ours
 * The first two end with "N passed, N failed". */
#pragma once

#include "util/arena.h"
#include "util/base.h"
#include "util/buf.h"
#include "util/str.h"

enum {
    SUITE_WIDTH = 2,             /* jobs at once; COB_TEST_JOBS changes it */
    SUITE_TIMEOUT_S = 30,        /* of one job; COB_TEST_TIMEOUT changes it */
    SUITE_OUTPUT_MAX = 16 << 20, /* of what a job printed is read */
};

/* ---- Jobs (suite_pool.c)
 * ------------------------------------------------------------------------------ */

typedef struct {
    Str name;
    const char *const *argv; /* ends with NULL; argv[0] is a path */
    const char *const *env;  /* ends with NULL */
    const char *dir;         /* where it runs */
    const char *in;          /* file for standard input */
    const char *out, *err;   /* files that its output goes to */
    void *data;
    /* Afterwards: */
    int code; /* 128 + signal when one ended it, as shells count */
    bool has_timed_out;
    /* Of the pool: */
    int pid, pidfd;
    u64 deadline_ns;
} Job;

/* Runs all of them, `width` at once, each in its own process group, which is killed when the job
 * has ended.  `on_done` is called for each in the order in which they end. */
void pool_run(Job *jobs, u32 n_jobs, u32 timeout_s, void (*on_done)(Job *job));
/* A number from the environment, or `otherwise`. */
u32 env_number(const char *name, u32 otherwise);

/* ---- Expectations (suite_match.c)
 * ---------------------------------------------------------------------- */

/* `pattern` is text in which "[..]" stands for anything within a line and a line "[...]" for any
 * number of lines.  *ret_line is the number (from 1) of the first line of `text` at which they
 * part. */
bool match_text(Str pattern, Str text, u32 *ret_line);

/* ---- The three uses: each returns the exit code
 * -------------------------------------------------- */

int suite_cli(int argc, char **argv);
int suite_js(int argc, char **argv);
int suite_pty(int argc, char **argv);
