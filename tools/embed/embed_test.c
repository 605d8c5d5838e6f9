/* tools/embed/embed_test.c -- `embed_test EMBED CC` runs embed over small trees of built-ins. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "embed/hosttest.h"
#include "embed/jsstrip.h"

static const char *embed, *cc;

static int run_embed(Text *ret)
{
    char *command = host_format("'%s' b out.c out.texts", embed);
    int code = hosttest_run(command, ret);
    free(command);
    return code;
}

/* ---- stripping ---- */

static void strips(const char *source, const char *want)
{
    JsLex lex;
    Text out = {0};
    bool ok = js_strip(&lex, source, strlen(source), &out);
    if (hosttest_check(ok && !strcmp(out.p, want), source)) return;
    (void)printf("  got %s: %s\n", ok ? "" : lex.error, out.p);
}

static void refuses(const char *source, unsigned line)
{
    JsLex lex;
    Text out = {0};
    hosttest_check(!js_strip(&lex, source, strlen(source), &out) && lex.line == line, source);
}

static void test_comments(void)
{
    strips("", "");
    strips("a; // b\n  c;\n", "a;\nc;");
    strips("a /* b */ c", "a c");
    strips("a/**/b", "a b");
    strips("return /* x\n y */ 1", "return\n1");
    strips("  /* x */ a", "a");
    strips("/*\n\n*/a", "\n\na");
    strips("a\n\n\n\tb", "a\n\n\nb");
    strips("a  +\t b  \n c", "a + b\nc");
    strips("a + /* 1 */ + b", "a + + b");
}

static void test_strings(void)
{
    strips("x = '  // no';", "x = '  // no';");
    strips("x = \"/* \\\" */\"; // y", "x = \"/* \\\" */\";");
    strips("x = 'a\\\n   b';", "x = 'a\\\n   b';");
    strips("x = `a\n   // b\n  ${ /* c */ d\n   + `\n  e` } f`",
           "x = `a\n   // b\n  ${ d\n+ `\n  e` } f`");
    strips("x = `${{a: {}}}  ` // y", "x = `${{a: {}}}  `");
    strips("x = `\\${ // `;", "x = `\\${ // `;");
    strips("x = `\\`  // `;", "x = `\\`  // `;");
}

static void test_slashes(void)
{
    strips("x = a / b / c; // d", "x = a / b / c;");
    strips("x = /[/'\"]\\/  `/g; // d", "x = /[/'\"]\\/  `/g;");
    strips("return /'/.test(a) // b", "return /'/.test(a)");
    strips("if (a) /'/.test(b) // c", "if (a) /'/.test(b)");
    strips("x = f(a) / 2 // '", "x = f(a) / 2");
    strips("x = a[1] / 2 // '", "x = a[1] / 2");
    strips("x = a.return / 2 // '", "x = a.return / 2");
    strips("x = a.if(b) / 2 // '", "x = a.if(b) / 2");
    strips("x = a++ / 2 // '", "x = a++ / 2");
    strips("x = a ? /'/ : b; // c", "x = a ? /'/ : b;");
    strips("x = a?.5:/'/; // c", "x = a?.5:/'/;");
    strips("x = 1e-5 / 2 // '", "x = 1e-5 / 2");
    strips("x = this.#a / 2 // '", "x = this.#a / 2");
    strips("for await (a of b) /'/.test(a) // c", "for await (a of b) /'/.test(a)");
    strips("a /= 2 // '", "a /= 2");
    /* not sure: nothing is taken out */
    strips("{}\n  /a/.test(b) // c", "{}\n  /a/.test(b) // c");
    strips("x = {} / 2 // c", "x = {} / 2 // c");
}

static void test_refusals(void)
{
    refuses("a\n'b\n", 2);
    refuses("a\n/* b\n", 2);
    refuses("\n\n(a\nb", 3);
    refuses("(a\n]", 2);
    refuses("a\n}", 2);
    refuses("x = `a\n${b}", 2);
    refuses("x = /a\n/", 1);
    refuses("a <!-- b", 1);
}

/* ---- the table ---- */

