/* engine/js_stack_test.c -- error.stack and what belongs to it. */
#include "engine/js_testing.h"

TEST(js_stack_has_v8s_form)
{
    if (!test_is_fast()) return;
    Js *js = test_js();
    CHECK_EVAL(js, "function foo() {\n  null.x\n}\ntry { foo() } catch (e) { e.stack }",
               "TypeError: null is not an object (evaluating 'null.x')\n"
               "    at foo (/app/test.js:2:7)\n"
               "    at /app/test.js:4:10");
    CHECK_EVAL(js, "class A { constructor() { this.e = new Error('a\\nb') } } new A().e.stack",
               "Error: a\nb\n    at new A (/app/test.js:1:45)\n    at /app/test.js:1:63");
    CHECK_EVAL(
        js, "[1].map(() => new Error().stack)[0].replace(/:\\d+:\\d+/g, '')",
        "Error\n    at <anonymous> (/app/test.js)\n    at map (native)\n    at /app/test.js");
    CHECK_EVAL(
        js,
        "({[Symbol.iterator]() { const s = new Error().stack; return s }})[Symbol.iterator]()"
        ".split('\\n')[1].split(' (')[0]",
        "    at [Symbol.iterator]");
    js_free(js);
}

TEST(js_stack_header_is_name_and_message)
{
    if (!test_is_fast()) return;
    Js *js = test_js();
    static const char *const cases[][2] = {
        {"new Error", "Error"},
        {"new Error('')", "Error"},
        {"new RangeError('m')", "RangeError: m"},
        {"class B extends Error { constructor(m) { super(m); this.name = 'B' } }; new B('q')",
         "B: q"},
        {"class C extends Error { get name() { return 'N' } }; new C('q')", "N: q"},
        {"class D extends Error { get name() { throw 1 } }; new D('q')", "Error: q"},
        {"Object.assign(new Error('z'), {name: ''})", "z"},
        {"Object.assign(new Error('z'), {name: Symbol()})", "Error: z"},
        {"new AggregateError([1], 'agg')", "AggregateError: agg"},
        {"class G extends Error { get '%stackName%'() { return 'G [C]' } }; new G('q')",
         "G [C]: q"},
        {"class F extends Error { get name() { return String(this.stack).length } }; new F('q')",
         NULL},
    };
    for (u32 i = 0; i < COUNT(cases); i++) {
        AUTO(Arena) a = {0};
        Str source = str_fmt(&a, "globalThis.e = (() => { %s })(); 1", cases[i][0]);
        i64 last = str_rfind(str_z(cases[i][0]), ';');
        Str head = str_slice(str_z(cases[i][0]), 0, (usize)(last + 1));
        Str tail = str_skip(str_z(cases[i][0]), (usize)(last + 1));
        source =
            str_fmt(&a, "globalThis.e = (() => { %.*s return %.*s })(); e.stack.split('\\n')[0]",
                    STR_ARG(head), STR_ARG(tail));
        Str got = test_eval(js, &a, str_dup_z(&a, source));
        if (cases[i][1] && !str_eq(got, str_z(cases[i][1]))) {
            test_fail_str(__FILE__, __LINE__, got, str_z(cases[i][1]));
        }
    }
    js_free(js);
}

TEST(js_stack_leaves_out_derived_constructors)
{
    if (!test_is_fast()) return;
    Js *js = test_js();
    CHECK_EVAL(
        js,
        "class G extends Error {} class H extends G { constructor() { super('h') } } "
        "function make() { return new H() } const e = make(); e.stack.replace(/:\\d+:\\d+/g, '')",
        "Error: h\n    at make (/app/test.js)\n    at /app/test.js");
    js_free(js);
}

