/* cli/cli_why.c -- `cob why` (`cob pm why`): who needs a package, from the lockfile. */
#include "cli/packages.h"
#include "util/glob.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WHY_DEPTH_MAX = 64, WHY_LINES_MAX = 100000 };

typedef struct {
    CliSource source;
    u32 depth;
    bool top;
} WhyOptions;

static const CliFlag flags[] = {
    CLI_FLAG("top", 0, CLI_BOOL, WhyOptions, top, NULL, "Only who needs it directly"),
    CLI_FLAG("depth", 0, CLI_U32, WhyOptions, depth, "n", "So many levels"),
    CLI_SOURCE_FLAGS,
};

/* Somebody who needs a place. */
typedef struct {
    u32 place;
    const PkgEdge *edge;
} Need;

typedef Vec(Need) Needs;

typedef struct {
    Arena *arena;
    const PkgProject *project;
    Needs *needs; /* of each place */
    u32 depth_max, n_lines;
    bool is_top;             /* nothing is said about what is deeper */
    u32 path[WHY_DEPTH_MAX]; /* of places: cycles end where they begin again */
    Buf prefix;
} Why;

static const char *kind_text(const PkgEdge *edge)
{
    switch (edge->kind) {
    case PKG_EDGE_DEV: return "dev ";
    case PKG_EDGE_OPTIONAL: return "optional ";
    case PKG_EDGE_PEER: return edge->is_optional_peer ? "optional peer " : "peer ";
    case PKG_EDGE_PROD: break;
    }
    return "";
}

static void print_name(const PkgProject *p, u32 index)
{
    const PkgPlace *place = &p->places[index];
    if (index)
        (void)printf("%.*s@%.*s", STR_ARG(place->name), STR_ARG(place->version));
    else
        (void)printf("%.*s", STR_ARG(place->name.n ? place->name : S("(the project)")));
}

static bool is_on_path(const Why *w, u32 place, u32 depth)
{
    for (u32 i = 0; i < depth; i++)
        if (w->path[i] == place) return true;
    return false;
}

static void print_needs(Why *w, u32 place, u32 depth);

/* Below a need; depth counts from 1. */
static void print_deeper(Why *w, u32 place, u32 depth)
{
    const char *text = NULL;
    if (!w->needs[place].len) return;
    if (is_on_path(w, place, depth))
        text = "(a circle)";
    else if (depth >= w->depth_max)
        text = w->is_top ? "" : "(deeper dependencies hidden)";
    if (text && text[0]) (void)printf("  %.*s└─ %s\n", STR_ARG(buf_str(&w->prefix)), text);
    if (!text) print_needs(w, place, depth);
}

static void print_needs(Why *w, u32 place, u32 depth)
{
    const Needs *needs = &w->needs[place];
    w->path[depth] = place;
    for (u32 i = 0; i < needs->len && w->n_lines < WHY_LINES_MAX; i++) {
        const Need *need = &needs->at[i];
        bool is_last = i + 1 == needs->len;
        w->n_lines++;
        (void)printf("  %.*s%s %s", STR_ARG(buf_str(&w->prefix)), is_last ? "└─" : "├─",
                     kind_text(need->edge));
        print_name(w->project, need->place);
        (void)printf(" (requires %.*s)\n", STR_ARG(need->edge->text));
        usize before = w->prefix.len;
        (void)buf_push(&w->prefix, is_last ? S("   ") : S("│  "));
        print_deeper(w, need->place, depth + 1);
        w->prefix.len = before;
    }
}

static int by_name(const void *x, const void *y, void *ctx)
{
    const PkgProject *project = ctx;
    const Need *a = x, *b = y;
    const PkgPlace *p = &project->places[a->place], *q = &project->places[b->place];
    int order = str_cmp(p->name, q->name);
    return order ? order : a->place < b->place ? -1 : a->place > b->place;
}

static bool is_same(const PkgPlace *a, const PkgPlace *b)
{
    return str_eq(a->name, b->name) && str_eq(a->version, b->version);
}

