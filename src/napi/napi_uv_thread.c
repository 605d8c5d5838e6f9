/* napi/napi_uv_thread.c -- threads, locks and clocks of libuv: those of POSIX under other names. */
#include "napi/napi_uv.h"

#include <errno.h>
#include <time.h>

#include "sys/sys.h"
#include "util/err.h"
#include "util/mem.h"

enum { NS_PER_S = 1000000000, NS_PER_MS = 1000000 };

/* What cannot fail when it is used as it must be. */
static void must(int err)
{
    ASSERT(err == 0);
}

/* ---- Threads ---- */

typedef struct {
    void (*entry)(void *arg);
    void *arg;
} Start;

static void *start(void *data)
{
    Start s = *(Start *)data;
    mem_free(data);
    s.entry(s.arg);
    return NULL;
}

int uv_thread_create(uv_thread_t *id, void (*entry)(void *arg), void *arg)
{
    Start *s = MEM_NEW(Start);
    *s = (Start){entry, arg};
    int err = pthread_create(id, NULL, start, s);
    if (err) mem_free(s);
    return -err;
}

int uv_thread_join(uv_thread_t *id)
{
    return -pthread_join(*id, NULL);
}

uv_thread_t uv_thread_self(void)
{
    return pthread_self();
}

int uv_thread_equal(const uv_thread_t *a, const uv_thread_t *b)
{
    return pthread_equal(*a, *b);
}

void uv_once(uv_once_t *guard, void (*callback)(void))
{
    must(pthread_once(guard, callback));
}

int uv_key_create(uv_key_t *key)
{
    return -pthread_key_create(key, NULL);
}
void uv_key_delete(uv_key_t *key)
{
    must(pthread_key_delete(*key));
}
void *uv_key_get(uv_key_t *key)
{
    return pthread_getspecific(*key);
}
void uv_key_set(uv_key_t *key, void *value)
{
    must(pthread_setspecific(*key, value));
}

/* ---- Locks ---- */

static int init_mutex(uv_mutex_t *mutex, int type)
{
    pthread_mutexattr_t attr;
    must(pthread_mutexattr_init(&attr));
    must(pthread_mutexattr_settype(&attr, type));
    int err = pthread_mutex_init(mutex, &attr);
    must(pthread_mutexattr_destroy(&attr));
    return -err;
}

int uv_mutex_init(uv_mutex_t *mutex)
{
    return init_mutex(mutex, PTHREAD_MUTEX_NORMAL);
}
int uv_mutex_init_recursive(uv_mutex_t *mutex)
{
    return init_mutex(mutex, PTHREAD_MUTEX_RECURSIVE);
}
void uv_mutex_destroy(uv_mutex_t *mutex)
{
    must(pthread_mutex_destroy(mutex));
}
void uv_mutex_lock(uv_mutex_t *mutex)
{
    must(pthread_mutex_lock(mutex));
}
int uv_mutex_trylock(uv_mutex_t *mutex)
{
    return -pthread_mutex_trylock(mutex);
}
void uv_mutex_unlock(uv_mutex_t *mutex)
{
    must(pthread_mutex_unlock(mutex));
}

int uv_rwlock_init(uv_rwlock_t *lock)
{
    return -pthread_rwlock_init(lock, NULL);
}
void uv_rwlock_destroy(uv_rwlock_t *lock)
{
    must(pthread_rwlock_destroy(lock));
}
void uv_rwlock_rdlock(uv_rwlock_t *lock)
{
    must(pthread_rwlock_rdlock(lock));
}
int uv_rwlock_tryrdlock(uv_rwlock_t *lock)
{
    return -pthread_rwlock_tryrdlock(lock);
}
void uv_rwlock_rdunlock(uv_rwlock_t *lock)
{
    must(pthread_rwlock_unlock(lock));
}
void uv_rwlock_wrlock(uv_rwlock_t *lock)
{
    must(pthread_rwlock_wrlock(lock));
}
int uv_rwlock_trywrlock(uv_rwlock_t *lock)
{
    return -pthread_rwlock_trywrlock(lock);
}
void uv_rwlock_wrunlock(uv_rwlock_t *lock)
{
    must(pthread_rwlock_unlock(lock));
}

int uv_sem_init(uv_sem_t *sem, unsigned value)
{
    return sem_init(sem, 0, value) ? -errno : 0;
}
void uv_sem_destroy(uv_sem_t *sem)
{
    must(sem_destroy(sem));
}
void uv_sem_post(uv_sem_t *sem)
{
    must(sem_post(sem));
}
void uv_sem_wait(uv_sem_t *sem)
{
    int rc;
    do rc = sem_wait(sem);
    while (rc < 0 && errno == EINTR);
    must(rc);
}
int uv_sem_trywait(uv_sem_t *sem)
{
    return sem_trywait(sem) ? -errno : 0;
}

int uv_cond_init(uv_cond_t *cond)
{
    pthread_condattr_t attr;
    must(pthread_condattr_init(&attr));
    must(pthread_condattr_setclock(&attr, CLOCK_MONOTONIC));
    int err = pthread_cond_init(cond, &attr);
    must(pthread_condattr_destroy(&attr));
    return -err;
}
void uv_cond_destroy(uv_cond_t *cond)
{
    must(pthread_cond_destroy(cond));
}
void uv_cond_signal(uv_cond_t *cond)
{
    must(pthread_cond_signal(cond));
}
void uv_cond_broadcast(uv_cond_t *cond)
{
    must(pthread_cond_broadcast(cond));
}
void uv_cond_wait(uv_cond_t *cond, uv_mutex_t *mutex)
{
    must(pthread_cond_wait(cond, mutex));
}
int uv_cond_timedwait(uv_cond_t *cond, uv_mutex_t *mutex, uint64_t timeout_ns)
{
    u64 until = sys_monotonic_ns() + timeout_ns;
    struct timespec at = {(time_t)(until / NS_PER_S), (long)(until % NS_PER_S)};
    return -pthread_cond_timedwait(cond, mutex, &at);
}

/* ---- Clocks, names ---- */

uint64_t uv_hrtime(void)
{
    return sys_monotonic_ns();
}

void uv_sleep(unsigned ms)
{
    sys_sleep_ns((u64)ms * NS_PER_MS);
}

int uv_os_getpid(void)
{
    return sys_pid();
}

const char *uv_strerror(int err)
{
    return err_text(err);
}

const char *uv_err_name(int err)
{
    return err_name(err);
}

unsigned uv_version(void)
{
    return 1 << 16 | 51 << 8;
}

const char *uv_version_string(void)
{
    return "1.51.0";
}