static const char reader[] =
    "#include \"builtins/builtins.h\"\n"
    "#include <stdio.h>\n"
    "const JsFnTable node_os_native = {7}, node_child_process_native = {8};\n"
    "int main(void) {\n"
    "  const char *t = builtin_text;\n"
    "  for (u32 i = 0; i < builtin_count; i++) {\n"
    "    const BuiltinEntry *e = &builtin_entries[i];\n"
    "    int n = e->native_idx == 0xffff ? 0 : builtin_natives[e->native_idx]->x;\n"
    "    printf(\"%s|%s|%d|%d|%d%d%d\\n%s\\n\", t + e->id_off, t + e->path_off, n, e->flags,\n"
    "      t[e->id_off + e->id_len], t[e->path_off + e->path_len], t[e->src_off + e->src_len],\n"
    "      t + e->src_off); }\n"
    "  for (u32 i = 0; i < builtin_globals_count; i++) {\n"
    "    const BuiltinGlobal *g = &builtin_globals[i];\n"
    "    printf(\"%s(%d)=%s(%d) of %s\\n\", t + g->name_off, g->name_len, t + g->export_off,\n"
    "      g->export_len, t + builtin_entries[g->entry].id_off); }\n"
    "  return 0; }\n";

static const char interface[] =
    "#pragma once\n"
    "#include \"engine/js.h\"\n"
    "#include <stdint.h>\n"
    "typedef uint32_t u32; typedef uint16_t u16;\n"
    "typedef struct { u32 id_off, id_len, src_off, src_len, path_off, path_len;\n"
    "  u16 native_idx, flags; uint64_t src_hash; } BuiltinEntry;\n"
    "typedef struct { u32 name_off, export_off; u16 name_len, export_len, entry; } BuiltinGlobal;\n"
    "extern const BuiltinEntry builtin_entries[]; extern const u32 builtin_count;\n"
    "extern const char builtin_text[]; extern const JsFnTable *const builtin_natives[];\n"
    "extern const BuiltinGlobal builtin_globals[]; extern const u32 builtin_globals_count;\n";

static void read_table(Text *ret)
{
    hosttest_file("inc/builtins/builtins.h", interface);
    hosttest_file("inc/engine/js.h", "#pragma once\ntypedef struct { int x; } JsFnTable;\n");
    hosttest_file("reader.c", reader);
    char *command = host_format("%s -Wall -Wextra -Werror -Iinc out.c reader.c -o r && ./r", cc);
    hosttest_check(hosttest_run(command, ret) == 0, "the table compiles without warnings");
    free(command);
}

static void test_empty(void)
{
    Text out = {0}, table = {0};
    hosttest_check(run_embed(&out) == 0, "no built-ins at all");
    read_table(&table);
    hosttest_check(table.len == 0, "an empty table");
}

static void write_tree(void)
{
    hosttest_file("b/node/os/os.js", "// node:os\n// @global os=* EOL\n  exports.EOL = \"\\n\";\n");
    hosttest_file("b/node/os/os.c", "");
    hosttest_file("b/node/os/os_linux.c", "");
    hosttest_file("b/node/os/os.test.js", "require(\"not/embedded\")");
    hosttest_file("b/node/os/fixtures/x.js", "this is not JavaScript '");
    hosttest_file("b/node/child_process.js", "");
    hosttest_file("b/node/child_process.c", "");
    hosttest_file("b/node/fs/promises.js", "x = require('node:os') + a.require(y);\n");
    hosttest_file("b/node/fs/fs.js", "class A { require(x) { } };\nfunction require(x) { }");
    hosttest_file("b/bun/ffi/ffi.js", "/* @internal */");
    hosttest_file("b/bun/ffi/parts.js", "// @internal");
    hosttest_file("b/internal/errors/errors.js", "a = `\n  \"\\u0041\t?"
                                                 "?/`");
    hosttest_file("b/web/url/url.js",
                  "// @global URL URLSearchParams b=c\n// x @global no\nvar x;");
    hosttest_file("b/builtins.c", "");
}

