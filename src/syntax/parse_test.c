/* syntax/parse_test.c -- the grammar: what is accepted and what it becomes when printed. */
#include "syntax/test_syntax.h"

#include "util/mem.h"

TEST(parse_statements_round_trip)
{
    CHECK_SAME("if(a)b;else if(c)d;else{e}", JS);
    CHECK_SAME("for(var i=0,j=(\"x\"in y);;)z:while(1){continue z}", JS);
    CHECK_SAME("for(const x of y)a;for(x.y in z)b;", JS);
    CHECK_SAME("switch(x){case 1:a();break;default:b()}", JS);
    CHECK_SAME("try{a}catch{b}finally{c}", JS);
    CHECK_SAME("do x++;while(x<5);", JS);
    CHECK_SAME("class A extends (B,C){static #p=1;get x(){return this.#p}static{f()}}", JS);
    CHECK_SAME("async function f(){for await(const x of y)await x}", JS);
    CHECK_SAME("function*g(){yield*a;yield}", JS);
    CHECK_SAME("label:for(;;)break label;", JS);
}

TEST(parse_expressions_round_trip)
{
    CHECK_SAME("a?b:c?d:e;", JS);
    CHECK_SAME("(a,b)=>({...a,b});", JS);
    CHECK_SAME("async x=>await x;", JS);
    CHECK_MIN("f(function(){return\xe2\x80\xa8 1});", JS, "f(function(){return;1});");
    CHECK_SAME("(a?.b).c;a?.b.c;a?.[0]?.(1);", JS);
    CHECK_SAME("new (a())(b);new a.b();", JS);
    CHECK_SAME("(-1)**2;2**-1;(a**b)**c;a**b**c;", JS);
    CHECK_SAME("(a??b)||c;a&&b||c;", JS);
    CHECK_SAME("({a}=b);[a,b]=[b,a];", JS);
    CHECK_SAME("(function(){})();({}).x;(class{}).x;", JS);
    CHECK_SAME("`a${b}c${`d`}`;t`x`;", JS);
    CHECK_SAME("- -a;+ +a;a- -b;a+ ++b;", JS);
    CHECK_SAME("/a[/]b/g.test(c);", JS);
    CHECK_SAME("import(\"x\").then(y);", JS);
    CHECK_MIN("x='a\"b';y='it\\'s';", JS, "x='a\"b';y=\"it's\";");
}

TEST(parse_modules)
{
    CHECK_SAME("import a,{b as c}from\"x\";import*as d from\"y\"with{type:\"json\"};export{c};",
               JS);
    CHECK_SAME("export default class{}", JS);
    CHECK_SAME("export*from\"x\";export*as a from\"x\";", JS);
    CHECK_SAME("await x;", JS);
    CHECK_SAME("function await(){}await(x);", JS);
    CHECK_SAME("import.meta.url;", JS);
    CHECK_ERROR("export {a};", MODULE);
    CHECK_ERROR("export let a; export {b as a}; let b", MODULE);
    CHECK_ERROR("import a from 'x'; let a;", MODULE);
    CHECK_ERROR("{ import a from 'x' }", MODULE);
    CHECK_ERROR("import a from 'x'", SCRIPT);
}

TEST(parse_early_errors)
{
    static const char *const bad[] = {
        "let a; let a",
        "let a; var a",
        "{ let a; { var a } }",
        "(a, a) => 1",
        "'use strict'; with (a) b",
        "'use strict'; 010",
        "function f(a = 1) { 'use strict' }",
        "break",
        "continue",
        "a: a: b",
        "for (let x of a, b);",
        "yield => { 'use strict' }",
        "({a = 1})",
        "({__proto__: 1, __proto__: 2})",
        "a?.b = 1",
        "new a?.b()",
        "a?.`x`",
        "class A { constructor() {} constructor() {} }",
        "class A { #a; #a }",
        "a.#b",
        "super.x",
        "new.target",
        "let let = 1",
        "const a",
        "for (let x = 1 of y);",
        "`\\u`",
        "1 = 2",
        "++a++",
        "async () => { for (await of x); }",
        "if (1) class C {}",
        "while (1) function f() {}",
        "delete this.#a",
        "a ?? b || c",
        "-1 ** 2",
        "let [a]",
        "({a: 1} = 1)",
        "function f() { break x }",
        "class A extends B { constructor() { super?.x } }",
        "({ get a(b) {} })",
        "import.meta",
        "async (x = await 1) => 1",
        "function* g(x = yield) {}",
        "/(/",
        "/a/gg",
        "x\n=> 1",
        "throw\n1",
        "[...a,] = b",
        "class A { static prototype() {} }",
        "enum",
        "@a b",
        "for await (x of y);",
        "return",
    };
    for (usize i = 0; i < COUNT(bad); i++) CHECK_ERROR(bad[i], SCRIPT);
}

TEST(parse_annex_b)
{
    CHECK_OK("<!-- x\nfor (var a = 1 in b);\n--> y", SCRIPT);
    CHECK_OK("if (1) function f() {} else function g() {}", SCRIPT);
    CHECK_OK("{ function f() {} function f() {} }", SCRIPT);
    CHECK_OK("try {} catch (e) { var e }", SCRIPT);
    CHECK_OK("try {} catch (e) { for (var e of []) ; for (var e in {}) ; }", SCRIPT);
    CHECK_ERROR("try {} catch ({ e }) { var e }", SCRIPT);
    CHECK_OK("a: function f() {}", SCRIPT);
    CHECK_OK("with (a) b", SCRIPT);
    CHECK_OK("var yield, await, let, static", SCRIPT);
    CHECK_ERROR("<!-- x", MODULE);
}

