/* tools/check/check_test.c -- `check_test FOLDER CC` runs the checkers in FOLDER over small trees.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "embed/hosttest.h"

static const char *folder, *cc;

#define HEAD "/* x.c -- a test. */\n"

/* ---- style ---- */

static int run_style(Text *ret)
{
    char *command = host_format("'%s/check_style'", folder);
    int code = hosttest_run(command, ret);
    free(command);
    return code;
}

/* The file alone must give `message`, and, without one, nothing at all. */
static void style(const char *path, const char *content, const char *message)
{
    Text out = {0};
    hosttest_file(path, content);
    int code = run_style(&out);
    if (message) {
        hosttest_check(code == 1, message);
        hosttest_has(&out, message);
    } else if (!hosttest_check(code == 0 && strstr(out.p, " 0 findings"), content)) {
        (void)printf("  ... but: %s\n", out.p);
    }
    hosttest_remove(path);
    free(out.p);
}

static char *repeat(const char *part, size_t n, const char *before, const char *after)
{
    Text text = {0};
    text_str(&text, before);
    while (n--) text_str(&text, part);
    text_str(&text, after);
    return text.p;
}

static void test_lines(void)
{
    style("src/util/x.c", HEAD "int a;\t\n", "src/util/x.c:2: tab");
    style("src/util/x.c", HEAD "int a; \n", "src/util/x.c:2: blanks at the end");
    style("src/util/x.c", HEAD "int a;\r\n", "src/util/x.c:2: carriage return");
    style("src/util/x.c", HEAD "int a;", "src/util/x.c:2: the last line has no newline");
    style("src/util/x.c", repeat("a", 101, HEAD, "\n"), "src/util/x.c:2: 101 columns");
    style("src/util/x.c", repeat("a", 100, HEAD, "\n"), NULL);
    style("src/util/x.c", repeat("\xc3\xa4", 95, HEAD "/* ", "*/\n"), NULL);
    style("src/util/x.c", repeat("a", 101, HEAD "/* http://", "*/\n"), NULL);
    style("src/util/x.c", repeat("\n", 800, HEAD, ""), "src/util/x.c:1: 801 lines");
    style("src/util/x.c", repeat("\n", 799, HEAD, ""), NULL);
    style("tests/cli/a/x.c", "\t \nstrcpy(", NULL);
    style("src/builtins/node/x/fixtures/x.js", "\t \n(", NULL);
}

static void test_functions(void)
{
    style("src/util/x.c", repeat("    a;\n", 67, HEAD "int f(void)\n{\n", "}\n"), NULL);
    style("src/util/x.c", repeat("    a;\n", 68, HEAD "int f(void)\n{\n", "}\n"),
          "src/util/x.c:2: f has 71 lines; the limit is 70");
    style("src/util/x_test.c", repeat("    a;\n", 70, HEAD "TEST(f)\n{\n", "}\n"),
          "src/util/x_test.c:2: f has 73 lines");
    style("src/util/x.c",
          repeat("    a;\n", 70, HEAD "int f(void) __attribute__((cold))\n{\n", "}\n"),
          "src/util/x.c:2: f has 73 lines");
    style("src/util/x.c", repeat("    1,\n", 200, HEAD "int a[] = {\n", "};\n"), NULL);
    style("src/util/x.c", repeat("    int a;\n", 200, HEAD "struct x {\n", "};\n"), NULL);
    style("src/util/x.c", HEAD "int f(int a, int b, int c, int d, int e, int f, ...);\n", NULL);
    style("src/util/x.c", HEAD "int f(int a, int (*b)(int, int, int), int c[N(1, 2, 3)]);\n", NULL);
    style("src/util/x.c", HEAD "int f(int a, int b, int c, int d, int e, int f, int g)\n{\n}\n",
          "src/util/x.c:2: f has 7 parameters");
    style("src/util/x.h", "#pragma once\nint f(int a, int b, int c, int d, int e, int f, int g);\n",
          "src/util/x.h:2: f has 7 parameters");
}

#define IFS_4                                                                                      \
    "    if (a) {\n    for (;;) {\n    while (a) {\n    switch (a) {\n    case 1: {\n"             \
    "    x = (T){1};\n    y = ({ 1; });\n    return (T){1};\n"

