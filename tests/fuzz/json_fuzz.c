/* JSON in every mode, on any bytes.  What is written from a tree must parse to the same text again.
 */
#include "util/json.h"

int LLVMFuzzerTestOneInput(const u8 *data, usize size);

static void decode(Arena *a, const JsonNode *n)
{
    if (n->kind == JSON_STRING) (void)json_str(a, n);
    if (n->kind == JSON_NUMBER) (void)json_number(n);
    u32 count = n->kind == JSON_OBJECT ? n->len * 2 : n->kind == JSON_ARRAY ? n->len : 0;
    for (u32 i = 0; i < count; i++) {
        decode(a, &n->items[i]);
        ASSERT(n->items[i].at >= n->at && n->items[i].at + n->items[i].size <= n->at + n->size);
        if (n->kind == JSON_OBJECT && i % 2 == 0) ASSERT(json_find(n, json_str(a, &n->items[i])));
    }
}

static void check(Str text, JsonFlags flags)
{
    Arena a = {0};
    JsonNode n, again;
    JsonError e;
    if (json_parse(&a, text, flags, &n, &e)) {
        Buf first = {0}, second = {0};
        decode(&a, &n);
        json_write(&first, &n, json_indent_of(text));
        ASSERT(json_parse(&a, buf_str(&first), 0, &again, &e));
        json_write(&second, &again, json_indent_of(text));
        ASSERT(str_eq(buf_str(&first), buf_str(&second)));
        Buf_deinit(&first);
        Buf_deinit(&second);
    } else {
        ASSERT(e.what);
        ASSERT(e.line && e.column && e.offset <= text.n);
    }
    arena_deinit(&a);
}

int LLVMFuzzerTestOneInput(const u8 *data, usize size)
{
    Str text = {(const char *)data, size};
    check(text, 0);
    check(text, JSON_JSONC);
    check(text, JSON_JSON5);
    return 0;
}
