/* sys/file_test.c -- files, metadata, directories, copies. */
#include "sys/sys.h"

#include "util/test.h"

#include <sys/resource.h>
#include <unistd.h>

typedef struct {
    Arena arena;
    Str dir;
} Fixture;

static bool setup(Fixture *f)
{
    *f = (Fixture){0};
    return sys_mkdtemp(&f->arena, S("/tmp/cob-test-"), &f->dir) == 0;
}

static void teardown(Fixture *f)
{
    CHECK_INT(sys_remove_tree(f->dir), 0);
    arena_deinit(&f->arena);
}

static Str at(Fixture *f, const char *name)
{
    return str_fmt(&f->arena, "%.*s/%s", STR_ARG(f->dir), name);
}

TEST(file_writes_and_reads_back)
{
    Fixture f;
    REQUIRE(setup(&f));
    Str text, big = {arena_alloc(&f.arena, 3000000, 1), 3000000};
    CHECK_INT(sys_write_file(at(&f, "a"), S("hello"), 0600), 0);
    CHECK_INT(sys_read_file(&f.arena, at(&f, "a"), SYS_FILE_MAX, &text), 0);
    CHECK_STR(text, "hello");
    CHECK_INT(text.p[text.n], 0);
    CHECK_INT(sys_write_file(at(&f, "a"), big, 0), 0);
    CHECK_INT(sys_read_file(&f.arena, at(&f, "a"), SYS_FILE_MAX, &text), 0);
    CHECK_INT(text.n, big.n);
    CHECK_INT(sys_write_file(at(&f, "a"), S(""), 0), 0);
    CHECK_INT(sys_read_file(&f.arena, at(&f, "a"), SYS_FILE_MAX, &text), 0);
    CHECK_INT(text.n, 0);
    teardown(&f);
}

TEST(file_read_has_a_limit)
{
    Fixture f;
    REQUIRE(setup(&f));
    Str text;
    AUTO(Buf) buf = {0};
    CHECK_INT(sys_write_file(at(&f, "a"), S("hello"), 0), 0);
    CHECK_INT(sys_read_file(&f.arena, at(&f, "a"), 5, &text), 0);
    CHECK_INT(sys_read_file(&f.arena, at(&f, "a"), 4, &text), -EFBIG);
    int fd = sys_open(at(&f, "a"), O_RDONLY, 0);
    CHECK_INT(sys_read_all(fd, 4, &buf), -EFBIG);
    buf_clear(&buf);
    CHECK_INT(sys_seek(fd, 0, SEEK_SET), 0);
    CHECK_INT(sys_read_all(fd, 5, &buf), 0);
    CHECK_STR(buf_str(&buf), "hello");
    sys_close(fd);
    teardown(&f);
}

TEST(file_of_proc_is_read_to_its_end)
{
    Arena a = {0};
    Str text;
    CHECK_INT(sys_read_file(&a, S("/proc/self/maps"), SYS_FILE_MAX, &text), 0);
    CHECK(text.n > 1000);
    CHECK(str_ends(text, S("\n")));
    arena_deinit(&a);
}

TEST(file_errors_are_negative_errno)
{
    Arena a = {0};
    Str text = S("untouched");
    char long_path[5000];
    for (u32 i = 0; i < sizeof(long_path); i++) long_path[i] = 'x';
    CHECK_INT(sys_read_file(&a, S("/no/such"), 10, &text), -ENOENT);
    CHECK_INT(sys_read_file(&a, S("/tmp"), 10, &text), -EISDIR);
    CHECK_INT(sys_open(S("/tmp\0/x"), O_RDONLY, 0), -EINVAL);
    CHECK_INT(sys_open((Str){long_path, sizeof(long_path)}, O_RDONLY, 0), -ENAMETOOLONG);
    CHECK_INT(sys_open(S(""), O_RDONLY, 0), -ENOENT);
    CHECK_STR(text, "untouched");
    arena_deinit(&a);
}

/* Each test has a process of its own. */
TEST(file_atomic_write_respects_the_limit_of_sizes)
{
    Fixture f;
    REQUIRE(setup(&f));
    REQUIRE(sys_limit_set(RLIMIT_FSIZE, 4, 4) == 0);
    CHECK_INT(sys_write_file_atomic(at(&f, "a"), S("12345"), 0600), -EFBIG);
    CHECK_INT(sys_write_file_atomic(at(&f, "a"), S("1234"), 0600), 0);
    teardown(&f);
}

