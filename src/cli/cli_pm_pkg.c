/* cli/cli_pm_pkg.c -- `cob pm pkg`: values of package.json by their path: "scripts.build",
 * "scripts[test.unit]", "files[0]", "files[]" (behind the last). */
#include "cli/json_path.h"
#include "cli/pm.h"

#include <stdio.h>
#include <string.h>

#define INDENT "  "

/* ---- get ------------------------------------------------------------------------------------- */

static void print_json(const JsonNode *node)
{
    AUTO(Buf) out = {0};
    json_write(&out, node, S(INDENT));
    (void)printf("%.*s\n", STR_ARG(buf_str(&out)));
}

static int get(Pm *pm, CliArgs keys)
{
    AUTO(Buf) out = {0};
    const JsonNode *only = NULL;
    u32 n_found = 0;
    CliJsonPath path;
    if (!keys.len) {
        print_json(&pm->package.json);
        return 0;
    }
    (void)buf_push_char(&out, '{');
    for (u32 i = 0; i < keys.len; i++) {
        const JsonNode *node = cli_json_path_parse(keys.at[i], &path)
                                   ? cli_json_path_find(&pm->package.json, &path)
                                   : NULL;
        if (!node) continue;
        (void)buf_push(&out, n_found++ ? S(",") : S(""));
        json_write_str(&out, keys.at[i]);
        (void)buf_push_char(&out, ':');
        json_write(&out, node, S(""));
        only = node;
    }
    (void)buf_push_char(&out, '}');
    JsonNode all;
    JsonError e;
    if (n_found == 1)
        print_json(only);
    else if (json_parse(pm->cli->arena, buf_str(&out), 0, &all, &e))
        print_json(&all);
    return 0;
}

/* ---- set, delete ------------------------------------------------------------------------------
 */

typedef struct {
    Pm *pm;
    const CliJsonPath *path;
    Str value; /* JSON; p == NULL: delete */
    Str error;
} Change;

static void put(Change *c, Buf *out, const JsonNode *node, u32 depth);

/* What stands at a step of the path: made where nothing is. */
static void put_value(Change *c, Buf *out, const JsonNode *old, u32 depth)
{
    Arena *a = c->pm->cli->arena;
    if (depth == c->path->len) {
        (void)buf_push(out, c->value);
        return;
    }
    bool is_container = old && (old->kind == JSON_OBJECT || old->kind == JSON_ARRAY);
    if (old && !is_container) {
        c->error = str_fmt(a, "\"%.*s\": \"%.*s\" already exists and is not an object or array",
                           STR_ARG(c->path->text), STR_ARG(c->path->at[depth - 1].key));
        return;
    }
    JsonNode empty = {.kind = c->path->at[depth].is_end ? JSON_ARRAY : JSON_OBJECT};
    put(c, out, old ? old : &empty, depth);
}

static void put_array(Change *c, Buf *out, const JsonNode *node, u32 depth)
{
    const CliJsonStep *step = &c->path->at[depth];
    u64 at = node->len;
    bool is_number = step->is_end || str_to_u64(step->key, &at),
         is_last = depth + 1 == c->path->len;
    if (!is_number || at > node->len) {
        c->error = str_fmt(c->pm->cli->arena,
                           "\"%.*s\": index %.*s is out of range for an array of %u (\"[]\" means "
                           "behind the last)",
                           STR_ARG(c->path->text), STR_ARG(step->key), node->len);
        return;
    }
    u32 n = 0;
    (void)buf_push_char(out, '[');
    for (u32 i = 0; i <= node->len; i++) {
        if (i == node->len && (i != at || !c->value.p)) continue;
        if (i == at && is_last && !c->value.p) continue;
        if (n++) (void)buf_push_char(out, ',');
        if (i == at)
            put_value(c, out, i < node->len ? &node->items[i] : NULL, depth + 1);
        else
            json_write(out, &node->items[i], S(""));
    }
    (void)buf_push_char(out, ']');
}

