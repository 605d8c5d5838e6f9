function fail() { throw new Error("x"); }
class A { constructor() { fail(); } }
const show = (f) => { try { f() } catch (e) { console.log(e.stack) } };
show(() => new A());
show(() => structuredClone({ get a() { return fail(); } }));
show(() => new URL("x"));
show(() => [1].map(() => Reflect.construct(A, [])));
show(() => "a".replace(/a/, () => fail()));
show(() => unknown + 1);
show(() => { const a = 1 + later; return a; });
async function asynchronous() { fail() }
asynchronous().catch((e) => console.log(e.stack));
const arrow = async () => { fail() };
arrow().catch((e) => console.log(e.stack));
class B { async method() { await 1; fail() } }
new B().method().catch((e) => console.log(e.stack));
const target = new EventTarget();
target.addEventListener("x", () => show(fail));
target.dispatchEvent(new Event("x"));
setTimeout(() => show(fail), 1);
let later;
