import {test,expect} from "bun:test";
test("ok",()=>{ });
test("bad",()=>{ expect({a:1}).toBe(2) });
test("thrown",()=>{ throw new TypeError("x: 100%\nsecond") });
test("late",async()=>{ await new Promise(()=>{}) },20);
