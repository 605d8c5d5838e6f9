var a; var a; { function a() {} let b; } function c() { var a; function b() {} function b() {} } { let a; }; class b {} export { a, b }; for (var i of [a]) { let a = c; }
