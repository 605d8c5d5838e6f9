/* cli/cli_build.c -- `cob build`: with --no-bundle every file by itself becomes JavaScript. */
#include "cli/cli.h"
#include "resolve/resolve.h"
#include "syntax/transpile.h"
#include "sys/sys.h"
#include "util/err.h"
#include "util/path.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    Str outdir, outfile, target, format, sourcemap, root, cwd, tsconfig;
    Str jsx_factory, jsx_fragment, jsx_import_source, jsx_runtime;
    CliList defines, drops, loaders;
    bool no_bundle, minify, minify_syntax, minify_whitespace, minify_identifiers, production,
        keep_names;
} BuildOptions;

#define FLAG(name, letter, kind, field, value, help)                                               \
    CLI_FLAG(name, letter, kind, BuildOptions, field, value, help)
#define LATER(name)       CLI_NO_FIELD(name, 0, CLI_LATER, NULL, NULL)
#define LATER_VALUE(name) CLI_NO_FIELD(name, 0, CLI_LATER_VALUE, "val", NULL)

static const CliFlag flags[] = {
    FLAG("no-bundle", 0, CLI_BOOL_NO, no_bundle, NULL, "Transpile each file by itself"),
    FLAG("outdir", 0, CLI_STR, outdir, "dir", "Write to this folder"),
    FLAG("outfile", 0, CLI_STR, outfile, "file", "Write to this file"),
    FLAG("root", 0, CLI_STR, root, "dir", "Paths in --outdir begin here"),
    FLAG("cwd", 0, CLI_STR, cwd, "dir", "Change to this folder first"),
    FLAG("target", 0, CLI_STR, target, "name", "browser, bun or node"),
    FLAG("format", 0, CLI_STR, format, "name", "esm"),
    FLAG("sourcemap", 0, CLI_STR_MAYBE, sourcemap, "kind", "none, linked, inline or external"),
    FLAG("minify", 0, CLI_BOOL, minify, NULL, "All of the three below"),
    FLAG("minify-syntax", 0, CLI_BOOL, minify_syntax, NULL, "Shorter expressions and statements"),
    FLAG("minify-whitespace", 0, CLI_BOOL, minify_whitespace, NULL, "No white space"),
    FLAG("minify-identifiers", 0, CLI_BOOL, minify_identifiers, NULL, "Short local names"),
    FLAG("keep-names", 0, CLI_BOOL, keep_names, NULL, "Names of functions and classes stay"),
    FLAG("production", 0, CLI_BOOL, production, NULL, "NODE_ENV=production and --minify"),
    FLAG("define", 'd', CLI_LIST, defines, "K:V", "Replace a global name or member by a value"),
    FLAG("drop", 0, CLI_LIST, drops, "name", "Remove calls of this name, or debugger"),
    FLAG("loader", 'l', CLI_LIST, loaders, ".ext:kind", "Read files of this ending as js, ts, ..."),
    FLAG("tsconfig-override", 0, CLI_STR, tsconfig, "file", "Use this tsconfig.json"),
    FLAG("jsx-factory", 0, CLI_STR, jsx_factory, "name", "Classic JSX: what elements call"),
    FLAG("jsx-fragment", 0, CLI_STR, jsx_fragment, "name", "Classic JSX: what <> stands for"),
    FLAG("jsx-import-source", 0, CLI_STR, jsx_import_source, "name", "Automatic JSX: the package"),
    FLAG("jsx-runtime", 0, CLI_STR, jsx_runtime, "kind", "automatic or classic"),
    LATER("compile"),
    LATER("watch"),
    LATER("splitting"),
    LATER("bytecode"),
    LATER("app"),
    LATER_VALUE("external"),
    LATER_VALUE("packages"),
    LATER_VALUE("public-path"),
    LATER_VALUE("entry-naming"),
    LATER_VALUE("chunk-naming"),
    LATER_VALUE("asset-naming"),
    LATER_VALUE("banner"),
    LATER_VALUE("footer"),
    LATER_VALUE("env"),
    LATER_VALUE("conditions"),
    LATER_VALUE("metafile"),

};

typedef enum { MAP_NONE, MAP_LINKED, MAP_INLINE, MAP_EXTERNAL } MapKind;

typedef struct {
    Cli *cli;
    const BuildOptions *o;
    const Str *files;
    u32 n_files;
    MapKind map;
    Defines defines;
    TranspileOptions base;
    Str root, cwd;
    Resolver *resolver;
} Build;

