const a = 1;
function f() { let x; var x; }
