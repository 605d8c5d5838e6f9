function a() {} function a() {}
