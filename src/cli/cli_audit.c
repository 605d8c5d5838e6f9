/* cli/cli_audit.c -- `cob audit`: asks the registry which of the versions in the lockfile are known
 * to be vulnerable; `cob audit fix` takes newer ones within the ranges that ask for them. */
#include "cli/packages.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct {
    CliSource source;
    Str level;
    CliList ignored;
    bool json, production, dry_run;
} AuditOptions;

static const CliFlag flags[] = {
    CLI_FLAG("audit-level", 0, CLI_STR, AuditOptions, level, "level",
             "Only these and worse: low, moderate, high, critical"),
    CLI_FLAG("ignore", 0, CLI_LIST, AuditOptions, ignored, "id",
             "Not this one (GHSA-..., CVE-...)"),
    CLI_FLAG("json", 0, CLI_BOOL, AuditOptions, json, NULL, "Print what the registry says"),
    CLI_FLAG("prod", 'p', CLI_BOOL, AuditOptions, production, NULL, "Without devDependencies"),
    CLI_FLAG("production", 0, CLI_BOOL, AuditOptions, production, NULL, "The same"),
    CLI_FLAG("dry-run", 0, CLI_BOOL, AuditOptions, dry_run, NULL, "fix: write nothing"),
    CLI_SOURCE_FLAGS,
};

static const char *const levels[] = {"info", "low", "moderate", "high", "critical"};

typedef struct {
    Cli *cli;
    const AuditOptions *options;
    PkgOptions pkg;
    PkgProject project;
    Log log;
    JsonNode advisories;
    u32 *from; /* of each place: who leads to it on the shortest way from the project */
    bool *is_in;
    u32 level_min, n_by_level[COUNT(levels)], n_found;
    Vec(Str) names; /* of vulnerable packages */
} Audit;

/* ---- What is installed ----------------------------------------------------------------------- */

static void find_ways(Audit *au)
{
    Arena *a = au->cli->arena;
    const PkgProject *p = &au->project;
    Vec(u32) queue = {0};
    au->from = ARENA_ARRAY(a, u32, p->n_places);
    au->is_in = ARENA_ARRAY(a, bool, p->n_places);
    au->is_in[0] = true;
    vec_push(a, &queue, 0);
    for (u32 at = 0; at < queue.len; at++) {
        const PkgPlace *place = &p->places[queue.at[at]];
        for (u32 i = 0; i < place->n_edges; i++) {
            const PkgEdge *edge = &place->edges[i];
            bool is_out = au->options->production && edge->kind == PKG_EDGE_DEV;
            if (!edge->to || au->is_in[edge->to] || is_out) continue;
            au->is_in[edge->to] = true;
            au->from[edge->to] = queue.at[at];
            vec_push(a, &queue, edge->to);
        }
    }
    for (u32 i = 1; i < p->n_places && !au->options->production; i++) au->is_in[i] = true;
}

static int by_name(const void *x, const void *y)
{
    const PkgPlace *a = *(const PkgPlace *const *)x, *b = *(const PkgPlace *const *)y;
    int order = str_cmp(a->name, b->name);
    return order ? order : str_cmp(a->version, b->version);
}

/* {"name":["1.0.0","2.0.0"],...} */
static void write_versions(const Audit *au, Buf *out)
{
    const PkgProject *p = &au->project;
    const PkgPlace **list = ARENA_ARRAY(au->cli->arena, const PkgPlace *, p->n_places);
    u32 n = 0;
    for (u32 i = 1; i < p->n_places; i++)
        if (p->places[i].is_registry && au->is_in[i]) list[n++] = &p->places[i];
    if (n) qsort(list, n, sizeof *list, by_name);
    (void)buf_push_char(out, '{');
    for (u32 i = 0; i < n; i++) {
        bool is_new = !i || !str_eq(list[i]->name, list[i - 1]->name);
        if (!is_new && str_eq(list[i]->version, list[i - 1]->version)) continue;
        if (is_new) {
            (void)buf_push(out, i ? S("],") : S(""));
            json_write_str(out, list[i]->name);
            (void)buf_push(out, S(":["));
        } else {
            (void)buf_push_char(out, ',');
        }
        json_write_str(out, list[i]->version);
    }
    (void)buf_push(out, n ? S("]}") : S("}"));
}