static void test_nesting(void)
{
    style("src/util/x.c", HEAD "int f(void)\n{\n" IFS_4 "}}}}}\n}\n", NULL);
    style("src/util/x.c", HEAD "int f(void)\n{\n" IFS_4 "if (b) {\n}}}}}}\n}\n",
          "src/util/x.c:12: 5 levels of nesting");
    style("src/util/x.c", HEAD "int f(void)\n{\n" IFS_4 "do {\n} while (a);}}}}}\n}\n",
          "src/util/x.c:12: 5 levels of nesting");
    style("src/util/x.c",
          HEAD "int f(void)\n{\n#if A\nif (a) {\n#elif B\nif (b) {\n#else\nif (c) {\n#endif\n}\n}\n"
               "int g(void)\n{\n    if (a) {\n    } else if (b) {\n    } else {\n    }\n}\n",
          NULL);
}

static void test_limits(void)
{
    char *f = repeat("    a;\n", 75, HEAD "int f(void)\n{\n", "}\n");
    char *g = repeat("    a;\n", 105, HEAD "int f(void)\n{\n", "}\n");
    hosttest_file("tools/limits.allow", "# comment\nsrc/util/x.c f 80 a dispatch switch\n");
    style("src/util/x.c", f, NULL);
    style("src/util/y.c", f, "src/util/y.c:2: f has 78 lines");
    style("src/util/y.c", HEAD,
          "tools/limits.allow:2: f in src/util/x.c is within the usual limit");
    hosttest_file("tools/limits.allow", "src/util/x.c f 200 a dispatch switch\n");
    style("src/util/x.c", g, "src/util/x.c:2: f has 108 lines; the limit is 100");
    hosttest_file("tools/limits.allow", "src/util/x.c f 80\n");
    style("src/util/x.c", f, "tools/limits.allow:1: an entry is");
    hosttest_file("tools/limits.allow", "src/util/x.c - 900 a table\n");
    style("src/util/x.c", repeat("\n", 850, HEAD, ""), NULL);
    style("src/util/x.c", repeat("\n", 900, HEAD, ""), "901 lines; the limit is 900");
    hosttest_remove("tools/limits.allow");
}

static void bans(const char *path, const char *call)
{
    char *content = host_format(HEAD "int f(void)\n{\n    %s;\n}\n", call);
    char *message = host_format("%s:4: %.*s is banned here", path, (int)strcspn(call, "("), call);
    style(path, content, message);
    free(content);
    free(message);
}

static void allows(const char *path, const char *code)
{
    char *content = host_format(HEAD "int f(void)\n{\n    %s;\n}\n", code);
    style(path, content, NULL);
    free(content);
}

static void test_words(void)
{
    bans("src/util/x.c", "strcpy(a, b)");
    bans("tools/x.c", "strcpy(a, b)");
    bans("src/http/x.c", "malloc(1)");
    bans("src/http/x.c", "free(a)");
    bans("src/engine/x.c", "printf(a)");
    bans("src/http/x.c", "exit(1)");
    bans("src/http/x.c", "open(a, 1)");
    bans("src/http/x.c", "assert(a)");
    bans("src/http/x.c", "strtol(a, b, 1)");
    bans("src/sys/x.c", "signal(a, b)");
    allows("src/util/x.c", "malloc(1)");
    allows("src/cli/x.c", "printf(a), exit(1)");
    allows("src/sys/x.c", "open(a, 1), free(a)");
    allows("src/util/x_test.c", "printf(a), malloc(1), open(a, 1)");
    allows("tools/x.c", "printf(a), malloc(1), exit(1)");
    allows("src/http/x.c", "a.open(1), a->read(2), a->b.free(3)");
    allows("src/http/x.c", "a = \"strcpy(a)\" /* strcpy(a) */");
    allows("src/http/x.c", "my_malloc(1), malloc_usable(2), &open, openx(1)");
    allows("src/http/x.c", "T t = {.read = x_read}");
    style("src/http/x.c", HEAD "static int read(int a)\n{\n}\nint f(void)\n{\n    read(1);\n}\n",
          NULL);
    style("src/http/x.c", HEAD "int f(int (*write)(int))\n{\n    write(1);\n}\n", NULL);
    style("src/http/x.h", "#pragma once\nstruct x { int (*open)(int); void (*free)(void *); };\n",
          NULL);
}