TEST(js_stack_in_whatever_way_it_is_touched_first)
{
    if (!test_is_fast()) return;
    Js *js = test_js();
    static const char *const ways[] = {
        "e.line = 5",
        "e.column = 5",
        "delete e.sourceURL",
        "Object.getOwnPropertyNames(e)",
        "Object.getOwnPropertyDescriptor(e, 'stack')",
        "e.hasOwnProperty('line')",
        "Object.defineProperty(e, 'line', {value: 1})",
        "Object.freeze(e)",
        "Reflect.ownKeys(e)",
        "'stack' in e",
    };
    for (u32 i = 0; i < COUNT(ways); i++) {
        AUTO(Arena) a = {0};
        Str source = str_fmt(
            &a, "(() => { const e = new Error('w'); %s; return e.stack.split('\\n')[0] })()",
            ways[i]);
        CHECK_STR(test_eval(js, &a, str_dup_z(&a, source)), "Error: w");
    }
    CHECK_EVAL(js, "(() => { const e = new Error('w'); e.stack = 'mine'; return e.stack })()",
               "mine");
    CHECK_EVAL(js, "(() => { const e = new Error('w'); delete e.stack; return e.stack })()",
               "undefined");
    CHECK_EVAL(
        js,
        "(() => { const e = new Error; e[Symbol('stack')] = 1; return Object.keys(e).length })()",
        "0");
    js_free(js);
}

TEST(js_stack_of_many_errors_through_every_tier)
{
    if (!test_is_fast()) return;
    Js *js = test_js();
    CHECK_EVAL(js,
               "let bad = 0; for (let i = 0; i < 20000; i++) { const e = new Error('n' + i);"
               "  if (i % 7 === 0) e.line = i; if (i % 11 === 0) Error.captureStackTrace(e);"
               "  if (i % 3 === 0 && !e.stack.startsWith('Error: n' + i + '\\n    at ')) bad++;"
               "  try { null.foo } catch (x) { if (i % 5 === 0 && "
               "!x.stack.startsWith('TypeError')) bad++ } }"
               "bad",
               "0");
    js_gc(js, true);
    js_free(js);
}

TEST(js_stack_trace_limit)
{
    if (!test_is_fast()) return;
    Js *js = test_js();
    CHECK_EVAL(js,
               "const deep = (n) => n ? [deep(n - 1)][0] : new Error('d').stack; "
               "deep(50).split('\\n').length",
               "11");
    CHECK_EVAL(js, "Error.stackTraceLimit = 3; deep(50).split('\\n').length", "4");
    CHECK_EVAL(js, "Error.stackTraceLimit = 0; deep(50)", "Error: d");
    CHECK_EVAL(js, "Error.stackTraceLimit = 'x'; deep(50)", "undefined");
    CHECK_EVAL(js, "Error.stackTraceLimit = Infinity; deep(50).split('\\n').length", "53");
    js_free(js);
}

TEST(js_capture_stack_trace)
{
    if (!test_is_fast()) return;
    Js *js = test_js();
    CHECK_EVAL(js, "const o = {name: 'N', message: 'M'}; Error.captureStackTrace(o); o.stack",
               "N: M\n    at /app/test.js:1:61");
    CHECK_EVAL(
        js,
        "function hide(t) { Error.captureStackTrace(t, hide) } function outer() { const t = {};"
        " hide(t); return t.stack } outer().split('\\n')[1].split(' (')[0]",
        "    at outer");
    CHECK_EVAL(js, "const t = {}; Error.captureStackTrace(t, function notThere() {}); t.stack",
               "Error");
    CHECK_EVAL(js, "Object.keys(o).join() + Error.captureStackTrace.length", "name,message2");
    CHECK_EVAL(js, "Error.captureStackTrace(5)", "throws TypeError: invalid_argument");
    CHECK_EVAL(
        js,
        "class K extends Error { constructor() { super('k'); Error.captureStackTrace(this, K) } }"
        "new K().stack.replace(/:\\d+:\\d+/g, '')",
        "Error: k\n    at /app/test.js");
    js_free(js);
}

