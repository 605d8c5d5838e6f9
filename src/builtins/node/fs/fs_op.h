/* node/fs/fs_op.h -- one operation of node:fs, done at once or on the loop.
 *
 * A native function of node:fs/binding takes a callback (or undefined: do it now) and the arguments
 * that its FsKind describes.  They are copied into an FsOp, which owns all that it needs, so that
 * `run` may work on a thread of the pool; what it found becomes JavaScript values afterwards. */
#pragma once

#include "builtins/builtins.h"
#include "sys/sys.h"

typedef struct FsOp FsOp;

typedef struct {
    const char *syscall;
    /* What the arguments are, one letter each:
     *   p  path, into path[0]         q  path, into path[1]: a string or bytes
     *   x  path or descriptor         f  descriptor
     *   i  integer, into n            o  position, into n: a number or BigInt, -1 for none
     *   t  seconds, into t            b  bytes that are read from, B  bytes that are written to
     *   v  array of bytes that are read from, V  of bytes that are written to
     *   d  data: bytes or a string    m  true: that the file is missing is no error */
    const char *params;
    i64 (*run)(FsOp *op); /* any thread; 0 or a count, or -errno */
    /* NULL: undefined */
    JsVal (*result)(Js *js, FsOp *op, i64 rc);
} FsKind;

enum { FS_NUMBERS = 5, FS_STAT_FIELDS = 18 };

struct FsOp {
    LoopReq req;
    const FsKind *kind;
    const char *syscall; /* for errors: the kind's, or what `run` was at */
    Arena *arena;
    Str path[2];
    int fd; /* -1: path[0] */
    bool has_fd, is_missing_ok, has_no_path;
    u8 n_numbers, n_times;
    i64 n[FS_NUMBERS];
    SysTime t[2];
    u8 *bytes; /* what is read from or written to */
    usize n_bytes;
    /* Results. */
    Buf content;
    Str text;
    SysStat stat;
    SysStatFs statfs;
    struct FsName *names;
    u32 n_names, names_cap;
    /* On the loop only. */
    Vm *vm;
    Arena own;
    JsRef callback, target; /* where bytes that were read go */
};

typedef struct FsName {
    Str name;
    u32 type; /* S_IFx */
} FsName;

/* Does what a native function of the binding is asked for: args[0] is the callback. */
JsVal fs_call(Js *js, const FsKind *kind, JsArgs args);
/* Takes args[1...] into *op and runs it now; false with an exception when they cannot be taken. */
NODISCARD bool fs_run_now(Js *js, FsOp *op, Arena *a, const FsKind *kind, JsArgs args, i64 *ret_rc);
/* The error of an operation as Node makes it, with path and dest. */
JsVal fs_error(Js *js, const FsOp *op, i64 rc);

/* Makers of results. */
JsVal fs_as_number(Js *js, FsOp *op, i64 rc);
JsVal fs_as_text(Js *js, FsOp *op, i64 rc); /* n[0]: as bytes */
JsVal fs_as_stat(Js *js, FsOp *op, i64 rc); /* n[0]: as BigInts */
JsVal fs_as_statfs(Js *js, FsOp *op, i64 rc);
JsVal fs_as_names(Js *js, FsOp *op, i64 rc);   /* n[0]: with types, n[1]: as bytes */
JsVal fs_as_content(Js *js, FsOp *op, i64 rc); /* n[1]: as a string */
