/* node/fs/binding.c -- the operations of node:fs. */
#include "builtins/node/fs/fs_op.h"

#include "util/path.h"

/* ---- Files
 * ----------------------------------------------------------------------------------------- */

static i64 run_access(FsOp *op)
{
    return sys_access(op->path[0], (int)op->n[0]);
}
static i64 run_exists(FsOp *op)
{
    return sys_access(op->path[0], F_OK) == 0;
}
static i64 run_open(FsOp *op)
{
    return sys_open(op->path[0], (int)op->n[0], (u32)op->n[1]);
}
static i64 run_close(FsOp *op)
{
    return sys_close(op->fd);
}
static i64 run_fsync(FsOp *op)
{
    return sys_fsync(op->fd);
}
static i64 run_fdatasync(FsOp *op)
{
    return sys_fdatasync(op->fd);
}
static i64 run_ftruncate(FsOp *op)
{
    return sys_ftruncate(op->fd, (u64)op->n[0]);
}

/* n: offset, length, position. */
static i64 run_read(FsOp *op)
{
    return op->n[2] < 0 ? sys_read(op->fd, op->bytes, op->n_bytes)
                        : sys_pread(op->fd, op->bytes, op->n_bytes, (u64)op->n[2]);
}
static i64 run_write(FsOp *op)
{
    return op->n[2] < 0 ? sys_write(op->fd, op->bytes, op->n_bytes)
                        : sys_pwrite(op->fd, op->bytes, op->n_bytes, (u64)op->n[2]);
}
static i64 run_readv(FsOp *op)
{
    return op->n[0] < 0 ? sys_read(op->fd, op->bytes, op->n_bytes)
                        : sys_pread(op->fd, op->bytes, op->n_bytes, (u64)op->n[0]);
}
static i64 run_writev(FsOp *op)
{
    return op->n[0] < 0 ? sys_write(op->fd, op->bytes, op->n_bytes)
                        : sys_pwrite(op->fd, op->bytes, op->n_bytes, (u64)op->n[0]);
}

enum { FILE_MAX = 0x7fffffff };

/* A regular file is read to the length it has now, without another look for more; others, and what
 * says that it is empty (/proc), to the end. */
static int read_open_file(FsOp *op, int fd)
{
    SysStat stat;
    Buf *b = &op->content;
    if (sys_fstat(fd, &stat) < 0 || (stat.mode & S_IFMT) != S_IFREG || !stat.size)
        return sys_read_all(fd, FILE_MAX, b);
    if (op->has_fd) return sys_read_all(fd, FILE_MAX, b);
    if (stat.size > FILE_MAX) return -EFBIG;
    char *p = buf_reserve(b, stat.size);
    ASSERT(p);
    while (b->len < stat.size) {
        i64 n = sys_read(fd, p + b->len, stat.size - b->len);
        if (n < 0) return (int)n;
        if (n == 0) break;
        b->len += (usize)n;
    }
    p[b->len] = 0;
    return 0;
}

/* n: open flags, as a string. */
static i64 run_read_file(FsOp *op)
{
    int fd = op->fd;
    if (!op->has_fd) {
        fd = sys_open(op->path[0], (int)op->n[0], 0666);
        if (fd < 0) return fd;
    }
    op->syscall = "read";
    op->has_no_path = true;
    int rc = read_open_file(op, fd);
    if (!op->has_fd) (void)sys_close(fd);
    return rc;
}

/* Opening with O_TRUNC makes some file systems write the data to the disk when the file is closed:
 * milliseconds.  So the old content is cut off behind the new.  -EINVAL: a device or a pipe. */
static int write_open_file(FsOp *op, int fd, bool is_new)
{
    op->syscall = "write";
    op->has_no_path = true;
    int rc = sys_write_all(fd, (Str){(const char *)op->bytes, op->n_bytes});
    if (rc >= 0 && is_new) {
        op->syscall = "ftruncate";
        rc = sys_ftruncate(fd, op->n_bytes);
        if (rc == -EINVAL) rc = 0;
    }
    if (rc >= 0 && op->n[2]) {
        op->syscall = "fsync";
        rc = sys_fsync(fd);
    }
    return rc;
}

