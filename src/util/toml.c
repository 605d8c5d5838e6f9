/* util/toml.c -- the parser: keys, tables, arrays (see toml.h).
 *
 * A table remembers its origin, which decides who may add to it:
 *   IMPLICIT  on the way of a header ([a.b] makes a): one [a] may still come, no dotted keys
 *   HEADER    [a]: only headers of tables inside it
 *   DOTTED    a.b = 1 makes a: dotted keys below the same header, and headers of tables inside it
 *   INLINE    {...}: complete
 * and an array whether it is a value, which is complete, or grows by [[a]]. */
#include "util/toml.h"

#include "util/map.h"
#include "util/toml_priv.h"
#include "util/vec.h"

#include <string.h>

enum {
    ORIGIN_VALUE, /* also inline tables */
    ORIGIN_IMPLICIT,
    ORIGIN_HEADER,
    ORIGIN_DOTTED,
    ORIGIN_TABLES, /* an array made by [[a]] */
};
enum { INDEX_FROM = 16 }; /* entries, from which on keys are hashed */

typedef struct {
    Str name;
    const char *at;
} Key;
typedef Vec(Key) Keys;

static bool take_value(TomlParser *p, u32 depth, TomlNode **ret);

COLD bool toml_fail_at(TomlParser *p, const char *at, const char *what)
{
    if (!p->what) {
        p->what = what;
        p->what_at = at;
    }
    return false;
}

COLD bool toml_fail(TomlParser *p, const char *what)
{
    return toml_fail_at(p, p->at, p->at == p->end ? "unexpected end of file" : what);
}

/* ---- The tree ---------------------------------------------------------------------------------
 */

static TomlEntry *find_entry(const TomlNode *table, Str key)
{
    if (table->index) {
        const u64 *slot = str_map_find(table->index, key);
        return slot ? &table->entries[*slot] : NULL;
    }
    for (u32 i = 0; i < table->len; i++)
        if (str_eq(table->entries[i].key, key)) return &table->entries[i];
    return NULL;
}

const TomlNode *toml_find(const TomlNode *n, Str key)
{
    if (!n || n->kind != TOML_TABLE) return NULL;
    const TomlEntry *e = find_entry(n, key);
    return e ? e->value : NULL;
}

const char *toml_kind_name(const TomlNode *n)
{
    static const char *const names[] = {
        "string",        "number", "number", "boolean", "date and time",
        "date and time", "date",   "time",   "array",   "table",
    };
    return names[n->kind];
}

static void index_entry(TomlParser *p, TomlNode *table, u32 i)
{
    *str_map_put(p->arena, table->index, table->entries[i].key, NULL) = i;
}

static void add_entry(TomlParser *p, TomlNode *table, const Key *key, TomlNode *value)
{
    Vec(TomlEntry) v = {.at = table->entries, .len = table->len, .cap = table->cap};
    TomlEntry *e = vec_add(p->arena, &v);
    ASSERT(e);
    *e = (TomlEntry){.key = key->name, .key_at = (u32)(key->at - p->start), .value = value};
    table->entries = v.at;
    table->len = v.len;
    table->cap = v.cap;
    if (!table->index && table->len == INDEX_FROM) {
        table->index = ARENA_NEW(p->arena, StrMap);
        for (u32 i = 0; i < table->len; i++) index_entry(p, table, i);
    } else if (table->index) {
        index_entry(p, table, table->len - 1);
    }
}

static void add_item(TomlParser *p, TomlNode *array, TomlNode *value)
{
    Vec(TomlNode *) v = {.at = array->items, .len = array->len, .cap = array->cap};
    vec_push(p->arena, &v, value);
    array->items = v.at;
    array->len = v.len;
    array->cap = v.cap;
}

/* NULL when it would be too deep. */
static TomlNode *new_node(TomlParser *p, const char *at, u32 depth, TomlKind kind, u8 origin)
{
    if (depth > TOML_DEPTH_MAX) {
        (void)toml_fail_at(p, at, "nested too deeply");
        return NULL;
    }
    TomlNode *n = ARENA_NEW(p->arena, TomlNode);
    n->kind = (u8)kind;
    n->origin = origin;
    n->depth = (u16)depth;
    n->at = (u32)(at - p->start);
    n->section = p->section;
    return n;
}

