test("here", () => {});
