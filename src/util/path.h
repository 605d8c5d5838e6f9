/* util/path.h -- POSIX paths as bytes, with exactly the results of Node's `path.posix`
 * (https://nodejs.org/api/path.html).
 *
 * Nothing here looks at the file system.  Results are views of the argument where that is possible,
 * else they are in the arena, with a NUL behind them. */
#pragma once

#include "util/str.h"

bool path_is_absolute(Str path);
/* "a/b/" -> "a"; "." when there is no directory part.  A view or a constant. */
Str path_dirname(Str path);
/* The last part without trailing slashes; `suffix`, if not empty, is cut off its end unless it is
 * all of it.  A view. */
Str path_basename(Str path, Str suffix);
/* From the last dot of the last part: ".js"; empty for "name", ".name" and "..".  A view. */
Str path_extname(Str path);
/* Without ".", "..", double slashes; keeps a trailing slash; "." for the empty path. */
Str path_normalize(Arena *a, Str path);
/* The non-empty parts joined by "/" and normalised. */
Str path_join(Arena *a, const Str *parts, usize n_parts);
Str path_join2(Arena *a, Str x, Str y);
/* `path` made absolute: against `base`, and that against `cwd` (absolute) if need be; normalised,
 * no trailing slash. */
Str path_resolve(Arena *a, Str cwd, Str base, Str path);
/* How to get to `to` from the directory `from`; both absolute.  Empty when they are the same. */
Str path_relative(Arena *a, Str from, Str to);
