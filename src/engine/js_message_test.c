/* engine/js_message_test.c -- the engine's messages in the words that programs know. */
#include "engine/js_testing.h"

#define MESSAGE_OF(code) "(() => { try { " code " } catch (e) { return e.message } })()"

TEST(js_message_of_unknown_variable)
{
    if (!test_is_fast()) return;
    Js *js = test_js();
    CHECK_EVAL(js, MESSAGE_OF("nix"), "nix is not defined");
    CHECK_EVAL(js, "try { nix } catch (e) { String(e) }", "ReferenceError: nix is not defined");
    CHECK_EVAL(js, "try { nix } catch (e) { e.stack.split('\\n')[0] }",
               "ReferenceError: nix is not defined");
    CHECK_EVAL(js, "try { nix } catch (e) { Object.getOwnPropertyDescriptor(e, 'message').value }",
               "nix is not defined");
    CHECK_EVAL(js, "try { \\u0101b } catch (e) { e.message }",
               "\xc4\x81"
               "b is not defined");
    CHECK_EVAL(js, "try { nix } catch (e) { e.message = 'own'; e.message }", "own");
    js_free(js);
}

TEST(js_message_of_a_program_is_its_own)
{
    if (!test_is_fast()) return;
    Js *js = test_js();
    CHECK_EVAL(js, "new ReferenceError(\"Can't find variable: x\").message",
               "Can't find variable: x");
    CHECK_EVAL(js, "new TypeError('other').message", "other");
    CHECK_EVAL(js, "String(new ReferenceError().message)", "");
    CHECK_EVAL(js, "class E extends TypeError { get message() { return 'got' } } new E().message",
               "got");
    js_free(js);
}

/* An inline cache that was filled by one error must not answer for the next. */
TEST(js_message_is_looked_at_in_hot_code)
{
    if (!test_is_fast()) return;
    Js *js = test_js();
    CHECK_EVAL(js,
               "let wrong = 0;\n"
               "function message(i) {\n"
               "  try { if (i % 2) nix; throw new ReferenceError('mine') }\n"
               "  catch (e) { return e.message }\n"
               "}\n"
               "for (let i = 0; i < 20000; i++) {\n"
               "  if (message(i) !== (i % 2 ? 'nix is not defined' : 'mine')) wrong++;\n"
               "}\n"
               "wrong",
               "0");
    js_free(js);
}

static bool name_at(Js *js, Arena *a, const JsPosition *pos, Str *ret)
{
    (void)js;
    *ret = str_fmt(a, "at%uc%u", pos->line, pos->column);
    return true;
}

TEST(js_message_of_what_the_stack_tells)
{
    if (!test_is_fast()) return;
    Js *js = test_js();
    CHECK_EVAL(js, MESSAGE_OF("a; let a = 1"), "Cannot access uninitialized variable.");
    js_on_name_at(js, name_at);
    CHECK_EVAL(js, "try { a.b; let a = 1 } catch (e) { e.message }",
               "Cannot access 'at1c8' before initialization.");
    CHECK_EVAL(js, MESSAGE_OF("class A {} A()"), "Cannot call a class constructor A without |new|");
    CHECK_EVAL(js, MESSAGE_OF("Promise()"), "Cannot call a constructor Promise without |new|");
    CHECK_EVAL(js, MESSAGE_OF("let { a } = null"), "Cannot destructure null or undefined value");
    CHECK_EVAL(js, "Error.prepareStackTrace = () => { throw 5 }; " MESSAGE_OF("b; let b"),
               "throws 5");
    js_free(js);
}
