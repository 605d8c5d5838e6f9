/* codec/yaml.c -- a tree from libfyaml's events (see yaml.h).
 *
 * The stack of open collections is ours, so deep text costs no stack.  An anchor may be given
 * twice: an alias means the last one before it. */
#include "codec/yaml.h"

#include "util/map.h"
#include "util/vec.h"

#include <libfyaml.h>
#include <math.h>
#include <stdlib.h>

typedef struct {
    Arena *arena;
    Yaml *yaml;
    Vec(YamlNode *) documents;
    Vec(YamlNode *) open;
    StrMap anchors; /* name -> YamlNode *, of one document */
    YamlError *err;
} Builder;

static bool fail(Builder *b, const char *what)
{
    *b->err = (YamlError){.what = str_z(what)};
    return false;
}

/* ---- Scalars ----------------------------------------------------------------------------------
 */

static bool is_one_of(Str s, const char *const *words, u32 n)
{
    for (u32 i = 0; i < n; i++)
        if (str_eq(s, str_z(words[i]))) return true;
    return false;
}

static bool digits_of(Str s, u32 base, f64 *ret)
{
    f64 v = 0;
    for (usize i = 0; i < s.n; i++) {
        u32 c = (u8)s.p[i], d = 99;
        if (c >= '0' && c <= '9') d = c - '0';
        if ((c | 32) >= 'a' && (c | 32) <= 'f') d = (c | 32) - 'a' + 10;
        if (d >= base) return false;
        v = v * base + d;
    }
    *ret = v;
    return s.n > 0;
}

/* [-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )? */
static bool is_decimal(Str s)
{
    usize i = 0, n_digits = 0;
    if (i < s.n && (s.p[i] == '-' || s.p[i] == '+')) i++;
    for (; i < s.n && s.p[i] >= '0' && s.p[i] <= '9'; i++) n_digits++;
    if (i < s.n && s.p[i] == '.')
        for (i++; i < s.n && s.p[i] >= '0' && s.p[i] <= '9'; i++) n_digits++;
    if (!n_digits) return false;
    if (i == s.n) return true;
    if ((s.p[i] | 32) != 'e') return false;
    i++;
    if (i < s.n && (s.p[i] == '-' || s.p[i] == '+')) i++;
    usize from = i;
    while (i < s.n && s.p[i] >= '0' && s.p[i] <= '9') i++;
    return i == s.n && i > from;
}

static bool number_of(Str s, f64 *ret)
{
    static const char *const infinite[] = {".inf", ".Inf", ".INF"};
    static const char *const nan[] = {".nan", ".NaN", ".NAN"};
    Str rest = s;
    bool has_sign = s.n > 1 && (s.p[0] == '-' || s.p[0] == '+');
    if (has_sign) rest = str_skip(s, 1);
    f64 sign = has_sign && s.p[0] == '-' ? -1 : 1;
    if (is_one_of(rest, infinite, COUNT(infinite))) {
        *ret = sign * (f64)INFINITY;
        return true;
    }
    if (is_one_of(s, nan, COUNT(nan))) {
        *ret = (f64)NAN;
        return true;
    }
    if (!has_sign && str_starts(s, S("0x"))) return digits_of(str_skip(s, 2), 16, ret);
    if (!has_sign && str_starts(s, S("0o"))) return digits_of(str_skip(s, 2), 8, ret);
    if (!is_decimal(s)) return false;
    AUTO(Scratch) scratch = scratch_begin(NULL);
    *ret = strtod(str_dup_z(scratch.arena, s), NULL);
    return true;
}

static bool is_null(Str s)
{
    static const char *const words[] = {"", "~", "null", "Null", "NULL"};
    return is_one_of(s, words, COUNT(words));
}

static bool bool_of(Str s, bool *ret)
{
    static const char *const yes[] = {"true", "True", "TRUE"};
    static const char *const no[] = {"false", "False", "FALSE"};
    *ret = is_one_of(s, yes, COUNT(yes));
    return *ret || is_one_of(s, no, COUNT(no));
}

/* The tag's last word of "tag:yaml.org,2002:int"; empty for those of an application. */
static Str core_tag(struct fy_token *tag)
{
    usize n = 0;
    const char *p = tag ? fy_token_get_text(tag, &n) : NULL;
    Str text = {p ? p : "", p ? n : 0};
    Str prefix = S("tag:yaml.org,2002:");
    return str_starts(text, prefix) ? str_skip(text, prefix.n) : S("");
}

static void resolve_plain(YamlNode *node)
{
    if (is_null(node->str))
        node->kind = YAML_NULL;
    else if (bool_of(node->str, &node->boolean))
        node->kind = YAML_BOOL;
    else if (number_of(node->str, &node->number))
        node->kind = YAML_NUMBER;
    node->is_merge = str_eq(node->str, S("<<"));
}

static bool resolve_tagged(YamlNode *node, Str tag)
{
    if (str_eq(tag, S("null"))) node->kind = YAML_NULL;
    if (str_eq(tag, S("bool")) && bool_of(node->str, &node->boolean)) node->kind = YAML_BOOL;
    bool is_number = str_eq(tag, S("int")) || str_eq(tag, S("float"));
    if (is_number && number_of(node->str, &node->number)) node->kind = YAML_NUMBER;
    return true;
}

static YamlNode *scalar(Builder *b, const struct fy_event *e)
{
    YamlNode *node = ARENA_NEW(b->arena, YamlNode);
    usize n = 0;
    const char *p = fy_token_get_text(e->scalar.value, &n);
    node->kind = YAML_STRING;
    node->str = str_dup(b->arena, (Str){p ? p : "", p ? n : 0});
    if (e->scalar.tag) {
        (void)resolve_tagged(node, core_tag(e->scalar.tag));
    } else if (!e->scalar.value || fy_token_scalar_style(e->scalar.value) == FYSS_PLAIN) {
        resolve_plain(node);
    }
    return node;
}

