/* web/crypto/keccak_test.c -- sponges against the hashes that everybody knows. */
#include "builtins/web/crypto/keccak.h"

#include <string.h>

#include "util/test.h"

static bool is_hex(const u8 *p, usize n, const char *hex)
{
    static const char digits[] = "0123456789abcdef";
    for (usize i = 0; i < n; i++) {
        if (hex[2 * i] != digits[p[i] >> 4] || hex[2 * i + 1] != digits[p[i] & 15]) return false;
    }
    return hex[2 * n] == 0;
}

TEST(keccak_gives_known_hashes)
{
    u8 out[64];
    sha3_256((const u8 *)"abc", 3, out);
    CHECK(is_hex(out, 32, "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"));
    sha3_512((const u8 *)"", 0, out);
    CHECK(is_hex(out, 32, "a69f73cca23a9ac5c8b567dc185a756e97c982164fe25859e0d1dcc1475c80a6"));
}

TEST(keccak_does_not_see_pieces)
{
    u8 in[500], whole[700], pieces[700];
    for (u32 i = 0; i < sizeof in; i++) in[i] = (u8)(i * 7);
    Keccak a, b;
    shake128_begin(&a);
    keccak_absorb(&a, in, sizeof in);
    keccak_finish(&a);
    keccak_squeeze(&a, whole, sizeof whole);
    shake128_begin(&b);
    for (u32 i = 0; i < sizeof in; i += 50) keccak_absorb(&b, in + i, 50);
    keccak_finish(&b);
    for (u32 i = 0; i < sizeof pieces; i += 7) keccak_squeeze(&b, pieces + i, 7);
    CHECK(memcmp(whole, pieces, sizeof whole) == 0);
    shake256_begin(&b);
    keccak_finish(&b);
    keccak_squeeze(&b, pieces, 16);
    CHECK(is_hex(pieces, 16, "46b9dd2b0ba88d13233b3feb743eeb24"));
}