/* ---- Options ---- */

static bool one_of(const char *flag, Str value, const char *const *names, u32 n, u32 *ret)
{
    for (u32 i = 0; i < n; i++) {
        if (!str_eq(value, str_z(names[i]))) continue;
        *ret = i;
        return true;
    }
    AUTO(Scratch) s = scratch_begin(NULL);
    Str all = str_z(names[0]);
    for (u32 i = 1; i < n; i++)
        all = str_fmt(s.arena, "%.*s%s%s", STR_ARG(all), i + 1 == n ? " or " : ", ", names[i]);
    cli_error("--%s must be %.*s, got \"%.*s\"", flag, STR_ARG(all), STR_ARG(value));
    return false;
}

static bool read_map_kind(Build *b)
{
    static const char *const names[] = {"none", "linked", "inline", "external"};
    u32 kind = MAP_NONE;
    if (b->o->sourcemap.p) {
        Str value = b->o->sourcemap.n ? b->o->sourcemap : S("linked");
        if (!one_of("sourcemap", value, names, COUNT(names), &kind)) return false;
    }
    b->map = (MapKind)kind;
    bool to_files = b->o->outdir.n || b->o->outfile.n;
    if (!to_files && (b->map == MAP_LINKED || b->map == MAP_EXTERNAL)) {
        cli_error("--sourcemap=%s needs --outdir or --outfile", names[kind]);
        return false;
    }
    return true;
}

static bool read_defines(Build *b)
{
    const char *what;
    defines_init(&b->defines, b->cli->arena);
    Str mode = b->o->production ? S("\"production\"") : S("\"development\"");
    if (!defines_add(&b->defines, S("process.env.NODE_ENV"), mode, &what)) BUG("NODE_ENV");
    for (u32 i = 0; i < b->o->defines.len; i++) {
        Str text = b->o->defines.at[i];
        if (defines_add_text(&b->defines, text, &what)) continue;
        cli_error("--define \"%.*s\": %s", STR_ARG(text), what);
        return false;
    }
    for (u32 i = 0; i < b->o->drops.len; i++) {
        Str name = b->o->drops.at[i];
        if (defines_drop(&b->defines, name, &what)) continue;
        cli_error("--drop \"%.*s\": %s", STR_ARG(name), what);
        return false;
    }
    b->base.defines = &b->defines;
    return true;
}

static bool read_jsx(Build *b)
{
    static const char *const runtimes[] = {"automatic", "classic"};
    u32 runtime = 0;
    const BuildOptions *o = b->o;
    if (o->jsx_runtime.n && !one_of("jsx-runtime", o->jsx_runtime, runtimes, 2, &runtime))
        return false;
    LowerOptions *lo = &b->base.lower;
    lo->jsx = runtime ? JSX_CLASSIC : JSX_AUTOMATIC;
    lo->jsx_dev = !o->production;
    lo->jsx_factory = o->jsx_factory;
    lo->jsx_fragment = o->jsx_fragment;
    lo->jsx_import_source = o->jsx_import_source;
    return true;
}

static bool read_options(Build *b)
{
    static const char *const targets[] = {"browser", "bun", "node"}, *const formats[] = {"esm"};
    const BuildOptions *o = b->o;
    u32 unused;
    if (o->target.n && !one_of("target", o->target, targets, COUNT(targets), &unused)) return false;
    if (o->format.n && !one_of("format", o->format, formats, COUNT(formats), &unused)) return false;
    bool all = o->minify || o->production;
    b->base.minify_whitespace = all || o->minify_whitespace;
    b->base.minify_syntax = all || o->minify_syntax;
    b->base.minify_identifiers = all || o->minify_identifiers;
    b->base.keep_names = o->keep_names;
    return read_map_kind(b) && read_defines(b) && read_jsx(b);
}

/* ---- Input ---- */

/* What tsconfig.json says about a file; flags on the command line come first. */
static void apply_tsconfig(const Build *b, Str path, TranspileOptions *o)
{
    const ResolveTsConfig *c = resolve_tsconfig_of(b->resolver, path);
    LowerOptions *lo = &o->lower;
    if (!c) return;
    if (!b->o->jsx_runtime.n) {
        if (c->jsx == RESOLVE_JSX_REACT) lo->jsx = JSX_CLASSIC;
        if (c->jsx == RESOLVE_JSX_AUTOMATIC_DEV) lo->jsx_dev = true;
    }
    if (!lo->jsx_factory.n) lo->jsx_factory = c->jsx_factory;
    if (!lo->jsx_fragment.n) lo->jsx_fragment = c->jsx_fragment_factory;
    if (!lo->jsx_import_source.n) lo->jsx_import_source = c->jsx_import_source;
    lo->legacy_decorators = c->experimental_decorators == RESOLVE_YES;
    lo->emit_metadata = c->emit_decorator_metadata == RESOLVE_YES;
    o->parse.keep_param_types = lo->emit_metadata;
    lo->assign_fields = c->use_define_for_class_fields == RESOLVE_NO;
    lo->verbatim_imports = c->verbatim_module_syntax == RESOLVE_YES;
}

