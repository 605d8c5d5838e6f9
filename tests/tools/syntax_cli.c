/* tests/tools/syntax_cli.c -- runs the parser by hand: parses a file and prints it.
 *
 * usage: syntax-cli [--script] [--dump|--check|--bench
 * N|--minify|--roundtrip|--strip|--strip-module|--module|--cycle|--compare] FILE The extension
 * selects the language, as the real commands do.  Exit code 1: there were errors. */
#include "syntax/lower.h"
#include "syntax/parse.h"
#include "syntax/print.h"
#include "syntax/scope.h"
#include "syntax/strip.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static bool read_file(Arena *a, const char *path, Str *ret)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    struct stat st;
    if (fstat(fd, &st) < 0) return false;
    usize size = (usize)st.st_size, n = 0;
    char *p = arena_alloc(a, size + LEX_PADDING, 16);
    while (n < size) {
        ssize_t k = read(fd, p + n, size - n);
        if (k <= 0) break;
        n += (usize)k;
    }
    (void)close(fd);
    *ret = (Str){p, n};
    return true;
}

static ParseGoal cjs_goal = GOAL_AUTO;

static LowerOptions lower_options;

static ParseOptions options_for(Str path)
{
    ParseOptions o = {.goal = GOAL_AUTO};
    if (str_ends(path, S("ts"))) o.ts = true;
    if (str_ends(path, S(".tsx"))) o.ts = o.jsx = true;
    if (str_ends(path, S(".jsx")) || str_ends(path, S(".js"))) o.jsx = true;
    if (str_ends(path, S(".mjs")) || str_ends(path, S(".mts"))) o.goal = GOAL_MODULE;
    if (str_ends(path, S(".cjs"))) o.goal = cjs_goal;
    if (str_ends(path, S(".mts")) || str_ends(path, S(".cts"))) o.ambiguous_lt = true;
    if (str_ends(path, S(".d.ts"))) o.declaration = true;
    o.keep_param_types = lower_options.emit_metadata;
    return o;
}

static void write_out(int fd, Str s)
{
    while (s.n) {
        ssize_t k = write(fd, s.p, s.n);
        if (k <= 0) return;
        s = str_skip(s, (usize)k);
    }
}

static int run_strip(Str name, Str text, const ParseOptions *o, bool module)
{
    Arena a = {0};
    Interner atoms;
    Log log;
    Source source = {name, text};
    Buf out = {0};
    StripResult r;
    StripOptions so = {.names = MODULE_NAMES};
    log_init(&log, &a);
    interner_init(&atoms, &a, 256);
    lex_seed(&atoms);
    bool ok = strip(&source, o, &so, &a, &atoms, &log, &r);
    if (!ok) {
        log_print(&log, false, &out);
        write_out(2, buf_str(&out));
    } else if (r.reason) {
        (void)fprintf(stderr, "%.*s: full path: %s\n", STR_ARG(name), r.reason);
    } else {
        for (u32 i = 0; i < r.info.imports.len; i++) r.info.imports.at[i].live = false;
        if (module) module_open(&out, &r.info, &so.names, false);
        buf_push(&out, r.text);
        if (module) module_close(&out, &r.info, &so.names);
        write_out(1, buf_str(&out));
    }
    Buf_deinit(&out);
    arena_deinit(&a);
    return !ok ? 1 : r.reason ? 3 : 0;
}

static f64 now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (f64)t.tv_sec + (f64)t.tv_nsec * 1e-9;
}

typedef struct {
    Arena arena;
    Interner atoms;
    Ast ast;
    Log log;
    Source source;
    Bindings bindings;
    u32 helpers;
} Job;

