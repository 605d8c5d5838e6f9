/* tools/check/findings.c -- what a checker prints and how it ends. */
#include "check/findings.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "embed/host.h"

typedef struct {
    char *path, *function;
    unsigned lines, line;
    bool used;
} Limit;

static size_t n_findings;
static const char *limits_path;
static Limit *limits;
static size_t n_limits, limits_cap;

void finding(const char *path, unsigned line, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    (void)printf("%s:%u: ", path, line);
    (void)vprintf(fmt, ap);
    (void)putchar('\n');
    va_end(ap);
    n_findings++;
}

int findings_end(const char *name, size_t n_files)
{
    (void)printf("%s: %zu files, %zu findings\n", name, n_files, n_findings);
    return n_findings ? 1 : 0;
}

static void read_limit(const char *text, unsigned line)
{
    Limit limit = {.line = line};
    int reason = 0;
    int n = sscanf(text, "%ms %ms %u %n", &limit.path, &limit.function, &limit.lines, &reason);
    if (n < 1 || *limit.path == '#') return;
    if (n < 3 || !text[reason] || text[reason] == '\n') {
        finding(limits_path, line, "an entry is `path function limit reason`");
        return;
    }
    limits = host_grow(limits, n_limits, &limits_cap, sizeof(Limit));
    limits[n_limits++] = limit;
}

void limits_read(const char *path)
{
    Text text = {0};
    limits_path = path;
    if (!host_read(path, &text)) {
        if (errno != ENOENT) host_die("%s: %s", path, strerror(errno));
        return;
    }
    unsigned line = 1;
    for (char *p = text.p, *next; *p; p = next, line++) {
        next = strchr(p, '\n');
        if (next) *next++ = 0;
        if (!next) next = p + strlen(p);
        read_limit(p, line);
    }
    free(text.p);
}

unsigned limits_get(const char *path, const char *function, unsigned usual, unsigned hard)
{
    for (size_t i = 0; i < n_limits; i++) {
        if (strcmp(limits[i].path, path) != 0 || strcmp(limits[i].function, function) != 0)
            continue;
        limits[i].used = true;
        return limits[i].lines < hard ? limits[i].lines : hard;
    }
    return usual;
}

void limits_end(void)
{
    for (size_t i = 0; i < n_limits; i++) {
        if (limits[i].used) continue;
        finding(limits_path, limits[i].line, "%s in %s is within the usual limit; drop the entry",
                limits[i].function, limits[i].path);
    }
}
