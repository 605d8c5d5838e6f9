/* install/request.h -- single requests to a registry, for what is not installing. */
#pragma once

#include "loop/loop.h"
#include "util/arena.h"
#include "util/log.h"
#include "util/str.h"

struct PkgOptions;
struct PkgRegistry;

typedef struct PkgHeader {
    Str name, value;
} PkgHeader;

typedef struct PkgRequest {
    Str method, url, body; /* "" is GET; a body is JSON */
    Str auth;              /* the header Authorization; may be empty */
    const PkgHeader *headers;
    u32 n_headers;
} PkgRequest;

typedef struct PkgReply {
    u32 status;
    Str reason, body;
    PkgHeader *headers; /* names in lower case */
    u32 n_headers;
} PkgReply;

enum { PKG_REPLY_MAX = 256 << 20 };

/* Runs `loop` until the answer is there, whatever its status; what failed for the moment is tried
 * again if it is a GET.  Everything of the answer is in `a`.  false: nothing came, the log says
 * why.
 */
NODISCARD bool pkg_request(Arena *a, Loop *loop, const struct PkgOptions *options,
                           const PkgRequest *request, Log *log, PkgReply *ret);
/* The value of a header, or an empty Str. */
Str pkg_reply_header(const PkgReply *reply, Str name);
/* Who is asked for a package of that name. */
const struct PkgRegistry *pkg_registry_for(const struct PkgOptions *options, Str name);
/* Where its metadata is. */
Str pkg_metadata_url(Arena *a, Str registry, Str name);