/* n: open flags, mode, flush. */
static i64 run_write_file(FsOp *op)
{
    if (op->has_fd) return write_open_file(op, op->fd, false);
    int flags = (int)op->n[0];
    bool is_new = flags & O_TRUNC && (flags & O_ACCMODE) != O_RDONLY && !(flags & O_APPEND);
    if (is_new) flags &= ~O_TRUNC;
    int fd = sys_open(op->path[0], flags, (u32)op->n[1]);
    if (fd < 0) return fd;
    int rc = write_open_file(op, fd, is_new);
    (void)sys_close(fd);
    return rc;
}

/* ---- Metadata
 * -------------------------------------------------------------------------------------- */

static i64 run_stat(FsOp *op)
{
    return sys_stat(op->path[0], &op->stat);
}
static i64 run_lstat(FsOp *op)
{
    return sys_lstat(op->path[0], &op->stat);
}
static i64 run_fstat(FsOp *op)
{
    return sys_fstat(op->fd, &op->stat);
}
static i64 run_statfs(FsOp *op)
{
    return sys_statfs(op->path[0], &op->statfs);
}
static i64 run_chmod(FsOp *op)
{
    return sys_chmod(op->path[0], (u32)op->n[0]);
}
static i64 run_fchmod(FsOp *op)
{
    return sys_fchmod(op->fd, (u32)op->n[0]);
}
static i64 run_chown(FsOp *op)
{
    return sys_chown(op->path[0], (u32)op->n[0], (u32)op->n[1]);
}
static i64 run_lchown(FsOp *op)
{
    return sys_lchown(op->path[0], (u32)op->n[0], (u32)op->n[1]);
}
static i64 run_fchown(FsOp *op)
{
    return sys_fchown(op->fd, (u32)op->n[0], (u32)op->n[1]);
}
static i64 run_utimes(FsOp *op)
{
    return sys_utimes(op->path[0], op->t[0], op->t[1]);
}
static i64 run_lutimes(FsOp *op)
{
    return sys_lutimes(op->path[0], op->t[0], op->t[1]);
}
static i64 run_futimes(FsOp *op)
{
    return sys_futimes(op->fd, op->t[0], op->t[1]);
}

/* ---- Names
 * ----------------------------------------------------------------------------------------- */

static void add_name(FsOp *op, const SysDirEntry *entry)
{
    if (op->n_names == op->names_cap) {
        u32 cap = MAX(op->names_cap * 2, 32u);
        op->names = arena_grow(op->arena, op->names, op->names_cap * sizeof(FsName),
                               cap * sizeof(FsName), _Alignof(FsName));
        op->names_cap = cap;
    }
    op->names[op->n_names++] =
        (FsName){.name = str_dup(op->arena, entry->name), .type = entry->type};
}

static i64 run_readdir(FsOp *op)
{
    AUTO(SysDir) dir = {0};
    SysDirEntry entry;
    int rc = sys_dir_open(op->path[0], &dir);
    if (rc < 0) return rc;
    while ((rc = sys_dir_next(&dir, &entry)) > 0) add_name(op, &entry);
    return rc;
}

