/* install/pkg_settings.c -- see install.h.  .npmrc is npm's "ini": `key = value`, `key[] =
 * value`, lines from ";" or "#" on are remarks, ${NAME} is a variable of the environment. */
#include "install/install.h"

#include "codec/base64.h"
#include "sys/sys.h"
#include "util/buf.h"
#include "util/err.h"
#include "util/path.h"
#include "util/toml.h"
#include "util/vec.h"

enum { FILE_MAX = 1 << 20, CA_MAX = 8 << 20 };

#define NPM_REGISTRY "https://registry.npmjs.org"

/* "//host/path/:_authToken" and the like, before it is known whose they are. */
typedef struct {
    Str place; /* "//host/path" */
    Str token, auth, user, password;
} Credential;

typedef struct {
    Arena *arena;
    PkgSettings *out;
    Vec(PkgRegistry) registries;
    Vec(Credential) credentials;
} Reader;

static Str without_slash(Str url)
{
    while (url.n && url.p[url.n - 1] == '/') url.n--;
    return url;
}

/* What was said first counts. */
static void add_registry(Reader *r, Str scope, Str url)
{
    for (u32 i = 0; i < r->registries.len; i++)
        if (str_eq(r->registries.at[i].scope, scope)) return;
    vec_push(r->arena, &r->registries, (PkgRegistry){.scope = scope, .url = without_slash(url)});
}

static Credential *credential_for(Reader *r, Str place)
{
    place = without_slash(place);
    for (u32 i = 0; i < r->credentials.len; i++)
        if (str_eq(r->credentials.at[i].place, place)) return &r->credentials.at[i];
    Credential *c = vec_add(r->arena, &r->credentials);
    c->place = place;
    return c;
}

static void set(Str *field, Str value)
{
    if (!field->n) *field = value;
}

static void set_flag(i8 *field, bool value)
{
    if (*field < 0) *field = value;
}

/* ---- .npmrc ---------------------------------------------------------------------------------- */

/* ${NAME}, ${NAME?} (empty when it is not there), ${NAME:-otherwise}. */
static Str expand(Arena *a, Str text)
{
    if (str_find_str(text, S("${")) < 0) return text;
    AUTO(Buf) out = {0};
    while (text.n) {
        i64 start = str_find_str(text, S("${"));
        Str rest = start < 0 ? S("") : str_skip(text, (usize)start + 2), value, name, otherwise;
        i64 end = str_find(rest, '}');
        if (start < 0 || end < 0) break;
        (void)buf_push(&out, str_slice(text, 0, (usize)start));
        name = str_slice(rest, 0, (usize)end);
        bool has_default = false;
        i64 dash = str_find_str(name, S(":-"));
        if (dash >= 0) {
            has_default = true;
            otherwise = str_skip(name, (usize)dash + 2);
            name = str_slice(name, 0, (usize)dash);
        }
        bool is_lenient = str_ends(name, S("?"));
        if (is_lenient) name.n--;
        if (sys_env_find(a, name, &value))
            (void)buf_push(&out, value);
        else if (has_default)
            (void)buf_push(&out, otherwise);
        else if (!is_lenient) /* as it stands */
            (void)buf_push(&out, str_slice(text, (usize)start, (usize)start + (usize)end + 3));
        text = str_skip(rest, (usize)end + 1);
    }
    (void)buf_push(&out, text);
    return str_dup(a, buf_str(&out));
}

static Str unquote(Str value)
{
    bool is_quoted = value.n >= 2 && (value.p[0] == '"' || value.p[0] == '\'') &&
                     value.p[value.n - 1] == value.p[0];
    return is_quoted ? str_slice(value, 1, value.n - 1) : value;
}

static bool is_true(Str value)
{
    return !str_eq(value, S("false")) && !str_eq(value, S("0"));
}

static void take_credential(Reader *r, Str key, Str value)
{
    i64 colon = str_rfind(key, ':');
    if (colon < 0) return;
    Credential *c = credential_for(r, str_slice(key, 0, (usize)colon));
    Str field = str_skip(key, (usize)colon + 1);
    if (str_eq(field, S("_authToken"))) set(&c->token, value);
    if (str_eq(field, S("_auth"))) set(&c->auth, value);
    if (str_eq(field, S("username"))) set(&c->user, value);
    if (str_eq(field, S("_password"))) set(&c->password, value);
}

