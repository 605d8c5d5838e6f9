/* syntax/rename_test.c -- short names, and who keeps theirs. */
#include "syntax/rename.h"

#include "syntax/print.h"
#include "syntax/test_transpile.h"

static const TranspileOptions module = {.parse = {.goal = GOAL_MODULE, .jsx = true},
                                        .minify_identifiers = true,
                                        .minify_whitespace = true};
static const TranspileOptions script = {.parse = {.goal = GOAL_SCRIPT},
                                        .minify_identifiers = true,
                                        .minify_whitespace = true,
                                        .top_is_global = true};

#define MODULE(text, want) CHECK_TRANSPILED(text, &module, want)
#define SCRIPT(text, want) CHECK_TRANSPILED(text, &script, want)

TEST(rename_locals)
{
    MODULE("let first = 1; f(first)", "let t=1;f(t);");
    MODULE("function sum(one, two) { const out = one + two; return out }",
           "function u(o,t){const n=o+t;return n}");
    MODULE("let e = t; e", "let e=t;e;");
}

TEST(rename_slots_are_shared_by_scopes_beside_each_other)
{
    MODULE("(aa => aa)(bb => bb)", "(a=>a)(a=>a);");
    MODULE("aa => bb => aa + bb", "a=>b=>a+b;");
}

TEST(rename_keeps_what_others_see)
{
    MODULE("export let a1 = 1; export function b1() {} export default class c1 {}",
           "export let a1=1;export function b1(){}export default class c1{}");
    MODULE("let a1 = 1; export { a1, a1 as b1 }", "let a1=1;export{a1,a1 as b1};");
    MODULE("import a1, { b1, c1 as d1 } from 'x'; a1(b1, d1)",
           "import a,{b1 as r,c1 as o}from\"x\";a(r,o);");
    MODULE("let a1 = 1, o = { a1, b1: a1, c: o.a1 }; ", "let a=1,o={a1:a,b1:a,c:o.a1};");
    MODULE("let { a1, b1: c1, ...d1 } = x; f(a1, c1, d1)", "let{a1:a,b1:c,...d}=x;f(a,c,d);");
    SCRIPT("var top1; function f1(arg1) { return arg1 + top1 }",
           "var top1;function f1(r){return r+top1}");
}

TEST(rename_stays_out_of_the_way_of_eval_and_with)
{
    MODULE("function f1(a1) { return eval('a1') } f1(b1 => b1)",
           "function f1(a1){return eval(\"a1\")}f1(n=>n);");
    SCRIPT("function f1(a1) { with (a1) return b1 }", "function f1(a1){with(a1)return b1}");
}

TEST(rename_annex_b)
{
    SCRIPT("function f() { { function gg() {} } return gg }",
           "function f(){{function gg(){}}return gg}");
    SCRIPT("function f() { try {} catch (ee) { var ee = 1; } return ee }",
           "function f(){try{}catch(ee){var ee=1}return ee}");
    SCRIPT("function f() { 'use strict'; { function gg() {} gg() } }",
           "function f(){'use strict';{function t(){}t()}}");
}

/* Names that minifying removed are none of the new table of symbols. */
TEST(rename_keeps_names_of_functions)
{
    static const TranspileOptions keep = {.parse = {.goal = GOAL_MODULE},
                                          .minify_identifiers = true,
                                          .keep_names = true,
                                          .minify_whitespace = true};
    CHECK_TRANSPILED("function sum(one) { const two = () => 1, three = two; return three(one) }",
                     &keep, "function sum(e){const two=()=>1,t=two;return t(e)}");
    CHECK_TRANSPILED(
        "let one = class {}, two = class three {}, four; four = function () {}; "
        "var [five = () => 1, six = two] = four",
        &keep, "let one=class{},o=class three{},four;four=function(){};var[five=()=>1,e=o]=four;");
}

TEST(rename_catch_parameters)
{
    SCRIPT("try{a()}catch(error){b(error)}", "try{a()}catch(r){b(r)}");
}

