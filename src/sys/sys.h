/* sys/sys.h -- every system call of the program goes through here.
 *
 * Rules that hold for all of it:
 *  - A function that can fail returns 0 or a count on success and -errno otherwise; outputs are the
 *    last parameters and stay untouched on failure.
 *  - EINTR never comes out: calls are restarted.
 *  - Every descriptor is close-on-exec from birth.
 *  - Paths are bytes without a NUL: one inside gives -EINVAL, 4096 bytes or more -ENAMETOOLONG.
 *  - Nothing logs, nothing allocates unless an Arena or a Buf is passed or the comment says so.
 *  - Debug builds can make the Nth call of a thread fail: see sys_fault_set. */
#pragma once

#include "util/arena.h"
#include "util/base.h"
#include "util/buf.h"
#include "util/str.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>

enum {
    SYS_PATH_MAX = 4096,    /* with the NUL */
    SYS_FILE_MAX = 1 << 30, /* a sane `max` for whole-file reads: 1 GiB */
};

/* ---- Fault injection (fault.c) -------------------------------------------------------------- */

/* The `nth` (1 is the next) call made by this thread fails with -err; 0 switches it off.  `every`
 * makes all later ones fail as well.  Returns false when the build has no fault injection
 * (release). */
bool sys_fault_set(u64 nth, int err, bool every);
/* Calls counted since sys_fault_set; tells a test when `nth` went past the end. */
u64 sys_fault_count(void);
/* One step: 0 or the -errno to return.  For calls that libraries make on our behalf (io_uring). */
int sys_fault_hit(void);

/* ---- Files (file.c) ------------------------------------------------------------------------- */

/* open(2); O_CLOEXEC is added.  Returns the descriptor. */
NODISCARD int sys_open(Str path, int flags, u32 mode);
/* Takes fd; -1 is fine.  Errors are reported but the descriptor is gone in any case. */
int sys_close(int fd);
NODISCARD i64 sys_read(int fd, void *buf, usize len);
NODISCARD i64 sys_pread(int fd, void *buf, usize len, u64 off);
NODISCARD i64 sys_readv(int fd, const struct iovec *iov, u32 n_iov);
NODISCARD i64 sys_preadv(int fd, const struct iovec *iov, u32 n_iov, u64 off);
NODISCARD i64 sys_write(int fd, const void *buf, usize len);
NODISCARD i64 sys_pwrite(int fd, const void *buf, usize len, u64 off);
NODISCARD i64 sys_writev(int fd, const struct iovec *iov, u32 n_iov);
NODISCARD i64 sys_pwritev(int fd, const struct iovec *iov, u32 n_iov, u64 off);
/* Before this thread writes to descriptor 1 or 2 by the functions above, or starts a child, `fn` is
 * called: it writes what it has held back.  It may write itself, when it then holds nothing. */
void sys_before_output(void (*fn)(void *ctx), void *ctx);
/* Calls that function, when there is one: output is coming by another way. */
void sys_tell_output(void);
/* Writes everything; on a non-blocking fd it waits with poll(2) in between. */
NODISCARD int sys_write_all(int fd, Str data);
NODISCARD i64 sys_seek(int fd, i64 off, int whence);
NODISCARD int sys_fsync(int fd);
NODISCARD int sys_fdatasync(int fd);
NODISCARD int sys_truncate(Str path, u64 len);
NODISCARD int sys_ftruncate(int fd, u64 len);
/* A duplicate not below `fd_min`, close-on-exec. */
NODISCARD int sys_dup(int fd, int fd_min);
NODISCARD int sys_set_nonblock(int fd, bool on);
/* 1 when O_NONBLOCK is set, 0 when not. */
NODISCARD int sys_is_nonblock(int fd);
NODISCARD int sys_set_cloexec(int fd, bool on);
/* flock(2).  With `wait` false a held lock gives -EWOULDBLOCK. */
NODISCARD int sys_lock(int fd, bool exclusive, bool wait);
NODISCARD int sys_unlock(int fd);
/* The whole file, with a NUL behind it that is not counted.  Reads until the end, so files of /proc
 * (size 0) work.  -EFBIG when it is longer than `max`, -EISDIR for a directory. */
