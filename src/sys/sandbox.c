/* sys/sandbox.c -- what a program that we start may not do: write outside of some folders, and use
 * the network.
 *
 * Two parts of the kernel share the work.  Landlock knows files: it refuses what a rule set does
 * not allow, whatever way the name took.  A seccomp filter knows system calls: it refuses some
 * outright and sends the others that matter to us as reports, with the child standing still
 * meanwhile.  We look at a report, remember what will be refused, and answer: "go on" where
 * Landlock decides, EACCES where it cannot (sockets; modes, owners and attributes of files;
 * everything on a kernel without it).  Answers of the second kind about files are given for names,
 * and a program with threads can change what a name means in between: that is for accidents.
 *
 * The descriptor of the reports is sent to us over a socket before the program starts: had the
 * program it, it could answer itself.  For the same reason a second filter with reports is refused.
 */
#include "sys/sandbox_child.h"
#include "util/path.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What the headers of the build machine may be too old for. */
#define RIGHT_REFER     (1ULL << 13)
#define RIGHT_TRUNCATE  (1ULL << 14)
#define RIGHT_IOCTL     (1ULL << 15)
#define NET_TCP         (3ULL << 0) /* bind and connect */
#define SCOPES          (3ULL << 0) /* abstract sockets and signals */
#define SYS_FCHMODAT2   452
#define X32_SYSCALL_BIT 0x40000000U

#define RIGHTS_OF_FILES (LANDLOCK_ACCESS_FS_WRITE_FILE | RIGHT_TRUNCATE | RIGHT_IOCTL)
#define RIGHTS_OF_DIRS                                                                             \
    (LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |                              \
     LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |    \
     LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK | \
     LANDLOCK_ACCESS_FS_MAKE_SYM | RIGHT_REFER)

enum { ABI_REFER = 2, ABI_TRUNCATE = 3, ABI_NET = 4, ABI_IOCTL = 5, ABI_SCOPES = 6 };
enum { PATH_ARGS_MAX = 2, PROGRAM_MAX = 256 };

/* Devices that everybody may write to. */
static const char *const devices[] = {"/dev/null",    "/dev/zero", "/dev/full", "/dev/random",
                                      "/dev/urandom", "/dev/tty",  "/dev/ptmx", "/dev/pts"};

/* ---- Files: Landlock ------------------------------------------------------------------------- */

typedef struct {
    u64 files, net, scopes;
} RuleSet;

static int allow(int rules, u64 handled, const char *path)
{
    SysStat st;
    int fd = RETRY_INT(open(path, O_PATH | O_CLOEXEC));
    if (fd < 0) return fd == -ENOENT || fd == -ENOTDIR ? 0 : fd;
    int rc = sys_fstat(fd, &st);
    u64 rights = S_ISDIR(st.mode) ? RIGHTS_OF_FILES | RIGHTS_OF_DIRS : RIGHTS_OF_FILES;
    struct landlock_path_beneath_attr rule = {.allowed_access = rights & handled, .parent_fd = fd};
    if (rc >= 0)
        rc = RETRY_INT(syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0));
    sys_close(fd);
    return rc;
}

/* -ENOSYS or -EOPNOTSUPP: the kernel has none. */
static int make_rules(const SysSandbox *s)
{
    long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (abi < 0) return -errno;
    RuleSet set = {.files = RIGHTS_OF_FILES | RIGHTS_OF_DIRS};
    if (abi < ABI_REFER) set.files &= ~RIGHT_REFER;
    if (abi < ABI_TRUNCATE) set.files &= ~RIGHT_TRUNCATE;
    if (abi < ABI_IOCTL) set.files &= ~RIGHT_IOCTL;
    if (abi >= ABI_NET && !s->has_network) set.net = NET_TCP;
    if (abi >= ABI_SCOPES) set.scopes = SCOPES;
    usize size = abi >= ABI_SCOPES ? sizeof set
                 : abi >= ABI_NET  ? offsetof(RuleSet, scopes)
                                   : offsetof(RuleSet, net);
    int rules = RETRY_INT(syscall(SYS_landlock_create_ruleset, &set, size, 0));
    int rc = rules < 0 ? rules : 0;
    for (u32 i = 0; i < COUNT(devices) && rc >= 0; i++) rc = allow(rules, set.files, devices[i]);
    for (u32 i = 0; i < s->n_writable && rc >= 0; i++) {
        PathZ z;
        rc = path_z(&z, s->writable[i]);
        if (rc >= 0) rc = allow(rules, set.files, z.z);
    }
    if (rc >= 0) return rules;
    sys_close(rules);
    return rc;
}

