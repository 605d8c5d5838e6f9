/* runtime/vm_watch_test.c -- what the watching process gets to read. */
#include "runtime/vm_watch.h"

#include "sys/sys.h"
#include "util/test.h"

static bool take(int fd, WatchRecord *ret, char *path)
{
    return sys_read(fd, ret, sizeof(*ret)) == (i64)sizeof(*ret) &&
           sys_read(fd, path, ret->path_len) == (i64)ret->path_len;
}

TEST(vm_watch_reports_files)
{
    AUTO(Arena) a = {0};
    int pipe[2];
    char path[WATCH_PATH_MAX];
    WatchRecord r;
    Str ignored;
    CHECK(!vm_watch_take_fd());
    vm_on_file_loaded(S("/nobody/listens"), S(""));
    REQUIRE(sys_pipe(true, pipe) == 0);
    CHECK_INT(sys_env_set(S("COB_WATCH_FD"), str_fmt(&a, "%d", pipe[1])), 0);
    CHECK(vm_watch_take_fd());
    CHECK(!sys_env_find(&a, S("COB_WATCH_FD"), &ignored));
    vm_on_file_loaded(S("/a.js"), S("text"));
    vm_on_config_loaded(S(".env"), S("A=1"));
    vm_on_file_missing(S("/dir/a.js"), S("../b"));
    vm_on_file_missing(S("/dir/a.js"), S("package"));
    REQUIRE(take(pipe[0], &r, path));
    CHECK_INT(r.kind, WATCH_PROGRAM);
    CHECK(r.hash == vm_watch_hash(S("text")));
    CHECK_STR(((Str){path, r.path_len}), "/a.js");
    REQUIRE(take(pipe[0], &r, path));
    CHECK_INT(r.kind, WATCH_CONFIG);
    REQUIRE(take(pipe[0], &r, path));
    CHECK_INT(r.kind, WATCH_MISSING);
    CHECK_STR(((Str){path, r.path_len}), "/b");
    CHECK(!take(pipe[0], &r, path));
    sys_close(pipe[0]);
    sys_close(pipe[1]);
}

TEST(vm_watch_hash_sees_every_byte)
{
    CHECK(vm_watch_hash(S("")) != vm_watch_hash((Str){"\0", 1}));
    CHECK(vm_watch_hash(S("abcdefgh1")) != vm_watch_hash(S("abcdefgh2")));
    CHECK(vm_watch_hash(S("abcdefgh")) != vm_watch_hash(S("bbcdefgh")));
    CHECK(vm_watch_hash(S("same")) == vm_watch_hash(S("same")));
}
