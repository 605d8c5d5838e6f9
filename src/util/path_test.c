/* util/path_test.c -- tests of the path functions; expectations are Node's. */
#include "util/path.h"

#include "util/test.h"

TEST(path_dirname_like_node)
{
    static const char *const cases[][2] = {
        {"/a/b/", "/a"}, {"/a/b", "/a"}, {"/a", "/"},      {"", "."},        {"/", "/"},
        {"////", "/"},   {"//a", "//"},  {"foo", "."},     {"a/b", "a"},     {"a//b", "a/"},
        {"a/", "."},     {"./a", "."},   {"/a//b", "/a/"}, {"//a/b", "//a"}, {"..", "."},
    };
    for (u32 i = 0; i < COUNT(cases); i++) {
        Str got = path_dirname(str_z(cases[i][0]));
        if (!str_eq(got, str_z(cases[i][1])))
            test_fail_str(__FILE__, (int)i, got, str_z(cases[i][1]));
    }
}

TEST(path_basename_like_node)
{
    CHECK_STR(path_basename(S("/a/b.js"), (Str){0}), "b.js");
    CHECK_STR(path_basename(S("/a/b.js//"), (Str){0}), "b.js");
    CHECK_STR(path_basename(S("/a/b.js"), S(".js")), "b");
    CHECK_STR(path_basename(S("a"), S("a")), "");
    CHECK_STR(path_basename(S("x/a"), S("a")), "a");
    CHECK_STR(path_basename(S("aaa"), S("aa")), "a");
    CHECK_STR(path_basename(S(""), (Str){0}), "");
    CHECK_STR(path_basename(S("///"), (Str){0}), "");
    CHECK_STR(path_basename(S("/b.c/"), S("a.b.c")), "b.c/");
}

TEST(path_extname_like_node)
{
    static const char *const cases[][2] = {
        {"a.js", ".js"}, {"a.b.c", ".c"}, {".a", ""},       {".a.b", ".b"}, {"..", ""},
        {"a.", "."},     {"a", ""},       {"a.js/", ".js"}, {"a/.b", ""},   {"...", "."},
        {"a..", "."},    {"", ""},        {"..a", ".a"},    {"/a.b/c", ""},
    };
    for (u32 i = 0; i < COUNT(cases); i++) {
        Str got = path_extname(str_z(cases[i][0]));
        if (!str_eq(got, str_z(cases[i][1])))
            test_fail_str(__FILE__, (int)i, got, str_z(cases[i][1]));
    }
}

TEST(path_normalize_like_node)
{
    static const char *const cases[][2] = {
        {"", "."},
        {".", "."},
        {"./", "./"},
        {"/", "/"},
        {"//", "/"},
        {"a//b/../c", "a/c"},
        {"../../a", "../../a"},
        {"/../a", "/a"},
        {"a/..", "."},
        {"a/../", "./"},
        {"a/../..", ".."},
        {"a/../../b/", "../b/"},
        {"/a/./b/", "/a/b/"},
        {"...", "..."},
        {"../a/../../b", "../../b"},
        {"/..", "/"},
    };
    AUTO(Arena) a = {0};
    for (u32 i = 0; i < COUNT(cases); i++) {
        Str got = path_normalize(&a, str_z(cases[i][0]));
        if (!str_eq(got, str_z(cases[i][1])))
            test_fail_str(__FILE__, (int)i, got, str_z(cases[i][1]));
    }
}

TEST(path_join_and_resolve_like_node)
{
    AUTO(Arena) a = {0};
    CHECK_STR(path_join2(&a, S("/a/b"), S("../c")), "/a/c");
    CHECK_STR(path_join2(&a, S(""), S("")), ".");
    CHECK_STR(path_join2(&a, S("a"), S("/b/")), "a/b/");
    CHECK_STR(path_resolve(&a, S("/w"), S("/a/b"), S("../c/")), "/a/c");
    CHECK_STR(path_resolve(&a, S("/w"), S("x"), S("./y")), "/w/x/y");
    CHECK_STR(path_resolve(&a, S("/w"), S("x"), S("/y/..")), "/");
    CHECK_STR(path_resolve(&a, S("/w"), S(""), S("../../../y")), "/y");
}

TEST(path_relative_like_node)
{
    static const char *const cases[][3] = {
        {"/a/b/c", "/a/d", "../../d"},
        {"/a/b", "/a/b", ""},
        {"/a", "/a/b/c", "b/c"},
        {"/", "/a", "a"},
        {"/a", "/", ".."},
        {"/a/bc", "/a/b", "../b"},
        {"/a/b", "/a/bc", "../bc"},
        {"/a/b/", "/x/../a/b/c", "c"},
        {"/", "/", ""},
        {"/foo/bar/baz-quux", "/foo/bar/baz", "../baz"},
    };
    AUTO(Arena) a = {0};
    for (u32 i = 0; i < COUNT(cases); i++) {
        Str got = path_relative(&a, str_z(cases[i][0]), str_z(cases[i][1]));
        if (!str_eq(got, str_z(cases[i][2])))
            test_fail_str(__FILE__, (int)i, got, str_z(cases[i][2]));
    }
}
