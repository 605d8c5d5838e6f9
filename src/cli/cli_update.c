/* cli/cli_update.c -- `cob update`: the newest versions that the ranges of package.json allow, or
 * with --latest the newest ones; package.json and bun.lock say so afterwards. */
#include "cli/packages.h"
#include "util/glob.h"
#include "util/path.h"

#include <stdio.h>

typedef struct {
    CliSource source;
    bool latest, exact, dry_run, no_save, dev, prod, no_optional, lockfile_only, no_summary;
} UpdateOptions;

#define UPDATE_FLAG(name, letter, kind, field, value, help)                                        \
    CLI_FLAG(name, letter, kind, UpdateOptions, field, value, help)

static const CliFlag flags[] = {
    UPDATE_FLAG("latest", 'L', CLI_BOOL, latest, NULL, "Beyond what the ranges allow"),
    UPDATE_FLAG("exact", 'E', CLI_BOOL, exact, NULL, "Save exact versions, not ^ranges"),
    UPDATE_FLAG("dev", 'd', CLI_BOOL, dev, NULL, "Only devDependencies"),
    UPDATE_FLAG("prod", 0, CLI_BOOL, prod, NULL, "Only dependencies and optionalDependencies"),
    UPDATE_FLAG("no-optional", 0, CLI_BOOL_NO, no_optional, NULL, "Not optionalDependencies"),
    UPDATE_FLAG("dry-run", 0, CLI_BOOL, dry_run, NULL, "Find versions and write nothing"),
    UPDATE_FLAG("no-save", 0, CLI_BOOL_NO, no_save, NULL,
                "Write neither package.json nor a lockfile"),
    UPDATE_FLAG("lockfile-only", 0, CLI_BOOL, lockfile_only, NULL, "Leave node_modules alone"),
    UPDATE_FLAG("no-summary", 0, CLI_BOOL_NO, no_summary, NULL, "Print no list of packages"),
    CLI_NO_FIELD("interactive", 'i', CLI_LATER, NULL, "Choose from a list"),
    CLI_NO_FIELD("recursive", 'r', CLI_LATER, NULL, "In all workspaces"),
    CLI_NO_FIELD("filter", 'F', CLI_LATER_VALUE, "pattern", "In workspaces that match"),
    CLI_SOURCE_FLAGS,
};

typedef struct {
    Cli *cli;
    const UpdateOptions *options;
    CliArgs operands; /* "name", "name@text", "pattern", "!pattern" */
    bool *is_used;    /* ... has a dependency of package.json */
    Vec(PkgChange) changes;
    Vec(Str) names;
} Update;

/* ---- Which ----------------------------------------------------------------------------------- */

static bool matches(const Update *u, Str pattern, Str name)
{
    const Glob *glob = glob_is_magic(pattern) ? glob_new(u->cli->arena, pattern, 0) : NULL;
    return glob ? glob_match(glob, name) : str_eq(pattern, name);
}

/* *ret_text: what stands behind the "@" of the operand that is for it. */
static bool is_asked(Update *u, Str name, Str *ret_text)
{
    bool has_positive = false, is_in = false, is_out = false;
    for (u32 i = 0; i < u->operands.len; i++) {
        Str operand = u->operands.at[i], pattern = operand, text = S("");
        if (str_starts(operand, S("!"))) {
            is_out |= matches(u, str_skip(operand, 1), name);
            u->is_used[i] = true;
            continue;
        }
        has_positive = true;
        if (!glob_is_magic(operand) && !cli_packages_cut(operand, &pattern, &text)) continue;
        if (!matches(u, pattern, name)) continue;
        u->is_used[i] = is_in = true;
        if (text.n) *ret_text = text;
    }
    return (is_in || !has_positive) && !is_out;
}

/* ---- What becomes of it ---------------------------------------------------------------------- */

static bool is_version(Str text)
{
    Semver version;
    return semver_parse(text, &version) && text.p[0] != '=' && text.p[0] != 'v';
}