/* n: mode, recursive. */
static i64 run_mkdir(FsOp *op)
{
    if (!op->n[1]) return sys_mkdir(op->path[0], (u32)op->n[0]);
    usize first = 0;
    int rc = sys_mkdir_all(op->path[0], (u32)op->n[0], &first);
    if (rc >= 0 && first) op->text = str_slice(op->path[0], 0, first);
    op->n[0] = 0;
    return rc;
}
static i64 run_mkdtemp(FsOp *op)
{
    int rc = sys_mkdtemp(op->arena, op->path[0], &op->text);
    if (rc < 0) op->path[0] = str_concat(op->arena, op->path[0], S("XXXXXX"));
    return rc;
}
static i64 run_rmdir(FsOp *op)
{
    return sys_rmdir(op->path[0]);
}
static i64 run_unlink(FsOp *op)
{
    return sys_unlink(op->path[0]);
}
static i64 run_rm(FsOp *op)
{
    return sys_remove_tree(op->path[0]);
}
static i64 run_rename(FsOp *op)
{
    return sys_rename(op->path[0], op->path[1]);
}
static i64 run_link(FsOp *op)
{
    return sys_link(op->path[0], op->path[1]);
}
static i64 run_symlink(FsOp *op)
{
    return sys_symlink(op->path[0], op->path[1]);
}
static i64 run_copy_file(FsOp *op)
{
    return sys_copy_file(op->path[0], op->path[1], (u32)op->n[0]);
}
static i64 run_readlink(FsOp *op)
{
    return sys_readlink(op->arena, op->path[0], &op->text);
}
static i64 run_realpath(FsOp *op)
{
    return sys_realpath(op->arena, op->path[0], &op->text);
}

/* ---- The table
 * ------------------------------------------------------------------------------------- */

