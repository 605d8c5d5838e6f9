import "./lib.mjs";
console.log("never");
