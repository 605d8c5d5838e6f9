/* codec/multipart.h -- multipart/form-data (RFC 7578, RFC 2046 section 5.1).  No engine. */
#pragma once

#include "util/arena.h"
#include "util/str.h"

enum {
    MULTIPART_PARTS_MAX = 1 << 16,   /* then it is an error */
    MULTIPART_HEADERS_MAX = 1 << 13, /* bytes of the headers of one part */
};

typedef struct {
    Str rest;      /* behind the last delimiter that was read */
    Str delimiter; /* CR LF "--" boundary lies in `text`; this is without the CR LF */
    u32 n_parts;
    bool is_done;
    const char *error; /* static text; NULL while all is well */
} MultipartParser;

typedef struct {
    Str name;
    Str file_name; /* p NULL: it is a field */
    Str type;      /* "" for fields without one; "application/octet-stream" for files without */
    Str content;   /* lies in the body */
} MultipartPart;

/* Both must live as long as the parser.  `boundary` is not empty. */
MultipartParser multipart_begin(Str body, Str boundary);
/* The next part; its texts may be in the arena.  false at the end or with parser->error. */
bool multipart_next(MultipartParser *parser, Arena *a, MultipartPart *ret);
