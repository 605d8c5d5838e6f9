test("is alone", () => console.log("in b"));
