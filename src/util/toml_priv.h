/* util/toml_priv.h -- what the files of the TOML parser share. */
#pragma once

#include "util/toml.h"

typedef struct {
    const char *start, *at, *end;
    Arena *arena;
    u32 section;
    const char *what, *what_at; /* the first error */
} TomlParser;

/* All return false, so that `return toml_fail(...)` reports and fails. */
bool toml_fail_at(TomlParser *p, const char *at, const char *what);
bool toml_fail(TomlParser *p, const char *what);

/* At a quote: any of the four forms of strings.  `is_key`: the multi-line forms are refused. */
NODISCARD bool toml_take_string(TomlParser *p, bool is_key, Str *ret);
/* A number, date or time; fills kind and value. */
NODISCARD bool toml_take_scalar(TomlParser *p, TomlNode *ret);

static inline bool toml_is_digit(char c)
{
    return c >= '0' && c <= '9';
}
static inline char toml_peek(const TomlParser *p, usize i)
{
    return (usize)(p->end - p->at) > i ? p->at[i] : 0;
}
