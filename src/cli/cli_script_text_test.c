/* cli/cli_script_text_test.c -- tests of the text that a shell gets. */
#include "cli/run.h"

#include "util/test.h"

static Str text(Arena *a, Str script)
{
    return cli_script_text(a, S("cob"), script, (CliArgs){0});
}

TEST(cli_script_text_quotes_arguments)
{
    AUTO(Arena) a = {0};
    const Str args[] = {S("plain-1.2"), S("a b"), S("it's"), S("$HOME"),
                        S("\"q\""),     S("x*"),  S("")};
    Str got = cli_script_text(&a, S("cob"), S("run"), (CliArgs){args, COUNT(args)});
    CHECK_STR(got, "run plain-1.2 \"a b\" \"it's\" \"\\$HOME\" \"\\\"q\\\"\" \"x*\" \"\"");
}

TEST(cli_script_text_replaces_npm_run_where_a_command_begins)
{
    AUTO(Arena) a = {0};
    CHECK_STR(text(&a, S("npm run a")), "cob run a");
    CHECK_STR(text(&a, S("npm run a && yarn run b; pnpm run c|(npm run d)")),
              "cob run a && cob run b; cob run c|(cob run d)");
    CHECK_STR(text(&a, S("A=1 B=2 npm run a")), "A=1 B=2 cob run a");
    CHECK_STR(text(&a, S("concurrently \"npm run a\" 'npm run b'")),
              "concurrently \"cob run a\" 'cob run b'");
    CHECK_STR(text(&a, S("npm run a -- --watch")), "cob run a -- --watch");
    CHECK_STR(text(&a, S("pnpm run a --watch")), "cob run a --watch");
}

TEST(cli_script_text_leaves_npm_alone_elsewhere)
{
    AUTO(Arena) a = {0};
    CHECK_STR(text(&a, S("echo npm run a")), "echo npm run a");
    CHECK_STR(text(&a, S("npm run a --workspace=b")), "npm run a --workspace=b");
    CHECK_STR(text(&a, S("npm run -s a")), "npm run -s a");
    CHECK_STR(text(&a, S("npm run ")), "npm run ");
    CHECK_STR(text(&a, S("npm test && xnpm run a && npm-run b")),
              "npm test && xnpm run a && npm-run b");
    CHECK_STR(text(&a, S("yarn a")), "yarn a");
    CHECK_STR(text(&a, S("")), "");
}
