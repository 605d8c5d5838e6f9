/* install/pkg_metadata.c -- the metadata of a package ("packument") as text: which versions there
 * are, and which of them to take.  It is cut into versions, and only what was chosen is parsed. */
#include "codec/inflate.h"
#include "install/pkg.h"
#include "install/pkg_scan.h"

#include <string.h>

typedef struct {
    Semver version;
    Str text;
    Str source; /* of its object */
    const JsonNode *json;
    bool is_young;
    bool is_read; /* json is there, or NULL because it is broken */
} Release;

struct PkgMetadata {
    Arena arena; /* its own, until pkg_metadata_drop */
    Buf text;
    Str tags_source, times_source;
    JsonNode tags;
    Vec(Release) releases;
    const char *error;
};

/* ---- Reading: on any thread ------------------------------------------------------------------ */

static bool take_releases(PkgMetadata *m, Str *rest)
{
    Str key, value;
    if (!pkg_scan_open(rest)) return false;
    while (pkg_scan_key(rest, &key)) {
        if (!pkg_scan_value(rest, &value)) return false;
        Release r = {.text = key, .source = value};
        if (value.p[0] == '{' && semver_parse(r.text, &r.version))
            vec_push(&m->arena, &m->releases, r);
    }
    return pkg_scan_close(rest);
}

static bool take_all(PkgMetadata *m)
{
    Str rest = buf_str(&m->text), key, value;
    if (!pkg_scan_open(&rest)) return false;
    while (pkg_scan_key(&rest, &key)) {
        if (str_eq(key, S("versions"))) {
            if (!take_releases(m, &rest)) return false;
            continue;
        }
        if (!pkg_scan_value(&rest, &value)) return false;
        if (str_eq(key, S("dist-tags"))) m->tags_source = value;
        if (str_eq(key, S("time"))) m->times_source = value;
    }
    return pkg_scan_close(&rest) && !str_trim(rest).n;
}

static bool keep(void *ctx, Str piece)
{
    return buf_push(ctx, piece);
}

static bool unzip(PkgMetadata *m, Str body)
{
    AUTO(Buf) window = {0};
    u32 size; /* the end of gzip says how much it is, and may lie */
    if (body.n < sizeof size) return false;
    memcpy(&size, body.p + body.n - sizeof size, sizeof size);
    if (size <= PKG_MANIFEST_MAX) (void)buf_reserve(&m->text, size);
    u8 *room = (u8 *)buf_reserve(&window, INFLATE_WINDOW);
    return !gunzip_pieces(body, room, keep, &m->text) && !m->text.full;
}

PkgMetadata *pkg_metadata_new(Str body)
{
    PkgMetadata *m = MEM_NEW(PkgMetadata);
    m->text.max = PKG_MANIFEST_MAX;
    bool is_gzip = body.n > 2 && (u8)body.p[0] == 0x1f && (u8)body.p[1] == 0x8b;
    bool ok = is_gzip ? unzip(m, body) : buf_push(&m->text, body);
    if (!ok || !take_all(m)) m->error = "is no JSON of a package";
    return m;
}

void pkg_metadata_free(PkgMetadata *m)
{
    if (!m) return;
    Buf_deinit(&m->text);
    arena_deinit(&m->arena);
    mem_free(m);
}

/* ---- Choosing: on the thread of the run ------------------------------------------------------ */

const char *pkg_metadata_open(Arena *a, PkgMetadata *m)
{
    JsonError e;
    Str tags = str_dup(a, m->tags_source);
    if (m->error || !tags.n) return m->error;
    if (!json_parse(a, tags, 0, &m->tags, &e)) m->error = "has tags that are no JSON";
    return m->error;
}

/* NULL when it is broken.  Its texts are in the arena: they outlive the metadata. */
static const JsonNode *read_release(Arena *a, Release *r)
{
    JsonError e;
    if (r->is_read) return r->json;
    r->is_read = true;
    JsonNode *json = ARENA_NEW(a, JsonNode);
    if (json_parse(a, str_dup(a, r->source), 0, json, &e)) r->json = json;
    return r->json;
}

static Release *find_release(const PkgMetadata *m, Str version)
{
    for (u32 i = 0; i < m->releases.len; i++)
        if (str_eq(m->releases.at[i].text, version)) return &m->releases.at[i];
    return NULL;
}

static Release *tagged(const PkgMetadata *m, Arena *a, Str tag)
{
    Str version = json_find_str(a, &m->tags, tag);
    return version.n ? find_release(m, version) : NULL;
}

static Release *best(PkgMetadata *m, const SemverRange *range)
{
    Release *found = NULL;
    for (u32 i = 0; i < m->releases.len; i++) {
        Release *r = &m->releases.at[i];
        if (found && semver_cmp_build(&found->version, &r->version) > 0) continue;
        if (!r->is_young && semver_satisfies(range, &r->version)) found = r;
    }
    return found;
}

/* The greatest one below that is old enough, and no prerelease unless that is one. */
static Release *older(PkgMetadata *m, const Release *than)
{
    Release *found = NULL;
    for (u32 i = 0; i < m->releases.len; i++) {
        Release *r = &m->releases.at[i];
        bool is_one = !r->is_young && semver_cmp(&r->version, &than->version) < 0 &&
                      (!r->version.pre.n || than->version.pre.n);
        if (is_one && (!found || semver_cmp(&found->version, &r->version) < 0)) found = r;
    }
    return found;
}

void pkg_metadata_gate(PkgMetadata *m, const PkgOptions *options, Str name, u64 newest_s)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    JsonNode times;
    JsonError e;
    if (!m->times_source.n || !json_parse(s.arena, m->times_source, 0, &times, &e)) return;
    for (u32 i = 0; i < m->releases.len; i++) {
        Release *r = &m->releases.at[i];
        const JsonNode *time = json_find(&times, r->text);
        if (!time || pkg_age_is_excluded(options, name, r->text)) continue;
        i64 at = pkg_time_parse(json_find_str(s.arena, &times, r->text));
        r->is_young = at < 0 || (u64)at > newest_s; /* who knows how old */
    }
}

const JsonNode *pkg_metadata_pick(PkgMetadata *m, Arena *a, const PkgSpec *spec, Str *ret_version)
{
    Release *r = NULL;
    if (spec->kind == PKG_TAG) {
        r = tagged(m, a, spec->text);
        if (r && r->is_young) r = older(m, r);
    } else {
        /* What most people get is preferred to what is newest. */
        r = tagged(m, a, S("latest"));
        if (!r || r->is_young || !semver_satisfies(&spec->range, &r->version))
            r = best(m, &spec->range);
    }
    if (!r) return NULL;
    *ret_version = str_dup(a, r->text);
    return read_release(a, r);
}

Str pkg_metadata_latest(const PkgMetadata *m, Arena *a)
{
    return json_find_str(a, &m->tags, S("latest"));
}

void pkg_metadata_drop(PkgMetadata *m)
{
    Buf_deinit(&m->text);
    arena_deinit(&m->arena);
    m->arena = (Arena){0};
    m->releases.len = m->releases.cap = 0;
    m->releases.at = NULL;
}
