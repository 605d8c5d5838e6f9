/* test_run.h -- what the tests of so2obj need: a directory of their own, files, processes, counts.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define OUTPUT_SIZE_MAX 65536

/* How a process ended: `code` is its exit code, or minus the number of the signal that killed it.
 * `text` is what it wrote on stdout and stderr, with a zero byte after it. */
typedef struct {
    int code;
    char text[OUTPUT_SIZE_MAX];
} Output;

/* Makes a directory for the files of the tests and goes there; ends the process when it cannot. */
void test_begin(void);

/* Removes the directory, prints `N passed, N failed`; returns the exit code. */
int test_end(void);

/* Counts a result; `output`, when not NULL, is printed after a failure. */
void test_check(bool ok, const char *test, const char *what, const Output *output);

/* Writes a file of the directory; ends the process when it cannot. */
void test_write(const char *name, const void *data, size_t size);
void test_write_text(const char *name, const char *text);

/* Reads a file; the caller frees the data.  Ends the process when it cannot. */
unsigned char *test_read(const char *name, size_t *ret_size);

/* Runs a command line, which is cut at spaces; no shell is involved. */
void test_run(Output *ret, const char *format, ...) __attribute__((format(printf, 2, 3)));