static void take_group(PkgSettings *s, Str value, bool is_wanted)
{
    if (str_eq(value, S("dev"))) set_flag(&s->dev, is_wanted);
    if (str_eq(value, S("optional"))) set_flag(&s->optional, is_wanted);
    if (str_eq(value, S("peer"))) set_flag(&s->peer, is_wanted);
}

static void take_line(Reader *r, Str key, Str value)
{
    PkgSettings *s = r->out;
    if (str_ends(key, S("[]"))) key.n -= 2;
    if (str_starts(key, S("//"))) return take_credential(r, key, value);
    if (key.p[0] == '@' && str_ends(key, S(":registry")))
        return add_registry(r, str_slice(key, 0, key.n - 9), value);
    if (str_eq(key, S("registry"))) add_registry(r, S(""), value);
    if (str_eq(key, S("_authToken"))) set(&credential_for(r, S(""))->token, value);
    if (str_eq(key, S("_auth"))) set(&credential_for(r, S(""))->auth, value);
    if (str_eq(key, S("cache"))) set(&s->cache_dir, value);
    if (str_eq(key, S("ca"))) set(&s->ca, value);
    if (str_eq(key, S("cafile"))) set(&s->ca_file, value);
    if (str_eq(key, S("omit"))) take_group(s, value, false);
    if (str_eq(key, S("include"))) take_group(s, value, true);
    if (str_eq(key, S("production"))) set_flag(&s->production, is_true(value));
    if (str_eq(key, S("strict-ssl"))) set_flag(&s->strict_ssl, is_true(value));
    if (str_eq(key, S("save-exact"))) set_flag(&s->exact, is_true(value));
    if (str_eq(key, S("save"))) set_flag(&s->save, is_true(value));
    if (str_eq(key, S("ignore-scripts"))) set_flag(&s->ignore_scripts, is_true(value));
    if (str_eq(key, S("script-sandbox"))) set_flag(&s->script_sandbox, is_true(value));
    if (str_eq(key, S("node-linker")) || str_eq(key, S("install-strategy"))) set(&s->linker, value);
}

static void take_npmrc(Reader *r, Str text)
{
    Str line, key, value;
    while (str_next(&text, '\n', &line)) {
        line = str_trim(line);
        if (!line.n || line.p[0] == ';' || line.p[0] == '#' || line.p[0] == '[') continue;
        if (!str_cut(line, '=', &key, &value)) {
            key = line;
            value = S("true");
        }
        key = expand(r->arena, unquote(str_trim(key)));
        value = expand(r->arena, unquote(str_trim(value)));
        if (key.n) take_line(r, key, value);
    }
}

/* ---- bunfig.toml ----------------------------------------------------------------------------- */

static Str toml_text(Arena *a, const TomlNode *table, Str key)
{
    const TomlNode *n = toml_find(table, key);
    if (!n || n->kind != TOML_STRING) return S("");
    return n->str.n && n->str.p[0] == '$' && !str_starts(n->str, S("${"))
               ? expand(a, str_fmt(a, "${%.*s}", STR_ARG(str_skip(n->str, 1))))
               : expand(a, n->str);
}

/* "url", or { url, token, username, password }. */
static void take_toml_registry(Reader *r, Str scope, const TomlNode *n)
{
    if (!n) return;
    Arena *a = r->arena;
    Str url = n->kind == TOML_STRING ? expand(a, n->str) : toml_text(a, n, S("url"));
    if (!url.n) return;
    add_registry(r, scope, url);
    i64 slashes = str_find_str(url, S("//"));
    if (slashes < 0 || n->kind != TOML_TABLE) return;
    Credential *c = credential_for(r, str_skip(url, (usize)slashes));
    set(&c->token, toml_text(a, n, S("token")));
    set(&c->user, toml_text(a, n, S("username")));
    Str password = toml_text(a, n, S("password"));
    if (!password.n || c->password.n) return;
    AUTO(Buf) coded = {0};
    char *room = buf_reserve(&coded, base64_encoded_len(password.n, BASE64_STANDARD));
    coded.len = base64_encode((const u8 *)password.p, password.n, BASE64_STANDARD, room);
    c->password = str_dup(a, buf_str(&coded));
}