NODISCARD int sys_read_file(Arena *a, Str path, usize max, Str *ret);
/* The same from a descriptor at its current position, appended to `buf`. */
NODISCARD int sys_read_all(int fd, usize max, Buf *buf);
/* Creates or truncates, then writes everything. */
NODISCARD int sys_write_file(Str path, Str data, u32 mode);
/* Replaces `path` as one step: a temporary beside it, fsync, rename.  Readers see the old or the
 * new content.  `mode` 0 keeps the mode of an existing file (else 0666 less the umask). */
NODISCARD int sys_write_file_atomic(Str path, Str data, u32 mode);
/* The same without waiting for the disk: if the machine fails soon after, the file may be damaged.
 */
NODISCARD int sys_write_file_unsynced(Str path, Str data, u32 mode);
/* Maps a regular file read-only.  An empty file gives an empty Str and needs no unmap.  Reading
 * past a later truncation raises SIGBUS: only for files that we own (caches). */
NODISCARD int sys_map_file(Str path, Str *ret);
/* The same for a file that only the user `uid` can write (-EPERM otherwise; links are not
 * followed). `ret_stat` may be NULL. */
enum { SYS_ANY_OWNER = -1 };
struct SysStat;
NODISCARD int sys_map_file_of(Str path, i64 uid, Str *ret, struct SysStat *ret_stat);
void sys_unmap_file(Str map);

/* ---- File metadata (meta.c) ----------------------------------------------------------------- */

typedef struct {
    i64 s;  /* seconds since 1970, may be negative */
    u32 ns; /* 0 .. 999,999,999; or SYS_TIME_NOW / SYS_TIME_OMIT for sys_utimes */
} SysTime;
#define SYS_TIME_NOW  ((1U << 30) - 1U)
#define SYS_TIME_OMIT ((1U << 30) - 2U)

typedef struct SysStat {
    u64 dev, ino, nlink, rdev, size, blocks, blksize;
    u32 mode, uid, gid;
    SysTime atime, mtime, ctime, btime; /* btime is zero where the file system keeps none */
} SysStat;

NODISCARD int sys_stat(Str path, SysStat *ret);
NODISCARD int sys_lstat(Str path, SysStat *ret);
NODISCARD int sys_fstat(int fd, SysStat *ret);
/* statx(2) into `ret`, a struct statx, with all that sys_stat_from_statx reads; flags: 0 or
 * AT_SYMLINK_NOFOLLOW. */
NODISCARD int sys_statx(const char *path, int flags, void *ret);
void sys_stat_from_statx(const void *statx, SysStat *ret);
/* mode: F_OK, or R_OK | W_OK | X_OK. */
NODISCARD int sys_access(Str path, int mode);
NODISCARD int sys_chmod(Str path, u32 mode);
NODISCARD int sys_fchmod(int fd, u32 mode);
NODISCARD int sys_chown(Str path, u32 uid, u32 gid);
NODISCARD int sys_lchown(Str path, u32 uid, u32 gid);
NODISCARD int sys_fchown(int fd, u32 uid, u32 gid);
NODISCARD int sys_utimes(Str path, SysTime atime, SysTime mtime);
NODISCARD int sys_lutimes(Str path, SysTime atime, SysTime mtime);
NODISCARD int sys_futimes(int fd, SysTime atime, SysTime mtime);

typedef struct {
    u64 type, bsize, blocks, bfree, bavail, files, ffree;
} SysStatFs;
NODISCARD int sys_statfs(Str path, SysStatFs *ret);

/* ---- Directories and names (dir.c, copy.c) -------------------------------------------------- */

NODISCARD int sys_mkdir(Str path, u32 mode);
/* mkdir -p.  *ret_first, if not NULL, is the length of the prefix of `path` that names the first
 * directory that was made, 0 when all existed. */
