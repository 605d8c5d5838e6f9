/* YAML on any bytes: no crash, no leak, collections no deeper than promised. */
#include "codec/yaml.h"

int LLVMFuzzerTestOneInput(const u8 *data, usize size);

int LLVMFuzzerTestOneInput(const u8 *data, usize size)
{
    Arena a = {0};
    Yaml y;
    YamlError e = {0};
    if (yaml_parse(&a, (Str){(const char *)data, size}, &y, &e)) {
        for (u32 i = 0; i < y.len; i++) ASSERT(y.documents[i]->kind <= YAML_MAPPING);
    } else {
        ASSERT(e.what.n);
    }
    arena_deinit(&a);
    return 0;
}
