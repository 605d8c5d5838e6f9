/* cli/cli_publish.c -- `cob publish`: a package goes to the registry. */
#include "cli/pm.h"
#include "codec/base64.h"
#include "codec/compress.h"
#include "codec/tar.h"
#include "util/err.h"
#include "util/path.h"

#include <stdio.h>

enum { ARCHIVE_MAX = 1 << 30, README_MAX = 1 << 20 };

typedef struct {
    PmOptions pm; /* the first: they are the same address */
    Str access, tag, otp, auth_type;
    bool tolerate;
} PublishOptions;

typedef struct {
    Pm *pm;
    const PublishOptions *options;
    PkgPack pack;
    Buf tarball;
    JsonNode manifest;
    PkgRegistry registry;
    Str tag, access; /* access: empty is the registry's default */
} Publishing;

/* ---- What ------------------------------------------------------------------------------------ */

/* package.json of a tarball that was made before. */
static bool read_tarball(Publishing *p, Str path)
{
    Arena *a = p->pm->cli->arena;
    Log *log = &p->pm->log;
    AUTO(Buf) tar = {.max = ARCHIVE_MAX};
    Str bytes;
    CompressError e;
    TarEntry entry;
    int rc = sys_read_file(a, path, ARCHIVE_MAX, &bytes);
    if (rc < 0)
        return log_error(log, (Span){0}, "Cannot read %.*s: %s", STR_ARG(path), err_text(rc));
    CompressOptions o = compress_defaults(COMPRESS_GUNZIP);
    if (!compress_whole(&o, bytes, compress_flushes(COMPRESS_GUNZIP).finish, &tar, &e) || tar.full)
        return log_error(log, (Span){0}, "%.*s is no gzip archive", STR_ARG(path));
    TarReader reader = tar_reader(a, buf_str(&tar));
    while (tar_next(&reader, &entry)) {
        if (entry.kind != TAR_FILE) continue;
        p->pack.n_files++;
        p->pack.unpacked_size += entry.data.n;
        i64 slash = str_find(entry.name, '/');
        if (slash > 0 && str_eq(str_skip(entry.name, (usize)slash + 1), S("package.json")))
            p->pack.manifest = str_dup(a, entry.data);
    }
    if (!p->pack.manifest.n)
        return log_error(log, (Span){0}, "%.*s has no package.json", STR_ARG(path));
    pkg_pack_digest(a, &p->pack, bytes);
    return buf_push(&p->tarball, bytes);
}

static bool parse_manifest(Publishing *p)
{
    Arena *a = p->pm->cli->arena;
    JsonError e;
    if (!json_parse(a, p->pack.manifest, JSON_JSONC, &p->manifest, &e))
        return log_error(&p->pm->log, (Span){0}, "package.json: %s", e.what);
    p->pack.name = json_find_str(a, &p->manifest, S("name"));
    p->pack.version = json_find_str(a, &p->manifest, S("version"));
    if (!p->pack.name.n || !p->pack.version.n)
        return log_error(&p->pm->log, (Span){0},
                         "package.json must have `name` and `version` fields");
    const JsonNode *is_private = json_find(&p->manifest, S("private"));
    return !is_private || is_private->kind != JSON_TRUE ||
           log_error(&p->pm->log, (Span){0}, "attempted to publish a private package");
}

/* Flags, then "publishConfig", then what is usual. */
static bool read_config(Publishing *p)
{
    Arena *a = p->pm->cli->arena;
    const JsonNode *config = json_find(&p->manifest, S("publishConfig"));
    Str url = json_find_str(a, config, S("registry"));
    p->tag = p->options->tag.n ? p->options->tag : json_find_str(a, config, S("tag"));
    if (!p->tag.n) p->tag = S("latest");
    p->access = p->options->access.n ? p->options->access : json_find_str(a, config, S("access"));
    p->registry = *pkg_registry_for(&p->pm->pkg, p->pack.name);
    if (url.n && !p->pm->options->source.registry.n) {
        while (str_ends(url, S("/"))) url.n--;
        bool is_same = str_eq(url, p->registry.url);
        p->registry.url = url;
        if (!is_same) p->registry.auth = pkg_settings_auth(&p->pm->pkg, url);
    }
    SemverRange range;
    if (semver_range_parse(a, p->tag, &range))
        return log_error(&p->pm->log, (Span){0}, "The tag \"%.*s\" is a version: tags are words",
                         STR_ARG(p->tag));
    bool is_known =
        !p->access.n || str_eq(p->access, S("public")) || str_eq(p->access, S("restricted"));
    return is_known ||
           log_error(&p->pm->log, (Span){0},
                     "invalid `access` value: '%.*s' (public or restricted)", STR_ARG(p->access));
}