NODISCARD int sys_mkdir_all(Str path, u32 mode, usize *ret_first);
/* Makes `prefix` plus six random characters and returns that path. */
NODISCARD int sys_mkdtemp(Arena *a, Str prefix, Str *ret);
int sys_rmdir(Str path);
int sys_unlink(Str path);
NODISCARD int sys_rename(Str from, Str to);
NODISCARD int sys_link(Str from, Str to);
NODISCARD int sys_symlink(Str target, Str path);
NODISCARD int sys_readlink(Arena *a, Str path, Str *ret);
NODISCARD int sys_realpath(Arena *a, Str path, Str *ret);
/* Removes a file or a whole tree without following links.  -ENOENT when `path` does not exist; what
 * vanishes meanwhile is fine.  At most SYS_TREE_DEPTH_MAX levels: -ELOOP. */
NODISCARD int sys_remove_tree(Str path);
enum { SYS_TREE_DEPTH_MAX = 512 };

typedef struct {
    Str name; /* valid until the next call; a NUL stands behind it */
    u64 ino;
    u32 type; /* S_IFREG, S_IFDIR, S_IFLNK, ...; never unknown unless the entry vanished (0) */
} SysDirEntry;
typedef struct {
    int fd;
    u32 at, len;
    char *buf;
} SysDir;
NODISCARD int sys_dir_open(Str path, SysDir *ret);
/* 1 and the next entry ("." and ".." left out), 0 at the end. */
NODISCARD int sys_dir_next(SysDir *d, SysDirEntry *ret);
void sys_dir_close(SysDir *d);
/* For AUTO(SysDir); the zero value is fine. */
void SysDir_deinit(SysDir *d);

enum {
    SYS_COPY_EXCL = 1,        /* -EEXIST when the destination is there */
    SYS_COPY_CLONE = 2,       /* try to share blocks (FICLONE) first */
    SYS_COPY_CLONE_FORCE = 4, /* sharing or nothing */
};
/* Copies content and permission bits of a regular file.  -EINVAL when both are the same file. */
NODISCARD int sys_copy_file(Str from, Str to, u32 flags);
/* All bytes from the position of one descriptor to the position of the other, in the kernel where
 * it can; `len` UINT64_MAX means until the end.  Returns the count. */
NODISCARD i64 sys_copy_fd(int from, int to, u64 len);
/* Makes the directory `to` (-EEXIST when it is there) with the directories and files of `from`:
 * files as hard links, or as copies where links cannot be or `must_copy` is set; what is neither is
 * left out, and folders called `skip`.  On failure a part of it stays. */
NODISCARD int sys_link_tree(Str from, Str to, Str skip, bool must_copy);
/* The same for the names in `list`, each with a NUL behind it, folders (with a slash at the end)
 * before what is in them: the source need not be looked through. */
NODISCARD int sys_link_list(Str from, Str to, Str list, bool must_copy);
/* Names relative to an open directory (of sys_open with O_PATH or O_DIRECTORY); they have a NUL
 * behind them. */
NODISCARD int sys_open_at(int dir, Str name, int flags, u32 mode);
/* The same for a path that may not leave the directory: "..", "/" and links mean what they would if
 * it were the root. */
NODISCARD int sys_open_below(int dir, Str path, int flags);
NODISCARD int sys_mkdir_at(int dir, Str name, u32 mode);

/* ---- Processes (spawn.c, sandbox.c, proc.c, title.c) ---------------------------------------- */

enum {
    SYS_FD_NULL = -1,   /* in SysSpawn.fds: /dev/null */
    SYS_FD_CLOSED = -2, /* not open in the child */
    SYS_SPAWN_FDS_MAX = 256,
};
enum {
    SYS_SPAWN_DETACHED = 1, /* setsid: own session and process group */
    SYS_SPAWN_UID = 2,
    SYS_SPAWN_GID = 4,
    SYS_SPAWN_CTTY = 8, /* with DETACHED: fd 0, a terminal, becomes the controlling one */
};
typedef struct SysSandbox SysSandbox;
typedef struct {
    const char *file;        /* without a slash it is searched in PATH of the child's environment */
    const char *const *argv; /* ends with NULL; argv[0] need not be `file` */
    const char *const *env;  /* ends with NULL; NULL inherits ours */
    const char *cwd;         /* NULL inherits ours; relative `file` and PATH entries start there */
    const int *fds;          /* the child's descriptor i is our fds[i]; all others are closed */
    u32 n_fds;
    u32 flags;
    u32 uid, gid;
    SysSandbox *sandbox; /* NULL: none; an open one is for one child */
} SysSpawn;
/* Starts a program.  The child begins with default signal dispositions and an empty mask.  Errors
 * of chdir, setuid, exec and so on are returned here as if they were ours; there is no child then.
 * A file without "#!" that is no program runs in /bin/sh, as execvp(3) has it. */
