/* cli/cli_info.c -- `cob info` (`cob view`, `cob pm view`): what the registry says about a package.
 */
#include "cli/json_path.h"
#include "cli/packages.h"
#include "util/path.h"

#include <stdio.h>

typedef struct {
    CliSource source;
    bool json;
} InfoOptions;

static const CliFlag flags[] = {
    CLI_FLAG("json", 0, CLI_BOOL, InfoOptions, json, NULL, "Print JSON"),
    CLI_SOURCE_FLAGS,
};

typedef struct {
    Arena *arena;
    JsonNode document;       /* all versions */
    const JsonNode *release; /* the one that is asked for */
    Str name, version;
    u32 n_versions;
} Info;

static void print_node(const JsonNode *node, Str indent)
{
    AUTO(Buf) out = {0};
    json_write(&out, node, indent);
    (void)printf("%.*s", STR_ARG(buf_str(&out)));
}

static Str text_of(const Info *info, const JsonNode *holder, Str key)
{
    return json_find_str(info->arena, holder, key);
}

/* ---- For people ------------------------------------------------------------------------------ */

static void print_head(const Info *info)
{
    CliPaint p = cli_paint(1);
    const JsonNode *r = info->release, *deps = json_find(r, S("dependencies"));
    Str license = text_of(info, r, S("license"));
    if (!license.n) license = text_of(info, json_find(r, S("license")), S("type"));
    (void)printf("%s%.*s@%.*s%s | %.*s | deps: %u | versions: %u\n", p.bold, STR_ARG(info->name),
                 STR_ARG(info->version), p.off, STR_ARG(license.n ? license : S("Proprietary")),
                 deps && deps->kind == JSON_OBJECT ? deps->len : 0, info->n_versions);
    Str description = text_of(info, r, S("description"));
    if (description.n) (void)printf("%.*s\n", STR_ARG(description));
    Str homepage = text_of(info, r, S("homepage"));
    if (homepage.n) (void)printf("%s%.*s%s\n", p.blue, STR_ARG(homepage), p.off);
}

static void print_keywords(const Info *info)
{
    const JsonNode *words = json_find(info->release, S("keywords"));
    if (!words || words->kind != JSON_ARRAY || !words->len) return;
    (void)printf("keywords: ");
    for (u32 i = 0; i < words->len; i++)
        if (words->items[i].kind == JSON_STRING)
            (void)printf("%s%.*s", i ? ", " : "", STR_ARG(json_str(info->arena, &words->items[i])));
    (void)printf("\n");
}

static void print_bins(const Info *info)
{
    const JsonNode *bin = json_find(info->release, S("bin"));
    if (!bin) return;
    if (bin->kind == JSON_STRING)
        (void)printf("bin: %.*s\n",
                     STR_ARG(str_skip(info->name, (usize)(str_rfind(info->name, '/') + 1))));
    if (bin->kind != JSON_OBJECT || !bin->len) return;
    (void)printf("bin: ");
    for (u32 i = 0; i < bin->len; i++)
        (void)printf("%s%.*s", i ? ", " : "", STR_ARG(json_str(info->arena, &bin->items[2 * i])));
    (void)printf("\n");
}

static void print_dependencies(const Info *info)
{
    CliPaint p = cli_paint(1);
    const JsonNode *deps = json_find(info->release, S("dependencies"));
    if (!deps || deps->kind != JSON_OBJECT || !deps->len) return;
    (void)printf("\n%sdependencies%s (%u):\n", p.bold, p.off, deps->len);
    for (u32 i = 0; i < deps->len; i++)
        if (deps->items[2 * i + 1].kind == JSON_STRING)
            (void)printf("- %.*s: %.*s\n", STR_ARG(json_str(info->arena, &deps->items[2 * i])),
                         STR_ARG(json_str(info->arena, &deps->items[2 * i + 1])));
}

static void print_size(f64 bytes)
{
    static const char *const units[] = {"B", "KB", "MB", "GB"};
    u32 unit = 0;
    for (; bytes >= 1000 && unit + 1 < COUNT(units); unit++) bytes /= 1000;
    (void)printf(unit ? " .unpackedSize: %.2f %s\n" : " .unpackedSize: %.0f %s\n", bytes,
                 units[unit]);
}

static void print_dist(const Info *info)
{
    CliPaint p = cli_paint(1);
    const JsonNode *dist = json_find(info->release, S("dist"));
    static const Str keys[] = {{"tarball", 7}, {"shasum", 6}, {"integrity", 9}};
    if (!dist || dist->kind != JSON_OBJECT) return;
    (void)printf("\n%sdist%s\n", p.bold, p.off);
    for (u32 i = 0; i < COUNT(keys); i++) {
        Str text = text_of(info, dist, keys[i]);
        if (text.n) (void)printf(" .%.*s: %.*s\n", STR_ARG(keys[i]), STR_ARG(text));
    }
    const JsonNode *size = json_find(dist, S("unpackedSize"));
    if (size && size->kind == JSON_NUMBER) print_size(json_number(size));
}

