/* install/pkg_settings_test.c -- .npmrc: registries, and whose credentials are whose. */
#include "install/install.h"

#include "sys/sys.h"
#include "util/test.h"

static Arena arena;

TEST(pkg_settings_read_npmrc)
{
    PkgSettings s = {0};
    REQUIRE(sys_env_set(S("COB_TEST_TOKEN"), S("secret")) == 0);
    pkg_settings_take_npmrc(
        &arena,
        S("; a remark\n# another\n\n"
          "@one:registry = https://one.example/npm/\n"
          "registry=https://main.example/\n"
          "registry=https://second.example/\n"
          "//one.example/npm/:_authToken=${COB_TEST_TOKEN}\n"
          "//main.example/:username=user\n"
          "//main.example/:_password = \"cGFzcw==\"\n"
          "//other.example/:_authToken=theirs\n"
          "@two:registry=https://two.example/${COB_TEST_NONE:-else}/${COB_TEST_NONE?}${:-?}\n"
          "omit[]=dev\nsave-exact\ncache=~/x\r\nstrict-ssl=false\n"),
        &s);
    REQUIRE(s.n_registries == 3);
    CHECK_STR(s.registries[0].url, "https://main.example");
    CHECK_STR(s.registries[0].auth, "Basic dXNlcjpwYXNz");
    for (u32 i = 1; i < 3; i++) {
        bool is_one = str_eq(s.registries[i].scope, S("@one"));
        Str url = is_one ? S("https://one.example/npm") : S("https://two.example/else/?");
        CHECK(str_eq(s.registries[i].url, url));
        CHECK(str_eq(s.registries[i].auth, is_one ? S("Bearer secret") : S("")));
    }
    CHECK(s.dev == 0 && s.exact == 1 && s.strict_ssl == 0 && s.optional == -1);
    CHECK_STR(s.cache_dir, "~/x");
}

TEST(pkg_settings_keep_credentials_at_home)
{
    PkgSettings s = {0};
    pkg_settings_take_npmrc(&arena,
                            S("registry=https://a.example.evil/\n//a.example/:_authToken=x\n"
                              "//a.example.evil/path/:_authToken=y\n"),
                            &s);
    CHECK_STR(s.registries[0].auth, "");
    s = (PkgSettings){0};
    pkg_settings_take_npmrc(&arena, S("registry=https://a.example/\n_authToken=\"x\ny\"\n"), &s);
    CHECK_STR(s.registries[0].auth, "Bearer \"x");
    s = (PkgSettings){0};
    pkg_settings_take_npmrc(&arena, S(""), &s);
    CHECK_STR(s.registries[0].url, "https://registry.npmjs.org");
}
