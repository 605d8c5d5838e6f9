/* internal/data/data.c -- native half of internal/data: TOML, YAML, JSONC and JSON5 to values.
 *
 * The parsers limit how deep a tree is, so walking it may recurse. */
#include "builtins/builtins.h"
#include "codec/yaml.h"
#include "util/json.h"
#include "util/toml.h"

enum { MERGED_MAX = 1000000 }; /* keys that `<<` may copy, in one text */

static JsVal throw_syntax(Js *js, const char *format, Str what, u32 line, u32 column)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    JsVal type = js_get(js, js_global(js), "SyntaxError");
    Str text = str_fmt(s.arena, "%s Parse error: %.*s", format, STR_ARG(what));
    JsVal error = type ? js_construct(js, type, JS_ARGS(js_str(js, text))) : NULL;
    if (!error) return NULL;
    if (line && (!js_set(js, error, "line", js_number(js, line)) ||
                 !js_set(js, error, "column", js_number(js, column))))
        return NULL;
    return js_throw(js, error);
}

/* `__proto__` is a key like any other. */
static bool put(Js *js, JsVal object, Str key, JsVal value)
{
    if (!value) return false;
    if (str_eq(key, S("__proto__"))) return js_define(js, object, "__proto__", value, true);
    return js_set_key(js, object, js_str(js, key), value);
}

/* ---- TOML -------------------------------------------------------------------------------------
 */

/* A number holds integers up to 2^53 exactly. */
static JsVal from_integer(Js *js, const TomlNode *n)
{
    enum { EXACT_BITS = 53 };
    i64 max = ((i64)1 << EXACT_BITS) - 1;
    if (n->integer <= max && n->integer >= -max) return js_number(js, (f64)n->integer);
    return throw_syntax(js, "TOML", S("an integer is beyond what a number holds exactly"), 0, 0);
}

static JsVal from_toml(Js *js, const TomlNode *n)
{
    switch ((TomlKind)n->kind) {
    case TOML_STRING:
    case TOML_DATETIME:
    case TOML_LOCAL_DATETIME:
    case TOML_LOCAL_DATE:
    case TOML_LOCAL_TIME: return js_str(js, n->str);
    case TOML_INTEGER: return from_integer(js, n);
    case TOML_FLOAT: return js_number(js, n->number);
    case TOML_BOOLEAN: return js_boolean(n->boolean);
    case TOML_ARRAY: break;
    case TOML_TABLE: {
        JsVal object = js_object(js);
        for (u32 i = 0; i < n->len; i++)
            if (!put(js, object, n->entries[i].key, from_toml(js, n->entries[i].value)))
                return NULL;
        return object;
    }
    }
    JsVal array = js_array(js, NULL, 0);
    for (u32 i = 0; i < n->len; i++) {
        JsVal item = from_toml(js, n->items[i]);
        if (!item || !js_set_index(js, array, i, item)) return NULL;
    }
    return array;
}

JS_NATIVE(data_parse_toml)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str text;
    const TomlNode *root;
    TomlError e;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &text)) return NULL;
    if (toml_parse(s.arena, text, &root, &e)) return from_toml(js, root);
    return throw_syntax(js, "TOML", str_z(e.what), e.line, e.column);
}

/* ---- JSON with comments, JSON5 ----------------------------------------------------------------
 */

static JsVal from_json(Js *js, Arena *a, const JsonNode *n)
{
    switch ((JsonKind)n->kind) {
    case JSON_NULL: return JS_NULL;
    case JSON_FALSE: return js_boolean(false);
    case JSON_TRUE: return js_boolean(true);
    case JSON_NUMBER: return js_number(js, json_number(n));
    case JSON_STRING: return js_str(js, json_str(a, n));
    case JSON_ARRAY: break;
    case JSON_OBJECT: {
        JsVal object = js_object(js);
        for (u32 i = 0; i < n->len; i++) {
            Str key = json_str(a, &n->items[2 * i]);
            if (!put(js, object, key, from_json(js, a, &n->items[2 * i + 1]))) return NULL;
        }
        return object;
    }
    }
    JsVal array = js_array(js, NULL, 0);
    for (u32 i = 0; i < n->len; i++) {
        JsVal item = from_json(js, a, &n->items[i]);
        if (!item || !js_set_index(js, array, i, item)) return NULL;
    }
    return array;
}

static JsVal parse_json(Js *js, JsArgs args, JsonFlags flags, const char *format)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str text;
    JsonNode root;
    JsonError e;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &text)) return NULL;
    if (json_parse(s.arena, text, flags, &root, &e)) return from_json(js, s.arena, &root);
    return throw_syntax(js, format, str_z(e.what), e.line, e.column);
}

JS_NATIVE(data_parse_jsonc)
{
    return parse_json(js, args, JSON_JSONC, "JSONC");
}

