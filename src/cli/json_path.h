/* cli/json_path.h -- paths of values as npm writes them: "scripts.build", "scripts[test.unit]",
 * "files[0]", "files[]" (behind the last). */
#pragma once

#include "util/json.h"

enum { CLI_JSON_STEPS_MAX = 64 };

typedef struct {
    Str key;
    bool is_end; /* "[]" */
} CliJsonStep;

typedef struct {
    Str text; /* as given */
    CliJsonStep at[CLI_JSON_STEPS_MAX];
    u32 len;
} CliJsonPath;

/* false: it is no path. */
NODISCARD bool cli_json_path_parse(Str text, CliJsonPath *ret);
/* The value there, or NULL. */
const JsonNode *cli_json_path_find(const JsonNode *root, const CliJsonPath *path);
