import { test, expect, mock, spyOn } from "bun:test";
const out = [];
const f = mock((a)=>a+1); f(1); f(2); const thrower = mock(()=>{throw new Error("x")}); try{thrower(1)}catch{}
const never = mock();
const cases = {
 toBe:[[1,2],[{a:1},{a:1}],["a","b"],[0,-0]], toEqual:[[1,2],[[1],[2]],["a","b"],[null,undefined]], toStrictEqual:[[{a:undefined},{}]], toMatchObject:[[{a:1},{a:2}]],
 toBeNull:[[1]], toBeUndefined:[[1]], toBeDefined:[[undefined]], toBeNaN:[[1]], toBeTruthy:[[0]], toBeFalsy:[[1]], toContain:[[[1],2],["abc","z"]], toContainEqual:[[[{a:1}],{a:2}]],
 toHaveLength:[[[1],2]], toHaveProperty:[[{a:1},"b"],[{a:1},"a",2],[{a:{b:1}},"a.b",3]], toBeInstanceOf:[[1,Array],[{},Map]], toMatch:[["abc",/z/],["abc","z"]],
 toBeGreaterThan:[[1,2]],toBeGreaterThanOrEqual:[[1,2]],toBeLessThan:[[2,1]],toBeLessThanOrEqual:[[2,1]],toBeCloseTo:[[1,1.5],[1,1.1,3]],
 toThrow:[[()=>{}],[()=>{throw new Error("abc")},"zzz"],[()=>{throw new Error("abc")},/zzz/],[()=>{throw new Error("abc")},TypeError],[()=>{throw new Error("abc")},new Error("q")],[()=>{},"zzz"],[()=>{},/z/],[()=>{},TypeError],[()=>{},new Error("q")],[()=>{throw 5},"zzz"]],
 toHaveBeenCalled:[[never]],toHaveBeenCalledTimes:[[f,1]],toHaveBeenCalledOnce:[[f]],toHaveBeenCalledWith:[[f,9],[never,1]],toHaveBeenLastCalledWith:[[f,9],[never,9]],toHaveBeenNthCalledWith:[[f,1,9],[f,5,9]],
 toHaveReturned:[[never]],toHaveReturnedTimes:[[f,1]],toHaveReturnedWith:[[f,9]],toHaveLastReturnedWith:[[f,9]],toHaveNthReturnedWith:[[f,1,9]],
 toBeArray:[[1]],toBeArrayOfSize:[[[1],2]],toBeBoolean:[[1]],toBeDate:[[1]],toBeValidDate:[[1]],toBeEmpty:[[[1]]],toBeEmptyObject:[[{a:1}]],toBeEven:[[1]],toBeOdd:[[2]],toBeFinite:[[Infinity]],toBeInteger:[[1.5]],toBeNegative:[[1]],toBePositive:[[-1]],toBeWithin:[[5,1,3]],toBeFunction:[[1]],toBeNil:[[1]],toBeNumber:[["1"]],toBeObject:[[1]],toBeString:[[1]],toBeSymbol:[[1]],toBeTrue:[[1]],toBeFalse:[[1]],toBeTypeOf:[[1,"string"]],toBeOneOf:[[1,[2,3]]],toContainKey:[[{a:1},"b"]],toContainKeys:[[{a:1},["b"]]],toContainAllKeys:[[{a:1},["b"]]],toContainAnyKeys:[[{a:1},["b"]]],toContainValue:[[{a:1},2]],toContainValues:[[{a:1},[2]]],toContainAllValues:[[{a:1},[2]]],toContainAnyValues:[[{a:1},[2]]],toInclude:[["abc","z"]],toIncludeRepeated:[["abc","a",2]],toStartWith:[["abc","z"]],toEndWith:[["abc","z"]],toEqualIgnoringWhitespace:[["a b","ac"]],toSatisfy:[[1,x=>x>1]],fail:[[1]],pass:[[1]],
};
const good = { toBe:[1,1],toEqual:[{a:[1]},{a:[1]}],toStrictEqual:[1,1],toMatchObject:[{a:1,b:1},{a:1}],toBeNull:[null],toBeUndefined:[undefined],toBeDefined:[1],toBeNaN:[NaN],toBeTruthy:[1],toBeFalsy:[0],toContain:[[1],1],toContainEqual:[[{a:1}],{a:1}],toHaveLength:[[1],1],toHaveProperty:[{a:1},"a",1],toBeInstanceOf:[[],Array],toMatch:["abc",/a/],toBeGreaterThan:[2,1],toBeGreaterThanOrEqual:[2,1],toBeLessThan:[1,2],toBeLessThanOrEqual:[1,2],toBeCloseTo:[1,1.001],toThrow:[()=>{throw new Error("abc")}],toHaveBeenCalled:[f],toHaveBeenCalledTimes:[f,2],toHaveBeenCalledWith:[f,1],toHaveBeenLastCalledWith:[f,2],toHaveBeenNthCalledWith:[f,1,1],toHaveReturned:[f],toHaveReturnedTimes:[f,2],toHaveReturnedWith:[f,2],toHaveLastReturnedWith:[f,3],toHaveNthReturnedWith:[f,1,2],toBeArray:[[]],toBeArrayOfSize:[[1],1],toBeBoolean:[true],toBeEmpty:[[]],toBeEven:[2],toBeWithin:[2,1,3],toBeTypeOf:[1,"number"],toBeOneOf:[1,[1]],toContainKey:[{a:1},"a"],toContainKeys:[{a:1},["a"]],toInclude:["abc","a"],toSatisfy:[1,x=>true],toEqualIgnoringWhitespace:["a b","ab"], toStartWith:["a","a"],toIncludeRepeated:["aa","a",2],toContainValue:[{a:1},1], toBeEmptyObject:[{}], toBeDate:[new Date(0)],toHaveBeenCalledOnce:[thrower] };
const tr=(n,fn)=>{ try{fn(); out.push(`## ${n}: OK`)}catch(e){out.push(`## ${n}\n${e.message}`)} };
for (const k in cases) cases[k].forEach(([a,...r],i)=>tr(`${k} ${i}`,()=>expect(a)[k](...r)));
for (const k in good) {const [a,...r]=good[k]; tr(`${k}`,()=>expect(a)[k](...r)); tr(`not ${k}`,()=>expect(a).not[k](...r));}
test("x", async ()=>{ 
 tr("msg",()=>expect(1,"my message").toBe(2));
 tr("bad toHaveLength",()=>expect(1).toHaveLength(2)); tr("bad toContain",()=>expect(1).toContain(2));tr("bad gt",()=>expect("a").toBeGreaterThan(2));
 tr("bad called",()=>expect(1).toHaveBeenCalled()); tr("bad throw",()=>expect(1).toThrow());tr("bad match",()=>expect(1).toMatch(/a/));
 for (const [n,p] of [["resolves rej",()=>expect(Promise.reject(new Error("q"))).resolves.toBe(1)],["rejects res",()=>expect(Promise.resolve(3)).rejects.toBe(1)],["resolves np",()=>expect(3).resolves.toBe(1)],["resolves ok",()=>expect(Promise.resolve(3)).resolves.toBe(1)],["rejects toThrow",()=>expect(Promise.reject(new Error("abc"))).rejects.toThrow("z")],["rejects toThrow ok",()=>expect(Promise.reject(new Error("abc"))).rejects.toThrow("b")],["resolves toThrow ok",()=>expect(Promise.resolve(new Error("abc"))).resolves.toThrow("b")]]) { try { await p(); out.push("## "+n+" OK") } catch(e){out.push("## "+n+"\n"+e.message)} }
 tr("unreachable",()=>expect.unreachable("u"));
 expect.extend({ toFoo(a,b){ return {pass:a===b,message:()=>"custom "+a} } });
 tr("ext",()=>expect(1).toFoo(2)); tr("ext not",()=>expect(1).not.toFoo(1)); tr("asym ext",()=>expect({a:1}).toEqual({a:expect.toFoo(2)}));
 tr("asym",()=>expect({a:1,b:"x",c:[1],d:{}}).toEqual({a:expect.any(String),b:expect.stringContaining("z"),c:expect.arrayContaining([2]),d:expect.objectContaining({q:1}),e:expect.anything(),f:expect.closeTo(1),g:expect.stringMatching(/a/),h:expect.not.stringContaining("a")}));
 console.log(out.join("\n"));
});
