/* util/base.h -- the words every file uses: integer names, attributes, and assertions.
 *
 * ASSERT stays in release builds: a broken invariant ends the process with the place and the
 * condition (through bug.c).  DASSERT is for checks that cost and is compiled in debug builds only.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t i8;
typedef int16_t i16;
typedef int32_t i32;
typedef int64_t i64;
typedef double f64;
typedef size_t usize;

#define NODISCARD                 __attribute__((warn_unused_result))
#define NORETURN                  __attribute__((noreturn))
#define COLD                      __attribute__((cold, noinline))
#define PRINTF(f, a)              __attribute__((format(printf, f, a)))
#define UNUSED                    __attribute__((unused))
#define LIKELY(x)                 __builtin_expect(!!(x), 1)
#define UNLIKELY(x)               __builtin_expect(!!(x), 0)
#define COUNT(a)                  (sizeof(a) / sizeof((a)[0]))
#define MIN(a, b)                 ((a) < (b) ? (a) : (b))
#define MAX(a, b)                 ((a) > (b) ? (a) : (b))
#define CONTAINER(T, member, ptr) ((T *)(void *)((char *)(ptr)-offsetof(T, member)))
#define ALIGN_UP(n, a)            (((n) + (a)-1) & ~((a)-1))

/* AUTO(Type) x = {0};  runs Type##_deinit(&x) when x leaves its scope, on every path. */
#define AUTO(T) __attribute__((cleanup(T##_deinit))) T
/* TAKE(x) moves the value out and leaves x empty, so that AUTO has nothing to undo. */
#define TAKE(x)                                                                                    \
    ({                                                                                             \
        __typeof__(x) taken_ = (x);                                                                \
        (x) = (__typeof__(x)){0};                                                                  \
        taken_;                                                                                    \
    })

/* Prints file, line and the broken condition to stderr and aborts.  Async-signal-safe. */
NORETURN COLD void bug_fail(const char *file, int line, const char *what);
/* The process is out of memory: says how much was asked for and ends it (exit code 134). */
NORETURN COLD void bug_oom(usize size);

#define BUG(what) bug_fail(__FILE__, __LINE__, what)
#define ASSERT(c) (LIKELY(c) ? (void)0 : bug_fail(__FILE__, __LINE__, #c))
#ifdef COB_DEBUG
#define DASSERT(c) ASSERT(c)
#else
#define DASSERT(c) ((void)0)
#endif

/* Overflow-checked arithmetic: true when `*ret` holds the exact result. */
#define ADD_OK(a, b, ret) (!__builtin_add_overflow(a, b, ret))
#define MUL_OK(a, b, ret) (!__builtin_mul_overflow(a, b, ret))
