/* resolve/resolve_test.c -- tests of the resolver on trees in temporary directories. */
#include "resolve/resolve.h"

#include "sys/sys.h"
#include "util/path.h"
#include "util/test.h"

#include <stdio.h>

typedef struct {
    Arena mem;
    Str root;
    Resolver *r;
    ResolveResult last;
} Tree;

static void Tree_deinit(Tree *t)
{
    resolver_free(t->r);
    if (t->root.n && sys_remove_tree(t->root) < 0) test_fail(__FILE__, __LINE__, "clean-up");
    arena_deinit(&t->mem);
}

static Str in_tree(Tree *t, const char *path)
{
    return path_join2(&t->mem, t->root, str_z(path));
}

static void put(Tree *t, const char *path, const char *text)
{
    Str full = in_tree(t, path);
    bool ok = sys_mkdir_all(path_dirname(full), 0755, NULL) >= 0 &&
              sys_write_file(full, str_z(text), 0644) >= 0;
    if (!ok) test_fail(__FILE__, __LINE__, path);
}

static void link_to(Tree *t, const char *target, const char *path)
{
    Str full = in_tree(t, path);
    bool ok =
        sys_mkdir_all(path_dirname(full), 0755, NULL) >= 0 && sys_symlink(str_z(target), full) >= 0;
    if (!ok) test_fail(__FILE__, __LINE__, path);
}

static bool is_builtin(void *ctx, Str name, Str *ret_name)
{
    (void)ctx;
    if (str_eq(name, S("fs")) || str_eq(name, S("node:fs"))) {
        *ret_name = S("node:fs");
        return true;
    }
    return false;
}

static void start(Tree *t, ResolveOptions options)
{
    Str root;
    if (sys_mkdtemp(&t->mem, S("/tmp/cob-resolve-"), &root) < 0) BUG("no temporary directory");
    if (sys_realpath(&t->mem, root, &t->root) < 0) BUG("no real path");
    options.cwd = t->root;
    options.is_builtin = is_builtin;
    t->r = resolver_new(&options);
}

static bool ask(Tree *t, ResolveKind kind, u32 flags, const char *importer, const char *spec)
{
    ResolveRequest req = {.specifier = str_z(spec),
                          .importer = in_tree(t, importer),
                          .kind = kind,
                          .flags = flags | RESOLVE_WANT_HINT};
    return resolve_module(t->r, &req, &t->last);
}

/* `want`: a path in the tree, or an error's code. */
static void expect(Tree *t, int line, bool ok, const char *want)
{
    Str got = ok ? t->last.path : str_z(t->last.err.code);
    if (ok && str_starts(got, t->root)) got = str_skip(got, t->root.n + 1);
    if (!str_eq(got, str_z(want))) test_fail_str(__FILE__, line, got, str_z(want));
}

#define IMPORT(importer, spec, want)                                                               \
    expect(&t, __LINE__, ask(&t, RESOLVE_IMPORT, 0, importer, spec), want)
#define REQ(importer, spec, want)                                                                  \
    expect(&t, __LINE__, ask(&t, RESOLVE_REQUIRE, 0, importer, spec), want)
#define TREE() AUTO(Tree) t = {0}