static void test_comments(void)
{
    style("src/util/x.c", "int a;\n", "src/util/x.c:1: the first line should say");
    style("src/util/x.c", "", "src/util/x.c:1: the first line should say");
    style("src/util/x.h", "int a;\n", "src/util/x.h:1: no #pragma once");
    style("src/util/x.c", "/* Generated by tools/x. */\n", "src/util/x.c:1: a generated file");
    style("src/util/x.c", HEAD "int a; // TODO: b\n", "src/util/x.c:2: TODO without an issue");
    style("src/util/x.c", HEAD "/* a\n * FIXME b */\n", "src/util/x.c:3: FIXME without an issue");
    style("src/util/x.c", HEAD "// TODO(#12): b\n", NULL);
    style("src/util/x.c", HEAD "/* A test that is marked TODO is not run. */\n", NULL);
    style("src/util/x.c", HEAD "char a[] = \"TODO\";\n", NULL);
    style("src/util/x.c", HEAD "#if 0\nint a;\n#endif\n", "src/util/x.c:2: code that is switched");
    style("src/util/x.c", HEAD "// a = b + 1;\n", "src/util/x.c:2: commented-out code");
    style("src/util/x.c", HEAD "// f(a);\n// g(b);\n", "src/util/x.c:2: commented-out code");
    style("src/util/x.c", HEAD "/* a->b[1] = 2; */\n", "src/util/x.c:2: commented-out code");
    style("src/util/x.c", HEAD "// if (a) {\n// f(b);\n", "src/util/x.c:2: commented-out code");
    style("src/util/x.c", HEAD "// For example:\n// f(a);\n", NULL);
    style("src/util/x.c", HEAD "/* Use it so:\n *   f(a);\n */\n", NULL);
    style("src/util/x.c", HEAD "int a; // f(a);\n", NULL);
    style("src/util/x.c", HEAD "// Frees `a` (twice is fine);\n", NULL);
    style("src/util/x.c", HEAD "/* return what is left, or 0; */\n", NULL);
}

static void test_names(void)
{
    Text out = {0};
    hosttest_file("src/util/x.c", HEAD);
    style("src/http/x.c", HEAD, "src/util/x.c:1: file name is taken by src/http/x.c");
    style("src/http/x_test.c", HEAD, NULL);
    style("src/builtins/node/x/x.c", HEAD, NULL);
    hosttest_remove("src/util/x.c");
    hosttest_file("build/x.c", "");
    hosttest_check(hosttest_run("git init -q . && git add -f build/x.c", &out) == 0, "git");
    style("src/util/x.c", HEAD, "build/x.c:1: a file that the build makes is in git");
    hosttest_run("rm -rf .git build", &out);
    free(out.p);
}

#define JS "src/builtins/node/x/x.js"

static void test_js(void)
{
    static const char *const heads[] = {
        "function f() {\n",       "const f = function () {\n", "exports.f = async (a) => {\n",
        "class A { f(a, b) {\n",  "x = { f: (a) => {\n",       "x = { async *f() {\n",
        "x = `${function f() {\n"};
    static const char *const tails[] = {"}\n",    "};\n",   "};\n",  "} }\n",
                                        "} };\n", "} };\n", "}}`;\n"};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        style(JS, repeat("a;\n", 58, heads[i], tails[i]), NULL);
        style(JS, repeat("a;\n", 59, heads[i], tails[i]), "x.js:1: function f has 61 lines");
    }
    style(JS, repeat("a;\n", 99, "if (a) {\n", "}\n"), NULL);
    style(JS, repeat("a;\n", 99, "for (const a of b) {\n", "} else {\n}\n"), NULL);
    style(JS, repeat("f() {}\n", 99, "class A {\n", "}\n"), NULL);
    style(JS, repeat("a: 1,\n", 99, "x = {\n", "};\n"), NULL);
    style(JS, repeat("a;\n", 600, "a;\n", ""), "x.js:1: 601 lines; the limit is 600");
    style(JS, "x = 1;\ny = '\xc3\xa4';\n", "x.js:2: not ASCII");
    style(JS, "x = eval('1');\n", "x.js:1: eval is banned");
    style(JS, "x.eval(1);\nx = 'eval(1)';\nfunction eval(x) {}\n", NULL);
    style(JS, "// const x = f(y);\n// f(x);\n", NULL);
    style(JS, "// x = f(y);\n", "x.js:1: commented-out code");
    style(JS, "// Like this:\n// x = f(y);\n", NULL);
    style(JS, "a; // f(x);\n", NULL);
    style(JS, "// TODO: x\n", "x.js:1: TODO without an issue");
    style(JS, "f(;\n", "x.js:1: bracket without a closing one");
    style("src/builtins/node/x/x.test.js", "\t \n// TODO\n\xc3\xa4\n", NULL);
}