/* ---- The document ---------------------------------------------------------------------------- */

static void put_text(Buf *out, const char *key, Str text)
{
    buf_fmt(out, ",\"%s\":", key);
    json_write_str(out, text);
}

static void put_readme(const Publishing *p, Buf *out)
{
    static const char *const names[] = {"README.md", "readme.md", "Readme.md", "README"};
    Arena *a = p->pm->cli->arena;
    Str text;
    for (u32 i = 0; p->pack.dir.n && i < COUNT(names); i++) {
        if (sys_read_file(a, path_join2(a, p->pack.dir, str_z(names[i])), README_MAX, &text) < 0)
            continue;
        put_text(out, "readme", text);
        put_text(out, "readmeFilename", str_z(names[i]));
        return;
    }
}

static void put_version(const Publishing *p, Str file, Buf *out)
{
    Arena *a = p->pm->cli->arena;
    const PkgPack *pack = &p->pack;
    json_write(out, &p->manifest, S(""));
    if (out->len) out->len--; /* the bracket */
    put_text(out, "_id", str_fmt(a, "%.*s@%.*s", STR_ARG(pack->name), STR_ARG(pack->version)));
    put_text(out, "_integrity", pack->integrity);
    put_text(out, "_nodeVersion", str_skip(str_z(CLI_NODE_VERSION), 1));
    put_text(out, "_npmVersion", S("10.8.3"));
    put_readme(p, out);
    (void)buf_push(out, S(",\"dist\":{\"integrity\":"));
    json_write_str(out, pack->integrity);
    put_text(out, "shasum", pack->shasum);
    put_text(out, "tarball",
             str_fmt(a, "%.*s/%.*s/-/%.*s", STR_ARG(p->registry.url), STR_ARG(pack->name),
                     STR_ARG(file)));
    (void)buf_push(out, S("}}"));
}

static void put_document(const Publishing *p, Buf *out)
{
    Arena *a = p->pm->cli->arena;
    const PkgPack *pack = &p->pack;
    Str base = str_skip(pack->name, (usize)(str_rfind(pack->name, '/') + 1));
    Str file = str_fmt(a, "%.*s-%.*s.tgz", STR_ARG(base), STR_ARG(pack->version));
    (void)buf_push(out, S("{\"_id\":"));
    json_write_str(out, pack->name);
    put_text(out, "name", pack->name);
    (void)buf_push(out, S(",\"dist-tags\":{"));
    json_write_str(out, p->tag);
    (void)buf_push_char(out, ':');
    json_write_str(out, pack->version);
    (void)buf_push(out, S("},\"versions\":{"));
    json_write_str(out, pack->version);
    (void)buf_push_char(out, ':');
    put_version(p, file, out);
    (void)buf_push(out, S("},\"access\":"));
    if (p->access.n)
        json_write_str(out, p->access);
    else
        (void)buf_push(out, S("null"));
    (void)buf_push(out, S(",\"_attachments\":{"));
    json_write_str(out, str_fmt(a, "%.*s-%.*s.tgz", STR_ARG(pack->name), STR_ARG(pack->version)));
    (void)buf_push(out, S(":{\"content_type\":\"application/octet-stream\",\"data\":\""));
    char *room = buf_reserve(out, base64_encoded_len(p->tarball.len, BASE64_STANDARD));
    out->len += base64_encode((const u8 *)p->tarball.p, p->tarball.len, BASE64_STANDARD, room);
    buf_fmt(out, "\",\"length\":%zu}}}", p->tarball.len);
}

/* ---- Sending --------------------------------------------------------------------------------- */

static bool ask(Publishing *p, const PkgRequest *request, PkgReply *ret)
{
    Loop *loop = loop_new();
    bool ok = pkg_request(p->pm->cli->arena, loop, &p->pm->pkg, request, &p->pm->log, ret);
    loop_free(loop);
    return ok;
}

static bool is_known_version(Publishing *p, bool *ret)
{
    Arena *a = p->pm->cli->arena;
    PkgRequest request = {.url = pkg_metadata_url(a, p->registry.url, p->pack.name),
                          .auth = p->registry.auth};
    PkgReply reply;
    JsonNode json;
    JsonError e;
    *ret = false;
    if (!ask(p, &request, &reply)) return false;
    if (reply.status == 200 && json_parse(a, reply.body, 0, &json, &e))
        *ret = json_find(json_find(&json, S("versions")), p->pack.version) != NULL;
    return true;
}

