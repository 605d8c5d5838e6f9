/* syntax/helpers.c -- the text of the helper functions (see helpers.h).
 *
 * __cobUsing and __cobDispose follow the proposal's AddDisposableResource and DisposeResources.
 * __cobDecorate, __cobParam and __cobMetadata have the meaning of TypeScript's helpers.
 * __cobEsDecorate applies standard decorators (proposal of 2023-11) to one class. */
#include "syntax/helpers.h"

static const char using_text[] =
    "var __cobUsing=(stack,value,async)=>{"
    "if(value!=null){"
    "if(typeof value!==\"object\"&&typeof value!==\"function\")"
    "throw new TypeError(\"Object expected to be assigned to \\\"using\\\" declaration\");"
    "let dispose;"
    "if(async)dispose=value[Symbol.asyncDispose||Symbol.for(\"Symbol.asyncDispose\")];"
    "if(dispose===undefined){"
    "let sync=value[Symbol.dispose||Symbol.for(\"Symbol.dispose\")];"
    "dispose=async&&typeof sync===\"function\"?function(){try{sync.call(this)}catch(e){return "
    "Promise.reject(e)}}:sync}"
    "if(typeof dispose!==\"function\")throw new TypeError(\"Object not disposable\");"
    "stack.push([async,dispose,value])"
    "}else if(async)stack.push([async]);"
    "return value},"
    "__cobDispose=(stack,error,hasError)=>{"
    "let E=typeof "
    "SuppressedError===\"function\"?SuppressedError:function(error,suppressed,message){"
    "let e=new "
    "Error(message);e.name=\"SuppressedError\";e.error=error;e.suppressed=suppressed;return e};"
    "let fail=e=>{error=hasError?new E(e,error,\"An error was suppressed during "
    "disposal\"):e;hasError=true};"
    "let next=()=>{let it;while(it=stack.pop())try{"
    "let result=it[1]&&it[1].call(it[2]);"
    "if(it[0])return Promise.resolve(result).then(next,e=>(fail(e),next()))"
    "}catch(e){fail(e)}"
    "if(hasError)throw error};"
    "return next()};";

/* key undefined: a class.  desc: null for methods and accessors, undefined for fields. */
static const char decorate_text[] =
    "var __cobDecorate=(decorators,target,key,desc)=>{"
    "let "
    "r=key===undefined?target:desc===null?Object.getOwnPropertyDescriptor(target,key):undefined;"
    "for(let i=decorators.length-1;i>=0;i--){let d=decorators[i];"
    "if(d)r=(key===undefined?d(r):d(target,key,r))||r}"
    "if(key!==undefined&&r)Object.defineProperty(target,key,r);return r};";

static const char param_text[] =
    "var __cobParam=(index,decorator)=>(target,key)=>decorator(target,key,index);";

static const char metadata_text[] =
    "var __cobMetadata=(key,value)=>{"
    "if(typeof Reflect===\"object\"&&typeof Reflect.metadata===\"function\")return "
    "Reflect.metadata(key,value)};";

/* kind "field": returns the initial-value functions.  "accessor": [{get, set}, those].  Else: the
 * value. */
