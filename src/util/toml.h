/* util/toml.h -- TOML 1.1 (https://toml.io/en/v1.1.0): text to an arena tree.
 *
 * Every node knows where it stands in the source.  Entries of a table keep the order of the text.
 * Strings are decoded; those without escapes point into the source, which must outlive the tree.
 *
 * Nesting is limited to TOML_DEPTH_MAX, so that consumers may walk a tree by recursion. */
#pragma once

#include "util/str.h"

enum { TOML_DEPTH_MAX = 500 };

typedef enum {
    TOML_STRING,
    TOML_INTEGER,
    TOML_FLOAT,
    TOML_BOOLEAN,
    TOML_DATETIME,       /* with an offset */
    TOML_LOCAL_DATETIME, /* these four: RFC 3339 text with 'T', 'Z' and seconds in `str` */
    TOML_LOCAL_DATE,
    TOML_LOCAL_TIME,
    TOML_ARRAY,
    TOML_TABLE,
} TomlKind;

typedef struct TomlNode TomlNode;
typedef struct {
    Str key;
    u32 key_at; /* byte offset of the key */
    TomlNode *value;
} TomlEntry;

struct TomlNode {
    u8 kind;      /* TomlKind */
    u8 origin;    /* the parser's: how a table or an array came to be */
    u16 depth;    /* 0 is the root */
    u32 at, size; /* where it stands; for a table with a header, the header */
    u32 len, cap; /* children */
    u32 section;  /* the parser's: the header below which a dotted key made this table */
    union {
        Str str;
        i64 integer;
        f64 number;
        bool boolean;
        TomlNode **items;   /* of an array */
        TomlEntry *entries; /* of a table */
    };
    void *index; /* the parser's: finds keys of large tables */
};

typedef struct {
    u32 offset, line, column; /* line and column count from 1, columns in bytes */
    const char *what;         /* a constant: "expected '=' after a key" */
} TomlError;

/* Parses the whole of `text` (at most 4 GiB, UTF-8; a byte order mark is skipped).  *ret is a
 * table. False: *ret_err says where and why. */
NODISCARD bool toml_parse(Arena *a, Str text, const TomlNode **ret, TomlError *ret_err);

/* The value of `key`; NULL when there is none or `n` is NULL or no table. */
const TomlNode *toml_find(const TomlNode *n, Str key);
/* "string", "array", ...: a constant for messages. */
const char *toml_kind_name(const TomlNode *n);
