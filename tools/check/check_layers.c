/* tools/check/check_layers.c -- `check_layers STAMPS CC FLAGS...`, from the root of the repository.
 *
 * Every include below src is one that src/LAYERS allows; no headers include each other in a circle;
 * every header compiles alone (with CC FLAGS; a stamp in the folder STAMPS says when it last did,
 * so only headers that changed, or include one that did, are tried again); public functions have
 * the prefix of their layer. Exit code 1 if anything is wrong. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check/ctok.h"
#include "check/findings.h"
#include "check/layers.h"

#define JOBS_MAX 2

typedef enum { NOT_SEEN, ON_STACK, DONE } Mark;

typedef struct {
    const char *path, *full; /* below src; with src */
    size_t *includes;        /* indices of files */
    size_t n_includes, includes_cap;
    struct timespec changed, newest; /* newest: with all that it includes */
    Mark mark;
} SourceFile;

typedef struct {
    Layers layers;
    Names names; /* sorted, below src; same indices as `files` */
    SourceFile *files;
    char *const *compiler;
    const char *stamps;
} Check;

/* ---- includes ---- */

static bool is_c(const char *path)
{
    return has_suffix(path, ".c") || has_suffix(path, ".h") || has_suffix(path, ".def");
}

static bool file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

/* "x.c" in a test and "x.inc" are written from the file's own folder, all others from src. */
static char *resolve(const Check *c, const SourceFile *file, const char *name)
{
    if (names_find(&c->names, name, strlen(name)) >= 0) return host_format("%s", name);
    int folder = (int)(base_name(file->path) - file->path);
    return host_format("%.*s%s", folder, file->path, name);
}

static void add_include(Check *c, SourceFile *file, const char *name, unsigned line)
{
    char *to = resolve(c, file, name);
    long index = names_find(&c->names, to, strlen(to));
    if (index < 0) {
        char *generated = host_format("build/gen/%s", name);
        if (!file_exists(generated) && strchr(name, '/'))
            finding(file->full, line, "\"%s\" does not exist below src", name);
        free(generated);
        return;
    }
    if (!strchr(name, '/') && has_suffix(name, ".h") && strchr(file->path, '/'))
        finding(file->full, line, "write \"%s\": includes start at src", to);
    char *refusal = layers_refuse(&c->layers, file->path, to);
    if (refusal) finding(file->full, line, "%s", refusal);
    size_t cap = file->includes_cap;
    file->includes = host_grow(file->includes, file->n_includes, &cap, sizeof(size_t));
    file->includes_cap = cap;
    file->includes[file->n_includes++] = (size_t)index;
}

static void read_includes(Check *c, SourceFile *file, const CToks *toks)
{
    for (size_t i = 0; i < toks->len; i++) {
        const char *p;
        size_t len;
        if (!ctok_include(&toks->v[i], &p, &len)) continue;
        char *name = host_format("%.*s", (int)len - 2, p + 1);
        if (*p == '"') {
            add_include(c, file, name, toks->v[i].line);
        } else {
            char *refusal = layers_refuse_system(file->path, name);
            if (refusal) finding(file->full, toks->v[i].line, "%s", refusal);
        }
        free(name);
    }
}

/* ---- prefixes ---- */

/* Names that no prefix rule is meant for: macros, attributes, questions, Type_deinit. */
static bool is_free_name(const CTok *tok)
{
    static const char *const questions[] = {"is_", "has_", "can_", "_", NULL};
    for (size_t i = 0; questions[i]; i++) {
        if (!strncmp(tok->p, questions[i], strlen(questions[i]))) return true;
    }
    return *tok->p >= 'A' && *tok->p <= 'Z';
}

static bool is_declared(const CToks *toks, size_t i)
{
    const CTok *tok = &toks->v[i];
    if (tok->kind != CT_IDENT || !i || i + 1 >= toks->len || !ctok_is(tok + 1, "(")) return false;
    if (tok[-1].kind != CT_IDENT && !ctok_is(tok - 1, "*")) return false;
    size_t close = ctok_closing(toks, i + 1);
    return close + 1 < toks->len &&
           (ctok_is(&toks->v[close + 1], ";") || ctok_is(&toks->v[close + 1], "{"));
}

static void check_prefixes(const Check *c, const SourceFile *file, const CToks *toks)
{
    const Layer *layer = layers_find(&c->layers, file->path);
    size_t depth = 0;
    bool is_private = false, starts = true;
    for (size_t i = 0; layer && i < toks->len; i++) {
        const CTok *tok = &toks->v[i];
        if (starts) is_private = ctok_is(tok, "typedef") || ctok_is(tok, "static");
        starts = !depth && (ctok_is(tok, ";") || ctok_is(tok, "}") || tok->kind == CT_DIRECTIVE);
        if (tok->kind == CT_PUNCT && *tok->p == '{') depth++;
        if (tok->kind == CT_PUNCT && *tok->p == '}' && depth) {
            depth--;
            starts = !depth;
        }
        if (depth || is_private || !is_declared(toks, i) || is_free_name(tok)) continue;
        if (!layers_prefix_ok(layer, file->path, tok->p, tok->len))
            finding(file->full, tok->line, "%.*s: a public function of %s/ starts with %s",
                    (int)tok->len, tok->p, layer->folder, layer->prefixes.v[0]);
    }
}

