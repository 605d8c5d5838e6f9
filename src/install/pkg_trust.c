/* install/pkg_trust.c -- whose install scripts are run, and what they need.
 *
 * "trustedDependencies" of the project and its workspaces, if anybody has it, is the whole list: an
 * empty one trusts nobody.  Without it a built-in list counts, for packages of registries only:
 * what comes from elsewhere can call itself whatever it likes.  Our list is our own: packages that
 * are useless without their script, because it compiles them, or brings a program that is too large
 * for the package.  Scripts that advertise, count installs or write into the project are not on it.
 *
 * Scripts of packages run in a sandbox (pkg_sandbox.c).  Those of the built-in list have there what
 * they are known to need; for others "scriptSandbox" of the project's package.json says it. */
#include "install/pkg.h"
#include "util/json_edit.h"
#include "util/path.h"

#include <stdlib.h>

struct PkgTrust {
    bool is_said;  /* somebody has a list */
    StrMap names;  /* what is on it */
    bool was_said; /* the same of the lockfile */
    StrMap was_name;
};

/* What a script may have besides its own folder: the network, and one folder more: "~/..." of the
 * user's, or "../..." beside the package. */
typedef struct {
    const char *name;
    bool has_network;
    const char *folder;
} Known;

#define NODE_GYP "~/.cache/node-gyp"

/* By name. */
static const Known known[] = {
    {"@biomejs/biome", false, NULL},
    {"@bufbuild/buf", true, NULL},
    {"@mongodb-js/zstd", true, NODE_GYP},
    {"@parcel/watcher", true, NODE_GYP},
    {"@prisma/client", true, "../../.prisma"},
    {"@prisma/engines", true, "~/.cache/prisma"},
    {"@sentry/cli", true, NULL},
    {"@serialport/bindings-cpp", true, NODE_GYP},
    {"@swc/core", true, NULL},
    {"@tensorflow/tfjs-node", true, NODE_GYP},
    {"@vscode/ripgrep", true, NULL},
    {"appdmg", true, NODE_GYP},
    {"argon2", true, NODE_GYP},
    {"bcrypt", true, NODE_GYP},
    {"better-sqlite3", true, NODE_GYP},
    {"bufferutil", true, NODE_GYP},
    {"canvas", true, NODE_GYP},
    {"chromedriver", true, NULL},
    {"couchbase", true, NODE_GYP},
    {"cpu-features", true, NODE_GYP},
    {"cypress", true, "~/.cache/Cypress"},
    {"deasync", true, NODE_GYP},
    {"dtrace-provider", true, NODE_GYP},
    {"duckdb", true, NODE_GYP},
    {"edgedriver", true, NULL},
    {"electron", true, "~/.cache/electron"},
    {"electron-chromedriver", true, "~/.cache/electron"},
    {"esbuild", true, NULL},
    {"ffi-napi", true, NODE_GYP},
    {"ffmpeg-static", true, "~/.cache/ffmpeg-static-nodejs"},
    {"geckodriver", true, NULL},
    {"gifsicle", true, NULL},
    {"gl", true, NODE_GYP},
    {"hiredis", true, NODE_GYP},
    {"hnswlib-node", true, NODE_GYP},
    {"iconv", true, NODE_GYP},
    {"isolated-vm", true, NODE_GYP},
    {"jpegtran-bin", true, NULL},
    {"kerberos", true, NODE_GYP},
    {"keytar", true, NODE_GYP},
    {"leveldown", true, NODE_GYP},
    {"libpq", true, NODE_GYP},
    {"libxmljs", true, NODE_GYP},
    {"libxmljs2", true, NODE_GYP},
    {"lmdb", true, NODE_GYP},
    {"microtime", true, NODE_GYP},
    {"mozjpeg", true, NULL},
    {"msgpackr-extract", true, NODE_GYP},
    {"ngrok", true, "~/.ngrok"},
    {"node-hid", true, NODE_GYP},
    {"node-pty", true, NODE_GYP},
    {"node-sass", true, NODE_GYP},
    {"nodegit", true, NODE_GYP},
    {"onnxruntime-node", true, NULL},
    {"optipng-bin", true, NULL},
    {"phantomjs-prebuilt", true, NULL},
    {"pngquant-bin", true, NULL},
    {"prisma", true, "~/.cache/prisma"},
    {"puppeteer", true, "~/.cache/puppeteer"},
    {"re2", true, NODE_GYP},
    {"ref-napi", true, NODE_GYP},
    {"robotjs", true, NODE_GYP},
    {"sharp", true, NODE_GYP},
    {"sodium-native", true, NODE_GYP},
    {"sqlite3", true, NODE_GYP},
    {"ssh2", true, NODE_GYP},
    {"tree-sitter", true, NODE_GYP},
    {"tree-sitter-cli", true, NULL},
    {"unix-dgram", true, NODE_GYP},
    {"unrs-resolver", true, NULL},
    {"usb", true, NODE_GYP},
    {"utf-8-validate", true, NODE_GYP},
    {"v8-profiler-next", true, NODE_GYP},
    {"vue-demi", false, NULL},
    {"workerd", true, NULL},
    {"xxhash", true, NODE_GYP},
    {"zeromq", true, NODE_GYP},
    {"zopflipng-bin", true, NULL},
};