TEST(file_atomic_write_keeps_the_mode_and_leaves_no_temporary)
{
    Fixture f;
    REQUIRE(setup(&f));
    CHECK_INT(sys_write_file(at(&f, "a"), S("old"), 0640), 0);
    CHECK_INT(sys_chmod(at(&f, "a"), 0600), 0);
    CHECK_INT(sys_write_file_atomic(at(&f, "a"), S("new"), 0), 0);
    Str text;
    SysStat st;
    CHECK_INT(sys_read_file(&f.arena, at(&f, "a"), 10, &text), 0);
    CHECK_STR(text, "new");
    CHECK_INT(sys_stat(at(&f, "a"), &st), 0);
    CHECK_INT(st.mode, S_IFREG | 0600);
    CHECK_INT(sys_mkdir(at(&f, "d"), 0755), 0);
    CHECK_INT(sys_write_file_atomic(at(&f, "d"), S("x"), 0), -EISDIR);
    SysDir d = {0};
    SysDirEntry e;
    u32 n = 0;
    CHECK_INT(sys_dir_open(f.dir, &d), 0);
    while (sys_dir_next(&d, &e) > 0) n++;
    sys_dir_close(&d);
    CHECK_INT(n, 2);
    teardown(&f);
}

TEST(file_map_gives_the_content)
{
    Fixture f;
    REQUIRE(setup(&f));
    Str map;
    CHECK_INT(sys_write_file(at(&f, "a"), S("mapped"), 0), 0);
    CHECK_INT(sys_map_file(at(&f, "a"), &map), 0);
    CHECK_STR(map, "mapped");
    sys_unmap_file(map);
    CHECK_INT(sys_write_file(at(&f, "a"), S(""), 0), 0);
    CHECK_INT(sys_map_file(at(&f, "a"), &map), 0);
    CHECK_INT(map.n, 0);
    sys_unmap_file(map);
    CHECK_INT(sys_map_file(f.dir, &map), -EISDIR);
    teardown(&f);
}

TEST(file_times_keep_nanoseconds_and_dates_before_1970)
{
    Fixture f;
    REQUIRE(setup(&f));
    SysStat st;
    CHECK_INT(sys_write_file(at(&f, "a"), S("x"), 0), 0);
    SysTime t = {.s = -100, .ns = 123456789}, later = {.s = 2000000000, .ns = 1};
    CHECK_INT(sys_utimes(at(&f, "a"), t, later), 0);
    CHECK_INT(sys_stat(at(&f, "a"), &st), 0);
    CHECK_INT(st.atime.s, -100);
    CHECK_INT(st.atime.ns, 123456789);
    CHECK_INT(st.mtime.s, 2000000000);
    CHECK_INT(st.mtime.ns, 1);
    CHECK_INT(st.size, 1);
    CHECK_INT(sys_symlink(S("a"), at(&f, "l")), 0);
    CHECK_INT(sys_lutimes(at(&f, "l"), (SysTime){.s = 7}, (SysTime){.s = 8}), 0);
    CHECK_INT(sys_lstat(at(&f, "l"), &st), 0);
    CHECK_INT(st.mtime.s, 8);
    CHECK(S_ISLNK(st.mode));
    teardown(&f);
}

TEST(dir_lists_names_with_types)
{
    Fixture f;
    REQUIRE(setup(&f));
    CHECK_INT(sys_write_file(at(&f, "file"), S(""), 0), 0);
    CHECK_INT(sys_mkdir(at(&f, "dir"), 0755), 0);
    CHECK_INT(sys_symlink(S("nowhere"), at(&f, "link")), 0);
    AUTO(SysDir) d = {0};
    SysDirEntry e;
    u32 n = 0;
    CHECK_INT(sys_dir_open(f.dir, &d), 0);
    while (sys_dir_next(&d, &e) > 0) {
        u32 want = str_eq(e.name, S("file"))  ? S_IFREG
                   : str_eq(e.name, S("dir")) ? S_IFDIR
                                              : S_IFLNK;
        CHECK_INT(e.type, want);
        n++;
    }
    CHECK_INT(n, 3);
    CHECK_INT(sys_dir_open(at(&f, "file"), &d), -ENOTDIR);
    teardown(&f);
}

TEST(dir_makes_all_parents)
{
    Fixture f;
    REQUIRE(setup(&f));
    usize first = 99;
    CHECK_INT(sys_mkdir_all(at(&f, "a//b/c"), 0755, &first), 0);
    CHECK_INT(first, f.dir.n + 2);
    CHECK_INT(sys_access(at(&f, "a/b/c"), F_OK), 0);
    CHECK_INT(sys_mkdir_all(at(&f, "a/b/c"), 0755, &first), 0);
    CHECK_INT(first, 0);
    CHECK_INT(sys_mkdir_all(at(&f, "a/b/d/"), 0755, &first), 0);
    CHECK_INT(sys_write_file(at(&f, "file"), S(""), 0), 0);
    CHECK_INT(sys_mkdir_all(at(&f, "file"), 0755, NULL), -EEXIST);
    CHECK_INT(sys_mkdir_all(at(&f, "file/x/y"), 0755, NULL), -ENOTDIR);
    CHECK_INT(sys_mkdir_all(S(""), 0755, NULL), -ENOENT);
    CHECK_INT(sys_mkdir_all(S("/"), 0755, NULL), 0);
    teardown(&f);
}