NODISCARD int sys_spawn(const SysSpawn *s, i32 *ret_pid, int *ret_pidfd);

/* What a child may not do: write elsewhere than in some folders (with links resolved), /dev/null
 * and the like, and, unless it has the network, make sockets.  Its own children share that, and
 * none of them gets more rights by running other programs.  What the kernel refuses is told. */
typedef struct SysSandboxProgram SysSandboxProgram;
struct SysSandbox {
    const Str *writable; /* files and folders, absolute; borrowed */
    u32 n_writable;
    bool has_network;
    /* Private, but for `reports`: readable when sys_sandbox_next has something to do, which must be
     * soon, since the child waits.  At its end when the last process of the sandbox is gone. */
    int rules, channel[2], reports;
    SysSandboxProgram *program;
};
typedef struct {
    Str path; /* what was to be written */
    bool is_network;
} SysRefusal;
/* -ENOSYS: the kernel has no such thing.  Kept in `a`: the program of the filter. */
NODISCARD int sys_sandbox_open(Arena *a, SysSandbox *s);
void sys_sandbox_close(SysSandbox *s);
/* Answers one report: 1 and what was refused (a path in `a`), or 0. */
NODISCARD int sys_sandbox_next(const SysSandbox *s, Arena *a, SysRefusal *ret);

typedef struct {
    u64 utime_us, stime_us, max_rss_kb, minor_faults, major_faults, swaps;
    u64 block_in, block_out, msg_sent, msg_received, signals, voluntary_switches, forced_switches;
} SysUsage;
typedef struct {
    int code;   /* exit code; 0 when a signal ended it */
    int signal; /* 0 when it exited */
    bool has_core;
    SysUsage usage;
} SysExit;
/* 1 when the child has ended (it is reaped), 0 when it runs and `wait` is false. */
int sys_child_wait(int pidfd, bool wait, SysExit *ret);
NODISCARD int sys_pidfd_open(i32 pid);
NODISCARD int sys_pidfd_kill(int pidfd, int signo);
/* signo 0 only asks whether the process exists. */
NODISCARD int sys_kill(i32 pid, int signo);
i32 sys_pid(void);
i32 sys_ppid(void);
/* Sets the mask and returns the old one. */
u32 sys_umask(u32 mask);
/* The current mask, without a moment in which it is different (reads /proc; falls back to setting
 * it twice). */