static TomlNode *add_table(TomlParser *p, TomlNode *parent, const Key *key, u8 origin)
{
    TomlNode *t = new_node(p, key->at, parent->depth + 1u, TOML_TABLE, origin);
    if (t) add_entry(p, parent, key, t);
    return t;
}

/* ---- White space ------------------------------------------------------------------------------
 */

static void skip_blanks(TomlParser *p)
{
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\t')) p->at++;
}

static bool skip_comment(TomlParser *p)
{
    if (toml_peek(p, 0) != '#') return true;
    for (; p->at < p->end && *p->at != '\n'; p->at++) {
        u8 c = (u8)*p->at;
        if (c == '\r' && toml_peek(p, 1) == '\n') return true;
        if ((c < 0x20 && c != '\t') || c == 0x7f)
            return toml_fail(p, "a control character in a comment");
    }
    return true;
}

static bool take_newline(TomlParser *p)
{
    if (toml_peek(p, 0) == '\n') {
        p->at++;
        return true;
    }
    if (toml_peek(p, 0) != '\r' || toml_peek(p, 1) != '\n') return false;
    p->at += 2;
    return true;
}

/* Blanks, newlines and comments. */
static bool skip_lines(TomlParser *p)
{
    do {
        skip_blanks(p);
        if (!skip_comment(p)) return false;
    } while (take_newline(p));
    return true;
}

static bool end_line(TomlParser *p)
{
    skip_blanks(p);
    if (!skip_comment(p)) return false;
    return p->at == p->end || take_newline(p) || toml_fail(p, "expected the end of the line");
}

/* ---- Keys -------------------------------------------------------------------------------------
 */

static bool is_bare(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || toml_is_digit(c) || c == '-' ||
           c == '_';
}

static bool take_simple_key(TomlParser *p, Key *ret)
{
    ret->at = p->at;
    char c = toml_peek(p, 0);
    if (c == '"' || c == '\'') return toml_take_string(p, true, &ret->name);
    while (p->at < p->end && is_bare(*p->at)) p->at++;
    ret->name = (Str){ret->at, (usize)(p->at - ret->at)};
    return ret->name.n || toml_fail(p, "expected a key");
}

static bool take_key(TomlParser *p, Arena *a, Keys *ret)
{
    for (;;) {
        Key key;
        if (!take_simple_key(p, &key)) return false;
        if (ret->len > TOML_DEPTH_MAX) return toml_fail_at(p, key.at, "nested too deeply");
        vec_push(a, ret, key);
        skip_blanks(p);
        if (toml_peek(p, 0) != '.') return true;
        p->at++;
        skip_blanks(p);
    }
}

/* `a.b.c = value` in `table`. */
static bool take_assignment(TomlParser *p, TomlNode *table)
{
    AUTO(Scratch) s = scratch_begin(p->arena);
    Keys keys = {0};
    if (!take_key(p, s.arena, &keys)) return false;
    if (toml_peek(p, 0) != '=') return toml_fail(p, "expected '=' after a key");
    p->at++;
    skip_blanks(p);
    for (u32 i = 0; i + 1 < keys.len; i++) {
        const TomlEntry *e = find_entry(table, keys.at[i].name);
        TomlNode *next = e ? e->value : add_table(p, table, &keys.at[i], ORIGIN_DOTTED);
        if (!next) return false;
        bool is_open = next->kind == TOML_TABLE && next->origin == ORIGIN_DOTTED &&
                       next->section == p->section;
        if (!is_open) return toml_fail_at(p, keys.at[i].at, "this key has a value already");
        table = next;
    }
    const Key *last = vec_last(&keys);
    if (find_entry(table, last->name))
        return toml_fail_at(p, last->at, "this key has a value already");
    TomlNode *value;
    if (p->at == p->end || *p->at == '\n' || *p->at == '\r' || *p->at == '#')
        return toml_fail_at(p, p->at, "missing value after '='");
    if (!take_value(p, table->depth + 1u, &value)) return false;
    add_entry(p, table, last, value);
    return true;
}

/* ---- Values -----------------------------------------------------------------------------------
 */