static void test_tree(void)
{
    Text out = {0}, table = {0}, again = {0};
    write_tree();
    hosttest_check(run_embed(&out) == 0 && !out.len, "a good tree");
    read_table(&table);
    hosttest_has(&table, "bun:ffi|bun/ffi/ffi.js|0|0|000\n");
    hosttest_has(&table, "bun:ffi/parts|bun/ffi/parts.js|0|1|000\n");
    hosttest_has(&table, "internal/errors|internal/errors/errors.js|0|1|000\n"
                         "(function (exports, require, native) {'use strict';"
                         "a = `\n  \"\\u0041\t?"
                         "?/`\n})\n");
    hosttest_has(&table, "node:child_process|node/child_process.js|8|0|000\n");
    hosttest_has(&table, "node:fs|node/fs/fs.js|0|0|000\n");
    hosttest_has(&table, "node:fs/promises|node/fs/promises.js|0|0|000\n");
    hosttest_has(&table, "node:os|node/os/os.js|7|0|000\n"
                         "(function (exports, require, native) {'use strict';\n\n"
                         "exports.EOL = \"\\n\";\n})\n"
                         "web/url|web/url/url.js|0|1|000\n");
    hosttest_has(&table, "EOL(3)=EOL(3) of node:os\nURL(3)=URL(3) of web/url\n"
                         "URLSearchParams(15)=URLSearchParams(15) of web/url\n"
                         "b(1)=c(1) of web/url\nos(2)=(0) of node:os\n");
    hosttest_lacks(&table, "fixtures");
    hosttest_lacks(&table, "test.js");
    hosttest_run("cat out.texts", &again);
    hosttest_has(&again, "(function (exports, require, native) {'use strict';\n\n"
                         "var x;\n})");
    hosttest_run("cp out.c first.c; cp out.texts first.texts", &again);
    run_embed(&again);
    hosttest_check(hosttest_run("cmp first.c out.c && cmp first.texts out.texts", &again) == 0,
                   "the same output every time");
}

static void fails_with(const char *path, const char *content, const char *message)
{
    Text out = {0};
    hosttest_file(path, content);
    hosttest_check(run_embed(&out) == 1, message);
    hosttest_has(&out, message);
    hosttest_remove(path);
}

static void test_errors(void)
{
    Text out = {0};
    fails_with("b/node/x.js", "\nx = 'a\xc3\xa4';\n", "b/node/x.js:2: not a printable ASCII");
    fails_with("b/node/x.js", "x\r\n", "b/node/x.js:1: not a printable ASCII");
    fails_with("b/node/x.js", "\n\nrequire('node:nope')", "x.js:3: require('node:nope'): no such");
    fails_with("b/node/x.js", "require('node:o')", "x.js:1: require('node:o'): no such");
    fails_with("b/node/x.js", "\nrequire(x)", "b/node/x.js:2: require takes one string literal");
    fails_with("b/node/x.js", "require('a' + 'b')", "x.js:1: require takes one string literal");
    fails_with("b/node/x.js", "require()", "b/node/x.js:1: require takes one string literal");
    fails_with("b/node/x.js", "if (x) {\n})", "b/node/x.js:2: closing bracket without an opening");
    fails_with("b/node/os.js", "", "b/node/os/os.js:1: \"node:os\" is already node/os.js");
    fails_with("b/node/x.js", "// @global URL",
               "url.js:1: global \"URL\" is already made by node/x.js");
    fails_with("b/other/x.js", "", "b/other/x.js:1: a built-in belongs in");
    fails_with("b/x.js", "", "b/x.js:1: a built-in belongs in");
    fails_with("b/node/x.js", "// @globals A", "b/node/x.js:1: the directive is called @global");
    fails_with("b/node/x.js",
               "// @global A=", "x.js:1: @global: the name of the export is missing");
    hosttest_check(run_embed(&out) == 0, "the tree is good again");
}

int main(int argc, char **argv)
{
    if (argc != 3) host_die("usage: embed_test EMBED CC");
    embed = realpath(argv[1], NULL);
    cc = argv[2];
    if (!embed) host_die("%s: not found", argv[1]);
    hosttest_begin();
    test_comments();
    test_strings();
    test_slashes();
    test_refusals();
    test_empty();
    test_tree();
    test_errors();
    return hosttest_end();
}