u32 sys_umask_get(void);
NODISCARD int sys_cwd(Arena *a, Str *ret);
NODISCARD int sys_chdir(Str path);
/* The path of the running program. */
NODISCARD int sys_exe_path(Arena *a, Str *ret);
/* The linker's hash of this executable's contents, "" when it was linked without. */
Str sys_build_id(void);
NODISCARD int sys_hostname(Arena *a, Str *ret);
typedef struct {
    Str sysname, release, version, machine;
} SysName;
NODISCARD int sys_uname(Arena *a, SysName *ret);
/* who: RUSAGE_SELF, RUSAGE_CHILDREN or RUSAGE_THREAD of <sys/resource.h>. */
NODISCARD int sys_usage(int who, SysUsage *ret);
/* -20 .. 19. pid 0 is this process. */
NODISCARD int sys_priority_get(i32 pid, int *ret);
NODISCARD int sys_priority_set(i32 pid, int priority);
u32 sys_uid(void);
u32 sys_euid(void);
u32 sys_gid(void);
u32 sys_egid(void);
NODISCARD int sys_set_uid(u32 uid);
NODISCARD int sys_set_euid(u32 uid);
NODISCARD int sys_set_gid(u32 gid);
NODISCARD int sys_set_egid(u32 gid);
NODISCARD int sys_groups(Arena *a, u32 **ret, u32 *ret_len);
NODISCARD int sys_set_groups(const u32 *groups, u32 len);
/* resource: RLIMIT_x of <sys/resource.h>.  UINT64_MAX is "no limit". */
NODISCARD int sys_limit_get(int resource, u64 *ret_soft, u64 *ret_hard);
NODISCARD int sys_limit_set(int resource, u64 soft, u64 hard);
/* Raises the soft limit of open files to the hard one; returns the limit in force. */
u64 sys_limit_files_raise(void);
typedef struct {
    u64 virt, rss, shared;                 /* bytes, from statm */
    u64 pss, private_clean, private_dirty; /* from smaps_rollup; zero unless `full` */
} SysMemory;
NODISCARD int sys_memory(bool full, SysMemory *ret);
/* Processors that this process may run on, at least 1. */
u32 sys_cpu_count(void);
NODISCARD int sys_loadavg(f64 ret_avg[3]);
/* total_ram and free_ram (MemAvailable) of the machine in bytes, uptime in seconds. */
NODISCARD int sys_machine(u64 *ret_total_ram, u64 *ret_free_ram, f64 *ret_uptime_s);
/* machine.c */
typedef struct {
    u32 uid, gid;
    Str name, home, shell;
} SysUser;
/* -ENOENT when the system knows no such user. */
NODISCARD int sys_user_find(Arena *a, u32 uid, SysUser *ret);
/* Numbers of a user (with the group of that user) and of a group by name; -ENOENT. */
NODISCARD int sys_user_named(Str name, u32 *ret_uid, u32 *ret_gid);
NODISCARD int sys_group_named(Str name, u32 *ret_gid);
/* Sets the groups that `user` is in, and `gid` (initgroups). */
NODISCARD int sys_user_groups_init(Str user, u32 gid);
/* Becomes another program, which inherits stdin, stdout and stderr; returns only when that fails.
 * `argv` and `env` end with NULL. */
NODISCARD int sys_exec(Str path, char *const *argv, char *const *env);
/* Remembers where the kernel keeps the command line, so that the title can replace it, and returns
 * a copy of argv that stays valid (heap, never freed).  Once, before threads. */
char **sys_title_init(int argc, char **argv);
/* Shown by ps and top; cut to the room that the command line had.  -ENOBUFS before sys_title_init.
 */
NODISCARD int sys_title_set(Str title);
/* What was set, or argv[0]. */
NODISCARD int sys_title_get(Arena *a, Str *ret);
/* Ends the process at once without running any handler. */
NORETURN void sys_exit_now(int code);

/* ---- Environment (env.c): these take a lock; nobody else may touch `environ` after start ---- */

/* true and a copy. */
bool sys_env_find(Arena *a, Str name, Str *ret);
/* -EINVAL for an empty name or one with '='. */
NODISCARD int sys_env_set(Str name, Str value);
int sys_env_del(Str name);
/* All "NAME=value" entries, copied. */
void sys_env_list(Arena *a, Str **ret, u32 *ret_len);

/* ---- Time and randomness (clock.c) ---------------------------------------------------------- */

u64 sys_monotonic_ns(void);
u64 sys_realtime_ns(void);
u64 sys_cpu_process_ns(void);
u64 sys_cpu_thread_ns(void);
/* Blocks this thread. */
void sys_sleep_ns(u64 ns);
/* Fills all of it; never fails (waits for the pool of the kernel; ends the process if there is
 * none). */
void sys_random(void *buf, usize len);

/* ---- Terminals (tty.c) ---------------------------------------------------------------------- */

