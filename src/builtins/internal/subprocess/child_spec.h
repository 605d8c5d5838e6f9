/* internal/subprocess/child_spec.h -- what the two ways to start a program share. */
#pragma once

#include "builtins/builtins.h"
#include "sys/sys.h"

/* What a child's descriptor is to be; 0 and above: one of ours. */
enum {
    CHILD_NULL = -1,
    CHILD_CLOSED = -2,
    CHILD_READS = -3,  /* a pipe that the child reads */
    CHILD_WRITES = -4, /* a pipe that it writes */
    CHILD_SOCKET = -5, /* both ways */
};

/* A program to start, from the arguments that natives get:
 *   0 text: file, argv..., each followed by a NUL    1 text: NAME=value..., likewise; or null: none
 *   2 working directory or null                      3 Int32Array of kinds, see above
 *   4 Float64Array: number of argv, flags, uid, gid, ... */
typedef struct {
    SysSpawn spec;
    int child_fds[SYS_SPAWN_FDS_MAX]; /* for the child; ours to close if `is_own` */
    int own_fds[SYS_SPAWN_FDS_MAX];   /* our ends, -1 where there is none */
    bool is_own[SYS_SPAWN_FDS_MAX];
    const f64 *options;
    u32 n_options;
} ChildSpec;

/* Reads the arguments.  false: an exception is pending. */
bool child_spec_read(Js *js, Arena *a, JsArgs args, ChildSpec *ret);
/* Makes pipes and sockets: 0 or -errno, and then there are none. */
int child_spec_open(ChildSpec *s);
/* Closes the child's ends, and with `all` ours, too. */
void child_spec_close(ChildSpec *s, bool all);
/* [code, signal, 13 figures of SysUsage] */
JsVal child_exit_value(Js *js, const SysExit *e);
JsVal child_spawn_sync(Js *js, JsArgs args);