/* "^", "~", "=" or nothing in front of a version; a "~" only if what follows it is whole, because
 * it would allow less then. */
static bool sign_of(Str range, bool is_any, Str *ret)
{
    static const Str signs[] = {{"^", 1}, {"~", 1}, {"=", 1}};
    if (is_version(range)) {
        *ret = S("");
        return is_any;
    }
    for (u32 i = 0; i < COUNT(signs); i++) {
        Str rest = str_skip(range, 1);
        if (!str_starts(range, signs[i]) || str_find(str_trim(rest), ' ') >= 0) continue;
        *ret = signs[i];
        return is_any || i == 0 || (i == 1 && is_version(rest));
    }
    *ret = S("^");
    return is_any;
}

/* Of "npm:other@^1" what is in front of the range; *range is the rest. */
static Str take_alias(Str *range)
{
    i64 at = str_rfind(*range, '@');
    if (!str_starts(*range, S("npm:"))) return S("");
    usize cut = at > 4 ? (usize)at + 1 : range->n;
    Str alias = str_slice(*range, 0, cut);
    *range = str_skip(*range, cut);
    return alias;
}

static void add_change(Update *u, Str group, Str name, Str text, Str asked)
{
    Arena *a = u->cli->arena;
    const UpdateOptions *o = u->options;
    Str range = text, alias = take_alias(&range);
    SemverRange parsed;
    bool is_range = semver_range_parse(a, range, &parsed);
    PkgChange change = {.name = name, .text = text, .group = group, .is_exact = o->exact};
    bool is_rewritten = sign_of(range, o->latest || asked.n || o->exact, &change.sign);
    bool is_tag = !is_range && range.n && str_find(range, ':') < 0 && str_find(range, '/') < 0;
    vec_push(a, &u->names, name);
    if (alias.n) vec_push(a, &u->names, str_slice(alias, 4, alias.n - 1));
    if (!is_range && !is_tag) return; /* a path, a repository, a workspace */
    if (asked.n)
        change.text = str_concat(a, alias, asked);
    else if (o->latest)
        change.text = alias.n ? str_concat(a, alias, S("latest")) : S("latest");
    if (asked.n && !semver_range_parse(a, asked, &parsed)) is_rewritten = false;
    if (is_tag && !o->latest && !asked.n) is_rewritten = false;
    if (o->exact && is_rewritten) change.sign = S("");
    change.is_kept = !is_rewritten;
    if (!is_rewritten) change.sign = (Str){0};
    vec_push(a, &u->changes, change);
}

static void take_group(Update *u, const JsonNode *package, Str group)
{
    Arena *a = u->cli->arena;
    const JsonNode *deps = json_find(package, group);
    for (u32 i = 0; deps && deps->kind == JSON_OBJECT && i < deps->len; i++) {
        const JsonNode *value = &deps->items[2 * i + 1];
        Str name = json_str(a, &deps->items[2 * i]), asked = S("");
        if (value->kind == JSON_STRING && is_asked(u, name, &asked))
            add_change(u, group, name, json_str(a, value), asked);
    }
}

static bool collect(Update *u, const PkgOptions *pkg, Log *log)
{
    CliPackage package;
    Arena *a = u->cli->arena;
    const UpdateOptions *o = u->options;
    Str dir = path_join2(a, pkg->dir, pkg->package);
    int rc = cli_package_read(a, log, dir, &package);
    if (rc == 0)
        return log_error(log, (Span){0}, "No package.json was found in %.*s", STR_ARG(dir));
    if (rc < 0) return false;
    if (!o->dev) take_group(u, &package.json, S("dependencies"));
    if (!o->prod) take_group(u, &package.json, S("devDependencies"));
    if (!o->dev && !o->no_optional) take_group(u, &package.json, S("optionalDependencies"));
    return true;
}

