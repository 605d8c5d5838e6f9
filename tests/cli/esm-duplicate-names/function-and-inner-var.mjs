function a() {} { var a; }
