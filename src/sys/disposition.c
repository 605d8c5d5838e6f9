/* sys/disposition.c -- dispositions, and a way from a handler to a loop.
 *
 * Not signalfd: that needs the signal blocked in every thread, and the engine's threads are not
 * ours.  A handler may run on any of them; it sets a bit and writes to an eventfd, nothing else. */
#include "sys/call.h"

#include "util/mem.h"

#include <unistd.h>

enum { CRASH_STACK_SIZE = 64 * 1024 };

static struct {
    u64 pending; /* bit signo - 1; atomic */
    int fd;      /* atomic; where handlers write */
    SysMutex lock;
    bool is_caught[SYS_SIGNAL_MAX + 1];
    struct sigaction before[SYS_SIGNAL_MAX + 1];
    int diverted;              /* signo, or 0 */
    int divert_fd;             /* atomic */
    bool has_arrived;          /* atomic: the diverted one */
    struct sigaction replaced; /* what was in force before it was diverted */
} state = {.fd = -1, .divert_fd = -1};

static void (*crash_fn)(int signo, const siginfo_t *info, void *ucontext);

static void on_signal(int signo)
{
    int errno_before = errno;
    (void)__atomic_fetch_or(&state.pending, (u64)1 << (signo - 1), __ATOMIC_ACQ_REL);
    int fd = __atomic_load_n(&state.fd, __ATOMIC_ACQUIRE);
    if (fd >= 0) (void)sys_eventfd_signal(fd);
    errno = errno_before;
}

static void on_diverted(int signo)
{
    (void)signo;
    int errno_before = errno;
    __atomic_store_n(&state.has_arrived, true, __ATOMIC_RELEASE);
    int fd = __atomic_load_n(&state.divert_fd, __ATOMIC_ACQUIRE);
    if (fd >= 0) (void)sys_eventfd_signal(fd);
    errno = errno_before;
}

/* sigaction(2); for a diverted signal it takes effect when that has ended. */
static int change_action(int signo, const struct sigaction *action, struct sigaction *ret_before)
{
    if (state.diverted != signo) return RETRY_INT(sigaction(signo, action, ret_before));
    if (ret_before) *ret_before = state.replaced;
    state.replaced = *action;
    return 0;
}

static bool can_catch(int signo)
{
    if (signo < 1 || signo > SYS_SIGNAL_MAX) return false;
    return signo != SIGKILL && signo != SIGSTOP && signo != SIGSEGV && signo != SIGBUS &&
           signo != SIGFPE && signo != SIGILL && signo != SIGTRAP;
}

int sys_signal_catch(int signo, int fd)
{
    FAULT();
    if (!can_catch(signo)) return -EINVAL;
    struct sigaction sa = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    (void)sigfillset(&sa.sa_mask);
    sys_mutex_lock(&state.lock);
    __atomic_store_n(&state.fd, fd, __ATOMIC_RELEASE);
    int rc = 0;
    if (!state.is_caught[signo]) rc = change_action(signo, &sa, &state.before[signo]);
    if (rc == 0) state.is_caught[signo] = true;
    sys_mutex_unlock(&state.lock);
    return rc;
}

void sys_signal_release(int signo)
{
    ASSERT(signo >= 1);
    ASSERT(signo <= SYS_SIGNAL_MAX);
    sys_mutex_lock(&state.lock);
    if (state.is_caught[signo]) (void)change_action(signo, &state.before[signo], NULL);
    state.is_caught[signo] = false;
    bool is_last = true;
    for (int s = 1; s <= SYS_SIGNAL_MAX; s++) is_last &= !state.is_caught[s];
    /* A handler that runs right now may still hold the old number: the owner closes the eventfd
     * after the last release, and a stray 8-byte write to an eventfd is the worst that can follow.
     */
    if (is_last) __atomic_store_n(&state.fd, -1, __ATOMIC_RELEASE);
    sys_mutex_unlock(&state.lock);
}

u64 sys_signal_take(void)
{
    return __atomic_exchange_n(&state.pending, 0, __ATOMIC_ACQ_REL);
}

