/* util/path.c -- POSIX paths (see path.h). */
#include "util/path.h"

#include <string.h>

bool path_is_absolute(Str path)
{
    return path.n && path.p[0] == '/';
}

static usize without_slashes(Str path)
{
    usize n = path.n;
    while (n && path.p[n - 1] == '/') n--;
    return n;
}

Str path_dirname(Str path)
{
    if (!path.n) return S(".");
    /* Node looks for the slash from the end, never at the first byte. */
    usize n = path.n;
    while (n > 1 && path.p[n - 1] == '/') n--;
    while (n > 1 && path.p[n - 1] != '/') n--;
    if (n <= 1) return path.p[0] == '/' ? S("/") : S(".");
    n--; /* the slash */
    if (n == 1 && path.p[0] == '/') return S("//");
    if (!n) return S("/");
    return str_slice(path, 0, n);
}

Str path_basename(Str path, Str suffix)
{
    bool has_suffix = suffix.n && suffix.n <= path.n;
    if (has_suffix && str_eq(suffix, path)) return (Str){"", 0};
    usize end = without_slashes(path);
    usize start = end;
    while (start && path.p[start - 1] != '/') start--;
    Str name = str_slice(path, start, end);
    if (has_suffix && suffix.n > name.n && str_ends(suffix, name))
        return str_skip(path, start); /* Node's quirk: trailing slashes come back */
    if (has_suffix && suffix.n < name.n && str_ends(name, suffix)) name.n -= suffix.n;
    return name;
}

Str path_extname(Str path)
{
    Str name = path_basename(path, (Str){0});
    i64 dot = str_rfind(name, '.');
    if (dot <= 0 || str_eq(name, S(".."))) return (Str){"", 0};
    return str_skip(name, (usize)dot);
}

/* Drops the last part of out[0..n), but never what is before `keep`. */
static usize drop_last(const char *out, usize n, usize keep)
{
    while (n > keep && out[n - 1] != '/') n--;
    return n > keep ? n - 1 : keep;
}

/* Writes `path` without its empty, "." and ".." parts behind out[0..n) and returns the new length.
 * Leading ".." are kept when `can_rise`; a ".." cannot remove what was there before the call. */
static usize normalize_parts(char *out, usize n, Str path, bool can_rise)
{
    usize floor = n;
    Str rest = path, part;
    while (str_next(&rest, '/', &part)) {
        if (!part.n || str_eq(part, S("."))) continue;
        if (str_eq(part, S(".."))) {
            if (n > floor) {
                n = drop_last(out, n, floor);
                continue;
            }
            if (!can_rise) continue;
        }
        if (n && out[n - 1] != '/') out[n++] = '/';
        memcpy(out + n, part.p, part.n);
        n += part.n;
        if (str_eq(part, S(".."))) floor = n;
    }
    return n;
}

Str path_normalize(Arena *a, Str path)
{
    if (!path.n) return S(".");
    bool is_absolute = path.p[0] == '/';
    bool has_slash = path.p[path.n - 1] == '/';
    char *out = arena_alloc_dirty(a, path.n + 3, 1);
    usize n = 0;
    if (is_absolute) out[n++] = '/';
    n = normalize_parts(out, n, path, !is_absolute);
    if (!n) out[n++] = '.';
    if (has_slash && out[n - 1] != '/') out[n++] = '/';
    out[n] = 0;
    return (Str){out, n};
}

Str path_join(Arena *a, const Str *parts, usize n_parts)
{
    AUTO(Scratch) s = scratch_begin(a);
    usize size = 0;
    for (usize i = 0; i < n_parts; i++) size += parts[i].n + 1;
    char *buf = arena_alloc_dirty(s.arena, size, 1);
    usize n = 0;
    for (usize i = 0; i < n_parts; i++) {
        if (!parts[i].n) continue;
        if (n) buf[n++] = '/';
        memcpy(buf + n, parts[i].p, parts[i].n);
        n += parts[i].n;
    }
    return path_normalize(a, (Str){buf, n});
}

Str path_join2(Arena *a, Str x, Str y)
{
    return path_join(a, (Str[]){x, y}, 2);
}

Str path_resolve(Arena *a, Str cwd, Str base, Str path)
{
    Str parts[3] = {cwd, base, path};
    u32 first = path_is_absolute(path) ? 2 : path_is_absolute(base) ? 1 : 0;
    ASSERT(path_is_absolute(parts[first]));
    char *out = arena_alloc_dirty(a, cwd.n + base.n + path.n + 5, 1);
    AUTO(Scratch) s = scratch_begin(a);
    /* One string, since ".." of a later part takes away parts of an earlier one. */
    char *all = arena_alloc_dirty(s.arena, cwd.n + base.n + path.n + 3, 1);
    usize n_all = 0;
    for (u32 i = first; i < COUNT(parts); i++) {
        if (!parts[i].n) continue;
        memcpy(all + n_all, parts[i].p, parts[i].n);
        n_all += parts[i].n;
        all[n_all++] = '/';
    }
    out[0] = '/';
    usize n = normalize_parts(out, 1, (Str){all, n_all}, false);
    out[n] = 0;
    return (Str){out, n};
}

/* The length of the longest common run of whole parts of two normalised absolute paths. */
static usize common_parts(Str x, Str y)
{
    usize n = MIN(x.n, y.n), same = 0, last = 0;
    while (same < n && x.p[same] == y.p[same]) {
        if (x.p[same] == '/') last = same;
        same++;
    }
    bool x_ends = same == x.n || x.p[same] == '/';
    bool y_ends = same == y.n || y.p[same] == '/';
    return x_ends && y_ends ? same : last;
}

Str path_relative(Arena *a, Str from, Str to)
{
    AUTO(Scratch) s = scratch_begin(a);
    from = path_resolve(s.arena, S("/"), (Str){0}, from);
    to = path_resolve(s.arena, S("/"), (Str){0}, to);
    if (from.n == 1) from.n = 0;
    if (to.n == 1) to.n = 0;
    usize same = common_parts(from, to);
    usize n_up = 0;
    for (usize i = same; i < from.n; i++) n_up += from.p[i] == '/';
    Str down = str_skip(to, same);
    if (down.n) down = str_skip(down, 1);
    char *out = arena_alloc_dirty(a, n_up * 3 + down.n + 1, 1);
    usize n = 0;
    for (usize i = 0; i < n_up; i++) {
        memcpy(out + n, "../", 3);
        n += 3;
    }
    if (down.n) memcpy(out + n, down.p, down.n);
    n += down.n;
    if (!down.n && n) n--;
    out[n] = 0;
    return (Str){out, n};
}
