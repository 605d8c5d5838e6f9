/* util/intern_test.c -- atoms: identity, fixed order, growth. */
#include "util/intern.h"
#include "util/test.h"

#include <string.h>

TEST(intern_equal_text_is_one_atom)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Arena *a = s.arena;
    Interner in;
    interner_init(&in, a, 0);
    CHECK_INT(intern(&in, S("await")), 1);
    CHECK_INT(intern(&in, S("async")), 2);
    CHECK_INT(intern_dup(&in, S("await")), 1);
    CHECK_INT(intern(&in, S("")), 3);
    CHECK_INT(intern(&in, S("")), 3);
    CHECK_INT(intern_find(&in, S("nope")), 0);
    CHECK_STR(atom_str(&in, 2), "async");
}

TEST(intern_seeds_and_padded_text_agree_with_the_rest)
{
    static const AtomText seeds[] = {ATOM_TEXT("a"), ATOM_TEXT("break"), ATOM_TEXT("instance"),
                                     ATOM_TEXT("constructor"), ATOM_TEXT("0123456789abcdef")};
    AUTO(Scratch) s = scratch_begin(NULL);
    Interner in;
    interner_init(&in, s.arena, 0);
    interner_seed(&in, seeds, COUNT(seeds));
    for (u32 i = 0; i < COUNT(seeds); i++) {
        CHECK_INT(intern(&in, str_z(seeds[i].p)), i + 1);
        CHECK(str_eq(atom_str(&in, i + 1), str_z(seeds[i].p)));
    }
    char text[64];
    for (usize n = 0; n < 40; n++) {
        memset(text, 'x', sizeof(text));
        Atom atom = intern_dup(&in, (Str){text, n});
        text[n] = 'y'; /* what stands behind does not count */
        CHECK_INT(intern_padded(&in, (Str){text, n}), atom);
        CHECK_INT(intern_find(&in, (Str){text, n + 1}), 0);
    }
}

TEST(intern_grows_and_keeps_ids)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Arena *a = s.arena;
    Interner in;
    interner_init(&in, a, 0);
    for (u32 i = 1; i <= 20000; i++) {
        if (intern_dup(&in, str_fmt(a, "name%u", i)) != i) test_fail(__FILE__, __LINE__, "id");
    }
    for (u32 i = 1; i <= 20000; i += 37) {
        CHECK_INT(intern_find(&in, str_fmt(a, "name%u", i)), i);
        CHECK(str_eq(atom_str(&in, i), str_fmt(a, "name%u", i)));
    }
}

TEST(intern_truncate_forgets_the_newest)
{
    AUTO(Arena) a = {0}, b = {0};
    AUTO(Scratch) s = scratch_begin(NULL);
    Interner in;
    interner_init(&in, &a, 0);
    for (u32 i = 0; i < 20; i++) CHECK_INT(intern_dup(&in, str_fmt(s.arena, "keep%u", i)), i + 1);
    for (u32 round = 0; round < 3; round++) {
        for (u32 i = 0; i < 500; i++) {
            Str name = str_fmt(s.arena, "name%u of %u", i, round);
            CHECK_INT(intern_dup(&in, name), 21 + i);
        }
        interner_truncate(&in, 21, &b);
        CHECK_INT(in.len, 21);
        CHECK_INT(intern_find(&in, str_fmt(s.arena, "name7 of %u", round)), 0);
        for (u32 i = 0; i < 20; i++)
            CHECK_INT(intern_find(&in, str_fmt(s.arena, "keep%u", i)), i + 1);
    }
}