static bool run_parse(Job *j, Str name, Str text, const ParseOptions *o)
{
    j->source = (Source){name, text};
    log_init(&j->log, &j->arena);
    interner_init(&j->atoms, &j->arena, (u32)(text.n / 64) + 256);
    lex_seed(&j->atoms);
    ast_init(&j->ast, &j->source, &j->atoms);
    if (!parse(&j->ast, &j->arena, o, &j->log)) return false;
    return scope_bind(&j->ast, o, &j->arena, &j->log, &j->bindings);
}

static bool run_lower(Job *j, const ParseOptions *o)
{
    Lowering w = {.ast = &j->ast,
                  .bindings = &j->bindings,
                  .parse = o,
                  .opt = &lower_options,
                  .arena = &j->arena,
                  .log = &j->log};
    bool ok = lower_all(&w);
    j->helpers = w.helpers;
    return ok;
}

static void job_deinit(Job *j)
{
    Ast_deinit(&j->ast);
    arena_deinit(&j->arena);
}

static void bench(Str name, Str text, const ParseOptions *o, const char *count)
{
    u64 n = 1;
    (void)str_to_u64(str_z(count), &n);
    f64 best_parse = 1e9, best_print = 1e9;
    u32 nodes = 0;
    usize size = 0;
    for (u64 i = 0; i < n; i++) {
        Job j = {0};
        f64 t0 = now();
        (void)run_parse(&j, name, text, o);
        f64 t1 = now();
        Buf out = {0};
        PrintOptions po = {0};
        if (!j.log.n_errors && run_lower(&j, o)) nodes += !print_ast(&j.ast, &po, &out, NULL);
        f64 t2 = now();
        if (t1 - t0 < best_parse) best_parse = t1 - t0;
        if (t2 - t1 < best_print) best_print = t2 - t1;
        nodes = j.ast.n_nodes;
        size = nodes * sizeof(Node) + j.ast.n_extra * 4 + arena_size(&j.arena);
        Buf_deinit(&out);
        job_deinit(&j);
    }
    f64 best_strip = 1e9;
    const char *reason = NULL;
    for (u64 i = 0; i < n; i++) {
        Arena a = {0};
        Interner atoms;
        Log log;
        Source source = {name, text};
        StripResult r;
        StripOptions so = {.names = MODULE_NAMES};
        f64 t0 = now();
        log_init(&log, &a);
        interner_init(&atoms, &a, 256);
        lex_seed(&atoms);
        nodes += !strip(&source, o, &so, &a, &atoms, &log, &r);
        reason = r.reason;
        f64 t1 = now();
        if (t1 - t0 < best_strip) best_strip = t1 - t0;
        arena_deinit(&a);
    }
    f64 mb = (f64)text.n / 1e6;
    (void)printf("strip %.1f MB/s (%s); ", mb / best_strip, reason ? reason : "fast path");
    (void)printf("%.*s: %.2f MB, parse %.1f MB/s, print %.1f MB/s, %u nodes, %.2f bytes per byte\n",
                 STR_ARG(name), mb, mb / best_parse, mb / best_print, nodes,
                 (f64)size / (f64)text.n);
}

static int roundtrip(Job *j, Str name, const ParseOptions *o, bool minify)
{
    Buf out = {0};
    PrintOptions po = {.minify_whitespace = minify};
    Job again = {0};
    int rc = 0;
    if (!print_ast(&j->ast, &po, &out, NULL)) {
        (void)printf("%.*s: too deep to print\n", STR_ARG(name));
        rc = 1;
    } else if (!run_parse(&again, name, lex_pad(&j->arena, buf_str(&out)), o)) {
        (void)printf("%.*s: printed text does not parse\n", STR_ARG(name));
        Buf msg = {0};
        log_print(&again.log, false, &msg);
        write_out(1, str_slice(buf_str(&msg), 0, 500));
        Buf_deinit(&msg);
        rc = 1;
    } else {
        NodeId x, y;
        if (!ast_equal(&j->ast, &again.ast, &x, &y)) {
            Buf d = {0};
            ast_dump(&j->ast, x, &d);
            (void)printf("%.*s: differs at %u: %.200s", STR_ARG(name), ast_node(&j->ast, x)->pos,
                         d.p);
            buf_clear(&d);
            ast_dump(&again.ast, y, &d);
            (void)printf(" | %.200s\n", d.p);
            Buf_deinit(&d);
            rc = 1;
        }
    }
    Buf_deinit(&out);
    job_deinit(&again);
    return rc;
}