#define FS_OP(name, syscall, params, result)                                                       \
    JS_NATIVE(fs_##name)                                                                           \
    {                                                                                              \
        static const FsKind kind = {syscall, params, run_##name, result};                          \
        return fs_call(js, &kind, args);                                                           \
    }

static JsVal as_boolean(Js *js, FsOp *op, i64 rc)
{
    (void)js;
    (void)op;
    return js_boolean(rc > 0);
}

FS_OP(access, "access", "pi", NULL)
FS_OP(exists, "access", "p", as_boolean)
FS_OP(open, "open", "pii", fs_as_number)
FS_OP(close, "close", "f", NULL)
FS_OP(fsync, "fsync", "f", NULL)
FS_OP(fdatasync, "fdatasync", "f", NULL)
FS_OP(ftruncate, "ftruncate", "fi", NULL)
FS_OP(read, "read", "fBiio", fs_as_number)
FS_OP(write, "write", "fbiio", fs_as_number)
FS_OP(readv, "read", "fVo", fs_as_number)
FS_OP(writev, "write", "fvo", fs_as_number)
FS_OP(read_file, "open", "xii", fs_as_content)
FS_OP(write_file, "open", "xdiii", NULL)
FS_OP(stat, "stat", "pim", fs_as_stat)
FS_OP(lstat, "lstat", "pim", fs_as_stat)
FS_OP(fstat, "fstat", "fi", fs_as_stat)
FS_OP(statfs, "statfs", "pi", fs_as_statfs)
FS_OP(chmod, "chmod", "pi", NULL)
FS_OP(fchmod, "fchmod", "fi", NULL)
FS_OP(chown, "chown", "pii", NULL)
FS_OP(lchown, "lchown", "pii", NULL)
FS_OP(fchown, "fchown", "fii", NULL)
FS_OP(utimes, "utime", "ptt", NULL)
FS_OP(lutimes, "lutime", "ptt", NULL)
FS_OP(futimes, "futime", "ftt", NULL)
FS_OP(readdir, "scandir", "pii", fs_as_names)
FS_OP(mkdir, "mkdir", "pii", fs_as_text)
FS_OP(mkdtemp, "mkdtemp", "pi", fs_as_text)
FS_OP(rmdir, "rmdir", "p", NULL)
FS_OP(unlink, "unlink", "p", NULL)
FS_OP(rm, "rm", "p", NULL)
FS_OP(rename, "rename", "pq", NULL)
FS_OP(link, "link", "pq", NULL)
FS_OP(symlink, "symlink", "pq", NULL)
FS_OP(copy_file, "copyfile", "pqi", NULL)
FS_OP(readlink, "readlink", "pi", fs_as_text)
FS_OP(realpath, "realpath", "pi", fs_as_text)

/* ---- Stats at once, into memory that is shared with JavaScript
 * --------------------------------------- */

static void fill_fields(f64 *ret, const SysStat *s)
{
    const u64 fields[] = {s->dev,  s->mode,    s->nlink, s->uid,  s->gid,
                          s->rdev, s->blksize, s->ino,   s->size, s->blocks};
    const SysTime *times[] = {&s->atime, &s->mtime, &s->ctime, &s->btime};
    u32 k = 0;
    for (u32 i = 0; i < COUNT(fields); i++) ret[k++] = (f64)fields[i];
    for (u32 i = 0; i < COUNT(times); i++) {
        ret[k++] = (f64)times[i]->s;
        ret[k++] = times[i]->ns;
    }
}

/* statFields(): the array that statNow fills; one a Vm. */
JS_NATIVE(fs_stat_fields)
{
    Vm *vm = vm_of(js);
    if (!vm->fs_stat) vm->fs_stat = ARENA_ARRAY(&vm->arena, f64, FS_STAT_FIELDS);
    return js_f64array_shared(js, vm->fs_stat, FS_STAT_FIELDS);
}

/* statNow(kind, path or descriptor, isMissingOk): kind 0 stat, 1 lstat, 2 fstat.  false: missing.
 */
JS_NATIVE(fs_stat_now)
{
    static const FsKind kinds[] = {
        {"stat", "pm", run_stat, NULL},
        {"lstat", "pm", run_lstat, NULL},
        {"fstat", "f", run_fstat, NULL},
    };
    u32 i = (u32)js_get_i32(js, js_arg(args, 0));
    JS_EXPECT(js, i < COUNT(kinds));
    FsOp op;
    AUTO(Scratch) s = scratch_begin(NULL);
    i64 rc;
    if (!fs_run_now(js, &op, s.arena, &kinds[i], args, &rc)) return NULL;
    if (op.is_missing_ok && (rc == -ENOENT || rc == -ENOTDIR)) return JS_FALSE;
    if (rc < 0) return js_throw(js, fs_error(js, &op, rc));
    ASSERT(vm_of(js)->fs_stat);
    fill_fields(vm_of(js)->fs_stat, &op.stat);
    return JS_TRUE;
}

static const JsFn fns[] = {
    JS_FN("statFields", fs_stat_fields),
    JS_FN("statNow", fs_stat_now),
    JS_FN("access", fs_access),
    JS_FN("exists", fs_exists),
    JS_FN("open", fs_open),
    JS_FN("close", fs_close),
    JS_FN("fsync", fs_fsync),
    JS_FN("fdatasync", fs_fdatasync),
    JS_FN("ftruncate", fs_ftruncate),
    JS_FN("read", fs_read),
    JS_FN("write", fs_write),
    JS_FN("readv", fs_readv),
    JS_FN("writev", fs_writev),
    JS_FN("readFile", fs_read_file),
    JS_FN("writeFile", fs_write_file),
    JS_FN("stat", fs_stat),
    JS_FN("lstat", fs_lstat),
    JS_FN("fstat", fs_fstat),
    JS_FN("statfs", fs_statfs),
    JS_FN("chmod", fs_chmod),
    JS_FN("fchmod", fs_fchmod),
    JS_FN("chown", fs_chown),
    JS_FN("lchown", fs_lchown),
    JS_FN("fchown", fs_fchown),
    JS_FN("utimes", fs_utimes),
    JS_FN("lutimes", fs_lutimes),
    JS_FN("futimes", fs_futimes),
    JS_FN("readdir", fs_readdir),
    JS_FN("mkdir", fs_mkdir),
    JS_FN("mkdtemp", fs_mkdtemp),
    JS_FN("rmdir", fs_rmdir),
    JS_FN("unlink", fs_unlink),
    JS_FN("rm", fs_rm),
    JS_FN("rename", fs_rename),
    JS_FN("link", fs_link),
    JS_FN("symlink", fs_symlink),
    JS_FN("copyFile", fs_copy_file),
    JS_FN("readlink", fs_readlink),
    JS_FN("realpath", fs_realpath),
};
BUILTIN_NATIVE(node_fs_binding, fns)
