/* loop/watch_test.c -- changes of files and directories. */
#include "loop/loop_test.h"

#include "util/vec.h"

typedef struct {
    LoopWatch watch;
    Arena arena;
    Vec(Str) seen; /* "rename name" */
    const char *want;
} Watched;

static Arena arena;
static Str dir;
static LoopTimer limit;

static bool has_seen(const Watched *w, Str text)
{
    for (u32 i = 0; i < w->seen.len; i++) {
        if (str_eq(w->seen.at[i], text)) return true;
    }
    return false;
}

static void on_watch(LoopWatch *h, u32 events, Str name)
{
    Watched *w = CONTAINER(Watched, watch, h);
    const char *kind = events & LOOP_WATCH_RENAME ? "rename" : "change";
    Str text = str_fmt(&w->arena, "%s %.*s", kind, STR_ARG(name));
    vec_push(&w->arena, &w->seen, text);
    if (w->want && str_eq(text, str_z(w->want))) loop_stop(h->handle.loop);
}

static void on_limit(LoopTimer *t)
{
    loop_stop(t->handle.loop);
}

/* Runs until `want` was reported; false after some seconds. */
static bool wait_for(Loop *loop, Watched *w, const char *want)
{
    if (has_seen(w, str_z(want))) return true;
    w->want = want;
    loop_timer_start(&limit, 5000, 0, on_limit);
    loop_run(loop, LOOP_RUN);
    loop_timer_stop(&limit);
    return has_seen(w, str_z(want));
}

static Str at(const char *name)
{
    return str_fmt(&arena, "%.*s/%s", STR_ARG(dir), name);
}

static bool setup(Loop *loop)
{
    loop_timer_open(loop, &limit);
    return sys_mkdtemp(&arena, S("/tmp/cob-test-"), &dir) == 0;
}

static void finish(Watched *w)
{
    CHECK_INT(sys_remove_tree(dir), 0);
    arena_deinit(&arena);
    w->seen.len = w->seen.cap = 0;
    w->want = NULL;
    arena_deinit(&w->arena);
}

LOOP_TEST(watch_reports_what_happens_in_a_directory)
{
    static Watched w;
    REQUIRE(setup(loop));
    loop_watch_open(loop, &w.watch);
    CHECK_INT(loop_watch_start(&w.watch, dir, 0, on_watch), 0);
    CHECK_INT(sys_write_file(at("a"), S("x"), 0), 0);
    CHECK(wait_for(loop, &w, "rename a"));
    CHECK(wait_for(loop, &w, "change a"));
    CHECK_INT(sys_rename(at("a"), at("b")), 0);
    CHECK(wait_for(loop, &w, "rename b"));
    CHECK_INT(sys_mkdir(at("sub"), 0755), 0);
    CHECK(wait_for(loop, &w, "rename sub"));
    CHECK_INT(sys_write_file(at("sub/deep"), S("x"), 0), 0);
    CHECK_INT(sys_unlink(at("b")), 0);
    CHECK_INT(sys_write_file(at("last"), S("x"), 0), 0);
    CHECK(wait_for(loop, &w, "change last"));
    CHECK(!has_seen(&w, S("rename sub/deep")));
    loop_watch_stop(&w.watch);
    CHECK(!loop_run(loop, LOOP_RUN));
    finish(&w);
}

LOOP_TEST(watch_of_a_file_gives_its_name)
{
    static Watched w;
    REQUIRE(setup(loop));
    CHECK_INT(sys_write_file(at("a"), S("x"), 0), 0);
    loop_watch_open(loop, &w.watch);
    CHECK_INT(loop_watch_start(&w.watch, at("a"), LOOP_WATCH_RECURSIVE, on_watch), 0);
    CHECK_INT(sys_write_file(at("a"), S("y"), 0), 0);
    CHECK(wait_for(loop, &w, "change a"));
    CHECK_INT(sys_unlink(at("a")), 0);
    CHECK(wait_for(loop, &w, "rename a"));
    CHECK_INT(loop_watch_start(&w.watch, at("none"), 0, on_watch), -ENOENT);
    CHECK(!loop_handle_is_active(&w.watch.handle));
    finish(&w);
}

LOOP_TEST(watch_recursive_follows_new_and_moved_directories)
{
    static Watched w;
    REQUIRE(setup(loop));
    CHECK_INT(sys_mkdir_all(at("old/deep"), 0755, NULL), 0);
    loop_watch_open(loop, &w.watch);
    CHECK_INT(loop_watch_start(&w.watch, dir, LOOP_WATCH_RECURSIVE, on_watch), 0);
    CHECK_INT(w.watch.n_dirs, 3);
    CHECK_INT(sys_write_file(at("old/deep/x"), S("x"), 0), 0);
    CHECK(wait_for(loop, &w, "rename old/deep/x"));
    /* Made in one go: the inner ones come before the watch of the outer one. */
    CHECK_INT(sys_mkdir_all(at("new/a/b"), 0755, NULL), 0);
    CHECK_INT(sys_write_file(at("new/a/b/c"), S("x"), 0), 0);
    CHECK(wait_for(loop, &w, "rename new/a/b/c"));
    CHECK_INT(w.watch.n_dirs, 6);
    CHECK_INT(sys_rename(at("new"), at("moved")), 0);
    CHECK(wait_for(loop, &w, "rename moved/a/b/c"));
    CHECK_INT(sys_write_file(at("moved/a/b/d"), S("x"), 0), 0);
    CHECK(wait_for(loop, &w, "rename moved/a/b/d"));
    CHECK_INT(w.watch.n_dirs, 6);
    CHECK_INT(sys_remove_tree(at("moved")), 0);
    CHECK(wait_for(loop, &w, "rename moved"));
    CHECK_INT(sys_write_file(at("end"), S("x"), 0), 0);
    CHECK(wait_for(loop, &w, "rename end"));
    CHECK_INT(w.watch.n_dirs, 3);
    loop_handle_close(&w.watch.handle, NULL);
    loop_run(loop, LOOP_RUN);
    finish(&w);
}

static void on_watch_close_both(LoopWatch *h, u32 events, Str name)
{
    (void)events;
    (void)name;
    Watched *w = CONTAINER(Watched, watch, h);
    w = w->want ? w : w - 1; /* the first has it set */
    loop_handle_close(&w[0].watch.handle, NULL);
    loop_handle_close(&w[1].watch.handle, NULL);
}

LOOP_TEST(watch_callback_may_close_all_that_share_the_directory)
{
    static Watched w[2];
    REQUIRE(setup(loop));
    w[0].want = "x";
    for (u32 i = 0; i < 2; i++) {
        loop_watch_open(loop, &w[i].watch);
        CHECK_INT(
            loop_watch_start(&w[i].watch, dir, i ? LOOP_WATCH_RECURSIVE : 0, on_watch_close_both),
            0);
    }
    CHECK_INT(sys_mkdir_all(at("a/b/c"), 0755, NULL), 0);
    CHECK(!loop_run(loop, LOOP_RUN));
    finish(&w[0]);
}
