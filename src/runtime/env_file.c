/* runtime/env_file.c -- reading .env files (see env_file.h). */
#include "runtime/env_file.h"
#include "runtime/vm_watch.h"

#include "sys/sys.h"
#include "util/buf.h"
#include "util/err.h"
#include "util/map.h"

enum {
    FILE_MAX = 16 * 1024 * 1024,
    EXPANSION_DEPTH_MAX = 16, /* A=$B, B=$A */
    VALUE_MAX = 1024 * 1024,  /* A=$B$B, B=$C$C, ... grows without bound otherwise */
};

/* ---- Parsing ----------------------------------------------------------------------------------
 */

static bool is_name_char(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

static bool is_key_char(char c)
{
    return is_name_char(c) || c == '.' || c == '-';
}

static void skip_blanks(Str *s)
{
    while (s->n && (s->p[0] == ' ' || s->p[0] == '\t')) *s = str_skip(*s, 1);
}

static void skip_line(Str *s)
{
    i64 end = str_find(*s, '\n');
    *s = end < 0 ? (Str){0} : str_skip(*s, (usize)end + 1);
}

static Str take_key(Str *s)
{
    usize n = 0;
    while (n < s->n && is_key_char(s->p[n])) n++;
    Str key = str_slice(*s, 0, n);
    *s = str_skip(*s, n);
    return key;
}

/* Only double quotes know escapes, and of those only line ends. */
static Str unescape(Arena *a, Str raw)
{
    char *p = arena_alloc_dirty(a, raw.n + 1, 1);
    usize n = 0;
    for (usize i = 0; i < raw.n; i++) {
        char next = i + 1 < raw.n ? raw.p[i + 1] : 0;
        if (raw.p[i] == '\\' && (next == 'n' || next == 'r')) {
            p[n++] = next == 'n' ? '\n' : '\r';
            i++;
        } else {
            p[n++] = raw.p[i];
        }
    }
    return (Str){p, n};
}

static bool take_quoted(Arena *a, Str *s, Str *ret)
{
    char quote = s->p[0];
    usize end = 1;
    while (end < s->n && s->p[end] != quote) end += quote == '"' && s->p[end] == '\\' ? 2 : 1;
    if (end >= s->n) return false;
    Str raw = str_slice(*s, 1, end);
    *ret = quote == '"' ? unescape(a, raw) : raw;
    *s = str_skip(*s, end + 1);
    return true;
}

static Str take_bare(Str *s)
{
    usize n = 0;
    while (n < s->n && s->p[n] != '\n' && s->p[n] != '#') n++;
    Str value = str_trim(str_slice(*s, 0, n));
    *s = str_skip(*s, n);
    return value;
}

static bool take_assignment(Arena *a, Str *s, EnvEntry *ret)
{
    Str rest = *s;
    Str key = take_key(&rest);
    if (str_eq(key, S("export")) && rest.n && (rest.p[0] == ' ' || rest.p[0] == '\t')) {
        skip_blanks(&rest);
        key = take_key(&rest);
    }
    skip_blanks(&rest);
    if (!key.n || !rest.n || (rest.p[0] != '=' && rest.p[0] != ':')) return false;
    rest = str_skip(rest, 1);
    skip_blanks(&rest);
    bool is_quoted = rest.n && (rest.p[0] == '"' || rest.p[0] == '\'' || rest.p[0] == '`');
    Str value;
    if (!is_quoted || !take_quoted(a, &rest, &value)) value = take_bare(&rest);
    *ret = (EnvEntry){.name = key, .value = value};
    *s = rest;
    return true;
}

void env_file_parse(Arena *a, Str text, EnvEntries *ret)
{
    if (str_starts(text, S("\xef\xbb\xbf"))) text = str_skip(text, 3);
    while (text.n) {
        skip_blanks(&text);
        EnvEntry e;
        if (take_assignment(a, &text, &e)) vec_push(a, ret, e);
        skip_line(&text);
    }
}

/* ---- Expansion ----------------------------------------------------------------------------------
 */

typedef struct {
    Arena *arena;
    const EnvEntry *entries;
    StrMap by_name; /* index + 1 of the entry that counts */
} Env;

static void expand(const Env *env, Str value, Buf *out, u32 depth);

static bool put_variable(const Env *env, Str name, Buf *out, u32 depth)
{
    Str value;
    if (sys_env_find(env->arena, name, &value)) {
        (void)buf_push(out, value);
        return true;
    }
    const u64 *at = str_map_find(&env->by_name, name);
    if (at) expand(env, env->entries[*at - 1].value, out, depth + 1);
    return at != NULL;
}

/* `s` starts behind "${".  Returns what is left behind "}", or a NULL Str when it is not closed. */
static Str put_braced(const Env *env, Str s, Buf *out, u32 depth)
{
    i64 end = str_find(s, '}');
    if (end < 0) return (Str){0};
    Str inner = str_slice(s, 0, (usize)end);
    usize n = 0;
    while (n < inner.n && is_name_char(inner.p[n])) n++;
    Str fallback = str_skip(inner, n);
    if (!put_variable(env, str_slice(inner, 0, n), out, depth) && str_starts(fallback, S(":-")))
        expand(env, str_skip(fallback, 2), out, depth + 1);
    return str_skip(s, (usize)end + 1);
}

static void expand(const Env *env, Str value, Buf *out, u32 depth)
{
    if (depth > EXPANSION_DEPTH_MAX) return;
    while (value.n && !out->full) {
        Str next = str_skip(value, 1);
        char c = value.p[0];
        if (c == '\\' && next.n && next.p[0] == '$') {
            (void)buf_push_char(out, '$');
            value = str_skip(value, 2);
            continue;
        }
        if (c == '$' && next.n && next.p[0] == '{') {
            Str rest = put_braced(env, str_skip(next, 1), out, depth);
            if (rest.p) {
                value = rest;
                continue;
            }
        } else if (c == '$' && next.n && is_name_char(next.p[0])) {
            usize n = 0;
            while (n < next.n && is_name_char(next.p[n])) n++;
            (void)put_variable(env, str_slice(next, 0, n), out, depth);
            value = str_skip(next, n);
            continue;
        }
        (void)buf_push_char(out, c);
        value = next;
    }
}

static void apply(Arena *a, const EnvEntries *entries)
{
    Env env = {.arena = a, .entries = entries->at};
    for (u32 i = 0; i < entries->len; i++)
        *str_map_put(a, &env.by_name, entries->at[i].name, NULL) = i + 1;
    /* All values first: what is set here must not look as if the process had had it before. */
    Str *values = ARENA_ARRAY(a, Str, entries->len);
    for (u32 i = 0; i < entries->len; i++) {
        AUTO(Buf) out = {.max = VALUE_MAX};
        if (*str_map_find(&env.by_name, entries->at[i].name) != i + 1) continue;
        expand(&env, entries->at[i].value, &out, 0);
        Str old;
        bool is_set = sys_env_find(a, entries->at[i].name, &old);
        if (!is_set) values[i] = str_dup(a, buf_str(&out));
    }
    for (u32 i = 0; i < entries->len; i++)
        if (values[i].p) (void)!sys_env_set(entries->at[i].name, values[i]);
}

/* ---- Files
 * ------------------------------------------------------------------------------------------ */

static bool read_one(Arena *a, Log *log, Str path, bool is_required, EnvEntries *ret)
{
    Str text;
    int rc = sys_read_file(a, path, FILE_MAX, &text);
    if (rc == 0) {
        vm_on_config_loaded(path, text);
        env_file_parse(a, text, ret);
    }
    if (rc == 0 || (!is_required && (rc == -ENOENT || rc == -ENOTDIR || rc == -EISDIR)))
        return true;
    return log_error(log, (Span){0}, "cannot read \"%.*s\": %s", STR_ARG(path), err_text(rc));
}

bool env_files_load(Arena *a, Log *log, const Str *paths, u32 n_paths)
{
    EnvEntries entries = {0};
    for (u32 i = 0; i < n_paths; i++)
        if (!read_one(a, log, paths[i], true, &entries)) return false;
    apply(a, &entries);
    return true;
}

bool env_files_load_default(Arena *a, Log *log)
{
    Str mode = S("development");
    (void)sys_env_find(a, S("NODE_ENV"), &mode);
    EnvEntries entries = {0};
    bool ok = read_one(a, log, S(".env"), false, &entries) &&
              read_one(a, log, str_concat(a, S(".env."), mode), false, &entries);
    if (ok && !str_eq(mode, S("test"))) ok = read_one(a, log, S(".env.local"), false, &entries);
    Str local = str_fmt(a, ".env.%.*s.local", STR_ARG(mode));
    if (!ok || !read_one(a, log, local, false, &entries)) return false;
    if (entries.len) apply(a, &entries);
    return true;
}