TEST(resolve_relative_files_and_extensions)
{
    TREE();
    start(&t, (ResolveOptions){0});
    put(&t, "src/a.js", "");
    put(&t, "src/b.ts", "");
    put(&t, "src/b.json", "");
    put(&t, "src/c.cjs", "");
    put(&t, "src/c.mjs", "");
    put(&t, "src/d/index.tsx", "");
    put(&t, "src/e.jsx.ts", "");
    put(&t, "src/sp ace.js", "");
    IMPORT("src/m.js", "./a.js", "src/a.js");
    IMPORT("src/m.js", "./a", "src/a.js");
    REQ("src/m.js", "./a", "src/a.js");
    IMPORT("src/m.js", "./b", "src/b.ts");
    IMPORT("src/m.js", "./b.js", "src/b.ts");
    IMPORT("src/m.js", "./c", "src/c.mjs");
    REQ("src/m.js", "./c", "src/c.cjs");
    IMPORT("src/m.js", "./d", "src/d/index.tsx");
    IMPORT("src/m.js", "./d/", "src/d/index.tsx");
    IMPORT("src/m.js", "./e.jsx", "src/e.jsx.ts");
    IMPORT("src/d/m.js", "../a", "src/a.js");
    IMPORT("src/m.js", "./sp%20ace.js", "src/sp ace.js");
    IMPORT("src/m.js", "./sp ace", "src/sp ace.js");
    IMPORT("src/m.js", "./zz", "ERR_MODULE_NOT_FOUND");
    REQ("src/m.js", "./zz", "MODULE_NOT_FOUND");
    IMPORT("src/m.js", "./", "ERR_UNSUPPORTED_DIR_IMPORT");
    IMPORT("src/m.js", "./a%2fb", "ERR_INVALID_MODULE_SPECIFIER");
}

TEST(resolve_suffixes_urls_and_builtins)
{
    TREE();
    start(&t, (ResolveOptions){0});
    put(&t, "a.js", "");
    IMPORT("m.js", "./a.js?x=1#h", "a.js");
    CHECK_STR(t.last.suffix, "?x=1#h");
    REQ("m.js", "./a.js?x=1", "a.js");
    CHECK_STR(t.last.suffix, "?x=1");
    Str url = str_concat(&t.mem, S("file://"), in_tree(&t, "a.js"));
    IMPORT("m.js", str_dup_z(&t.mem, url), "a.js");
    IMPORT("m.js", "data:text/javascript,1", "data:text/javascript,1");
    CHECK_INT(t.last.target, RESOLVE_URL);
    IMPORT("m.js", "fs", "node:fs");
    CHECK_INT(t.last.target, RESOLVE_BUILTIN);
    IMPORT("m.js", "node:nope", "ERR_UNKNOWN_BUILTIN_MODULE");
    IMPORT("m.js", "", "ERR_MODULE_NOT_FOUND");
}

TEST(resolve_packages_and_main)
{
    TREE();
    start(&t, (ResolveOptions){0});
    put(&t, "node_modules/a/package.json", "{\"main\":\"lib/i\"}");
    put(&t, "node_modules/a/lib/i.js", "");
    put(&t, "node_modules/a/lib/i.mjs", "");
    put(&t, "node_modules/@s/b/index.js", "");
    put(&t, "node_modules/m/package.json", "{\"main\":\"gone\",\"module\":\"m.mjs\"}");
    put(&t, "node_modules/m/m.mjs", "");
    put(&t, "node_modules/bad/package.json", "{\"main\":");
    put(&t, "node_modules/lost/package.json", "{\"main\":\"gone\"}");
    put(&t, "node_modules/f.js", "");
    put(&t, "node_modules/f/index.js", "");
    put(&t, "x/node_modules/a/index.js", "");
    REQ("m.js", "a", "node_modules/a/lib/i.js");
    IMPORT("m.js", "a", "node_modules/a/lib/i.js");
    REQ("x/m.js", "a", "x/node_modules/a/index.js");
    REQ("x/m.js", "a/lib/i", "node_modules/a/lib/i.js");
    REQ("m.js", "@s/b", "node_modules/@s/b/index.js");
    IMPORT("m.js", "m", "node_modules/m/m.mjs");
    REQ("m.js", "bad", "ERR_INVALID_PACKAGE_CONFIG");
    REQ("m.js", "lost", "MODULE_NOT_FOUND");
    REQ("m.js", "f", "node_modules/f.js");
    IMPORT("m.js", "f", "node_modules/f/index.js");
    IMPORT("m.js", "nope", "ERR_MODULE_NOT_FOUND");
    CHECK(str_starts(t.last.err.message, S("Cannot find package 'nope' imported from /")));
}

