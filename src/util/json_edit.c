/* util/json_edit.c -- edits of JSON text in place (see json_edit.h). */
#include "util/json_edit.h"

typedef struct {
    Arena *a;
    Str text, step; /* step: one level of indentation, empty in a document on one line */
    JsonNode root;
} Edit;

static bool edit_begin(Edit *e, Arena *a, Str text, JsonError *ret_err)
{
    *e = (Edit){.a = a, .text = text, .step = json_indent_of(text)};
    if (!json_parse(a, text, JSON_JSONC, &e->root, ret_err)) return false;
    if (e->root.kind == JSON_OBJECT) return true;
    *ret_err = (JsonError){.offset = (u32)(e->root.at - text.p), .line = 1, .column = 1};
    ret_err->what = "expected an object";
    return false;
}

/* The index of the last member by that name, or -1. */
static i64 member_index(const JsonNode *object, Str key)
{
    for (u32 i = object->len; i-- > 0;)
        if (json_is(&object->items[i * 2], key)) return i;
    return -1;
}

/* The white space at the start of the line that `at` is on. */
static Str line_indent(const Edit *e, const char *at)
{
    const char *line = at;
    while (line > e->text.p && line[-1] != '\n') line--;
    const char *end = line;
    while (end < at && (*end == ' ' || *end == '\t')) end++;
    return (Str){line, (usize)(end - line)};
}

static bool has_newline(const char *from, const char *to)
{
    return str_find((Str){from, (usize)(to - from)}, '\n') >= 0;
}

/* `value` with `indent` behind each of its line ends. */
static void push_indented(Buf *b, Str value, Str indent)
{
    for (usize i = 0; i < value.n; i++) {
        buf_push_char(b, value.p[i]);
        if (value.p[i] == '\n') buf_push(b, indent);
    }
}

static Str splice(const Edit *e, const char *from, const char *to, Str by)
{
    Str head = {e->text.p, (usize)(from - e->text.p)};
    Str tail = {to, (usize)(e->text.p + e->text.n - to)};
    return str_concat(e->a, str_concat(e->a, head, by), tail);
}

static const char *node_end(const JsonNode *n)
{
    return n->at + n->size;
}

/* ---- Setting ----------------------------------------------------------------------------------
 */

/* `"key": value` for a member whose line has the indentation `indent`. */
static void push_member(Edit *e, Buf *b, Str key, Str value, Str indent)
{
    json_write_str(b, key);
    buf_push(b, e->step.n ? S(": ") : S(":"));
    push_indented(b, value, indent);
}

/* Into "{}": on lines of its own when the document has lines. */
static Str insert_first(Edit *e, const JsonNode *object, Str key, Str value)
{
    AUTO(Buf) b = {0};
    Str outer = line_indent(e, object->at);
    Str inner = str_concat(e->a, outer, e->step);
    buf_push_char(&b, '{');
    if (e->step.n) {
        buf_push_char(&b, '\n');
        buf_push(&b, inner);
    }
    push_member(e, &b, key, value, inner);
    if (e->step.n) {
        buf_push_char(&b, '\n');
        buf_push(&b, outer);
    }
    buf_push_char(&b, '}');
    return splice(e, object->at, node_end(object), buf_str(&b));
}

/* Behind member `index`. */
static Str insert_after(Edit *e, const JsonNode *object, u32 index, Str key, Str value)
{
    AUTO(Buf) b = {0};
    const JsonNode *before = &object->items[index * 2];
    const char *end = node_end(before + 1);
    Str indent = line_indent(e, before->at);
    bool has_lines = has_newline(object->at, object->items[0].at);
    buf_push_char(&b, ',');
    buf_push(&b, has_lines ? S("\n") : e->step.n ? S(" ") : S(""));
    if (has_lines) buf_push(&b, indent);
    push_member(e, &b, key, value, indent);
    return splice(e, end, end, buf_str(&b));
}

/* Before member `index`. */
static Str insert_before(Edit *e, const JsonNode *object, u32 index, Str key, Str value)
{
    AUTO(Buf) b = {0};
    const JsonNode *after = &object->items[index * 2];
    Str indent = line_indent(e, after->at);
    bool has_lines = has_newline(object->at, object->items[0].at);
    push_member(e, &b, key, value, indent);
    buf_push_char(&b, ',');
    buf_push(&b, has_lines ? S("\n") : e->step.n ? S(" ") : S(""));
    if (has_lines) buf_push(&b, indent);
    return splice(e, after->at, after->at, buf_str(&b));
}

static Str insert(Edit *e, const JsonNode *object, Str key, Str value, JsonEditOrder order)
{
    if (!object->len) return insert_first(e, object, key, value);
    for (u32 i = 0; i < object->len && order == JSON_EDIT_SORTED; i++) {
        if (str_cmp(json_str(e->a, &object->items[i * 2]), key) > 0)
            return insert_before(e, object, i, key, value);
    }
    return insert_after(e, object, object->len - 1, key, value);
}

