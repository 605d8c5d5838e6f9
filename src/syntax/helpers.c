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

void helpers_write(Buf *b, u32 set)
{
    if (set & HELPER_USING) buf_push(b, str_z(using_text));
    if (set & HELPER_DECORATE) buf_push(b, str_z(decorate_text));
    if (set & HELPER_PARAM) buf_push(b, str_z(param_text));
    if (set & HELPER_METADATA) buf_push(b, str_z(metadata_text));
}
