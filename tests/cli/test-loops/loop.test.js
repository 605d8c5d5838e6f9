import {test,expect} from "bun:test";
test("before",()=>{});
test("loop",()=>{ for(;;); }, 300);
test("after",()=>{ expect(1).toBe(1) });
