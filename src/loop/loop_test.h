/* loop/loop_test.h -- a test that runs once under each back end. */
#pragma once

#include "loop/loop.h"

#include "util/test.h"

/* LOOP_TEST(name) { ... } uses `loop`, a new loop that is freed afterwards. */
#define LOOP_TEST(id)                                                                              \
    static void loop_test_##id(Loop *loop);                                                        \
    TEST(id##_uring)                                                                               \
    {                                                                                              \
        loop_test_run("uring", loop_test_##id);                                                    \
    }                                                                                              \
    TEST(id##_epoll)                                                                               \
    {                                                                                              \
        loop_test_run("epoll", loop_test_##id);                                                    \
    }                                                                                              \
    static void loop_test_##id(Loop *loop)

#ifdef __SANITIZE_ADDRESS__
int __lsan_do_recoverable_leak_check(void);
#endif

static inline void loop_test_run(const char *io, void (*test)(Loop *loop))
{
    CHECK_INT(sys_env_set(S("COB_IO"), str_z(io)), 0);
    Loop *loop = loop_new();
    test(loop);
    bool is_other = !str_eq(str_z(loop_backend_name(loop)), str_z(io)) &&
                    !str_eq(str_z(loop_backend_name(loop)), S("none"));
    CHECK(!is_other);
    loop_free(loop);
#ifdef __SANITIZE_ADDRESS__
    CHECK_INT(__lsan_do_recoverable_leak_check(), 0);
#endif
}