static void put_object(Change *c, Buf *out, const JsonNode *node, u32 depth)
{
    const CliJsonStep *step = &c->path->at[depth];
    bool is_put = !c->value.p, is_last = depth + 1 == c->path->len;
    u32 n = 0;
    (void)buf_push_char(out, '{');
    for (u32 i = 0; i <= node->len; i++) {
        bool is_one = i < node->len && json_is(&node->items[2 * i], step->key);
        if (i == node->len && is_put) continue;
        if (is_one && is_last && !c->value.p) continue;
        if (n++) (void)buf_push_char(out, ',');
        json_write_str(out, i < node->len ? json_str(c->pm->cli->arena, &node->items[2 * i])
                                          : step->key);
        (void)buf_push_char(out, ':');
        if (is_one || i == node->len)
            put_value(c, out, i < node->len ? &node->items[2 * i + 1] : NULL, depth + 1);
        else
            json_write(out, &node->items[2 * i + 1], S(""));
        is_put |= is_one;
    }
    (void)buf_push_char(out, '}');
}

/* The text of a container with the change in it. */
static void put(Change *c, Buf *out, const JsonNode *node, u32 depth)
{
    if (node->kind == JSON_ARRAY)
        put_array(c, out, node, depth);
    else
        put_object(c, out, node, depth);
}

/* Only the member of package.json where the path begins is written anew: the rest stays as it is.
 */
static bool apply(Change *c, Str *text)
{
    Arena *a = c->pm->cli->arena;
    JsonNode root, made;
    JsonError e;
    AUTO(Buf) compact = {0};
    AUTO(Buf) pretty = {0};
    Str keys[CLI_JSON_STEPS_MAX];
    u32 n = 0;
    if (!json_parse(a, *text, JSON_JSONC, &root, &e)) return false;
    const JsonNode *node = &root;
    /* As long as it goes through objects, json_edit does it. */
    for (; n < c->path->len && (!node || node->kind == JSON_OBJECT) && !c->path->at[n].is_end;
         n++) {
        keys[n] = c->path->at[n].key;
        node = node ? json_find(node, keys[n]) : NULL;
    }
    bool is_whole = n == c->path->len;
    JsonEdit edit = {.text = *text, .keys = keys, .n_keys = n};
    if (is_whole && !c->value.p) return json_edit_del(a, &edit, text, &e);
    if (!c->value.p && !node) return true;
    if (n) put_value(c, &compact, node, n);
    if (!n || c->error.n) return false;
    if (!json_parse(a, buf_str(&compact), 0, &made, &e)) return false;
    json_write(&pretty, &made, S(INDENT));
    edit.value = str_dup(a, buf_str(&pretty));
    return json_edit_set(a, &edit, text, &e);
}

static bool change(Pm *pm, const CliJsonPath *path, Str value, Str *text)
{
    Change c = {.pm = pm, .path = path, .value = value};
    if (apply(&c, text)) return true;
    return log_error(&pm->log, (Span){0}, "%.*s",
                     STR_ARG(c.error.n ? c.error
                                       : str_fmt(pm->cli->arena, "\"%.*s\" cannot be changed",
                                                 STR_ARG(path->text))));
}

static int save(Pm *pm, Str text)
{
    if (str_eq(text, pm->package.source.text) || pm->options->dry_run) return 0;
    return !cli_package_save(&pm->log, &pm->package, text);
}

