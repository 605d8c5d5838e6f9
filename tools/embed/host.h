#pragma once
/* tools/embed/host.h -- memory, files and folders for programs that run while building.
 * They are short-lived: nothing is freed, and running out of memory or disk ends the program. */
#include <stdbool.h>
#include <stddef.h>

typedef struct {
    char *p; /* a NUL follows len, once something was put */
    size_t len, cap;
} Text;

typedef struct {
    char **v;
    size_t len, cap;
} Names;

/* Prints "program: message" on stderr and exits with 2: for what is not the input's fault. */
_Noreturn void host_die(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Zeroed; never NULL. */
void *host_alloc(size_t size);
/* Doubles `*cap` items of `size` bytes when `len` has reached it; returns the (moved) array. */
void *host_grow(void *items, size_t len, size_t *cap, size_t size);
char *host_format(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

void text_put(Text *text, const char *p, size_t len);
void text_str(Text *text, const char *str);
void text_format(Text *text, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

void names_push(Names *names, char *name);
void names_sort(Names *names);
/* Index of the name in a sorted list, or -1. */
long names_find(const Names *names, const char *name, size_t len);

/* False if the file cannot be read; errno says why. `*ret` is appended to. */
bool host_read(const char *path, Text *ret);
/* Writes beside the file, then renames; makes missing folders. */
void host_write(const char *path, const Text *text);
void host_make_parents(const char *path);
/* Appends the paths, relative to `root`, of all regular files below it, sorted by bytes. Names that
 * start with a dot are left out, and links are not followed. A missing root has no files. */
void host_walk(const char *root, Names *ret);

bool has_suffix(const char *str, const char *suffix);
bool has_prefix(const char *str, const char *prefix);
/* The part after the last slash. */
const char *base_name(const char *path);
