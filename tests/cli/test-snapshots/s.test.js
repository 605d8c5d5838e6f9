import { test, expect } from "bun:test";
class Foo { constructor(){ this.a=1; this.b="x" } }
class Empty {}
test("snap", () => {
  expect({ b: 1, a: [1,"two",null,undefined,true], n: {}, e: [], s: "multi\nline `tick` \\ ${x}", f(){}, g: ()=>1, h: class K{}, sym: Symbol("q"), d: new Date(0), r: /a\/b/g, big: 10n, neg: -0, nan: NaN }).toMatchSnapshot();
  expect("str").toMatchSnapshot();
  expect("multi\nline `t` \\").toMatchSnapshot("hinted");
  expect(new Map([["a",1],[{k:1},[2]]])).toMatchSnapshot();
  expect(new Set([1,{a:1}])).toMatchSnapshot();
  expect(new Foo()).toMatchSnapshot();
  expect(new Empty()).toMatchSnapshot();
  expect([new Foo(), new Map(), new Set()]).toMatchSnapshot();
  expect(new Error("err")).toMatchSnapshot();
  expect(new TypeError("terr")).toMatchSnapshot();
  expect(new Uint8Array([1,2])).toMatchSnapshot();
  expect(new ArrayBuffer(2)).toMatchSnapshot();
  expect(Buffer.from("ab")).toMatchSnapshot();
  expect(Promise.resolve(1)).toMatchSnapshot();
  expect({a: expect.any(Number), b: expect.anything(), c: expect.stringContaining("x"), d: expect.objectContaining({q:1}), e: expect.arrayContaining([1])}).toMatchSnapshot();
  expect({a: 1, t: new Date()}).toMatchSnapshot({t: expect.any(Date)});
  expect(Object.create(null)).toMatchSnapshot();
  expect(null).toMatchSnapshot(); expect(undefined).toMatchSnapshot(); expect(1.5).toMatchSnapshot();
  expect({"a-b": 1, "q\"x": 2, 3: 4}).toMatchSnapshot();
  expect([[1,[2,[3]]],[]]).toMatchSnapshot();
  expect([,1]).toMatchSnapshot();
  expect(new Number(1)).toMatchSnapshot(); expect(new String("x")).toMatchSnapshot();
  expect(new WeakMap()).toMatchSnapshot(); expect(new URL("http://x/y")).toMatchSnapshot();
  const c = {x:1}; c.self=c; expect(c).toMatchSnapshot();
  expect({get x(){return 1}}).toMatchSnapshot();
  expect(function named(){}).toMatchSnapshot(); expect(()=>{}).toMatchSnapshot(); expect(Foo).toMatchSnapshot();
  expect({a:new Map([["k",{z:1}]]), s:new Set([1])}).toMatchSnapshot();
  expect(()=>{throw new Error("thrown")}).toThrowErrorMatchingSnapshot();
  expect("quote \" and 'x'").toMatchSnapshot();
  expect("\nleading").toMatchSnapshot(); expect("").toMatchSnapshot();
  expect({s:"a\"b\\c"}).toMatchSnapshot();
  (function(){ expect(arguments).toMatchSnapshot() })(1,2);
});
test("name `tick` ${a}", () => { expect(1).toMatchSnapshot(); expect(2).toMatchSnapshot("h"); });