TEST(resolve_exports_maps)
{
    TREE();
    start(&t, (ResolveOptions){0});
    put(&t, "node_modules/e/package.json",
        "{\"name\":\"e\",\"exports\":{\".\":{\"require\":\"./r.cjs\",\"import\":\"./i.mjs\"},"
        "\"./f/*\":\"./l/*.js\",\"./f/x/*\":null,\"./arr\":[\"bad\",\"./r.cjs\"],"
        "\"./up\":\"./../x.js\",\"./ts\":\"./t.js\",\"./bun\":{\"bun\":\"./i.mjs\"},"
        "\"./o/*\":\"./l/*\"}}");
    put(&t, "node_modules/e/r.cjs", "");
    put(&t, "node_modules/e/i.mjs", "");
    put(&t, "node_modules/e/l/1.js", "");
    put(&t, "node_modules/e/l/x/1.js", "");
    put(&t, "node_modules/e/t.ts", "");
    IMPORT("m.js", "e", "node_modules/e/i.mjs");
    REQ("m.js", "e", "node_modules/e/r.cjs");
    REQ("m.js", "e/f/1", "node_modules/e/l/1.js");
    REQ("m.js", "e/f/x/1", "ERR_PACKAGE_PATH_NOT_EXPORTED");
    REQ("m.js", "e/arr", "node_modules/e/r.cjs");
    REQ("m.js", "e/up", "ERR_INVALID_PACKAGE_TARGET");
    REQ("m.js", "e/f/../1", "ERR_INVALID_MODULE_SPECIFIER");
    REQ("m.js", "e/nope", "ERR_PACKAGE_PATH_NOT_EXPORTED");
    REQ("m.js", "e/ts", "node_modules/e/t.ts");
    REQ("m.js", "e/bun", "node_modules/e/i.mjs");
    IMPORT("node_modules/e/l/1.js", "e", "node_modules/e/i.mjs");
    REQ("m.js", "e/o/1", "node_modules/e/l/1.js");
    REQ("m.js", "e/f/1.js", "node_modules/e/l/1.js");
    REQ("m.js", "e/package.json", "node_modules/e/package.json");
    expect(&t, __LINE__, ask(&t, RESOLVE_REQUIRE, RESOLVE_NODE_ONLY, "m.js", "e/package.json"),
           "ERR_PACKAGE_PATH_NOT_EXPORTED");
}

TEST(resolve_imports_maps)
{
    TREE();
    start(&t, (ResolveOptions){0});
    put(&t, "package.json",
        "{\"imports\":{\"#a\":\"./a.js\",\"#fs\":\"fs\",\"#dep\":\"dep\",\"#p/*\":\"./p/*.js\","
        "\"#null\":null}}");
    put(&t, "a.js", "");
    put(&t, "p/1.js", "");
    put(&t, "node_modules/dep/index.js", "");
    IMPORT("p/m.js", "#a", "a.js");
    REQ("p/m.js", "#p/1", "p/1.js");
    IMPORT("p/m.js", "#fs", "node:fs");
    REQ("p/m.js", "#dep", "node_modules/dep/index.js");
    IMPORT("p/m.js", "#null", "ERR_PACKAGE_IMPORT_NOT_DEFINED");
    IMPORT("p/m.js", "#zz", "ERR_PACKAGE_IMPORT_NOT_DEFINED");
    IMPORT("p/m.js", "#", "ERR_INVALID_MODULE_SPECIFIER");
}

TEST(resolve_follows_links_unless_told_otherwise)
{
    TREE();
    start(&t, (ResolveOptions){0});
    put(&t, "packages/w/src/i.ts", "");
    put(&t, "packages/w/package.json", "{\"main\":\"src/i\"}");
    link_to(&t, "../packages/w", "node_modules/w");
    link_to(&t, "packages/w/src/../src/i.ts", "l.ts");
    link_to(&t, "loop", "loop");
    IMPORT("m.js", "w", "packages/w/src/i.ts");
    IMPORT("m.js", "./l.ts", "packages/w/src/i.ts");
    IMPORT("m.js", "./loop", "ERR_MODULE_NOT_FOUND");
    expect(&t, __LINE__, ask(&t, RESOLVE_IMPORT, RESOLVE_KEEP_LINKS, "m.js", "w"),
           "node_modules/w/src/i.ts");
}