static bool take_array(TomlParser *p, TomlNode *array)
{
    p->at++;
    for (;;) {
        if (!skip_lines(p)) return false;
        if (toml_peek(p, 0) == ']') break;
        TomlNode *item;
        if (!take_value(p, array->depth + 1u, &item)) return false;
        add_item(p, array, item);
        if (!skip_lines(p)) return false;
        if (toml_peek(p, 0) == ']') break;
        if (toml_peek(p, 0) != ',') return toml_fail(p, "expected ',' or ']' after an element");
        p->at++;
    }
    p->at++;
    return true;
}

static bool take_inline_table(TomlParser *p, TomlNode *table)
{
    u32 outer = p->section;
    static const char what[] = "expected ',' or '}' after a value";
    p->at++;
    for (;;) {
        if (!skip_lines(p)) return false;
        if (toml_peek(p, 0) == '}') break;
        /* Unique, and never the one of a header: dotted keys stay within this table. */
        p->section = table->at | 0x80000000u;
        bool ok = take_assignment(p, table);
        p->section = outer;
        if (!ok || !skip_lines(p)) return false;
        if (toml_peek(p, 0) == '}') break;
        if (toml_peek(p, 0) != ',') return toml_fail(p, what);
        p->at++;
    }
    p->at++;
    return true;
}

static bool take_word(TomlParser *p, Str word)
{
    Str rest = {p->at, (usize)(p->end - p->at)};
    if (!str_starts(rest, word)) return toml_fail(p, "expected a value");
    p->at += word.n;
    return true;
}

static bool take_value(TomlParser *p, u32 depth, TomlNode **ret)
{
    TomlNode *n = new_node(p, p->at, depth, TOML_STRING, ORIGIN_VALUE);
    if (!n) return false;
    bool ok;
    switch (toml_peek(p, 0)) {
    case '"':
    case '\'': ok = toml_take_string(p, false, &n->str); break;
    case '[':
        n->kind = TOML_ARRAY;
        ok = take_array(p, n);
        break;
    case '{':
        n->kind = TOML_TABLE;
        ok = take_inline_table(p, n);
        break;
    case 't':
    case 'f':
        n->kind = TOML_BOOLEAN;
        n->boolean = *p->at == 't';
        ok = take_word(p, n->boolean ? S("true") : S("false"));
        break;
    default: ok = toml_take_scalar(p, n);
    }
    n->size = (u32)(p->at - p->start) - n->at;
    *ret = n;
    return ok;
}

/* ---- Headers ----------------------------------------------------------------------------------
 */

/* The table in which the last part of a header is to be defined. */
static TomlNode *walk_header(TomlParser *p, TomlNode *table, const Keys *keys)
{
    for (u32 i = 0; i + 1 < keys->len; i++) {
        const Key *key = &keys->at[i];
        const TomlEntry *e = find_entry(table, key->name);
        TomlNode *next = e ? e->value : add_table(p, table, key, ORIGIN_IMPLICIT);
        if (!next) return NULL;
        if (next->kind == TOML_ARRAY && next->origin == ORIGIN_TABLES)
            next = next->items[next->len - 1];
        if (next->kind != TOML_TABLE || next->origin == ORIGIN_VALUE) {
            (void)toml_fail_at(p, key->at, "this key has a value already");
            return NULL;
        }
        table = next;
    }
    return table;
}

static TomlNode *define_table(TomlParser *p, TomlNode *parent, const Key *key)
{
    const TomlEntry *e = find_entry(parent, key->name);
    if (!e) return add_table(p, parent, key, ORIGIN_HEADER);
    if (e->value->kind == TOML_TABLE && e->value->origin == ORIGIN_IMPLICIT) {
        e->value->origin = ORIGIN_HEADER;
        return e->value;
    }
    (void)toml_fail_at(p, key->at, "this table is defined already");
    return NULL;
}

static TomlNode *define_element(TomlParser *p, TomlNode *parent, const Key *key)
{
    const TomlEntry *e = find_entry(parent, key->name);
    TomlNode *array = e ? e->value : NULL;
    if (!array) {
        array = new_node(p, key->at, parent->depth + 1u, TOML_ARRAY, ORIGIN_TABLES);
        if (!array) return NULL;
        add_entry(p, parent, key, array);
    }
    if (array->kind != TOML_ARRAY || array->origin != ORIGIN_TABLES) {
        (void)toml_fail_at(p, key->at, "this key is defined already, and not by [[...]]");
        return NULL;
    }
    TomlNode *t = new_node(p, key->at, array->depth + 1u, TOML_TABLE, ORIGIN_HEADER);
    if (t) add_item(p, array, t);
    return t;
}

