/* bench/first.c -- from exec to the first answered request.
 *
 *     gcc -O2 -std=gnu17 -D_GNU_SOURCE bench/first.c -o build/first
 *     build/first ROUNDS SCRIPT BINARY...
 *
 * Runs each BINARY with SCRIPT by turns, PORT in its environment, asks for / until there is an
 * answer, and prints the medians and minima of the time that took and of the CPU time that the
 * process had used by then. */
#include <arpa/inet.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BINARIES_MAX = 8, ROUNDS_MAX = 1000 };

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int connect_to(int port)
{
    struct sockaddr_in a = {.sin_family = AF_INET,
                            .sin_port = htons((unsigned short)port),
                            .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(fd, (struct sockaddr *)&a, sizeof a) == 0) return fd;
    (void)close(fd);
    return -1;
}

static int free_port(void)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof a;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(fd, (struct sockaddr *)&a, len) < 0) exit(2);
    (void)getsockname(fd, (struct sockaddr *)&a, &len);
    (void)close(fd);
    return ntohs(a.sin_port);
}

static pid_t start(const char *binary, const char *script, int port)
{
    char text[16];
    (void)snprintf(text, sizeof text, "%d", port);
    (void)setenv("PORT", text, 1);
    pid_t pid = fork();
    if (pid) return pid;
    (void)execl(binary, binary, script, (char *)NULL);
    _exit(127);
}

static void measure(const char *binary, const char *script, double *ret_wall, double *ret_cpu)
{
    static const char request[] = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    char answer[4096];
    int port = free_port(), fd;
    double from = seconds(CLOCK_MONOTONIC);
    pid_t pid = start(binary, script, port);
    while ((fd = connect_to(port)) < 0) {
        struct timespec nap = {.tv_nsec = 50000};
        (void)nanosleep(&nap, NULL);
        if (seconds(CLOCK_MONOTONIC) - from > 10) exit(2);
    }
    if (write(fd, request, sizeof request - 1) < 0 || read(fd, answer, sizeof answer) <= 0) exit(2);
    *ret_wall = (seconds(CLOCK_MONOTONIC) - from) * 1e3;
    *ret_cpu = seconds((clockid_t)(~(unsigned)pid << 3 | 2)) * 1e3;
    if (memcmp(answer, "HTTP/1.1 200", 12) != 0) exit(2);
    (void)close(fd);
    (void)kill(pid, SIGKILL);
    (void)waitpid(pid, NULL, 0);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

int main(int argc, char **argv)
{
    static double wall[BINARIES_MAX][ROUNDS_MAX], cpu[BINARIES_MAX][ROUNDS_MAX];
    int rounds = argc > 3 ? atoi(argv[1]) : 0, n = argc - 3;
    if (rounds < 1 || rounds > ROUNDS_MAX || n > BINARIES_MAX) {
        (void)fprintf(stderr, "usage: first ROUNDS SCRIPT BINARY...\n");
        return 2;
    }
    for (int r = 0; r < rounds; r++) {
        for (int i = 0; i < n; i++) measure(argv[3 + i], argv[2], &wall[i][r], &cpu[i][r]);
    }
    for (int i = 0; i < n; i++) {
        qsort(wall[i], (size_t)rounds, sizeof(double), by_value);
        qsort(cpu[i], (size_t)rounds, sizeof(double), by_value);
        printf("%s: %.2f ms (%.2f), CPU %.2f ms (%.2f)\n", argv[3 + i], wall[i][rounds / 2],
               wall[i][0], cpu[i][rounds / 2], cpu[i][0]);
    }
    return 0;
}