TEST(resolve_tsconfig)
{
    TREE();
    start(&t, (ResolveOptions){0});
    put(&t, "base/one.json", "{\"compilerOptions\":{\"jsx\":\"react\",\"strict\":true}}");
    put(&t, "base/two.json",
        "{\"compilerOptions\":{\"jsx\":\"react-jsx\",\"paths\":{\"c/*\":[\"${configDir}/src/*\"],"
        "\"@/*\":[\"./here/*\",\"../src/*\"]}}}");
    put(&t, "tsconfig.json",
        "{ // a comment\n \"extends\": [\"./base/one\", \"./base/two.json\"],\n"
        "\"compilerOptions\": {\"rootDirs\": [\"./src\", \"./gen\"], \"customConditions\": [\"x\"],"
        "\"moduleSuffixes\": [\".ios\", \"\"]}, }");
    put(&t, "src/a.ts", "");
    put(&t, "src/s.ios.ts", "");
    put(&t, "src/s.ts", "");
    put(&t, "gen/g.ts", "");
    put(&t, "base/here/h.ts", "");
    put(&t, "node_modules/k/package.json",
        "{\"exports\":{\"x\":\"./x.js\",\"default\":\"./d.js\"}}");
    put(&t, "node_modules/k/x.js", "");
    put(&t, "node_modules/k/d.js", "");
    put(&t, "node_modules/a/index.js", "");
    IMPORT("src/m.ts", "@/a", "src/a.ts");
    IMPORT("src/m.ts", "@/h", "base/here/h.ts");
    IMPORT("src/m.ts", "c/a", "src/a.ts");
    IMPORT("src/m.ts", "./g", "gen/g.ts");
    IMPORT("src/m.ts", "./s", "src/s.ios.ts");
    IMPORT("src/m.ts", "k", "node_modules/k/x.js");
    IMPORT("node_modules/a/m.js", "@/a", "ERR_MODULE_NOT_FOUND");
    const ResolveTsConfig *ts = resolve_tsconfig_of(t.r, in_tree(&t, "src/m.ts"));
    CHECK(ts && ts->jsx == RESOLVE_JSX_AUTOMATIC && ts->strict == RESOLVE_YES);
    CHECK(ts && !ts->error.n);
    CHECK(!resolve_tsconfig_of(t.r, in_tree(&t, "node_modules/a/m.js")));
    put(&t, "tsconfig.json", "{\"extends\":\"./tsconfig.json\"}");
    resolve_invalidate(t.r, in_tree(&t, "tsconfig.json"));
    ts = resolve_tsconfig_of(t.r, in_tree(&t, "src/m.ts"));
    CHECK(ts && str_find_str(ts->error, S("circle")) > 0);
}

TEST(resolve_base_url_comes_before_packages)
{
    TREE();
    start(&t, (ResolveOptions){0});
    put(&t, "jsconfig.json", "{\"compilerOptions\":{\"baseUrl\":\"src\"}}");
    put(&t, "src/z.js", "");
    put(&t, "node_modules/z/index.js", "");
    put(&t, "node_modules/y/index.js", "");
    IMPORT("m.js", "z", "src/z.js");
    IMPORT("m.js", "y", "node_modules/y/index.js");
    expect(&t, __LINE__, ask(&t, RESOLVE_IMPORT, RESOLVE_NO_TSCONFIG, "m.js", "z"),
           "node_modules/z/index.js");
}