/* ---- The tree ---------------------------------------------------------------------------------
 */

static Str token_text(Arena *a, struct fy_token *t)
{
    usize n = 0;
    const char *p = fy_token_get_text(t, &n);
    return str_dup(a, (Str){p ? p : "", p ? n : 0});
}

static void append(Builder *b, YamlNode *child)
{
    if (!b->open.len) {
        vec_push(b->arena, &b->documents, child);
        return;
    }
    YamlNode *parent = *vec_last(&b->open);
    if (parent->len == parent->cap) {
        u32 cap = MAX(parent->cap * 2, 4u);
        parent->items = arena_grow(b->arena, parent->items, parent->cap * sizeof(YamlNode *),
                                   cap * sizeof(YamlNode *), _Alignof(YamlNode *));
        parent->cap = cap;
    }
    parent->items[parent->len++] = child;
}

static void name(Builder *b, YamlNode *node, struct fy_token *anchor)
{
    if (!anchor) return;
    *str_map_put(b->arena, &b->anchors, token_text(b->arena, anchor), NULL) = (u64)(uintptr_t)node;
}

static bool alias(Builder *b, struct fy_token *anchor)
{
    const u64 *slot = str_map_find(&b->anchors, token_text(b->arena, anchor));
    if (!slot) return fail(b, "Unresolved alias");
    YamlNode *node = (YamlNode *)(uintptr_t)*slot;
    if (!node->shared) node->shared = ++b->yaml->n_shared;
    append(b, node);
    return true;
}

static bool begin(Builder *b, YamlKind kind, struct fy_token *anchor)
{
    if (b->open.len >= YAML_DEPTH_MAX) return fail(b, "Nested too deeply");
    YamlNode *node = ARENA_NEW(b->arena, YamlNode);
    node->kind = (u8)kind;
    name(b, node, anchor);
    append(b, node);
    vec_push(b->arena, &b->open, node);
    return true;
}

static bool take(Builder *b, const struct fy_event *e)
{
    YamlNode *node;
    switch (e->type) {
    case FYET_DOCUMENT_START: b->anchors = (StrMap){0}; return true;
    case FYET_SCALAR:
        node = scalar(b, e);
        name(b, node, e->scalar.anchor);
        append(b, node);
        return true;
    case FYET_ALIAS: return alias(b, e->alias.anchor);
    case FYET_SEQUENCE_START: return begin(b, YAML_SEQUENCE, e->sequence_start.anchor);
    case FYET_MAPPING_START: return begin(b, YAML_MAPPING, e->mapping_start.anchor);
    case FYET_SEQUENCE_END:
    case FYET_MAPPING_END: (void)vec_pop(&b->open); return true;
    default: return true;
    }
}

/* ---- Errors -----------------------------------------------------------------------------------
 */

/* The message stands behind "error: ", the place before it, as "name:line:column: ". */
static void on_output(UNUSED struct fy_diag *diag, void *user, const char *p, size_t n)
{
    Builder *b = user;
    if (b->err->what.p) return; /* the first one counts */
    Str text = {p, n}, mark = S("error: ");
    i64 at = str_find_str(text, mark);
    if (at < 0) return;
    Str place = str_trim((Str){p, (usize)at}), what = str_skip(text, (usize)at + mark.n);
    i64 end = str_find(what, '\n');
    if (end >= 0) what.n = (usize)end;
    b->err->what = str_dup(b->arena, what);
    u32 *numbers[] = {&b->err->column, &b->err->line};
    if (str_ends(place, S(":"))) place.n--;
    for (u32 i = 0; i < COUNT(numbers); i++) {
        i64 colon = str_rfind(place, ':');
        u64 number;
        if (!str_to_u64(str_skip(place, (usize)(colon + 1)), &number) || number > UINT32_MAX)
            return;
        *numbers[i] = (u32)number;
        place.n = colon < 0 ? 0 : (usize)colon;
    }
}

static struct fy_diag *make_diag(Builder *b)
{
    struct fy_diag_cfg cfg;
    fy_diag_cfg_default(&cfg);
    cfg.fp = NULL;
    cfg.output_fn = on_output;
    cfg.user = b;
    cfg.level = FYET_ERROR;
    cfg.show_source = false;
    cfg.show_position = true;
    cfg.colorize = false;
    return fy_diag_create(&cfg);
}

bool yaml_parse(Arena *a, Str text, Yaml *ret, YamlError *ret_err)
{
    *ret = (Yaml){0};
    *ret_err = (YamlError){0};
    Builder b = {.arena = a, .yaml = ret, .err = ret_err};
    struct fy_parse_cfg cfg = {
        .flags = FYPCF_DISABLE_DEPTH_LIMIT | FYPCF_DEFAULT_VERSION_1_2,
        .diag = make_diag(&b),
    };
    struct fy_parser *p = cfg.diag ? fy_parser_create(&cfg) : NULL;
    if (!p) return fail(&b, "Out of memory");
    bool ok = fy_parser_set_string(p, text.n ? text.p : " ", text.n ? text.n : 1) == 0;
    bool is_end = false;
    struct fy_event *e;
    while (ok && (e = fy_parser_parse(p))) {
        is_end = e->type == FYET_STREAM_END;
        ok = take(&b, e);
        fy_parser_event_free(p, e);
    }
    ok = ok && is_end && !b.open.len;
    if (!ok && !ret_err->what.p) ok = fail(&b, "Unexpected token");
    fy_parser_destroy(p);
    fy_diag_unref(cfg.diag);
    ret->documents = b.documents.at;
    ret->len = b.documents.len;
    return ok;
}