static bool set_one(Pm *pm, Str arg, Str *text)
{
    Str key, value;
    CliJsonPath path;
    AUTO(Buf) quoted = {0};
    Arena *a = pm->cli->arena;
    if (!str_cut(arg, '=', &key, &value))
        return log_error(&pm->log, (Span){0}, "Invalid argument: %.*s (expected key=value)",
                         STR_ARG(arg));
    if (!key.n) return log_error(&pm->log, (Span){0}, "Empty key in argument: %.*s", STR_ARG(arg));
    if (!value.n)
        return log_error(&pm->log, (Span){0}, "Empty value in argument: %.*s", STR_ARG(arg));
    if (!cli_json_path_parse(key, &path))
        return log_error(&pm->log, (Span){0}, "\"%.*s\" is no path of a value", STR_ARG(key));
    if (pm->options->json) {
        JsonNode json;
        JsonError e;
        if (!json_parse(a, value, 0, &json, &e))
            return log_error(&pm->log, (Span){0},
                             "Invalid JSON value for \"%.*s\": %s (without --json it is a text)",
                             STR_ARG(key), e.what);
    } else {
        json_write_str(&quoted, value);
        value = str_dup(a, buf_str(&quoted));
    }
    return change(pm, &path, value, text);
}

static int set(Pm *pm, CliArgs pairs)
{
    Str text = pm->package.source.text;
    if (!pairs.len)
        return !log_error(&pm->log, (Span){0}, "pm pkg set expects a key=value pair of args");
    for (u32 i = 0; i < pairs.len; i++)
        if (!set_one(pm, pairs.at[i], &text)) return 1;
    return save(pm, text);
}

static int delete_keys(Pm *pm, CliArgs keys)
{
    Str text = pm->package.source.text;
    CliJsonPath path;
    if (!keys.len) return !log_error(&pm->log, (Span){0}, "pm pkg delete expects key args");
    for (u32 i = 0; i < keys.len; i++) {
        if (!cli_json_path_parse(keys.at[i], &path))
            return !log_error(&pm->log, (Span){0}, "\"%.*s\" is no path of a value",
                              STR_ARG(keys.at[i]));
        if (!change(pm, &path, (Str){0}, &text)) return 1;
    }
    return save(pm, text);
}

/* ---- fix ------------------------------------------------------------------------------------- */

/* Names are in small letters, without spaces around them; versions without a "v". */
static int fix(Pm *pm)
{
    Arena *a = pm->cli->arena;
    Str text = pm->package.source.text, clean[2];
    const Str keys[2] = {S("name"), S("version")};
    const Str old[2] = {pm->package.name, pm->package.version};
    Semver version;
    clean[0] = str_lower(a, str_trim(old[0]));
    clean[1] = str_trim(old[1]);
    if (clean[1].n && strchr("v=", clean[1].p[0]) && semver_parse(clean[1], &version))
        clean[1] = str_trim(str_skip(clean[1], 1));
    for (u32 i = 0; i < COUNT(keys); i++) {
        AUTO(Buf) quoted = {0};
        CliJsonPath path;
        if (!old[i].n || str_eq(old[i], clean[i]) || !cli_json_path_parse(keys[i], &path)) continue;
        json_write_str(&quoted, clean[i]);
        if (!change(pm, &path, buf_str(&quoted), &text)) return 1;
    }
    return save(pm, text);
}

int cli_pm_pkg(Pm *pm)
{
    Str word = pm->args.len ? pm->args.at[0] : S("");
    CliArgs rest = {pm->args.at + 1, pm->args.len ? pm->args.len - 1 : 0};
    if (str_eq(word, S("get"))) return get(pm, rest);
    if (str_eq(word, S("set"))) return set(pm, rest);
    if (str_eq(word, S("delete"))) return delete_keys(pm, rest);
    if (str_eq(word, S("fix"))) return fix(pm);
    if (word.n) return !log_error(&pm->log, (Span){0}, "Unknown subcommand: %.*s", STR_ARG(word));
    (void)printf("Usage: %s pm pkg get [keys]\n       %s pm pkg set key=value ... [--json]\n"
                 "       %s pm pkg delete keys\n       %s pm pkg fix\n",
                 cli_own_name(pm->cli), cli_own_name(pm->cli), cli_own_name(pm->cli),
                 cli_own_name(pm->cli));
    return 0;
}
