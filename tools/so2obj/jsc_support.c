/* jsc_support.c -- linked into the release binary with the embedded JavaScriptCore: replacements
 * for parts of libraries that would cost start-up time, and help for unwinders.
 *
 * libatomic: asks the processor what it can at every start, which traps to the hypervisor on
 * virtual machines.  JavaScriptCore uses its general functions for pairs of words only, and runs
 * only on processors that have cmpxchg16b.
 *
 * pthread_getattr_np: to tell the bounds of the main thread's stack, the C library reads and parses
 * all of /proc/self/maps.  They follow from where the kernel has put the program's name.
 *
 * DateCache::resetIfNecessarySlow: wherever it is entered from outside, the engine throws away what
 * it knows of the time zone and of recent dates, in case the zone has changed: 760 instructions
 * each time, and thousands for the next local date.  so2obj sends these calls here (--divert), and
 * only those after a change go on.
 *
 * AutomaticThread: threads of the compilers and of the collector wait ten seconds
 * for more work before they end, and until then keep several megabytes in caches of their own.
 *
 * computeJSCBytecodeCacheVersion: says which executable code was made by, whereas ours is made by
 * one for the other.  JSC_CODE_VERSION stands for the library that both hold.
 *
 * std::ios_base::Init: sets up std::cout and its kin, which JavaScriptCore includes and does not
 * use (so2obj is told to refuse a version that does). */
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <unistd.h>

typedef struct {
    uint64_t lo, hi;
} Pair;

/* Signatures of GCC's atomic library.  The orders are ignored: all operations are sequentially
 * consistent. */
bool support_compare_exchange(size_t size, void *at, void *expected, void *desired, int success,
                              int failure) __asm__("__atomic_compare_exchange");
void support_load(size_t size, void *at, void *ret, int order) __asm__("__atomic_load");
void support_store(size_t size, void *at, void *value, int order) __asm__("__atomic_store");
int support_getattr(pthread_t thread, pthread_attr_t *attr) __asm__("pthread_getattr_np");
void support_ios_init(void *self) __asm__("_ZNSt8ios_base4InitC1Ev");
void support_ios_deinit(void *self) __asm__("_ZNSt8ios_base4InitD1Ev");

/* Makes native frames of JavaScriptCore known to the unwinder of libgcc, so that _Unwind_Backtrace
 * gets through them.  Costs some milliseconds and memory at the first unwinding after it: for crash
 * handlers and debugging.  Call it at most once.  A program that is also built with the shared
 * library declares it weak. */
void jsc_register_frames(void);

/* Of the image; the second word is the distance from itself to the table of frames. */
extern const char jsc_eh_frame_hdr[];
extern void __register_frame_info(const void *begin, void *object);

extern void reset_dates(void *cache) __asm__("_ZN3JSC9DateCache20resetIfNecessarySlowEv");
void jsc_reset_dates(void *cache);
/* Its constructors: the lock is a pointer to what points to it; the condition is moved from. */
#define THREAD_NAME                                                                                \
    "_ZN3WTF15AutomaticThreadC2ERKNS_14AbstractLockerENS_3BoxINS_4LockEEEONS_3RefINS_"             \
    "24AutomaticThreadConditionENS_12RawPtrTraitsIS8_EENS_21DefaultRefDerefTraitsIS8_EEEE"
extern void make_thread(void *self, const void *locker, void *lock, void *condition,
                        double seconds) __asm__(THREAD_NAME "NS_7SecondsE");
extern void make_typed_thread(void *self, const void *locker, void *lock, void *condition,
                              uint8_t type,
                              double seconds) __asm__(THREAD_NAME "NS_10ThreadTypeENS_7SecondsE");
void jsc_make_thread(void *self, const void *locker, void *lock, void *condition, double seconds);
void jsc_make_typed_thread(void *self, const void *locker, void *lock, void *condition,
                           uint8_t type, double seconds);
uint32_t jsc_code_version(void);
/* The time zone has changed, for all threads; the dates of this one notice at once. */
void jsc_time_zone_changed(void);

static void check_pair(size_t size, const void *at)
{
    static const char message[] =
        "cob: internal error: an atomic operation on something other than two aligned words\n";
    if (size == sizeof(Pair) && (uintptr_t)at % sizeof(Pair) == 0) return;
    ssize_t written = write(2, message, sizeof message - 1);
    (void)written;
    abort();
}

