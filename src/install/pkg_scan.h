/* install/pkg_scan.h -- JSON cut into members without being parsed: metadata of a package is mostly
 * of versions that nobody wants.  Strings and brackets are followed, the rest is believed. */
#pragma once

#include "util/base.h"
#include "util/str.h"

/* Takes the "{" in front (and spaces before it).  false: it is no object. */
NODISCARD bool pkg_scan_open(Str *rest);
/* The next member of the object: the key as it stands between its quotes; `rest` is behind it then,
 * at the value.  false: the object ends (or is broken) here. */
NODISCARD bool pkg_scan_key(Str *rest, Str *ret_key);
/* Takes the value.  false: there is none. */
NODISCARD bool pkg_scan_value(Str *rest, Str *ret_value);
/* Takes the "}" at the end.  false: it is not there. */
NODISCARD bool pkg_scan_close(Str *rest);