/* `value` as the last of the objects that `keys` name. */
static Str wrap(Edit *e, const Str *keys, u32 n_keys, Str value)
{
    for (u32 i = n_keys; i-- > 0;) {
        AUTO(Buf) b = {0};
        buf_push(&b, e->step.n ? S("{\n") : S("{"));
        buf_push(&b, e->step);
        push_member(e, &b, keys[i], value, e->step);
        buf_push(&b, e->step.n ? S("\n}") : S("}"));
        value = str_dup(e->a, buf_str(&b));
    }
    return value;
}

bool json_edit_set(Arena *a, const JsonEdit *edit, Str *ret, JsonError *ret_err)
{
    ASSERT(edit->n_keys);
    Edit e;
    if (!edit_begin(&e, a, edit->text, ret_err)) return false;
    const JsonNode *object = &e.root;
    for (u32 i = 0; i < edit->n_keys; i++) {
        Str key = edit->keys[i];
        u32 n_left = edit->n_keys - i - 1;
        i64 index = member_index(object, key);
        if (index < 0) {
            Str rest = wrap(&e, edit->keys + i + 1, n_left, edit->value);
            *ret = insert(&e, object, key, rest, n_left ? JSON_EDIT_LAST : edit->order);
            return true;
        }
        const JsonNode *old = &object->items[index * 2 + 1];
        if (!n_left || old->kind != JSON_OBJECT) {
            AUTO(Buf) b = {0};
            Str rest = wrap(&e, edit->keys + i + 1, n_left, edit->value);
            push_indented(&b, rest, line_indent(&e, object->items[index * 2].at));
            *ret = splice(&e, old->at, node_end(old), buf_str(&b));
            return true;
        }
        object = old;
    }
    BUG("the loop returns at the last key");
}

/* ---- Deleting ---------------------------------------------------------------------------------
 */

/* Behind white space, comments and one comma. */
static const char *skip_comma(const Edit *e, const char *at)
{
    const char *end = e->text.p + e->text.n;
    const char *s = at;
    while (s < end && *s != ',' && *s != '}' && *s != '"') {
        if (s[0] == '/' && end - s > 1 && s[1] == '/') {
            while (s < end && *s != '\n') s++;
        } else if (s[0] == '/' && end - s > 1 && s[1] == '*') {
            i64 close = str_find_str((Str){s + 2, (usize)(end - s - 2)}, S("*/"));
            s = close < 0 ? end : s + close + 4;
        } else {
            s++;
        }
    }
    return s < end && *s == ',' ? s + 1 : at;
}

/* The end of the line when only blanks and comments that end on it are left, else `at`. */
static const char *skip_line_rest(const char *at, const char *end)
{
    const char *s = at;
    while (s < end && *s != '\n') {
        bool is_comment = end - s > 1 && s[0] == '/';
        if (*s == ' ' || *s == '\t' || *s == '\r') {
            s++;
        } else if (is_comment && s[1] == '/') {
            while (s < end && *s != '\n') s++;
        } else if (is_comment && s[1] == '*') {
            i64 close = str_find_str((Str){s + 2, (usize)(end - s - 2)}, S("*/"));
            if (close < 0 || has_newline(s, s + 2 + close)) return at;
            s += close + 4;
        } else {
            return at;
        }
    }
    return s;
}

static Str delete_member(Edit *e, const JsonNode *object, u32 index)
{
    const JsonNode *key = &object->items[index * 2];
    const char *from = key->at, *to = node_end(key + 1);
    if (object->len == 1) return splice(e, object->at, node_end(object), S("{}"));
    if (index + 1 < object->len) {
        to = skip_comma(e, to);
        const char *next = object->items[(index + 1) * 2].at;
        if (!has_newline(to, next)) return splice(e, from, next, (Str){0});
        while (from > e->text.p && (from[-1] == ' ' || from[-1] == '\t')) from--;
        to = skip_line_rest(to, next); /* a comment on the line is about this member */
        bool is_line = from > e->text.p && from[-1] == '\n' && *to == '\n';
        return splice(e, from, is_line ? to + 1 : to, (Str){0});
    }
    /* The last: the comma before it goes with it, one behind it may stay. */
    const char *before = node_end(&object->items[index * 2 - 1]);
    return splice(e, before, to, (Str){0});
}

bool json_edit_del(Arena *a, const JsonEdit *edit, Str *ret, JsonError *ret_err)
{
    ASSERT(edit->n_keys);
    Edit e;
    if (!edit_begin(&e, a, edit->text, ret_err)) return false;
    const JsonNode *object = &e.root;
    for (u32 i = 0; i + 1 < edit->n_keys && object; i++) object = json_find(object, edit->keys[i]);
    bool is_object = object && object->kind == JSON_OBJECT;
    i64 index = is_object ? member_index(object, edit->keys[edit->n_keys - 1]) : -1;
    *ret = index < 0 ? edit->text : delete_member(&e, object, (u32)index);
    return true;
}
