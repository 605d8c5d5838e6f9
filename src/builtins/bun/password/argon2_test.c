/* bun/password/argon2_test.c -- both compression functions, and limits. */
#include "builtins/bun/password/argon2.h"

#include <errno.h>
#include <string.h>

#include "util/test.h"

static void fill(Argon2Block *b, u64 seed)
{
    for (u32 i = 0; i < ARGON2_WORDS; i++) {
        seed = seed * 6364136223846793005U + 1442695040888963407U;
        b->v[i] = seed ^ seed >> 29;
    }
}

TEST(argon2_compress_is_the_same_everywhere)
{
    for (u32 i = 0; i < 64; i++) {
        Argon2Block prev, ref, a, b;
        fill(&prev, i);
        fill(&ref, 1000 + i);
        fill(&a, 2000 + i);
        b = a;
        argon2_compress(&prev, &ref, &a, i & 1);
        argon2_compress_plain(&prev, &ref, &b, i & 1);
        CHECK(memcmp(&a, &b, sizeof a) == 0);
    }
}

TEST(argon2_refuses_what_is_out_of_bounds)
{
    u8 tag[32];
    const Argon2 fine = {
        .kind = ARGON2_ID,
        .version = 0x13,
        .memory_kib = 8,
        .passes = 1,
        .lanes = 1,
        .password = S("password"),
        .salt = S("somesalt"),
    };
    Argon2 a = fine;
    CHECK(argon2_hash(&a, tag, sizeof tag) == 0);
    a.memory_kib = 7;
    CHECK(argon2_hash(&a, tag, sizeof tag) == -EINVAL);
    a = fine, a.memory_kib = ARGON2_MEMORY_MAX_KIB + 1;
    CHECK(argon2_hash(&a, tag, sizeof tag) == -EINVAL);
    a = fine, a.passes = 0;
    CHECK(argon2_hash(&a, tag, sizeof tag) == -EINVAL);
    a = fine, a.lanes = 2;
    CHECK(argon2_hash(&a, tag, sizeof tag) == -EINVAL);
    a = fine, a.salt = S("short");
    CHECK(argon2_hash(&a, tag, sizeof tag) == -EINVAL);
    CHECK(argon2_hash(&fine, tag, 3) == -EINVAL);
}
