/* util/test.c -- the registry and the reports of the unit-test harness (see test.h). */
#include "util/test.h"

#include <stdio.h>

static TestCase *cases;
static u32 failures;

void test_register(TestCase *t)
{
    t->next = cases;
    cases = t;
}

TestCase *test_list(void)
{
    return cases;
}

void test_fail(const char *file, int line, const char *what)
{
    failures++;
    (void)fprintf(stderr, "%s:%d: CHECK(%s) failed\n", file, line, what);
}

void test_fail_str(const char *file, int line, Str got, Str want)
{
    failures++;
    (void)fprintf(stderr, "%s:%d: got \"%.*s\", want \"%.*s\"\n", file, line, STR_ARG(got),
                  STR_ARG(want));
}

void test_fail_int(const char *file, int line, i64 got, i64 want)
{
    failures++;
    (void)fprintf(stderr, "%s:%d: got %lld, want %lld\n", file, line, (long long)got,
                  (long long)want);
}

u32 test_failures(void)
{
    return failures;
}
