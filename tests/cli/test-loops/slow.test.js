import {test,expect} from "bun:test";
test("slow sync",()=>{ const t=Date.now(); while(Date.now()-t<300); }, 50);
test("slow async",async ()=>{ await null; const t=Date.now(); while(Date.now()-t<300); }, 50);
test("after",()=>{});
