/* tools/embed/embed.c -- turns src/builtins into one table: `embed SRC OUT.c OUT.texts`.
 *
 * The path is the registration. AREA/X/X.js and AREA/X.js are module X of that area, AREA/X/Y.js is
 * X/Y; a sibling with the same name that ends in .c is the native half, whose table is called
 * AREA_X_native. Areas node and bun give ids like "node:fs/promises"; internal and web give
 * "internal/errors" and "web/url". *.test.js and what is in a folder called fixtures is left out.
 *
 * Comment lines at the top of a half may hold directives:
 *   // @global URL URLSearchParams    lazy globals, each an export of the module
 *   // @global fetch=default          a global whose export has another name; "=*" is `exports`
 *   // @internal                      only built-ins may require it (always so in internal and web)
 *
 * Written are arrays of constants: `builtin_entries`, sorted by id, `builtin_globals`, sorted by
 * name, and `builtin_text`, which both point into by offset; every piece in it ends with a NUL that
 * its length does not count. Flag 1 of an entry is "internal"; native_idx 0xffff is "no C half".
 *
 * OUT.texts is for the program that compiles the halves (encode.c): in the order of the entries, a
 * line with length and hash of each text, then the text. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "embed/host.h"
#include "embed/jslex.h"
#include "embed/jsstrip.h"

typedef struct {
    JsTok *v;
    size_t len, cap;
} Toks;

typedef struct {
    char *path, *id;
    Text text, code;
    unsigned long long hash; /* of the code */
    Toks toks;               /* without blanks and comments */
    char *native;
    size_t native_idx;
    bool is_internal;
} Half;

typedef struct {
    char *name, *export;
    size_t half;
    unsigned line;
} Global;

typedef struct {
    const char *root;
    Names files;
    Half *halves;
    size_t n_halves, halves_cap;
    Global *globals;
    size_t n_globals, globals_cap;
    size_t n_errors;
} Embed;

static void fail(Embed *e, const char *path, unsigned line, const char *message)
{
    (void)fprintf(stderr, "%s/%s:%u: %s\n", e->root, path, line, message);
    e->n_errors++;
}

/* ---- names ---- */

static bool is_half(const char *path)
{
    return has_suffix(path, ".js") && !has_suffix(path, ".test.js") && !strstr(path, "/fixtures/");
}

/* "node/os/os.js" and "node/os.js" are "node/os". */
static char *module_path(const char *path)
{
    char *name = host_format("%.*s", (int)(strlen(path) - 3), path);
    char *last = strrchr(name, '/');
    if (!last) return name;
    *last = 0;
    if (!strchr(name, '/') || strcmp(base_name(name), last + 1) != 0) *last = '/';
    return name;
}

static bool set_names(Embed *e, Half *half)
{
    static const char *const areas[] = {"node/", "bun/", "web/", "internal/"};
    size_t area = 0;
    while (area < 4 && !has_prefix(half->path, areas[area])) area++;
    if (area == 4) {
        fail(e, half->path, 1, "a built-in belongs in node/, bun/, web/ or internal/");
        return false;
    }
    half->id = module_path(half->path);
    half->is_internal = area >= 2;
    char *sibling = host_format("%.*s.c", (int)(strlen(half->path) - 3), half->path);
    if (names_find(&e->files, sibling, strlen(sibling)) >= 0) {
        half->native = host_format("%s_native", half->id);
        for (char *p = half->native; *p; p++) {
            if (*p == '/' || *p == '-' || *p == '.') *p = '_';
        }
    }
    if (area < 2) *strchr(half->id, '/') = ':';
    return true;
}

/* ---- reading a half ---- */

static bool check_ascii(Embed *e, const Half *half)
{
    unsigned line = 1;
    for (size_t i = 0; i < half->text.len; i++) {
        unsigned char c = (unsigned char)half->text.p[i];
        if (c == '\n') line++;
        if (c == '\n' || c == '\t' || (c >= ' ' && c < 0x7f)) continue;
        fail(e, half->path, line,
             "not a printable ASCII character; write it as an escape (\\u...)");
        return false;
    }
    return true;
}

