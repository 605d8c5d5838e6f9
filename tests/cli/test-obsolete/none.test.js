test("none", () => {});
