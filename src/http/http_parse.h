/* http/http_parse.h -- HTTP/1 messages from bytes: heads, bodies, trailers.  RFC 9112, strictly.
 *
 * Nothing is copied and nothing is kept between calls: a head is read from one run of bytes that
 * begins with the message; when it is not complete yet, ask again with more.  What a front and a
 * back server could understand differently is an error: bare CR or LF, white space before a colon,
 * folded lines, two lengths, a length beside a transfer coding, a coding that does not end in
 * chunked, NUL and other control characters, sizes that overflow. */
#pragma once

#include "util/base.h"
#include "util/buf.h"
#include "util/str.h"

enum {
    HTTP_HEAD_SIZE_MAX = 16 * 1024,  /* default of HttpHead.size_max */
    HTTP_FIELDS_MAX = 2000,          /* default of HttpHead.fields_max */
    HTTP_CHUNK_LINE_MAX = 16 * 1024, /* extensions of all chunks of a message together */
    HTTP_TRAILER_MAX = 16 * 1024,
};

typedef enum {
#define X(name, text) HTTP_##name,
#include "http/http_method.def"
#undef X
    HTTP_METHOD_COUNT,
} HttpMethod;

typedef enum {
    HTTP_FIELD_OTHER,
#define X(name, text) HTTP_FIELD_##name,
#include "http/http_field.def"
#undef X
    HTTP_FIELD_COUNT,
} HttpFieldId;

/* What functions here return for a message that is wrong. */
typedef enum {
#define X(name, number, text) HTTP_ERR_##name = -(number),
#include "http/http_error.def"
#undef X
} HttpError;

/* "HPE_INVALID_METHOD" and "Invalid method encountered"; static. */
Str http_error_name(int rc);
Str http_error_text(int rc);
/* "GET"; static. */
Str http_method_text(HttpMethod method);
/* "content-type", lower case; static.  HTTP_FIELD_OTHER has none. */
Str http_field_text(HttpFieldId id);
/* HTTP_FIELD_OTHER for names that are not in the table; any case. */
HttpFieldId http_field_find(Str name);
/* Is it one or more characters that names of fields and methods may have (RFC 9110, 5.6.2)? */
bool http_is_token(Str s);
/* May it stand in a field: no control characters but tab?  Other than a parser, this one says
 * nothing about white space at the ends. */
bool http_is_field_value(Str s);
/* "Not Found" of 404; "Unknown" of others. */
Str http_status_text(u32 status);

typedef struct {
    u32 name, value; /* offsets from the first byte of the message */
    u32 value_len;
    u16 name_len;
    u8 id; /* HttpFieldId */
} HttpField;

/* How the end of a body is known. */
typedef enum {
    HTTP_BODY_NONE,
    HTTP_BODY_LENGTH,
    HTTP_BODY_CHUNKED,
    HTTP_BODY_TO_CLOSE, /* responses only */
} HttpBodyKind;

typedef struct HttpHead {
    /* Set before parsing; 0 means the default. */
    bool is_response;
    bool is_lenient; /* Node's insecureHTTPParser: control characters in values, both lengths */
    u32 size_max, fields_max;

    /* Filled.  Offsets count from the first byte given. */
    u8 method; /* HttpMethod */
    u8 minor;  /* HTTP/1.x; 0 for HTTP/0.9 too */
    u16 status;
    u32 text, text_len; /* the target of a request, the reason of a response */
    HttpField *fields;  /* kept from message to message */
    u32 n_fields, fields_cap;
    u64 length; /* of the body, when there is a Content-Length */
    u32 n_host; /* Host fields */
    bool has_length;
    bool has_coding;              /* there is a Transfer-Encoding */
    bool is_chunked;              /* and it ends in chunked */
    bool is_close, is_keep_alive; /* Connection says so */
    bool has_upgrade;             /* an Upgrade field and "upgrade" in Connection */
    bool expects_continue;
    bool is_simple; /* HTTP/0.9: no version, no fields */

    /* While parsing. */
    bool has_upgrade_field, has_upgrade_token;
} HttpHead;

/* Reads a head from the start of `bytes`.  Returns its size (what follows is the body), 0 when more
 * bytes are needed, or an HttpError.  Empty lines in front of it belong to it. */
int http_head_parse(HttpHead *h, Str bytes);
void http_head_deinit(HttpHead *h);
/* Field `i` as text; `bytes` as given to http_head_parse. */
static inline Str http_field_name(const HttpHead *h, Str bytes, u32 i)
{
    return (Str){bytes.p + h->fields[i].name, h->fields[i].name_len};
}
static inline Str http_field_value(const HttpHead *h, Str bytes, u32 i)
{
    return (Str){bytes.p + h->fields[i].value, h->fields[i].value_len};
}
/* The first field with the id, or -1. */
i32 http_head_find(const HttpHead *h, HttpFieldId id);
/* May the connection be used for another message after this one? */
bool http_head_keeps_alive(const HttpHead *h);
/* Of a request. */
HttpBodyKind http_request_body(const HttpHead *h);
/* Of the response to a request with that method (RFC 9112, 6.3). */
HttpBodyKind http_response_body(const HttpHead *h, HttpMethod method);
/* Does the comma-separated list have the word, in any case? */
bool http_list_has(Str list, Str word);

/* A body as it comes in.  Zero and http_body_start make one. */
typedef struct HttpBody {
    u8 kind; /* HttpBodyKind */
    u8 state;
    bool is_lenient;
    u64 left;     /* of the body or the chunk */
    u32 line_len; /* extensions so far */
    Buf trailer;  /* the lines behind the last chunk, with an empty line at the end */
} HttpBody;

enum { HTTP_BODY_MORE = 0, HTTP_BODY_DATA = 1, HTTP_BODY_DONE = 2 };

void http_body_start(HttpBody *b, HttpBodyKind kind, u64 length);
/* Takes from the front of *in.  HTTP_BODY_DATA: *ret_data is a part of the body, inside *in; ask
 * again.  HTTP_BODY_MORE: *in was used up.  HTTP_BODY_DONE: what is left in *in is the next
 * message. Else an HttpError. */
int http_body_next(HttpBody *b, Str *in, Str *ret_data);
/* May the connection end here? */
bool http_body_may_end(const HttpBody *b);
/* The trailer fields of a finished body: fills fields of `h` with offsets into b->trailer. */
int http_body_trailer(const HttpBody *b, HttpHead *h);
void http_body_deinit(HttpBody *b);
