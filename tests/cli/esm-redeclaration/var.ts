function f(){ let x: number; { var x } }
console.log(f);
export {};
