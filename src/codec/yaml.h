/* codec/yaml.h -- YAML 1.2 with the core schema and merge keys: text to an arena tree.
 *
 * The events come from libfyaml; what a plain scalar means is decided here (YAML 1.2.2, 10.3.2).
 * An alias is a pointer to the node that has the anchor, so a tree may share nodes and even contain
 * itself.  Nesting is limited to YAML_DEPTH_MAX. */
#pragma once

#include "util/arena.h"
#include "util/str.h"

enum { YAML_DEPTH_MAX = 500 };

typedef enum {
    YAML_NULL,
    YAML_BOOL,
    YAML_NUMBER,
    YAML_STRING,
    YAML_SEQUENCE,
    YAML_MAPPING, /* items: key, value, key, value ... */
} YamlKind;

typedef struct YamlNode {
    u8 kind;       /* YamlKind */
    bool boolean;  /* of YAML_BOOL */
    bool is_merge; /* a plain `<<`, as a key */
    u32 shared;    /* 0, or the number of a node that aliases refer to, from 1 */
    u32 len, cap;  /* items */
    f64 number;
    Str str; /* of YAML_STRING; of other scalars the text */
    struct YamlNode **items;
} YamlNode;

typedef struct {
    YamlNode **documents;
    u32 len;
    u32 n_shared;
} Yaml;

typedef struct {
    u32 line, column; /* from 1; 0 when unknown */
    Str what;         /* in the arena */
} YamlError;

/* Everything is in `a`; `text` (UTF-8) is borrowed for the call.  False: *ret_err says why. */
NODISCARD bool yaml_parse(Arena *a, Str text, Yaml *ret, YamlError *ret_err);