static void add_global(Embed *e, const char *path, const JsTok *word)
{
    const char *equals = memchr(word->p, '=', word->len);
    size_t len = equals ? (size_t)(equals - word->p) : word->len;
    Global global = {.half = e->n_halves, .line = word->line};
    global.name = host_format("%.*s", (int)len, word->p);
    global.export = global.name;
    if (equals) global.export = host_format("%.*s", (int)(word->len - len - 1), equals + 1);
    if (!strcmp(global.export, "*"))
        global.export = "";
    else if (!*global.export)
        fail(e, path, word->line, "@global: the name of the export is missing");
    if (!*global.name) fail(e, path, word->line, "@global: the name is missing");
    e->globals = host_grow(e->globals, e->n_globals, &e->globals_cap, sizeof(Global));
    e->globals[e->n_globals++] = global;
}

static bool next_word(const char **p, const char *end, JsTok *ret)
{
    while (*p < end && **p == ' ') ++*p;
    ret->p = *p;
    while (*p < end && **p != ' ') ++*p;
    ret->len = (size_t)(*p - ret->p);
    return ret->len > 0;
}

static void read_directive(Embed *e, Half *half, const JsTok *comment)
{
    const char *p = comment->p + 2, *end = comment->p + comment->len;
    JsTok word = {.line = comment->line};
    if (!next_word(&p, end, &word) || *word.p != '@') return;
    if (tok_is(&word, "@internal")) {
        half->is_internal = true;
    } else if (tok_is(&word, "@global")) {
        while (next_word(&p, end, &word)) add_global(e, half->path, &word);
    } else if (tok_is(&word, "@globals")) {
        fail(e, half->path, comment->line, "the directive is called @global");
    }
}

static void read_tokens(Embed *e, Half *half)
{
    JsLex lex;
    JsTok tok;
    jslex_init(&lex, half->text.p, half->text.len);
    while (jslex_next(&lex, &tok) && !lex.unsure) {
        if (tok.kind == JT_LINE_COMMENT && !half->toks.len) read_directive(e, half, &tok);
        if (is_trivia(&tok)) continue;
        half->toks.v = host_grow(half->toks.v, half->toks.len, &half->toks.cap, sizeof(JsTok));
        half->toks.v[half->toks.len++] = tok;
    }
    free(lex.stack);
}

/* FNV-1a: tells whether compiled code is of this text. */
static unsigned long long hash_of(const Text *text)
{
    unsigned long long hash = 0xcbf29ce484222325ULL;
    for (size_t i = 0; i < text->len; i++)
        hash = (hash ^ (unsigned char)text->p[i]) * 0x100000001b3ULL;
    return hash;
}

static void read_half(Embed *e, char *path)
{
    Half half = {.path = path};
    char *full = host_format("%s/%s", e->root, path);
    if (!host_read(full, &half.text)) host_die("%s: %s", full, strerror(errno));
    free(full);
    if (!set_names(e, &half) || !check_ascii(e, &half)) return;
    read_tokens(e, &half);
    text_str(&half.code, "(function (exports, require, native) {'use strict';");
    JsLex lex;
    if (!js_strip(&lex, half.text.p, half.text.len, &half.code)) fail(e, path, lex.line, lex.error);
    free(lex.stack);
    text_str(&half.code, "\n})");
    half.hash = hash_of(&half.code);
    e->halves = host_grow(e->halves, e->n_halves, &e->halves_cap, sizeof(Half));
    e->halves[e->n_halves++] = half;
}

/* ---- checks across halves ---- */

