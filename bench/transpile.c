/* bench/transpile.c -- source bytes per second of src/syntax, in one process on one thread.
 *
 * usage: transpile [--fast|--full|--parse|--lex] [--minify] [--map] [--passes N] [--seconds S] LIST
 *
 * LIST names one file a line.  All are read first; whole passes over them are then timed by the
 * thread's CPU clock, so that neighbours on the machine count for little.  --fast is strip.c alone:
 * files that it refuses are left out of the figure and counted.  --full is parse, lower and print;
 * its figure for the tree is bytes of nodes and lists per byte of source.  One line of JSON. */
#include "syntax/transpile.h"
#include "syntax/strip.h"
#include "sys/sys.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef enum { MODE_FULL, MODE_FAST, MODE_PARSE, MODE_LEX } Mode;
static const char *const mode_names[] = {"full", "fast", "parse", "lex"};

enum { PASSES_MAX = 10000 };

typedef struct {
    Source source;
    TranspileOptions opt;
    bool refused;
} File;

typedef struct {
    Mode mode;
    bool minify, map;
    u64 n_passes; /* 0: as many as fit */
    u64 seconds;
    Vec(File) files;
    u64 n_bytes, n_refused, out_bytes, tree_bytes;
    u64 out_hash; /* of all output: equal while a change is for speed only */
    Arena *arena;
} Bench;

static u64 cpu_ns(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (u64)t.tv_sec * 1000000000u + (u64)t.tv_nsec;
}

/* ---- One file, one way ---- */

static Str run_fast(File *f, Arena *a, Log *log)
{
    static const StripOptions options = {.names = {{"$cob", 4}, {"_default", 8}}};
    Interner atoms;
    StripResult r;
    interner_init(&atoms, a, (u32)(f->source.text.n / 256) + 256);
    lex_seed(&atoms);
    if (!strip(&f->source, &f->opt.parse, &options, a, &atoms, log, &r) || r.reason)
        return (Str){0};
    return r.text;
}

/* Bytes of the tree, 0 on errors. */
static usize run_parse(File *f, Arena *a, Log *log)
{
    AUTO(Ast) t = {0};
    Interner atoms;
    interner_init(&atoms, a, (u32)(f->source.text.n / 256) + 256);
    lex_seed(&atoms);
    ast_init(&t, &f->source, &atoms);
    if (!parse(&t, a, &f->opt.parse, log)) return 0;
    return t.n_nodes * sizeof(Node) + t.n_extra * sizeof(u32);
}

/* Tokens without a parser: what `/` and `}` begin is guessed, so that this stops early in some
 * files.  The number of bytes read. */
static usize run_lex(File *f, Arena *a, Log *log)
{
    Interner atoms;
    Lexer l;
    interner_init(&atoms, a, 256);
    lex_seed(&atoms);
    lex_init(&l, &f->source, log, a, &atoms);
    l.quiet = true;
    for (lex_next(&l); l.tok != TOK_EOF; lex_next(&l)) {
    }
    return l.prev_end;
}

static bool run_file(const Bench *b, File *f, Arena *a, Transpiled *ret)
{
    Log log;
    log_init(&log, a);
    *ret = (Transpiled){0};
    switch (b->mode) {
    case MODE_FAST: return run_fast(f, a, &log).p;
    case MODE_PARSE: return run_parse(f, a, &log);
    case MODE_LEX: return run_lex(f, a, &log);
    default: return transpile(&f->source, &f->opt, a, &log, ret);
    }
}

/* ---- All files ---- */

static void add_file(Bench *b, Str path)
{
    File f = {0};
    Str text;
    int rc = sys_read_file(b->arena, path, LEX_SIZE_MAX, &text);
    if (rc < 0 || !transpile_options_for(path, &f.opt.parse)) {
        (void)fprintf(stderr, "transpile: cannot use %.*s\n", STR_ARG(path));
        exit(2);
    }
    f.source = (Source){.name = path, .text = lex_pad(b->arena, text)};
    f.opt.minify_whitespace = f.opt.minify_syntax = f.opt.minify_identifiers = b->minify;
    f.opt.source_map = f.opt.source_content = b->map;
    f.opt.source_name = path;
    vec_push(b->arena, &b->files, f);
}

static void add_list(Bench *b, Str list)
{
    Str text, line;
    if (sys_read_file(b->arena, list, LEX_SIZE_MAX, &text) < 0) exit(2);
    while (text.n) {
        if (!str_cut(text, '\n', &line, &text)) line = text, text = (Str){0};
        if (line.n) add_file(b, line);
    }
}

static void add_output(Bench *b, Str text)
{
    b->out_bytes += text.n;
    for (usize i = 0; i < text.n; i++)
        b->out_hash = (b->out_hash ^ (u8)text.p[i]) * 0x100000001b3u; /* FNV-1a */
}