/* By name, each once: a package may stand at several places. */
static void sort(const Why *w, Needs *needs)
{
    const PkgPlace *places = w->project->places;
    void *project = (void *)(uintptr_t)w->project;
    u32 n = 0;
    if (needs->len) qsort_r(needs->at, needs->len, sizeof(Need), by_name, project);
    for (u32 i = 0; i < needs->len; i++) {
        const Need *need = &needs->at[i], *last = n ? &needs->at[n - 1] : NULL;
        bool is_again = last && last->place &&
                        is_same(&places[last->place], &places[need->place]) &&
                        str_eq(last->edge->text, need->edge->text);
        if (!is_again) needs->at[n++] = *need;
    }
    needs->len = n;
}

static void find_needs(Why *w)
{
    const PkgProject *p = w->project;
    w->needs = ARENA_ARRAY(w->arena, Needs, p->n_places);
    for (u32 i = 0; i < p->n_places; i++)
        for (u32 j = 0; j < p->places[i].n_edges; j++) {
            const PkgEdge *edge = &p->places[i].edges[j];
            Need need = {i, edge};
            if (edge->to) vec_push(w->arena, &w->needs[edge->to], need);
        }
    for (u32 i = 0; i < p->n_places; i++) sort(w, &w->needs[i]);
}

/* The same package at several places is one: they need it all the same. */
static void merge(Why *w, u32 place)
{
    const PkgProject *p = w->project;
    for (u32 i = place + 1; i < p->n_places; i++) {
        if (!is_same(&p->places[i], &p->places[place])) continue;
        for (u32 j = 0; j < w->needs[i].len; j++)
            vec_push(w->arena, &w->needs[place], w->needs[i].at[j]);
    }
    sort(w, &w->needs[place]);
}

static bool is_first(const PkgProject *p, u32 place)
{
    for (u32 i = 1; i < place; i++)
        if (is_same(&p->places[i], &p->places[place])) return false;
    return true;
}

/* How many packages matched. */
static u32 explain(Why *w, const Str *patterns, u32 n_patterns)
{
    u32 n = 0;
    for (u32 i = 1; i < w->project->n_places; i++) {
        const PkgPlace *place = &w->project->places[i];
        bool is_one = false;
        for (u32 k = 0; k < n_patterns; k++) {
            const Glob *glob = glob_new(w->arena, patterns[k], 0);
            is_one |= glob && glob_match(glob, place->name);
        }
        if (!is_one || !is_first(w->project, i)) continue;
        merge(w, i);
        (void)printf("%.*s@%.*s\n", STR_ARG(place->name), STR_ARG(place->version));
        if (!w->needs[i].len) (void)printf("  └─ No dependents found\n");
        print_needs(w, i, 0);
        (void)printf("\n");
        n++;
    }
    return n;
}

int cli_why(Cli *cli, const CliSource *source, const Str *patterns, u32 n_patterns, i64 depth)
{
    PkgOptions pkg = {0};
    PkgProject project;
    Log log;
    log_init(&log, cli->arena);
    if (!n_patterns) {
        cli_print_command_help(cli, &cli_why_command);
        return 1;
    }
    if (!cli_packages_open(cli, source, &log, &pkg) ||
        !pkg_project_read(cli->arena, pkg.dir, &log, &project))
        return cli_fail_with(&log);
    Why w = {.arena = cli->arena, .project = &project, .depth_max = WHY_DEPTH_MAX - 1};
    w.is_top = depth < 0;
    if (depth) w.depth_max = depth < 0 ? 1 : (u32)MIN(depth, (i64)w.depth_max);
    find_needs(&w);
    u32 n = explain(&w, patterns, n_patterns);
    Buf_deinit(&w.prefix);
    if (n) return 0;
    cli_error("No packages matching '%.*s' found in lockfile", STR_ARG(patterns[0]));
    return 1;
}

static int run(Cli *cli, const void *options, const Str *operands, u32 n_operands)
{
    const WhyOptions *o = options;
    return cli_why(cli, &o->source, operands, n_operands, o->top ? -1 : (i64)o->depth);
}

const CliCommand cli_why_command = {
    .name = "why",
    .args = "<packages>",
    .summary = "Explain why a package is installed",
    .example = "  cob why react\n  cob why '@types/*' --depth 2\n  cob why '*-lodash' --top",
    .flags = flags,
    .n_flags = COUNT(flags),
    .options_size = sizeof(WhyOptions),
    .run = run,
};