TEST(dir_removes_a_tree_but_not_what_links_point_to)
{
    Fixture f;
    REQUIRE(setup(&f));
    CHECK_INT(sys_mkdir_all(at(&f, "keep/x"), 0755, NULL), 0);
    CHECK_INT(sys_mkdir_all(at(&f, "tree/a/b"), 0755, NULL), 0);
    CHECK_INT(sys_write_file(at(&f, "tree/a/b/f"), S("x"), 0), 0);
    CHECK_INT(sys_symlink(at(&f, "keep"), at(&f, "tree/link")), 0);
    CHECK_INT(sys_remove_tree(at(&f, "tree")), 0);
    CHECK_INT(sys_access(at(&f, "tree"), F_OK), -ENOENT);
    CHECK_INT(sys_access(at(&f, "keep/x"), F_OK), 0);
    CHECK_INT(sys_remove_tree(at(&f, "tree")), -ENOENT);
    teardown(&f);
}

TEST(dir_links_a_tree)
{
    Fixture f;
    SysStat x, y;
    REQUIRE(setup(&f));
    CHECK_INT(sys_mkdir_all(at(&f, "from/a/b"), 0755, NULL), 0);
    CHECK_INT(sys_write_file(at(&f, "from/a/b/f"), S("x"), 0644), 0);
    CHECK_INT(sys_symlink(S("a"), at(&f, "from/link")), 0);
    CHECK_INT(sys_mkdir_all(at(&f, "from/a/skipped/b"), 0755, NULL), 0);
    CHECK_INT(sys_link_tree(at(&f, "from"), at(&f, "to"), S("skipped"), false), 0);
    CHECK_INT(sys_stat(at(&f, "from/a/b/f"), &x), 0);
    CHECK_INT(sys_stat(at(&f, "to/a/b/f"), &y), 0);
    CHECK_INT(x.ino, y.ino);
    CHECK_INT(sys_lstat(at(&f, "to/link"), &x), -ENOENT);
    CHECK_INT(sys_lstat(at(&f, "to/a/skipped"), &x), -ENOENT);
    CHECK_INT(sys_link_tree(at(&f, "from"), at(&f, "to"), S("skipped"), false), -EEXIST);
    CHECK_INT(sys_link_tree(at(&f, "none"), at(&f, "other"), S("skipped"), false), -ENOENT);
    teardown(&f);
}

TEST(dir_links_what_a_list_names)
{
    Fixture f;
    SysStat x, y;
    REQUIRE(setup(&f));
    CHECK_INT(sys_mkdir_all(at(&f, "from/sub"), 0755, NULL), 0);
    CHECK_INT(sys_write_file(at(&f, "from/sub/a"), S("a"), 0), 0);
    CHECK_INT(sys_write_file(at(&f, "from/unnamed"), S("b"), 0), 0);
    CHECK_INT(sys_link_list(at(&f, "from"), at(&f, "to"), S("sub/\0sub/a\0"), false), 0);
    CHECK_INT(sys_stat(at(&f, "from/sub/a"), &x), 0);
    CHECK_INT(sys_stat(at(&f, "to/sub/a"), &y), 0);
    CHECK_INT(x.ino, y.ino);
    CHECK_INT(sys_access(at(&f, "to/unnamed"), F_OK), -ENOENT);
    CHECK_INT(sys_link_list(at(&f, "from"), at(&f, "copies"), S("sub/\0sub/a\0"), true), 0);
    CHECK_INT(sys_stat(at(&f, "copies/sub/a"), &y), 0);
    CHECK_INT(y.nlink, 1);
    CHECK_INT(sys_link_list(at(&f, "from"), at(&f, "to"), S(""), false), -EEXIST);
    CHECK_INT(sys_link_list(at(&f, "none"), at(&f, "other"), S(""), false), -ENOENT);
    CHECK_INT(sys_link_list(at(&f, "from"), at(&f, "cut"), S("sub/a"), false), -EINVAL);
    CHECK_INT(sys_link_list(at(&f, "from"), at(&f, "gone"), S("gone\0"), false), -ENOENT);
    teardown(&f);
}