typedef struct {
    Arena arena;
    Interner atoms;
    Log log;
    Source source;
    StripOptions opt;
    StripResult r;
} Fast;

static bool run_fast(Fast *f, Str name, Str text, const ParseOptions *o)
{
    f->source = (Source){name, text};
    f->opt = (StripOptions){.names = MODULE_NAMES};
    log_init(&f->log, &f->arena);
    interner_init(&f->atoms, &f->arena, 256);
    lex_seed(&f->atoms);
    StripInput in = {&f->source, o, &f->opt, &f->arena, &f->atoms, &f->log};
    return strip_file(&in, &f->r);
}

static void bind_once(ModuleInfo *m)
{
    for (u32 i = 0; i < m->imports.len; i++) m->imports.at[i].live = false;
}

static void emit_fast(Fast *f, Buf *out)
{
    bind_once(&f->r.info);
    if (f->r.info.is_module) module_open(out, &f->r.info, &f->opt.names, false);
    buf_push(out, f->r.text);
    if (f->r.info.is_module) module_close(out, &f->r.info, &f->opt.names);
}

static void emit_full(Job *j, const ParseOptions *o, Buf *out)
{
    Lowering w = {.ast = &j->ast,
                  .bindings = &j->bindings,
                  .parse = o,
                  .opt = &lower_options,
                  .arena = &j->arena,
                  .log = &j->log};
    ModuleInfo info = {0};
    ModuleNames names = MODULE_NAMES;
    PrintOptions po = {0};
    module_scan(&w, &info);
    bind_once(&info);
    lower_esm(&w, &info, &names);
    if (info.is_module) module_open(out, &info, &names, false);
    if (!print_ast(&j->ast, &po, out, NULL)) buf_push(out, S("too deep"));
    if (info.is_module) module_close(out, &info, &names);
}

static int compare_texts(Str name, Str fast, Str full)
{
    Job x = {0}, y = {0};
    ParseOptions js = {.goal = GOAL_COMMONJS};
    NodeId nx, ny;
    int rc = 1;
    AUTO(Buf) d = {0};
    if (!run_parse(&x, name, lex_pad(&x.arena, fast), &js)) {
        log_print(&x.log, false, &d);
        (void)printf("%.*s: fast path output does not parse: %.300s\n", STR_ARG(name), d.p);
    } else if (!run_parse(&y, name, lex_pad(&y.arena, full), &js)) {
        (void)printf("%.*s: full path output does not parse\n", STR_ARG(name));
    } else if (!ast_equal_but_empty(&x.ast, &y.ast, &nx, &ny)) {
        ast_dump(&x.ast, nx, &d);
        (void)printf("%.*s: differs: %.150s", STR_ARG(name), d.p);
        buf_clear(&d);
        ast_dump(&y.ast, ny, &d);
        (void)printf(" | %.150s\n", d.p);
    } else {
        rc = 0;
    }
    job_deinit(&x);
    job_deinit(&y);
    return rc;
}

/* Fast path and full path must give the same program.  3: the fast path refused. */
static int compare_paths(Str name, Str text, const ParseOptions *o)
{
    Job full = {0};
    Fast fast = {0};
    AUTO(Buf) x = {0};
    AUTO(Buf) y = {0};
    bool ok = run_fast(&fast, name, text, o);
    bool full_ok = run_parse(&full, name, text, o) && run_lower(&full, o);
    int rc = ok != full_ok;
    if (ok && fast.r.reason) {
        rc = 3;
    } else if (rc) {
        (void)printf("%.*s: only the %s path reports errors\n", STR_ARG(name),
                     ok ? "full" : "fast");
    } else if (ok) {
        emit_fast(&fast, &x);
        emit_full(&full, o, &y);
        rc = compare_texts(name, buf_str(&x), buf_str(&y));
    }
    job_deinit(&full);
    arena_deinit(&fast.arena);
    return rc;
}