/* A function in a block is also a var, unless something between it and the body is in the way. */
TEST(parse_functions_in_blocks)
{
    static const char *const good[] = {
        "let f; { function f() {} }",
        "{ let f; { function f() {} } }",
        "{ let f; switch (1) { case 1: function f() {} } }",
        "for (let f of []) { function f() {} }",
        "for (let f;;) if (1) function f() {}",
        "try {} catch ({ f }) { { function f() {} } }",
        "try {} catch (f) { { function f() {} } } var f",
        "{ class f {} do { function f() {} } while (0) }",
        "function g() { { function f() {} } const f = 1; }",
        "const f = 1; a: { b: function f() {} }",
    };
    for (usize i = 0; i < COUNT(good); i++) CHECK_OK(good[i], SCRIPT);
    CHECK_ERROR("{ function f() {} var f }", SCRIPT);
    CHECK_ERROR("{ function f() {} let f }", SCRIPT);
    CHECK_ERROR("'use strict'; { function f() {} function f() {} }", SCRIPT);
}

TEST(parse_await_in_async_parameters)
{
    CHECK_ERROR("async (a = await => {}) => {}", SCRIPT);
    CHECK_ERROR("async (a = (await) => {}) => {}", SCRIPT);
    CHECK_OK("(a = await => {}) => {}", SCRIPT);
    CHECK_ERROR("switch (a) { case 0: using b = c }", SCRIPT);
    CHECK_SAME("/a/ instanceof b;/a/g in c;", SCRIPT);
}

TEST(parse_new_takes_no_import)
{
    CHECK_ERROR("new import(a)", JS);
    CHECK_ERROR("new import.source(a).b()", JS);
    CHECK_ERROR("new import.defer(a)", JS);
    CHECK_SAME("new (import(a))();new import.meta.b();", MODULE);
}

TEST(parse_calls_as_targets)
{
    CHECK_SAME("f()=g();", SCRIPT);
    CHECK_SAME("f()+=1;a.b()++;--(c?d:e)();", SCRIPT);
    CHECK_SAME("for(f()of[])a;for(f()in b)c;", SCRIPT);
    static const char *const bad[] = {
        "f() &&= 1",
        "f() ?\?= 1",
        "[f()] = a",
        "({ a: f() } = b)",
        "f?.() = 1",
        "new f() = 1",
        "f`` = 1",
        "import(a) = 1",
        "let f() = 1",
        "'use strict'; f() = 1",
        "'use strict'; f()++",
    };
    for (usize i = 0; i < COUNT(bad); i++) CHECK_ERROR(bad[i], SCRIPT);
    CHECK_ERROR("f() = 1", MODULE);
    CHECK_ERROR("f() = 1; export {}", JS);
}

TEST(parse_auto_goal_turns_to_module)
{
    CHECK_OK("var a = 010", JS);
    CHECK_ERROR("var a = 010; export {}", JS);
    CHECK_ERROR("with (a) b; await c", JS);
    CHECK_OK("var await = 1", JS);
}

TEST(parse_reports_several_errors)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Log log;
    Interner atoms;
    Source source = {S("t"), lex_pad(s.arena, S("let a = ;\nfoo(;\nlet b = 1;\nbar[;\n"))};
    Ast t;
    log_init(&log, s.arena);
    interner_init(&atoms, s.arena, 0);
    lex_seed(&atoms);
    ast_init(&t, &source, &atoms);
    CHECK(!parse(&t, s.arena, JS, &log));
    CHECK_INT(log.n_errors, 3);
    Ast_deinit(&t);
}

static void check_repeated(const char *part, u32 times, const char *tail, const ParseOptions *o)
{
    AUTO(Buf) b = {0};
    for (u32 i = 0; i < times; i++) buf_push(&b, str_z(part));
    buf_push(&b, str_z(tail));
    AUTO(Scratch) s = scratch_begin(NULL);
    static const LowerOptions none = {0};
    (void)syntax_run(buf_str(&b), o, &none, true);
    (void)s;
}

/* Nothing here may crash, overflow the stack or take more than a moment. */
TEST(parse_hostile_nesting_and_chains)
{
    static const char *const parts[] = {"(",       "[",       "{a:",    "{",
                                        "a<",      "<a>",     "!",      "a?",
                                        "a?b:",    "a=>",     "`${",    "new ",
                                        "async(",  "f(",      "a+",     "a.b.",
                                        "a,",      "-",       "if(a)",  "if(a){}else ",
                                        "a=",      "class{[", "()=>{",  "x?(a):",
                                        "<T>(",    "a<b<",    "a as ",  "type A=",
                                        "let a:(", "a**",     "yield ", "function f(a=",
                                        "import(", "a?.b("};
    for (usize i = 0; i < COUNT(parts); i++) {
        check_repeated(parts[i], 20000, "", JS);
        check_repeated(parts[i], 20000, "", TS);
        check_repeated(parts[i], 5000, "1", TSX);
    }
}

TEST(parse_long_chains_are_no_nesting)
{
    check_repeated("a+", 100000, "a", JS);
    AUTO(Buf) b = {0};
    buf_push(&b, S("a"));
    for (int i = 0; i < 30000; i++) buf_push(&b, S(".b(c)[d]"));
    for (int i = 0; i < 30000; i++) buf_push(&b, S("+a"));
    static const LowerOptions none = {0};
    CHECK(!str_starts(syntax_run(buf_str(&b), JS, &none, true), S("error")));
    buf_clear(&b);
    for (int i = 0; i < 30000; i++) buf_push(&b, S("if(a)b;else "));
    buf_push(&b, S("c"));
    CHECK(!str_starts(syntax_run(buf_str(&b), JS, &none, true), S("error")));
}
