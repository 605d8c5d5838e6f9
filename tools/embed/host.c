/* tools/embed/host.c -- memory, files and folders for programs that run while building. */
#include "embed/host.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WALK_DEPTH_MAX 32

void host_die(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    (void)fprintf(stderr, "%s: ", program_invocation_short_name);
    (void)vfprintf(stderr, fmt, ap);
    (void)fputc('\n', stderr);
    va_end(ap);
    exit(2);
}

void *host_alloc(size_t size)
{
    void *p = calloc(1, size ? size : 1);
    if (!p) host_die("out of memory");
    return p;
}

void *host_grow(void *items, size_t len, size_t *cap, size_t size)
{
    if (len < *cap) return items;
    *cap = *cap ? *cap * 2 : 16;
    void *p = reallocarray(items, *cap, size);
    if (!p) host_die("out of memory");
    return p;
}

char *host_format(const char *fmt, ...)
{
    char *p = NULL;
    va_list ap;
    va_start(ap, fmt);
    int len = vasprintf(&p, fmt, ap);
    va_end(ap);
    if (len < 0) host_die("out of memory");
    return p;
}

void text_put(Text *text, const char *p, size_t len)
{
    if (text->len + len >= text->cap) {
        size_t cap = (text->len + len + 64) * 2;
        char *moved = realloc(text->p, cap);
        if (!moved) host_die("out of memory");
        text->p = moved;
        text->cap = cap;
    }
    if (len) memcpy(text->p + text->len, p, len);
    text->len += len;
    text->p[text->len] = 0;
}

void text_str(Text *text, const char *str)
{
    text_put(text, str, strlen(str));
}

void text_format(Text *text, const char *fmt, ...)
{
    char *p = NULL;
    va_list ap;
    va_start(ap, fmt);
    int len = vasprintf(&p, fmt, ap);
    va_end(ap);
    if (len < 0) host_die("out of memory");
    text_put(text, p, (size_t)len);
    free(p);
}

void names_push(Names *names, char *name)
{
    names->v = host_grow(names->v, names->len, &names->cap, sizeof(char *));
    names->v[names->len++] = name;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void names_sort(Names *names)
{
    if (names->len) qsort(names->v, names->len, sizeof(char *), compare_names);
}

long names_find(const Names *names, const char *name, size_t len)
{
    size_t lo = 0, hi = names->len;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        int order = strncmp(names->v[mid], name, len);
        if (!order && names->v[mid][len]) order = 1;
        if (!order) return (long)mid;
        if (order < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return -1;
}

bool host_read(const char *path, Text *ret)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    char block[65536];
    ssize_t n;
    text_put(ret, "", 0);
    while ((n = read(fd, block, sizeof block)) != 0) {
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) break;
        text_put(ret, block, (size_t)n);
    }
    int saved = errno;
    close(fd);
    errno = saved;
    return n == 0;
}

void host_make_parents(const char *path)
{
    char *copy = host_format("%s", path);
    for (char *p = copy + 1; *p; p++) {
        if (*p != '/') continue;
        *p = 0;
        if (mkdir(copy, 0777) && errno != EEXIST) host_die("%s: %s", copy, strerror(errno));
        *p = '/';
    }
    free(copy);
}

void host_write(const char *path, const Text *text)
{
    char *tmp = host_format("%s.%ld.tmp", path, (long)getpid());
    host_make_parents(path);
    FILE *file = fopen(tmp, "we");
    if (!file) host_die("%s: %s", tmp, strerror(errno));
    bool ok = fwrite(text->p, 1, text->len, file) == text->len;
    ok = fclose(file) == 0 && ok;
    if (!ok || rename(tmp, path)) {
        int saved = errno;
        (void)unlink(tmp);
        host_die("%s: %s", path, strerror(saved));
    }
    free(tmp);
}

static void walk(const char *root, const char *dir, int depth, Names *ret)
{
    if (depth > WALK_DEPTH_MAX) host_die("%s/%s: folders too deep", root, dir);
    char *path = host_format("%s/%s", root, dir);
    DIR *handle = opendir(path);
    if (!handle) {
        if (errno == ENOENT) return;
        host_die("%s: %s", path, strerror(errno));
    }
    for (struct dirent *entry; (entry = readdir(handle));) {
        if (entry->d_name[0] == '.') continue;
        char *name = host_format("%s%s%s", dir, *dir ? "/" : "", entry->d_name);
        char *full = host_format("%s/%s", root, name);
        struct stat st;
        if (lstat(full, &st)) continue;
        if (S_ISDIR(st.st_mode)) walk(root, name, depth + 1, ret);
        if (S_ISREG(st.st_mode)) names_push(ret, name);
    }
    closedir(handle);
}

void host_walk(const char *root, Names *ret)
{
    walk(root, "", 0, ret);
    names_sort(ret);
}

bool has_suffix(const char *str, const char *suffix)
{
    size_t n = strlen(str), m = strlen(suffix);
    return n >= m && !strcmp(str + n - m, suffix);
}

bool has_prefix(const char *str, const char *prefix)
{
    return !strncmp(str, prefix, strlen(prefix));
}

const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
