import { a } from "./lib.js"; { let a = 1; } function f(a) { var b = a; } try {} catch (a) {} const g = (a) => { var a; }; class C { static { var a; } m(a) { var a; } }