TEST(dir_links_and_names)
{
    Fixture f;
    REQUIRE(setup(&f));
    Str s;
    SysStat st;
    CHECK_INT(sys_write_file(at(&f, "a"), S("x"), 0), 0);
    CHECK_INT(sys_link(at(&f, "a"), at(&f, "b")), 0);
    CHECK_INT(sys_stat(at(&f, "a"), &st), 0);
    CHECK_INT(st.nlink, 2);
    CHECK_INT(sys_rename(at(&f, "b"), at(&f, "c")), 0);
    CHECK_INT(sys_symlink(S("c"), at(&f, "l")), 0);
    CHECK_INT(sys_readlink(&f.arena, at(&f, "l"), &s), 0);
    CHECK_STR(s, "c");
    CHECK_INT(sys_realpath(&f.arena, at(&f, "l"), &s), 0);
    CHECK(str_ends(s, S("/c")));
    CHECK_INT(sys_unlink(at(&f, "c")), 0);
    CHECK_INT(sys_realpath(&f.arena, at(&f, "l"), &s), -ENOENT);
    teardown(&f);
}

TEST(copy_keeps_content_and_mode)
{
    Fixture f;
    REQUIRE(setup(&f));
    Str text;
    SysStat st;
    CHECK_INT(sys_write_file(at(&f, "a"), S("content"), 0), 0);
    CHECK_INT(sys_chmod(at(&f, "a"), 0751), 0);
    CHECK_INT(sys_copy_file(at(&f, "a"), at(&f, "b"), SYS_COPY_CLONE), 0);
    CHECK_INT(sys_read_file(&f.arena, at(&f, "b"), 100, &text), 0);
    CHECK_STR(text, "content");
    CHECK_INT(sys_stat(at(&f, "b"), &st), 0);
    CHECK_INT(st.mode & 0777, 0751);
    CHECK_INT(sys_write_file(at(&f, "a"), S("new"), 0), 0);
    CHECK_INT(sys_copy_file(at(&f, "a"), at(&f, "b"), SYS_COPY_EXCL), -EEXIST);
    CHECK_INT(sys_copy_file(at(&f, "a"), at(&f, "b"), 0), 0);
    CHECK_INT(sys_read_file(&f.arena, at(&f, "b"), 100, &text), 0);
    CHECK_STR(text, "new");
    CHECK_INT(sys_copy_file(at(&f, "a"), at(&f, "a"), 0), -EINVAL);
    CHECK_INT(sys_read_file(&f.arena, at(&f, "a"), 100, &text), 0);
    CHECK_STR(text, "new");
    CHECK_INT(sys_copy_file(f.dir, at(&f, "x"), 0), -EISDIR);
    CHECK_INT(sys_copy_file(S("/proc/self/status"), at(&f, "p"), 0), 0);
    CHECK_INT(sys_stat(at(&f, "p"), &st), 0);
    CHECK(st.size > 100);
    teardown(&f);
}

TEST(copy_works_from_pipes)
{
    Fixture f;
    REQUIRE(setup(&f));
    int fds[2];
    Str text;
    REQUIRE(sys_pipe(false, fds) == 0);
    CHECK_INT(sys_write_all(fds[1], S("through a pipe")), 0);
    sys_close(fds[1]);
    int fd = sys_open(at(&f, "a"), O_WRONLY | O_CREAT, 0644);
    CHECK_INT(sys_copy_fd(fds[0], fd, UINT64_MAX), 14);
    sys_close(fd);
    CHECK_INT(sys_read_file(&f.arena, at(&f, "a"), 100, &text), 0);
    CHECK_STR(text, "through a pipe");
    teardown(&f);
}

#ifdef COB_DEBUG
/* The whole life of a file, failing at each call in turn: never a crash, never a leaked descriptor.
 */
static int file_story(Fixture *f)
{
    Str text;
    int rc = sys_write_file_atomic(at(f, "story"), S("once"), 0);
    if (rc == 0) rc = sys_copy_file(at(f, "story"), at(f, "copy"), SYS_COPY_CLONE);
    if (rc == 0) rc = sys_read_file(&f->arena, at(f, "copy"), 100, &text);
    if (rc == 0) rc = sys_unlink(at(f, "copy"));
    return rc;
}

static u32 count_fds(void)
{
    u32 n = 0;
    for (int fd = 0; fd < 64; fd++) n += fcntl(fd, F_GETFD) >= 0;
    return n;
}

TEST(faults_in_file_calls_are_reported_and_leak_nothing)
{
    Fixture f;
    REQUIRE(setup(&f));
    u32 n_fds = count_fds();
    int rc = -1;
    u64 nth = 1;
    for (; nth < 100; nth++) {
        (void)sys_fault_set(nth, ENOSPC, false);
        rc = file_story(&f);
        bool is_past = sys_fault_count() < nth;
        (void)sys_fault_set(0, 0, false);
        CHECK(rc == 0 || rc == -ENOSPC);
        CHECK_INT(count_fds(), n_fds);
        if (is_past) break;
    }
    CHECK_INT(rc, 0);
    CHECK(nth > 5);
    teardown(&f);
}
#endif