/* Runs each file once: which are refused, and the figures that do not depend on time. */
static void sort_out(Bench *b)
{
    for (u32 i = 0; i < b->files.len; i++) {
        AUTO(Arena) a = {0};
        File *f = &b->files.at[i];
        Transpiled t;
        Log log;
        log_init(&log, &a);
        f->refused = !run_file(b, f, &a, &t);
        b->n_refused += f->refused;
        if (f->refused) {
            if (getenv("TRANSPILE_REFUSED"))
                (void)fprintf(stderr, "refused: %.*s\n", STR_ARG(f->source.name));
            continue;
        }
        b->n_bytes += f->source.text.n;
        add_output(b, b->mode == MODE_FAST ? run_fast(f, &a, &log) : buf_str(&t.text));
        b->tree_bytes += run_parse(f, &a, &log);
        Transpiled_deinit(&t);
    }
}

static u64 pass(const Bench *b, Arena *a)
{
    u64 begin = cpu_ns();
    for (u32 i = 0; i < b->files.len; i++) {
        Transpiled t;
        if (b->files.at[i].refused) continue;
        (void)run_file(b, &b->files.at[i], a, &t);
        Transpiled_deinit(&t);
        arena_clear(a);
    }
    return cpu_ns() - begin;
}

static int by_time(const void *x, const void *y)
{
    const u64 *a = x, *b = y;
    return *a < *b ? -1 : *a > *b;
}

static void report(const Bench *b, u64 *ns, u32 n)
{
    qsort(ns, n, sizeof(u64), by_time);
    f64 bytes = (f64)b->n_bytes;
    f64 median = n ? bytes * 1e3 / (f64)MAX(ns[n / 2], 1) : 0;
    f64 best = n ? bytes * 1e3 / (f64)MAX(ns[0], 1) : 0;
    (void)printf("{\"tool\": \"cob-%s%s%s\", \"files\": %llu, \"bytes\": %llu, \"outBytes\": %llu, "
                 "\"outHash\": \"%016llx\", \"failed\": %llu, \"passes\": %u, \"mbps\": %.1f, "
                 "\"mbps_best\": %.1f, "
                 "\"tree_per_byte\": %.2f}\n",
                 mode_names[b->mode], b->minify ? "-minify" : "", b->map ? "-map" : "",
                 (unsigned long long)(b->files.len - b->n_refused), (unsigned long long)b->n_bytes,
                 (unsigned long long)b->out_bytes, (unsigned long long)b->out_hash,
                 (unsigned long long)b->n_refused, n, median, best,
                 (f64)b->tree_bytes / MAX(bytes, 1));
}

static bool read_args(Bench *b, int argc, char **argv, Str *ret_list)
{
    for (int i = 1; i < argc; i++) {
        Str arg = str_z(argv[i]);
        bool more = i + 1 < argc;
        if (str_eq(arg, S("--fast")))
            b->mode = MODE_FAST;
        else if (str_eq(arg, S("--parse")))
            b->mode = MODE_PARSE;
        else if (str_eq(arg, S("--lex")))
            b->mode = MODE_LEX;
        else if (str_eq(arg, S("--minify")))
            b->minify = true;
        else if (str_eq(arg, S("--map")))
            b->map = true;
        else if (str_eq(arg, S("--passes")) && more)
            (void)str_to_u64(str_z(argv[++i]), &b->n_passes);
        else if (str_eq(arg, S("--seconds")) && more)
            (void)str_to_u64(str_z(argv[++i]), &b->seconds);
        else if (!str_eq(arg, S("--full")))
            *ret_list = arg;
    }
    return ret_list->n > 0;
}

int main(int argc, char **argv)
{
    static u64 ns[PASSES_MAX];
    AUTO(Arena) inputs = {0};
    AUTO(Arena) work = {0};
    Bench b = {.seconds = 1, .out_hash = 0xcbf29ce484222325u, .arena = &inputs};
    Str list = {0};
    if (!read_args(&b, argc, argv, &list)) {
        (void)fprintf(stderr, "usage: transpile [--fast|--full|--parse|--lex] [--minify] [--map] "
                              "[--passes N] [--seconds S] LIST\n");
        return 2;
    }
    add_list(&b, list);
    sort_out(&b);
    u64 begin = cpu_ns();
    u32 n = 0, n_max = b.n_passes ? (u32)MIN(b.n_passes, PASSES_MAX) : PASSES_MAX;
    while (n < n_max) {
        ns[n++] = pass(&b, &work);
        if (!b.n_passes && cpu_ns() - begin > b.seconds * 1000000000u) break;
    }
    report(&b, ns, n);
    return 0;
}