static void take_toml_flag(const TomlNode *table, Str key, i8 *field)
{
    const TomlNode *n = toml_find(table, key);
    if (n && n->kind == TOML_BOOLEAN) set_flag(field, n->boolean);
}

/* A number of seconds, or a text with a unit; and whom it is not for. */
static void take_toml_age(Reader *r, const TomlNode *install)
{
    PkgSettings *s = r->out;
    const TomlNode *age = toml_find(install, S("minimumReleaseAge"));
    const TomlNode *list = toml_find(install, S("minimumReleaseAgeExcludes"));
    if (age && age->kind == TOML_INTEGER)
        set(&s->age_min, str_fmt(r->arena, "%lld", (long long)age->integer));
    set(&s->age_min, toml_text(r->arena, install, S("minimumReleaseAge")));
    if (!list || list->kind != TOML_ARRAY || s->age_excludes) return;
    Str *names = ARENA_ARRAY(r->arena, Str, list->len + 1);
    for (u32 i = 0; i < list->len; i++)
        if (list->items[i]->kind == TOML_STRING) names[s->n_age_excludes++] = list->items[i]->str;
    s->age_excludes = names;
}

static void take_toml(Reader *r, const TomlNode *install)
{
    PkgSettings *s = r->out;
    const TomlNode *scopes = toml_find(install, S("scopes")),
                   *cache = toml_find(install, S("cache"));
    take_toml_registry(r, S(""), toml_find(install, S("registry")));
    for (u32 i = 0; scopes && scopes->kind == TOML_TABLE && i < scopes->len; i++) {
        Str name = scopes->entries[i].key;
        bool has_at = name.n && name.p[0] == '@';
        take_toml_registry(r, has_at ? name : str_fmt(r->arena, "@%.*s", STR_ARG(name)),
                           scopes->entries[i].value);
    }
    if (cache && cache->kind == TOML_STRING) set(&s->cache_dir, cache->str);
    set(&s->cache_dir, toml_text(r->arena, cache, S("dir")));
    set(&s->ca, toml_text(r->arena, install, S("ca")));
    set(&s->ca_file, toml_text(r->arena, install, S("cafile")));
    set(&s->linker, toml_text(r->arena, install, S("linker")));
    take_toml_flag(install, S("production"), &s->production);
    take_toml_flag(install, S("frozenLockfile"), &s->frozen);
    take_toml_flag(install, S("exact"), &s->exact);
    take_toml_flag(install, S("dev"), &s->dev);
    take_toml_flag(install, S("optional"), &s->optional);
    take_toml_flag(install, S("peer"), &s->peer);
    take_toml_flag(install, S("ignoreScripts"), &s->ignore_scripts);
    take_toml_flag(install, S("scriptSandbox"), &s->script_sandbox);
    take_toml_age(r, install);
}

static bool read_toml(Reader *r, Str path, Log *log)
{
    Str text;
    const TomlNode *root;
    TomlError e;
    if (sys_read_file(r->arena, path, FILE_MAX, &text) < 0) return true;
    Source *source = ARENA_NEW(r->arena, Source);
    *source = (Source){path, text};
    if (!toml_parse(r->arena, text, &root, &e))
        return log_error(log, (Span){.src = source, .pos = e.offset}, "%s", e.what);
    take_toml(r, toml_find(root, S("install")));
    return true;
}

/* ---- Whose credentials ----------------------------------------------------------------------- */

static Str basic(Arena *a, const Credential *c)
{
    AUTO(Buf) plain = {0};
    AUTO(Buf) coded = {0};
    (void)buf_push(&plain, c->user);
    (void)buf_push_char(&plain, ':');
    char *room = buf_reserve(&plain, base64_decoded_len_max(c->password.n));
    plain.len += base64_decode_lenient(c->password, (u8 *)room);
    room = buf_reserve(&coded, base64_encoded_len(plain.len, BASE64_STANDARD));
    coded.len = base64_encode((const u8 *)plain.p, plain.len, BASE64_STANDARD, room);
    return str_fmt(a, "Basic %.*s", STR_ARG(buf_str(&coded)));
}