static void print_tags(const Info *info)
{
    CliPaint p = cli_paint(1);
    const JsonNode *tags = json_find(&info->document, S("dist-tags"));
    if (!tags || tags->kind != JSON_OBJECT || !tags->len) return;
    (void)printf("\n%sdist-tags:%s\n", p.bold, p.off);
    for (u32 i = 0; i < tags->len; i++)
        if (tags->items[2 * i + 1].kind == JSON_STRING)
            (void)printf("%.*s: %.*s\n", STR_ARG(json_str(info->arena, &tags->items[2 * i])),
                         STR_ARG(json_str(info->arena, &tags->items[2 * i + 1])));
}

static void print_maintainers(const Info *info)
{
    const JsonNode *list = json_find(&info->document, S("maintainers"));
    if (!list || list->kind != JSON_ARRAY || !list->len) return;
    (void)printf("\nmaintainers:\n");
    for (u32 i = 0; i < list->len; i++) {
        const JsonNode *who = &list->items[i];
        Str name =
            who->kind == JSON_STRING ? json_str(info->arena, who) : text_of(info, who, S("name"));
        Str email = text_of(info, who, S("email"));
        (void)printf("- %.*s", STR_ARG(name));
        if (email.n) (void)printf(" <%.*s>", STR_ARG(email));
        (void)printf("\n");
    }
}

static void print_all(const Info *info)
{
    CliPaint p = cli_paint(1);
    print_head(info);
    print_keywords(info);
    print_bins(info);
    Str deprecated = text_of(info, info->release, S("deprecated"));
    if (deprecated.n) (void)printf("\n%sDEPRECATED%s - %.*s\n", p.red, p.off, STR_ARG(deprecated));
    print_dependencies(info);
    print_dist(info);
    print_tags(info);
    print_maintainers(info);
    Str when = text_of(info, json_find(&info->document, S("time")), info->version);
    if (when.n) (void)printf("\nPublished: %.*s\n", STR_ARG(when));
}

/* ---- For programs ---------------------------------------------------------------------------- */

static void write_versions(const Info *info, Buf *out)
{
    const JsonNode *versions = json_find(&info->document, S("versions"));
    (void)buf_push_char(out, '[');
    for (u32 i = 0; versions && versions->kind == JSON_OBJECT && i < versions->len; i++) {
        if (i) (void)buf_push_char(out, ',');
        json_write_str(out, json_str(info->arena, &versions->items[2 * i]));
    }
    (void)buf_push_char(out, ']');
}

/* The release, and of the rest what people want to know: a document that has both. */
static bool write_all(const Info *info, JsonNode *ret)
{
    static const Str keys[] = {{"dist-tags", 9}, {"time", 4}};
    AUTO(Buf) out = {0};
    JsonError e;
    if (!info->release) return false;
    json_write(&out, info->release, S(""));
    if (out.len) out.len--; /* the bracket */
    (void)buf_push(&out, info->release->len ? S(",\"versions\":") : S("\"versions\":"));
    write_versions(info, &out);
    for (u32 i = 0; i < COUNT(keys); i++) {
        const JsonNode *node = json_find(&info->document, keys[i]);
        if (!node) continue;
        (void)buf_fmt(&out, ",\"%.*s\":", STR_ARG(keys[i]));
        json_write(&out, node, S(""));
    }
    (void)buf_push_char(&out, '}');
    return json_parse(info->arena, str_dup(info->arena, buf_str(&out)), 0, ret, &e);
}

/* How many were found. */
static u32 print_properties(const Info *info, const JsonNode *all, CliArgs keys, bool is_json)
{
    u32 n = 0;
    if (is_json && keys.len > 1) (void)printf("{");
    for (u32 i = 0; i < keys.len; i++) {
        CliJsonPath path;
        if (!cli_json_path_parse(keys.at[i], &path)) continue;
        const JsonNode *node = cli_json_path_find(all, &path);
        if (!node) node = cli_json_path_find(&info->document, &path);
        if (!node) continue;
        if (is_json && keys.len > 1)
            (void)printf("%s\n  \"%.*s\": ", n ? "," : "", STR_ARG(keys.at[i]));
        else if (keys.len > 1)
            (void)printf("%.*s = ", STR_ARG(keys.at[i]));
        if (node->kind == JSON_STRING && keys.len == 1 && !is_json)
            (void)printf("%.*s", STR_ARG(json_str(info->arena, node)));
        else
            print_node(node, S("  "));
        if (!is_json || keys.len == 1) (void)printf("\n");
        n++;
    }
    if (is_json && keys.len > 1) (void)printf("\n}\n");
    return n;
}

/* ---- Asking ---------------------------------------------------------------------------------- */

