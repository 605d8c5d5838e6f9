#pragma once
/* tools/embed/hosttest.h -- for tests of host programs: a folder of their own, files, commands. */
#include "embed/host.h"

/* Makes a new folder in $TMPDIR or /tmp; hosttest_end removes it. */
void hosttest_begin(void);
/* The absolute path of `path` in that folder; valid until the end. */
const char *hosttest_path(const char *path);
void hosttest_file(const char *path, const char *content);
void hosttest_remove(const char *path);
/* Runs a shell command in the folder, collects stdout and stderr; returns the exit code, or -1. */
int hosttest_run(const char *command, Text *ret);

/* Counts a check; a failed one is printed. Returns `ok`. */
bool hosttest_check(bool ok, const char *what);
/* Checks that `text` has `part` in it; prints the text if not. */
bool hosttest_has(const Text *text, const char *part);
bool hosttest_lacks(const Text *text, const char *part);

/* Prints "N passed, N failed" and returns what main should. */
int hosttest_end(void);