/* ---- System calls: seccomp ------------------------------------------------------------------- */

/* Two names, a name below an open folder, or the like: where a call has its paths. */
typedef struct {
    u16 nr;
    i8 dir[PATH_ARGS_MAX];  /* argument with the folder's descriptor; -1: the working directory */
    i8 path[PATH_ARGS_MAX]; /* argument with the name; -1: `dir` is the file itself */
    u8 n_paths;
    i8 flags;     /* argument with the flags of open(2); -1: it always writes */
    bool is_new;  /* makes the name: no refusal when it is there already */
    bool is_ours; /* Landlock has no right for it */
} WriteCall;

#define ONE(nr, dir, path)                                                                         \
    {                                                                                              \
        nr, {dir}, {path}, 1, -1, false, false                                                     \
    }
#define ONE_NEW(nr, dir, path)                                                                     \
    {                                                                                              \
        nr, {dir}, {path}, 1, -1, true, false                                                      \
    }
#define ONE_OURS(nr, dir, path)                                                                    \
    {                                                                                              \
        nr, {dir}, {path}, 1, -1, false, true                                                      \
    }
#define OPENING(nr, dir, path, at)                                                                 \
    {                                                                                              \
        nr, {dir}, {path}, 1, at, false, false                                                     \
    }
#define TWO(nr, d1, p1, d2, p2)                                                                    \
    {                                                                                              \
        nr, {d1, d2}, {p1, p2}, 2, -1, false, false                                                \
    }

static const WriteCall write_calls[] = {
    OPENING(SYS_open, -1, 0, 1),
    OPENING(SYS_openat, 0, 1, 2),
    ONE(SYS_creat, -1, 0),
    ONE(SYS_truncate, -1, 0),
    ONE_NEW(SYS_mkdir, -1, 0),
    ONE_NEW(SYS_mkdirat, 0, 1),
    ONE_NEW(SYS_mknod, -1, 0),
    ONE_NEW(SYS_mknodat, 0, 1),
    ONE_NEW(SYS_symlink, -1, 1),
    ONE_NEW(SYS_symlinkat, 1, 2),
    ONE_NEW(SYS_link, -1, 1),
    ONE_NEW(SYS_linkat, 2, 3),
    ONE(SYS_unlink, -1, 0),
    ONE(SYS_unlinkat, 0, 1),
    ONE(SYS_rmdir, -1, 0),
    TWO(SYS_rename, -1, 0, -1, 1),
    TWO(SYS_renameat, 0, 1, 2, 3),
    TWO(SYS_renameat2, 0, 1, 2, 3),
    ONE_OURS(SYS_chmod, -1, 0),
    ONE_OURS(SYS_fchmodat, 0, 1),
    ONE_OURS(SYS_FCHMODAT2, 0, 1),
    ONE_OURS(SYS_fchmod, 0, -1),
    ONE_OURS(SYS_chown, -1, 0),
    ONE_OURS(SYS_lchown, -1, 0),
    ONE_OURS(SYS_fchownat, 0, 1),
    ONE_OURS(SYS_fchown, 0, -1),
    ONE_OURS(SYS_setxattr, -1, 0),
    ONE_OURS(SYS_lsetxattr, -1, 0),
    ONE_OURS(SYS_fsetxattr, 0, -1),
    ONE_OURS(SYS_removexattr, -1, 0),
    ONE_OURS(SYS_lremovexattr, -1, 0),
    ONE_OURS(SYS_fremovexattr, 0, -1),
};