static const Half *find_half(const Embed *e, const char *id, size_t len)
{
    size_t lo = 0, hi = e->n_halves;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        int order = strncmp(e->halves[mid].id, id, len);
        if (!order && e->halves[mid].id[len]) order = 1;
        if (!order) return &e->halves[mid];
        if (order < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return NULL;
}

/* Is the "(" at `i` followed, after its ")", by a body: a method that is called require? */
static bool is_method(const Toks *toks, size_t i)
{
    size_t depth = 0;
    for (; i < toks->len; i++) {
        const JsTok *tok = &toks->v[i];
        if (tok->kind != JT_PUNCT) continue;
        if (tok_is(tok, "(")) depth++;
        if (tok_is(tok, ")") && --depth == 0) break;
    }
    return i + 1 < toks->len && tok_is(&toks->v[i + 1], "{");
}

static void check_require(Embed *e, const Half *half, size_t i)
{
    const Toks *toks = &half->toks;
    const JsTok *arg = &toks->v[i + 2];
    if (i + 3 >= toks->len || arg->kind != JT_STRING || !tok_is(arg + 1, ")")) {
        if (!is_method(toks, i + 1))
            fail(e, half->path, toks->v[i].line, "require takes one string literal in a built-in");
        return;
    }
    if (find_half(e, arg->p + 1, arg->len - 2)) return;
    bool slash = !memcmp(arg->p + 1, "node/", 5) || !memcmp(arg->p + 1, "bun/", 4);
    char *message = host_format("require(%.*s): no such built-in%s", (int)arg->len, arg->p,
                                slash ? "; ids of node and bun have a colon" : "");
    fail(e, half->path, arg->line, message);
    free(message);
}

static void check_requires(Embed *e, const Half *half)
{
    const Toks *toks = &half->toks;
    for (size_t i = 0; i + 2 < toks->len; i++) {
        const JsTok *tok = &toks->v[i];
        if (tok->kind != JT_IDENT || !tok_is(tok, "require") || !tok_is(tok + 1, "(")) continue;
        if (i && (tok_is(tok - 1, ".") || tok_is(tok - 1, "?.") || tok_is(tok - 1, "function")))
            continue;
        check_require(e, half, i);
    }
}

static int compare_halves(const void *a, const void *b)
{
    const Half *x = a, *y = b;
    int order = strcmp(x->id, y->id);
    return order ? order : strcmp(x->path, y->path);
}

static int compare_globals(const void *a, const void *b)
{
    const Global *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->half > y->half) - (x->half < y->half);
}

/* Globals name their half by index: sort the halves and let the indices follow. */
static void sort_halves(Embed *e)
{
    char **paths = host_alloc((e->n_globals + 1) * sizeof(char *));
    for (size_t i = 0; i < e->n_globals; i++) paths[i] = e->halves[e->globals[i].half].path;
    if (e->n_halves) qsort(e->halves, e->n_halves, sizeof(Half), compare_halves);
    for (size_t i = 0; i < e->n_globals; i++) {
        size_t half = 0;
        while (e->halves[half].path != paths[i]) half++;
        e->globals[i].half = half;
    }
    if (e->n_globals) qsort(e->globals, e->n_globals, sizeof(Global), compare_globals);
    free(paths);
}

static void check_unique(Embed *e)
{
    for (size_t i = 1; i < e->n_halves; i++) {
        Half *half = &e->halves[i];
        if (strcmp(half[-1].id, half->id) != 0) continue;
        char *message = host_format("\"%s\" is already %s", half->id, half[-1].path);
        fail(e, half->path, 1, message);
    }
    for (size_t i = 1; i < e->n_globals; i++) {
        Global *global = &e->globals[i];
        if (strcmp(global[-1].name, global->name) != 0) continue;
        const char *first = e->halves[global[-1].half].path;
        char *message = host_format("global \"%s\" is already made by %s", global->name, first);
        fail(e, e->halves[global->half].path, global->line, message);
    }
}

/* ---- writing ---- */

/* One literal a line of text; a NUL is written with three digits, so none of what follows joins. */
static void put_literal(Text *out, const char *p, size_t len)
{
    text_str(out, "    \"");
    for (size_t i = 0; i < len; i++) {
        char c = p[i];
        if (c == '"' || c == '\\' || c == '?') /* two ? would start a trigraph */
            text_format(out, "\\%c", c);
        else if (c == '\n')
            text_str(out, i + 1 < len ? "\\n\"\n    \"" : "\\n");
        else if (c == '\t')
            text_str(out, "\\t");
        else
            text_put(out, &c, 1);
    }
    text_str(out, "\\000\"\n");
}

static size_t put_piece(Text *literals, size_t *len, const char *p, size_t n)
{
    size_t at = *len;
    put_literal(literals, p, n);
    *len += n + 1;
    return at;
}

static void put_natives(Embed *e, Text *out)
{
    size_t n = 0;
    for (size_t i = 0; i < e->n_halves; i++) {
        Half *half = &e->halves[i];
        half->native_idx = half->native ? n++ : 0xffff;
        if (half->native) text_format(out, "extern const JsFnTable %s;\n", half->native);
    }
    text_str(out, "\nconst JsFnTable *const builtin_natives[] = {\n");
    for (size_t i = 0; i < e->n_halves; i++) {
        if (e->halves[i].native) text_format(out, "    &%s,\n", e->halves[i].native);
    }
    text_str(out, "    NULL,\n};\n\n");
}