/* --loader .ext:kind beats the ending of the name. */
static bool loader_for(Build *b, Str path, ParseOptions *ret)
{
    bool known = transpile_options_for(path, ret);
    for (u32 i = 0; i < b->o->loaders.len; i++) {
        Str ending, kind;
        if (!str_cut(b->o->loaders.at[i], ':', &ending, &kind) || !str_ends(path, ending)) continue;
        if (transpile_options_named(kind, ret)) return true;
        cli_error("--loader \"%.*s\": not implemented without bundling: %.*s",
                  STR_ARG(b->o->loaders.at[i]), STR_ARG(kind));
        return false;
    }
    if (!known) cli_error("no loader for \"%.*s\"", STR_ARG(path));
    return known;
}

static bool read_source(Build *b, Arena *a, Str path, Source *ret)
{
    Str text;
    int rc = sys_read_file(a, path, LEX_SIZE_MAX, &text);
    if (rc == -ENOENT) {
        cli_error("Module not found \"%.*s\"", STR_ARG(path));
        return false;
    }
    if (rc < 0) {
        cli_error("cannot read \"%.*s\": %s", STR_ARG(path), err_text(rc));
        return false;
    }
    *ret = (Source){.name = path_resolve(a, b->cwd, (Str){0}, path), .text = lex_pad(a, text)};
    return true;
}

/* The map that the source names itself, if it can be had.  A broken one is as good as none. */
static const SourceMap *input_map(Arena *a, const Source *source)
{
    Str url = sourcemap_url(source->text), json;
    const char *what;
    if (!url.n) return NULL;
    if (!sourcemap_data_url(a, url, &json)) {
        Str path = path_resolve(a, S("/"), path_dirname(source->name), url);
        if (str_find_str(url, S("://")) >= 0 || sys_read_file(a, path, SYS_FILE_MAX, &json) < 0)
            return NULL;
    }
    SourceMap *m = ARENA_NEW(a, SourceMap);
    return sourcemap_parse(a, json, m, &what) ? m : NULL;
}

/* ---- Output ---- */

static bool write_file(Str path, Str text)
{
    int rc = sys_write_file(path, text, 0666);
    if (rc == -ENOENT) {
        rc = sys_mkdir_all(path_dirname(path), 0777, NULL);
        if (rc >= 0) rc = sys_write_file(path, text, 0666);
    }
    if (rc < 0) cli_error("cannot write \"%.*s\": %s", STR_ARG(path), err_text(rc));
    return rc >= 0;
}

/* The path of the output of a file; its ending is .js. */
static Str out_path(Build *b, Arena *a, Str name)
{
    if (b->o->outfile.n) return path_resolve(a, b->cwd, (Str){0}, b->o->outfile);
    Str relative = path_relative(a, b->root, name), ext = path_extname(relative);
    Str stem = str_slice(relative, 0, relative.n - ext.n);
    Str file = str_concat(a, stem, S(".js"));
    return path_resolve(a, b->cwd, b->o->outdir, file);
}

static void end_with_map(const Build *b, Str path, Str json, Buf *text)
{
    if (!str_ends(buf_str(text), S("\n"))) buf_push_char(text, '\n');
    if (b->map == MAP_INLINE) {
        buf_push(text, S("//# sourceMappingURL="));
        sourcemap_write_data_url(json, text);
        buf_push_char(text, '\n');
    } else if (b->map == MAP_LINKED) {
        buf_fmt(text, "//# sourceMappingURL=%.*s.map\n", STR_ARG(path_basename(path, (Str){0})));
    }
}