bool sys_tty_is(int fd);
NODISCARD int sys_tty_size(int fd, u32 *ret_cols, u32 *ret_rows);
NODISCARD int sys_tty_set_size(int fd, u32 cols, u32 rows);
typedef enum {
    SYS_TTY_NORMAL, /* as it was before the first change */
    SYS_TTY_RAW,    /* no echo, no line editing, no signals; output still maps \n to \r\n */
    SYS_TTY_IO,     /* raw in both directions */
} SysTtyMode;
NODISCARD int sys_tty_set_mode(int fd, SysTtyMode mode);
/* Back to what it was before the first sys_tty_set_mode; async-signal-safe; for exit and crashes.
 */
int sys_tty_restore(void);
/* Opens a pair; the terminal side is *ret_tty.  cols and rows may be 0. */
NODISCARD int sys_pty_open(u32 cols, u32 rows, int *ret_master, int *ret_tty);
/* The flags of termios(3) of a terminal or of the other side of one: input, output, local, control.
 */
NODISCARD int sys_tty_flags(int fd, u32 ret_flags[4]);
NODISCARD int sys_tty_set_flags(int fd, const u32 flags[4]);
/* Drops what is on its way in both directions. */
int sys_tty_flush(int fd);

/* ---- Signals (disposition.c) ---------------------------------------------------------------- */

enum { SYS_SIGNAL_MAX = 64 };
/* Routes `signo` to a set that sys_signal_take reads; each arrival also writes to the eventfd `fd`,
 * the same for all signals.  Handlers run on any thread and only do that.  -EINVAL for signals that
 * cannot be caught or that the engine needs (SEGV, BUS, FPE, ILL, TRAP). */
NODISCARD int sys_signal_catch(int signo, int fd);
/* Puts the disposition back that was in force before sys_signal_catch. */
void sys_signal_release(int signo);
/* The caught signals that arrived since the last call, bit signo - 1. */
u64 sys_signal_take(void);
/* Until sys_signal_divert_end arrivals of `signo` only write to the eventfd `fd`, whoever has
 * caught it, and sys_signal_divert_take says that there was one.  One signal at a time: -EBUSY. */
NODISCARD int sys_signal_divert(int signo, int fd);
bool sys_signal_divert_take(void);
void sys_signal_divert_end(void);
int sys_signal_ignore(int signo);
int sys_signal_default(int signo);
/* true when its disposition is SIG_IGN */
bool sys_signal_is_ignored(int signo);
/* Delivers to this thread; used to die of a signal after cleaning up. */
int sys_signal_raise(int signo);
void sys_signal_unblock_all(void);
/* Blocks `signals` (bit signo - 1) in this thread, from which later threads inherit that, and
 * returns a non-blocking descriptor that is readable when one has arrived. */
NODISCARD int sys_signal_fd(u64 signals);
/* The next one; *ret_from_terminal: a key was pressed, so the whole process group has got it. */
bool sys_signal_fd_take(int fd, int *ret_signo, bool *ret_from_terminal);
/* Ends the process as `signo` would, without a core file. */
NORETURN void sys_signal_die(int signo);
/* For SEGV BUS FPE ILL ABRT TRAP: `fn` runs on an alternate stack of the calling thread, once, and
 * must not return. */
NODISCARD int sys_crash_handler_set(void (*fn)(int signo, const siginfo_t *info, void *ucontext));
/* Handlers for SEGV and BUS that a library has put before ours since then run on the alternate
 * stack too: else nothing can be said about a thread that has used up its stack. */
NODISCARD int sys_crash_handler_share_stack(void);

/* ---- Memory (mem_map.c) --------------------------------------------------------------------- */

/* Zeroed private pages; size is rounded up to pages. */
NODISCARD int sys_mem_map(usize size, void **ret);
void sys_mem_unmap(void *p, usize size);
/* A file in memory with these bytes: its descriptor, and a mapping of `size` bytes that cannot be
 * written to, for sys_mem_unmap. */
