/* sys/clock.c -- clocks and random bytes. */
#include "sys/call.h"

#include <sys/random.h>
#include <time.h>

enum { NS_PER_S = 1000000000 };

static u64 clock_ns(clockid_t id)
{
    struct timespec ts;
    if (clock_gettime(id, &ts) < 0) BUG("clock_gettime failed");
    return (u64)ts.tv_sec * NS_PER_S + (u64)ts.tv_nsec;
}

u64 sys_monotonic_ns(void)
{
    return clock_ns(CLOCK_MONOTONIC);
}

u64 sys_realtime_ns(void)
{
    return clock_ns(CLOCK_REALTIME);
}

u64 sys_cpu_process_ns(void)
{
    return clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}

u64 sys_cpu_thread_ns(void)
{
    return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

void sys_sleep_ns(u64 ns)
{
    struct timespec ts = {.tv_sec = (time_t)(ns / NS_PER_S), .tv_nsec = (long)(ns % NS_PER_S)};
    while (clock_nanosleep(CLOCK_MONOTONIC, 0, &ts, &ts) == EINTR) {
    }
}

void sys_random(void *buf, usize len)
{
    for (usize n = 0; n < len;) {
        i64 k = RETRY(getrandom((char *)buf + n, len - n, 0));
        if (k < 0) BUG("getrandom failed");
        n += (usize)k;
    }
}
