#pragma once
/* tools/check/findings.h -- what a checker prints and how it ends. */
#include <stddef.h>

/* Prints "path:line: message" on stdout. */
void finding(const char *path, unsigned line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Prints "NAME: N files, N findings"; returns what main should: 1 if there was a finding. */
int findings_end(const char *name, size_t n_files);

/* Reads tools/limits.allow, lines of `path function limit reason`; a missing file allows nothing.
 */
void limits_read(const char *path);
/* How many lines `function` of `path` may have; "-" is the file itself. `usual` if nothing is said,
 * never more than `hard`. Call it only for what is longer than `usual`. */
unsigned limits_get(const char *path, const char *function, unsigned usual, unsigned hard);
/* A finding for each entry that limits_get never asked for: nothing is that long any more. */
void limits_end(void);