NODISCARD int sys_mem_share(const void *data, usize size, void **ret);
/* Gives the pages back to the system; they read as zero afterwards. */
NODISCARD int sys_mem_drop(void *p, usize size);
/* madvise(2) with any MADV_x. */
NODISCARD int sys_mem_advise(void *p, usize size, int advice);
usize sys_page_size(void);
/* Returns free heap memory to the system. */
void sys_mem_trim(void);
/* Keeps up to `size` bytes of free heap memory instead of giving it back with every large free: for
 * programs that allocate and free all the time. Holds for the process; sys_mem_trim still works. */
void sys_mem_keep(usize size);
/* Takes the executable's code and constants out of the page tables (not out of the page cache):
 * they come back as they are used, 16 pages at a time.  For a process that goes to sleep. */
void sys_mem_drop_code(void);

/* ---- Threads (thread.c) --------------------------------------------------------------------- */

typedef struct {
    pthread_t id;
    bool is_started;
} SysThread;
/* Starts `fn(arg)`; asynchronous signals (but not PROF, USR1 and real-time ones, which engines use)
 * are blocked in it.  stack_size 0 is the system's default; name (15 bytes at most are kept) shows
 * in ps. */
NODISCARD int sys_thread_start(SysThread *t, const char *name, usize stack_size, void (*fn)(void *),
                               void *arg);
void sys_thread_join(SysThread *t);
/* Nobody will join it. */
void sys_thread_detach(SysThread *t);
void sys_thread_set_name(const char *name);
u64 sys_thread_id(void);
void sys_thread_yield(void);

/* The zero value is ready to use. */
typedef struct {
    pthread_mutex_t m;
} SysMutex;
typedef struct {
    pthread_cond_t c;
} SysCond;
void sys_mutex_lock(SysMutex *m);
void sys_mutex_unlock(SysMutex *m);
void sys_cond_wait(SysCond *c, SysMutex *m);
/* false when `ns` passed without a signal. */
bool sys_cond_wait_ns(SysCond *c, SysMutex *m, u64 ns);
void sys_cond_signal(SysCond *c);
void sys_cond_broadcast(SysCond *c);

/* ---- Shared objects (dl.c) ------------------------------------------------------------------ */

/* `flags` as for dlopen.  NULL: *ret_error is the linker's text, until this thread's next call. */
void *sys_dl_open(const char *path, int flags, const char **ret_error);
/* The address of a symbol, or NULL. */
void *sys_dl_find(void *handle, const char *name);
void sys_dl_close(void *handle);

/* Writes what code that is not ours left in the buffers of stdio. */
void sys_stdio_flush(void);

/* ---- Pipes, events, waiting (event.c) ------------------------------------------------------- */

/* ret[0] reads, ret[1] writes. */
NODISCARD int sys_pipe(bool nonblock, int ret[2]);
/* A connected pair of AF_UNIX stream sockets. */
NODISCARD int sys_socketpair(bool nonblock, int ret[2]);
/* Non-blocking, counter 0. */
NODISCARD int sys_eventfd(void);
int sys_eventfd_signal(int fd);
/* Reads the counter back to 0; 0 when it was. */
u64 sys_eventfd_take(int fd);
/* ppoll(2).  timeout_ns UINT64_MAX waits for ever.  Returns how many are ready; a signal ends the
 * wait early with 0. */
NODISCARD int sys_poll(struct pollfd *fds, u32 len, u64 timeout_ns);
NODISCARD int sys_epoll_open(void);
NODISCARD int sys_epoll_set(int epoll_fd, int op, int fd, struct epoll_event *event);
/* As sys_poll. */
NODISCARD int sys_epoll_wait(int epoll_fd, struct epoll_event *events, u32 len, u64 timeout_ns);
/* Non-blocking. */
NODISCARD int sys_inotify_open(void);
/* Returns the watch descriptor. */
NODISCARD int sys_inotify_add(int fd, Str path, u32 mask);
int sys_inotify_del(int fd, int watch);

/* ---- Sockets (net.c): non-blocking from birth ----------------------------------------------- */

typedef struct {
    socklen_t len;
    union {
        struct sockaddr any;
        struct sockaddr_storage storage;
    };
} SysAddr;