TEST(resolve_browser_fields)
{
    TREE();
    static const Str fields[] = {{"browser", 7}, {"module", 6}, {"main", 4}};
    start(&t,
          (ResolveOptions){.flags = RESOLVE_BROWSER, .main_fields = fields, .n_main_fields = 3});
    put(&t, "node_modules/b/package.json",
        "{\"main\":\"m.js\",\"browser\":{\"./m.js\":\"./b.js\",\"./off.js\":false,\"fs\":false,"
        "\"dep\":\"./shim.js\"}}");
    put(&t, "node_modules/b/m.js", "");
    put(&t, "node_modules/b/b.js", "");
    put(&t, "node_modules/b/off.js", "");
    put(&t, "node_modules/b/shim.js", "");
    put(&t, "node_modules/s/package.json", "{\"main\":\"m.js\",\"browser\":\"b.js\"}");
    put(&t, "node_modules/s/b.js", "");
    IMPORT("x.js", "b", "node_modules/b/b.js");
    IMPORT("node_modules/b/m.js", "./off", "node_modules/b/off.js");
    CHECK_INT(t.last.target, RESOLVE_DISABLED);
    IMPORT("node_modules/b/m.js", "fs", "");
    CHECK_INT(t.last.target, RESOLVE_DISABLED);
    IMPORT("node_modules/b/m.js", "dep", "node_modules/b/shim.js");
    IMPORT("x.js", "s", "node_modules/s/b.js");
}

TEST(resolve_misses_are_looked_up_again)
{
    TREE();
    start(&t, (ResolveOptions){0});
    put(&t, "a.js", "");
    REQ("m.js", "./b", "MODULE_NOT_FOUND");
    REQ("m.js", "pkg", "MODULE_NOT_FOUND");
    put(&t, "b.js", "");
    put(&t, "node_modules/pkg/index.js", "");
    REQ("m.js", "./b", "b.js");
    REQ("m.js", "pkg", "node_modules/pkg/index.js");
    put(&t, "node_modules/pkg/package.json", "{\"main\":\"new.js\"}");
    put(&t, "node_modules/pkg/new.js", "");
    resolve_invalidate(t.r, in_tree(&t, "node_modules/pkg/package.json"));
    REQ("m.js", "pkg", "node_modules/pkg/new.js");
    CHECK(sys_unlink(in_tree(&t, "a.js")) >= 0);
    resolve_invalidate(t.r, (Str){0});
    REQ("m.js", "./a", "MODULE_NOT_FOUND");
}

TEST(resolve_known_answers_cost_no_calls)
{
    TREE();
    start(&t, (ResolveOptions){0});
    char name[16];
    for (u32 i = 0; i < 50; i++) {
        (void)snprintf(name, sizeof(name), "f%u.js", i);
        put(&t, name, "");
    }
    REQ("m.js", "./f0.js", "f0.js");
    CHECK_INT(resolve_counts(t.r).n_stats, 1);
    REQ("m.js", "./f0.js", "f0.js");
    CHECK_INT(resolve_counts(t.r).n_stats, 1);
    for (u32 i = 0; i < 50; i++) {
        (void)snprintf(name, sizeof(name), "./f%u.js", i);
        CHECK(ask(&t, RESOLVE_REQUIRE, 0, "m.js", name));
    }
    ResolveCounts c = resolve_counts(t.r);
    CHECK(c.n_stats + c.n_lists <= 6);
    CHECK_INT(c.n_reads, 0);
}

TEST(resolve_hints_name_the_nearest)
{
    TREE();
    start(&t, (ResolveOptions){0});
    put(&t, "src/Button.tsx", "");
    put(&t, "node_modules/express/index.js", "");
    IMPORT("src/m.ts", "./button", "ERR_MODULE_NOT_FOUND");
    CHECK(str_find_str(t.last.err.hint, S("src/Button.tsx\"? The letter case")) > 0);
    IMPORT("src/m.ts", "expres", "ERR_MODULE_NOT_FOUND");
    CHECK_STR(t.last.err.hint, "Did you mean \"express\"?");
    const Str stack[] = {S("/a.js"), S("/b.js")};
    Str text = resolve_error_with_stack(&t.mem, &(ResolveError){.message = S("m")}, stack, 2);
    CHECK_STR(text, "m\nRequire stack:\n- /a.js\n- /b.js");
}

