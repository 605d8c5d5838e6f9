/* syntax/decorators_test.c -- decorators, accessor fields and using, as lowered. */
#include "syntax/test_syntax.h"

static Str lower(const char *text, const LowerOptions *o)
{
    ParseOptions parse = {.goal = GOAL_AUTO, .ts = true, .keep_param_types = o->emit_metadata};
    return syntax_run(str_z(text), &parse, o, true);
}

TEST(decorators_legacy)
{
    LowerOptions o = {.legacy_decorators = true};
    CHECK_STR(lower("@a class B { @c d = 1; @e f(@g h) {} }", &o),
              "let B=class B{d=1;f(h){}};__cobDecorate([c],B.prototype,\"d\",void 0);"
              "__cobDecorate([e,__cobParam(0,g)],B.prototype,\"f\",null);B=__cobDecorate([a],B);");
    CHECK_STR(lower("export default @a class {}", &o),
              "let default_1=class{};default_1=__cobDecorate([a],default_1);export{default_1 as "
              "default};");
    CHECK_STR(lower("class A { @b [c()]() {} }", &o),
              "var _key_1;class A{[_key_1=c()](){}}__cobDecorate([b],A.prototype,_key_1,null);");
    /* A decorated class means itself, decorated, in its own body. */
    CHECK_STR(
        lower("@a class B { static c = () => B }", &o),
        "var B_1;let B=class B{static{B_1=this}static c=()=>B_1;};B=B_1=__cobDecorate([a],B);");
}

TEST(decorators_legacy_fields_move_to_the_constructor)
{
    LowerOptions o = {.legacy_decorators = true, .assign_fields = true};
    CHECK_STR(lower("class A { @b c = 1; d; static e = 2 }", &o),
              "class A{constructor(){this.c=1}static{this.e=2}}"
              "__cobDecorate([b],A.prototype,\"c\",void 0);");
}

TEST(decorators_metadata)
{
    LowerOptions o = {.legacy_decorators = true, .emit_metadata = true};
    CHECK_STR(
        lower("import { D, E } from 'x'; class A { @b c: D | null; @b m(x: number[], y: E.F): void "
              "{} }",
              &o),
        "import{D}from\"x\";class A{c;m(x,y){}}__cobDecorate([b,__cobMetadata(\"design:type\","
        "typeof D===\"undefined\"?Object:D)],A.prototype,\"c\",void 0);"
        "__cobDecorate([b,__cobMetadata(\"design:type\",Function),__cobMetadata(\"design:"
        "paramtypes\","
        "[Array,Object]),__cobMetadata(\"design:returntype\",void 0)],A.prototype,\"m\",null);");
}

TEST(decorators_standard)
{
    LowerOptions o = {0};
    Str out = lower("@a class B { @c d = 1; @e static f() {} @g accessor h = 2; @i #j }", &o);
    CHECK(str_find_str(out, S("__cobField(_dec_1k1,false,false,_dec_1d1,null,_dec_1m,[])")) >= 0);
    CHECK(str_find_str(
              out, S("__cobMember(this,\"method\",_dec_1k2,true,_dec_1d2,_dec_1m,_dec_1s)")) >= 0);
    CHECK(str_find_str(out, S("has:o=>#j in o")) >= 0);
    CHECK_OK("let x = @a class { @b c() {} };", TS);
    CHECK_OK("class A { @b #c() {} @b static get #d() {} @b accessor #e }", TS);
}

TEST(accessor_fields)
{
    CHECK_MIN(
        "class A { accessor b = 1; static accessor #c }", JS,
        "class A{#_accessor_1=1;get b(){return this.#_accessor_1}set b(v){this.#_accessor_1=v}"
        "static #_accessor_2;static get #c(){return this.#_accessor_2}static set "
        "#c(v){this.#_accessor_2=v}}");
}

TEST(using_becomes_try)
{
    CHECK_MIN("{ using a = b; c }", JS,
              "{let _stack=[],_error,_failed=false;try{const "
              "a=__cobUsing(_stack,b,false);c}catch(_caught1)"
              "{_error=_caught1;_failed=true}finally{__cobDispose(_stack,_error,_failed)}}");
    CHECK_MIN(
        "for (using a of b) c", JS,
        "for(const a of b){let _stack=[],_error,_failed=false;try{__cobUsing(_stack,a,false);c}"
        "catch(_caught1){_error=_caught1;_failed=true}finally{__cobDispose(_stack,_error,_"
        "failed)}}");
    Str out = syntax_min("await using a = b; export const c = 1; export function d() {}", JS);
    CHECK(str_starts(out, S("export function d(){}var a;export var c;let _stack=")));
    CHECK(str_find_str(out, S("finally{await __cobDispose(")) >= 0);
}
