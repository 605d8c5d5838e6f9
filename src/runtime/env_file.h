/* runtime/env_file.h -- .env files: NAME=value lines that add to the environment.
 *
 * A variable that the process already has always wins.  Among files the later one does.  `$NAME`,
 * `${NAME}` and `${NAME:-default}` in values are replaced once everything is read, whatever the
 * quotes;
 * `\$` is a plain dollar sign. */
#pragma once

#include "util/arena.h"
#include "util/log.h"
#include "util/str.h"

/* Loads .env, .env.<mode>, .env.local, .env.<mode>.local of the current folder, in rising
 * precedence; <mode> is NODE_ENV or "development", and .env.local is left out when it is "test".
 * Files that do not exist are fine; one that cannot be read is an error in `log`. */
bool env_files_load_default(Arena *a, Log *log);
/* The same for named files, which must exist. */
bool env_files_load(Arena *a, Log *log, const Str *paths, u32 n_paths);

typedef struct {
    Str name, value;
} EnvEntry;
typedef Vec(EnvEntry) EnvEntries;
/* Only parses; values are not expanded.  What is not an assignment is skipped. */
void env_file_parse(Arena *a, Str text, EnvEntries *ret);