/* Registries say it in a header, or only in words. */
static bool wants_password(const PkgReply *reply)
{
    Str header = pkg_reply_header(reply, S("www-authenticate"));
    return reply->status == 401 &&
           (str_find_str(header, S("otp")) >= 0 || str_find_str(header, S("OTP")) >= 0 ||
            str_find_str(reply->body, S("one-time pass")) >= 0);
}

static bool explain(Publishing *p, const PkgReply *reply, Str url)
{
    Arena *a = p->pm->cli->arena;
    JsonNode json;
    JsonError e;
    Str said = S(""), page = S("");
    if (json_parse(a, reply->body, 0, &json, &e)) {
        said = json_find_str(a, &json, S("error"));
        if (!said.n) said = json_find_str(a, &json, S("reason"));
        page = json_find_str(a, &json, S("authUrl"));
    }
    if (wants_password(reply))
        return log_error(&p->pm->log, (Span){0},
                         p->options->otp.n ? "The one-time password was not accepted%s%.*s"
                                           : "A one-time password is needed: --otp=<code>%s%.*s",
                         page.n ? ", or sign in at " : "", STR_ARG(page));
    const char *hint = reply->status == 401   ? ": the token in .npmrc is missing or not valid"
                       : reply->status == 403 ? ": not allowed, or this version is there already"
                       : reply->status == 404 ? ": no such registry, or no right to publish there"
                                              : "";
    return log_error(&p->pm->log, (Span){0}, "PUT %.*s answered %u%s%s%.*s", STR_ARG(url),
                     reply->status, hint, said.n ? " - " : "", STR_ARG(said));
}

static bool send_document(Publishing *p)
{
    AUTO(Buf) body = {0};
    PkgReply reply;
    Str type = p->options->auth_type.n ? p->options->auth_type
               : p->options->otp.n     ? S("legacy")
                                       : S("web");
    PkgHeader headers[] = {{S("npm-command"), S("publish")},
                           {S("npm-auth-type"), type},
                           {S("npm-otp"), p->options->otp}};
    put_document(p, &body);
    PkgRequest request = {.method = S("PUT"),
                          .url = pkg_metadata_url(p->pm->cli->arena, p->registry.url, p->pack.name),
                          .body = buf_str(&body),
                          .auth = p->registry.auth,
                          .headers = headers,
                          .n_headers = p->options->otp.n ? 3 : 2};
    if (!ask(p, &request, &reply)) return false;
    return (reply.status >= 200 && reply.status < 300) || explain(p, &reply, request.url);
}

/* ---- The command ----------------------------------------------------------------------------- */

static bool prepare(Publishing *p, int *ret_code)
{
    Pm *pm = p->pm;
    static const char *const scripts[] = {"prepublishOnly", "prepack", "prepare"};
    const PmOptions *o = pm->options;
    if (pm->args.len && cli_is_file(pm->args.at[0]))
        return read_tarball(p, pm->args.at[0]) && parse_manifest(p);
    p->pack.manifest = pm->package.source.text;
    if (!parse_manifest(p)) return false; /* before scripts do what is in vain */
    for (u32 i = 0; i < COUNT(scripts) && !*ret_code; i++)
        *ret_code = cli_pack_script(pm, scripts[i]);
    if (*ret_code) return false;
    u32 level = o->gzip_level == CLI_PACK_LEVEL_UNSET ? PKG_PACK_LEVEL : MIN(o->gzip_level, 9u);
    Arena *a = pm->cli->arena;
    bool ok = pkg_pack_list(a, pm->pkg.dir, pm->package.dir, &pm->log, &p->pack) &&
              pkg_pack_make(a, &p->pack, level, &pm->log, &p->tarball) && parse_manifest(p);
    if (ok) *ret_code = cli_pack_script(pm, "postpack");
    return ok && !*ret_code;
}

