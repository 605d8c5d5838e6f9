/* util/test.h -- the unit-test harness.
 *
 *     TEST(str_cut_takes_the_first_separator)
 *     {
 *         CHECK(str_cut(S("a=b"), '=', &head, &tail));
 *         CHECK_STR(head, "a");
 *     }
 *
 * TEST registers itself; tests/unit_main.c runs each test in a child process of its own with a time
 * limit, so that a crash or a hang fails one test and not the run.  A failed CHECK is reported with
 * file and line and the test goes on; REQUIRE ends it. */
#pragma once

#include "util/base.h"
#include "util/str.h"

typedef struct TestCase {
    const char *name, *file;
    void (*run)(void);
    struct TestCase *next;
} TestCase;

void test_register(TestCase *t);
TestCase *test_list(void);
void test_fail(const char *file, int line, const char *what);
void test_fail_str(const char *file, int line, Str got, Str want);
void test_fail_int(const char *file, int line, i64 got, i64 want);
u32 test_failures(void);

#define TEST(id)                                                                                   \
    static void test_##id(void);                                                                   \
    static TestCase case_##id = {.name = #id, .file = __FILE__, .run = test_##id};                 \
    __attribute__((constructor)) static void register_##id(void)                                   \
    {                                                                                              \
        test_register(&case_##id);                                                                 \
    }                                                                                              \
    static void test_##id(void)

#define CHECK(c) ((c) ? (void)0 : test_fail(__FILE__, __LINE__, #c))
#define REQUIRE(c)                                                                                 \
    do {                                                                                           \
        if (!(c)) {                                                                                \
            test_fail(__FILE__, __LINE__, #c);                                                     \
            return;                                                                                \
        }                                                                                          \
    } while (0)
#define CHECK_STR(got, want)                                                                       \
    do {                                                                                           \
        Str got_ = (got), want_ = S(want);                                                         \
        if (!str_eq(got_, want_)) test_fail_str(__FILE__, __LINE__, got_, want_);                  \
    } while (0)
#define CHECK_INT(got, want)                                                                       \
    do {                                                                                           \
        i64 got_ = (i64)(got), want_ = (i64)(want);                                                \
        if (got_ != want_) test_fail_int(__FILE__, __LINE__, got_, want_);                         \
    } while (0)