static bool ask(Audit *au, Str *ret)
{
    Arena *a = au->cli->arena;
    AUTO(Buf) body = {0};
    const PkgRegistry *registry = &au->pkg.registries[0];
    write_versions(au, &body);
    PkgRequest request = {
        .method = S("POST"),
        .url = str_fmt(a, "%.*s/-/npm/v1/security/advisories/bulk", STR_ARG(registry->url)),
        .body = buf_str(&body),
        .auth = registry->auth};
    PkgReply reply = {0};
    JsonError e;
    Loop *loop = loop_new();
    bool ok = pkg_request(a, loop, &au->pkg, &request, &au->log, &reply);
    loop_free(loop);
    if (!ok) return false;
    if (reply.status != 200)
        return log_error(&au->log, (Span){0}, "POST %.*s answered %u%s", STR_ARG(request.url),
                         reply.status,
                         reply.status == 404 ? ": this registry knows nothing of advisories" : "");
    *ret = reply.body;
    return (json_parse(a, reply.body, 0, &au->advisories, &e) &&
            au->advisories.kind == JSON_OBJECT) ||
           log_error(&au->log, (Span){0}, "%.*s did not answer with advisories",
                     STR_ARG(request.url));
}

/* ---- What is known --------------------------------------------------------------------------- */

static u32 level_of(Str text)
{
    for (u32 i = 0; i < COUNT(levels); i++)
        if (str_eq(text, str_z(levels[i]))) return i;
    return 0;
}

static bool is_ignored(const Audit *au, const JsonNode *advisory)
{
    Arena *a = au->cli->arena;
    const JsonNode *id = json_find(advisory, S("id"));
    Str url = json_find_str(a, advisory, S("url"));
    for (u32 i = 0; i < au->options->ignored.len; i++) {
        Str word = au->options->ignored.at[i];
        if (!word.n) continue;
        if (str_ends(url, word) || (id && str_eq(json_text(id), word))) return true;
        const JsonNode *cves = json_find(advisory, S("cves"));
        for (u32 k = 0; cves && cves->kind == JSON_ARRAY && k < cves->len; k++)
            if (json_is(&cves->items[k], word)) return true;
    }
    return false;
}

static bool is_hit(const Audit *au, const PkgPlace *place, Str name, const JsonNode *advisory)
{
    SemverRange range;
    Semver version;
    if (!place->is_registry || !str_eq(place->name, name)) return false;
    Str text = json_find_str(au->cli->arena, advisory, S("vulnerable_versions"));
    if (!semver_range_parse(au->cli->arena, text, &range)) return true;
    if (!semver_parse(place->version, &version)) return true;
    version.pre = S(""); /* a prerelease has what its version has */
    return semver_satisfies(&range, &version);
}

static void print_way(const Audit *au, u32 place)
{
    enum { WAY_MAX = 64 };
    const PkgProject *p = &au->project;
    u32 way[WAY_MAX], n = 0;
    for (; place && n < WAY_MAX; place = au->from[place]) way[n++] = place;
    if (n == 1) (void)printf("  (direct dependency)\n");
    if (n < 2) return;
    (void)printf("  ");
    while (n--) (void)printf("%.*s%s", STR_ARG(p->places[way[n]].alias), n ? " > " : "\n");
}

static void print_places(const Audit *au, Str name, const bool *is_hurt)
{
    const PkgProject *p = &au->project;
    StrMap seen = {0};
    u32 n = 0;
    CliPaint paint = cli_paint(1);
    (void)printf("%s%.*s%s@", paint.bold, STR_ARG(name), paint.off);
    for (u32 i = 1; i < p->n_places; i++) {
        bool is_new;
        if (!is_hurt[i]) continue;
        (void)str_map_put(au->cli->arena, &seen, p->places[i].version, &is_new);
        if (is_new) (void)printf("%s%.*s", n++ ? ", " : "", STR_ARG(p->places[i].version));
    }
    (void)printf("\n");
    for (u32 i = 1; i < p->n_places; i++)
        if (is_hurt[i]) print_way(au, i);
}

/* All advisories for one package. */
static void take_package(Audit *au, Str name, const JsonNode *list)
{
    Arena *a = au->cli->arena;
    const PkgProject *p = &au->project;
    bool *is_hurt = ARENA_ARRAY(a, bool, p->n_places);
    Vec(const JsonNode *) hits = {0};
    for (u32 i = 0; list->kind == JSON_ARRAY && i < list->len; i++) {
        const JsonNode *advisory = &list->items[i];
        bool is_any = false;
        if (level_of(json_find_str(a, advisory, S("severity"))) < au->level_min ||
            is_ignored(au, advisory))
            continue;
        for (u32 k = 1; k < p->n_places; k++) {
            if (!au->is_in[k] || !is_hit(au, &p->places[k], name, advisory)) continue;
            is_hurt[k] = is_any = true;
        }
        if (is_any) vec_push(a, &hits, advisory);
    }
    if (!hits.len) return;
    vec_push(a, &au->names, name);
    au->n_found += hits.len;
    if (!au->options->json) print_places(au, name, is_hurt);
    for (u32 i = 0; i < hits.len; i++) {
        Str severity = json_find_str(a, hits.at[i], S("severity"));
        au->n_by_level[level_of(severity)]++;
        if (au->options->json) continue;
        (void)printf("  %.*s: %.*s (%.*s) - %.*s\n", STR_ARG(severity),
                     STR_ARG(json_find_str(a, hits.at[i], S("title"))),
                     STR_ARG(json_find_str(a, hits.at[i], S("vulnerable_versions"))),
                     STR_ARG(json_find_str(a, hits.at[i], S("url"))));
    }
    if (!au->options->json) (void)printf("\n");
}

