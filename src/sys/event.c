/* sys/event.c -- pipes, eventfds and the ways to wait for descriptors. */
#include "sys/call.h"

#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { NS_PER_S = 1000000000, NS_PER_MS = 1000000, WAIT_MS_MAX = 1 << 30 };

int sys_pipe(bool nonblock, int ret[2])
{
    FAULT();
    return RETRY_INT(pipe2(ret, O_CLOEXEC | (nonblock ? O_NONBLOCK : 0)));
}

int sys_socketpair(bool nonblock, int ret[2])
{
    FAULT();
    int type = SOCK_STREAM | SOCK_CLOEXEC | (nonblock ? SOCK_NONBLOCK : 0);
    return RETRY_INT(socketpair(AF_UNIX, type, 0, ret));
}

int sys_eventfd(void)
{
    FAULT();
    return RETRY_INT(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
}

int sys_eventfd_signal(int fd)
{
    u64 one = 1;
    i64 n = RETRY(write(fd, &one, sizeof(one)));
    /* A full counter wakes the reader just as well. */
    return n < 0 && n != -EAGAIN ? (int)n : 0;
}

u64 sys_eventfd_take(int fd)
{
    u64 n;
    return RETRY(read(fd, &n, sizeof(n))) == (i64)sizeof(n) ? n : 0;
}

static struct timespec *timespec_of(u64 ns, struct timespec *ts)
{
    if (ns == UINT64_MAX) return NULL;
    *ts = (struct timespec){.tv_sec = (time_t)(ns / NS_PER_S), .tv_nsec = (long)(ns % NS_PER_S)};
    return ts;
}

int sys_poll(struct pollfd *fds, u32 len, u64 timeout_ns)
{
    FAULT();
    struct timespec ts;
    int n = ppoll(fds, len, timespec_of(timeout_ns, &ts), NULL);
    if (n < 0) return errno == EINTR ? 0 : -errno;
    return n;
}

int sys_epoll_open(void)
{
    FAULT();
    return RETRY_INT(epoll_create1(EPOLL_CLOEXEC));
}

int sys_epoll_set(int epoll_fd, int op, int fd, struct epoll_event *event)
{
    FAULT();
    return RETRY_INT(epoll_ctl(epoll_fd, op, fd, event));
}

int sys_epoll_wait(int epoll_fd, struct epoll_event *events, u32 len, u64 timeout_ns)
{
    static bool has_no_pwait2; /* a race only asks twice */
    FAULT();
    struct timespec ts;
    int n;
    if (!__atomic_load_n(&has_no_pwait2, __ATOMIC_RELAXED)) {
        n = epoll_pwait2(epoll_fd, events, (int)len, timespec_of(timeout_ns, &ts), NULL);
        if (n >= 0) return n;
        if (errno == EINTR) return 0;
        if (errno != ENOSYS && errno != EPERM) return -errno;
        __atomic_store_n(&has_no_pwait2, true, __ATOMIC_RELAXED);
    }
    int ms = -1;
    if (timeout_ns != UINT64_MAX) {
        /* Rounded up: waking early would only lead to another wait. */
        u64 up = timeout_ns / NS_PER_MS + (timeout_ns % NS_PER_MS != 0);
        ms = (int)MIN(up, (u64)WAIT_MS_MAX);
    }
    n = epoll_wait(epoll_fd, events, (int)len, ms);
    if (n < 0) return errno == EINTR ? 0 : -errno;
    return n;
}

int sys_inotify_open(void)
{
    FAULT();
    return RETRY_INT(inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
}

int sys_inotify_add(int fd, Str path, u32 mask)
{
    FAULT();
    PATH_Z(z, path);
    return RETRY_INT(inotify_add_watch(fd, z.z, mask));
}

int sys_inotify_del(int fd, int watch)
{
    return RETRY_INT(inotify_rm_watch(fd, watch));
}
