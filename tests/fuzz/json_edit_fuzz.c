/* Edits of JSON text: a first byte chooses depth and order, the rest is the document.  The result
 * of an edit must parse, and hold what was set. */
#include "util/json_edit.h"

int LLVMFuzzerTestOneInput(const u8 *data, usize size);

static void check(Arena *a, const JsonEdit *edit)
{
    Str set, del;
    JsonError e;
    JsonNode root;
    if (!json_edit_set(a, edit, &set, &e)) return;
    ASSERT(json_parse(a, set, JSON_JSONC, &root, &e));
    const JsonNode *n = &root;
    for (u32 i = 0; i < edit->n_keys; i++) {
        n = json_find(n, edit->keys[i]);
        ASSERT(n);
    }
    ASSERT(json_find(n, S("v")));
    ASSERT(json_edit_del(a, edit, &del, &e));
    ASSERT(json_parse(a, del, JSON_JSONC, &root, &e));
    JsonEdit again = *edit;
    again.text = set;
    ASSERT(json_edit_del(a, &again, &del, &e));
    ASSERT(json_parse(a, del, JSON_JSONC, &root, &e));
}

int LLVMFuzzerTestOneInput(const u8 *data, usize size)
{
    static const Str keys[] = {{"a", 1}, {"b", 1}, {"c", 1}};
    if (!size) return 0;
    Arena a = {0};
    check(&a, &(JsonEdit){.text = {(const char *)data + 1, size - 1},
                          .keys = keys,
                          .n_keys = 1 + data[0] % COUNT(keys),
                          .value = S("{\n  \"v\": [\n    1\n  ]\n}"),
                          .order = data[0] & 0x80 ? JSON_EDIT_SORTED : JSON_EDIT_LAST});
    arena_deinit(&a);
    return 0;
}
