/* codec/yaml_test.c -- kinds of scalars, aliases, documents, errors. */
#include "codec/yaml.h"

#include "util/test.h"

static YamlNode *parse_one(Arena *a, const char *text)
{
    Yaml y;
    YamlError e = {0};
    bool ok = yaml_parse(a, str_z(text), &y, &e) && y.len == 1;
    CHECK(ok);
    return ok ? y.documents[0] : ARENA_NEW(a, YamlNode);
}

TEST(yaml_scalars_of_the_core_schema)
{
    AUTO(Arena) a = {0};
    static const struct {
        const char *text;
        YamlKind kind;
        f64 number;
    } cases[] = {
        {"~", YAML_NULL, 0},         {"null", YAML_NULL, 0},
        {"True", YAML_BOOL, 0},      {"yes", YAML_STRING, 0},
        {"0x10", YAML_NUMBER, 16},   {"0o17", YAML_NUMBER, 15},
        {"017", YAML_NUMBER, 17},    {"-1.5e3", YAML_NUMBER, -1500},
        {"1.", YAML_NUMBER, 1},      {".5", YAML_NUMBER, 0.5},
        {"1_000", YAML_STRING, 0},   {"\"1\"", YAML_STRING, 0},
        {"!!str 1", YAML_STRING, 0}, {"!!int '3'", YAML_NUMBER, 3},
        {"0b11", YAML_STRING, 0},    {"2020-01-01", YAML_STRING, 0},
        {"+", YAML_STRING, 0},       {"1e", YAML_STRING, 0},
    };
    for (u32 i = 0; i < COUNT(cases); i++) {
        const YamlNode *n = parse_one(&a, cases[i].text);
        CHECK_INT(n->kind, cases[i].kind);
        if (cases[i].kind == YAML_NUMBER) CHECK(n->number == cases[i].number);
    }
}

TEST(yaml_aliases_are_the_same_node)
{
    AUTO(Arena) a = {0};
    const YamlNode *n = parse_one(&a, "a: &x {b: 1}\nc: *x\n<<: *x\n");
    REQUIRE(n->len == 6);
    CHECK(n->items[1] == n->items[3]);
    CHECK(n->items[4]->is_merge);
    CHECK_INT(n->items[1]->shared, 1);
    const YamlNode *self = parse_one(&a, "&a [*a]");
    CHECK(self->items[0] == self);
}

TEST(yaml_documents_and_errors)
{
    AUTO(Arena) a = {0};
    Yaml y;
    YamlError e = {0};
    REQUIRE(yaml_parse(&a, S("---\na\n---\nb"), &y, &e));
    CHECK_INT(y.len, 2);
    REQUIRE(yaml_parse(&a, S(""), &y, &e));
    CHECK_INT(y.len, 0);
    static const char *const bad[] = {"[1,",       "*x", "a: b: c", "{a", "\"x", "key: [a, b]: 1",
                                      "\t- x: [\n"};
    for (u32 i = 0; i < COUNT(bad); i++) {
        e = (YamlError){0};
        CHECK(!yaml_parse(&a, str_z(bad[i]), &y, &e));
        CHECK(e.what.n > 0);
    }
}

TEST(yaml_deep_text_is_an_error)
{
    AUTO(Arena) a = {0};
    Yaml y;
    YamlError e = {0};
    char *text = arena_alloc(&a, 10001, 1);
    for (u32 i = 0; i < 10000; i++) text[i] = '[';
    CHECK(!yaml_parse(&a, (Str){text, 10000}, &y, &e));
    CHECK(e.what.n > 0);
}
