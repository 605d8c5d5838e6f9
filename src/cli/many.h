/* cli/many.h -- several scripts at once: what the files of it share. */
#pragma once

#include "cli/run.h"
#include "util/buf.h"

typedef enum {
    MANY_TREE,       /* --filter: in the order of dependencies, output by package */
    MANY_PARALLEL,   /* all at once, each line with its label */
    MANY_SEQUENTIAL, /* the same, one after another */
} ManyMode;

enum { MANY_STEPS_MAX = 3 };
typedef struct {
    Str event; /* "prebuild", "build", "postbuild" */
    Str text;
    CliArgs args;
} ManyStep;

typedef struct {
    int fd; /* -1: closed */
    Buf line;
} ManyStream;

typedef enum { MANY_WAITING, MANY_RUNNING, MANY_DONE, MANY_DROPPED } ManyState;

typedef struct {
    Str name; /* of the package, or empty */
    Str label;
    const CliPackage *package; /* NULL: none */
    Str cwd;
    ManyStep steps[MANY_STEPS_MAX];
    u32 n_steps, step;
    u32 *waits_for; /* indices of jobs */
    u32 n_waits;
    ManyState state;
    i32 pid;
    int pidfd;
    ManyStream out, err;
    u64 start_ns, end_ns;
    SysExit end;
    Buf shown;    /* MANY_TREE on a terminal: complete lines so far */
    u32 n_elided; /* lines of it that were dropped */
} ManyJob;

typedef struct {
    Cli *cli;
    const RunOptions *options;
    ManyMode mode;
    Vec(ManyJob) jobs;
    Str shell;
    bool has_own_shell; /* it is this program */
    u32 label_width;
    bool is_live;  /* MANY_TREE on a terminal */
    u32 live_rows; /* that the live part takes up now */
    u64 drawn_ns;
    bool is_changed;   /* since it was drawn */
    CliPaint paint[3]; /* by descriptor */
    bool is_stopping;
    int code;   /* of the first that failed */
    int signal; /* that stopped us */
} Many;

/* Starts, waits, prints; returns the exit code. */
int cli_many_run(Many *m);

/* ---- Printing (cli_many_view.c) ----------------------------------------------------------------
 */

void cli_many_view_init(Many *m);
/* A line without its end, of descriptor `fd`. */
void cli_many_view_line(Many *m, ManyJob *job, int fd, Str line);
/* The current step of the job has ended (job->end). */
void cli_many_view_step_end(Many *m, ManyJob *job);
/* On a terminal: draws what runs again, if something has changed.  Returns after how many
 * nanoseconds it wants to be called again, or UINT64_MAX. */
u64 cli_many_view_refresh(Many *m);
