/* TOML on any bytes: every node lies within its text, and every key is found again. */
#include "util/toml.h"

int LLVMFuzzerTestOneInput(const u8 *data, usize size);

static void walk(const TomlNode *n, usize size)
{
    ASSERT(n->depth <= TOML_DEPTH_MAX);
    ASSERT((usize)n->at + n->size <= size);
    for (u32 i = 0; n->kind == TOML_ARRAY && i < n->len; i++) walk(n->items[i], size);
    for (u32 i = 0; n->kind == TOML_TABLE && i < n->len; i++) {
        ASSERT(toml_find(n, n->entries[i].key) == n->entries[i].value);
        walk(n->entries[i].value, size);
    }
}

int LLVMFuzzerTestOneInput(const u8 *data, usize size)
{
    Arena a = {0};
    const TomlNode *n;
    TomlError e;
    if (toml_parse(&a, (Str){(const char *)data, size}, &n, &e))
        walk(n, size);
    else
        ASSERT(e.what && e.line && e.column && e.offset <= size);
    arena_deinit(&a);
    return 0;
}
