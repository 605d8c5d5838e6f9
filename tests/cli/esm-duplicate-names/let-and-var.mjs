let a; { var a; }
