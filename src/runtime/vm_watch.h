/* runtime/vm_watch.h -- the watched program's side of --watch: it tells the process that watches
 * which files it has loaded, and what was in them.
 *
 * The two are joined by a pipe.  Each file is one record: a u32 with the length of the path, a u64
 * with the hash of the content, the path. */
#pragma once

#include "util/str.h"

enum { WATCH_PATH_MAX = 4000 };

typedef enum {
    WATCH_PROGRAM,
    WATCH_CONFIG,  /* .env and the like: alone they are nothing to watch */
    WATCH_MISSING, /* asked for and not there; the path may lack its ending */
} WatchKind;
typedef struct {
    u64 hash;
    u32 path_len;
    u32 kind; /* WatchKind */
} WatchRecord;

/* Takes the pipe over from COB_WATCH_FD, which is removed from the environment.  false: nobody
 * watches. */
bool vm_watch_take_fd(void);
/* The paths whose changes have started this run, a line each; removed from the environment by
 * vm_watch_take_fd. */
Str vm_watch_changed(void);
/* --hot: the other end of COB_HOT_FD writes a byte when a file has changed; -1 without it. */
int vm_watch_hot_fd(void);
/* Called by all that reads a file of the program; costs nothing when nobody watches. */
void vm_on_file_loaded(Str path, Str text);
void vm_on_config_loaded(Str path, Str text);
/* `specifier` was not found from the file `importer`; only paths matter here. */
void vm_on_file_missing(Str importer, Str specifier);
/* The same in every process. */
u64 vm_watch_hash(Str text);