/* If `*at` is `*expected`, makes it `desired`; else copies it to `*expected`. */
static bool pair_compare_exchange(Pair *at, Pair *expected, Pair desired)
{
    bool ok = false;
    __asm__ volatile("lock cmpxchg16b %1"
                     : "=@ccz"(ok), "+m"(*at), "+a"(expected->lo), "+d"(expected->hi)
                     : "b"(desired.lo), "c"(desired.hi)
                     : "memory");
    return ok;
}

bool support_compare_exchange(size_t size, void *at, void *expected, void *desired, int success,
                              int failure)
{
    (void)success;
    (void)failure;
    check_pair(size, at);
    Pair old, new;
    memcpy(&old, expected, sizeof old);
    memcpy(&new, desired, sizeof new);
    bool ok = pair_compare_exchange(at, &old, new);
    if (!ok) memcpy(expected, &old, sizeof old);
    return ok;
}

void support_load(size_t size, void *at, void *ret, int order)
{
    (void)order;
    check_pair(size, at);
    Pair value = {0, 0};
    (void)pair_compare_exchange(at, &value, value); /* writes only what is already there */
    memcpy(ret, &value, sizeof value);
}

void support_store(size_t size, void *at, void *value, int order)
{
    (void)order;
    check_pair(size, at);
    Pair old = {0, 0}, new;
    memcpy(&new, value, sizeof new);
    while (!pair_compare_exchange(at, &old, new)) {
    }
}

enum { STACK_MAX = 1 << 30 };

/* The kernel puts the program's name at the top of the stack, one word below its end.  The lower
 * bound is where the limit lets the stack grow to. */
static int main_stack_attr(pthread_attr_t *attr)
{
    const char *name = (const char *)getauxval(AT_EXECFN);
    struct rlimit limit;
    if (!name || getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur > STACK_MAX) return -1;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t top = ((uintptr_t)name + strlen(name) + 1 + sizeof(void *) + page - 1) & ~(page - 1);
    uintptr_t size = (uintptr_t)limit.rlim_cur & ~(page - 1);
    uintptr_t here = (uintptr_t)&limit;
    if (here > top || top - here > size || pthread_attr_init(attr) != 0) return -1;
    return pthread_attr_setstack(attr, (void *)(top - size), size);
}

int support_getattr(pthread_t thread, pthread_attr_t *attr)
{
    bool is_main = getpid() == gettid() && pthread_equal(thread, pthread_self());
    if (is_main && main_stack_attr(attr) == 0) return 0;
    int (*original)(pthread_t, pthread_attr_t *) = NULL;
    *(void **)&original = dlsym(RTLD_NEXT, "pthread_getattr_np");
    if (!original) abort();
    return original(thread, attr);
}

void support_ios_init(void *self)
{
    (void)self;
}

void support_ios_deinit(void *self)
{
    (void)self;
}

static uint32_t zone_changes = 1;
static __thread uint32_t zone_changes_seen;
static __thread void *dates; /* of the machine that this thread was in last */

void jsc_reset_dates(void *cache)
{
    uint32_t changes = __atomic_load_n(&zone_changes, __ATOMIC_RELAXED);
    if (cache == dates && zone_changes_seen == changes) return;
    dates = cache;
    zone_changes_seen = changes;
    reset_dates(cache);
}

void jsc_time_zone_changed(void)
{
    (void)__atomic_add_fetch(&zone_changes, 1, __ATOMIC_RELAXED);
    if (dates) reset_dates(dates);
}

#define IDLE_THREAD_S 1.5

static double idle_time(double seconds)
{
    return seconds < IDLE_THREAD_S ? seconds : IDLE_THREAD_S;
}

void jsc_make_thread(void *self, const void *locker, void *lock, void *condition, double seconds)
{
    make_thread(self, locker, lock, condition, idle_time(seconds));
}

void jsc_make_typed_thread(void *self, const void *locker, void *lock, void *condition,
                           uint8_t type, double seconds)
{
    make_typed_thread(self, locker, lock, condition, type, idle_time(seconds));
}

uint32_t jsc_code_version(void)
{
    return JSC_CODE_VERSION;
}

void jsc_register_frames(void)
{
    static uint64_t object[16]; /* libgcc's bookkeeping, 48 bytes in GCC 12 */
    const char *field = jsc_eh_frame_hdr + 4;
    int32_t distance = 0;
    memcpy(&distance, field, sizeof distance);
    __register_frame_info(field + distance, object);
}