static void read_file(Check *c, SourceFile *file)
{
    Text text = {0};
    CToks all = {0}, code = {0};
    struct stat st;
    if (stat(file->full, &st) || !host_read(file->full, &text))
        host_die("%s: %s", file->full, strerror(errno));
    file->changed = file->newest = st.st_mtim;
    ctok_read(text.p, text.len, &all);
    for (size_t i = 0; i < all.len; i++) {
        if (all.v[i].kind == CT_COMMENT) continue;
        code.v = host_grow(code.v, code.len, &code.cap, sizeof(CTok));
        code.v[code.len++] = all.v[i];
    }
    read_includes(c, file, &code);
    if (has_suffix(file->path, ".h")) check_prefixes(c, file, &code);
    free(text.p);
    free(all.v);
    free(code.v);
}

/* ---- circles ---- */

static bool is_older(struct timespec a, struct timespec b)
{
    return a.tv_sec != b.tv_sec ? a.tv_sec < b.tv_sec : a.tv_nsec < b.tv_nsec;
}

/* Depth is bounded by the number of files: each is entered once. */
static void follow(Check *c, SourceFile *file)
{
    file->mark = ON_STACK;
    for (size_t i = 0; i < file->n_includes; i++) {
        SourceFile *other = &c->files[file->includes[i]];
        if (other->mark == ON_STACK)
            finding(file->full, 1, "includes \"%s\", which includes it: a circle", other->path);
        if (other->mark == NOT_SEEN) follow(c, other);
        if (is_older(file->newest, other->newest)) file->newest = other->newest;
    }
    file->mark = DONE;
}

/* ---- headers alone ---- */

static char *stamp_of(const Check *c, const SourceFile *file)
{
    return host_format("%s/%s.ok", c->stamps, file->path);
}

static bool is_known_good(const Check *c, const SourceFile *file)
{
    struct stat st;
    char *stamp = stamp_of(c, file);
    bool ok = stat(stamp, &st) == 0 && !is_older(st.st_mtim, file->newest);
    free(stamp);
    return ok;
}

/* The source is one line on the compiler's standard input: the header. */
static pid_t start_compiler(const Check *c, const SourceFile *file)
{
    int ends[2];
    char *line = host_format("#include \"%s\"\n", file->path);
    (void)fflush(stdout);
    if (pipe(ends)) host_die("pipe: %s", strerror(errno));
    if (write(ends[1], line, strlen(line)) < 0) host_die("pipe: %s", strerror(errno));
    close(ends[1]);
    pid_t pid = fork();
    if (pid < 0) host_die("fork: %s", strerror(errno));
    if (!pid) {
        (void)dup2(ends[0], 0);
        (void)dup2(1, 2);
        execvp(c->compiler[0], c->compiler);
        _exit(127);
    }
    close(ends[0]);
    free(line);
    return pid;
}

static void end_compiler(const Check *c, const SourceFile *file, pid_t pid)
{
    int status;
    if (waitpid(pid, &status, 0) < 0) host_die("wait: %s", strerror(errno));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) host_die("cannot run %s", c->compiler[0]);
    if (status) {
        finding(file->full, 1, "does not compile alone");
        return;
    }
    Text text = {0};
    text_str(&text, "ok\n");
    char *stamp = stamp_of(c, file);
    host_write(stamp, &text);
    free(stamp);
    free(text.p);
}

static void compile_headers(const Check *c)
{
    pid_t pids[JOBS_MAX];
    const SourceFile *running[JOBS_MAX];
    size_t n = 0;
    for (size_t i = 0; i < c->names.len; i++) {
        const SourceFile *file = &c->files[i];
        if (!has_suffix(file->path, ".h") || is_known_good(c, file)) continue;
        if (n == JOBS_MAX) {
            end_compiler(c, running[0], pids[0]);
            pids[0] = pids[--n];
            running[0] = running[n];
        }
        pids[n] = start_compiler(c, file);
        running[n++] = file;
    }
    while (n--) end_compiler(c, running[n], pids[n]);
}

static char *const *compiler_command(int argc, char **argv)
{
    static char *const last[] = {"-fsyntax-only", "-x", "c", "-", NULL};
    char **command = host_alloc(((size_t)argc + 5) * sizeof(char *));
    for (int i = 0; i < argc; i++) command[i] = argv[i];
    memcpy(command + argc, last, sizeof last);
    return command;
}

int main(int argc, char **argv)
{
    if (argc < 3) host_die("usage: check_layers STAMPS CC FLAGS...");
    Check c = {.stamps = argv[1], .compiler = compiler_command(argc - 2, argv + 2)};
    Names found = {0};
    layers_read("src/LAYERS", &c.layers);
    host_walk("src", &found);
    for (size_t i = 0; i < found.len; i++) {
        if (is_c(found.v[i])) names_push(&c.names, found.v[i]);
    }
    c.files = host_alloc(c.names.len * sizeof(SourceFile));
    for (size_t i = 0; i < c.names.len; i++) {
        SourceFile *file = &c.files[i];
        file->path = c.names.v[i];
        file->full = host_format("src/%s", file->path);
        if (strchr(file->path, '/') && !layers_find(&c.layers, file->path))
            finding(file->full, 1, "its folder is not in src/LAYERS");
        read_file(&c, file);
    }
    for (size_t i = 0; i < c.names.len; i++) {
        if (c.files[i].mark == NOT_SEEN) follow(&c, &c.files[i]);
    }
    compile_headers(&c);
    return findings_end("check_layers", c.names.len);
}
