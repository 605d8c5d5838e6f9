export const f = async () => { throw new Error("x"); };
try { null.x; } catch (e) { console.log(e.stack); }
f().catch((e) => console.log(e.stack));
