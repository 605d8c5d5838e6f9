afterAll(() => console.log("behind all files"));