TEST(js_prepare_stack_trace)
{
    if (!test_is_fast()) return;
    Js *js = test_js();
    CHECK_EVAL(
        js,
        "Error.prepareStackTrace = (e, sites) => sites.map(s => [s.getFunctionName(), "
        "s.getFileName(),"
        " s.getLineNumber(), s.isConstructor(), s.isNative(), s.isToplevel(), "
        "s.isEval()].join('|'))"
        ".join('\\n'); class A { constructor() {\n this.s = new Error('x').stack } }\n new A().s",
        "A|/app/test.js|2|true|false|false|false\n|/app/test.js|3|false|false|true|false");
    CHECK_EVAL(js, "Error.prepareStackTrace = (e, sites) => String(sites[0]); new Error().stack",
               "/app/test.js:1:68");
    CHECK_EVAL(js,
               "Error.prepareStackTrace = (e, sites) => sites; Array.isArray(new Error().stack)",
               "true");
    CHECK_EVAL(js, "Error.prepareStackTrace = () => { throw 5 }; new Error().stack", "throws 5");
    CHECK_EVAL(js,
               "Error.prepareStackTrace = () => new Error('inner').stack.split('\\n')[0]; new "
               "Error().stack",
               "Error: inner");
    CHECK_EVAL(js,
               "Error.prepareStackTrace = function () { return this === Error }; new Error().stack",
               "true");
    CHECK_EVAL(js, "Error.prepareStackTrace = 5; new Error('x').stack.split('\\n')[0]", "Error: x");
    js_free(js);
}

static bool map_position(Js *js, JsPosition *pos)
{
    (void)js;
    if (!str_eq(pos->url, S("/app/test.js"))) return false;
    *pos = (JsPosition){.url = S("/src/test.ts"), .line = pos->line + 100, .column = 7};
    return true;
}

TEST(js_positions_are_mapped)
{
    if (!test_is_fast()) return;
    Js *js = test_js();
    AUTO(Arena) a = {0};
    JsPosition pos;
    js_on_map_position(js, map_position);
    CHECK_EVAL(js, "function f() { return new Error('x') } globalThis.e = f(); e.stack",
               "Error: x\n    at f (/src/test.ts:101:7)\n    at /src/test.ts:101:7");
    REQUIRE(js_error_position(js, js_get(js, js_global(js), "e"), &a, &pos));
    CHECK_STR(pos.url, "/src/test.ts");
    CHECK_INT(pos.line, 101);
    CHECK_INT(pos.column, 7);
    js_free(js);
}

JS_NATIVE(where)
{
    AUTO(Arena) a = {0};
    Str stack = js_stack(js, &a), url = js_caller_url(js, &a);
    return js_str(js, str_fmt(&a, "%.*s|%.*s", STR_ARG(url), STR_ARG(stack)));
}

TEST(js_frames_of_built_ins_are_hidden)
{
    if (!test_is_fast()) return;
    static const JsFn fn = JS_FN("where", where);
    Js *js = test_js();
    test_global(js, "where", js_function(js, &fn));
    test_global(js, "inner",
                js_eval_static(js, S("(function inner(f) { return f() })"), S("internal/x"), 1));
    test_global(js, "shown",
                js_eval_static(js, S("(function shown(f) { return f() })"), S("node:fs"), 1));
    CHECK_EVAL(js,
               "inner(function user() { return new Error('x').stack }).replace(/:\\d+:\\d+/g, '')",
               "Error: x\n    at user (/app/test.js)\n    at /app/test.js");
    CHECK_EVAL(js,
               "shown(function user() { return new Error('x').stack }).replace(/:\\d+:\\d+/g, '')",
               "Error: x\n    at user (/app/test.js)\n    at shown (node:fs)\n    at /app/test.js");
    CHECK_EVAL(js, "inner(where).replace(/:\\d+:\\d+/g, '')", "/app/test.js|\n    at /app/test.js");
    CHECK_EVAL(js, "shown(where).split('|')[0]", "/app/test.js");
    js_free(js);
}

TEST(js_error_positions)
{
    if (!test_is_fast()) return;
    Js *js = test_js();
    AUTO(Arena) a = {0};
    JsPosition pos;
    JsVal e = js_eval(js, S("\n\nnew Error('x')"), S("/app/with (paren) @1.0:2/x.js"), 1);
    REQUIRE(e && js_error_position(js, e, &a, &pos));
    CHECK_STR(pos.url, "/app/with (paren) @1.0:2/x.js");
    CHECK_INT(pos.line, 3);
    CHECK(!js_error_position(js, js_object(js), &a, &pos));
    CHECK(!js_error_position(js, JS_UNDEFINED, &a, &pos));
    js_free(js);
}
