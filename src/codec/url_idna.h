/* codec/url_idna.h -- domains beyond ASCII (https://url.spec.whatwg.org/#idna). */
#pragma once

#include "util/arena.h"
#include "util/str.h"

/* "xn--", in either case. */
bool url_starts_with_xn(Str s);
/* Domain to ASCII; `domain` is valid UTF-8.  false for a domain that must fail. */
NODISCARD bool url_idna_to_ascii(Arena *a, Str domain, Str *ret);
/* Domain to Unicode; labels that are wrong come with U+FFFD. */
Str url_idna_to_unicode(Arena *a, Str domain);