TEST(rename_after_names_went)
{
    static const TranspileOptions all = {.parse = {.goal = GOAL_AUTO, .ts = true},
                                         .minify_syntax = true,
                                         .minify_identifiers = true,
                                         .minify_whitespace = true};
    CHECK_TRANSPILED("(a) => 1", &all, "");
    CHECK_TRANSPILED("if (0) { let a, b, c; a(b, c) } x => x; y", &all, "y;");
}

TEST(rename_many_names_are_different)
{
    AUTO(Buf) b = {0};
    for (u32 i = 0; i < 400; i++) buf_fmt(&b, "let name_%u=%u;", i, i);
    Str out = transpiled(b.p, &module);
    StrMap seen = {0};
    AUTO(Arena) a = {0};
    Str piece, rest = out;
    u32 n = 0;
    while (str_next(&rest, ';', &piece)) {
        Str name, value;
        if (!str_cut(piece, '=', &name, &value)) continue;
        bool is_new;
        (void)str_map_put(&a, &seen, str_dup(&a, name), &is_new);
        CHECK(is_new);
        CHECK(name.n <= 6);
        n++;
    }
    CHECK_INT(n, 400);
}

/* ---- Several files ---- */

typedef struct {
    Arena arena;
    Interner atoms;
    Source source;
    Ast ast;
    Bindings bindings;
} File;

static void file_init(File *f, const char *text)
{
    static const ParseOptions o = {.goal = GOAL_MODULE};
    Log log;
    f->source = (Source){S("/x"), lex_pad(&f->arena, str_z(text))};
    log_init(&log, &f->arena);
    interner_init(&f->atoms, &f->arena, 0);
    lex_seed(&f->atoms);
    ast_init(&f->ast, &f->source, &f->atoms);
    CHECK(parse(&f->ast, &f->arena, &o, &log) &&
          scope_bind(&f->ast, &o, &f->arena, &log, &f->bindings));
}

static SymbolId symbol_named(const File *f, Str name)
{
    for (SymbolId i = 1; i < f->bindings.symbols.len; i++)
        if (str_eq(atom_str(&f->atoms, symbol_get(&f->bindings, i)->name), name)) return i;
    return 0;
}

static void check_print(File *f, const char *want)
{
    AUTO(Buf) out = {0};
    PrintOptions po = {.minify_whitespace = true};
    CHECK(print_ast(&f->ast, &po, &out, NULL));
    if (!str_eq(buf_str(&out), str_z(want)))
        test_fail_str(__FILE__, __LINE__, buf_str(&out), str_z(want));
}

static void with_files(bool minify, const char *const *texts, const char *const *wants)
{
    AUTO(Arena) a = {0};
    static File files[2];
    Renamer r;
    renamer_init(&r, &a);
    for (u32 i = 0; i < 2; i++) {
        files[i] = (File){0};
        file_init(&files[i], texts[i]);
        (void)renamer_add(&r, &files[i].ast, &files[i].bindings, false);
    }
    SymbolId import = symbol_named(&files[1], S("imported"));
    if (import) renamer_link(&r, 1, import, 0, symbol_named(&files[0], S("value")));
    if (minify)
        renamer_minify(&r);
    else
        renamer_separate(&r);
    renamer_apply(&r);
    for (u32 i = 0; i < 2; i++) {
        check_print(&files[i], wants[i]);
        Ast_deinit(&files[i].ast);
        arena_deinit(&files[i].arena);
    }
}

TEST(rename_separates_files)
{
    static const char *const texts[] = {
        "let value=1,twice=2;free(twice);",
        "import{value as imported}from\"x\";let twice=imported;value=>imported+value+twice;"};
    static const char *const wants[] = {
        "let value2=1,twice=2;free(twice);",
        "import{value as value2}from\"x\";let twice2=value2;value=>value2+value+twice2;"};
    with_files(false, texts, wants);
}

TEST(rename_minifies_files_together)
{
    static const char *const texts[] = {
        "let value=1;value;",
        "import{value as imported}from\"x\";let own=imported;a1=>a1+own+imported;"};
    static const char *const wants[] = {"let e=1;e;",
                                        "import{value as e}from\"x\";let t=e;o=>o+t+e;"};
    with_files(true, texts, wants);
}
