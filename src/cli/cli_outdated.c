/* cli/cli_outdated.c -- `cob outdated`: dependencies of which there are newer versions. */
#include "cli/packages.h"
#include "util/glob.h"
#include "util/path.h"

#include <stdio.h>

typedef struct {
    CliSource source;
    bool json;
} OutdatedOptions;

static const CliFlag flags[] = {
    CLI_FLAG("json", 0, CLI_BOOL, OutdatedOptions, json, NULL, "Print JSON, in the form of npm"),
    CLI_NO_FIELD("recursive", 'r', CLI_LATER, NULL, "In all workspaces"),
    CLI_NO_FIELD("filter", 'F', CLI_LATER_VALUE, "pattern", "In workspaces that match"),
    CLI_SOURCE_FLAGS,
};

enum { COLUMNS = 4 };
typedef struct {
    Str cells[COLUMNS];
} Row;

static void rule(const u32 *widths, char between)
{
    (void)putchar('|');
    for (u32 i = 0; i < COLUMNS; i++) {
        for (u32 k = 0; k < widths[i] + 2; k++) (void)putchar('-');
        (void)putchar(i + 1 < COLUMNS ? between : '|');
    }
    (void)putchar('\n');
}

static void print_row(const Row *row, const u32 *widths)
{
    for (u32 i = 0; i < COLUMNS; i++)
        (void)printf("| %-*.*s ", (int)widths[i], STR_ARG(row->cells[i]));
    (void)printf("|\n");
}

static void print_table(Arena *a, const PkgAges *ages)
{
    static const char *const marks[] = {"", " (dev)", " (optional)", " (peer)"};
    u32 widths[COLUMNS] = {sizeof "Packages" - 1, 0, 0, 0};
    Row head = {{S("Package"), S("Current"), S("Update"), S("Latest")}};
    Row *rows = ARENA_ARRAY(a, Row, ages->len + 1);
    rows[0] = head;
    for (u32 i = 0; i < ages->len; i++) {
        const PkgAge *age = &ages->at[i];
        rows[i + 1] = (Row){{str_fmt(a, "%.*s%s", STR_ARG(age->name), marks[age->kind]),
                             age->current, age->update, age->latest}};
    }
    for (u32 i = 0; i <= ages->len; i++)
        for (u32 k = 0; k < COLUMNS; k++) widths[k] = MAX(widths[k], (u32)rows[i].cells[k].n);
    rule(widths, '-');
    for (u32 i = 0; i <= ages->len; i++) {
        if (i) rule(widths, '|');
        print_row(&rows[i], widths);
    }
    rule(widths, '-');
}

static void print_json(const PkgAges *ages, Str dependent)
{
    static const char *const types[] = {"dependencies", "devDependencies", "optionalDependencies",
                                        "peerDependencies"};
    AUTO(Buf) out = {0};
    (void)buf_push(&out, ages->len ? S("{\n") : S("{}"));
    for (u32 i = 0; i < ages->len; i++) {
        const PkgAge *age = &ages->at[i];
        const Str pairs[][2] = {{S("current"), age->current},
                                {S("wanted"), age->update},
                                {S("latest"), age->latest},
                                {S("dependent"), dependent},
                                {S("type"), str_z(types[age->kind])}};
        (void)buf_push(&out, S("  "));
        json_write_str(&out, age->name);
        (void)buf_push(&out, S(": {\n"));
        for (u32 k = 0; k < COUNT(pairs); k++) {
            (void)buf_fmt(&out, "    \"%.*s\": ", STR_ARG(pairs[k][0]));
            json_write_str(&out, pairs[k][1]);
            (void)buf_push(&out, k + 1 < COUNT(pairs) ? S(",\n") : S("\n"));
        }
        (void)buf_push(&out, i + 1 < ages->len ? S("  },\n") : S("  }\n"));
    }
    if (ages->len) (void)buf_push_char(&out, '}');
    (void)printf("%.*s\n", STR_ARG(buf_str(&out)));
}

/* Keeps those that one of the patterns matches. */
static void filter(Arena *a, PkgAges *ages, const Str *patterns, u32 n_patterns)
{
    u32 n = 0;
    for (u32 i = 0; n_patterns && i < ages->len; i++) {
        bool is_in = false;
        for (u32 k = 0; k < n_patterns; k++) {
            const Glob *glob = glob_new(a, patterns[k], 0);
            is_in |= glob && glob_match(glob, ages->at[i].name);
        }
        if (is_in) ages->at[n++] = ages->at[i];
    }
    if (n_patterns) ages->len = n;
}

/* The path of the workspace in the lockfile. */
static Str path_of(const PkgProject *project, Str workspace)
{
    for (u32 i = 1; workspace.n && i < project->n_places; i++)
        if (str_eq(project->places[i].workspace, workspace)) return project->places[i].path;
    return S("");
}

static int run(Cli *cli, const void *options, const Str *operands, u32 n_operands)
{
    const OutdatedOptions *o = options;
    Arena *a = cli->arena;
    PkgOptions pkg = {0};
    PkgProject project;
    PkgAges ages;
    CliPackage package;
    Log log;
    log_init(&log, a);
    if (!cli_packages_open(cli, &o->source, &log, &pkg)) return cli_fail_with(&log);
    Str dir = path_join2(a, pkg.dir, pkg.package);
    int rc = cli_package_read(a, &log, dir, &package);
    if (rc == 0)
        (void)log_error(&log, (Span){0}, "No package.json was found in %.*s", STR_ARG(dir));
    if (rc <= 0 || !pkg_project_read(a, pkg.dir, &log, &project)) return cli_fail_with(&log);
    Loop *loop = loop_new();
    PkgAgesOf of = {&project, &package.json, path_of(&project, pkg.package)};
    bool ok = pkg_ages(a, loop, &pkg, &of, &log, &ages);
    loop_free(loop);
    filter(a, &ages, operands, n_operands);
    if (o->json)
        print_json(&ages, package.name);
    else if (ages.len)
        print_table(a, &ages);
    return ok ? 0 : cli_fail_with(&log);
}

const CliCommand cli_outdated_command = {
    .name = "outdated",
    .args = "[patterns]",
    .summary = "List dependencies of which there are newer versions",
    .example = "  cob outdated\n  cob outdated 'eslint*' react\n  cob outdated --json",
    .flags = flags,
    .n_flags = COUNT(flags),
    .options_size = sizeof(OutdatedOptions),
    .run = run,
};
