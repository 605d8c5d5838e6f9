/* The resolver, on any package.json or tsconfig.json and any specifier.  Input: a byte that says
 * where the JSON goes and how is asked, a specifier, NUL, the JSON.  The files that it may lead to
 * are in a directory that is made once. */
#include "resolve/resolve.h"
#include "sys/sys.h"
#include "util/path.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const u8 *data, usize size);

enum { ASK_REQUIRE = 1, IN_PACKAGE = 2, IN_TSCONFIG = 4, ASK_BROWSER = 8, ASK_NODE = 16 };

static Arena mem;
static Str root;

static Str in_root(const char *path)
{
    return path_join2(&mem, root, str_z(path));
}

static void put(const char *path)
{
    ASSERT(sys_mkdir_all(path_dirname(in_root(path)), 0755, NULL) >= 0);
    ASSERT(sys_write_file(in_root(path), (Str){0}, 0644) >= 0);
}

static void remove_root(void)
{
    if (sys_remove_tree(root) < 0) BUG("the directory cannot be removed");
    arena_deinit(&mem);
}

static void make_root(void)
{
    static const char *const files[] = {"a.js",
                                        "lib/x.js",
                                        "lib/index.ts",
                                        "node_modules/p/a.js",
                                        "node_modules/p/lib/x.js",
                                        "node_modules/q/index.js"};
    ASSERT(sys_mkdtemp(&mem, S("/tmp/cob-resolve-fuzz-"), &root) >= 0);
    for (u32 i = 0; i < COUNT(files); i++) put(files[i]);
    ASSERT(atexit(remove_root) == 0);
}

static bool is_builtin(void *ctx, Str name, Str *ret_name)
{
    (void)ctx;
    *ret_name = S("node:fs");
    return str_eq(name, S("fs")) || str_eq(name, S("node:fs"));
}

int LLVMFuzzerTestOneInput(const u8 *data, usize size)
{
    if (!root.n) make_root();
    if (!size) return 0;
    u8 how = data[0];
    Str spec, text;
    (void)str_cut((Str){(const char *)data + 1, size - 1}, 0, &spec, &text);
    const char *file = how & IN_TSCONFIG  ? "tsconfig.json"
                       : how & IN_PACKAGE ? "node_modules/p/package.json"
                                          : "package.json";
    Arena a = {0};
    Str path = path_join2(&a, root, str_z(file));
    ASSERT(sys_write_file(path, text, 0644) >= 0);
    Resolver *r = resolver_new(&(ResolveOptions){.cwd = root, .is_builtin = is_builtin});
    ResolveRequest req = {.specifier = spec, .importer = path_join2(&a, root, S("lib/m.js"))};
    req.kind = how & ASK_REQUIRE ? RESOLVE_REQUIRE : RESOLVE_IMPORT;
    req.flags = (how & ASK_BROWSER ? RESOLVE_BROWSER : 0U) |
                (how & ASK_NODE ? RESOLVE_NODE_ONLY : 0U) | RESOLVE_WANT_HINT;
    for (u32 i = 0; i < 2; i++) {
        ResolveResult got;
        bool ok = resolve_module(r, &req, &got);
        ASSERT(ok || (got.err.code && got.err.message.n));
        ASSERT(!ok || got.target != RESOLVE_FILE || path_is_absolute(got.path));
    }
    (void)resolve_format(r, req.importer);
    (void)resolve_tsconfig_of(r, req.importer);
    resolver_free(r);
    ASSERT(sys_unlink(path) >= 0);
    arena_deinit(&a);
    return 0;
}
