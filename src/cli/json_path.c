/* cli/json_path.c -- see json_path.h. */
#include "cli/json_path.h"

bool cli_json_path_parse(Str text, CliJsonPath *ret)
{
    *ret = (CliJsonPath){.text = text};
    while (text.n) {
        CliJsonStep step = {0};
        if (ret->len == CLI_JSON_STEPS_MAX) return false;
        if (text.p[0] == '[') {
            i64 end = str_find(text, ']');
            if (end < 0) return false;
            step.key = str_slice(text, 1, (usize)end);
            step.is_end = !step.key.n;
            text = str_skip(text, (usize)end + 1);
        } else {
            usize n = 0;
            while (n < text.n && text.p[n] != '.' && text.p[n] != '[') n++;
            step.key = str_slice(text, 0, n);
            if (!n) return false;
            text = str_skip(text, n);
        }
        ret->at[ret->len++] = step;
        if (text.n > 1 && text.p[0] == '.') text = str_skip(text, 1);
    }
    return ret->len > 0;
}

static const JsonNode *element(const JsonNode *array, Str key)
{
    u64 i;
    return str_to_u64(key, &i) && i < array->len ? &array->items[i] : NULL;
}

static const JsonNode *child(const JsonNode *node, const CliJsonStep *step)
{
    if (step->is_end) return NULL;
    return node->kind == JSON_ARRAY ? element(node, step->key) : json_find(node, step->key);
}

const JsonNode *cli_json_path_find(const JsonNode *root, const CliJsonPath *path)
{
    for (u32 i = 0; root && i < path->len; i++) root = child(root, &path->at[i]);
    return root;
}