static bool take_header(TomlParser *p, TomlNode *root, TomlNode **ret)
{
    AUTO(Scratch) s = scratch_begin(p->arena);
    bool is_element = toml_peek(p, 1) == '[';
    const char *from = p->at;
    Keys keys = {0};
    p->at += is_element ? 2 : 1;
    p->section++;
    skip_blanks(p);
    if (!take_key(p, s.arena, &keys)) return false;
    if (toml_peek(p, 0) != ']') return toml_fail(p, "expected ']' after the name of a table");
    if (is_element && toml_peek(p, 1) != ']') return toml_fail(p, "expected ']]'");
    p->at += is_element ? 2 : 1;
    TomlNode *parent = walk_header(p, root, &keys);
    if (!parent) return false;
    const Key *last = vec_last(&keys);
    *ret = is_element ? define_element(p, parent, last) : define_table(p, parent, last);
    if (!*ret) return false;
    (*ret)->at = (u32)(from - p->start);
    (*ret)->size = (u32)(p->at - from);
    return true;
}

static bool take_document(TomlParser *p, TomlNode *root)
{
    TomlNode *table = root;
    for (;;) {
        if (!skip_lines(p)) return false;
        if (p->at == p->end) return true;
        bool ok = *p->at == '[' ? take_header(p, root, &table) : take_assignment(p, table);
        if (!ok || !end_line(p)) return false;
    }
}

/* ---- The whole --------------------------------------------------------------------------------
 */

/* The length of the character at `at`, or 0 when it is not UTF-8. */
static u32 utf8_len(const char *at, const char *end)
{
    static const u32 least[] = {0, 0x80, 0x800, 0x10000};
    u8 c = (u8)*at;
    if (c < 0x80) return 1;
    if (c < 0xc2 || c >= 0xf5) return 0;
    u32 more = c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3, code = c & (0x3fu >> more);
    if ((usize)(end - at) <= more) return 0;
    for (u32 i = 1; i <= more; i++) {
        if (((u8)at[i] & 0xc0) != 0x80) return 0;
        code = code << 6 | ((u8)at[i] & 0x3f);
    }
    bool is_surrogate = code >= 0xd800 && code < 0xe000;
    return code < least[more] || code > 0x10ffff || is_surrogate ? 0 : more + 1;
}

/* The first byte that is not UTF-8, or the end. */
static const char *find_bad_utf8(const char *at, const char *end)
{
    while (at < end) {
        u32 len = utf8_len(at, end);
        if (!len) return at;
        at += len;
    }
    return end;
}

static void locate(const TomlParser *p, TomlError *ret)
{
    ret->what = p->what;
    ret->offset = (u32)(p->what_at - p->start);
    ret->line = 1;
    const char *line = p->start;
    for (const char *c = p->start; c < p->what_at; c++) {
        if (*c != '\n') continue;
        ret->line++;
        line = c + 1;
    }
    ret->column = (u32)(p->what_at - line) + 1;
}

bool toml_parse(Arena *a, Str text, const TomlNode **ret, TomlError *ret_err)
{
    TomlParser p = {.start = text.p, .at = text.p, .end = text.p + text.n, .arena = a};
    TomlNode *root = ARENA_NEW(a, TomlNode);
    root->kind = TOML_TABLE;
    root->origin = ORIGIN_HEADER;
    if (text.n >= UINT32_MAX / 2) {
        *ret_err = (TomlError){.line = 1, .column = 1, .what = "too large"};
        return false;
    }
    if (!text.n) {
        *ret = root;
        return true;
    }
    const char *bad = find_bad_utf8(p.at, p.end);
    if (str_starts(text, S("\xef\xbb\xbf"))) p.at += 3;
    bool ok = bad == p.end || toml_fail_at(&p, bad, "text that is not UTF-8");
    if (!ok || !take_document(&p, root)) {
        locate(&p, ret_err);
        return false;
    }
    root->size = (u32)text.n;
    *ret = root;
    return true;
}
