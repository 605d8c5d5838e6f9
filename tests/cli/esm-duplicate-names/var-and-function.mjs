var a; function a() {}