/* Nothing that is built or unpacked needs these; a script of root could do harm with them. */
static const u16 refused_calls[] = {
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_swapon,
    SYS_swapoff,
    SYS_reboot,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_kexec_file_load,
    SYS_bpf,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_adjtimex,
    SYS_clock_adjtime,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_acct,
    SYS_quotactl,
    SYS_setns,
    SYS_add_key,
    SYS_request_key,
    SYS_keyctl,
    SYS_open_by_handle_at,
    SYS_perf_event_open,
    SYS_iopl,
    SYS_ioperm,
    SYS_move_mount,
    SYS_open_tree,
    SYS_fsopen,
};

/* As if the kernel did not have them: their work is not seen by the filter. */
static const u16 missing_calls[] = {SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register,
                                    SYS_openat2};

typedef struct {
    struct sock_filter at[PROGRAM_MAX];
    u16 len;
} Program;

static void emit(Program *p, u16 code, u32 k, u8 yes, u8 no)
{
    ASSERT(p->len < PROGRAM_MAX);
    p->at[p->len++] = (struct sock_filter){.code = code, .k = k, .jt = yes, .jf = no};
}

static void load(Program *p, usize offset)
{
    emit(p, BPF_LD | BPF_W | BPF_ABS, (u32)offset, 0, 0);
}

static void give(Program *p, u32 what)
{
    emit(p, BPF_RET | BPF_K, what, 0, 0);
}

static void on_call(Program *p, u32 nr, u32 what)
{
    emit(p, BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 1);
    give(p, what);
}

/* ... when one of the bits is set in an argument. */
static void on_call_with(Program *p, u32 nr, u32 arg, u32 bits, u32 what)
{
    emit(p, BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 4);
    load(p, offsetof(struct seccomp_data, args) + arg * sizeof(u64));
    emit(p, BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
    give(p, what);
    give(p, SECCOMP_RET_ALLOW);
}

static void make_program(const SysSandbox *s, Program *p)
{
    load(p, offsetof(struct seccomp_data, arch));
    emit(p, BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0);
    give(p, SECCOMP_RET_ERRNO | ENOSYS);
    load(p, offsetof(struct seccomp_data, nr));
    emit(p, BPF_JMP | BPF_JGE | BPF_K, X32_SYSCALL_BIT, 0, 1);
    give(p, SECCOMP_RET_ERRNO | ENOSYS);
    for (u32 i = 0; i < COUNT(write_calls); i++) {
        const WriteCall *c = &write_calls[i];
        if (c->flags >= 0)
            on_call_with(p, c->nr, (u32)c->flags, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC,
                         SECCOMP_RET_USER_NOTIF);
        else
            on_call(p, c->nr, SECCOMP_RET_USER_NOTIF);
    }
    if (!s->has_network) on_call(p, SYS_socket, SECCOMP_RET_USER_NOTIF);
    on_call_with(p, SYS_seccomp, 1, SECCOMP_FILTER_FLAG_NEW_LISTENER, SECCOMP_RET_ERRNO | EPERM);
    for (u32 i = 0; i < COUNT(missing_calls); i++)
        on_call(p, missing_calls[i], SECCOMP_RET_ERRNO | ENOSYS);
    for (u32 i = 0; i < COUNT(refused_calls); i++)
        on_call(p, refused_calls[i], SECCOMP_RET_ERRNO | EPERM);
    give(p, SECCOMP_RET_ALLOW);
}

/* ---- Opening --------------------------------------------------------------------------------- */

struct SysSandboxProgram {
    Program program;
    struct sock_fprog head;
};

/* Out of the way of what the child gets as its own descriptors. */
static int move_up(int *fd)
{
    int up = RETRY_INT(fcntl(*fd, F_DUPFD_CLOEXEC, SYS_SPAWN_FDS_MAX));
    sys_close(*fd);
    *fd = up;
    return up < 0 ? up : 0;
}

static bool has_reports(void)
{
    u32 action = SECCOMP_RET_USER_NOTIF;
    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

int sys_sandbox_open(Arena *a, SysSandbox *s)
{
    FAULT();
    int ends[2];
    s->rules = s->channel[0] = s->channel[1] = s->reports = -1;
    if (!has_reports()) return -ENOSYS;
    s->rules = make_rules(s);
    bool has_none = s->rules == -ENOSYS || s->rules == -EOPNOTSUPP;
    if (s->rules < 0 && !has_none) return s->rules;
    int rc = s->rules >= 0 ? move_up(&s->rules) : 0;
    if (rc >= 0) rc = RETRY_INT(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, ends));
    if (rc >= 0) {
        s->channel[0] = ends[0];
        s->channel[1] = ends[1];
        rc = move_up(&s->channel[1]);
    }
    s->program = ARENA_NEW(a, SysSandboxProgram);
    make_program(s, &s->program->program);
    s->program->head =
        (struct sock_fprog){.len = s->program->program.len, .filter = s->program->program.at};
    if (rc < 0) sys_sandbox_close(s);
    return rc;
}

void sys_sandbox_close(SysSandbox *s)
{
    sys_close(s->rules);
    sys_close(s->channel[0]);
    sys_close(s->channel[1]);
    sys_close(s->reports);
    s->rules = s->channel[0] = s->channel[1] = s->reports = -1;
}

/* ---- In the child ---------------------------------------------------------------------------- */

typedef union {
    struct cmsghdr head;
    char room[CMSG_SPACE(sizeof(int))];
} FdNote;

SYS_IN_CHILD int sys_sandbox_enter(const SysSandbox *s)
{
    if (syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) return errno;
    if (s->rules >= 0 && syscall(SYS_landlock_restrict_self, s->rules, 0) < 0) return errno;
    long fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER,
                      &s->program->head);
    if (fd < 0) return errno;
    char byte = 0;
    FdNote note = {.head = {.cmsg_len = CMSG_LEN(sizeof(int)),
                            .cmsg_level = SOL_SOCKET,
                            .cmsg_type = SCM_RIGHTS}};
    *(int *)(void *)CMSG_DATA(&note.head) = (int)fd;
    struct iovec piece = {&byte, 1};
    struct msghdr msg = {
        .msg_iov = &piece, .msg_iovlen = 1, .msg_control = &note, .msg_controllen = sizeof note};
    if (syscall(SYS_sendmsg, s->channel[1], &msg, 0) < 0) return errno;
    (void)syscall(SYS_close, fd);
    return 0;
}

