console.log((function () { return this === globalThis; })());
console.log(require("./strict"));
console.log(typeof arguments, arguments.length, arguments[0] === exports);
var module2 = 1; let exports2 = 2;
label: for (;;) break label;
with ({ x: 5 }) console.log(x);
console.log(010, delete globalThis.nothing);