/* Operands that package.json knows nothing of are packages of packages. */
static bool take_others(Update *u, const PkgOptions *pkg, Log *log)
{
    Arena *a = u->cli->arena;
    PkgProject *project = ARENA_NEW(a, PkgProject);
    for (u32 i = 0; i < u->operands.len; i++) {
        Str operand = u->operands.at[i];
        if (u->is_used[i]) continue;
        if (!project->n_places && !pkg_project_read(a, pkg->dir, log, project)) return false;
        u32 before = u->names.len;
        for (u32 j = 1; j < project->n_places; j++)
            if (matches(u, operand, project->places[j].name))
                vec_push(a, &u->names, project->places[j].name);
        if (u->names.len == before)
            return log_error(log, (Span){0},
                             "\"%.*s\" is not in bun.lock: \"cob add %.*s\" adds it",
                             STR_ARG(operand), STR_ARG(operand));
    }
    return true;
}

/* ---- Running --------------------------------------------------------------------------------- */

static void print(const UpdateOptions *o, const PkgResult *r, u64 started_ns)
{
    CliPaint p = cli_paint(1);
    f64 ms = (f64)(sys_monotonic_ns() - started_ns) / 1e6;
    u32 n_changed = 0;
    for (u32 i = 0; i < r->n_lines; i++) {
        const PkgLine *line = &r->lines[i];
        if (!line->was.n || str_eq(line->was, line->version)) continue;
        (void)printf("%s%s^%s %s%.*s%s %.*s -> %.*s", n_changed++ ? "" : "\n", p.cyan, p.off,
                     p.bold, STR_ARG(line->name), p.off, STR_ARG(line->was),
                     STR_ARG(line->version));
        if (line->latest.n) (void)printf(" (v%.*s available)", STR_ARG(line->latest));
        (void)printf("\n");
    }
    if (n_changed) (void)printf("\n");
    if (o->dry_run)
        (void)printf("%u package%s would be updated [%.2fms]\n", n_changed,
                     n_changed == 1 ? "" : "s", ms);
    else if (r->n_linked)
        (void)printf("%u package%s installed [%.2fms]\n", r->n_linked, r->n_linked == 1 ? "" : "s",
                     ms);
    else
        (void)printf("Checked %u install%s (no changes) [%.2fms]\n", r->n_packages,
                     r->n_packages == 1 ? "" : "s", ms);
}

static int run(Cli *cli, const void *options, const Str *operands, u32 n_operands)
{
    const UpdateOptions *o = options;
    u64 started_ns = sys_monotonic_ns();
    Update u = {.cli = cli, .options = o, .operands = {operands, n_operands}};
    u.is_used = ARENA_ARRAY(cli->arena, bool, n_operands + 1);
    PkgOptions pkg = {0};
    PkgResult result;
    Log log;
    log_init(&log, cli->arena);
    if (!cli_packages_open(cli, &o->source, &log, &pkg) || !collect(&u, &pkg, &log) ||
        !take_others(&u, &pkg, &log))
        return cli_fail_with(&log);
    bool is_all = !n_operands && !o->dev && !o->prod && !o->no_optional;
    pkg.is_update = true;
    pkg.updated = u.names.at;
    pkg.n_updated = is_all ? 0 : u.names.len;
    pkg.changes = u.changes.at;
    pkg.n_changes = u.changes.len;
    pkg.is_dry = o->dry_run;
    pkg.is_unsaved = o->no_save;
    pkg.is_lockfile_only = o->lockfile_only;
    if (!is_all && !u.names.len) pkg.is_update = false;
    if (!cli_packages_install(cli, &pkg, &log, &result)) return cli_packages_fail(&log, &result);
    if (o->source.silent || o->no_summary) return 0;
    print(o, &result, started_ns);
    cli_packages_print_end(cli, &log, &result);
    return 0;
}

const CliCommand cli_update_command = {
    .name = "update",
    .alias = "up",
    .args = "[packages]",
    .summary = "Update packages to the newest versions that package.json allows",
    .example = "  cob update\n  cob update --latest\n  cob update react zod@3\n"
               "  cob update '@types/*' '!@types/node'",
    .flags = flags,
    .n_flags = COUNT(flags),
    .options_size = sizeof(UpdateOptions),
    .run = run,
};