static int by_name(const void *key, const void *entry)
{
    return str_cmp(*(const Str *)key, str_z(((const Known *)entry)->name));
}

static const Known *find_known(Str name)
{
    return bsearch(&name, known, COUNT(known), sizeof *known, by_name);
}

void pkg_default_trusted(Arena *a, const Str **ret, u32 *ret_len)
{
    Str *names = ARENA_ARRAY(a, Str, COUNT(known));
    for (u32 i = 0; i < COUNT(known); i++) names[i] = str_z(known[i].name);
    *ret = names;
    *ret_len = COUNT(known);
}

/* ---- The lists ------------------------------------------------------------------------------- */

static bool take_list(PkgRun *run, const JsonNode *json, StrMap *ret)
{
    const JsonNode *list = json_find(json, S("trustedDependencies"));
    if (!list || list->kind != JSON_ARRAY) return false;
    for (u32 i = 0; i < list->len; i++)
        if (list->items[i].kind == JSON_STRING)
            *str_map_put(run->arena, ret, json_str(run->arena, &list->items[i]), NULL) = 1;
    return true;
}

static PkgTrust *trust_of(PkgRun *run)
{
    if (!run->trust) run->trust = ARENA_NEW(run->arena, PkgTrust);
    return run->trust;
}

void pkg_trust_take(PkgRun *run, const JsonNode *json)
{
    PkgTrust *t = trust_of(run);
    t->is_said |= take_list(run, json, &t->names);
}

void pkg_trust_take_lock(PkgRun *run)
{
    PkgTrust *t = trust_of(run);
    t->was_said = take_list(run, &run->lock_json, &t->was_name);
    /* The workspace that has the list may be missing here. */
    if (!run->options->is_frozen || t->is_said || !t->was_said) return;
    t->is_said = true;
    t->names = t->was_name;
}

static bool is_by_default(const Pkg *pkg)
{
    return pkg->kind == PKG_RANGE && find_known(pkg->name);
}

bool pkg_is_trusted(PkgRun *run, const Pkg *pkg)
{
    const PkgTrust *t = trust_of(run);
    return t->is_said ? str_map_find(&t->names, pkg->name) != NULL : is_by_default(pkg);
}

bool pkg_is_newly_trusted(PkgRun *run, const Pkg *pkg)
{
    const PkgTrust *t = trust_of(run);
    bool was = t->was_said ? str_map_find(&t->was_name, pkg->name) != NULL : is_by_default(pkg);
    return run->has_lock && !was && pkg_is_trusted(run, pkg);
}

void pkg_put_trust(PkgRun *run, Buf *out)
{
    const PkgTrust *t = trust_of(run);
    StrMap done = {0};
    bool is_first = true, is_new;
    if (!t->is_said) return;
    (void)buf_push(out, S("  \"trustedDependencies\": ["));
    for (u32 i = 1; i < run->pkgs.len; i++) {
        const Pkg *pkg = &run->pkgs.at[i];
        if (!pkg->is_needed || pkg->workspace.n || !str_map_find(&t->names, pkg->name)) continue;
        (void)str_map_put(run->arena, &done, pkg->name, &is_new);
        if (!is_new) continue;
        (void)buf_push(out, is_first ? S("\n    ") : S("    "));
        json_write_str(out, pkg->name);
        (void)buf_push(out, S(",\n"));
        is_first = false;
    }
    (void)buf_push(out, is_first ? S("],\n") : S("  ],\n"));
}