int sys_sandbox_take_reports(SysSandbox *s)
{
    char byte;
    FdNote note;
    struct iovec piece = {&byte, 1};
    struct msghdr msg = {
        .msg_iov = &piece, .msg_iovlen = 1, .msg_control = &note, .msg_controllen = sizeof note};
    int rc = RETRY_INT(recvmsg(s->channel[0], &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC));
    if (rc < 0) return rc;
    struct cmsghdr *head = CMSG_FIRSTHDR(&msg);
    if (!head || head->cmsg_type != SCM_RIGHTS) return -EPROTO;
    memcpy(&s->reports, CMSG_DATA(head), sizeof(int));
    return 0;
}

/* ---- Reports --------------------------------------------------------------------------------- */

typedef struct {
    Arena *arena;
    const SysSandbox *sandbox;
    const struct seccomp_notif *notif;
} Report;

/* A text of the child; false: it cannot be read. */
static bool read_text(const Report *r, u64 address, Str *ret)
{
    char *room = arena_alloc(r->arena, SYS_PATH_MAX, 1);
    int fd = sys_open(str_fmt(r->arena, "/proc/%u/mem", r->notif->pid), O_RDONLY, 0);
    if (fd < 0) return false;
    i64 n = RETRY(pread(fd, room, SYS_PATH_MAX, (off_t)address));
    sys_close(fd);
    /* What was read is of that process only if it still stands where it stood. */
    bool is_same = ioctl(r->sandbox->reports, SECCOMP_IOCTL_NOTIF_ID_VALID, &r->notif->id) == 0;
    if (n <= 0 || !is_same || !memchr(room, 0, (usize)n)) return false;
    *ret = str_z(room);
    return true;
}