static void print_sum(const Audit *au)
{
    u32 n = 0;
    (void)printf("%u vulnerabilit%s (", au->n_found, au->n_found == 1 ? "y" : "ies");
    for (u32 i = COUNT(levels); i-- > 0;)
        if (au->n_by_level[i])
            (void)printf("%s%u %s", n++ ? ", " : "", au->n_by_level[i], levels[i]);
    (void)printf(")\n");
}

/* ---- The command ----------------------------------------------------------------------------- */

static bool look(Audit *au, Str *ret_text)
{
    if (!cli_packages_open(au->cli, &au->options->source, &au->log, &au->pkg) ||
        !pkg_project_read(au->cli->arena, au->pkg.dir, &au->log, &au->project))
        return false;
    find_ways(au);
    if (!ask(au, ret_text)) return false;
    for (u32 i = 0; i < au->advisories.len; i++)
        take_package(au, json_str(au->cli->arena, &au->advisories.items[2 * i]),
                     &au->advisories.items[2 * i + 1]);
    return true;
}

static int fix(Audit *au)
{
    PkgResult result;
    au->pkg.is_update = true;
    au->pkg.updated = au->names.at;
    au->pkg.n_updated = au->names.len;
    au->pkg.is_dry = au->options->dry_run;
    if (!cli_packages_install(au->cli, &au->pkg, &au->log, &result)) return cli_fail_with(&au->log);
    if (au->options->dry_run) return 0;
    Audit again = {.cli = au->cli, .options = au->options, .level_min = au->level_min};
    Str text = S("");
    log_init(&again.log, au->cli->arena);
    (void)printf("%u package%s updated; what is left:\n\n", au->names.len,
                 au->names.len == 1 ? "" : "s");
    if (!look(&again, &text)) return cli_fail_with(&again.log);
    if (!again.n_found) {
        (void)printf("No vulnerabilities found\n");
        return 0;
    }
    print_sum(&again);
    (void)fflush(stdout);
    cli_note("newer versions are beyond what package.json or another package allows: "
             "\"%s update --latest <package>\", or \"overrides\"",
             cli_own_name(au->cli));
    return 1;
}

static int run(Cli *cli, const void *options, const Str *operands, u32 n_operands)
{
    const AuditOptions *o = options;
    Audit au = {.cli = cli, .options = o, .level_min = level_of(o->level)};
    bool is_fix = n_operands && str_eq(operands[0], S("fix"));
    Str text = S("");
    log_init(&au.log, cli->arena);
    if (o->level.n && !str_eq(o->level, str_z(levels[au.level_min]))) {
        cli_error("--audit-level is low, moderate, high or critical, not \"%.*s\"",
                  STR_ARG(o->level));
        return 1;
    }
    if (n_operands && !is_fix) {
        cli_error("audit takes \"fix\" or nothing, not \"%.*s\"", STR_ARG(operands[0]));
        return 1;
    }
    if (!look(&au, &text)) return cli_fail_with(&au.log);
    if (o->json && !is_fix) {
        (void)printf("%.*s\n", STR_ARG(text));
        return au.n_found > 0;
    }
    if (!au.n_found) {
        (void)printf("No vulnerabilities found\n");
        return 0;
    }
    print_sum(&au);
    if (is_fix) return fix(&au);
    (void)printf("\n  %s audit fix    take newer versions within the ranges that ask for them\n",
                 cli_own_name(cli));
    return 1;
}

const CliCommand cli_audit_command = {
    .name = "audit",
    .args = "[fix]",
    .summary = "List packages of the lockfile that are known to be vulnerable",
    .example = "  cob audit --audit-level high\n  cob audit --ignore GHSA-xxxx-xxxx-xxxx\n"
               "  cob audit fix",
    .flags = flags,
    .n_flags = COUNT(flags),
    .options_size = sizeof(AuditOptions),
    .run = run,
};
