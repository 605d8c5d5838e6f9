/* bun/archive/archive.c -- native half of Bun.Archive: what is in a tar archive. */
#include "builtins/builtins.h"
#include "codec/tar.h"

enum { ENTRIES_MAX = 1 << 22, FIGURES = 7 };

/* entries(bytes) -> [kind, name, target, offset, size, mode, mtime in s, ...]; kind 0 file,
 * 1 folder, 2 symbolic link, 3 hard link.  Throws when the archive is broken. */
JS_NATIVE(archive_entries)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    JsBytes bytes;
    if (!js_bytes(js, js_arg(args, 0), &bytes)) return js_throw_type_error(js, "bytes expected");
    TarReader reader = tar_reader(s.arena, (Str){(const char *)bytes.p, bytes.n});
    TarEntry e;
    JsVal list = js_array(js, NULL, 0);
    u32 n = 0;
    while (tar_next(&reader, &e)) {
        if (n >= ENTRIES_MAX) return js_throw_range_error(js, "The archive has too many entries");
        JsVal figures[FIGURES] = {
            js_int(js, (i32)e.kind),
            js_str(js, e.name),
            js_str(js, e.target),
            js_number(js, e.data.p ? (f64)(e.data.p - (const char *)bytes.p) : 0),
            js_number(js, (f64)e.data.n),
            js_number(js, e.mode),
            js_number(js, (f64)e.mtime_s),
        };
        if (!js_set_index(js, list, n++, js_array(js, figures, FIGURES))) return NULL;
    }
    if (reader.error) return js_throw_error(js, "%s", reader.error);
    return list;
}

static const JsFn fns[] = {JS_FN("entries", archive_entries)};
BUILTIN_NATIVE(bun_archive, fns)
