/* runner/runner_find.c -- the test files below a folder. */
#include "runner/runner.h"

#include "sys/sys.h"
#include "util/glob.h"
#include "util/path.h"

#include <stdlib.h>
#include <string.h>

enum { FILES_MAX = 1 << 20 };

/* "a.test.js": the ending is one of code, and what stands before it says that it is a test. */
bool runner_is_test_name(Str name)
{
    static const char *const endings[] = {".js",  ".jsx", ".ts",  ".tsx",
                                          ".mjs", ".cjs", ".mts", ".cts"};
    static const char *const marks[] = {".test", "_test", ".spec", "_spec"};
    Str ext = path_extname(name);
    bool is_code = false;
    for (u32 i = 0; i < COUNT(endings); i++) is_code |= str_eq(ext, str_z(endings[i]));
    if (!is_code) return false;
    Str stem = {name.p, name.n - ext.n};
    for (u32 i = 0; i < COUNT(marks); i++)
        if (stem.n > strlen(marks[i]) && str_ends(stem, str_z(marks[i]))) return true;
    return false;
}

typedef struct {
    Arena *arena;
    const RunnerSearch *search;
    RunnerList *found;
    RunnerList todo; /* folders */
    Vec(Glob *) ignored;
    u32 n_seen;
} Walk;

static bool is_ignored(const Walk *w, Str path)
{
    Str rel = str_skip(path, MIN(path.n, w->search->root.n + 1));
    for (u32 i = 0; i < w->ignored.len; i++)
        if (glob_match(w->ignored.at[i], rel)) return true;
    return false;
}

static bool is_path(Str filter)
{
    return str_starts(filter, S("./")) || str_starts(filter, S("../")) ||
           str_starts(filter, S("/"));
}

static bool is_wanted(const Walk *w, Str path)
{
    const RunnerSearch *s = w->search;
    if (!s->n_filters) return true;
    for (u32 i = 0; i < s->n_filters; i++) {
        Str filter = s->filters[i];
        if (is_path(filter)) {
            Str full = path_resolve(w->arena, s->cwd, S(""), filter);
            bool is_below = str_starts(path, full) &&
                            (path.n == full.n || path.p[full.n] == '/' || str_ends(full, S("/")));
            if (is_below) return true;
            continue;
        }
        Str rel = str_starts(path, s->cwd) ? str_skip(path, MIN(path.n, s->cwd.n + 1)) : path;
        if (str_find_str(rel, filter) >= 0) return true;
    }
    return false;
}

static void add(Walk *w, Str dir, const SysDirEntry *e)
{
    u32 type = e->type;
    if (e->name.p[0] == '.') return;
    Str path = path_join2(w->arena, dir, e->name);
    if (type == S_IFLNK) {
        SysStat st;
        if (!runner_is_test_name(e->name) || sys_stat(path, &st) < 0 || !S_ISREG(st.mode)) return;
        type = S_IFREG;
    }
    if (type == S_IFDIR) {
        if (!str_eq(e->name, S("node_modules"))) vec_push(w->arena, &w->todo, path);
        return;
    }
    if (type != S_IFREG || !runner_is_test_name(e->name) || is_ignored(w, path)) return;
    w->n_seen++;
    if (is_wanted(w, path) && w->found->len < FILES_MAX) vec_push(w->arena, w->found, path);
}

static int read_folder(Walk *w, Str dir)
{
    AUTO(SysDir) d = {0};
    SysDirEntry entry;
    int rc = sys_dir_open(dir, &d);
    if (rc < 0) return rc;
    while (sys_dir_next(&d, &entry) > 0) add(w, dir, &entry);
    return 0;
}

static bool is_found(const Walk *w, Str path)
{
    for (u32 i = 0; i < w->found->len; i++)
        if (str_eq(w->found->at[i], path)) return true;
    return false;
}

/* A path of a file names a test file whatever it is called and wherever it is. */
static void add_named(Walk *w)
{
    for (u32 i = 0; i < w->search->n_filters; i++) {
        SysStat st;
        if (!is_path(w->search->filters[i])) continue;
        Str path = path_resolve(w->arena, w->search->cwd, S(""), w->search->filters[i]);
        if (sys_stat(path, &st) < 0 || !S_ISREG(st.mode) || is_found(w, path)) continue;
        vec_push(w->arena, w->found, path);
    }
}

static int compare(const void *a, const void *b)
{
    return str_cmp(*(const Str *)a, *(const Str *)b);
}

int runner_find(Arena *a, const RunnerSearch *search, RunnerList *ret, u32 *ret_n_seen)
{
    Walk w = {.arena = a, .search = search, .found = ret};
    for (u32 i = 0; i < search->n_ignored; i++)
        vec_push(a, &w.ignored, glob_new(a, search->ignored[i], 0));
    int rc = read_folder(&w, search->root);
    if (rc < 0) return rc;
    while (w.todo.len) (void)read_folder(&w, vec_pop(&w.todo));
    add_named(&w);
    if (ret->len) qsort(ret->at, ret->len, sizeof(Str), compare);
    *ret_n_seen = w.n_seen;
    return 0;
}