static bool emit(Build *b, Arena *a, const Source *source, Transpiled *t)
{
    bool to_file = b->o->outfile.n || b->o->outdir.n;
    Str path = to_file ? out_path(b, a, source->name) : (Str){0};
    AUTO(Buf) json = {0};
    if (b->map != MAP_NONE) {
        sourcemap_print(&t->map, &json);
        end_with_map(b, path, buf_str(&json), &t->text);
    }
    if (!to_file) {
        int rc = sys_write_all(1, buf_str(&t->text));
        return rc >= 0;
    }
    if (!write_file(path, buf_str(&t->text))) return false;
    if (b->map != MAP_LINKED && b->map != MAP_EXTERNAL) return true;
    return write_file(str_concat(a, path, S(".map")), buf_str(&json));
}

static void print_log(const Log *log)
{
    AUTO(Buf) text = {0};
    if (!log->msgs.len) return;
    log_print(log, sys_tty_is(2), &text);
    (void)!sys_write_all(2, buf_str(&text));
}

static bool build_file(Build *b, Str file)
{
    AUTO(Arena) a = {0};
    Source source;
    Log log;
    Transpiled t;
    TranspileOptions o = b->base;
    log_init(&log, &a);
    if (!loader_for(b, file, &o.parse) || !read_source(b, &a, file, &source)) return false;
    apply_tsconfig(b, source.name, &o);
    if (b->map != MAP_NONE) {
        Str out =
            b->o->outfile.n || b->o->outdir.n ? path_dirname(out_path(b, &a, source.name)) : b->cwd;
        o.source_map = o.source_content = true;
        o.source_name = path_relative(&a, out, source.name);
        o.input = input_map(&a, &source);
    }
    bool ok = transpile(&source, &o, &a, &log, &t) && emit(b, &a, &source, &t);
    print_log(&log);
    Transpiled_deinit(&t);
    return ok;
}

/* The folder that all files share. */
static Str common_root(Build *b)
{
    Arena *a = b->cli->arena;
    if (b->o->root.n) return path_resolve(a, b->cwd, (Str){0}, b->o->root);
    Str root = {0};
    for (u32 i = 0; i < b->n_files; i++) {
        Str dir = path_dirname(path_resolve(a, b->cwd, (Str){0}, b->files[i]));
        if (!i) root = dir;
        while (root.n > 1) {
            bool inside = str_starts(dir, root) && (dir.n == root.n || dir.p[root.n] == '/');
            if (inside) break;
            root = path_dirname(root);
        }
    }
    return root;
}

static int run(Cli *cli, const void *options, const Str *operands, u32 n_operands)
{
    Build b = {.cli = cli, .o = options, .files = operands, .n_files = n_operands};
    int rc = b.o->cwd.n ? sys_chdir(b.o->cwd) : 0;
    if (rc < 0) {
        cli_error("cannot change to \"%.*s\": %s", STR_ARG(b.o->cwd), err_text(rc));
        return 1;
    }
    if (!n_operands) {
        cli_error("no entry points: name the files to build");
        return 1;
    }
    if (!b.o->no_bundle) {
        cli_error("not implemented: bundling (--no-bundle transpiles files one by one)");
        return 1;
    }
    if (n_operands > 1 && !b.o->outdir.n) {
        cli_error("Must use --outdir when specifying more than one entry point.");
        return 1;
    }
    if (!read_options(&b) || sys_cwd(cli->arena, &b.cwd) < 0) return 1;
    b.root = common_root(&b);
    Str tsconfig = {0};
    if (b.o->tsconfig.n) {
        Str unused;
        tsconfig = path_resolve(cli->arena, b.cwd, (Str){0}, b.o->tsconfig);
        rc = sys_read_file(cli->arena, tsconfig, SYS_FILE_MAX, &unused);
        if (rc < 0) {
            cli_error("cannot read \"%.*s\": %s", STR_ARG(b.o->tsconfig), err_text(rc));
            return 1;
        }
    }
    b.resolver = resolver_new(&(ResolveOptions){.cwd = b.cwd, .tsconfig = tsconfig});
    bool ok = true;
    for (u32 i = 0; i < n_operands; i++) ok &= build_file(&b, operands[i]);
    resolver_free(b.resolver);
    return ok ? 0 : 1;
}

const CliCommand cli_build_command = {
    .name = "build",
    .args = "<file> [files]",
    .summary = "Turn TypeScript and JSX into JavaScript",
    .example = "  cob build --no-bundle ./app.tsx\n"
               "  cob build --no-bundle --minify --sourcemap=linked --outdir dist ./src/a.ts",
    .flags = flags,
    .n_flags = COUNT(flags),
    .options_size = sizeof(BuildOptions),
    .run = run,
};