static Str auth_of(Arena *a, const Credential *c)
{
    if (c->token.n) return str_fmt(a, "Bearer %.*s", STR_ARG(c->token));
    if (c->auth.n) return str_fmt(a, "Basic %.*s", STR_ARG(c->auth));
    return c->user.n && c->password.n ? basic(a, c) : S("");
}

/* A header must not have a line in it. */
static bool is_header_text(Str s)
{
    for (usize i = 0; i < s.n; i++)
        if ((u8)s.p[i] < 0x20 || (u8)s.p[i] == 0x7f) return false;
    return true;
}

/* The longest place that the URL begins with; "" is for the default registry alone. */
static void give_credentials(Reader *r)
{
    for (u32 i = 0; i < r->registries.len; i++) {
        PkgRegistry *registry = &r->registries.at[i];
        i64 slashes = str_find_str(registry->url, S("//"));
        Str place = str_skip(registry->url, slashes < 0 ? 0 : (usize)slashes);
        const Credential *best = NULL;
        for (u32 j = 0; j < r->credentials.len; j++) {
            const Credential *c = &r->credentials.at[j];
            bool is_one = c->place.n ? str_starts(place, c->place) &&
                                           (place.n == c->place.n || place.p[c->place.n] == '/')
                                     : !registry->scope.n;
            if (is_one && (!best || best->place.n < c->place.n)) best = c;
        }
        Str auth = best ? auth_of(r->arena, best) : S("");
        if (is_header_text(auth)) registry->auth = auth;
    }
}

static void finish(Reader *r)
{
    add_registry(r, S(""), S(NPM_REGISTRY));
    for (u32 i = 0; i < r->registries.len; i++) { /* the default one to the front */
        PkgRegistry registry = r->registries.at[i];
        if (registry.scope.n) continue;
        r->registries.at[i] = r->registries.at[0];
        r->registries.at[0] = registry;
    }
    give_credentials(r);
    r->out->registries = r->registries.at;
    r->out->n_registries = r->registries.len;
}

static Reader reader_of(Arena *a, PkgSettings *s)
{
    Reader r = {.arena = a, .out = s};
    s->production = s->frozen = s->exact = s->dev = s->optional = s->peer = -1;
    s->strict_ssl = s->ignore_scripts = s->save = s->script_sandbox = -1;
    return r;
}

void pkg_settings_take_npmrc(Arena *a, Str text, PkgSettings *s)
{
    Reader r = reader_of(a, s);
    take_npmrc(&r, text);
    finish(&r);
}

/* ---- All of it ------------------------------------------------------------------------------- */

static Str env_of(Arena *a, const Str *names, u32 n)
{
    Str value;
    for (u32 i = 0; i < n; i++)
        if (sys_env_find(a, names[i], &value) && value.n) return value;
    return S("");
}

static void read_npmrc(Reader *r, Str dir)
{
    Str text;
    if (dir.n &&
        sys_read_file(r->arena, path_join2(r->arena, dir, S(".npmrc")), FILE_MAX, &text) >= 0)
        take_npmrc(r, text);
}

static void take_env(Reader *r)
{
    static const Str registries[] = {{"COB_CONFIG_REGISTRY", 19},
                                     {"BUN_CONFIG_REGISTRY", 19},
                                     {"npm_config_registry", 19},
                                     {"NPM_CONFIG_REGISTRY", 19}};
    static const Str tokens[] = {
        {"COB_CONFIG_TOKEN", 16}, {"BUN_CONFIG_TOKEN", 16}, {"npm_config_token", 16}};
    static const Str ignored[] = {{"NPM_CONFIG_IGNORE_SCRIPTS", 25},
                                  {"npm_config_ignore_scripts", 25}};
    static const Str caches[] = {{"COB_INSTALL_CACHE_DIR", 21}, {"BUN_INSTALL_CACHE_DIR", 21}};
    Str url = env_of(r->arena, registries, COUNT(registries));
    if (url.n) add_registry(r, S(""), url);
    set(&credential_for(r, S(""))->token, env_of(r->arena, tokens, COUNT(tokens)));
    set(&r->out->cache_dir, env_of(r->arena, caches, COUNT(caches)));
    /* It only switches them off. */
    Str value = env_of(r->arena, ignored, COUNT(ignored));
    if (value.n && is_true(value)) set_flag(&r->out->ignore_scripts, true);
}