/* An IPv4 or IPv6 address (with "%zone") in text form; -EINVAL for anything else. */
NODISCARD int sys_addr_parse(Str ip, u16 port, SysAddr *ret);
/* A path; a first byte 0 means the abstract name space.  -ENAMETOOLONG beyond 107 bytes. */
NODISCARD int sys_addr_unix(Str path, SysAddr *ret);
/* The address in text form without port ("127.0.0.1", "::1", the path of a unix socket). */
Str sys_addr_text(Arena *a, const SysAddr *addr);
u16 sys_addr_port(const SysAddr *addr);
/* The 4 or 16 bytes of an IP address, most significant first; returns their number, 0 for others.
 */
u32 sys_addr_bytes(const SysAddr *addr, u8 ret[16]);
/* The zone of an IPv6 address (an interface's index), 0 for others. */
u32 sys_addr_scope(const SysAddr *addr);
typedef struct {
    Str name;
    SysAddr addr, netmask; /* IPv4 or IPv6 */
    u8 mac[6];
    bool is_internal; /* loopback */
} SysInterface;
/* The addresses of all interfaces that are up (machine.c). */
NODISCARD int sys_interfaces(Arena *a, SysInterface **ret, u32 *ret_len);
/* getaddrinfo: asks files and servers, and blocks (host_name.c).  family AF_x, flags AI_x.  Returns
 * how many addresses were found (1 to `max`), -errno, or an EAI code of util/err.def. */
NODISCARD int sys_host_addrs(const char *host, int family, int flags, SysAddr *ret, u32 max);
/* getnameinfo: the names of an address and its port, or their numbers; blocks. */
NODISCARD int sys_host_name(Arena *a, const SysAddr *addr, Str *ret_host, Str *ret_service);
/* family AF_x, type SOCK_x, protocol 0 or IPPROTO_x. */
NODISCARD int sys_socket(int family, int type, int protocol);
NODISCARD int sys_bind(int fd, const SysAddr *addr);
NODISCARD int sys_listen(int fd, int backlog);
/* The new connection; `ret_peer` may be NULL. */
NODISCARD int sys_accept(int fd, SysAddr *ret_peer);
/* -EINPROGRESS is the usual answer. */
NODISCARD int sys_connect(int fd, const SysAddr *addr);
/* The pending error of a socket (SO_ERROR) as 0 or -errno: the outcome of a connect. */
NODISCARD int sys_socket_error(int fd);
NODISCARD int sys_socket_name(int fd, SysAddr *ret);
NODISCARD int sys_peer_name(int fd, SysAddr *ret);
NODISCARD int sys_sockopt_set(int fd, int level, int name, int value);
NODISCARD int sys_sockopt_set_bytes(int fd, int level, int name, const void *value, u32 size);
NODISCARD int sys_sockopt_get(int fd, int level, int name, int *ret);
/* Closing will throw away what is not sent yet and tell the peer by RST. */
NODISCARD int sys_linger_reset(int fd);
/* TCP: small writes go out at once; probes of an idle connection after `seconds` (0: what the
 * system says). */
NODISCARD int sys_set_nodelay(int fd, bool on);
NODISCARD int sys_set_keepalive(int fd, bool on, u32 seconds);
/* Never raises SIGPIPE, never blocks. */
NODISCARD i64 sys_send(int fd, const void *buf, usize len, int flags);
/* Bytes of the file `from`, without copying them; fewer than asked for when the socket is full
 * (-EAGAIN: no byte) or the file ends.  The socket must be non-blocking, SIGPIPE ignored. */
NODISCARD i64 sys_send_file(int fd, int from, u64 off, usize len);
NODISCARD i64 sys_recv(int fd, void *buf, usize len, int flags);
NODISCARD i64 sys_send_msg(int fd, const struct msghdr *msg, int flags);
NODISCARD i64 sys_recv_msg(int fd, struct msghdr *msg, int flags);
/* how: SHUT_RD, SHUT_WR, SHUT_RDWR */
NODISCARD int sys_shutdown(int fd, int how);
/* Bytes ready to read (FIONREAD). */
NODISCARD int sys_readable_bytes(int fd, int *ret);