/* The folder that a name starts from, or the file behind a descriptor. */
static bool read_place(const Report *r, i32 fd, Str *ret)
{
    Str link = fd == AT_FDCWD ? str_fmt(r->arena, "/proc/%u/cwd", r->notif->pid)
                              : str_fmt(r->arena, "/proc/%u/fd/%d", r->notif->pid, fd);
    return sys_readlink(r->arena, link, ret) >= 0 && path_is_absolute(*ret);
}

static bool find_path(const Report *r, const WriteCall *c, u32 i, Str *ret)
{
    const u64 *args = (const u64 *)r->notif->data.args;
    Str dir, text;
    i32 fd = c->dir[i] < 0 ? AT_FDCWD : (i32)args[c->dir[i]];
    if (c->path[i] < 0) return read_place(r, fd, ret);
    if (!read_text(r, args[c->path[i]], &text)) return false;
    bool is_full = path_is_absolute(text);
    if (!is_full && !read_place(r, fd, &dir)) return false;
    *ret = is_full ? path_normalize(r->arena, text) : path_resolve(r->arena, dir, dir, text);
    return true;
}

static bool is_below(Str path, Str top)
{
    return str_starts(path, top) && (path.n == top.n || path.p[top.n] == '/');
}

static bool is_writable(const Report *r, Str path)
{
    const SysSandbox *s = r->sandbox;
    Str real, dir = path_dirname(path);
    /* The file itself may be a link, and may not be there. */
    if (sys_realpath(r->arena, path, &real) < 0 && sys_realpath(r->arena, dir, &real) >= 0)
        real = path_join2(r->arena, real, path_basename(path, S("")));
    else if (!real.n)
        real = path;
    for (u32 i = 0; i < s->n_writable; i++)
        if (is_below(real, s->writable[i])) return true;
    for (u32 i = 0; i < COUNT(devices); i++)
        if (is_below(real, str_z(devices[i])) || is_below(path, str_z(devices[i]))) return true;
    return str_starts(path, S("/proc/")) || str_starts(real, S("/proc/"));
}

/* Would it come to nothing anyway? */
static bool is_void(const Report *r, const WriteCall *c, Str path)
{
    SysStat st;
    bool is_there = sys_lstat(path, &st) >= 0;
    bool makes = c->is_new || (c->flags >= 0 && r->notif->data.args[c->flags] & O_CREAT) ||
                 c->nr == SYS_creat;
    return c->is_new ? is_there : !makes && !is_there;
}

static const WriteCall *find_call(int nr)
{
    for (u32 i = 0; i < COUNT(write_calls); i++)
        if (write_calls[i].nr == nr) return &write_calls[i];
    return NULL;
}

/* Looks at the report: true: *ret is what is refused.  *ret_must_deny: by us, that is. */
static bool judge(const Report *r, SysRefusal *ret, bool *ret_must_deny)
{
    *ret_must_deny = false;
    if (r->notif->data.nr == SYS_socket) {
        *ret_must_deny = true;
        *ret = (SysRefusal){.is_network = true};
        return r->notif->data.args[0] != AF_UNIX; /* who looks for a local service says nothing */
    }
    const WriteCall *c = find_call(r->notif->data.nr);
    for (u32 i = 0; c && i < c->n_paths; i++) {
        Str path;
        if (!find_path(r, c, i, &path) || is_void(r, c, path) || is_writable(r, path)) continue;
        *ret_must_deny = c->is_ours || r->sandbox->rules < 0;
        *ret = (SysRefusal){.path = path};
        return true;
    }
    return false;
}

int sys_sandbox_next(const SysSandbox *s, Arena *a, SysRefusal *ret)
{
    struct seccomp_notif notif = {0};
    int rc = RETRY_INT(ioctl(s->reports, SECCOMP_IOCTL_NOTIF_RECV, &notif));
    if (rc < 0) return rc == -ENOENT ? 0 : rc;
    bool must_deny;
    bool is_refused = judge(&(Report){a, s, &notif}, ret, &must_deny);
    struct seccomp_notif_resp answer = {.id = notif.id};
    if (must_deny)
        answer.error = -EACCES;
    else
        answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    (void)ioctl(s->reports, SECCOMP_IOCTL_NOTIF_SEND, &answer); /* fails when it was killed */
    return is_refused;
}