static int finish(Publishing *p)
{
    Pm *pm = p->pm;
    bool is_quiet = pm->options->quiet || pm->options->source.silent, is_there = false;
    if (!is_quiet) {
        cli_pack_print_files(&p->pack);
        cli_pack_print_totals(&p->pack, p->tarball.len);
        (void)printf("Tag: %.*s\nAccess: %.*s\nRegistry: %.*s\n", STR_ARG(p->tag),
                     STR_ARG(p->access.n ? p->access : S("default")), STR_ARG(p->registry.url));
        (void)fflush(stdout);
    }
    if (!pm->options->dry_run) {
        if (!p->registry.auth.n)
            return !log_error(&pm->log, (Span){0},
                              "missing authentication (run `%sx npm login`, or put a token for "
                              "%.*s into .npmrc)",
                              cli_own_name(pm->cli), STR_ARG(p->registry.url));
        if (p->options->tolerate && !is_known_version(p, &is_there)) return 1;
        if (is_there) {
            (void)fprintf(stderr, "warn: Registry already knows about version %.*s; skipping.\n",
                          STR_ARG(p->pack.version));
            return 0;
        }
        if (!send_document(p)) return 1;
    }
    (void)printf("\n + %.*s@%.*s%s\n", STR_ARG(p->pack.name), STR_ARG(p->pack.version),
                 pm->options->dry_run ? " (dry-run)" : "");
    if (pm->args.len && cli_is_file(pm->args.at[0])) return 0;
    int code = cli_pack_script(pm, "publish");
    return code ? code : cli_pack_script(pm, "postpublish");
}

static int publish(Pm *pm)
{
    Publishing p = {.pm = pm, .options = (const PublishOptions *)(const void *)pm->options};
    int code = 0;
    if (!prepare(&p, &code) || !read_config(&p))
        code = code ? code : 1;
    else
        code = finish(&p);
    Buf_deinit(&p.tarball);
    return code;
}

static int run(Cli *cli, const void *options, const Str *operands, u32 n_operands)
{
    const PublishOptions *o = options;
    bool is_dir = n_operands && !cli_is_file(operands[0]);
    int rc = is_dir ? sys_chdir(operands[0]) : 0;
    if (rc < 0) {
        cli_error("cannot change to \"%.*s\": %s", STR_ARG(operands[0]), err_text(rc));
        return 1;
    }
    if (is_dir) n_operands = 0;
    return cli_pm_run(cli, &o->pm, publish, n_operands > 0, (CliArgs){operands, n_operands});
}

#define PUBLISH_FLAG(name, letter, kind, field, value, help)                                       \
    CLI_FLAG(name, letter, kind, PublishOptions, field, value, help)

static const CliFlag flags[] = {
    PUBLISH_FLAG("tag", 0, CLI_STR, tag, "word",
                 "What it is known as besides its version (latest)"),
    PUBLISH_FLAG("access", 0, CLI_STR, access, "public|restricted", "Who may see it"),
    PUBLISH_FLAG("otp", 0, CLI_STR, otp, "code", "A one-time password"),
    PUBLISH_FLAG("auth-type", 0, CLI_STR, auth_type, "web|legacy", "How that is to be asked for"),
    PUBLISH_FLAG("tolerate-republish", 0, CLI_BOOL, tolerate, NULL,
                 "That this version is there already is no error"),
    PUBLISH_FLAG("dry-run", 0, CLI_BOOL, pm.dry_run, NULL, "Do all but send it"),
    PUBLISH_FLAG("gzip-level", 0, CLI_U32, pm.gzip_level, "n", "0 to 9 (9)"),
    PUBLISH_FLAG("ignore-scripts", 0, CLI_BOOL, pm.ignore_scripts, NULL,
                 "Run no scripts of package.json"),
    PUBLISH_FLAG("quiet", 'q', CLI_BOOL, pm.quiet, NULL, "Do not list the files"),
    CLI_NO_FIELD("provenance", 0, CLI_LATER, NULL, "Say where it was built"),
    CLI_NO_FIELD("filter", 'F', CLI_LATER_VALUE, "pattern", "Workspaces that match"),
    CLI_NO_FIELD("recursive", 'r', CLI_LATER, NULL, "All workspaces"),
    CLI_SOURCE_FLAGS,
};

static const PublishOptions defaults = {.pm = {.gzip_level = CLI_PACK_LEVEL_UNSET}};

const CliCommand cli_publish_command = {
    .name = "publish",
    .args = "[folder or tarball]",
    .summary = "Send the package to the registry",
    .example = "  cob publish --dry-run\n  cob publish --tag next --access public\n"
               "  cob publish ./my-package-1.0.0.tgz --otp 123456",
    .flags = flags,
    .n_flags = COUNT(flags),
    .options_size = sizeof(PublishOptions),
    .defaults = &defaults,
    .run = run,
};
