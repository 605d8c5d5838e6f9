/* bench/measure.c -- what processes cost, seen from outside.
 *
 * usage: measure [-n RUNS] -- COMMAND... [-- COMMAND...]...
 * Runs the commands in turn, RUNS times each (after one run that does not count), with their output
 * thrown away, and prints a line for each: wall time (median, best, spread), CPU time (median,
 * best) in milliseconds, page faults (median), peak of resident memory (median, MB). */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { COMMANDS_MAX = 16, RUNS_MAX = 1000 };

typedef struct {
    char **argv;
    double wall[RUNS_MAX], cpu[RUNS_MAX], faults[RUNS_MAX], rss[RUNS_MAX];
} Command;

static Command commands[COMMANDS_MAX];
static int n_commands;

static double now_ms(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static double ms_of(struct timeval t)
{
    return (double)t.tv_sec * 1e3 + (double)t.tv_usec / 1e3;
}

static void child(char **argv)
{
    int null = open("/dev/null", O_RDWR);
    for (int fd = 0; fd < 3; fd++) (void)dup2(null, fd);
    (void)execvp(argv[0], argv);
    _exit(127);
}

static void run_once(Command *c, int idx)
{
    struct rusage usage;
    int status;
    double begin = now_ms();
    pid_t pid = fork();
    if (pid == 0) child(c->argv);
    if (pid < 0 || wait4(pid, &status, 0, &usage) != pid) {
        perror("measure");
        exit(1);
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
        (void)fprintf(stderr, "measure: cannot run %s\n", c->argv[0]);
        exit(1);
    }
    c->wall[idx] = now_ms() - begin;
    c->cpu[idx] = ms_of(usage.ru_utime) + ms_of(usage.ru_stime);
    c->faults[idx] = (double)(usage.ru_minflt + usage.ru_majflt);
    c->rss[idx] = (double)usage.ru_maxrss / 1024;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(double *v, int n)
{
    qsort(v, (size_t)n, sizeof(*v), compare);
    return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

static int take_arguments(int argc, char **argv)
{
    int runs = 60, i = 1;
    if (argc > 2 && !strcmp(argv[1], "-n")) {
        char *end;
        runs = 0;
        for (end = argv[2]; *end >= '0' && *end <= '9' && runs < RUNS_MAX; end++)
            runs = runs * 10 + (*end - '0');
        i = 3;
    }
    for (; i < argc; i++) {
        if (strcmp(argv[i], "--") != 0) continue;
        argv[i] = NULL; /* ends the command before */
        if (i + 1 < argc && n_commands < COMMANDS_MAX) commands[n_commands++].argv = argv + i + 1;
    }
    return runs > 0 && runs <= RUNS_MAX ? runs : 0;
}

int main(int argc, char **argv)
{
    int runs = take_arguments(argc, argv);
    if (!runs || !n_commands) {
        (void)fprintf(stderr, "usage: measure [-n RUNS] -- COMMAND... [-- COMMAND...]...\n");
        return 2;
    }
    for (int c = 0; c < n_commands; c++) run_once(&commands[c], 0);
    for (int i = 0; i < runs; i++)
        for (int c = 0; c < n_commands; c++) run_once(&commands[c], i);
    (void)printf("%8s %8s %8s %8s %8s %8s %8s\n", "wall", "best", "spread", "cpu", "best", "faults",
                 "rss MB");
    for (int i = 0; i < n_commands; i++) {
        Command *c = &commands[i];
        double wall = median(c->wall, runs), cpu = median(c->cpu, runs); /* sorted from here on */
        (void)printf("%8.2f %8.2f %8.2f %8.2f %8.2f %8.0f %8.1f  %s\n", wall, c->wall[0],
                     c->wall[runs - 1] - c->wall[0], cpu, c->cpu[0], median(c->faults, runs),
                     median(c->rss, runs), c->argv[0]);
    }
    return 0;
}
