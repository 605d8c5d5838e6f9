/* install/pkg_import_yarn.c -- yarn.lock, of version 1 and of later ones ("berry").
 *
 *     "@s/a@^1.0.0", "@s/a@^1.1.0":          "@s/a@npm:^1.0.0, @s/a@npm:^1.1.0":
 *       version "1.2.0"                        version: 1.2.0
 *       integrity sha512-...                   resolution: "@s/a@npm:1.2.0"
 *
 * Only lines with no and with two spaces in front matter here, so both are read by the same few
 * lines; later ones are YAML, but never written in another way. */
#include "install/pkg_import.h"

/* Without quotes; the escapes of both forms do not occur in names and versions. */
static Str unquote(Str text)
{
    text = str_trim(text);
    bool is_quoted = text.n >= 2 && text.p[0] == '"' && text.p[text.n - 1] == '"';
    return is_quoted ? str_slice(text, 1, text.n - 1) : text;
}

/* "name@text", "name@npm:text": an alias keeps its "npm:". */
static void pin_one(PkgRun *run, Str key, PkgPin pin)
{
    key = unquote(key);
    i64 at = str_find(str_skip(key, 1), '@');
    if (at < 0) return;
    Str name = str_slice(key, 0, (usize)at + 1), text = str_skip(key, (usize)at + 2);
    pkg_pin_text(run, name, text, pin);
    if (!str_starts(text, S("npm:"))) return;
    Str rest = str_skip(text, 4);
    if (str_find(str_skip(rest, 1), '@') < 0) pkg_pin_text(run, name, rest, pin);
}

static void pin_all(PkgRun *run, Str keys, PkgPin pin)
{
    Str key;
    if (!pin.version.n || !keys.n) return;
    /* Berry has one pair of quotes around all of them. */
    if (str_find_str(keys, S("\", \"")) < 0) keys = unquote(keys);
    while (str_next(&keys, ',', &key)) pin_one(run, str_trim(key), pin);
}

/* `key value` or `key: value`. */
static void take_property(Str line, PkgPin *pin)
{
    Str key, value;
    if (!str_cut(str_trim(line), ' ', &key, &value)) return;
    if (str_ends(key, S(":"))) key.n--;
    if (str_eq(key, S("version"))) pin->version = unquote(value);
    if (str_eq(key, S("integrity"))) pin->integrity = unquote(value);
}

bool pkg_import_yarn(PkgRun *run, const Source *source)
{
    Str rest = source->text, line, keys = S("");
    PkgPin pin = {0};
    if (!rest.p) return true;
    while (str_next(&rest, '\n', &line)) {
        if (str_ends(line, S("\r"))) line.n--;
        if (!line.n || line.p[0] == '#') continue;
        bool is_property = str_starts(line, S("  ")) && line.n > 2 && line.p[2] != ' ';
        if (is_property) take_property(line, &pin);
        if (line.p[0] == ' ' || line.p[0] == '\t') continue;
        pin_all(run, keys, pin);
        keys = str_ends(line, S(":")) ? str_slice(line, 0, line.n - 1) : S("");
        pin = (PkgPin){0};
        if (!keys.n)
            return log_error(run->log, (Span){.src = source, .pos = (u32)(line.p - source->text.p)},
                             "expected the names of a package and a colon");
    }
    pin_all(run, keys, pin);
    return true;
}
