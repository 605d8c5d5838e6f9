/* util/json_edit_test.c -- tests of edits of JSON text. */
#include "util/json_edit.h"

#include "util/test.h"

static Str apply(Arena *a, JsonEdit edit, const char *path)
{
    Str keys[8], rest = str_z(path), ret = {0};
    JsonError e;
    while (edit.n_keys < COUNT(keys) && str_next(&rest, '.', &keys[edit.n_keys])) edit.n_keys++;
    edit.keys = keys;
    bool ok = edit.value.p ? json_edit_set(a, &edit, &ret, &e) : json_edit_del(a, &edit, &ret, &e);
    return ok ? ret : str_z(e.what);
}

static Str set(Arena *a, const char *text, const char *path, const char *value, JsonEditOrder order)
{
    return apply(a, (JsonEdit){.text = str_z(text), .value = str_z(value), .order = order}, path);
}

static Str del(Arena *a, const char *text, const char *path)
{
    return apply(a, (JsonEdit){.text = str_z(text)}, path);
}

TEST(json_edit_replaces_a_value_only)
{
    AUTO(Arena) a = {0};
    CHECK_STR(set(&a, "{ \"a\" : 1 , \"b\":2} // x\n", "a", "[3]", JSON_EDIT_LAST),
              "{ \"a\" : [3] , \"b\":2} // x\n");
    CHECK_STR(set(&a, "{\n  \"a\": {\n    \"b\": 1\n  }\n}\n", "a.b", "{\n  \"c\": 2\n}", 0),
              "{\n  \"a\": {\n    \"b\": {\n      \"c\": 2\n    }\n  }\n}\n");
    CHECK_STR(set(&a, "{\"a\":1,\"a\":2}", "a", "3", JSON_EDIT_LAST), "{\"a\":1,\"a\":3}");
}

TEST(json_edit_adds_members_in_the_layout_around)
{
    AUTO(Arena) a = {0};
    CHECK_STR(set(&a, "{\n\t\"b\": 1\n}\n", "c", "2", JSON_EDIT_LAST),
              "{\n\t\"b\": 1,\n\t\"c\": 2\n}\n");
    CHECK_STR(set(&a, "{\n  \"b\": 1,\n  \"d\": 1\n}", "c", "2", JSON_EDIT_SORTED),
              "{\n  \"b\": 1,\n  \"c\": 2,\n  \"d\": 1\n}");
    CHECK_STR(set(&a, "{\n  \"b\": 1\n}", "a", "2", JSON_EDIT_SORTED),
              "{\n  \"a\": 2,\n  \"b\": 1\n}");
    CHECK_STR(set(&a, "{\"b\":1}", "c", "2", JSON_EDIT_LAST), "{\"b\":1,\"c\":2}");
    CHECK_STR(set(&a, "{}", "a.b", "1", JSON_EDIT_LAST), "{\"a\":{\"b\":1}}");
    CHECK_STR(set(&a, "{\n  \"x\": {}\n}", "x.y", "1", JSON_EDIT_LAST),
              "{\n  \"x\": {\n    \"y\": 1\n  }\n}");
    CHECK_STR(set(&a, "{\n  \"x\": 1\n}", "d.e", "\"^1\"", JSON_EDIT_SORTED),
              "{\n  \"x\": 1,\n  \"d\": {\n    \"e\": \"^1\"\n  }\n}");
    CHECK_STR(set(&a, "{\n  \"x\": 1, // one\n}", "y", "2", JSON_EDIT_LAST),
              "{\n  \"x\": 1,\n  \"y\": 2, // one\n}");
    CHECK_STR(set(&a, "{\n  \"x\": 1\n}", "x.y", "2", JSON_EDIT_LAST),
              "{\n  \"x\": {\n    \"y\": 2\n  }\n}");
}

TEST(json_edit_deletes_members_with_their_comma)
{
    AUTO(Arena) a = {0};
    CHECK_STR(del(&a, "{\"a\":1,\"b\":2,\"c\":3}", "b"), "{\"a\":1,\"c\":3}");
    CHECK_STR(del(&a, "{\"a\":1,\"b\":2}", "b"), "{\"a\":1}");
    CHECK_STR(del(&a, "{\"a\":1}", "a"), "{}");
    CHECK_STR(del(&a, "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}", "a"),
              "{\n  \"b\": 2,\n  \"c\": 3\n}");
    CHECK_STR(del(&a, "{\n  \"a\": 1,\n  \"b\": 2\n}\n", "b"), "{\n  \"a\": 1\n}\n");
    CHECK_STR(del(&a, "{\n  \"a\": 1, // about a\n  \"b\": 2\n}\n", "a"), "{\n  \"b\": 2\n}\n");
    CHECK_STR(del(&a, "{\"a\":{\"b\":1}}", "a.c"), "{\"a\":{\"b\":1}}");
    CHECK_STR(del(&a, "{\"a\":1}", "a.b"), "{\"a\":1}");
}

TEST(json_edit_refuses_what_is_no_object)
{
    AUTO(Arena) a = {0};
    CHECK_STR(set(&a, "[1]", "a", "1", JSON_EDIT_LAST), "expected an object");
    CHECK_STR(del(&a, "{", "a"), "unexpected end of file");
}
