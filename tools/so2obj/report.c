/* report.c -- messages, memory and whole files: what every part of so2obj needs. */
#include "so2obj.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool fail(Report *report, const char *file, const char *format, ...)
{
    if (report->text[0]) return false;
    int n = snprintf(report->text, sizeof report->text, "%s: ", file);
    if (n < 0 || (size_t)n >= sizeof report->text) return false;
    va_list args;
    va_start(args, format);
    (void)vsnprintf(report->text + n, sizeof report->text - (size_t)n, format, args);
    va_end(args);
    return false;
}

static void out_of_memory(void)
{
    (void)fputs("so2obj: out of memory\n", stderr);
    exit(1);
}

void *mem_zero(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size);
    if (!p) out_of_memory();
    return p;
}

void *mem_grow(void *old, size_t n, size_t size)
{
    size_t bytes = 0;
    if (__builtin_mul_overflow(n, size, &bytes)) out_of_memory();
    void *p = realloc(old, bytes);
    if (!p) out_of_memory();
    return p;
}

static bool read_all(FILE *f, const char *path, Report *report, uint8_t *data, size_t size)
{
    if (fread(data, 1, size, f) == size) return true;
    return fail(report, path, "cannot be read to its end: %s",
                ferror(f) ? strerror(errno) : "the file became shorter while it was read");
}

bool file_read(const char *path, Report *report, uint8_t **ret_data, size_t *ret_size)
{
    FILE *f = fopen(path, "rb");
    if (!f) return fail(report, path, "cannot be opened: %s", strerror(errno));
    bool ok = false;
    uint8_t *data = NULL;
    struct stat st;
    if (fstat(fileno(f), &st) < 0) {
        (void)fail(report, path, "cannot be examined: %s", strerror(errno));
        goto out;
    }
    if (!S_ISREG(st.st_mode)) {
        (void)fail(report, path, "is not a regular file; give the shared object itself");
        goto out;
    }
    if ((uint64_t)st.st_size > INPUT_SIZE_MAX) {
        (void)fail(report, path, "has %jd bytes; the limit is 1 GiB", (intmax_t)st.st_size);
        goto out;
    }
    data = mem_zero((size_t)st.st_size, 1);
    ok = read_all(f, path, report, data, (size_t)st.st_size);
out:
    (void)fclose(f);
    if (!ok) {
        free(data);
        return false;
    }
    *ret_data = data;
    *ret_size = (size_t)st.st_size;
    return true;
}