static int print_job(Job *j, const ParseOptions *o, const char *mode)
{
    AUTO(Buf) out = {0};
    PrintOptions po = {.minify_whitespace = !strcmp(mode, "--minify")};
    bool cycle = !strcmp(mode, "--cycle"), module = cycle || !strcmp(mode, "--module");
    Lowering w = {.ast = &j->ast,
                  .bindings = &j->bindings,
                  .parse = o,
                  .opt = &lower_options,
                  .arena = &j->arena,
                  .log = &j->log};
    ModuleNames names = module_names(&w);
    ModuleInfo info = {0};
    if (module) {
        module_scan(&w, &info);
        lower_esm(&w, &info, &names);
        module_open(&out, &info, &names, cycle);
    }
    helpers_write(&out, j->helpers);
    if (j->helpers) buf_push_char(&out, '\n');
    bool ok = print_ast(&j->ast, &po, &out, NULL);
    if (module) module_close(&out, &info, &names);
    write_out(1, buf_str(&out));
    return !ok;
}

static int run_full(Str name, Str text, const ParseOptions *o, const char *mode)
{
    Job j = {0};
    AUTO(Buf) out = {0};
    bool ok = run_parse(&j, name, text, o);
    int rc = 0;
    if (ok && !strcmp(mode, "--dump")) {
        ast_dump(&j.ast, j.ast.root, &out);
        write_out(1, buf_str(&out));
    } else if (ok && !strcmp(mode, "--roundtrip")) {
        rc = roundtrip(&j, name, o, false) | roundtrip(&j, name, o, true);
    } else if (ok && run_lower(&j, o)) {
        rc = strcmp(mode, "--check") ? print_job(&j, o, mode) : 0;
    } else {
        log_print(&j.log, false, &out);
        write_out(2, buf_str(&out));
        rc = 1;
    }
    job_deinit(&j);
    return rc;
}

typedef struct {
    const char *mode, *file, *count;
} Args;

static Args parse_args(int argc, char **argv)
{
    Args a = {.mode = "", .count = "5"};
    for (int i = 1; i < argc; i++) {
        const char *s = argv[i];
        bool digits = s[0] >= '0' && s[0] <= '9';
        if (!strcmp(s, "--script"))
            cjs_goal = GOAL_SCRIPT;
        else if (!strcmp(s, "--classic"))
            lower_options.jsx = JSX_CLASSIC;
        else if (!strcmp(s, "--legacy"))
            lower_options.legacy_decorators = true;
        else if (!strcmp(s, "--metadata"))
            lower_options.emit_metadata = true;
        else if (s[0] == '-' && s[1])
            a.mode = s;
        else if (digits && !strcmp(a.mode, "--bench") && !a.file)
            a.count = s;
        else
            a.file = s;
    }
    return a;
}

int main(int argc, char **argv)
{
    Args args = parse_args(argc, argv);
    Arena arena = {0};
    Str text;
    if (!args.file || !read_file(&arena, args.file, &text)) return 2;
    Str name = str_z(args.file);
    ParseOptions o = options_for(name);
    int rc = 0;
    if (!strcmp(args.mode, "--bench"))
        bench(name, text, &o, args.count);
    else if (!strcmp(args.mode, "--compare"))
        rc = compare_paths(name, text, &o);
    else if (!strncmp(args.mode, "--strip", 7))
        rc = run_strip(name, text, &o, args.mode[7] != 0);
    else
        rc = run_full(name, text, &o, args.mode);
    arena_deinit(&arena);
    return rc;
}
