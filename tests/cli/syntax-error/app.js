const a = 1;
let b = ;
console.log("never");
