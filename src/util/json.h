/* util/json.h -- JSON, JSON with comments, and JSON5: text to an arena tree, and text from it.
 *
 * A node points into the source text, which must outlive the tree: numbers keep their exact text,
 * strings are decoded when they are asked for, and every node has its span.  Members stay in source
 * order with duplicates; a lookup takes the last of equal keys, as JSON.parse does.
 *
 * Nesting is limited to JSON_DEPTH_MAX, so that consumers may walk a tree by recursion. */
#pragma once

#include "util/buf.h"

enum {
    JSON_DEPTH_MAX = 1000,
};

typedef enum {
    JSON_COMMENTS = 1,        /* line and block comments */
    JSON_TRAILING_COMMAS = 2, /* one comma before a closing bracket */
    JSON_JSONC = 3,           /* both: tsconfig.json, package.json, bun.lock */
    JSON_JSON5 = 7,           /* and the rest of https://spec.json5.org */
} JsonFlags;

typedef enum {
    JSON_NULL,
    JSON_FALSE,
    JSON_TRUE,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT,
} JsonKind;

typedef struct JsonNode {
    u8 kind;                /* JsonKind */
    bool has_escape;        /* strings: the text between the quotes is not the value */
    bool is_bare;           /* a JSON5 key without quotes */
    u32 size;               /* bytes of source, quotes and brackets included */
    const char *at;         /* where it starts in the source */
    u32 len;                /* elements of an array, members of an object */
    struct JsonNode *items; /* elements; or key, value, key, value ... */
} JsonNode;

typedef struct {
    u32 offset, line, column; /* line and column count from 1, columns in bytes */
    const char *what;         /* "expected ',' or '}' after a member": a constant */
} JsonError;

/* Parses the whole of `text` (at most 4 GiB; a UTF-8 byte order mark is skipped).  False: *ret_err
 * says where and what was expected, and *ret is untouched. */
NODISCARD bool json_parse(Arena *a, Str text, JsonFlags flags, JsonNode *ret, JsonError *ret_err);

/* The value of the last member named `key`; NULL when there is none or `n` is NULL or no object. */
const JsonNode *json_find(const JsonNode *n, Str key);
/* Whether `n` is a string (or key) that decodes to `s`. */
bool json_is(const JsonNode *n, Str s);
/* The decoded value of a string or key: borrowed from the source when it has no escapes, else in
 * `a`.  Lone surrogates become U+FFFD. */
Str json_str(Arena *a, const JsonNode *n);
/* The decoded string, or an empty Str (p == NULL) when `n` is NULL or not a string. */
Str json_find_str(Arena *a, const JsonNode *obj, Str key);
/* The source text of any node. */
Str json_text(const JsonNode *n);
/* The nearest double; `n` must be a number. */
f64 json_number(const JsonNode *n);
/* The length of the longest common indentation step of the first indented line: "  ", "\t"...; an
 * empty Str for text on one line.  Borrowed from `text`. */
Str json_indent_of(Str text);

/* Appends `s` as a JSON string with quotes.  Bytes that are not UTF-8 are written as U+FFFD. */
void json_write_str(Buf *b, Str s);
/* Appends the tree as JSON in the layout of JSON.stringify(value, null, indent): on one line when
 * `indent` is empty.  Numbers keep their text (JSON5 numbers that JSON cannot write become their
 * nearest decimal form or null); comments are lost. */
void json_write(Buf *b, const JsonNode *n, Str indent);