JS_NATIVE(data_parse_json5)
{
    return parse_json(js, args, JSON_JSON5, "JSON5");
}

/* ---- YAML -------------------------------------------------------------------------------------
 */

typedef struct {
    Js *js;
    JsVal shared; /* the value of each node that aliases refer to, by its number */
    u32 n_merged;
} YamlBuild;

static JsVal from_yaml(YamlBuild *b, const YamlNode *n);

/* Copies what the mapping does not have yet. */
static bool merge_one(YamlBuild *b, JsVal into, JsVal from)
{
    Js *js = b->js;
    if (!js_is_object(js, from) || js_is_array(js, from)) return true;
    JsVal keys = js_keys(js, from);
    u32 n;
    if (!keys || !js_array_len(js, keys, &n)) return false;
    AUTO(Scratch) s = scratch_begin(NULL);
    for (u32 i = 0; i < n; i++) {
        if (++b->n_merged > MERGED_MAX) {
            (void)throw_syntax(js, "YAML", S("Too many merged keys"), 0, 0);
            return false;
        }
        JsVal key = js_get_index(js, keys, i);
        Str name;
        bool has;
        if (!key || !js_to_str(js, s.arena, key, &name)) return false;
        if (!js_has(js, into, str_dup_z(s.arena, name), &has)) return false;
        JsVal value = has ? NULL : js_get_key(js, from, key);
        if (!has && !put(js, into, name, value)) return false;
    }
    return true;
}

/* A mapping, or a list of them of which the first that has a key wins. */
static bool merge(YamlBuild *b, JsVal into, const YamlNode *n)
{
    if (n->kind != YAML_SEQUENCE) {
        JsVal from = from_yaml(b, n);
        return from && merge_one(b, into, from);
    }
    for (u32 i = 0; i < n->len; i++) {
        JsVal from = from_yaml(b, n->items[i]);
        if (!from || !merge_one(b, into, from)) return false;
    }
    return true;
}

static bool fill_mapping(YamlBuild *b, JsVal object, const YamlNode *n)
{
    Js *js = b->js;
    AUTO(Scratch) s = scratch_begin(NULL);
    for (u32 i = 0; i + 1 < n->len; i += 2) {
        if (n->items[i]->is_merge) continue;
        Str name = n->items[i]->str;
        if (n->items[i]->kind != YAML_STRING) {
            JsVal key = from_yaml(b, n->items[i]);
            if (!key || !js_to_str(js, s.arena, key, &name)) return false;
        }
        if (!put(js, object, name, from_yaml(b, n->items[i + 1]))) return false;
    }
    for (u32 i = 0; i + 1 < n->len; i += 2)
        if (n->items[i]->is_merge && !merge(b, object, n->items[i + 1])) return false;
    return true;
}

static JsVal from_yaml(YamlBuild *b, const YamlNode *n)
{
    Js *js = b->js;
    switch ((YamlKind)n->kind) {
    case YAML_NULL: return JS_NULL;
    case YAML_BOOL: return js_boolean(n->boolean);
    case YAML_NUMBER: return js_number(js, n->number);
    case YAML_STRING: return js_str(js, n->str);
    default: break;
    }
    if (n->shared) {
        JsVal known = js_get_index(js, b->shared, n->shared);
        if (!known || !js_is_undefined(known)) return known;
    }
    bool is_list = n->kind == YAML_SEQUENCE;
    JsVal value = is_list ? js_array(js, NULL, 0) : js_object(js);
    if (n->shared && !js_set_index(js, b->shared, n->shared, value)) return NULL;
    if (!is_list) return fill_mapping(b, value, n) ? value : NULL;
    for (u32 i = 0; i < n->len; i++) {
        JsVal item = from_yaml(b, n->items[i]);
        if (!item || !js_set_index(js, value, i, item)) return NULL;
    }
    return value;
}

/* One document is its value, several are an array, none is null. */
JS_NATIVE(data_parse_yaml)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str text;
    Yaml y;
    YamlError e;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &text)) return NULL;
    if (!yaml_parse(s.arena, text, &y, &e))
        return throw_syntax(js, "YAML", e.what, e.line, e.column);
    YamlBuild b = {.js = js, .shared = js_array(js, NULL, 0)};
    if (y.len == 0) return JS_NULL;
    if (y.len == 1) return from_yaml(&b, y.documents[0]);
    JsVal list = js_array(js, NULL, 0);
    for (u32 i = 0; i < y.len; i++) {
        JsVal value = from_yaml(&b, y.documents[i]);
        if (!value || !js_set_index(js, list, i, value)) return NULL;
    }
    return list;
}

static const JsFn fns[] = {
    JS_FN("parseToml", data_parse_toml),
    JS_FN("parseJsonc", data_parse_jsonc),
    JS_FN("parseJson5", data_parse_json5),
    JS_FN("parseYaml", data_parse_yaml),
};
BUILTIN_NATIVE(internal_data, fns)