bool pkg_settings_read(Arena *a, Str dir, Str config, Log *log, PkgSettings *ret)
{
    static const Str homes[] = {{"HOME", 4}};
    Str home = env_of(a, homes, 1), given = ret->registries ? ret->registries[0].url : S("");
    Reader r = reader_of(a, ret);
    if (given.n) add_registry(&r, S(""), given);
    take_env(&r);
    bool ok = config.n ? read_toml(&r, path_resolve(a, dir, dir, config), log)
                       : read_toml(&r, path_join2(a, dir, S("bunfig.toml")), log) &&
                             read_toml(&r, path_join2(a, dir, S("cob.toml")), log);
    read_npmrc(&r, dir);
    if (home.n && ok) ok = read_toml(&r, path_join2(a, home, S(".bunfig.toml")), log);
    read_npmrc(&r, home);
    Str fallback = path_join2(a, home.n ? home : S("/tmp"), S(".cob/install/cache"));
    if (str_starts(ret->cache_dir, S("~/")))
        ret->cache_dir = path_join2(a, home, str_skip(ret->cache_dir, 2));
    ret->cache_dir = ret->cache_dir.n ? path_resolve(a, dir, dir, ret->cache_dir) : fallback;
    if (ret->ca_file.n) ret->ca_file = path_resolve(a, dir, dir, ret->ca_file);
    finish(&r);
    return ok;
}

/* ---- Into a run ------------------------------------------------------------------------------ */

static void drop_tls(void *tls)
{
    tls_context_unref(tls);
}

/* Certificates of our own instead of the system's. */
static bool make_tls(Arena *a, const PkgSettings *s, Log *log, PkgOptions *ret)
{
    Str pem = s->ca;
    TlsError e = {0};
    if (s->ca_file.n) {
        int rc = sys_read_file(a, s->ca_file, CA_MAX, &pem);
        if (rc < 0)
            return log_error(log, (Span){0}, "Cannot read the certificates in %.*s: %s",
                             STR_ARG(s->ca_file), err_text(rc));
    }
    if (!pem.n) return true;
    TlsOptions o = {.ca = &pem, .n_ca = 1, .has_ca = true};
    if (tls_context_new(&o, &e, &ret->tls) < 0)
        return log_error(log, (Span){0}, "The certificates of \"ca\" are not to be used");
    arena_on_free(a, drop_tls, ret->tls);
    return true;
}

bool pkg_settings_apply(Arena *a, const PkgSettings *s, Log *log, PkgOptions *ret)
{
    ret->registries = s->registries;
    ret->n_registries = s->n_registries;
    ret->cache_dir = s->cache_dir;
    if (ret->linker == PKG_LINKER_AUTO && str_eq(s->linker, S("isolated")))
        ret->linker = PKG_LINKER_ISOLATED;
    if (ret->linker == PKG_LINKER_AUTO && str_eq(s->linker, S("hoisted")))
        ret->linker = PKG_LINKER_HOISTED;
    if (s->age_min.n && !pkg_age_parse(s->age_min, &ret->age_min_s))
        return log_error(log, (Span){0},
                         "The minimum release age \"%.*s\" is none: \"3d\" would be",
                         STR_ARG(s->age_min));
    ret->age_excludes = s->age_excludes;
    ret->n_age_excludes = s->n_age_excludes;
    ret->production |= s->production == 1 || s->dev == 0;
    ret->without_optional |= s->optional == 0;
    ret->without_peers |= s->peer == 0;
    ret->is_frozen |= s->frozen == 1 || (s->production == 1 && !ret->n_changes);
    ret->is_unverified = s->strict_ssl == 0;
    return make_tls(a, s, log, ret);
}
