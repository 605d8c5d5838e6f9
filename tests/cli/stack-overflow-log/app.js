const deep = [];
let at = deep;
for (let i = 0; i < 100000; i++) at = at[0] = { a: [] }.a;
console.log(deep);
console.dir(deep, { depth: Infinity });
console.log("still here");
