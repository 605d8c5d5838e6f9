/* sys/thread.c -- threads, locks, conditions.  Misuse is a broken invariant, not an error code. */
#include "sys/call.h"

#include "util/mem.h"

#include <limits.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { NAME_SIZE = 16, NS_PER_S = 1000000000 };

typedef struct {
    void (*fn)(void *);
    void *arg;
    char name[NAME_SIZE];
} Start;

void sys_thread_set_name(const char *name)
{
    char cut[NAME_SIZE] = {0};
    memcpy(cut, name, strnlen(name, sizeof(cut) - 1));
    (void)prctl(PR_SET_NAME, cut);
}

static void *thread_main(void *data)
{
    Start s = *(Start *)data;
    mem_free(data);
    if (s.name[0]) sys_thread_set_name(s.name);
    s.fn(s.arg);
    scratch_thread_deinit();
    return NULL;
}

/* What stays deliverable: faults of the thread itself, and what engines and profilers send to
 * threads on purpose. */
static void blocked_set(sigset_t *ret)
{
    static const int open[] = {SIGSEGV, SIGBUS,  SIGFPE,  SIGILL, SIGTRAP,
                               SIGSYS,  SIGABRT, SIGPROF, SIGUSR1};
    (void)sigfillset(ret);
    for (u32 i = 0; i < COUNT(open); i++) (void)sigdelset(ret, open[i]);
    for (int s = SIGRTMIN; s <= SIGRTMAX; s++) (void)sigdelset(ret, s);
}

int sys_thread_start(SysThread *t, const char *name, usize stack_size, void (*fn)(void *),
                     void *arg)
{
    FAULT();
    pthread_attr_t attr;
    int err = pthread_attr_init(&attr);
    if (err) return -err;
    if (stack_size)
        err = pthread_attr_setstacksize(&attr, MAX(stack_size, (usize)PTHREAD_STACK_MIN));
    Start *s = MEM_NEW(Start);
    s->fn = fn;
    s->arg = arg;
    memcpy(s->name, name, strnlen(name, sizeof(s->name) - 1));
    sigset_t blocked, old;
    blocked_set(&blocked);
    /* The new thread inherits the mask: blocked from its first instruction. */
    if (!err) err = pthread_sigmask(SIG_BLOCK, &blocked, &old);
    if (!err) {
        err = pthread_create(&t->id, &attr, thread_main, s);
        (void)pthread_sigmask(SIG_SETMASK, &old, NULL);
    }
    (void)pthread_attr_destroy(&attr);
    if (err) mem_free(s);
    t->is_started = !err;
    return -err;
}

void sys_thread_join(SysThread *t)
{
    if (!t->is_started) return;
    t->is_started = false;
    int err = pthread_join(t->id, NULL);
    ASSERT(!err);
}

void sys_thread_detach(SysThread *t)
{
    if (!t->is_started) return;
    t->is_started = false;
    int err = pthread_detach(t->id);
    ASSERT(!err);
}

u64 sys_thread_id(void)
{
    return (u64)gettid();
}

void sys_thread_yield(void)
{
    (void)sched_yield();
}

void sys_mutex_lock(SysMutex *m)
{
    int err = pthread_mutex_lock(&m->m);
    ASSERT(!err);
}

void sys_mutex_unlock(SysMutex *m)
{
    int err = pthread_mutex_unlock(&m->m);
    ASSERT(!err);
}

void sys_cond_wait(SysCond *c, SysMutex *m)
{
    int err = pthread_cond_wait(&c->c, &m->m);
    ASSERT(!err);
}

bool sys_cond_wait_ns(SysCond *c, SysMutex *m, u64 ns)
{
    u64 at = sys_monotonic_ns() + ns;
    struct timespec ts = {.tv_sec = (time_t)(at / NS_PER_S), .tv_nsec = (long)(at % NS_PER_S)};
    int err = pthread_cond_clockwait(&c->c, &m->m, CLOCK_MONOTONIC, &ts);
    ASSERT(!err || err == ETIMEDOUT);
    return !err;
}

void sys_cond_signal(SysCond *c)
{
    int err = pthread_cond_signal(&c->c);
    ASSERT(!err);
}

void sys_cond_broadcast(SysCond *c)
{
    int err = pthread_cond_broadcast(&c->c);
    ASSERT(!err);
}