static void put_entries(Embed *e, Text *out, Text *literals, size_t *len)
{
    text_str(out, "const BuiltinEntry builtin_entries[] = {\n");
    Text sources = {0};
    size_t *at = host_alloc((e->n_halves + 1) * 2 * sizeof(size_t));
    for (size_t i = 0; i < e->n_halves; i++) {
        Half *half = &e->halves[i];
        at[2 * i] = put_piece(literals, len, half->id, strlen(half->id));
        at[2 * i + 1] = put_piece(literals, len, half->path, strlen(half->path));
    }
    for (size_t i = 0; i < e->n_halves; i++) {
        Half *half = &e->halves[i];
        size_t src = put_piece(&sources, len, half->code.p, half->code.len);
        text_format(out, "    {.id_off = %zu, .id_len = %zu, ", at[2 * i], strlen(half->id));
        text_format(out, ".src_off = %zu, .src_len = %zu,\n     ", src, half->code.len);
        text_format(out, ".path_off = %zu, .path_len = %zu, ", at[2 * i + 1], strlen(half->path));
        text_format(out, ".native_idx = %zu, .flags = %d, .src_hash = 0x%llx},\n", half->native_idx,
                    half->is_internal, half->hash);
    }
    if (!e->n_halves) text_str(out, "    {0},\n");
    text_format(out, "};\nconst u32 builtin_count = %zu;\n\n", e->n_halves);
    if (sources.len) text_put(literals, sources.p, sources.len);
}

static void put_globals(const Embed *e, Text *out, Text *literals, size_t *len)
{
    text_str(out, "const BuiltinGlobal builtin_globals[] = {\n");
    for (size_t i = 0; i < e->n_globals; i++) {
        const Global *global = &e->globals[i];
        size_t name = put_piece(literals, len, global->name, strlen(global->name));
        size_t export = name;
        if (global->export != global->name)
            export = put_piece(literals, len, global->export, strlen(global->export));
        text_format(out, "    {.name_off = %zu, .name_len = %zu, ", name, strlen(global->name));
        text_format(out, ".entry = %zu, ", global->half);
        text_format(out, ".export_off = %zu, .export_len = %zu},\n", export,
                    strlen(global->export));
    }
    if (!e->n_globals) text_str(out, "    {0},\n");
    text_format(out, "};\nconst u32 builtin_globals_count = %zu;\n\n", e->n_globals);
}

static void write_table(Embed *e, const char *path)
{
    Text out = {0}, literals = {0};
    size_t len = 0;
    text_str(&out, "/* Generated by tools/embed from src/builtins; do not edit. */\n"
                   "#include \"builtins/builtins.h\"\n\n"
                   "#include <stddef.h>\n\n"
                   "#include \"engine/js.h\"\n\n");
    put_natives(e, &out);
    put_globals(e, &out, &literals, &len);
    put_entries(e, &out, &literals, &len);
    text_str(&out, "const char builtin_text[] =\n");
    if (literals.len)
        text_put(&out, literals.p, literals.len - 1);
    else
        text_str(&out, "    \"\"");
    text_str(&out, ";\n");
    host_write(path, &out);
}

static void write_texts(const Embed *e, const char *path)
{
    Text out = {0};
    for (size_t i = 0; i < e->n_halves; i++) {
        const Half *half = &e->halves[i];
        text_format(&out, "%zu %llx\n", half->code.len, half->hash);
        text_put(&out, half->code.p, half->code.len);
    }
    host_write(path, &out);
}

int main(int argc, char **argv)
{
    if (argc != 4) host_die("usage: embed SRC OUT.c OUT.texts");
    Embed e = {.root = argv[1]};
    host_walk(e.root, &e.files);
    for (size_t i = 0; i < e.files.len; i++) {
        if (is_half(e.files.v[i])) read_half(&e, e.files.v[i]);
    }
    sort_halves(&e);
    check_unique(&e);
    for (size_t i = 0; i < e.n_halves; i++) check_requires(&e, &e.halves[i]);
    if (e.n_halves >= 0xffff || e.n_globals >= 0xffff) host_die("more than 65535 built-ins");
    if (e.n_errors) {
        (void)fprintf(stderr, "embed: %zu errors\n", e.n_errors);
        return 1;
    }
    write_table(&e, argv[2]);
    write_texts(&e, argv[3]);
    return 0;
}
