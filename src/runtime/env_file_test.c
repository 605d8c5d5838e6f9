/* runtime/env_file_test.c */
#include "runtime/env_file.h"
#include "sys/sys.h"
#include "util/test.h"

static Str value_of(const EnvEntries *e, Str name)
{
    for (u32 i = e->len; i > 0; i--)
        if (str_eq(e->at[i - 1].name, name)) return e->at[i - 1].value;
    return S("(none)");
}

TEST(env_file_quotes_comments_and_export)
{
    AUTO(Arena) a = {0};
    EnvEntries e = {0};
    env_file_parse(&a,
                   S("A=1\nexport B = two words # c\nC=a#b\nD='s q\\n'\nE=\"d\\nq\"\nF=`x\ny`\n"
                     "nothing\nG=\nH: colon\n# I=1\nJ=\"a\\\"b\"\nK.L-M=1\nN='open\n"),
                   &e);
    CHECK_STR(value_of(&e, S("A")), "1");
    CHECK_STR(value_of(&e, S("B")), "two words");
    CHECK_STR(value_of(&e, S("C")), "a");
    CHECK_STR(value_of(&e, S("D")), "s q\\n");
    CHECK_STR(value_of(&e, S("E")), "d\nq");
    CHECK_STR(value_of(&e, S("F")), "x\ny");
    CHECK_STR(value_of(&e, S("nothing")), "(none)");
    CHECK_STR(value_of(&e, S("G")), "");
    CHECK_STR(value_of(&e, S("H")), "colon");
    CHECK_STR(value_of(&e, S("I")), "(none)");
    CHECK_STR(value_of(&e, S("J")), "a\\\"b");
    CHECK_STR(value_of(&e, S("K.L-M")), "1");
    CHECK_STR(value_of(&e, S("N")), "'open");
}

static Str env_of(Arena *a, Str name)
{
    Str v;
    return sys_env_find(a, name, &v) ? v : S("(none)");
}

TEST(env_files_expand_and_never_override_the_process)
{
    AUTO(Arena) a = {0};
    Log log;
    log_init(&log, &a);
    Str dir;
    REQUIRE(sys_mkdtemp(&a, S("/tmp/cob-env-"), &dir) == 0);
    Str one = str_concat(&a, dir, S("/one")), two = str_concat(&a, dir, S("/two"));
    REQUIRE(sys_write_file(
                one, S("XB=$XA\nXA=1\nXC=${XNO:-def}$\nXD='\\$XA${XA'\nXE=$XE2\nXE2=$XE\nXF=f\n"),
                0600) == 0);
    REQUIRE(sys_write_file(two, S("XF=g\nXP=file\n"), 0600) == 0);
    REQUIRE(sys_env_set(S("XP"), S("process")) == 0);
    Str both[] = {one, two};
    CHECK(env_files_load(&a, &log, both, 2));
    CHECK_STR(env_of(&a, S("XB")), "1");
    CHECK_STR(env_of(&a, S("XC")), "def$");
    CHECK_STR(env_of(&a, S("XD")), "$XA${XA");
    CHECK_STR(env_of(&a, S("XE")), "");
    CHECK_STR(env_of(&a, S("XF")), "g");
    CHECK_STR(env_of(&a, S("XP")), "process");
    Str missing = str_concat(&a, dir, S("/missing"));
    CHECK(!env_files_load(&a, &log, &missing, 1));
    CHECK_INT(log.n_errors, 1);
    CHECK(sys_remove_tree(dir) == 0);
}

TEST(env_files_bound_explosive_expansion)
{
    AUTO(Arena) a = {0};
    Log log;
    log_init(&log, &a);
    Str dir;
    REQUIRE(sys_mkdtemp(&a, S("/tmp/cob-env-"), &dir) == 0);
    AUTO(Buf) text = {0};
    CHECK(buf_push(&text, S("YA0=xxxxxxxxxxxxxxxx\n")));
    for (u32 i = 1; i < 15; i++)
        CHECK(buf_fmt(&text, "YA%u=$YA%u$YA%u$YA%u$YA%u$YA%u$YA%u$YA%u$YA%u\n", i, i - 1, i - 1,
                      i - 1, i - 1, i - 1, i - 1, i - 1, i - 1));
    Str path = str_concat(&a, dir, S("/boom"));
    REQUIRE(sys_write_file(path, buf_str(&text), 0600) == 0);
    CHECK(env_files_load(&a, &log, &path, 1));
    CHECK(env_of(&a, S("YA14")).n <= 1024 * 1024);
    CHECK(sys_remove_tree(dir) == 0);
}