/* The version for "^1", "next" or nothing. */
static bool choose(Info *info, Str text, Log *log)
{
    Arena *a = info->arena;
    const JsonNode *versions = json_find(&info->document, S("versions"));
    const JsonNode *tags = json_find(&info->document, S("dist-tags"));
    if (!versions || versions->kind != JSON_OBJECT)
        return log_error(log, (Span){0}, "%.*s has no versions", STR_ARG(info->name));
    info->n_versions = versions->len;
    SemverRange range;
    Semver best = {0}, version;
    Str latest = json_find_str(a, tags, S("latest")), tagged = json_find_str(a, tags, text);
    info->version = text.n ? tagged : latest;
    bool is_range = !info->version.n && semver_range_parse(a, text, &range);
    if (is_range && semver_parse(latest, &version) && semver_satisfies(&range, &version))
        info->version = latest;
    for (u32 i = 0; is_range && !str_eq(info->version, latest) && i < versions->len; i++) {
        Str one = json_str(a, &versions->items[2 * i]);
        if (!semver_parse(one, &version) || !semver_satisfies(&range, &version)) continue;
        if (info->version.n && semver_cmp(&version, &best) < 0) continue;
        best = version;
        info->version = one;
    }
    info->release = info->version.n ? json_find(versions, info->version) : NULL;
    if (info->release && info->release->kind == JSON_OBJECT) return true;
    return log_error(log, (Span){0}, "No version of \"%.*s\" satisfying \"%.*s\" found",
                     STR_ARG(info->name), STR_ARG(text));
}

static bool fetch(Info *info, const PkgOptions *pkg, Log *log)
{
    Arena *a = info->arena;
    const PkgRegistry *registry = pkg_registry_for(pkg, info->name);
    PkgRequest request = {.url = pkg_metadata_url(a, registry->url, info->name),
                          .auth = registry->auth};
    PkgReply reply;
    JsonError e;
    Loop *loop = loop_new();
    bool ok = pkg_request(a, loop, pkg, &request, log, &reply);
    loop_free(loop);
    if (!ok) return false;
    if (reply.status == 404)
        return log_error(log, (Span){0}, "'%.*s' does not exist in this registry (404: %.*s)",
                         STR_ARG(info->name), STR_ARG(request.url));
    if (reply.status != 200)
        return log_error(log, (Span){0}, "GET %.*s answered %u%s", STR_ARG(request.url),
                         reply.status,
                         reply.status == 401 || reply.status == 403
                             ? ": a token in .npmrc may be missing or wrong"
                             : "");
    return json_parse(a, reply.body, 0, &info->document, &e) ||
           log_error(log, (Span){0}, "%.*s is no JSON of a package: %s", STR_ARG(request.url),
                     e.what);
}

/* The package of the current folder. */
static Str own_name(Cli *cli, const PkgOptions *pkg)
{
    CliPackage package;
    Log log;
    log_init(&log, cli->arena);
    Str dir = path_join2(cli->arena, pkg->dir, pkg->package);
    return cli_package_read(cli->arena, &log, dir, &package) == 1 ? package.name : S("");
}

int cli_info(Cli *cli, const CliSource *source, CliArgs args, bool is_json)
{
    PkgOptions pkg = {0};
    Info info = {.arena = cli->arena};
    JsonNode all;
    Str text = S("");
    Log log;
    log_init(&log, cli->arena);
    if (!cli_packages_open(cli, source, &log, &pkg)) return cli_fail_with(&log);
    Str name = args.len ? args.at[0] : own_name(cli, &pkg);
    if (!name.n) {
        cli_print_command_help(cli, &cli_info_command);
        return 1;
    }
    CliArgs keys = {args.at + 1, args.len ? args.len - 1 : 0};
    if (!cli_packages_cut(name, &info.name, &text)) {
        cli_error("\"%.*s\" is not the name of a package", STR_ARG(name));
        return 1;
    }
    if (!fetch(&info, &pkg, &log) || !choose(&info, text, &log)) return cli_fail_with(&log);
    if (!keys.len && !is_json) {
        print_all(&info);
        return 0;
    }
    if (!write_all(&info, &all)) return 1;
    if (!keys.len) {
        print_node(&all, S("  "));
        (void)printf("\n");
        return 0;
    }
    if (print_properties(&info, &all, keys, is_json)) return 0;
    cli_error("Property %.*s not found", STR_ARG(keys.at[0]));
    return 1;
}

static int run(Cli *cli, const void *options, const Str *operands, u32 n_operands)
{
    const InfoOptions *o = options;
    return cli_info(cli, &o->source, (CliArgs){operands, n_operands}, o->json);
}

const CliCommand cli_info_command = {
    .name = "info",
    .alias = "view",
    .args = "<package>[@version] [properties]",
    .summary = "Show what the registry says about a package",
    .example = "  cob info react\n  cob info react@18 version license\n"
               "  cob info react 'time[18.0.0]'\n  cob info react versions --json",
    .flags = flags,
    .n_flags = COUNT(flags),
    .options_size = sizeof(InfoOptions),
    .run = run,
};
