/* sys/link_tree.c -- a directory made anew whose files are hard links to those of another.
 *
 * Everything is relative to open directories: the kernel walks one name a file instead of two whole
 * paths. */
#include "sys/call.h"

#include <unistd.h>

enum { LINK_DIR_MODE = 0755 };

typedef struct {
    bool must_copy; /* links are not possible between the two, or not wanted */
    Str skip;
} LinkTree;

static int copy_at(int from, int to, const char *name)
{
    int source = RETRY_INT(openat(from, name, O_RDONLY | O_CLOEXEC));
    if (source < 0) return source;
    SysStat st;
    int rc = sys_fstat(source, &st), target = -1;
    if (rc >= 0) {
        target = RETRY_INT(openat(to, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, st.mode));
        rc = target;
    }
    if (rc >= 0) {
        i64 n = sys_copy_fd(source, target, UINT64_MAX);
        rc = n < 0 ? (int)n : 0;
        sys_close(target);
    }
    sys_close(source);
    return rc;
}

static int link_at(LinkTree *t, int from, int to, const char *name)
{
    if (t->must_copy) return copy_at(from, to, name);
    int rc = RETRY_INT(linkat(from, name, to, name, 0));
    bool cannot =
        rc == -EXDEV || rc == -EPERM || rc == -EMLINK || rc == -ENOSYS || rc == -EOPNOTSUPP;
    if (!cannot) return rc;
    t->must_copy = rc != -EMLINK; /* that is for this one file */
    return copy_at(from, to, name);
}

static int link_children(LinkTree *t, SysDir *from, int to, u32 depth);

static int link_dir(LinkTree *t, int from, int to, const char *name, u32 depth)
{
    if (depth >= SYS_TREE_DEPTH_MAX) return -ELOOP;
    int rc = RETRY_INT(mkdirat(to, name, LINK_DIR_MODE));
    if (rc < 0) return rc;
    SysDir source = {0};
    int target = RETRY_INT(openat(to, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (target < 0) return target;
    rc = sys_dir_open_at(from, name, O_NOFOLLOW, &source);
    if (rc >= 0) rc = link_children(t, &source, target, depth + 1);
    sys_dir_close(&source);
    sys_close(target);
    return rc;
}

static int link_children(LinkTree *t, SysDir *from, int to, u32 depth)
{
    SysDirEntry e;
    int rc;
    while ((rc = sys_dir_next(from, &e)) > 0) {
        if (e.type == S_IFDIR && str_eq(e.name, t->skip)) continue;
        if (e.type == S_IFDIR) rc = link_dir(t, from->fd, to, e.name.p, depth);
        if (e.type == S_IFREG) rc = link_at(t, from->fd, to, e.name.p);
        if (rc < 0) return rc;
    }
    return rc;
}

int sys_link_tree(Str from, Str to, Str skip, bool must_copy)
{
    FAULT();
    PATH_Z(z, to);
    LinkTree t = {.skip = skip, .must_copy = must_copy};
    SysDir source = {0};
    int rc = RETRY_INT(mkdir(z.z, LINK_DIR_MODE));
    if (rc < 0) return rc;
    int target = RETRY_INT(open(z.z, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (target < 0) return target;
    rc = sys_dir_open(from, &source);
    if (rc >= 0) rc = link_children(&t, &source, target, 0);
    sys_dir_close(&source);
    sys_close(target);
    return rc;
}

static int link_names(LinkTree *t, int from, int to, Str list)
{
    int rc = 0;
    for (usize at = 0; at < list.n && rc >= 0;) {
        usize n = strnlen(list.p + at, list.n - at);
        if (!n || at + n == list.n) return -EINVAL;
        bool is_dir = list.p[at + n - 1] == '/';
        rc = is_dir ? RETRY_INT(mkdirat(to, list.p + at, LINK_DIR_MODE))
                    : link_at(t, from, to, list.p + at);
        at += n + 1;
    }
    return rc;
}

int sys_link_list(Str from, Str to, Str list, bool must_copy)
{
    FAULT();
    PATH_Z(from_z, from);
    PATH_Z(to_z, to);
    LinkTree t = {.must_copy = must_copy};
    int source = RETRY_INT(open(from_z.z, O_PATH | O_DIRECTORY | O_CLOEXEC)), target = -1;
    if (source < 0) return source;
    int rc = RETRY_INT(mkdir(to_z.z, LINK_DIR_MODE));
    if (rc >= 0) rc = target = RETRY_INT(open(to_z.z, O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (rc >= 0) rc = link_names(&t, source, target, list);
    sys_close(target);
    sys_close(source);
    return rc;
}
