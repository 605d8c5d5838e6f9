/* engine/js_thread_attr.c -- where the main thread's stack is, without reading /proc/self/maps.
 *
 * The engine asks pthread_getattr_np for the bounds of each thread's stack.  For the main thread
 * the C library opens and parses the list of all mappings, which is a good part of a short
 * program's start-up; the loader knows the answer.  This definition comes before the C library's
 * and passes other threads on to it. */
#ifndef __SANITIZE_ADDRESS__ /* the sanitizer has its own */

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/resource.h>
#include <unistd.h>

/* Set by the loader: the stack pointer at the entry of the program. */
extern void *__libc_stack_end;

/* With no limit the kernel leaves far more room below the stack than this. */
#define UNLIMITED_SIZE ((uintptr_t)64 << 20)
#define PAGE_SIZE      ((uintptr_t)4096)

typedef int GetAttr(pthread_t thread, pthread_attr_t *attr);

static int getattr_of_libc(pthread_t thread, pthread_attr_t *attr)
{
    static GetAttr *original; /* every thread finds the same */
    GetAttr *fn = __atomic_load_n(&original, __ATOMIC_RELAXED);
    if (!fn) {
        fn = (GetAttr *)dlsym(RTLD_NEXT, "pthread_getattr_np");
        if (!fn) return ENOSYS;
        __atomic_store_n(&original, fn, __ATOMIC_RELAXED);
    }
    return fn(thread, attr);
}

int pthread_getattr_np(pthread_t thread, pthread_attr_t *attr)
{
    struct rlimit limit;
    if (!pthread_equal(thread, pthread_self()) || gettid() != getpid() ||
        getrlimit(RLIMIT_STACK, &limit) != 0) {
        return getattr_of_libc(thread, attr);
    }
    uintptr_t top = ((uintptr_t)__libc_stack_end + PAGE_SIZE) & ~(PAGE_SIZE - 1);
    uintptr_t size = limit.rlim_cur == RLIM_INFINITY ? UNLIMITED_SIZE : (uintptr_t)limit.rlim_cur;
    size &= ~(PAGE_SIZE - 1);
    if (size < PAGE_SIZE || size >= top) return getattr_of_libc(thread, attr);
    int rc = pthread_attr_init(attr);
    return rc ? rc : pthread_attr_setstack(attr, (void *)(top - size), size);
}

#else
typedef int JsNoThreadAttr; /* a translation unit may not be empty */
#endif