static const char es_text[] =
    "var __cobEsDecorate=(kind,name,fixed,hidden,decorators,access,value,metadata,extra)=>{"
    "let inits=[],check=f=>{if(typeof f!==\"function\")throw new TypeError(\"Function "
    "expected\");return f};"
    "for(let i=decorators.length-1;i>=0;i--){"
    "let done=false,context={kind,name,metadata,addInitializer(f){"
    "if(done)throw new TypeError(\"Cannot add initializers after decoration has "
    "completed\");extra.push(check(f))}};"
    "if(kind!==\"class\"){context.static=fixed;context.private=hidden;context.access=access}"
    "let "
    "result=check(decorators[i])(kind===\"field\"?undefined:kind===\"accessor\"?{get:value.get,set:"
    "value.set}:value,context);"
    "done=true;if(result===undefined)continue;"
    "if(kind===\"accessor\"){"
    "if(result===null||typeof result!==\"object\")throw new TypeError(\"Object expected\");"
    "let "
    "f;if((f=result.get)!==undefined)value.get=check(f);if((f=result.set)!==undefined)value.set="
    "check(f);"
    "if((f=result.init)!==undefined)inits.unshift(check(f))"
    "}else if(kind===\"field\")inits.unshift(check(result));else value=check(result)}"
    "return kind===\"field\"?inits:kind===\"accessor\"?[value,inits]:value},"
    "__cobMetaKey=Symbol.metadata||Symbol.for(\"Symbol.metadata\"),"
    "__cobMeta=c=>{let p=Object.getPrototypeOf(c),m=Object.create(p&&p[__cobMetaKey]||null);"
    "Object.defineProperty(c,__cobMetaKey,{value:m,configurable:true,writable:true});return m},"
    "__cobAccess=(key,kind)=>{let a={has:o=>key in o};"
    "if(kind!==\"setter\")a.get=o=>o[key];if(kind!==\"getter\"&&kind!==\"method\")a.set=(o,v)=>{o["
    "key]=v};return a},"
    "__cobMember=(target,kind,key,fixed,decorators,metadata,extra)=>{"
    "let "
    "d=Object.getOwnPropertyDescriptor(target,key),p=kind===\"method\"?\"value\":kind===\"getter\"?"
    "\"get\":\"set\";"
    "d[p]=__cobEsDecorate(kind,key,fixed,false,decorators,__cobAccess(key,kind),d[p],metadata,"
    "extra);"
    "Object.defineProperty(target,key,d)},"
    "__cobPrivate=(target,kind,key,name,fixed,decorators,access,metadata,extra)=>{"
    "let p=kind===\"method\"?\"value\":kind===\"getter\"?\"get\":\"set\","
    "f=Object.getOwnPropertyDescriptor(target,key)[p];delete target[key];"
    "Object.defineProperty(f,\"name\",{value:(p===\"value\"?\"\":p+\" \")+name,configurable:true});"
    "return __cobEsDecorate(kind,name,fixed,true,decorators,access,f,metadata,extra)},"
    "__cobHidden=(value,name,fixed,decorators,access,metadata,after)=>{"
    "let r=__cobEsDecorate(\"accessor\",name,fixed,true,decorators,access,value,metadata,after);"
    "return[r[1],after,r[0]]},"
    "__cobAccessor=(target,key,fixed,decorators,metadata,extra,after)=>{"
    "let d=Object.getOwnPropertyDescriptor(target,key),"
    "r=__cobEsDecorate(\"accessor\",key,fixed,false,decorators,__cobAccess(key,\"accessor\"),{get:"
    "d.get,set:d.set},metadata,after);"
    "d.get=r[0].get;d.set=r[0].set;Object.defineProperty(target,key,d);return[r[1],after]},"
    "__cobField=(key,fixed,hidden,decorators,access,metadata,after)=>"
    "[__cobEsDecorate(\"field\",key,fixed,hidden,decorators,access||__cobAccess(key,\"field\"),"
    "undefined,metadata,after),after],"
    "__cobInit=(self,inits,value)=>{for(let f of inits)value=f.call(self,value);return value},"
    "__cobRun=(self,extra)=>{for(let f of extra)f.call(self)},"
    "__cobClass=(c,name,decorators,metadata,extra)=>{"
    "c=__cobEsDecorate(\"class\",name,false,false,decorators,undefined,c,metadata,extra);"
    "Object.defineProperty(c,__cobMetaKey,{value:metadata,configurable:true,writable:true});"
    "return c};";

void helpers_write(Buf *b, u32 set)
{
    if (set & HELPER_USING) buf_push(b, str_z(using_text));
    if (set & HELPER_DECORATE) buf_push(b, str_z(decorate_text));
    if (set & HELPER_PARAM) buf_push(b, str_z(param_text));
    if (set & HELPER_METADATA) buf_push(b, str_z(metadata_text));
    if (set & HELPER_ES_DECORATE) buf_push(b, str_z(es_text));
}