TEST(resolve_formats)
{
    TREE();
    start(&t, (ResolveOptions){0});
    put(&t, "package.json", "{\"name\":\"n\",\"version\":\"1.2.3\",\"type\":\"module\"}");
    put(&t, "c/package.json", "{\"type\":\"commonjs\"}");
    CHECK_INT(resolve_format(t.r, in_tree(&t, "a.js")), RESOLVE_FORMAT_MODULE);
    CHECK_INT(resolve_format(t.r, in_tree(&t, "c/a.ts")), RESOLVE_FORMAT_COMMONJS);
    CHECK_INT(resolve_format(t.r, in_tree(&t, "node_modules/x/a.js")), RESOLVE_FORMAT_DETECT);
    CHECK_INT(resolve_format(t.r, in_tree(&t, "a.cjs")), RESOLVE_FORMAT_COMMONJS);
    CHECK_INT(resolve_format(t.r, in_tree(&t, "a.json")), RESOLVE_FORMAT_JSON);
    CHECK_INT(resolve_format(t.r, in_tree(&t, "a.png")), RESOLVE_FORMAT_OTHER);
    ResolvePackage p;
    CHECK(resolve_package_of(t.r, in_tree(&t, "d/a.js"), &p));
    CHECK_STR(p.name, "n");
    CHECK_STR(p.version, "1.2.3");
    CHECK(str_eq(p.dir, t.root));
}

TEST(resolve_node_path_and_paths)
{
    TREE();
    AUTO(Arena) a = {0};
    start(&t, (ResolveOptions){.node_path = S("extra:./more")});
    put(&t, "more/g/index.js", "");
    put(&t, "other/node_modules/o/index.js", "");
    put(&t, "other/r.js", "");
    REQ("x/m.js", "g", "more/g/index.js");
    Str paths[] = {in_tree(&t, "nowhere"), in_tree(&t, "other")};
    ResolveRequest req = {.importer = in_tree(&t, "x/m.js"),
                          .kind = RESOLVE_REQUIRE,
                          .paths = paths,
                          .n_paths = 2,
                          .specifier = S("o")};
    expect(&t, __LINE__, resolve_module(t.r, &req, &t.last), "other/node_modules/o/index.js");
    req.specifier = S("./r");
    expect(&t, __LINE__, resolve_module(t.r, &req, &t.last), "other/r.js");
}

TEST(resolve_bears_failing_calls)
{
    TREE();
    start(&t, (ResolveOptions){0});
    put(&t, "node_modules/a/package.json", "{\"main\":\"lib\"}");
    put(&t, "node_modules/a/lib/index.js", "");
    put(&t, "tsconfig.json", "{}");
    link_to(&t, "node_modules/a", "l");
    for (u64 nth = 1; nth < 60; nth++) {
        resolve_invalidate(t.r, (Str){0});
        if (!sys_fault_set(nth, EACCES, false)) return;
        (void)ask(&t, RESOLVE_REQUIRE, 0, "src/m.js", "a");
        (void)ask(&t, RESOLVE_IMPORT, 0, "src/m.js", "../l");
        u64 n = sys_fault_count();
        (void)sys_fault_set(0, 0, false);
        /* A miss that a failing call caused does not stay. */
        REQ("src/m.js", "a", "node_modules/a/lib/index.js");
        if (nth > n) return;
    }
}

TEST(resolve_survives_long_and_odd_specifiers)
{
    TREE();
    start(&t, (ResolveOptions){0});
    AUTO(Buf) b = {0};
    buf_push(&b, S("./"));
    for (u32 i = 0; i < 20000; i++) buf_push(&b, S("a/"));
    ResolveRequest req = {.specifier = buf_str(&b), .importer = in_tree(&t, "m.js")};
    CHECK(!resolve_module(t.r, &req, &t.last));
    req.specifier = str_skip(buf_str(&b), 2);
    CHECK(!resolve_module(t.r, &req, &t.last));
    req.kind = RESOLVE_REQUIRE;
    CHECK(!resolve_module(t.r, &req, &t.last));
    req.specifier = (Str){"./a\0b", 5};
    CHECK(!resolve_module(t.r, &req, &t.last));
    req.importer = buf_str(&b);
    CHECK(!resolve_module(t.r, &req, &t.last));
    REQ("m.js", "/", "MODULE_NOT_FOUND");
    REQ("m.js", "@", "MODULE_NOT_FOUND");
    REQ("m.js", "@/", "MODULE_NOT_FOUND");
}