/* ---- layers ---- */

static int run_layers(Text *ret)
{
    char *command = host_format("'%s/check_layers' build/stamps %s -Isrc", folder, cc);
    int code = hosttest_run(command, ret);
    free(command);
    return code;
}

static void layers(const char *path, const char *content, const char *message)
{
    Text out = {0};
    hosttest_file(path, content);
    int code = run_layers(&out);
    if (message) {
        hosttest_check(code == 1, message);
        hosttest_has(&out, message);
    } else if (!hosttest_check(code == 0 && strstr(out.p, " 0 findings"), content)) {
        (void)printf("  ... but: %s\n", out.p);
    }
    hosttest_remove(path);
    free(out.p);
}

static void write_layers(void)
{
    hosttest_file("src/LAYERS", "# comment\nutil - -\nsys sys_ util\nhttp http_ ws_ util\n"
                                "engine js_ util\nbuiltins - all\ncli cli_ all\n");
    hosttest_file("src/main.c", "#include \"cli/cli.h\"\n");
    hosttest_file("src/util/str.h", "#pragma once\nint str_len(int x);\n");
    hosttest_file("src/sys/sys.h", "#pragma once\n#include \"util/str.h\"\n#include <fcntl.h>\n");
    hosttest_file("src/http/http.h", "#pragma once\n");
    hosttest_file("src/http/ws.h", "#pragma once\n");
    hosttest_file("src/http/h1.h", "#pragma once\n");
    hosttest_file("src/http/h1.c", "#include \"http/h1.h\"\n");
    hosttest_file("src/engine/js.h", "#pragma once\n");
    hosttest_file("src/engine/js_x.c", "#include <JavaScriptCore/JavaScript.h>\n");
    hosttest_file("src/cli/cli.h", "#pragma once\n");
    hosttest_file("src/builtins/builtins.h", "#pragma once\n#include \"engine/js.h\"\n");
    hosttest_file("src/builtins/node/fs/fs.h", "#pragma once\n");
    hosttest_file("src/builtins/node/fs/fs_x.h", "#pragma once\n");
    hosttest_file("build/gen/http/table.h", "");
}

static void test_includes(void)
{
    layers("src/http/x.c", "#include \"util/str.h\"\n#include \"http/h1.h\"\n", NULL);
    layers("src/http/x.c", "#include \"http/table.h\"\n", NULL);
    layers("src/http/x.c", "\n#include \"sys/sys.h\"\n",
           "src/http/x.c:2: http may not include \"sys");
    layers("src/util/x.c", "#include \"http/http.h\"\n", "src/util/x.c:1: util may not include");
    layers("src/cli/x.c", "#include \"http/http.h\"\n#include \"http/ws.h\"\n", NULL);
    layers("src/cli/x.c", "#include \"http/h1.h\"\n", "src/cli/x.c:1: \"http/h1.h\" is private");
    layers("src/cli/x.c", "#include \"http/no.h\"\n",
           "src/cli/x.c:1: \"http/no.h\" does not exist");
    layers("src/http/x.c", "#include \"h1.h\"\n", "src/http/x.c:1: write \"http/h1.h\"");
    layers("src/http/x.c", "#include \"http/h1.c\"\n",
           "src/http/x.c:1: \"http/h1.c\": only its test");
    layers("src/http/h1_test.c", "#include \"h1.c\"\n", NULL);
    layers("src/http/h1_test.c", "#include \"http/h1.c\"\n", NULL);
    layers("src/other/x.c", "", "src/other/x.c:1: its folder is not in src/LAYERS");
    layers("src/http/x.c", "// #include \"sys/sys.h\"\nchar *a = \"\\\n#include <fcntl.h>\";\n",
           NULL);
    layers("src/builtins/node/fs/x.c", "#include \"builtins/node/fs/fs_x.h\"\n", NULL);
    layers("src/builtins/node/os/x.c",
           "#include \"builtins/builtins.h\"\n#include \"builtins/node/fs/fs.h\"\n", NULL);
    layers("src/builtins/node/os/x.c", "#include \"builtins/node/fs/fs_x.h\"\n",
           "src/builtins/node/os/x.c:1: \"builtins/node/fs/fs_x.h\" is private");
}