int sys_signal_divert(int signo, int fd)
{
    FAULT();
    if (!can_catch(signo)) return -EINVAL;
    struct sigaction sa = {.sa_handler = on_diverted, .sa_flags = SA_RESTART};
    (void)sigfillset(&sa.sa_mask);
    sys_mutex_lock(&state.lock);
    int rc = state.diverted ? -EBUSY : 0;
    __atomic_store_n(&state.has_arrived, false, __ATOMIC_RELEASE);
    __atomic_store_n(&state.divert_fd, fd, __ATOMIC_RELEASE);
    if (rc == 0) rc = RETRY_INT(sigaction(signo, &sa, &state.replaced));
    if (rc == 0) state.diverted = signo;
    sys_mutex_unlock(&state.lock);
    return rc;
}

bool sys_signal_divert_take(void)
{
    return __atomic_exchange_n(&state.has_arrived, false, __ATOMIC_ACQ_REL);
}

void sys_signal_divert_end(void)
{
    sys_mutex_lock(&state.lock);
    ASSERT(state.diverted);
    (void)sigaction(state.diverted, &state.replaced, NULL);
    state.diverted = 0;
    __atomic_store_n(&state.divert_fd, -1, __ATOMIC_RELEASE);
    sys_mutex_unlock(&state.lock);
}

static int set_disposition(int signo, void (*handler)(int))
{
    FAULT();
    struct sigaction sa = {.sa_handler = handler};
    return RETRY_INT(sigaction(signo, &sa, NULL));
}

int sys_signal_ignore(int signo)
{
    return set_disposition(signo, SIG_IGN);
}

int sys_signal_default(int signo)
{
    return set_disposition(signo, SIG_DFL);
}

bool sys_signal_is_ignored(int signo)
{
    struct sigaction sa;
    return sigaction(signo, NULL, &sa) == 0 && sa.sa_handler == SIG_IGN;
}

int sys_signal_raise(int signo)
{
    return raise(signo) ? -errno : 0;
}

void sys_signal_unblock_all(void)
{
    sigset_t none;
    (void)sigemptyset(&none);
    (void)pthread_sigmask(SIG_SETMASK, &none, NULL);
}

static void on_crash(int signo, siginfo_t *info, void *ucontext)
{
    crash_fn(signo, info, ucontext);
    _exit(128 + signo);
}

int sys_crash_handler_set(void (*fn)(int signo, const siginfo_t *info, void *ucontext))
{
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
    FAULT();
    ASSERT(fn);
    if (!crash_fn) {
        stack_t stack = {.ss_size = CRASH_STACK_SIZE};
        int rc = sys_mem_map(CRASH_STACK_SIZE, &stack.ss_sp);
        if (rc == 0) rc = RETRY_INT(sigaltstack(&stack, NULL));
        if (rc < 0) return rc;
    }
    crash_fn = fn;
    /* SA_RESETHAND: a crash in the handler ends the process. */
    struct sigaction sa = {.sa_sigaction = on_crash,
                           .sa_flags = (int)(SA_SIGINFO | SA_ONSTACK | SA_RESETHAND | SA_NODEFER)};
    (void)sigemptyset(&sa.sa_mask);
    for (u32 i = 0; i < COUNT(crashes); i++) {
        int rc = RETRY_INT(sigaction(crashes[i], &sa, NULL));
        if (rc < 0) return rc;
    }
    return 0;
}

int sys_crash_handler_share_stack(void)
{
    static const int shared[] = {SIGSEGV, SIGBUS};
    for (u32 i = 0; i < COUNT(shared); i++) {
        struct sigaction sa;
        int rc = RETRY_INT(sigaction(shared[i], NULL, &sa));
        if (rc < 0) return rc;
        if (sa.sa_handler == SIG_DFL || sa.sa_handler == SIG_IGN || (sa.sa_flags & SA_ONSTACK))
            continue;
        sa.sa_flags |= SA_ONSTACK;
        rc = RETRY_INT(sigaction(shared[i], &sa, NULL));
        if (rc < 0) return rc;
    }
    return 0;
}
