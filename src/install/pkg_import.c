/* install/pkg_import.c -- a project that has no bun.lock but a lockfile of another package manager:
 * its versions are taken over.  Only versions and digests are: the rest (dependencies, commands,
 * platforms) says the registry, since none of those files has all of it. */
#include "install/pkg_import.h"

#include "util/err.h"
#include "util/path.h"

enum { IMPORT_MAX = 256 << 20 };

struct PkgPins {
    StrMap edges, texts; /* -> PkgPin * */
    u32 n_pins;
};

void pkg_pins_begin(PkgRun *run)
{
    run->pins = ARENA_NEW(run->arena, PkgPins);
}

static void put(PkgRun *run, StrMap *map, Str key, PkgPin pin)
{
    bool is_new;
    Semver version;
    if (!semver_parse(pin.version, &version)) return; /* a link, a repository */
    u64 *slot = str_map_put(run->arena, map, key, &is_new);
    if (!is_new) return;
    PkgPin *kept = ARENA_NEW(run->arena, PkgPin);
    *kept = pin;
    *slot = (u64)(uintptr_t)kept;
    run->pins->n_pins++;
}

void pkg_pin_edge(PkgRun *run, Str parent, Str name, PkgPin pin)
{
    put(run, &run->pins->edges, str_fmt(run->arena, "%.*s>%.*s", STR_ARG(parent), STR_ARG(name)),
        pin);
}

void pkg_pin_text(PkgRun *run, Str name, Str text, PkgPin pin)
{
    put(run, &run->pins->texts, str_fmt(run->arena, "%.*s@%.*s", STR_ARG(name), STR_ARG(text)),
        pin);
}

static const PkgPin *find(const StrMap *map, Str key)
{
    const u64 *slot = str_map_find(map, key);
    return slot ? (const PkgPin *)(uintptr_t)*slot : NULL;
}

const PkgPin *pkg_pin_find(PkgRun *run, const Pkg *parent, const PkgDep *dep)
{
    AUTO(Scratch) s = scratch_begin(run->arena);
    if (!run->pins) return NULL;
    bool is_project = parent == &run->pkgs.at[0];
    Str id = is_project            ? S("")
             : parent->workspace.n ? parent->workspace
                                   : str_fmt(s.arena, "%.*s@%.*s", STR_ARG(parent->name),
                                             STR_ARG(parent->version_text));
    const PkgPin *pin =
        find(&run->pins->edges, str_fmt(s.arena, "%.*s>%.*s", STR_ARG(id), STR_ARG(dep->name)));
    if (!pin)
        pin = find(&run->pins->texts,
                   str_fmt(s.arena, "%.*s@%.*s", STR_ARG(dep->name), STR_ARG(dep->text)));
    return pin;
}

Str pkg_pin_version(const PkgPin *pin)
{
    return pin->version;
}

Str pkg_pin_integrity(const PkgPin *pin)
{
    return pin->integrity;
}

/* ---- Files ----------------------------------------------------------------------------------- */

typedef struct {
    Str name;
    bool (*read)(PkgRun *run, const Source *source);
} Format;

static const Format formats[] = {{{"npm-shrinkwrap.json", 19}, pkg_import_npm},
                                 {{"package-lock.json", 17}, pkg_import_npm},
                                 {{"yarn.lock", 9}, pkg_import_yarn},
                                 {{"pnpm-lock.yaml", 14}, pkg_import_pnpm}};

bool pkg_import(PkgRun *run)
{
    Arena *a = run->arena;
    for (u32 i = 0; i < COUNT(formats); i++) {
        Str path = path_join2(a, run->options->dir, formats[i].name), text;
        int rc = sys_read_file(a, path, IMPORT_MAX, &text);
        if (rc == -ENOENT) continue;
        if (rc < 0)
            return log_error(run->log, (Span){0}, "Cannot read %.*s: %s", STR_ARG(path),
                             err_text(rc));
        Source *source = ARENA_NEW(a, Source); /* messages point to it */
        *source = (Source){path, text};
        if (str_find_str(text, S("\n<<<<<<< ")) >= 0)
            return log_error(run->log, (Span){.src = source},
                             "there is a merge conflict in the lockfile: resolve it first");
        pkg_pins_begin(run);
        if (!formats[i].read(run, source)) return false;
        run->was_hoisted = formats[i].read != pkg_import_pnpm;
        if (run->pins->n_pins) run->imported = formats[i].name;
        if (run->imported.n || !run->options->needs_import) return true;
    }
    return !run->options->needs_import ||
           log_error(run->log, (Span){0}, "could not find any other lockfile");
}