static void test_system(void)
{
    layers("src/http/x.c", "#include <JavaScriptCore/JavaScript.h>\n", "only engine/ knows");
    layers("src/http/x.c", "#include <fcntl.h>\n", "src/http/x.c:1: <fcntl.h>: only sys/");
    layers("src/http/x.c", "#include <sys/socket.h>\n", "only sys/, loop/ and net/ touch sockets");
    layers("src/http/x.c", "#include <string.h>\n#include <pthread.h>\n#include <errno.h>\n", NULL);
    layers("src/http/x_test.c", "#include <fcntl.h>\n", NULL);
}

static void test_headers(void)
{
    layers("src/http/x.h", "#pragma once\nFoo x;\n", "src/http/x.h:1: does not compile alone");
    layers("src/http/x.h", "#pragma once\n#include \"http/y.h\"\n", "\"http/y.h\" does not exist");
    hosttest_file("src/http/y.h", "#pragma once\n#include \"http/x.h\"\n");
    layers("src/http/x.h", "#pragma once\n#include \"http/y.h\"\n", "which includes it: a circle");
    layers("src/http/x.h", "#pragma once\ntypedef int X;\n", NULL);
    layers("src/http/x.h", "#pragma once\nFoo x;\n", "src/http/y.h:1: does not compile alone");
    hosttest_remove("src/http/y.h");
}

static void test_stamps(void)
{
    Text out = {0};
    hosttest_check(run_layers(&out) == 0, "the tree is good");
    char *command = host_format("'%s/check_layers' build/stamps no-such-compiler", folder);
    hosttest_check(hosttest_run(command, &out) == 0, "what was good is not compiled again");
    hosttest_run("touch src/util/str.h", &out);
    hosttest_check(hosttest_run(command, &out) == 2, "what changed is");
    hosttest_has(&out, "cannot run no-such-compiler");
    free(command);
    free(out.p);
}

static void test_prefixes(void)
{
    layers("src/http/x.h", "#pragma once\nint send_it(int x);\n",
           "src/http/x.h:2: send_it: a public function of http/ starts with http_");
    layers("src/http/x.h",
           "#pragma once\nint http_a(int x);\nint *ws_b(int);\nint x_c(int x) "
           "__attribute__((cold));\n"
           "typedef int fn(int x);\nstruct s { int (*f)(int); int (g); };\n"
           "#define M(a) f(a)\nstatic inline int z(int x) { return (x); }\nint is_x(int a);\n"
           "void Http_deinit(int x);\nextern int (*hook)(int x);\n",
           NULL);
    layers("src/util/x.h", "#pragma once\nint whatever(int x);\n", NULL);
}

static void test_layers_file(void)
{
    layers("src/LAYERS", "util - http\nhttp http_ util\n",
           "src/LAYERS:1: util may include http only");
    layers("src/LAYERS", "util - -\nutil - -\n", "src/LAYERS:2: util stands here twice");
}

int main(int argc, char **argv)
{
    if (argc != 3) host_die("usage: check_test FOLDER CC");
    folder = realpath(argv[1], NULL);
    cc = argv[2];
    if (!folder) host_die("%s: not found", argv[1]);
    hosttest_begin();
    test_lines();
    test_functions();
    test_nesting();
    test_limits();
    test_words();
    test_comments();
    test_names();
    test_js();
    Text out = {0};
    hosttest_run("rm -rf src tests tools", &out);
    write_layers();
    test_includes();
    test_system();
    test_headers();
    test_stamps();
    test_prefixes();
    test_layers_file();
    return hosttest_end();
}