/* ---- `add --trust` --------------------------------------------------------------------------- */

static int by_text(const void *x, const void *y)
{
    return str_cmp(*(const Str *)x, *(const Str *)y);
}

/* The package, and what it leads to that has scripts. */
static void trust_below(PkgRun *run, u32 pkg, StrMap *names)
{
    Arena *a = run->arena;
    PkgList queue = {0};
    u8 *is_seen = arena_alloc(a, run->pkgs.len, 1);
    vec_push(a, &queue, pkg);
    is_seen[pkg] = true;
    while (queue.len) {
        const Pkg *p = &run->pkgs.at[vec_pop(&queue)];
        if (p == &run->pkgs.at[pkg] || p->has_scripts) *str_map_put(a, names, p->name, NULL) = 1;
        for (u32 i = 0; i < p->deps.len; i++) {
            u32 to = p->deps.at[i].to;
            if (!to || is_seen[to]) continue;
            is_seen[to] = true;
            vec_push(a, &queue, to);
        }
    }
}

bool pkg_trust_add(PkgRun *run, u32 pkg, Str *text, JsonError *ret_err)
{
    Arena *a = run->arena;
    PkgTrust *t = trust_of(run);
    Vec(Str) names = {0};
    StrMapSlot *slot;
    u32 at = 0;
    AUTO(Buf) value = {0};
    t->is_said = true;
    trust_below(run, pkg, &t->names);
    while ((slot = str_map_next(&t->names, &at))) vec_push(a, &names, slot->key);
    qsort(names.at, names.len, sizeof(Str), by_text);
    for (u32 i = 0; i < names.len; i++) {
        (void)buf_push(&value, i ? S(",\n  ") : S("[\n  "));
        json_write_str(&value, names.at[i]);
    }
    (void)buf_push(&value, S("\n]"));
    Str keys[] = {S("trustedDependencies")};
    JsonEdit edit = {.text = *text, .keys = keys, .n_keys = 1, .value = buf_str(&value)};
    return json_edit_set(a, &edit, text, ret_err);
}

/* ---- Needs ----------------------------------------------------------------------------------- */

/* "~/x", "../x" (from the package's folder), "/x". */
static void add_folder(PkgRun *run, Str place, Str text, PkgNeeds *ret)
{
    Arena *a = run->arena;
    Str home, path = text;
    if (str_starts(text, S("~/"))) {
        if (!sys_env_find(a, S("HOME"), &home) || !path_is_absolute(home)) return;
        path = path_join2(a, home, str_skip(text, 2));
    }
    vec_push(a, &ret->writable, path_resolve(a, place, place, path));
}

static bool has_name(const JsonNode *list, Str name)
{
    for (u32 i = 0; list && list->kind == JSON_ARRAY && i < list->len; i++)
        if (json_is(&list->items[i], name)) return true;
    return list && list->kind == JSON_TRUE;
}

void pkg_needs_of(PkgRun *run, const Pkg *pkg, Str place, PkgNeeds *ret)
{
    const JsonNode *said = json_find(&run->root_json, S("scriptSandbox"));
    const Known *k = is_by_default(pkg) ? find_known(pkg->name) : NULL;
    *ret = (PkgNeeds){.has_network = k && k->has_network};
    if (k && k->folder) add_folder(run, place, str_z(k->folder), ret);
    ret->is_free =
        (said && said->kind == JSON_FALSE) || has_name(json_find(said, S("off")), pkg->name);
    ret->has_network |= has_name(json_find(said, S("network")), pkg->name);
    const JsonNode *folders = json_find(json_find(said, S("write")), pkg->name);
    for (u32 i = 0; folders && folders->kind == JSON_ARRAY && i < folders->len; i++)
        if (folders->items[i].kind == JSON_STRING)
            add_folder(run, place, json_str(run->arena, &folders->items[i]), ret);
}
