let a: number = ;
let b = 1;
class C { constructor() {} constructor() {} }
